//! Keys: hashes of what is asked.

use std::fmt;

use sha2::{Digest, Sha256};

/// What is hashed into every key. It changes when the content of programs is written in another way, or means something else.
const KEY_VERSION: &str = "rorqual key 2";

/// The address of something by its content: a SHA-256 in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Starts the key of something of a kind.
    pub fn builder(kind: &str) -> KeyBuilder {
        KeyBuilder(Sha256::new()).part("version", KEY_VERSION).part("kind", kind)
    }

    /// A key from a file, if it may be one.
    pub fn parse(text: &str) -> Option<Key> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Key(text.to_owned()))
    }

    /// All digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digits that people read.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key that grows.
#[derive(Debug, Clone)]
pub struct KeyBuilder(Sha256);

impl KeyBuilder {
    /// Adds a part. Lengths are hashed too, so that no two lists of parts look alike.
    #[must_use]
    pub fn part(mut self, name: &str, value: &str) -> KeyBuilder {
        for text in [name, value] {
            self.0.update((text.len() as u64).to_le_bytes());
            self.0.update(text.as_bytes());
        }
        self
    }

    /// The key of all parts.
    pub fn finish(self) -> Key {
        Key(format!("{:x}", self.0.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let key = |parts: &[(&str, &str)]| {
            parts.iter().fold(Key::builder("test"), |key, (name, value)| key.part(name, value)).finish()
        };
        assert_eq!(key(&[("a", "bc")]), key(&[("a", "bc")]));
        assert_ne!(key(&[("a", "bc")]), key(&[("ab", "c")]));
        assert_ne!(key(&[("a", "b"), ("c", "d")]), key(&[("a", "bcd")]));
        assert_ne!(Key::builder("one").finish(), Key::builder("other").finish());
    }

    #[test]
    fn only_keys_are_read_as_keys() {
        let key = Key::builder("test").finish();
        assert_eq!(Key::parse(key.as_str()), Some(key.clone()));
        assert!(key.as_str().starts_with(key.short()));
        for bad in ["", "abc", &key.as_str().to_uppercase(), &format!("{key}0")] {
            assert_eq!(Key::parse(bad), None, "{bad}");
        }
    }
}
