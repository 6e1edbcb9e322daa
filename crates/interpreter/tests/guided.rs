//! Guides and recordings.

mod support;

use std::collections::VecDeque;

use rorqual_cfa::{Operation, Program, VariableId};
use rorqual_interpreter::{
    Access, CellBits, Companions, Config, Execution, Guide, InputRequest, InputValue, Inputs, OutOfStep,
    Outcome, Recording, Transcript, Uninitialized, parse_inputs, render_inputs, run, run_with,
};
use rorqual_source::Span;
use support::Test;

/// Values per operation, and values for variables by name.
#[derive(Default)]
struct Script {
    operations: VecDeque<Vec<u128>>,
    variables: VecDeque<(VariableId, Vec<CellBits>)>,
    /// For memory that belongs to no variable.
    allocated: VecDeque<Vec<CellBits>>,
    /// Where the next operation is expected, if that matters.
    expected: Option<Span>,
}

impl Guide for Script {
    fn required(&mut self, request: &InputRequest<'_>) -> Result<Vec<u128>, OutOfStep> {
        if let Some(expected) = self.expected.filter(|&expected| expected != request.span) {
            return Err(OutOfStep { expected });
        }
        Ok(self.operations.pop_front().unwrap_or_default())
    }

    fn offered(&mut self, _: &InputRequest<'_>) -> Vec<u128> {
        Vec::new()
    }

    fn declared(&mut self, variable: VariableId) -> Vec<CellBits> {
        match self.variables.front() {
            Some((next, _)) if *next == variable => self.variables.pop_front().map(|(_, cells)| cells),
            _ => None,
        }
        .unwrap_or_default()
    }

    fn allocated(&mut self, _: Span) -> Vec<CellBits> {
        self.allocated.pop_front().unwrap_or_default()
    }

    fn given(&mut self, _: u64) -> Vec<CellBits> {
        self.allocated.pop_front().unwrap_or_default()
    }

    fn unset(&mut self, _: &str, _: Span) -> Option<u128> {
        None
    }
}

fn variable(program: &Program, name: &str) -> VariableId {
    let found = program.variables.iter().find(|(_, variable)| variable.name == name);
    found.expect("the variable exists").0
}

fn cell(bit_offset: u64, width: u32, bits: u128) -> CellBits {
    CellBits { bit_offset, width, bits }
}

fn guided(program: &Program, script: &mut Script) -> Execution {
    let config = Config { uninitialized: Uninitialized::Input, ..Config::default() };
    let companions = Companions { guide: Some(script), ..Companions::default() };
    run_with(program, &config, &mut Transcript::default(), companions)
}

/// The recorded inputs lead to the same end without a guide.
fn assert_replays(program: &Program, execution: &Execution) {
    let inputs = parse_inputs(&render_inputs(&execution.inputs)).unwrap();
    let config =
        Config { inputs: Inputs::List(inputs), uninitialized: Uninitialized::Input, ..Config::default() };
    let again = run(program, &config, &mut Transcript::default());
    assert_eq!((&again.outcome, again.steps), (&execution.outcome, execution.steps));
    assert_eq!(again.inputs, execution.inputs);
}

#[test]
fn memory_gets_what_the_guide_says() {
    let program = Test::new(
        "void *malloc(unsigned long); struct pair { int a; struct pair *next; }; struct pair *any(void);
         int main(void) {
             struct pair *made = malloc(sizeof(struct pair)), *given = any(), *none = any();
             return made->a == 7 && given->a == 8 && !none && made->next->a == 9 && any() == given ? 42 : 1; }",
    )
    .program();
    let mut script = Script::default();
    script.operations.extend([vec![0x1000], vec![0], vec![0x1000]]);
    script.allocated.extend([
        vec![cell(0, 32, 7), cell(64, 64, 0x2000)],
        vec![cell(0, 32, 8)],
        vec![cell(0, 32, 9)],
    ]);
    let execution = guided(&program, &mut script);
    assert_eq!(execution.outcome, Outcome::Finished { status: 42 });
    assert_replays(&program, &execution);
}

#[test]
fn operations_and_uninitialised_variables_get_what_the_guide_says() {
    let program = Test::new(
        "int __VERIFIER_nondet_int(void); struct pair { char a; int b; } any(void);
         int main(void) {
             int unread; int x; struct { char c; int d; unsigned f : 3; } s, t; short a[3];
             int n = __VERIFIER_nondet_int();
             t = s;
             struct pair p = any();
             return n == -1 && x == 7 && t.d == 258 && t.f == 5 && a[1] == -2 && p.b == 9 && p.a == 1 ? 42 : 1; }",
    )
    .program();
    let mut script = Script::default();
    script.operations.extend([vec![0xffff_ffff], vec![1, 9]]);
    let declared = [
        ("unread", vec![cell(0, 32, 99)]),
        ("x", vec![cell(0, 32, 7)]),
        ("s", vec![cell(32, 32, 258), cell(64, 3, 5)]),
        ("a", vec![cell(16, 16, 0xfffe)]),
    ];
    script.variables = declared.map(|(name, cells)| (variable(&program, name), cells)).into();
    let execution = guided(&program, &mut script);
    assert_eq!(execution.outcome, Outcome::Finished { status: 42 });
    let origins: Vec<&str> = execution.inputs.iter().map(|input| input.origin.as_str()).collect();
    let read = ["x", "t.d", "t.f", "a[1]"].map(|place| format!("uninitialized `{place}`"));
    assert_eq!(origins[..3], ["__VERIFIER_nondet_int", "any", "any"]);
    assert_eq!(origins[3..], read, "in the order in which they are read, and no others");
    let read_at = program.sources.text(execution.inputs[3].span);
    assert!(read_at.contains("x == 7"), "an input of a condition has its place: {read_at}");
    assert_eq!(execution.inputs[6].cell.map(|cell| cell.bit_offset), Some(16));
    assert_replays(&program, &execution);
}

#[test]
fn every_lifetime_has_its_own_values() {
    let program = Test::new(
        "int f(void) { int x; return x; }
         int main(void) { int sum = 0; for (int i = 0; i < 3; i++) { int y; sum = sum * 10 + y + f(); } return sum; }",
    )
    .program();
    let (x, y) = (variable(&program, "x"), variable(&program, "y"));
    let mut script = Script::default();
    for value in 1..=3 {
        script.variables.push_back((y, vec![cell(0, 32, value)]));
        // The second activation has no value of its own, and must not find that of the first.
        if value != 2 {
            script.variables.push_back((x, vec![cell(0, 32, 1)]));
        }
    }
    let execution = guided(&program, &mut script);
    assert_eq!(execution.outcome, Outcome::Finished { status: 224 });
    assert_replays(&program, &execution);
}

#[test]
fn missing_values_are_zero_and_a_guide_for_another_path_is_told() {
    let text = "int __VERIFIER_nondet_int(void); _Bool any(void);
        int main(void) { int x = __VERIFIER_nondet_int(); int y; return x + y + any(); }";
    let program = Test::new(text).program();
    let execution = guided(&program, &mut Script::default());
    assert_eq!(execution.outcome, Outcome::Finished { status: 0 });
    assert_eq!(execution.inputs.len(), 3);
    let expected = program.functions[program.start].span;
    let mut script = Script { expected: Some(expected), ..Script::default() };
    let execution = guided(&program, &mut script);
    assert!(matches!(execution.outcome, Outcome::OutOfStep { .. }), "{:?}", execution.outcome);
}

#[test]
fn steps_are_recorded_with_what_they_read_and_write() {
    let text =
        "int twice(int *p) { return *p * 2; } int main(void) { int x = 4; int y = twice(&x); return y; }";
    let program = Test::new(text).program();
    let mut recording = Recording::default();
    let companions = Companions { recording: Some(&mut recording), ..Companions::default() };
    let config = Config::default();
    let execution = run_with(&program, &config, &mut Transcript::default(), companions);
    assert_eq!(recording.steps().len() as u64, execution.steps);
    let returned = recording.steps().iter().find(|step| {
        let body = program.functions[step.function].body.as_ref().unwrap();
        step.depth == 3 && matches!(body.edges()[step.edge].operation, Operation::Return { .. })
    });
    let touches = recording.touches(returned.expect("the callee returns"));
    let values: Vec<_> = touches.iter().map(|touch| (touch.access, touch.value)).collect();
    assert!(values.contains(&(Access::Read, Some(InputValue::Int(4)))), "{values:?}");
    assert_eq!(values.last(), Some(&(Access::Write, Some(InputValue::Int(8)))));
}
