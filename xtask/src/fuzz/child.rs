//! The process in which inputs meet the front end. It may crash; its parent watches.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;
use rorqual_testkit::{MemoryHost, read};

use super::corpus::Corpus;
use crate::{Report, Trouble};

/// A range of inputs of a campaign, or files.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The seed of the campaign
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The first input
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many inputs
    #[arg(long, default_value_t = 0)]
    count: u64,
    /// Further files to start from
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Files to read instead of the inputs of a campaign
    files: Vec<PathBuf>,
}

/// What the child tells its parent, one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    /// Work on an input starts.
    Begin(u64),
    /// The input was accepted or refused.
    End {
        /// Which input.
        index: u64,
        /// Whether it was accepted.
        accepted: bool,
    },
    /// The front end panicked, and where.
    Panicked(u64, String),
}

impl Message {
    fn print(&self) {
        let mut stdout = std::io::stdout().lock();
        let result = match self {
            Message::Begin(index) => writeln!(stdout, "begin {index}"),
            Message::End { index, accepted: true } => writeln!(stdout, "accepted {index}"),
            Message::End { index, accepted: false } => writeln!(stdout, "refused {index}"),
            Message::Panicked(index, place) => writeln!(stdout, "panicked {index} {place}"),
        };
        // If the parent is gone, nobody needs the answer.
        if result.and_then(|()| stdout.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// Reads a line of the child.
    pub(crate) fn parse(line: &str) -> Option<Message> {
        let (word, rest) = line.split_once(' ')?;
        let (number, place) = rest.split_once(' ').unwrap_or((rest, ""));
        let index = number.parse().ok()?;
        match word {
            "begin" => Some(Message::Begin(index)),
            "accepted" => Some(Message::End { index, accepted: true }),
            "refused" => Some(Message::End { index, accepted: false }),
            "panicked" => Some(Message::Panicked(index, place.to_owned())),
            _ => None,
        }
    }
}

/// Where the last panic happened.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Sends the inputs through the front end.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or("").replace('\n', " ");
        *LAST_PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = format!("{place}: {message}");
    }));
    let mut report = Report::Clean;
    if arguments.files.is_empty() {
        let corpus = Corpus::load(arguments.corpus.as_ref())?;
        for index in arguments.first..arguments.first + arguments.count {
            attempt(index, &corpus.input(arguments.seed, index), &mut report);
        }
    } else {
        for (index, file) in (0..).zip(&arguments.files) {
            let text = fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            attempt(index, &text, &mut report);
        }
    }
    Ok(report)
}

fn attempt(index: u64, text: &[u8], report: &mut Report) {
    Message::Begin(index).print();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let models = [DataModel::Lp64, DataModel::Ilp32];
        models.map(|model| is_accepted(text, model)).contains(&true)
    }));
    if let Ok(accepted) = result {
        Message::End { index, accepted }.print();
    } else {
        *report = Report::Faults;
        let place = LAST_PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        Message::Panicked(index, place).print();
    }
}

fn is_accepted(text: &[u8], model: DataModel) -> bool {
    let host = MemoryHost::new().with_file("input.c", text).with_system_headers();
    read(&[TranslationUnit::new("input.c")], model, &host).is_ok()
}
