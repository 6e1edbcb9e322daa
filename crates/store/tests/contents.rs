//! What stores keep, what they let go, and what is taken from one to another.

mod support;

use std::time::Duration;

use rorqual_store::{
    Access, Collected, Experience, FunctionContent, Key, Kind, NewEntry, Problem, SqliteStore, Store,
};
use support::{entry, program};
use tempfile::TempDir;

fn open() -> (TempDir, SqliteStore) {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let store = SqliteStore::open(directory.path(), Access::ReadWrite).expect("it can be opened");
    (directory, store)
}

#[test]
fn entries_are_found_again_as_they_were() {
    let (directory, store) = open();
    let function = FunctionContent { name: "main".to_owned(), hash: Key::builder("function").finish() };
    let first = NewEntry { functions: vec![function], cost: Duration::from_millis(1234), ..entry(1, 100) };
    let second = NewEntry {
        key: program(2),
        functions: first.functions.clone(),
        program: program(1),
        kind: Kind::Violation,
        ..entry(1, 50)
    };
    store.put(&first).expect("there is room");
    store.put(&second).expect("there is room");
    store.put(&entry(3, 10)).expect("there is room");
    drop(store);
    let store = SqliteStore::open(directory.path(), Access::ReadOnly).expect("it is there");
    let found = store.find(&program(1)).expect("it can be read");
    assert_eq!(found.iter().map(|one| &one.content).collect::<Vec<_>>(), [&first, &second]);
    assert!(found.iter().all(|one| one.is_intact && one.uses == 0 && one.quarantined.is_none()));
    assert_eq!(store.find(&program(4)), Ok(vec![]));
}

#[test]
fn a_later_entry_takes_the_place_of_one_with_its_key() {
    let (_directory, store) = open();
    store.put(&entry(1, 100)).expect("there is room");
    store.quarantine(&program(1), "it does not hold").expect("it can be written");
    assert_eq!(store.find(&program(1)), Ok(vec![]));
    assert_eq!(store.entries().expect("it can be read")[0].quarantined.as_deref(), Some("it does not hold"));
    store.put(&entry(1, 200)).expect("there is room");
    let found = store.find(&program(1)).expect("it can be read");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].content, entry(1, 200));
}

#[test]
fn what_was_of_use_longest_ago_goes_first() {
    let (_directory, store) = open();
    let size = entry(0, 1000).size();
    store.set_limit(4 * size).expect("it can be written");
    for id in 0..4 {
        store.put(&entry(id, 1000)).expect("there is room");
        // Times are in milliseconds.
        std::thread::sleep(Duration::from_millis(3));
    }
    store.mark_used(&program(0)).expect("it can be written");
    store.put(&entry(4, 1000)).expect("there is room");
    let left = |store: &SqliteStore| -> Vec<u64> {
        (0..6).filter(|&id| !store.find(&program(id)).expect("it can be read").is_empty()).collect()
    };
    assert_eq!(left(&store), [0, 2, 3, 4]);
    let problem = store.put(&entry(5, 9000)).expect_err("it is too large");
    assert!(matches!(problem, Problem::TooLarge { .. }) && problem.help().is_some(), "{problem}");
    assert_eq!(left(&store), [0, 2, 3, 4]);
    store.quarantine(&program(4), "it does not hold").expect("it can be written");
    store.set_limit(2 * size).expect("it can be written");
    assert_eq!(store.collect(), Ok(Collected { entries: 2, size: 2 * size }));
    assert_eq!(left(&store), [0, 3]);
    let summary = store.summary().expect("it can be read");
    assert_eq!(
        (summary.entries, summary.quarantined, summary.size, summary.limit),
        (2, 0, 2 * size, 2 * size)
    );
}

#[test]
fn space_is_given_back() {
    let (_directory, store) = open();
    for id in 0..50 {
        store.put(&entry(id, 20_000)).expect("there is room");
    }
    let size = || std::fs::metadata(store.path()).expect("it is there").len();
    store.collect().expect("it can be written");
    let before = size();
    store.set_limit(100_000).expect("it can be written");
    store.collect().expect("it can be written");
    assert!(size() < before / 4, "{} of {before}", size());
}

#[test]
fn uses_are_counted_by_files() {
    let (_directory, store) = open();
    for id in 0..3 {
        store.put(&entry(id, 10)).expect("there is room");
    }
    assert_eq!(store.experience("a.c"), Ok(Experience { programs: 3, uses: 0 }));
    store.mark_used(&program(1)).expect("it can be written");
    store.mark_used(&program(1)).expect("it can be written");
    assert_eq!(store.experience("a.c"), Ok(Experience { programs: 3, uses: 2 }));
    assert_eq!(store.experience("b.c"), Ok(Experience::default()));
}

#[test]
fn entries_go_from_one_store_to_another_unless_they_are_damaged() {
    let ((_one, from), (_two, to)) = (open(), open());
    for id in 0..3 {
        from.put(&entry(id, 100)).expect("there is room");
    }
    from.quarantine(&program(2), "it does not hold").expect("it can be written");
    let mut output = Vec::new();
    assert_eq!(from.export(&mut output), Ok((2, 1)));
    let text = String::from_utf8(output).expect("it is text");
    to.put(&entry(0, 100)).expect("there is room");
    let imported = to.import(&mut text.as_bytes()).expect("it is whole");
    assert_eq!((imported.added, imported.known, imported.damaged), (1, 1, 0));
    assert_eq!(to.find(&program(1)).expect("it can be read")[0].content, entry(1, 100));
    // A forged content with an old checksum.
    let forged = text.replace("xxx", "xyx");
    let (_three, other) = open();
    assert_eq!(other.import(&mut forged.as_bytes()).expect("it can be read").damaged, 2);
    for bad in ["", "{}\n", "{\"rorqual_store_export\":2}\n", &text[..text.len() / 2]] {
        let problem = other.import(&mut bad.as_bytes()).expect_err("it is no export");
        assert!(matches!(problem, Problem::BadExport { .. }) && problem.help().is_some(), "{problem}");
    }
    assert_eq!(other.entries(), Ok(vec![]), "all or none");
}

#[test]
fn damaged_entries_are_found() {
    let (_directory, store) = open();
    store.put(&entry(0, 10)).expect("there is room");
    store.put(&NewEntry::new(program(1), Kind::Proof, "no record")).expect("there is room");
    store.put(&NewEntry { kind: Kind::Violation, ..entry(2, 10) }).expect("there is room");
    let damaged = store.damaged_entries().expect("it can be read");
    assert_eq!(damaged.iter().map(|(key, _)| key).collect::<Vec<_>>(), [&program(1), &program(2)]);
}

#[test]
fn functions_go_with_the_last_entry_of_their_program() {
    let (_directory, store) = open();
    let function =
        |name: &str| FunctionContent { name: name.to_owned(), hash: Key::builder("function").finish() };
    let functions = vec![function("f"), function("main")];
    for key in [1, 2] {
        let entry =
            NewEntry { key: program(key), program: program(1), functions: functions.clone(), ..entry(1, 10) };
        store.put(&entry).expect("there is room");
    }
    let database = rusqlite::Connection::open(store.path()).expect("it is a database");
    let count = || database.query_row("SELECT count(*) FROM functions", [], |row| row.get::<_, i64>(0));
    for (key, left) in [(1, 2), (2, 0)] {
        store.quarantine(&program(key), "it does not hold").expect("it can be written");
        store.collect().expect("it can be written");
        assert_eq!(count().expect("it can be read"), left);
    }
}
