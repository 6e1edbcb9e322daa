//! Files are read as they are written, whatever happens while they are written.

use std::path::PathBuf;

use tempfile::TempDir;

use super::{ReadError, Results, Row, Store, StoreError};
use crate::examples::{rejected, settings, solved, unknown, wrong};
use crate::{Class, Expected, Search, Settings};

fn rows() -> Vec<Row> {
    vec![
        solved("a/1.yml", Expected::Safe, 1234),
        wrong("a/2, \"odd\".yml", Expected::Unsafe),
        rejected("b/3.yml", Expected::Safe),
        unknown("b/4.yml", Class::GaveUp),
    ]
}

struct Files {
    directory: TempDir,
}

impl Files {
    fn new() -> Files {
        Files { directory: TempDir::new().expect("a temporary directory can be made") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file can be read")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the file can be written");
    }

    fn store(&self, rows: &[Row]) -> Store {
        let (table, json) = (self.path("r.csv"), self.path("r.json"));
        let mut store = Store::create(settings(), Some(&table), Some(&json)).expect("the files are new");
        for row in rows {
            store.add(row).expect("there is room");
        }
        store
    }

    fn resume(&self, settings: Settings) -> Result<(Store, Vec<Row>), StoreError> {
        Store::resume(settings, &self.path("r.csv"), Some(&self.path("r.json")))
    }
}

#[test]
fn files_have_the_documented_form() {
    let files = Files::new();
    files.store(&rows());
    insta::assert_snapshot!("table", files.read("r.csv"));
    insta::assert_snapshot!("json", files.read("r.json"));
}

#[test]
fn rows_are_read_as_they_were_written() {
    let files = Files::new();
    files.store(&rows());
    let results = Results::read(&files.path("r.csv")).unwrap();
    assert_eq!(results, Results { settings: Some(settings()), rows: rows() });
}

#[test]
fn the_json_file_is_complete_after_each_row() {
    let files = Files::new();
    let mut store = files.store(&[]);
    for (count, row) in (1..).zip(&rows()) {
        store.add(row).unwrap();
        let value: serde_json::Value = serde_json::from_str(&files.read("r.json")).unwrap();
        assert_eq!(value["results"].as_array().map(Vec::len), Some(count));
    }
}

#[test]
fn a_row_that_was_cut_off_is_left_out_and_replaced() {
    let files = Files::new();
    files.store(&rows()[..2]);
    let whole = files.read("r.csv");
    for cut in 1..whole.lines().last().unwrap().len() {
        files.write("r.csv", &whole[..whole.len() - 1 - cut]);
        let (mut store, stored) = files.resume(settings()).unwrap();
        assert_eq!(stored, rows()[..1]);
        store.add(&rows()[1]).unwrap();
        assert_eq!(files.read("r.csv"), whole);
    }
}

#[test]
fn going_on_keeps_what_is_there_and_writes_the_json_file_anew() {
    let files = Files::new();
    files.store(&rows());
    let (table, json) = (files.read("r.csv"), files.read("r.json"));
    files.write("r.json", "broken");
    let (_, stored) = files.resume(settings()).unwrap();
    assert_eq!(stored, rows());
    assert_eq!((files.read("r.csv"), files.read("r.json")), (table, json));
}

#[test]
fn going_on_with_nothing_is_a_start() {
    let files = Files::new();
    let (mut store, stored) = files.resume(settings()).unwrap();
    assert!(stored.is_empty());
    store.add(&rows()[0]).unwrap();
    assert_eq!(Results::read(&files.path("r.csv")).unwrap().rows, rows()[..1]);
}

#[test]
fn results_of_other_settings_are_refused() {
    let files = Files::new();
    files.store(&rows());
    let error = files
        .resume(Settings { search: Search::Engine("bmc".to_owned()), ..settings() })
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("were made with engine `impact`, not `bmc`"), "{error}");
}

#[test]
fn files_that_exist_and_files_in_use_are_refused() {
    let files = Files::new();
    let store = files.store(&rows());
    assert!(matches!(files.resume(settings()), Err(StoreError::Busy(_))));
    drop(store);
    let again = Store::create(settings(), None, Some(&files.path("r.json")));
    assert!(matches!(again, Err(StoreError::Exists(_))));
    let missing = Store::create(settings(), Some(&files.path("no/r.csv")), None);
    assert!(matches!(missing, Err(StoreError::Open(..))));
}

#[test]
fn a_start_that_fails_leaves_nothing_behind() {
    let files = Files::new();
    files.write("r.json", "something");
    let failed = Store::create(settings(), Some(&files.path("r.csv")), Some(&files.path("r.json")));
    assert!(matches!(failed, Err(StoreError::Exists(_))));
    assert!(!files.path("r.csv").exists());
    assert_eq!(files.read("r.json"), "something");
}

#[test]
fn malformed_files_are_refused_with_the_line() {
    let files = Files::new();
    files.store(&rows());
    let good = files.read("r.csv");
    let refusal = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        match Results::parse(good.replacen(from, to, 1).as_bytes()) {
            Err(ReadError::Line(line, problem)) => format!("{line}: {problem}"),
            other => panic!("{other:?}"),
        }
    };
    insta::assert_snapshot!(
        [
            refusal("version", "task"),
            refusal("\n2,", "\n9,"),
            refusal("safe,correct", "safe,wrong"),
            refusal("safe,correct", "maybe,correct"),
            refusal("1.234000", "-1"),
            refusal("50000000", "much"),
            refusal("b/3.yml", "a/1.yml"),
            refusal("gave up", "tired"),
            refusal("\"a/2", "\"a\"/2"),
            refusal("\"a/2, \"\"odd\"\".yml\"", "\"a/2"),
            refusal(",a/1.yml", ""),
            refusal(
                "impact,1,60.000000,4000000000,false,b/4.yml",
                "bmc,1,60.000000,4000000000,false,b/4.yml"
            ),
        ]
        .join("\n")
    );
    assert!(matches!(Results::parse(b"\xff\n"), Err(ReadError::Line(1, _))));
    assert!(matches!(Results::read(&files.path("none")), Err(ReadError::Io(_))));
}
