//! Limits against input whose preprocessing would never end or eat all memory: files that
//! include themselves over and over, and macros that expand to billions of tokens.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rorqual_source::{Diagnostic, Span};

/// More files than any translation unit includes; the Linux kernel's include some thousand.
const MAX_INCLUDED_FILES: u64 = 5_000;

/// More text than any translation unit includes, in bytes.
const MAX_INCLUDED_BYTES: u64 = 16 << 20;

/// The most tokens that the macros of a file may expand to. gcc needs gigabytes of memory for this
/// many.
const MAX_EXPANSION: u64 = 10_000_000;

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

/// The text with a newline more if it ends in a spliced line. rucc's lexer never ends, or panics, on
/// a file whose last characters are a backslash and a newline.
pub(super) fn with_final_newline(mut text: Vec<u8>) -> Vec<u8> {
    // GNU C allows space between the two.
    let last = text.iter().rposition(|byte| !byte.is_ascii_whitespace());
    if last.is_some_and(|last| text[last] == b'\\') {
        text.extend(b"\n\n");
    }
    text
}

/// Whether the macros of this text expand to more tokens than memory can hold. Arguments of
/// function-like macros count as one token each.
pub(super) fn explodes(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text).replace("\\\n", " ");
    let mut definitions: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut used: HashMap<&str, u64> = HashMap::new();
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        match directive.and_then(|rest| rest.strip_prefix("define")) {
            Some(definition) => {
                let mut words = words(definition);
                let Some(name) = words.next() else { continue };
                let body: Vec<&str> = words.collect();
                let known = definitions.entry(name).or_default();
                if body.len() > known.len() {
                    *known = body;
                }
            }
            None => words(line).for_each(|word| *used.entry(word).or_default() += 1),
        }
    }
    let mut sizes = HashMap::new();
    let total = definitions.keys().fold(0u64, |total, name| {
        let uses = used.get(name).copied().unwrap_or(0);
        total.saturating_add(uses.saturating_mul(size(name, &definitions, &mut sizes)))
    });
    total > MAX_EXPANSION
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// How many tokens a macro expands to. A macro inside of its own expansion is not expanded.
fn size<'a>(
    name: &'a str,
    definitions: &HashMap<&'a str, Vec<&'a str>>,
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

    /// Macros each of which stands for ten of the one before, and a use of the last.
    fn tower(height: usize) -> String {
        let level = |level: usize| format!("#define D{level} {}\n", format!("D{} ", level - 1).repeat(10));
        format!("#define D0 x\n{}int x = D{height};\n", (1..=height).map(level).collect::<String>())
    }

    #[test]
    fn towers_of_macros_explode() {
        assert!(!explodes(tower(6).as_bytes()));
        assert!(explodes(tower(8).as_bytes()));
        assert!(explodes(format!("{}{}", tower(6), "D6 ".repeat(20)).as_bytes()));
    }

    #[test]
    fn unused_and_recursive_macros_do_not() {
        let unused = tower(9).replace("int x = D9;", "");
        assert!(!explodes(unused.as_bytes()));
        assert!(!explodes(b"#define A B B\n#define B A A\n#  define C C C C\nint A B C;"));
    }
}
