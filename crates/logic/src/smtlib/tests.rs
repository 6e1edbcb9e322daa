//! Printing, parsing, and the one after the other.

use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use super::*;
use crate::eval::Assignment;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;
use crate::testing::{Bank, FAMILIES, Generator, Shape};
use crate::value::Value;

fn parsed(text: &str) -> Result<Script, String> {
    parse_script(&mut TermPool::new(), text).map_err(|error| error.to_string())
}

#[test]
fn shared_subterms_are_written_once() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let mut term = x;
    for _ in 0..1000 {
        let quotient = pool.bv_udiv(term, x);
        term = pool.bv_mul(quotient, quotient);
    }
    let text = term_text(&pool, term);
    assert!(text.len() < 100_000, "{}", text.len());
    assert_eq!(parse_term(&mut pool, &text), Ok(term));
}

#[test]
fn a_script_declares_what_it_uses() {
    let mut pool = TermPool::new();
    let x = pool.symbol("main::x", Sort::BitVec(8));
    let f = pool.function("f", &[Sort::BitVec(8)], Sort::Bool);
    let one = pool.bv(1u8, 8);
    let sum = pool.bv_add(x, one);
    let (called, below) = (pool.apply(f, &[sum]), pool.bv_ult(x, sum));
    pool.symbol("unused", Sort::Bool);
    let expected = "(set-logic QF_UFBV)\n(declare-fun |main::x| () (_ BitVec 8))\n\
        (declare-fun f ((_ BitVec 8)) Bool)\n(assert (f (bvadd #x01 |main::x|)))\n\
        (assert (bvult |main::x| (bvadd #x01 |main::x|)))\n(check-sat)\n";
    assert_eq!(script(&pool, &[called, below], logic_of(&pool, &[called, below])), expected);
}

#[test]
fn a_batch_is_read_back_as_its_queries() {
    let mut pool = TermPool::new();
    let (p, q) = (pool.symbol("p", Sort::Bool), pool.symbol("q", Sort::Bool));
    let queries = vec![vec![p], vec![], vec![p, q]];
    let text = batch(&pool, &queries, "QF_BV");
    assert_eq!(parse_script(&mut pool, &text).map(|script| script.queries()), Ok(queries));
}

#[test]
fn symbols_and_functions_of_one_name_are_kept_apart() {
    let mut pool = TermPool::new();
    let x = pool.symbol("f", Sort::Bool);
    let f = pool.function("f", &[Sort::Bool], Sort::Bool);
    let nullary = pool.function("g", &[], Sort::Bool);
    let (called, constant) = (pool.apply(f, &[x]), pool.apply(nullary, &[]));
    let both = pool.and2(called, constant);
    let text = script(&pool, &[both], "QF_UF");
    assert_eq!(parse_script(&mut pool, &text).map(|script| script.assertions()), Ok(vec![both]));
}

#[test]
fn derived_operations_mean_what_smt_lib_says() {
    let byte = |value: u8| format!("(_ bv{value} 8)");
    let mut pool = TermPool::new();
    for a in [0u8, 1, 2, 7, 100, 127, 128, 129, 200, 254, 255] {
        for b in [0u8, 1, 3, 8, 127, 128, 130, 255] {
            let (signed_a, signed_b) = (i16::from(a as i8), i16::from(b as i8));
            let fits = |value: i16| i8::try_from(value).is_ok();
            let claims = [
                ("bvuge", a >= b),
                ("bvugt", a > b),
                ("bvsge", signed_a >= signed_b),
                ("bvsgt", signed_a > signed_b),
                ("bvuaddo", a.checked_add(b).is_none()),
                ("bvsaddo", !fits(signed_a + signed_b)),
                ("bvusubo", a < b),
                ("bvssubo", !fits(signed_a - signed_b)),
                ("bvumulo", a.checked_mul(b).is_none()),
                ("bvsmulo", !fits(signed_a * signed_b)),
                ("bvsdivo", a == 128 && b == 255),
                ("distinct", a != b),
            ];
            for (name, expected) in claims {
                let text = format!("({name} {} {})", byte(a), byte(b));
                let term = parse_term(&mut pool, &text).unwrap();
                assert_eq!(pool.as_bool(term), Some(expected), "{text}");
            }
            let modulo = if b == 0 { signed_a } else { (signed_a % signed_b + signed_b) % signed_b };
            let results = [
                ("bvsub", a.wrapping_sub(b)),
                ("bvnand", !(a & b)),
                ("bvnor", !(a | b)),
                ("bvxnor", !(a ^ b)),
                ("bvsmod", modulo as u8),
            ];
            for (name, expected) in results {
                let text = format!("({name} {} {})", byte(a), byte(b));
                let term = parse_term(&mut pool, &text).unwrap();
                assert_eq!(pool.as_bits(term).unwrap().to_u64(), Some(u64::from(expected)), "{text}");
            }
            let text = format!("((_ rotate_right {b}) {})", byte(a));
            let term = parse_term(&mut pool, &text).unwrap();
            let expected = a.rotate_right(u32::from(b));
            assert_eq!(pool.as_bits(term).unwrap().to_u64(), Some(u64::from(expected)), "{text}");
        }
    }
    let repeated = parse_term(&mut pool, "((_ repeat 3) #xa1)").unwrap();
    assert_eq!(term_text(&pool, repeated), "#xa1a1a1");
    let comparison = parse_term(&mut pool, "(bvcomp #xa1 #xa1)").unwrap();
    assert_eq!(term_text(&pool, comparison), "#b1");
}

#[test]
fn bindings_and_definitions_are_scoped() {
    let text = "(set-logic ALL) ; a comment
        (declare-const x Int) (declare-fun p () Bool)
        (define-fun twice ((x Int)) Int (+ x x))
        (define-fun five () Int 5)
        (assert (let ((x 3) (y x)) (! (< (twice (- x y)) five) :named here)))
        (assert (=> p p p)) (assert (xor p p p)) (push) (check-sat) (pop 1) (exit) nonsense";
    let mut pool = TermPool::new();
    let script = parse_script(&mut pool, text).unwrap();
    let [first, second, third] = script.assertions()[..] else { panic!("three assertions") };
    let Some(x) = pool.find_symbol("x") else { panic!("x is declared") };
    let mut assignment = Assignment::new();
    for value in -5..10 {
        let Op::Symbol(symbol) = *pool.op(x) else { panic!("x is a symbol") };
        assignment.set(symbol, Value::Int(value.into()));
        assert_eq!(pool.evaluate(first, &assignment), Value::Bool(2 * (3 - value) < 5), "{value}");
    }
    assert_eq!(pool.as_bool(second), Some(true));
    assert_eq!(pool.find_symbol("p"), Some(third));
}

#[test]
fn mistakes_are_reported_with_their_place() {
    let cases = [
        ("(assert p)", "1:9: `p` is not declared"),
        (
            "(declare-fun p () Bool)\n(assert (and p\n  (bvult #x00 #b0)))",
            "3:4: `bvult` does not take these arguments",
        ),
        ("(assert (", "1:9: `(` without `)`"),
        (")", "1:1: `)` without `(`"),
        ("(assert #xg)", "1:9: `#xg` is no constant"),
        ("(assert |a)", "1:9: a quoted name has no end"),
        ("(set-info :source \"a)", "1:19: a string has no end"),
        ("(assert ())", "1:9: a term is expected, not `()`"),
        ("(assert #x00)", "1:9: an assertion is Boolean"),
        ("(assert (not))", "1:9: an application needs arguments"),
        ("(assert (let ((x)) true))", "1:15: a name and a term are expected"),
        (
            "(assert (forall ((x Int)) true))",
            "1:9: quantifiers and binders other than `let` are not supported",
        ),
        ("(declare-const x Real)", "1:18: this sort is not supported"),
        ("(declare-const x (_ BitVec 0))", "1:18: a width from 1 to 65536 is expected"),
        ("(assert ((_ extract 8 0) #x00))", "1:10: bits 0 to 8 of 8 do not exist"),
        ("(assert ((_ zero_extend 4294967295) #x00))", "1:10: more than 65536 bits"),
        ("(assert (_ bv256 8))", "1:9: this is no constant of at most 65536 bits"),
        ("(declare-const x Bool)(declare-const x Int)", "1:38: `x` is declared with another sort"),
        ("(maximize x)", "1:1: `maximize` with these arguments is not supported"),
        ("(declare-const n Int)(assert (< (* n n) n))", "1:34: only linear integer terms are supported"),
        ("(declare-const a (Array (Array Int Int) Int))", "1:18: arrays map bit-vectors to bit-vectors here"),
        ("(assert ((_ divisible 3) 4))", "1:10: a bit-vector is expected"),
    ];
    for (text, expected) in cases {
        assert_eq!(parsed(text).map(|_| ()), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn no_nesting_is_too_deep() {
    let depth = 200_000;
    let lets = "(let ((x (not x))) ".repeat(depth);
    let text = format!("(declare-const x Bool)(assert {lets}x{})", ")".repeat(depth));
    assert_eq!(parsed(&text).map(|script| script.commands.len()), Ok(1));
    let nested = format!("(declare-const x Bool)(assert {}x{})", "(not ".repeat(depth), ")".repeat(depth));
    assert!(parsed(&nested).is_ok());
    let sorts = format!("(declare-const x {}", "(Array ".repeat(depth));
    assert!(parsed(&sorts).is_err());
}

/// No text makes the parser panic: spoiled scripts are read or refused.
#[test]
fn spoiled_scripts_are_refused() {
    let mut generator = Generator::new(7);
    let pieces = [
        "(", ")", " ", "let", "_", "bv3", "extract", "#x00", "#b1", "x", "|", "9", "!", "as", "const",
        "Array", ":a", "ite", "concat", "select", "store", "bvcomp", "=", "-", "*", "\"",
    ];
    for _ in 0..3000 {
        let mut pool = TermPool::new();
        let term = generator.formula(&mut pool, &Shape { widths: &[1, 4, 8], size: 8 });
        let mut text = script(&pool, &[term], "ALL");
        for _ in 0..=generator.below(3) {
            let at = generator.below(text.len());
            let until = (at + generator.below(6)).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(until) {
                let piece = pieces[generator.below(pieces.len())];
                text.replace_range(at..until, piece);
            }
        }
        let _ = parsed(&text);
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let mut generator = Generator::new(3);
    for round in 0..3000 {
        let mut pool = TermPool::new();
        let shape = Shape { widths: &[1, 3, 8, 32], size: 25 };
        let terms: Vec<Term> = (0..3).map(|_| generator.formula(&mut pool, &shape)).collect();
        let text = script(&pool, &terms, logic_of(&pool, &terms));
        let back = parse_script(&mut pool, &text).map(|script| script.assertions());
        assert_eq!(back, Ok(terms), "round {round}: {text}");
        let mut other = TermPool::new();
        let script = parse_script(&mut other, &text).unwrap();
        assert_eq!(script.assertions().len(), 3);
    }
}

/// A query that is unsatisfiable if the other solver gives the term the same value.
fn disagreement(pool: &mut TermPool, root: Term, assignment: &Assignment) -> Vec<Term> {
    let mut query = Vec::new();
    for term in pool.subterms(&[root]) {
        let value = pool.evaluate(term, assignment);
        let value = pool.constant(&value);
        let fixed = match pool.op(term).clone() {
            Op::Symbol(_) => term,
            Op::Apply(function) => {
                let arguments: Vec<Value> = pool
                    .arguments(term)
                    .iter()
                    .map(|&argument| pool.evaluate(argument, assignment))
                    .collect();
                let arguments: Vec<Term> = arguments.iter().map(|value| pool.constant(value)).collect();
                pool.apply(function, &arguments)
            }
            _ => continue,
        };
        query.push(pool.eq(fixed, value));
    }
    let value = pool.evaluate(root, assignment);
    let value = pool.constant(&value);
    query.push(pool.ne(root, value));
    query
}

/// Evaluation and printing agree with another solver's reading of SMT-LIB.
#[test]
fn z3_gives_the_same_values() {
    let mut generator = Generator::new(11);
    for widths in [[1, 2, 3], [3, 5, 8], [8, 32, 64]] {
        let mut pool = TermPool::new();
        let mut queries = Vec::new();
        let mut bank = Bank::new(&mut generator, &mut pool, &widths, 2);
        for at in 0..400 {
            let step = bank.step(&mut generator, &mut pool, FAMILIES[at % FAMILIES.len()]);
            let assignment = bank.assignments[at % 2].clone();
            let query = disagreement(&mut pool, step.term, &assignment);
            // Without the claim, the values alone are possible, so the answers below are not empty.
            queries.push(query[..query.len() - 1].to_vec());
            queries.push(query);
        }
        // A solver of integers that meets bit-vectors too needs all theories.
        let text = batch(&pool, &queries, "ALL");
        let started =
            Process::new("z3").args(["-in", "-T:60"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut process) = started else {
            println!("skipped: z3 is not installed");
            return;
        };
        let mut input = process.stdin.take().expect("the input is a pipe");
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = process.wait_with_output().expect("z3 ends");
        writer.join().expect("the writer does not panic").expect("z3 reads its input");
        let answers = String::from_utf8_lossy(&output.stdout).into_owned();
        let answers: Vec<&str> = answers.lines().collect();
        assert_eq!(answers.len(), queries.len(), "{answers:?}");
        for (at, (query, answer)) in queries.iter().zip(answers).enumerate() {
            assert_eq!(answer, ["sat", "unsat"][at % 2], "{}", script(&pool, query, "ALL"));
        }
    }
}
