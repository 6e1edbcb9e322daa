//! Test harnesses: C files that feed the inputs of an execution to the compiled program.

use std::collections::BTreeMap;
use std::fmt::Write;

use rorqual_cfa::{ErrorKind, Function, Program, Type, VariableKind, written_by};
use rorqual_interpreter::{Effect, InputRecord, InputValue, Outcome, call_effect, is_library_function};

use crate::literals;
use crate::replay::Replay;

/// What a compiled harness prints on standard output when the violation is reached.
pub const REPRODUCED: &str = "violation reproduced";

/// The status that a compiled program ends with when it reaches an error function, unless the program
/// defines that function itself.
pub const REPRODUCED_STATUS: i32 = 110;

/// The status that a compiled program ends with when an assumption is false.
pub const ASSUMPTION_STATUS: i32 = 111;

/// A C file to be compiled together with the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harness {
    /// The text of the file.
    pub text: String,
    /// Inputs that a compiled program cannot be given, and why. If there are any, the compiled program may
    /// take another path.
    pub missing: Vec<String>,
}

/// The harness for an execution: `cc harness.c program.c && ./a.out` ends in its violation. It defines the
/// functions that the program only declares and that no library has.
pub fn harness(program: &Program, replay: &Replay) -> Harness {
    let mut writer = Writer { program, replay, text: String::new(), missing: Vec::new() };
    writer.missing_inputs();
    writer.head();
    writer.error_functions();
    writer.assumptions();
    writer.external_variables();
    writer.input_functions();
    Harness { text: writer.text, missing: writer.missing }
}

/// Functions that the compiler or the C library provides, though the interpreter does not see them as
/// library functions.
const PROVIDED: &[&str] = &[
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "alloca",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "setjmp",
    "_setjmp",
    "longjmp",
    "atexit",
    "signal",
    "fork",
    "pthread_create",
];

/// So many inputs that cannot be fed are named.
const NAMED_MISSING: usize = 10;

const ASSERTIONS: &[&str] = &["assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"];

const ASSUMPTIONS: &[&str] =
    &["__VERIFIER_assume", "assume_abort_if_not", "__CPROVER_assume", "__ESBMC_assume", "klee_assume"];

struct Writer<'a> {
    program: &'a Program,
    replay: &'a Replay,
    text: String,
    missing: Vec<String>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The functions that are only declared.
    fn declared(&self) -> impl Iterator<Item = &Function> {
        self.program.functions.values().filter(|function| function.body.is_none())
    }

    fn is_declared(&self, name: &str) -> bool {
        self.declared().any(|function| function.name == name)
    }

    fn is_defined(&self, name: &str) -> bool {
        self.program.functions.values().any(|function| function.name == name && function.body.is_some())
    }

    fn missing_inputs(&mut self) {
        let position = |input: &InputRecord| self.program.sources.position(input.span).to_string();
        let mut missing = Vec::new();
        for input in &self.replay.execution.inputs {
            if input.origin.starts_with("uninitialized ") {
                missing.push(format!("{} = {} at {}", input.origin, input.value, position(input)));
            } else if input.origin.starts_with("the parameter ") {
                missing.push(format!("{} = {} of the entry function", input.origin, input.value));
            } else if self.declared().any(|function| written_by(&function.name) == input.origin) {
                missing.push(format!("{}: {} at {}", input.origin, input.value, position(input)));
            }
        }
        if missing.len() > NAMED_MISSING {
            let more = missing.len() - NAMED_MISSING;
            missing.truncate(NAMED_MISSING);
            missing.push(format!("{more} more values of this kind"));
        }
        self.missing = missing;
    }

    fn head(&mut self) {
        self.line("/* Test harness written by Rorqual. Compile it together with the program:");
        self.line("     cc harness.c program.c && ./a.out");
        let _ = writeln!(
            self.text,
            "   A call of an error function prints \"{REPRODUCED}\" and ends with status {REPRODUCED_STATUS},"
        );
        self.line(
            "   a false assertion ends with SIGABRT. An error function that the program defines itself",
        );
        self.line("   is noticed if the program is compiled with -finstrument-functions. */");
        for missing in self.missing.clone() {
            let _ = writeln!(self.text, "/* Cannot be fed: {}. */", missing.replace("*/", "* /"));
        }
        self.line("");
        // Without headers: they declare functions that are defined below without parameters.
        self.line("int puts(const char *);");
        self.line("int fflush(void *);");
        self.line("void abort(void) __attribute__((noreturn));");
        self.line("void exit(int) __attribute__((noreturn));");
        self.line("void _exit(int) __attribute__((noreturn));");
    }

    fn error_functions(&mut self) {
        let mut names = vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()];
        if let Outcome::Violation { kind: ErrorKind::Call { function }, .. } = &self.replay.execution.outcome
            && !names.contains(function)
        {
            names.push(function.clone());
        }
        let (defined, open): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| self.is_defined(name));
        let open: Vec<_> = open.into_iter().filter(|name| self.is_declared(name)).collect();
        let _ = write!(
            self.text,
            "\n__attribute__((no_instrument_function)) static void rorqual_reproduced(void) {{\n  \
             puts(\"{REPRODUCED}\");\n  fflush((void *)0);\n  _exit({REPRODUCED_STATUS});\n}}\n"
        );
        for name in &open {
            let _ = write!(self.text, "\nvoid {name}() {{\n  rorqual_reproduced();\n}}\n");
        }
        self.instrumentation(&defined);
        for name in ASSERTIONS {
            if self.is_declared(name) {
                let _ =
                    write!(self.text, "\nvoid {name}(int condition) {{\n  if (!condition) abort();\n}}\n");
            }
        }
    }

    /// Weak, because a static function of the program cannot be named here.
    fn instrumentation(&mut self, defined: &[String]) {
        self.line("");
        for name in defined {
            let _ = writeln!(self.text, "extern void {name}() __attribute__((weak));");
        }
        self.line("__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *call) {");
        self.line("  (void)function, (void)call;");
        for name in defined {
            let _ =
                writeln!(self.text, "  if (function && function == (void *){name}) rorqual_reproduced();");
        }
        self.line("}");
        self.line("__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *call) {");
        self.line("  (void)function, (void)call;");
        self.line("}");
    }

    fn assumptions(&mut self) {
        for name in ASSUMPTIONS {
            if self.is_declared(name) {
                let _ = write!(
                    self.text,
                    "\nvoid {name}(int condition) {{\n  if (!condition) {{\n    \
                     puts(\"an assumption is false\");\n    fflush((void *)0);\n    _exit({ASSUMPTION_STATUS});\n  }}\n}}\n"
                );
            }
        }
    }

    /// Variables that are declared `extern` and defined nowhere. Weak, because the system may know them.
    fn external_variables(&mut self) {
        let program = self.program;
        for variable in program.variables.values() {
            if variable.kind != VariableKind::External
                || ["stdin", "stdout", "stderr"].contains(&variable.name.as_str())
            {
                continue;
            }
            let origin = format!("the external variable {}", variable.name);
            let inputs = self.replay.execution.inputs.iter().filter(|input| input.origin == origin);
            let values: Vec<&InputRecord> = inputs.collect();
            let name = &variable.name;
            let ty = program.types.get(variable.ty);
            match (scalar_name(ty), values.as_slice(), program.types.size_of(variable.ty)) {
                (Some(ty), [input], _) => {
                    let value = constant(input);
                    let _ = write!(self.text, "\n__attribute__((weak)) {ty} {name} = {value};\n");
                }
                (_, _, Some(size)) => {
                    let _ = write!(self.text, "\n__attribute__((weak, aligned(16))) char {name}[{size}];\n");
                    if values.iter().any(|input| input.value != InputValue::Int(0)) {
                        self.missing.push(format!("the values of the external variable {name}"));
                    }
                }
                (_, _, None) => {}
            }
        }
    }

    /// The functions without body that no library has, with the results they give one after the other.
    fn input_functions(&mut self) {
        let results = self.results();
        let program = self.program;
        let mut done: Vec<&str> = Vec::new();
        for function in program.functions.values() {
            let name = function.name.as_str();
            let is_ours = function.body.is_none() && !self.is_provided(function) && !self.is_defined(name);
            // What the lowering adds has no name in C.
            let is_ours = is_ours && !name.starts_with('<');
            if is_ours && !done.contains(&name) {
                done.push(name);
                let values = results.get(name).cloned().unwrap_or_default();
                self.input_function(function, &values);
            }
        }
    }

    fn is_provided(&self, function: &Function) -> bool {
        let name = function.name.as_str();
        let is_error = matches!(
            &self.replay.execution.outcome,
            Outcome::Violation { kind: ErrorKind::Call { function }, .. } if function == name
        );
        is_library_function(function) && call_effect(self.program, function, &[]) != Effect::Input
            || PROVIDED.contains(&name)
            || ASSUMPTIONS.contains(&name)
            || ASSERTIONS.contains(&name)
            || ["__VERIFIER_error", "reach_error"].contains(&name)
            || name.starts_with("__builtin_")
            || is_error
    }

    /// What each function gives, call by call. A call whose result nobody looked at took no input, but the
    /// compiled program makes it all the same.
    fn results(&self) -> BTreeMap<String, Vec<String>> {
        let mut calls: Vec<(u64, String, String)> = Vec::new();
        for input in &self.replay.execution.inputs {
            calls.push((input.step, input.origin.clone(), constant(input)));
        }
        for &(step, callee) in self.replay.recording.ignored_calls() {
            calls.push((step, self.program.functions[callee].name.clone(), "0".to_owned()));
        }
        calls.sort_by_key(|(step, _, _)| *step);
        let mut results: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, name, value) in calls {
            results.entry(name).or_default().push(value);
        }
        results
    }

    /// Without parameters: callers may pass any, and structures need not be declared here.
    fn input_function(&mut self, function: &Function, values: &[String]) {
        let name = &function.name;
        let result = match self.program.types.get(function.ty) {
            Type::Function { result, .. } => self.program.types.get(*result),
            _ => &Type::Void,
        };
        if function.noreturn {
            let _ = write!(self.text, "\nvoid {name}() {{\n  exit(0);\n}}\n");
            return;
        }
        let Some(ty) = scalar_name(result) else {
            if !matches!(result, Type::Void) {
                self.missing.push(format!("the results of `{name}`, which are not scalars"));
            }
            let _ = write!(self.text, "\nvoid {name}() {{\n}}\n");
            return;
        };
        let last = values.iter().rposition(|value| value != "0").map_or(0, |last| last + 1);
        if last == 0 {
            let _ = write!(self.text, "\n{ty} {name}() {{\n  return 0;\n}}\n");
            return;
        }
        // A pointer is no constant expression once it is cast from a wide integer, but an integer is.
        let stored = if ty.ends_with('*') { "unsigned long" } else { &ty };
        let values = values[..last].join(", ");
        let _ = write!(
            self.text,
            "\n{ty} {name}() {{\n  static const {stored} values[] = {{{values}}};\n  static unsigned long next;\n  \
             return next < sizeof values / sizeof values[0] ? ({ty})values[next++] : 0;\n}}\n"
        );
    }
}

/// The name of a scalar type; pointers are alike for callers.
fn scalar_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Int(kind) => Some(kind.name().into_owned()),
        Type::Float(kind) => Some(kind.name().to_owned()),
        Type::Pointer(_) => Some("void *".to_owned()),
        _ => None,
    }
}

/// An input as a constant, with gcc's names for infinities and numbers that are none.
fn constant(input: &InputRecord) -> String {
    literals::input(input.value, &input.ty).unwrap_or_else(|| {
        let text = input.value.to_string();
        let sign = if text.starts_with('-') { "-" } else { "" };
        if text.contains("inf") {
            format!("{sign}__builtin_inf()")
        } else {
            format!("{sign}__builtin_nan(\"\")")
        }
    })
}
