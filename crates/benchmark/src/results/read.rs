//! Reading a result file. What is wrong with it is told with its line.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use super::{Results, csv};

/// Why a result file cannot be used.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be read.
    Io(io::Error),
    /// A line, counted from 1, is malformed in some way.
    Line(usize, String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Line(line, problem) => write!(f, "line {line}: {problem}"),
        }
    }
}

impl Results {
    /// Reads a file of comma-separated values.
    pub fn read(path: &Path) -> Result<Results, ReadError> {
        Results::parse(&std::fs::read(path).map_err(ReadError::Io)?)
    }

    /// Reads the content of such a file. A last line without its end was cut off while it was
    /// written, and does not count.
    pub fn parse(bytes: &[u8]) -> Result<Results, ReadError> {
        let mut results = Results { settings: None, rows: vec![] };
        let mut seen = BTreeMap::new();
        for (number, line) in complete_lines(bytes) {
            let failed = |problem| ReadError::Line(number, problem);
            let line = std::str::from_utf8(line).map_err(|_| failed("this is not text".to_owned()))?;
            if number == 1 {
                check_header(line).map_err(failed)?;
                continue;
            }
            results.add(line).map_err(failed)?;
            let task = results.rows.last().map_or("", |row| &row.task).to_owned();
            if let Some(earlier) = seen.insert(task.clone(), number) {
                return Err(failed(format!("`{task}` has a result in line {earlier} already")));
            }
        }
        Ok(results)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let (settings, row) = csv::parse(line)?;
        let first = self.settings.get_or_insert_with(|| settings.clone());
        if let Some((name, mine, theirs)) = first.difference(&settings) {
            return Err(format!("{name} `{theirs}` differs from `{mine}` in the lines before"));
        }
        self.rows.push(row);
        Ok(())
    }
}

/// The length of the part that consists of complete lines.
pub(super) fn complete_length(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// The complete lines with their numbers.
fn complete_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = bytes[..complete_length(bytes)].split_inclusive(|byte| *byte == b'\n');
    let trimmed = lines.map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        // Spreadsheets on other systems end lines with two characters.
        line.strip_suffix(b"\r").unwrap_or(line)
    });
    (1..).zip(trimmed)
}

fn check_header(line: &str) -> Result<(), String> {
    if line == csv::header().trim_end() {
        return Ok(());
    }
    Err("this is not a result file of `rorqual bench`, or one of another version".to_owned())
}
