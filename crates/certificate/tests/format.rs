//! The text format: round trips, and each way of spoiling a text.

mod support;

use rorqual_certificate::{Problem, parse, write};
use rorqual_cfa::DataModel;

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
    assert_eq!(read.invariant.locations.len(), 2);
    let written = write(&program, &read.invariant, &read.header);
    let again = parse(&program, &written).expect("it is well-formed");
    assert_eq!(again.invariant.locations, read.invariant.locations);
    assert_eq!(write(&program, &again.invariant, &again.header), written);
    assert!(written.contains("; loop at test.c:"), "{written}");
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
    let version = spoil("certificate 2", "certificate 3");
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
