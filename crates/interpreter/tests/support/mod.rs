//! C text to an execution. Programs declare the library functions they use, so that no
//! header of the system is needed.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::{DataModel, Program};
use rorqual_frontend::{Failure, Host, Options, TranslationUnit, lower, parse};
use rorqual_interpreter::{Config, Execution, Inputs, Outcome, Transcript, parse_inputs, run};

struct OneFile<'a>(&'a str);

impl Host for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new("test.c") {
            return Ok(self.0.as_bytes().to_vec());
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A C text that is to be run.
pub(crate) struct Test<'a> {
    pub(crate) text: &'a str,
    pub(crate) config: Config,
    pub(crate) model: DataModel,
    pub(crate) console: Transcript,
}

impl<'a> Test<'a> {
    pub(crate) fn new(text: &'a str) -> Test<'a> {
        Test { text, config: Config::default(), model: DataModel::Lp64, console: Transcript::default() }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    pub(crate) fn model(mut self, model: DataModel) -> Self {
        self.model = model;
        self
    }

    pub(crate) fn inputs(self, text: &str) -> Self {
        let inputs = parse_inputs(text).expect("the test gives inputs that parse");
        self.with(|config| config.inputs = Inputs::List(inputs))
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.console = Transcript::with_input(text.as_bytes());
        self
    }

    pub(crate) fn program(&self) -> Program {
        let options = Options { data_model: self.model, ..Options::default() };
        let typed = parse(&[TranslationUnit::new("test.c")], &options, &OneFile(self.text));
        accept(lower(accept(typed), &options))
    }

    pub(crate) fn run(&mut self) -> (Program, Execution) {
        let program = self.program();
        let execution = run(&program, &self.config, &mut self.console);
        (program, execution)
    }

    /// Checks that the program ends with status 0.
    #[track_caller]
    pub(crate) fn succeeds(mut self) {
        let (program, execution) = self.run();
        assert_eq!(execution.outcome, Outcome::Finished { status: 0 }, "{}", show(&program, &execution));
    }

    /// Checks that the program ends with status 0 and what it prints.
    #[track_caller]
    pub(crate) fn prints(mut self, expected: &str) {
        let (program, execution) = self.run();
        let shown = show(&program, &execution);
        assert_eq!(execution.outcome, Outcome::Finished { status: 0 }, "{shown}");
        assert_eq!(String::from_utf8_lossy(&self.console.output), expected);
    }

    /// Checks that the program does something undefined, which, and that the message is about
    /// the text between `/*<*/` and `/*>*/`.
    #[track_caller]
    pub(crate) fn fails_with(mut self, message: &str) {
        let (program, execution) = self.run();
        let Outcome::Undefined { kind, span } = &execution.outcome else {
            panic!("no undefined behaviour: {}", show(&program, &execution));
        };
        assert_eq!(kind.to_string(), message);
        let start = self.text.find("/*<*/").expect("the place is marked") + 5;
        let end = self.text.find("/*>*/").expect("the place is marked");
        assert_eq!(program.sources.text(*span), self.text[start..end].trim());
    }
}

fn accept<T>(result: Result<T, Failure>) -> T {
    result.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

fn show(program: &Program, execution: &Execution) -> String {
    let entries = execution.stack.iter().map(|entry| {
        let position = program.sources.position(entry.span);
        format!("{} at {position}", entry.function)
    });
    let stack: Vec<String> = entries.collect();
    format!("{:?}\n{}", execution.outcome, stack.join("\n"))
}

/// Checks a program that is fine, and the same one with the bug put in.
#[track_caller]
pub(crate) fn pair(template: &str, good: &str, bad: &str, message: &str) {
    Test::new(&template.replace("@@", good)).succeeds();
    Test::new(&template.replace("@@", bad)).fails_with(message);
}
