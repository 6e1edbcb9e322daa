//! Stores that are damaged, full, not to be written, or of another version: every message says what to do.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use rorqual_store::{Access, FORMAT, Problem, SqliteStore, Store};
use rusqlite::Connection;
use support::{entry, own_part, process, program};
use tempfile::TempDir;

fn file(directory: &Path) -> PathBuf {
    directory.join("store.sqlite")
}

/// A store with entries, and nothing in its log.
fn store_with(entries: u64) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let store = SqliteStore::open(directory.path(), Access::ReadWrite).expect("it can be opened");
    for id in 0..entries {
        store.put(&entry(id, 3000)).expect("there is room");
    }
    directory
}

/// A problem that the user is told what to do about.
#[track_caller]
fn assert_helpful(problem: &Problem) {
    assert!(problem.help().is_some(), "{problem}");
}

#[test]
fn damaged_bytes_are_noticed() {
    let mut seed: usize = 1;
    let (mut noticed, mut tried) = (0, 0);
    for _ in 0..60 {
        let directory = store_with(12);
        let mut bytes = fs::read(file(directory.path())).expect("it can be read");
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 20) % bytes.len();
            bytes[at..].iter_mut().take(40).for_each(|byte| *byte ^= 0x5a);
        }
        fs::write(file(directory.path()), bytes).expect("it can be written");
        tried += 1;
        let store = match SqliteStore::open(directory.path(), Access::ReadWrite) {
            Ok(store) => store,
            Err(problem) => {
                assert_helpful(&problem);
                noticed += 1;
                continue;
            }
        };
        for id in 0..12 {
            match store.find(&program(id)) {
                // What is not damaged is what was written.
                Ok(found) => {
                    for one in found.iter().filter(|one| one.is_intact) {
                        assert_eq!(one.content.payload, entry(id, 3000).payload);
                    }
                    noticed += usize::from(found.iter().any(|one| !one.is_intact));
                }
                Err(problem) => {
                    assert!(!problem.to_string().is_empty());
                    noticed += 1;
                }
            }
        }
    }
    assert!(noticed >= tried / 2, "{noticed} of {tried}");
}

#[test]
fn files_that_are_cut_off_are_refused_or_read_as_far_as_they_go() {
    let whole = fs::read(file(store_with(12).path())).expect("it can be read");
    for part in 1..20 {
        let directory = store_with(0);
        fs::write(file(directory.path()), &whole[..whole.len() * part / 20]).expect("it can be written");
        let checked = SqliteStore::open(directory.path(), Access::ReadWrite).and_then(|store| {
            let damage = store.damage()?;
            if damage.is_empty() { Ok(()) } else { Err(Problem::Damaged(damage.join("; "))) }
        });
        let problem = checked.expect_err("a part of a file is not a store");
        assert_helpful(&problem);
        // What can be read can be taken over.
        let Ok(store) = SqliteStore::open_any(directory.path()) else { continue };
        let mut output = Vec::new();
        if let Ok((exported, _)) = store.export(&mut output) {
            let other = tempfile::tempdir().expect("a directory can be made");
            let other = SqliteStore::open(other.path(), Access::ReadWrite).expect("it can be opened");
            assert_eq!(other.import(&mut output.as_slice()).expect("it is whole").added, exported);
        }
    }
}

#[test]
fn other_files_are_not_touched() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    fs::write(file(directory.path()), "this is my diary, and not a store").expect("it can be written");
    let problem = SqliteStore::open(directory.path(), Access::ReadWrite).expect_err("it is no store");
    assert_helpful(&problem);
    assert!(fs::read_to_string(file(directory.path())).expect("it is text").starts_with("this is my diary"));
    let other = tempfile::tempdir().expect("a directory can be made");
    let database = Connection::open(file(other.path())).expect("it can be made");
    database.execute_batch("CREATE TABLE friends (name TEXT)").expect("it is SQL");
    let problem = SqliteStore::open(other.path(), Access::ReadWrite).expect_err("it is no store of ours");
    assert!(matches!(problem, Problem::Foreign(_)), "{problem}");
    assert_helpful(&problem);
}

#[test]
fn a_store_of_another_version_can_be_taken_over() {
    let directory = store_with(5);
    let database = Connection::open(file(directory.path())).expect("it is a database");
    database.pragma_update(None, "user_version", FORMAT + 1).expect("it can be changed");
    drop(database);
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let problem = SqliteStore::open(directory.path(), access).expect_err("it has another format");
        assert!(matches!(problem, Problem::OtherFormat { found, .. } if found == FORMAT + 1), "{problem}");
        let help = problem.help().expect("there is a way out");
        assert!(help.contains("rorqual store export") && help.contains("rorqual store import"), "{help}");
    }
    let mut output = Vec::new();
    let old = SqliteStore::open_any(directory.path()).expect("it can be exported");
    assert_eq!(old.export(&mut output), Ok((5, 0)));
    let new = tempfile::tempdir().expect("a directory can be made");
    let new = SqliteStore::open(new.path(), Access::ReadWrite).expect("it can be opened");
    assert_eq!(new.import(&mut output.as_slice()).expect("it is whole").added, 5);
    assert_eq!(new.find(&program(3)).expect("it can be read")[0].content, entry(3, 3000));
}

#[test]
fn a_directory_that_cannot_be_made_is_a_clear_problem() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let blocked = directory.path().join("file");
    fs::write(&blocked, "").expect("it can be written");
    let problem =
        SqliteStore::open(&blocked.join("store"), Access::ReadWrite).expect_err("a file is in the way");
    assert!(matches!(problem, Problem::Unreachable { .. }), "{problem}");
    let problem = SqliteStore::open(directory.path(), Access::ReadOnly).expect_err("there is none");
    assert_eq!(problem, Problem::Missing(directory.path().to_owned()));
    assert_helpful(&problem);
}

/// Not a test: a process without the right to write.
#[test]
fn reader() {
    let Some((directory, entries)) = own_part() else { return };
    let store = SqliteStore::open(&directory, Access::ReadOnly).expect("it can be read");
    assert_eq!(store.entries().expect("it can be read").len() as u64, entries);
    assert!(matches!(store.put(&entry(99, 10)), Err(Problem::ReadOnly(_))));
    let problem = SqliteStore::open(&directory, Access::ReadWrite).map(|store| store.put(&entry(99, 10)));
    let problem = problem.and_then(|put| put).expect_err("it cannot be written");
    assert!(matches!(problem, Problem::ReadOnly(_) | Problem::Unreachable { .. }), "{problem}");
    assert_helpful(&problem);
    println!("reader is done");
}

#[test]
fn a_directory_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let directory = store_with(4);
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    set(&file(directory.path()), 0o444);
    set(directory.path(), 0o555);
    let mut command = process("reader", directory.path(), 4);
    // Nothing is forbidden to the superuser.
    if std::os::unix::fs::MetadataExt::uid(&fs::metadata(directory.path()).expect("it is there")) == 0 {
        command.uid(65_534).gid(65_534);
    }
    let output = command.output();
    set(directory.path(), 0o755);
    match output {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && text.contains("reader is done"), "{text}");
        }
        Err(error) => eprintln!("skipped: a_directory_that_cannot_be_written_can_be_read: {error}"),
    }
}

/// Not a test: a process that may not write large files.
#[test]
fn hoarder() {
    let Some((directory, _)) = own_part() else { return };
    let store = SqliteStore::open(&directory, Access::ReadWrite).expect("there is room for an empty store");
    let mut written = Vec::new();
    let problem = loop {
        let id = written.len() as u64;
        match store.put(&entry(id, 4000)) {
            Ok(()) => written.push(id),
            Err(problem) => break problem,
        }
        assert!(written.len() < 10_000, "the disk is never full");
    };
    assert!(matches!(problem, Problem::Full(_)), "{problem}");
    assert_helpful(&problem);
    for id in written {
        assert_eq!(store.find(&program(id)).expect("what was written can be read").len(), 1);
    }
    println!("hoarder is done");
}

#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let command = process("hoarder", directory.path(), 0);
    // A limit for the size of files is the disk that is full soonest; the signal that goes with it is ignored.
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 4000; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().expect("the shell starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("hoarder is done"), "{text}");
    let store = SqliteStore::open(directory.path(), Access::ReadWrite).expect("it can be opened");
    assert_eq!(store.damage(), Ok(vec![]));
    assert!(store.entries().expect("it can be read").len() > 10);
    store.put(&entry(77_777, 4000)).expect("there is room again");
}
