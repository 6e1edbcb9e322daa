//! Limits against input whose preprocessing would never end or eat all memory: files that
//! include themselves over and over, and macros that expand to billions of tokens.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rorqual_source::{Diagnostic, Span};

/// More files than any translation unit includes; the Linux kernel's include some thousand.
const MAX_INCLUDED_FILES: u64 = 20_000;

/// More text than any translation unit includes, in bytes.
const MAX_INCLUDED_BYTES: u64 = 64 << 20;

/// The most tokens that one macro may stand for. gcc needs gigabytes of memory for this many.
const MAX_EXPANSION: u64 = 20_000_000;

/// Counts what a translation unit includes.
#[derive(Debug, Default)]
pub(super) struct Budget {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Budget {
    /// Whether a file of this size may still be included.
    pub(super) fn admits(&self, size: usize) -> bool {
        let files = self.files.fetch_add(1, Ordering::Relaxed);
        let bytes = self.bytes.fetch_add(size as u64, Ordering::Relaxed);
        files < MAX_INCLUDED_FILES && bytes < MAX_INCLUDED_BYTES
    }

    /// The reason why includes were refused, if any were.
    pub(super) fn refusal(&self) -> Option<Diagnostic> {
        let (files, bytes) = (self.files.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        (files > MAX_INCLUDED_FILES || bytes > MAX_INCLUDED_BYTES).then(|| {
            let message = format!(
                "more than {MAX_INCLUDED_FILES} files or {} MiB are included",
                MAX_INCLUDED_BYTES >> 20
            );
            Diagnostic::error(message, Span::NONE).with_help("does a file include itself?")
        })
    }
}

/// The name of a macro of this text that expands to more tokens than memory can hold. Arguments of
/// function-like macros count as one token each.
pub(super) fn exploding_macro(text: &[u8]) -> Option<String> {
    let definitions = definitions(text);
    let mut sizes = HashMap::new();
    let mut names: Vec<&str> = definitions.keys().map(String::as_str).collect();
    names.sort_unstable();
    names.into_iter().find(|name| size(name, &definitions, &mut sizes) > MAX_EXPANSION).map(str::to_owned)
}

/// The tokens of each macro, as far as they matter: identifiers, and one for any other.
fn definitions(text: &[u8]) -> HashMap<String, Vec<String>> {
    let text = String::from_utf8_lossy(text).replace("\\\n", " ");
    let mut definitions: HashMap<String, Vec<String>> = HashMap::new();
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = directive.and_then(|rest| rest.strip_prefix("define")) else { continue };
        let mut words = rest
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned);
        if let Some(name) = words.next() {
            let body: Vec<String> = words.collect();
            let known = definitions.entry(name).or_default();
            if body.len() > known.len() {
                *known = body;
            }
        }
    }
    definitions
}

/// How many tokens a macro expands to. A macro inside of its own expansion is not expanded.
fn size<'a>(
    name: &'a str,
    definitions: &'a HashMap<String, Vec<String>>,
    sizes: &mut HashMap<&'a str, u64>,
) -> u64 {
    if let Some(&known) = sizes.get(name) {
        return known;
    }
    let Some(body) = definitions.get(name) else { return 1 };
    sizes.insert(name, 1);
    let total = body.iter().fold(0u64, |total, word| total.saturating_add(size(word, definitions, sizes)));
    sizes.insert(name, total.max(1));
    total.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tower(height: usize) -> String {
        let levels =
            (1..height).map(|level| format!("#define D{level} {}\n", format!("D{} ", level - 1).repeat(10)));
        format!("#define D0 x\n{}", levels.collect::<String>())
    }

    #[test]
    fn towers_of_macros_explode() {
        assert_eq!(exploding_macro(tower(6).as_bytes()), None);
        assert_eq!(exploding_macro(tower(12).as_bytes()), Some("D10".to_owned()));
    }

    #[test]
    fn recursive_macros_do_not() {
        assert_eq!(exploding_macro(b"#define A B B\n#define B A A\n#  define C C C C\n"), None);
    }
}
