//! Replays, stories, witnesses and harnesses of small programs.

use std::time::Duration;

use rorqual_cfa::{Callee, Check, DataModel, Operation, Program, add_checks};
use rorqual_evidence::{CallSite, CallString, CellValue, Invariant, LocationInvariant, Trace, TraceEvent};
use rorqual_interpreter::{Config, GivenInput, Inputs, Outcome, Uninitialized, parse_inputs, render_inputs};
use rorqual_logic::{Bits, TermPool};
use rorqual_source::Span;
use rorqual_testkit::{Gcc, program, skip};
use rorqual_witness::{
    Content, ContractEntry, Entry, Location, Metadata, Producer, Replay, Task, explain, harness,
    loop_invariants, read_witness, replay_inputs, replay_trace, replay_violation, sha256, story_text,
    violation_sequence, write_witness,
};

const RING: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int unrelated = 7;
    int n = __VERIFIER_nondet_int();
    int limit;
    __VERIFIER_assume(n > 2 && n < 10);
    int i = 0;
    while (i < n) {
        unrelated = unrelated * 3;
        i++;
    }
    assert(i < limit);
    return 0;
}
";

fn replay(program: &Program, inputs: &str) -> Replay {
    replay_inputs(program, parse_inputs(inputs).unwrap(), &Config::default())
}

fn entry(text: &str, content: Content) -> Entry {
    Entry {
        metadata: Metadata {
            uuid: "00000000-0000-8000-8000-000000000000".to_owned(),
            creation_time: "2024-02-29T12:34:56Z".to_owned(),
            producer: Producer {
                name: "Rorqual".to_owned(),
                version: "0.1.0".to_owned(),
                command_line: None,
                description: None,
            },
            task: Task {
                input_files: vec![("test.c".to_owned(), sha256(text.as_bytes()))],
                specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
                data_model: Some(DataModel::Lp64),
            },
        },
        content,
    }
}

#[test]
fn the_story_tells_what_matters() {
    let program = program(RING);
    let replay = replay(&program, "4\n3");
    insta::assert_snapshot!(story_text(&program, &explain(&program, &replay)), @r"
    1. test.c:7   n = 4 (input)
    2. test.c:10  i = 0
    3. test.c:11  loop entered 4 times, i = 4
    4. test.c:15  limit = 3 (uninitialised)
    5. test.c:15  assert(i < limit) is false
    ");
}

#[test]
fn the_story_names_the_call_that_fails() {
    let program = program(
        "extern int nondet(void); extern void reach_error(void);
struct point { int x, y; };
void check(int cond) {
    if (!cond)
        reach_error();
}
int twice(int v) { return v * 2; }
int main(void) {
    struct point p = {1, 2};
    int noise = nondet();
    for (int k = 0; k < 3; k++) {
        p.x = twice(p.x);
        noise += k;
    }
    if (nondet() > 5)
        p.y = 9;
    check(p.x != 8 || p.y == 2);
    return noise;
}
",
    );
    let replay = replay(&program, "77\n6");
    insta::assert_snapshot!(story_text(&program, &explain(&program, &replay)), @r"
    1. test.c:9   p.x = 1
    2. test.c:11  loop entered 3 times, k = 3, p.x = 8
    3. test.c:15  nondet() = 6 (input)
    4. test.c:16  p.y = 9
    5. test.c:17  check(p.x != 8 || p.y == 2) is called with cond = 0
    6. test.c:5   reach_error() is called
    ");
}

#[test]
fn a_witness_leads_to_the_violation_and_back() {
    let program = program(RING);
    let first = replay(&program, "4\n3");
    let text = write_witness(&entry(RING, Content::Violation(violation_sequence(&program, &first))));
    insta::assert_snapshot!("violation_witness", text);
    let read = read_witness(&text).expect("it reads what it writes");
    let [Entry { content: Content::Violation(segments), .. }] = read.as_slice() else { panic!("{read:?}") };
    let again = replay_violation(&program, segments, &Config::default());
    assert_eq!(again.execution.outcome, first.execution.outcome);
    assert_eq!(again.execution.inputs, first.execution.inputs);
}

/// More inputs than anybody reads, and more steps than a recording keeps.
#[test]
fn long_executions_leave_evidence_too() {
    let text = "\
extern int nondet(void);
extern void reach_error(void);
int numbers[100000];
int main(void) {
    for (int i = 0; i < 100000; i++) {
        int step;
        nondet();
        numbers[i] = nondet() + step;
    }
    int sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += numbers[i];
    if (sum == 99)
        reach_error();
    return 0;
}
";
    let program = program(text);
    let ones = "1\n0\n".repeat(98);
    let zeros = "0\n".repeat(200_000 - 2 * 98 - 1);
    let first = replay(&program, &format!("{ones}{zeros}1\n"));
    assert!(first.violation().is_some(), "{:?}", first.execution.outcome);
    insta::assert_snapshot!(story_text(&program, &explain(&program, &first)), @r"
    1.            … the first 600000 steps with 199998 inputs
    2. test.c:8   nondet() = 0 (input), step = 1 (uninitialised), numbers[i] = 1
    3. test.c:10  sum = 0
    4. test.c:11  loop entered 100000 times, i = 100000, sum = 99
    5. test.c:14  reach_error() is called
    ");
    let text = write_witness(&entry(text, Content::Violation(violation_sequence(&program, &first))));
    let read = read_witness(&text).expect("it reads what it writes");
    let [Entry { content: Content::Violation(segments), .. }] = read.as_slice() else { panic!("one entry") };
    assert_eq!(segments.len(), 200_001);
    let again = replay_violation(&program, segments, &Config::default());
    assert!(again.violation().is_some(), "{:?}", again.execution.outcome);
    let harness = harness(&program, &first);
    assert_eq!(harness.missing.len(), 11, "{:?}", harness.missing);
    // Of two calls in a round, the result of the first is not looked at.
    assert!(harness.text.contains("values[] = {0, 1, 0, 1, "), "{}", &harness.text[..2000]);
}

#[test]
fn a_recursion_is_told_from_both_ends() {
    let program = program(
        "extern void reach_error(void);
int down(int n) {
    if (n == 0)
        reach_error();
    return down(n - 1);
}
int main(void) { return down(60000); }
",
    );
    let story = story_text(&program, &explain(&program, &replay(&program, "")));
    let lines: Vec<&str> = story.lines().collect();
    assert_eq!(lines.len(), 30);
    assert_eq!(lines[0], "   1. test.c:7  down(60000) is called with n = 60000");
    assert_eq!(lines[10], "  11.           … 59973 more steps");
    assert_eq!(lines[29], "  30. test.c:4  reach_error() is called");
}

#[test]
fn many_values_of_one_line_are_told_by_the_first_and_the_last() {
    let program = program(
        "extern void reach_error(void);
int count(int n) {
    if (n == 0)
        return 0;
    int below = count(n - 1);
    return below + 1;
}
int main(void) {
    if (count(60) == 60)
        reach_error();
    return 0;
}
",
    );
    let story = story_text(&program, &explain(&program, &replay(&program, "")));
    let told = story.lines().find(|line| line.contains("more values")).expect("a line with many values");
    assert_eq!(
        told,
        "  2. test.c:6   below = 1, below = 2, below = 3, below = 4, … 51 more values, \
         below = 56, below = 57, below = 58, below = 59"
    );
}

#[test]
fn a_witness_of_another_tool_may_have_other_places() {
    let program = program(RING);
    let witness = "\
- entry_type: violation_sequence
  metadata:
    format_version: 2.0
    uuid: 123
    creation_time: 2024-01-01T00:00:00Z
    producer: {name: other, version: 1}
    task: {input_files: [dir/test.c], input_file_hashes: {dir/test.c: abc}, specification: x, data_model: LP64, language: C}
  content:
  - segment:
    - waypoint:
        action: avoid
        type: branching
        location: {file_name: dir/test.c, line: 11}
        constraint: {value: false}
    - waypoint:
        action: follow
        type: assumption
        location: {file_name: dir/test.c, line: 8, column: 5, function: main}
        constraint: {value: '(n == (5))', format: c_expression}
  - segment:
    - waypoint: {action: follow, type: target, location: {file_name: dir/test.c, line: 15}}
";
    let read = read_witness(witness).expect("it can be read");
    let Content::Violation(segments) = &read[0].content else { panic!("{read:?}") };
    let replay = replay_violation(&program, segments, &Config::default());
    assert!(matches!(replay.execution.outcome, Outcome::Violation { .. }), "{:?}", replay.execution.outcome);
    let unsuited = read_witness(&witness.replace("(5)", "(12)")).unwrap();
    let Content::Violation(segments) = &unsuited[0].content else { panic!("{unsuited:?}") };
    assert!(replay_violation(&program, segments, &Config::default()).violation().is_none());
}

#[test]
fn broken_witnesses_are_told_with_their_line() {
    let good = write_witness(&entry(RING, Content::Violation(vec![])));
    assert!(read_witness(&good).is_ok());
    let line = |text: &str| read_witness(text).expect_err("it is broken").line;
    assert_eq!(line(&good.replace("\"2.0\"", "\"3.0\"")), 3);
    assert_eq!(line(&good.replace("metadata:", "metadata: [")), 2);
    assert_eq!(line("<?xml version=\"1.0\"?>"), 1);
    for text in
        ["", "[]", "x", "- entry_type: 1", "- entry_type: loop_invariant\n  metadata: {}", "\u{0}", "- - -"]
    {
        assert!(read_witness(text).is_err(), "{text}");
    }
    let mut bytes = good.into_bytes();
    for at in 0..bytes.len() {
        let kept = std::mem::replace(&mut bytes[at], b'{');
        // Whatever comes of it, it is no panic.
        let _ = read_witness(&String::from_utf8_lossy(&bytes));
        bytes[at] = kept;
    }
}

#[test]
fn a_trace_of_an_engine_is_replayed() {
    let program = program(RING);
    let havoc = program.functions.values().filter_map(|function| function.body.as_ref()).find_map(|body| {
        let edges = body.edges().values();
        edges.into_iter().find(|edge| matches!(edge.operation, Operation::Havoc { .. }))
    });
    let span = havoc.expect("there is an input").span;
    let named = |name: &str| {
        let found = program.variables.iter().find(|(_, variable)| variable.name == name);
        found.expect("it is declared").0
    };
    let declared = |name: &str, value: u32| {
        let cells = vec![CellValue { bit_offset: 0, value: Bits::new(value, 32) }];
        TraceEvent::Declared { variable: named(name), cells }
    };
    let events = |span| {
        vec![
            declared("unrelated", 1),
            declared("n", 9),
            TraceEvent::Input { values: vec![Bits::new(5u8, 32)], span },
            declared("limit", 5),
        ]
    };
    let trace = Trace { events: events(span), outside: vec![], error: Span::NONE, approximations: vec![] };
    let replay = replay_trace(&program, &trace, &Config::default());
    assert!(replay.violation().is_some(), "{:?}", replay.execution.outcome);
    assert_eq!(
        render_inputs(&replay.execution.inputs),
        "5 # __VERIFIER_nondet_int\n5 # uninitialized `limit`\n"
    );
    let elsewhere = Span::new(span.file().unwrap(), 0, 1);
    let trace = Trace { events: events(elsewhere), ..trace };
    let replay = replay_trace(&program, &trace, &Config::default());
    assert!(matches!(replay.execution.outcome, Outcome::OutOfStep { .. }), "{:?}", replay.execution.outcome);
}

#[test]
fn loop_invariants_are_written_over_names_in_scope() {
    let program = program(
        "int count(int n) {
    int i = 0;
    while (i < n)
        i++;
    do i--; while (i > 0);
    return i;
}
int main(void) { int x = count(3); return x + count(4); }
",
    );
    let count = program.function_named("count").unwrap();
    let main = program.function_named("main").unwrap();
    let edges =
        |function: rorqual_cfa::FunctionId| program.functions[function].body.as_ref().unwrap().edges();
    let call_of = |callee: rorqual_cfa::FunctionId| move |operation: &Operation| matches!(operation, Operation::Call { callee: Callee::Function(called), .. } if *called == callee);
    let sites = |caller, callee| {
        let calls = edges(caller).iter().filter(|(_, edge)| call_of(callee)(&edge.operation));
        calls.map(|(edge, _)| CallSite { caller, edge, callee }).collect::<Vec<_>>()
    };
    let entry_call = sites(program.start, main)[0];
    let body = program.functions[count].body.as_ref().unwrap();
    let heads = body.locations().iter().filter(|(_, location)| !location.loop_statements.is_empty());
    let heads: Vec<_> = heads.map(|(id, _)| id).collect();
    let mut pool = TermPool::new();
    let [i, n, x] =
        ["count::i", "count::n", "main::x"].map(|name| pool.symbol(name, rorqual_logic::Sort::BitVec(32)));
    let mut locations = Vec::new();
    for (site, bound) in sites(main, count).into_iter().zip([3u8, 4]) {
        let bound = pool.bv(bound, 32);
        let (below, of_caller) = (pool.bv_sle(i, n), pool.eq(x, bound));
        let known = pool.eq(n, bound);
        let formula = pool.and(&[below, of_caller, known]);
        let calls = CallString(vec![entry_call, site]);
        for &location in &heads {
            locations.push(LocationInvariant { calls: calls.clone(), location, bound: vec![], formula });
        }
    }
    let entries = loop_invariants(&program, &Invariant { pool, locations, contracts: vec![] });
    assert_eq!(entries.len(), 1, "not the `do` loop: {entries:?}");
    let text = write_witness(&entry("", Content::Invariants(entries.clone(), vec![])));
    insta::assert_snapshot!("invariant_witness", text);
    let read = read_witness(&text).unwrap();
    assert_eq!(read[0].content, Content::Invariants(entries, vec![]));
}

#[test]
fn contracts_are_read_back() {
    let location =
        Location { file_name: "a.c".to_owned(), line: 3, column: Some(5), function: Some("f".to_owned()) };
    let requires = "x > 0".to_owned();
    let contract = ContractEntry { location, requires, ensures: "\\result == \\at(y, Old)".to_owned() };
    let content = Content::Invariants(vec![], vec![contract]);
    let text = write_witness(&entry("", content.clone()));
    assert!(text.contains("format_version: \"2.1\""), "{text}");
    let read = read_witness(&text).expect("what was written can be read");
    assert_eq!(read[0].content, content);
}

/// Programs with inputs that violate their specification and inputs that do not, and how the compiled
/// program ends.
#[test]
fn harnesses_feed_the_compiled_program() {
    let gcc = match Gcc::find(DataModel::Lp64) {
        Ok(gcc) => gcc,
        Err(reason) => return skip("harnesses_feed_the_compiled_program", reason),
    };
    let undefined = "extern int __VERIFIER_nondet_int(void); extern unsigned char other(int); extern void *place(void);
        double __VERIFIER_nondet_double(void); extern long outside; void reach_error(void); void __VERIFIER_assume(int);
        int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < 0); other(1); unsigned char c = other(2);
            if (place() && c == 200 && __VERIFIER_nondet_double() == 0.1 && outside == -5) reach_error(); return 3; }";
    let defined = "extern int __VERIFIER_nondet_int(void); void abort(void); void reach_error(void) { abort(); }
        int main(void) { if (__VERIFIER_nondet_int() == 7) { reach_error(); } if (__VERIFIER_nondet_int() == 8) abort(); return 3; }";
    let asserted = "#include <assert.h>\nextern long long __VERIFIER_nondet_longlong(void);
        int main(void) { assert(__VERIFIER_nondet_longlong() != -9223372036854775807LL - 1); return 3; }";
    let cases = [
        (undefined, "-5\n-1\n200\n4096\n0.1\n", "finished 110"),
        (undefined, "-5\n-1\n201\n4096\n0.1\n", "finished 3"),
        (defined, "7", "finished 110"),
        (defined, "6\n9", "finished 3"),
        (asserted, "-9223372036854775808", "aborted"),
        (asserted, "5", "finished 3"),
    ];
    for (text, inputs, expected) in cases {
        let program = program(text);
        let replay = replay(&program, inputs);
        let harness = harness(&program, &replay);
        assert_eq!(harness.missing, Vec::<String>::new(), "{text}");
        let directory = tempfile::tempdir().unwrap();
        let [source, feeder] = ["program.c", "harness.c"].map(|name| directory.path().join(name));
        std::fs::write(&source, text).unwrap();
        std::fs::write(&feeder, &harness.text).unwrap();
        let run = gcc
            .compile_and_run(&[&source, &feeder], &["-finstrument-functions"], Duration::from_secs(10))
            .unwrap_or_else(|problem| panic!("{problem}\n{}", harness.text));
        assert_eq!(run.ending.to_string(), expected, "{inputs}\n{text}\n{}", harness.text);
        let violates = replay.violation().is_some();
        assert_eq!(violates, expected != "finished 3", "{:?}", replay.execution.outcome);
    }
}

#[test]
fn what_a_harness_cannot_feed_is_said() {
    let program = program(RING);
    let harness = harness(&program, &replay(&program, "4\n3"));
    assert_eq!(harness.missing, ["uninitialized `limit` = 3 at test.c:15:5"]);
    assert!(harness.text.contains("/* Cannot be fed: uninitialized `limit` = 3"), "{}", harness.text);
}

#[test]
fn recorded_inputs_replay_as_a_list() {
    let program = program(RING);
    let first = replay(&program, "4\n3");
    let inputs = parse_inputs(&render_inputs(&first.execution.inputs)).unwrap();
    let config =
        Config { inputs: Inputs::List(inputs), uninitialized: Uninitialized::Input, ..Config::default() };
    let again = rorqual_interpreter::run(&program, &config, &mut rorqual_interpreter::Transcript::default());
    assert_eq!(again.outcome, first.execution.outcome);
    let none: Vec<GivenInput> = vec![];
    assert!(replay_inputs(&program, none, &Config::default()).violation().is_none());
}

#[test]
fn a_leak_is_told_with_where_the_memory_comes_from() {
    let source = "#include <stdlib.h>
int main(void) {
    char *kept = malloc(10), *lost = malloc(20);
    lost = kept;
    free(lost);
    return 0;
}
";
    let program = add_checks(program(source), &[Check::Leak], &|_| true);
    let story = story_text(&program, &explain(&program, &replay(&program, "")));
    assert_eq!(
        story,
        "  1. test.c:3  nothing points at the end to memory from `malloc(20)`
  2. test.c:2  heap memory that nothing points to when the program ends
"
    );
}
