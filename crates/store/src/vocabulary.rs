//! Certificates in words that do not depend on the names of locals and on the order of functions.
//!
//! A certificate names cells, functions and operations of its program. Stored ones use the numbers that these have in the normal
//! form of [`Content`](crate::Content) instead: `main::i` is `main::$0` if `i` is the first variable that `main` uses. When a certificate is loaded,
//! the numbers are replaced by the names of the program at hand, and then it is read and proved like any other. So a mistake
//! here leads to a certificate that is refused, and to nothing else.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use rorqual_certificate::fingerprint;
use rorqual_cfa::{Edge, FunctionId, HaltKind, Id, Operation, Program};

use crate::content::{Names, Numbers, Writer};
use crate::key::Key;
use crate::outline::{Adapted, Outlines};

/// The words for the parts of a program, in its certificates and in stored ones.
#[derive(Debug)]
pub struct Vocabulary {
    /// The names that cells start with.
    cells: Dictionary,
    /// Names of functions in statements about them.
    functions: Dictionary,
    /// The numbers of places, expressions, and points that must not be reached, in the names of operations that may be undefined.
    places: Numbering,
    exprs: Numbering,
    points: Numbering,
    fingerprint: String,
    outlines: Outlines,
}

/// Which words are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Those of stored certificates.
    Stored,
    /// Those of the program.
    Own,
}

/// Words of one language, and of the other.
#[derive(Debug, Default)]
struct Dictionary {
    stored: HashMap<String, String>,
    own: HashMap<String, String>,
}

impl Dictionary {
    fn add(&mut self, own: String, stored: String) {
        if own != stored {
            self.stored.insert(own.clone(), stored.clone());
            self.own.insert(stored, own);
        }
    }

    fn word<'d>(&'d self, word: &'d str, to: Language) -> &'d str {
        let words = match to {
            Language::Stored => &self.stored,
            Language::Own => &self.own,
        };
        words.get(word).map_or(word, String::as_str)
    }
}

/// Numbers of the program, in the order of those that are stored.
#[derive(Debug, Default)]
struct Numbering(Numbers<usize>);

impl Numbering {
    /// A number in the other language; those that are stored have a mark.
    fn word(&self, number: &str, to: Language) -> Option<String> {
        match to {
            Language::Stored => self.0.get(number.parse().ok()?).map(|stored| format!("${stored}")),
            Language::Own => {
                let stored: usize = number.strip_prefix('$')?.parse().ok()?;
                self.0.order.get(stored).map(usize::to_string)
            }
        }
    }
}

/// Words by hashes, with numbers where several things look alike.
#[derive(Debug, Default)]
struct Repeated(HashMap<String, usize>);

impl Repeated {
    /// The digits of a hash that tell one from another.
    const DIGITS: usize = 12;

    fn word(&mut self, kind: &str, text: &str) -> String {
        let hash = Key::builder(kind).part("text", text).finish().as_str()[..Repeated::DIGITS].to_owned();
        let count = self.0.entry(hash.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 { format!("${hash}") } else { format!("${hash}-{count}") }
    }
}

/// Stands for the fingerprint in stored certificates.
const NO_FINGERPRINT: &str = "-";

impl Vocabulary {
    /// The words for a program.
    pub fn of(program: &Program) -> Vocabulary {
        let names = Names::of(program);
        let mut vocabulary = Vocabulary {
            cells: Dictionary::default(),
            functions: Dictionary::default(),
            places: Numbering::default(),
            exprs: Numbering::default(),
            points: Numbering::default(),
            fingerprint: fingerprint(program),
            outlines: Outlines::default(),
        };
        let points = unreachable_points(program);
        for function in names.sorted() {
            let (own, stored) = (program.unique_name(function), &names.functions[function.index()]);
            vocabulary.cells.add(format!("{own}::return"), format!("{stored}::return"));
            vocabulary.functions.add(own, stored.clone());
            for (point, _) in points.iter().enumerate().filter(|(_, of)| **of == function) {
                vocabulary.points.0.give(point);
            }
            let Some(writer) = Writer::of(program, &names, function) else { continue };
            vocabulary.add_function(&names, stored, &writer);
            vocabulary.outlines.add(program, &names, function, &writer);
        }
        vocabulary.add_strings(program);
        vocabulary.add_types(program);
        vocabulary
    }

    fn add_function(&mut self, names: &Names, function: &str, writer: &Writer<'_>) {
        for (at, &variable) in writer.variables.order.iter().enumerate() {
            self.cells.add(names.cells.variable(variable).to_owned(), format!("{function}::${at}"));
        }
        for place in &writer.places.order {
            self.places.0.give(place.index());
        }
        for expr in &writer.exprs.order {
            self.exprs.0.give(expr.index());
        }
    }

    /// String literals by what is in them.
    fn add_strings(&mut self, program: &Program) {
        let mut seen = Repeated::default();
        for (id, string) in program.strings.iter() {
            let word = seen.word("string", &string.bytes.escape_ascii().to_string());
            self.cells.add(format!("\"{}\"", id.index()), format!("\"{word}\""));
        }
    }

    /// Objects of a type that come from outside (`Memory::class_name` of `rorqual_memory`), by the type.
    fn add_types(&mut self, program: &Program) {
        let used = program.exprs.values().map(|expr| expr.ty);
        let used = used.chain(program.places.values().map(|place| place.ty));
        let pointees = used.flat_map(|ty| [Some(ty), program.types.pointee(ty)]).flatten();
        let mut seen = Repeated::default();
        for ty in pointees.collect::<BTreeSet<_>>() {
            let word = seen.word("type", &program.types.name(ty));
            self.cells.add(format!("given@{}", ty.index()), format!("given@{word}"));
        }
    }

    /// What the functions of other versions are compared with.
    pub fn outlines(&self) -> &Outlines {
        &self.outlines
    }

    /// `access 12`, as `Hazard::name` of `rorqual_cfa` writes it. What is assumed of functions stays as it is.
    fn operation(&self, text: &str, to: Language) -> String {
        let (kind, number) = text.split_once(' ').unwrap_or((text, ""));
        let numbering = match kind {
            "access" | "truth" => &self.places,
            "arithmetic" | "block" | "free" | "callee" => &self.exprs,
            "unreachable" => &self.points,
            _ => return text.to_owned(),
        };
        numbering.word(number, to).map_or(text.to_owned(), |number| format!("{kind} {number}"))
    }

    /// A certificate of the program as it is stored.
    pub fn stored(&self, certificate: &str) -> String {
        self.translate(certificate, Language::Stored)
    }

    /// A stored certificate in the words of the program. What the program has no word for stays as it is.
    pub fn own(&self, stored: &str) -> String {
        self.translate(stored, Language::Own)
    }

    /// A stored certificate of an older version, in the words of the program.
    pub fn adapted(&self, older: &Outlines, stored: &str) -> Adapted {
        self.outlines.adapted(older, stored).translated(|text| self.own(text))
    }

    fn translate(&self, text: &str, to: Language) -> String {
        text.lines().map(|line| self.line(line, to) + "\n").collect()
    }

    fn line(&self, line: &str, to: Language) -> String {
        let line = line.split(';').next().unwrap_or_default().trim_end();
        if line.starts_with([' ', '\t']) {
            return self.formula(line, to);
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "program" if to == Language::Stored => format!("{word} {NO_FINGERPRINT}"),
            "program" => format!("{word} {}", self.fingerprint),
            "assuming" | "guarding" => format!("{word} {}", self.operation(rest, to)),
            "contract" | "depth" | "loop" | "induction" | "keeps" => {
                let end = rest.find([' ', ':']).unwrap_or(rest.len());
                format!("{word} {}{}", self.functions.word(&rest[..end], to), self.formula(&rest[end..], to))
            }
            _ => line.to_owned(),
        }
    }

    /// Replaces symbols. Those in quotes may contain anything, others end with a space or a parenthesis.
    fn formula(&self, line: &str, to: Language) -> String {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let (token, quoted) = match first {
                '|' => (rest[1..].find('|').map_or(rest, |end| &rest[..end + 2]), true),
                '(' | ')' | ' ' | '\t' => (&rest[..1], false),
                _ => (&rest[..rest.find(['(', ')', ' ', '\t', '|']).unwrap_or(rest.len())], false),
            };
            if quoted && token.len() > 2 {
                let _ = write!(text, "|{}|", self.symbol(&token[1..token.len() - 1], to));
            } else {
                text += token;
            }
            rest = &rest[token.len()..];
        }
        text
    }

    /// `old &main::x.a[]`: what stands before the name stays, and so do members.
    fn symbol(&self, symbol: &str, to: Language) -> String {
        let marks =
            symbol.len() - symbol.strip_prefix("old ").unwrap_or(symbol).trim_start_matches('&').len();
        let (marks, name) = symbol.split_at(marks);
        let end = name.find(['.', '[', '^']).unwrap_or(name.len());
        format!("{marks}{}{}", self.cells.word(&name[..end], to), &name[end..])
    }
}

/// The functions of all points that must not be reached, in the order in which `Hazard::name` counts these.
fn unreachable_points(program: &Program) -> Vec<FunctionId> {
    let mut points = Vec::new();
    for (function, details) in program.functions.iter() {
        let edges = details.body.iter().flat_map(|body| body.edges().values());
        let is_point = |edge: &&Edge| matches!(edge.operation, Operation::Halt(HaltKind::Unreachable));
        points.extend(edges.filter(is_point).map(|_| function));
    }
    points
}

#[cfg(test)]
mod tests {
    use rorqual_cfa::Hazard;

    use super::*;

    const OLD: &str = "extern int input(void); struct s { int a; };
        static int f(int *p) { struct s local; local.a = *p; return local.a / *p; }
        int main(void) { int i = 0; int a[3]; while (input()) i = f(&i) + a[i]; return i; }";

    fn words(text: &str) -> (Program, Vocabulary) {
        let program = rorqual_testkit::program(text);
        let vocabulary = Vocabulary::of(&program);
        (program, vocabulary)
    }

    #[test]
    fn names_of_locals_are_numbers_in_stores() {
        let (_, words) = words(OLD);
        let formula =
            "  (and (= |main::i| |old &f::local.a|) (= (select |main::a[]| |f::heap@3[].b|) (bvneg g)))";
        let stored = words.stored(formula);
        assert!(!stored.contains("main::i") && !stored.contains("f::local"), "{stored}");
        assert!(
            stored.contains(".a|") && stored.contains("[]|") && stored.contains("|f::heap@3[].b|"),
            "{stored}"
        );
        assert_eq!(words.own(&stored).trim_end(), formula);
    }

    #[test]
    fn a_renamed_and_moved_program_has_the_same_stored_words() {
        let text = "extern int input(void); struct s { int a; };
            static int f(int *q);
            int main(void) { int n = 0; int b[3]; while (input()) n = f(&n) + b[n]; return n; }
            static int f(int *q) { struct s mine; mine.a = *q; return mine.a / *q; }";
        let (old_program, old) = words(OLD);
        let (new_program, new) = words(text);
        let all = |program: &Program| -> Vec<Hazard> {
            program
                .places
                .ids()
                .map(Hazard::Access)
                .chain(program.exprs.ids().map(Hazard::Arithmetic))
                .collect()
        };
        // The same operations, which have other numbers.
        let stored = |program: &Program, words: &Vocabulary| -> Vec<String> {
            let line = |hazard: Hazard| words.stored(&format!("guarding {}", hazard.name(program)));
            let mut lines: Vec<String> =
                all(program).into_iter().map(line).filter(|line| line.contains('$')).collect();
            lines.sort();
            lines
        };
        assert_eq!(stored(&old_program, &old), stored(&new_program, &new));
        let of = |words: &Vocabulary, name: &str| words.stored(&format!("  |{name}|"));
        for (before, after) in
            [("main::i", "main::n"), ("main::a[]", "main::b[]"), ("f::local.a", "f::mine.a")]
        {
            assert_eq!(of(&old, before), of(&new, after));
            assert_eq!(new.own(&old.stored(&format!("  |{before}|"))), format!("  |{after}|\n"));
        }
    }

    #[test]
    fn headers_fit_the_program_at_hand() {
        let (program, words) = words(OLD);
        let own = format!(
            "rorqual certificate 1\nprogram {}\ncontract f loop 3  ; a comment\nend\n",
            fingerprint(&program)
        );
        let stored = words.stored(&own);
        assert_eq!(stored, "rorqual certificate 1\nprogram -\ncontract f loop 3\nend\n");
        assert_eq!(words.own(&stored), own.replace("  ; a comment", ""));
    }
}
