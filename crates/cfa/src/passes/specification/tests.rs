//! Whatever a specification looks like, it is read, or the mistake has a place in it.

use rorqual_source::{Position, SourceMap};

use super::parse_specification;

const LOCK: &str = include_str!("../../../../../specs/lock.spec");
const FILE: &str = include_str!("../../../../../specs/file.spec");

/// Pieces that mutants get: signs, words, and what is none.
const PIECES: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "->",
    "=",
    "==",
    "!",
    "-",
    "*",
    "_",
    "...",
    "\"",
    "\n",
    "if",
    "on",
    "error",
    "null",
    "99999999999999999999",
    "0x",
    "ä",
    "\u{0}",
];

/// Numbers that look random, the same ones in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A text with a few pieces taken out or put in.
fn mutant(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len());
        let end = (at + random.below(8)).min(letters.len());
        let piece = if random.below(2) == 0 { "" } else { PIECES[random.below(PIECES.len())] };
        letters.splice(at..end, piece.chars());
    }
    letters.into_iter().collect()
}

/// Whether it is read; if not, the mistake has a place.
fn is_read(text: &str) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add("mutant.spec".to_owned(), text.as_bytes());
    match parse_specification(file, text) {
        Ok(_) => true,
        Err(mistake) => {
            let Position { line, column, .. } = sources.position(mistake.span);
            assert!(mistake.span.file() == Some(file) && line > 0 && column > 0, "{mistake:?} in {text}");
            false
        }
    }
}

#[test]
fn mutants_are_read_or_their_mistakes_have_places() {
    let mut random = Random(1);
    let mut counts = [0, 0];
    for number in 0..20_000 {
        let text = mutant(if number % 2 == 0 { LOCK } else { FILE }, &mut random);
        counts[usize::from(is_read(&text))] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn huge_formulas_are_a_mistake_like_others() {
    let text = |depth: usize| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        format!("spec s;\nstate a;\non call f() {{ a if {open}1{close} -> a; }}")
    };
    assert!(is_read(&text(50)));
    assert!(!is_read(&text(1_000_000)));
    for part in ["!", "1 + ", "1 == "] {
        let many = part.repeat(1_000_000);
        assert!(!is_read(&format!("spec s;\nstate a;\non call f() {{ a if {many}1 -> a; }}")), "{part}");
    }
}
