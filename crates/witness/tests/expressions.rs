//! C expressions against the terms they come from: by gcc, and by our own front end and interpreter.

use std::fmt::Write;
use std::time::Duration;

use rorqual_cfa::{DataModel, IntKind};
use rorqual_logic::{Assignment, Bits, Op, Sort, SymbolId, Term, TermPool, Value};
use rorqual_source::Span;
use rorqual_testkit::{Gcc, RunSettings, interpret, program, skip};
use rorqual_witness::{Lvalue, Scope, c_expression};

/// Vigna's `SplitMix64`: tests must not depend on chance.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Small numbers and bounds are likely.
    fn bits(&mut self, width: u32) -> Bits {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => u128::from(self.below(4)),
            1 => u128::MAX - u128::from(self.below(4)),
            2 => (1 << (width - 1)) - u128::from(self.below(2)),
            3 => 1 << (width - 1),
            _ => wide,
        };
        Bits::new(value & (u128::MAX >> (128 - width)), width)
    }
}

const VARIABLES: &[(&str, IntKind, u32)] = &[
    ("c", IntKind::Char, 8),
    ("uc", IntKind::UnsignedChar, 8),
    ("s", IntKind::Short, 16),
    ("us", IntKind::UnsignedShort, 16),
    ("i", IntKind::Int, 32),
    ("j", IntKind::Int, 32),
    ("u", IntKind::UnsignedInt, 32),
    ("l", IntKind::Long, 64),
    ("ul", IntKind::UnsignedLong, 64),
    ("w", IntKind::Int128, 128),
    ("b", IntKind::Bool, 8),
    ("r.f", IntKind::UnsignedInt, 3),
    ("r.g", IntKind::Int, 5),
];
const ARRAY: &str = "a";
const WIDTHS: &[u32] = &[1, 3, 5, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128];

fn resolve(name: &str) -> Option<Lvalue> {
    if name == ARRAY {
        let (before, after) = ("a[".to_owned(), "]".to_owned());
        return Some(Lvalue::Array { before, after, element: IntKind::Short, length: 4 });
    }
    VARIABLES
        .iter()
        .find(|(known, _, _)| *known == name)
        .map(|(name, kind, _)| Lvalue::Int((*name).to_owned(), *kind))
}

struct Generator {
    pool: TermPool,
    random: Random,
}

impl Generator {
    fn symbol(&mut self, width: u32) -> Option<Term> {
        let fitting: Vec<_> = VARIABLES.iter().filter(|(_, _, bits)| *bits == width).collect();
        let index = self.random.below(fitting.len().max(1) as u64) as usize;
        fitting.get(index).map(|(name, _, width)| self.pool.symbol(name, Sort::BitVec(*width)))
    }

    fn vector(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.below(8) == 0 {
            if self.random.below(4) > 0
                && let Some(symbol) = self.symbol(width)
            {
                return symbol;
            }
            if width == 16 && self.random.below(2) == 0 {
                let array = self.pool.symbol(ARRAY, Sort::Array { index: 64, element: 16 });
                let index = self.random.below(4);
                let index = self.pool.bv(index, 64);
                return self.pool.select(array, index);
            }
            let bits = self.random.bits(width);
            return self.pool.bits(bits);
        }
        let choice = self.random.below(20);
        if choice >= 17 {
            return self.resized(width, depth, choice);
        }
        let (x, y) = (self.vector(width, depth - 1), self.vector(width, depth - 1));
        let pool = &mut self.pool;
        match choice {
            0 => pool.bv_add(x, y),
            1 => pool.bv_sub(x, y),
            2 => pool.bv_mul(x, y),
            3 => pool.bv_udiv(x, y),
            4 => pool.bv_urem(x, y),
            5 => pool.bv_sdiv(x, y),
            6 => pool.bv_srem(x, y),
            7 => pool.bv_shl(x, y),
            8 => pool.bv_lshr(x, y),
            9 => pool.bv_ashr(x, y),
            10 => pool.bv_and(x, y),
            11 => pool.bv_or(x, y),
            12 => pool.bv_xor(x, y),
            13 => pool.bv_not(x),
            14 => pool.bv_neg(x),
            _ => {
                let condition = self.claim(depth - 1);
                self.pool.ite(condition, x, y)
            }
        }
    }

    /// A vector made from one of another width.
    fn resized(&mut self, width: u32, depth: u32, choice: u64) -> Term {
        let other = WIDTHS[self.random.below(WIDTHS.len() as u64) as usize];
        if other > width {
            let low = self.random.below(u64::from(other - width) + 1) as u32;
            let x = self.vector(other, depth - 1);
            return self.pool.bv_extract(x, low + width - 1, low);
        }
        if other == width {
            return self.vector(width, depth - 1);
        }
        let x = self.vector(other, depth - 1);
        match choice {
            17 => self.pool.bv_zero_extend(x, width),
            18 => self.pool.bv_sign_extend(x, width),
            _ => {
                let y = self.vector(width - other, depth - 1);
                self.pool.bv_concat(x, y)
            }
        }
    }

    fn claim(&mut self, depth: u32) -> Term {
        if depth > 1 && self.random.below(4) == 0 {
            let (p, q) = (self.claim(depth - 1), self.claim(depth - 1));
            return match self.random.below(4) {
                0 => self.pool.and(&[p, q]),
                1 => self.pool.or(&[p, q]),
                2 => self.pool.not(p),
                _ => self.pool.eq(p, q),
            };
        }
        let width = WIDTHS[self.random.below(WIDTHS.len() as u64) as usize];
        let depth = depth.saturating_sub(1);
        let (x, y) = (self.vector(width, depth), self.vector(width, depth));
        match self.random.below(5) {
            0 => self.pool.eq(x, y),
            1 => self.pool.bv_ult(x, y),
            2 => self.pool.bv_ule(x, y),
            3 => self.pool.bv_slt(x, y),
            _ => self.pool.bv_sle(x, y),
        }
    }
}

/// Statements that give the variables of a term values, and the assignment that does the same.
fn state(generator: &mut Generator) -> (String, Assignment) {
    let mut text = String::new();
    let mut assignment = Assignment::new();
    for &(name, kind, width) in VARIABLES {
        let bits = if kind == IntKind::Bool {
            Bits::new(generator.random.below(2), 8)
        } else {
            generator.random.bits(width)
        };
        let number = u128::try_from(bits.unsigned().clone()).unwrap();
        let (high, low) = ((number >> 64) as u64, number as u64);
        let _ = write!(text, "{name} = ((unsigned __int128){high}ULL << 64) | {low}ULL; ");
        let symbol = generator.pool.symbol(name, Sort::BitVec(width));
        assignment.set(symbol_id(&generator.pool, symbol), Value::Bits(bits));
    }
    let symbol = generator.pool.symbol(ARRAY, Sort::Array { index: 64, element: 16 });
    let mut array = rorqual_logic::ArrayValue::constant(64, Bits::new(0u8, 16));
    for index in 0..4u8 {
        let bits = generator.random.bits(16);
        let _ = write!(text, "a[{index}] = {}; ", bits.unsigned());
        array.set(Bits::new(index, 64), bits);
    }
    assignment.set(symbol_id(&generator.pool, symbol), Value::Array(array));
    (text, assignment)
}

fn symbol_id(pool: &TermPool, term: Term) -> SymbolId {
    match pool.op(term) {
        Op::Symbol(symbol) => *symbol,
        op => panic!("{op:?} is no symbol"),
    }
}

const HEAD: &str = "char c; unsigned char uc; short s; unsigned short us; int i, j; unsigned int u; long l; unsigned long ul;
__int128 w; _Bool b; struct { unsigned int f : 3; int g : 5; } r; short a[4];
";

/// A program that returns 0 if all expressions have the values of their terms.
fn batch(seed: u64, count: usize) -> String {
    let mut generator = Generator { pool: TermPool::new(), random: Random(seed) };
    let mut functions = String::new();
    let mut main = String::from("int main(void) {\n");
    let mut written = 0;
    while written < count {
        let term = generator.claim(4);
        if generator.pool.as_bool(term).is_some() {
            continue;
        }
        let Some(text) = c_expression(&generator.pool, term, DataModel::Lp64, &resolve) else { continue };
        let _ = writeln!(functions, "static int f{written}(void) {{ return {text}; }}");
        for _ in 0..3 {
            let (assignments, assignment) = state(&mut generator);
            let expected = u8::from(generator.pool.evaluate(term, &assignment).bool());
            let number = written % 250 + 1;
            let _ = writeln!(main, "  {assignments}if (f{written}() != {expected}) return {number};");
        }
        written += 1;
    }
    format!("{HEAD}{functions}{main}  return 0;\n}}\n")
}

#[test]
fn expressions_have_the_values_of_their_terms_for_gcc() {
    let gcc = match Gcc::find(DataModel::Lp64) {
        Ok(gcc) => gcc,
        Err(reason) => return skip("expressions_have_the_values_of_their_terms_for_gcc", reason),
    };
    let text = batch(1, 400);
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("batch.c");
    std::fs::write(&source, &text).unwrap();
    let run = gcc.compile_and_run(&[&source], &[], Duration::from_mins(1)).unwrap();
    assert_eq!(run.ending.to_string(), "finished 0", "{text}");
}

#[test]
fn expressions_have_the_values_of_their_terms_for_the_interpreter() {
    let text = batch(2, 250);
    let run = interpret(&program(&text), &RunSettings::default());
    assert_eq!(run.ending.to_string(), "finished 0", "{text}");
}

#[test]
fn simple_invariants_look_as_people_write_them() {
    let mut pool = TermPool::new();
    let [i, j, u, c] = ["i", "j", "u", "c"].map(|name| {
        let width = if name == "c" { 8 } else { 32 };
        pool.symbol(name, Sort::BitVec(width))
    });
    let gone = pool.symbol("gone", Sort::BitVec(32));
    let [ten, minus] = [10i64, -1].map(|value| pool.bits(Bits::from_signed(&value.into(), 32)));
    let bound = pool.bv_sle(i, ten);
    let next = pool.bv_add(j, minus);
    let ordered = pool.bv_slt(next, i);
    let different = pool.eq(i, j);
    let different = pool.not(different);
    let unsigned = pool.bv_ult(u, ten);
    let lost = pool.eq(gone, i);
    let zero = pool.bv(0u8, 8);
    let small = pool.eq(c, zero);
    let text = |pool: &TermPool, term| c_expression(pool, term, DataModel::Ilp32, &resolve);
    assert_eq!(text(&pool, bound).as_deref(), Some("i <= 10"));
    assert_eq!(text(&pool, different).as_deref(), Some("i != j"));
    assert_eq!(text(&pool, unsigned).as_deref(), Some("u < 10U"));
    assert_eq!(text(&pool, small).as_deref(), Some("c == 0"));
    let all = pool.and(&[bound, lost, ordered]);
    let sum = text(&pool, all).expect("two parts can be written");
    assert!(sum.contains("i <= 10") && sum.contains("(int)((unsigned int)j - 1U) < i"), "{sum}");
    assert!(!sum.contains("gone"));
    // A disjunct that is lost takes the disjunction with it, and so does a conjunct below a negation.
    let either = pool.or(&[bound, lost]);
    assert_eq!(text(&pool, either), None);
    let negated = pool.not(all);
    assert_eq!(text(&pool, negated), None);
    assert_eq!(text(&pool, lost), None);
    let wide = pool.symbol("w", Sort::BitVec(128));
    let wide = pool.eq(wide, wide);
    assert_eq!(text(&pool, wide), None, "it is true");
}

#[test]
fn sums_that_do_not_wrap_have_no_casts_but_to_wider_types() {
    let mut pool = TermPool::new();
    let [i, j, c] =
        [("i", 32), ("j", 32), ("c", 8)].map(|(name, width)| pool.symbol(name, Sort::BitVec(width)));
    let text =
        |pool: &TermPool, term| c_expression(pool, term, DataModel::Ilp32, &resolve).expect("it is short");
    let [wide_i, wide_j] = [i, j].map(|term| pool.bv_sign_extend(term, 33));
    let eleven = pool.bv(11u8, 33);
    let sum = pool.bv_add(wide_j, eleven);
    let less = pool.bv_slt(wide_i, sum);
    assert_eq!(text(&pool, less), "i < ((long long)j + 11)");
    let negated = pool.bv_neg(eleven);
    let difference = pool.bv_add(wide_j, negated);
    let less = pool.bv_slt(difference, wide_i);
    assert_eq!(text(&pool, less), "((long long)j - 11) < i");
    let wide = pool.bv_sign_extend(c, 32);
    let three = pool.bv(3u8, 32);
    let product = pool.bv_mul(wide, three);
    let less = pool.bv_slt(product, i);
    assert_eq!(text(&pool, less), "(3 * c) < i");
    let minus = pool.bv_neg(j);
    let wrapping = pool.bv_add(i, minus);
    let same = pool.eq(wrapping, three);
    assert_eq!(text(&pool, same), "((unsigned int)i - (unsigned int)j) == 3U");
    let sign = pool.bv_extract(i, 31, 31);
    let one = pool.bv(1u8, 1);
    let negative = pool.eq(sign, one);
    assert_eq!(text(&pool, negative), "i < 0");
    let positive = pool.not(negative);
    assert_eq!(text(&pool, positive), "i >= 0");
}

#[test]
fn cells_have_their_names_where_they_are_in_scope() {
    let text = "int g; static int m[2][3]; struct { int a; struct { char b; }; } s;
        int main(int argc, char **argv) { int x = 0; int *p = &x; { int x = 1; while (x < 5) { int y = x; x += y; } }
            for (int k = 0; k < 3; k++) g += k; return 0; }";
    let program = program(text);
    let main = program.function_named("main").unwrap();
    let file = program.functions[main].span.file().unwrap();
    let at = |needle: &str| {
        let start = text.find(needle).unwrap() as u32;
        Scope::new(&program, main, Span::new(file, start, start + 1))
    };
    let scope = at("while");
    let int = |name: &str| Some(Lvalue::Int(name.to_owned(), IntKind::Int));
    assert_eq!(scope.lvalue("g"), int("g"));
    assert_eq!(scope.lvalue("s.a"), int("s.a"));
    assert_eq!(scope.lvalue("s.1.b"), Some(Lvalue::Int("s.b".to_owned(), IntKind::Char)));
    assert_eq!(scope.lvalue("main::argc"), int("argc"));
    assert_eq!(scope.lvalue("main::p"), Some(Lvalue::Pointer("p".to_owned())));
    assert_eq!(scope.lvalue("main::x"), None, "the inner one hides it");
    assert_eq!(scope.lvalue("&main::x"), None);
    assert_eq!(scope.lvalue("main::x#2"), int("x"));
    assert_eq!(scope.lvalue("main::y"), None, "it is declared later");
    assert_eq!(scope.lvalue("main::k"), None);
    let Some(Lvalue::Array { before, length, .. }) = scope.lvalue("m[]") else { panic!("m is an array") };
    assert_eq!((before.as_str(), length), ("(&m[0][0])[", 6));
    let scope = at("for (");
    assert_eq!(scope.lvalue("main::k"), int("k"));
    assert_eq!(scope.lvalue("main::x"), int("x"));
    assert_eq!(scope.lvalue("&main::x"), Some(Lvalue::Pointer("&x".to_owned())));
}
