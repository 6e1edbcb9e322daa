//! Several processes at once, and processes that are killed: nothing that was committed is lost.

mod support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Child;
use std::time::Duration;

use rorqual_store::{Access, SqliteStore, Store};
use support::{entry, own_part, process, program};

const KILLS: u64 = 100;
/// So many processes write at the same time.
const WRITERS: u64 = 3;
/// No process writes so many entries.
const MOST: u64 = 1_000_000;

/// What a process tells when an entry is committed.
const COMMITTED: &str = "committed ";

/// Not a test: a process that writes until it is killed, or a given number of entries.
#[test]
fn writer() {
    let Some((directory, number)) = own_part() else { return };
    let store = SqliteStore::open(&directory, Access::ReadWrite).expect("it can be opened");
    let count = if number < MOST { MOST } else { 40 };
    let mut output = std::io::stdout();
    for id in number * MOST..number * MOST + count {
        store.put(&entry(id, (id % 40) as usize * 500)).expect("it can be written");
        writeln!(output, "{COMMITTED}{id}").and_then(|()| output.flush()).expect("someone listens");
    }
}

/// Random enough for moments, and the same in each run.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// What a process has committed, which is over by now.
fn committed(mut child: Child, known: &str) -> Vec<u64> {
    let mut output = known.to_owned();
    // The last line may be cut off.
    let _ = child.stdout.take().expect("there is a pipe").read_to_string(&mut output);
    child.wait().expect("it has ended");
    let lines = output.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    lines.filter_map(|line| line.rsplit_once(COMMITTED)?.1.parse().ok()).collect()
}

#[test]
fn what_was_committed_survives_a_hundred_kills() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let mut seed = 1;
    let mut all: BTreeSet<u64> = BTreeSet::new();
    let mut kills = 0;
    while kills < KILLS {
        let mut children: Vec<Child> = (0..WRITERS)
            .map(|at| process("writer", directory.path(), kills + at + 1).spawn().expect("it starts"))
            .collect();
        std::thread::sleep(Duration::from_millis(30 + next(&mut seed) % 120));
        for child in &mut children {
            child.kill().expect("it is ours");
            std::thread::sleep(Duration::from_micros(next(&mut seed) % 3000));
        }
        kills += WRITERS;
        all.extend(children.into_iter().flat_map(|child| committed(child, "")));
        // A new process each time: it has to recover what the others left.
        let store = SqliteStore::open(directory.path(), Access::ReadWrite).expect("it can be opened");
        for &id in all.iter().rev().take(20) {
            assert_eq!(store.find(&program(id)).expect("it can be read").len(), 1, "{id} is lost");
        }
    }
    assert!(all.len() as u64 > KILLS, "only {} entries were written, so the kills came too early", all.len());
    let store = SqliteStore::open(directory.path(), Access::ReadOnly).expect("it can be opened");
    assert_eq!(store.damage(), Ok(vec![]));
    assert_eq!(store.damaged_entries(), Ok(vec![]));
    for &id in &all {
        let found = store.find(&program(id)).expect("it can be read");
        assert!(found.len() == 1 && found[0].is_intact, "{id} is lost");
    }
}

#[test]
fn writers_wait_for_each_other_and_readers_do_not() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let mut children: Vec<Child> =
        (0..4).map(|at| process("writer", directory.path(), MOST + at).spawn().expect("it starts")).collect();
    let mut known = String::new();
    let first = children[0].stdout.as_mut().expect("there is a pipe");
    let mut lines = BufReader::with_capacity(1, first).lines();
    while !known.contains(COMMITTED) {
        known = lines.next().expect("it writes").expect("it is text") + "\n";
    }
    drop(lines);
    let store = SqliteStore::open(directory.path(), Access::ReadOnly).expect("it can be opened");
    assert!(!store.entries().expect("it can be read while others write").is_empty());
    let mut all = Vec::new();
    for child in children {
        all.extend(committed(child, if all.is_empty() { &known } else { "" }));
    }
    assert_eq!(all.len(), 4 * 40);
    assert_eq!(store.entries().expect("it can be read").len(), 4 * 40);
}
