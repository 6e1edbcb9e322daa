//! The text format: round trips, and each way of spoiling a text.

mod support;

use rorqual_certificate::{Problem, parse, write};
use rorqual_cfa::DataModel;
use rorqual_evidence::{AssumedEffect, Assumption};

const TEXT: &str = "int g; int f(int x) { while (x > 0) x--; return x; }
    int main(void) { int i = 0; char c = 1; while (i < 3) i++; return f(i) + c; }";

const FORMULAS: [&str; 2] = ["(bvsle |f::x| #x00000003)", "(bvsle |main::i| #x00000003)"];

/// The certificate for the program, with its loops sorted as `support::loops` gives them.
fn certificate() -> (rorqual_cfa::Program, String) {
    let program = support::program(DataModel::Lp64, TEXT);
    let formulas: Vec<&str> = support::loops(&program)
        .iter()
        .map(|place| if place.contains("at f:") { FORMULAS[0] } else { FORMULAS[1] })
        .collect();
    let text = support::certificate(&program, &formulas);
    (program, text)
}

#[test]
fn what_is_written_is_read_back() {
    let (program, text) = certificate();
    let read = parse(&program, &text).expect("it is well-formed");
    assert_eq!(read.header.entry, "main");
    assert_eq!(support::invariant(&read.claim).locations.len(), 2);
    let written = write(&program, &read.claim, &read.header, None);
    let again = parse(&program, &written).expect("it is well-formed");
    assert_eq!(support::invariant(&again.claim).locations, support::invariant(&read.claim).locations);
    assert_eq!(write(&program, &again.claim, &again.header, None), written);
    assert!(written.contains("; loop at test.c:"), "{written}");
}

#[test]
fn assumptions_are_written_and_read_back() {
    let (program, text) = certificate();
    let mut read = parse(&program, &text).expect("it is well-formed");
    let effect = AssumedEffect::WritesNothing;
    read.header.assumptions = vec![Assumption::Function { name: "f".to_owned(), effect }];
    let written = write(&program, &read.claim, &read.header, None);
    assert!(written.starts_with("rorqual certificate 3\n"), "{written}");
    assert_eq!(parse(&program, &written).expect("it is well-formed").header, read.header);
    let unknown = written.replace("writes-nothing", "writes-little");
    let error = parse(&program, &unknown).expect_err("there is no such assumption");
    assert_eq!(error.problem, Problem::Assumption("writes-little f".to_owned()));
    let older = written.replace("certificate 3", "certificate 2");
    let error = parse(&program, &older).expect_err("version 2 has no assumptions");
    assert!(matches!(error.problem, Problem::UnknownLine(_)), "{error}");
}

#[track_caller]
fn refused(text: &str, expected: impl Fn(&Problem) -> bool) -> u32 {
    let (program, _) = certificate();
    let error = parse(&program, text).expect_err("it is spoiled");
    assert!(expected(&error.problem), "{error}");
    error.line
}

#[test]
fn spoiled_texts_are_refused_with_their_line() {
    let (_, good) = certificate();
    let spoil = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        good.replacen(from, to, 1)
    };
    assert_eq!(refused("", |problem| matches!(problem, Problem::Version(_))), 1);
    let version = spoil("certificate 1", "certificate 8");
    assert_eq!(refused(&version, |problem| matches!(problem, Problem::Version(_))), 1);
    let model = spoil("lp64", "ilp32");
    assert_eq!(refused(&model, |problem| matches!(problem, Problem::OtherModel(_))), 3);
    let header = spoil("entry main\n", "");
    assert_eq!(refused(&header, |problem| *problem == Problem::Header("entry")), 4);
    refused(&spoil("at main:", "at main:9"), |problem| matches!(problem, Problem::Location(_)));
    refused(&spoil("at f:", "at g:"), |problem| matches!(problem, Problem::Location(_)));
    refused(&spoil("invariant", "assertion"), |problem| matches!(problem, Problem::UnknownLine(_)));
    let unknown = spoil("main::i", "main::nothing");
    assert!(refused(&unknown, |problem| matches!(problem, Problem::Formula(_))) > 5);
    refused(&spoil("main::i", "main::c"), |problem| matches!(problem, Problem::Formula(_)));
    refused(&spoil("(bvsle |main::i| #x00000003)", "|main::i|"), |problem| {
        matches!(problem, Problem::NotBoolean(_))
    });
    refused(&spoil("|main::i|", "|f::x|"), |problem| matches!(problem, Problem::OutOfScope(_)));
    refused(&spoil("\nend\n", "\n"), |problem| *problem == Problem::Truncated);
    refused(&spoil("#x00000003)\nend", "#x0000\nend"), |problem| matches!(problem, Problem::Formula(_)));
    refused(&format!("{good}more\n"), |problem| matches!(problem, Problem::UnknownLine(_)));
    let twice = good.replace("end\n", &good[good.find("invariant").unwrap_or(0)..]);
    refused(&twice, |problem| matches!(problem, Problem::Duplicate(_)));
}

#[test]
fn the_certificate_of_another_program_is_refused() {
    let (_, good) = certificate();
    let other = support::program(DataModel::Lp64, &TEXT.replace("i < 3", "i < 4"));
    let error = parse(&other, &good).expect_err("it is for another program");
    assert!(matches!(error.problem, Problem::OtherProgram { .. }), "{error}");
    assert_eq!(error.line, 2);
}

const QUANTIFIED: &str =
    "(forall ((k (_ BitVec 32)) (g (_ BitVec 8))) (or (bvult k |main::i|) (= g |main::c|)))";

#[test]
fn quantifiers_are_read_back_in_the_second_version() {
    let program = support::program(DataModel::Lp64, TEXT);
    let formulas: Vec<&str> = support::loops(&program).iter().map(|place| in_main(place)).collect();
    let text = support::certificate(&program, &formulas);
    let read = parse(&program, &text).expect("it is well-formed");
    let bound: Vec<usize> =
        support::invariant(&read.claim).locations.iter().map(|one| one.bound.len()).collect();
    assert_eq!(bound.iter().sum::<usize>(), 2);
    let written = write(&program, &read.claim, &read.header, None);
    assert!(written.starts_with("rorqual certificate 2\n"), "{written}");
    let again = parse(&program, &written).expect("it is well-formed");
    assert_eq!(write(&program, &again.claim, &again.header, None), written);
}

fn in_main(place: &str) -> &'static str {
    if place.contains("at f:") { "true" } else { QUANTIFIED }
}

#[test]
fn quantifiers_where_there_are_none_are_refused() {
    let program = support::program(DataModel::Lp64, TEXT);
    let formulas: Vec<&str> = support::loops(&program).iter().map(|place| in_main(place)).collect();
    let good = support::certificate(&program, &formulas);
    let first = good.replacen("certificate 2", "certificate 1", 1);
    refused(&first, |problem| *problem == Problem::Quantifier);
    let spoil = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        good.replacen(from, to, 1)
    };
    refused(&spoil("(g (_ BitVec 8))", "(g Bool)").replace("(= g |main::c|)", "g"), |problem| {
        *problem == Problem::Quantifier
    });
    refused(&spoil("(forall", "(exists"), |problem| matches!(problem, Problem::Formula(_)));
    refused(&spoil("(forall", "(not (forall"), |problem| matches!(problem, Problem::Formula(_)));
    refused(&spoil("(or (bvult", "(or (forall ((x Bool)) x) (bvult"), |problem| {
        matches!(problem, Problem::Formula(_))
    });
    refused(&spoil("((k (_ BitVec 32)) (g (_ BitVec 8)))", "()"), |problem| {
        matches!(problem, Problem::Formula(_))
    });
    // A name is bound in its formula only.
    refused(&good.replace("  true\n", "  (= k k)\n"), |problem| matches!(problem, Problem::Formula(_)));
}
