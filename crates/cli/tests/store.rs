//! `check --store` and `store`: answers of earlier runs count only if their evidence holds for the program at hand.

mod support;

use rorqual_store::{Access, Evidence, Kind, NewEntry, Outlines, Record, SqliteStore, Store};
use serde_json::Value;
use support::{Answer, Workspace};

const SAFE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) { int doubled = x + x; return doubled; }
int main(void) {
    int i = 0, sum = 0;
    while (__VERIFIER_nondet_int()) {
        i = i + 1;
        sum = sum + 2;
    }
    if (sum != twice(i))
        reach_error();
    return 0;
}
";

/// The same, with other names of locals, another order of functions, other formatting.
const RENAMED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int number);
/* It counts. */
int main(void)
{
    int counter = 0, total = 0;

    while (__VERIFIER_nondet_int()) {
        counter = counter + 1; total = total + 2;
    }
    if (total != twice(counter)) reach_error();
    return 0;
}

static int twice(int number)
{
    int result = number + number;
    return result;
}
";

fn unsafe_program() -> String {
    SAFE.replace("sum = sum + 2", "sum = sum + 3")
}

fn json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.output).expect("the output is one document")
}

/// How many properties the store has answered, and how many not.
fn hits(answer: &Answer) -> (u64, u64) {
    let document = json(answer);
    let count = |name: &str| document["store"][name].as_u64().expect("it is counted");
    (count("hits"), count("misses"))
}

fn open(workspace: &Workspace) -> SqliteStore {
    SqliteStore::open(&workspace.path().join("proofs"), Access::ReadWrite).expect("it can be opened")
}

#[test]
fn a_second_run_takes_the_proof_from_the_store() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    let first = workspace.rorqual("check a.c --store proofs --stats");
    assert_eq!((first.code, first.line().as_str()), (0, "safe\n"), "{first:?}");
    assert!(first.messages.contains("  entries added to the store: 1\n"), "{}", first.messages);
    let second = workspace.rorqual("check a.c --store proofs --stats");
    assert_eq!((second.code, second.line().as_str()), (0, "safe\n"), "{second:?}");
    assert!(second.output.contains("in an earlier run (stored); proof checked again: "), "{}", second.output);
    assert!(second.messages.contains("  properties answered by the store: 1\n"), "{}", second.messages);
    assert!(second.messages.contains("  time saved by the store: "), "{}", second.messages);
    let third = workspace.rorqual("check a.c --store proofs --format json --certificate a.cert");
    assert_eq!(json(&third)["origin"]["stored"], true);
    assert_eq!(hits(&third), (1, 0));
    // A proof from the store is as good as any.
    assert_eq!(workspace.rorqual("certify a.c --certificate a.cert").code, 0);
}

#[test]
fn names_of_locals_formatting_and_the_order_of_functions_do_not_matter() {
    let workspace = Workspace::new(&[("a.c", SAFE), ("b.c", RENAMED)]);
    assert_eq!(workspace.rorqual("check a.c --store proofs").code, 0);
    let answer = workspace.rorqual("check b.c --store proofs --format json");
    assert_eq!((answer.code, hits(&answer)), (0, (1, 0)), "{answer:?}");
    // Invariants are shown with the names of this program.
    let formulas = json(&answer)["invariants"].to_string();
    assert!(!formulas.contains('$') && !formulas.contains("sum"), "{formulas}");
}

#[test]
fn what_matters_is_proved_again() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    assert_eq!(workspace.rorqual("check a.c --store proofs").code, 0);
    for other in ["--data-model ilp32", "--undefined any", "--error-function abort"] {
        let answer = workspace.rorqual(&format!("check a.c --store proofs --format json {other}"));
        // Nothing is known of this program, but perhaps the proof of another one holds.
        assert_eq!(
            hits(&answer).0,
            json(&answer)["store"]["adapted"].as_u64().expect("it is counted"),
            "{other}"
        );
    }
    workspace.write("a.c", unsafe_program().as_bytes());
    let answer = workspace.rorqual("check a.c --store proofs --format json");
    assert_eq!((answer.code, hits(&answer)), (10, (0, 1)), "{answer:?}");
}

#[test]
fn violations_are_replayed() {
    let workspace = Workspace::new(&[("a.c", &unsafe_program())]);
    let first = workspace.rorqual("check a.c --store proofs");
    let second = workspace.rorqual("check a.c --store proofs");
    assert_eq!((first.code, second.code), (10, 10));
    assert_eq!(first.line(), second.line());
    assert!(
        second.output.contains("in an earlier run (stored); replayed and confirmed"),
        "{}",
        second.output
    );
}

#[test]
fn each_property_is_answered_by_the_store() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0}, i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (n > 0)
        a[1] = 12 / n;
    a[i] = 1;
    return 7 / i + a[n & 3];
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    let run = || workspace.rorqual("check a.c --check bounds,div-zero --store proofs --format json");
    let (first, second) = (run(), run());
    let verdicts = |answer: &Answer| -> Vec<(Value, Value)> {
        let document = json(answer);
        let properties = document["properties"].as_array().expect("a list").clone();
        properties.iter().map(|one| (one["id"].clone(), one["verdict"].clone())).collect()
    };
    assert_eq!(verdicts(&first), verdicts(&second));
    assert!(verdicts(&first).len() >= 4, "{first:?}");
    assert_eq!(hits(&second).1, 0, "{second:?}");
    // One of them alone is not what the proof is about, so it is searched and then kept too.
    let alone = workspace.rorqual("check a.c --property-id main.div-zero.1 --store proofs --format json");
    assert_eq!(alone.code, 0, "{alone:?}");
}

/// Proofs that rest on operations being defined have a second proof, which is stored too.
#[test]
fn second_proofs_are_checked_again() {
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int a[8], i = 0;
    while (i < 8) { a[i] = 3; i = i + 1; }
    unsigned k = __VERIFIER_nondet_uint() % 8;
    while (__VERIFIER_nondet_uint()) k = (k + 1) % 8;
    if (a[k] != 3)
        reach_error();
    return 0;
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    let first = workspace.rorqual("check a.c --store proofs");
    assert_eq!(first.code, 0, "{first:?}");
    let second = workspace.rorqual("check a.c --store proofs --format json");
    assert_eq!((second.code, hits(&second)), (0, (1, 0)), "{second:?}");
    assert_eq!(first.line(), workspace.rorqual("check a.c --store proofs").line());
}

#[test]
fn nothing_is_stored_without_a_verdict() {
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), n = 0;
    while (x > 1) { x = x & 1 ? 3 * x + 1 : x / 2; n++; }
    if (n == 2000000000) reach_error();
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    let answer = workspace.rorqual("check a.c --store proofs --time-limit 1s");
    assert_eq!(answer.code, 20, "{answer:?}");
    assert_eq!(open(&workspace).entries(), Ok(vec![]));
}

/// Puts evidence for one program at the place of another.
fn forge(workspace: &Workspace, change: impl Fn(&NewEntry, &NewEntry) -> NewEntry) {
    assert_eq!(workspace.rorqual("check good.c --store proofs").code, 0);
    assert_eq!(workspace.rorqual("check bad.c --store proofs").code, 10);
    let store = open(workspace);
    let entries = store.entries().expect("it can be read");
    let of =
        |kind: Kind| &entries.iter().find(|entry| entry.content.kind == kind).expect("it was stored").content;
    store.put(&change(of(Kind::Proof), of(Kind::Violation))).expect("it can be written");
}

fn both_programs() -> Workspace {
    Workspace::new(&[("good.c", SAFE), ("bad.c", &unsafe_program())])
}

#[test]
fn a_proof_of_another_program_is_not_believed() {
    let workspace = both_programs();
    forge(&workspace, |proof, violation| NewEntry {
        payload: proof.payload.clone(),
        kind: Kind::Proof,
        ..violation.clone()
    });
    let answer = workspace.rorqual("check bad.c --store proofs");
    assert_eq!(answer.code, 10, "{answer:?}");
    assert!(answer.messages.starts_with("warning: the stored entry "), "{}", answer.messages);
    assert!(
        answer.messages.contains("is not used, and set aside: it is not proved that"),
        "{}",
        answer.messages
    );
    assert!(answer.messages.contains("  = help: `rorqual store show DIR "), "{}", answer.messages);
    assert!(!answer.output.contains("stored"), "{}", answer.output);
    // The entry was replaced by what was found.
    let again = workspace.rorqual("check bad.c --store proofs --format json");
    assert_eq!((again.code, hits(&again), again.messages.as_str()), (10, (1, 0), ""), "{again:?}");
}

#[test]
fn inputs_of_another_program_are_not_believed() {
    let workspace = both_programs();
    forge(&workspace, |proof, violation| NewEntry {
        payload: violation.payload.clone(),
        kind: Kind::Violation,
        ..proof.clone()
    });
    let answer = workspace.rorqual("check good.c --store proofs --store-mode verify");
    assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{answer:?}");
    assert!(answer.messages.starts_with("error: the stored entry "), "{}", answer.messages);
    assert!(answer.messages.contains("its inputs lead to no violation"), "{}", answer.messages);
}

/// Whatever an entry says, the verdict is that of the program.
#[test]
fn forged_evidence_changes_no_verdict() {
    let certificates = [
        "",
        "rorqual certificate 9\n",
        "rorqual certificate 1\nprogram -\ndata-model lp64\nentry main\nerror-functions\nend\n",
        "rorqual certificate 4\nprogram -\ndata-model lp64\nentry main\nerror-functions\nunwinding\nend\n",
        "rorqual certificate 1\nprogram -\ndata-model lp64\nentry main\nerror-functions\n\
         invariant <start>:0 at main:2\n  false\nend\n",
        "rorqual certificate 2\nprogram -\ndata-model lp64\nentry main\nerror-functions\n\
         contract main\nrequires\n  false\nensures at 1\n  true\nend\n",
        "rorqual certificate 3\nprogram -\ndata-model lp64\nentry main\nerror-functions\n\
         assuming access $1\nassuming writes-nothing reach_error\nend\n",
    ];
    let workspace = both_programs();
    for certificate in certificates {
        for without_models in [false, true] {
            forge(&workspace, |_, violation| {
                let old = Record::parse(&violation.payload).expect("it was stored");
                let evidence = Evidence::Proof {
                    certificate: certificate.to_owned(),
                    without_models,
                    checked_in: 0,
                    refutations: Vec::new(),
                    outlines: Outlines::default(),
                };
                let payload = Record { evidence, ..old }.to_text();
                NewEntry { payload, kind: Kind::Proof, ..violation.clone() }
            });
            let answer = workspace.rorqual("check bad.c --store proofs");
            assert_eq!(answer.code, 10, "{certificate}: {answer:?}");
            assert!(answer.messages.contains("set aside"), "{certificate}: {}", answer.messages);
        }
    }
    for payload in ["", "{}", "safe", "{\"properties\":[\"main.assertions.1\"],\"evidence\":\"safe\"}"] {
        forge(&workspace, |proof, _| NewEntry { payload: payload.to_owned(), ..proof.clone() });
        let answer = workspace.rorqual("check good.c --store proofs");
        assert_eq!(answer.code, 0, "{payload}: {answer:?}");
        assert!(answer.messages.contains("it cannot be read"), "{payload}: {}", answer.messages);
    }
}

/// A program whose proof by bounds has to be searched for; with a claim that is wrong it is violated.
fn bounded(claim: &str) -> String {
    format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
         int main(void) {{\n    unsigned n = __VERIFIER_nondet_uint() % 5000, m = n, sum = 0;\n\
             while (m > 0) {{\n        sum = sum + m % 10;\n        m = m / 10;\n    }}\n\
             if (!({claim}))\n        reach_error();\n    return 0;\n}}\n"
    )
}

/// Refutations that the checker has found are kept with a proof, and change no verdict whatever they say.
#[test]
fn refutations_are_kept_and_not_believed() {
    let (right, wrong) = (bounded("sum % 9 == n % 9"), bounded("sum % 7 == n % 7"));
    let workspace = Workspace::new(&[("good.c", &right), ("bad.c", &wrong)]);
    let check =
        |file: &str| workspace.rorqual(&format!("check {file} --engine bmc --store proofs --format json"));
    assert_eq!(check("good.c").code, 0);
    assert_eq!(check("bad.c").code, 10);
    let store = open(&workspace);
    let entries = store.entries().expect("it can be read");
    let of =
        |kind: Kind| &entries.iter().find(|entry| entry.content.kind == kind).expect("it was stored").content;
    let record = Record::parse(&of(Kind::Proof).payload).expect("it can be read");
    let Evidence::Proof { refutations, .. } = &record.evidence else { panic!("it is a proof") };
    assert!(refutations.len() == 1 && refutations[0].len() > 1000, "{refutations:?}");
    let again = check("good.c");
    assert_eq!((again.code, hits(&again)), (0, (1, 0)), "{again:?}");
    // What is a proof of one program is none of another one, with all its refutations.
    let payload = record.to_text();
    store
        .put(&NewEntry { payload, kind: Kind::Proof, ..of(Kind::Violation).clone() })
        .expect("it can be written");
    let forged = check("bad.c");
    assert_eq!((forged.code, hits(&forged)), (10, (0, 1)), "{forged:?}");
    // Without them, or with others, the proof is as good as before.
    for other in [vec![], vec!["0".to_owned()], vec!["nothing".to_owned()], vec![refutations[0].repeat(2)]] {
        let mut spoiled = record.clone();
        if let Evidence::Proof { refutations, .. } = &mut spoiled.evidence {
            *refutations = other;
        }
        let payload = spoiled.to_text();
        store.put(&NewEntry { payload, ..of(Kind::Proof).clone() }).expect("it can be written");
        let again = check("good.c");
        assert_eq!((again.code, hits(&again)), (0, (1, 0)), "{again:?}");
    }
}

#[test]
fn modes_do_what_they_say() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    assert_eq!(workspace.rorqual("check a.c --store proofs --store-mode off").code, 0);
    assert!(!workspace.path().join("proofs").exists());
    let missing = workspace.rorqual("check a.c --store proofs --store-mode read-only");
    assert_eq!((missing.code, missing.output.as_str()), (64, ""));
    insta::assert_snapshot!(missing.messages, @r"
    error: there is no store in `proofs`
      = help: `rorqual check --store DIR` makes one
    ");
    assert_eq!(workspace.rorqual("check a.c --store proofs").code, 0);
    let before = open(&workspace).entries();
    let read = workspace.rorqual("check a.c --store proofs --store-mode read-only --format json");
    assert_eq!((read.code, hits(&read)), (0, (1, 0)));
    assert_eq!(open(&workspace).entries(), before);
    workspace.write("a.c", unsafe_program().as_bytes());
    assert_eq!(workspace.rorqual("check a.c --store proofs --store-mode read-only").code, 10);
    assert_eq!(open(&workspace).entries(), before);
    let limited = workspace.rorqual("check a.c --store proofs --store-mode read-only --store-limit 1MB");
    assert_eq!(limited.code, 64, "{limited:?}");
    assert_eq!(workspace.rorqual("check a.c --store-mode verify").code, 64);
}

#[test]
fn stores_that_cannot_be_opened_are_wrong_usage() {
    let workspace =
        Workspace::new(&[("a.c", SAFE), ("file", "text"), ("other/store.sqlite", "this is something else")]);
    let answer = workspace.rorqual("check a.c --store file/proofs");
    assert_eq!((answer.code, answer.output.as_str()), (64, ""), "{answer:?}");
    assert!(
        answer.messages.contains("  = help: name a directory that can be written"),
        "{}",
        answer.messages
    );
    let answer = workspace.rorqual("check a.c --store other");
    assert_eq!((answer.code, answer.output.as_str()), (64, ""), "{answer:?}");
    assert!(answer.messages.contains("  = help: "), "{}", answer.messages);
    assert_eq!(workspace.read("other/store.sqlite"), "this is something else");
}

/// Damage behind the first page is noticed only when something is read or written.
#[test]
fn a_store_that_fails_later_changes_no_verdict() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    assert_eq!(workspace.rorqual("check a.c --store proofs").code, 0);
    let file = workspace.path().join("proofs/store.sqlite");
    let mut bytes = std::fs::read(&file).expect("it can be read");
    bytes[4096..].fill(0x5a);
    std::fs::write(&file, bytes).expect("it can be written");
    let answer = workspace.rorqual("check a.c --store proofs");
    assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{answer:?}");
    assert!(
        answer.messages.starts_with("warning: the check goes on without the store: "),
        "{}",
        answer.messages
    );
    assert!(answer.messages.contains("  = help: save what can be read"), "{}", answer.messages);
    assert_eq!(answer.messages.matches("warning").count(), 1, "{}", answer.messages);
}

#[test]
fn a_full_disk_changes_no_verdict() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    // An empty store fits, an entry does not.
    drop(open(&workspace));
    let binary = support::binary();
    let line = format!("trap '' XFSZ; ulimit -f 66; exec {} check a.c --store proofs", binary.display());
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &line]).current_dir(workspace.path()).output().expect("the shell starts");
    let answer = workspace.answer(output);
    assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{answer:?}");
    assert!(
        answer.messages.contains("warning: the check goes on without the store: "),
        "{}",
        answer.messages
    );
    assert!(answer.messages.contains("  = help: make room on the disk"), "{}", answer.messages);
}

#[test]
fn a_store_that_is_never_of_use_is_noticed() {
    let workspace = Workspace::new(&[]);
    for version in 0..7 {
        // Each version needs a proof of its own.
        let (step, start) = (version + 2, 3 * version);
        let text = SAFE
            .replace("x + x", &format!("{step} * x + {start}"))
            .replace("sum = 0", &format!("sum = {start}"))
            .replace("sum + 2", &format!("sum + {step}"));
        workspace.write("a.c", text.as_bytes());
        let answer = workspace.rorqual("check a.c --store proofs");
        let is_told = answer.messages.contains("versions of a.c, and none of them was ever found again");
        assert_eq!((answer.code, is_told), (0, version >= 5), "{version}: {answer:?}");
    }
    let answer = workspace.rorqual("check a.c --store proofs");
    assert_eq!(answer.messages, "");
}

#[test]
fn the_oldest_proofs_go_when_the_limit_is_reached() {
    let workspace = Workspace::new(&[("a.c", SAFE), ("b.c", &unsafe_program())]);
    assert_eq!(workspace.rorqual("check a.c --store proofs").code, 0);
    let size = open(&workspace).summary().expect("it can be read").size;
    let limited = workspace.rorqual(&format!("check b.c --store proofs --store-limit {size}"));
    assert_eq!(limited.code, 10, "{limited:?}");
    let left = open(&workspace).entries().expect("it can be read");
    assert_eq!(left.iter().map(|entry| entry.content.kind).collect::<Vec<_>>(), [Kind::Violation]);
    let tiny = workspace.rorqual("check a.c --store proofs --store-limit 10");
    assert_eq!(tiny.code, 0, "{tiny:?}");
    assert!(tiny.messages.contains("= help: raise the limit with `--store-limit SIZE`"), "{}", tiny.messages);
}

/// A text without times and sizes, which differ from run to run.
fn without_numbers(text: &str) -> String {
    let word = |word: &str| match word.chars().next() {
        Some(first) if first.is_ascii_digit() && word.len() > 2 => "N".to_owned(),
        _ => word.to_owned(),
    };
    let line =
        |line: &str| line.split(' ').filter(|part| !part.is_empty()).map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_store_can_be_looked_at() {
    let workspace = both_programs();
    assert_eq!(workspace.rorqual("check good.c --store proofs").code, 0);
    assert_eq!(workspace.rorqual("check bad.c --store proofs").code, 10);
    let list = workspace.rorqual("store list proofs");
    let lines: Vec<&str> = list.output.lines().collect();
    assert_eq!((list.code, lines.len()), (0, 3), "{list:?}");
    assert!(lines[0].contains("  proof ") && lines[0].ends_with("good.c: main.assertions.1"), "{}", lines[0]);
    assert!(
        lines[1].contains("  violation ") && lines[1].ends_with("bad.c: main.assertions.1"),
        "{}",
        lines[1]
    );
    assert!(lines[2].starts_with("2 entries, "), "{}", lines[2]);
    let document = json(&workspace.rorqual("store list proofs --format json"));
    assert_eq!(document["entries"][0]["kind"], "proof");
    let key = document["entries"][0]["key"].as_str().expect("it is a text").to_owned();
    let shown = workspace.rorqual(&format!("store show proofs {}", &key[..10]));
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(shown.output.contains("certificate:\n  rorqual certificate "), "{}", shown.output);
    assert!(shown.output.contains("|main::$"), "{}", shown.output);
    assert!(without_numbers(&shown.output).contains("functions:\n"), "{}", shown.output);
    let shown = json(&workspace.rorqual(&format!("store show proofs {key} --format json")));
    assert!(shown["evidence"]["evidence"]["proof"]["certificate"].is_string(), "{shown}");
    let none = workspace.rorqual("store show proofs zzz");
    assert_eq!(none.code, 64, "{none:?}");
    assert!(none.messages.contains("= help: `rorqual store list DIR` lists all keys"), "{}", none.messages);
    assert_eq!(workspace.rorqual("store list nowhere").code, 64);
}

#[test]
fn a_store_can_be_checked_and_made_smaller() {
    let workspace = both_programs();
    assert_eq!(workspace.rorqual("check good.c --store proofs").code, 0);
    assert_eq!(workspace.rorqual("check bad.c --store proofs").code, 10);
    let verified = workspace.rorqual("store verify proofs");
    assert_eq!(verified.code, 0, "{verified:?}");
    assert!(verified.output.starts_with("nothing is wrong: 2 entries, "), "{}", verified.output);
    let store = open(&workspace);
    let broken =
        NewEntry { payload: "{}".to_owned(), ..store.entries().expect("it can be read")[0].content.clone() };
    store.put(&broken).expect("it can be written");
    drop(store);
    let verified = workspace.rorqual("store verify proofs");
    assert_eq!(verified.code, 20, "{verified:?}");
    assert!(
        verified.output.starts_with("1 entry was damaged, and is set aside: 1 entry, 1 set aside, "),
        "{}",
        verified.output
    );
    let collected = workspace.rorqual("store gc proofs");
    assert!(collected.output.starts_with("removed 1 entry with "), "{collected:?}");
    let collected = workspace.rorqual("store gc proofs --limit 1");
    assert!(collected.output.starts_with("removed 1 entry with "), "{collected:?}");
    assert!(collected.output.ends_with("0 entries, 0 of at most 1 bytes\n"), "{collected:?}");
}

#[test]
fn a_store_of_another_version_is_taken_over_as_the_message_says() {
    let workspace = Workspace::new(&[("a.c", SAFE)]);
    assert_eq!(workspace.rorqual("check a.c --store old").code, 0);
    let file = workspace.path().join("old/store.sqlite");
    // The number of the version is at a fixed place in files of SQLite.
    let mut bytes = std::fs::read(&file).expect("it can be read");
    bytes[60..64].copy_from_slice(&7u32.to_be_bytes());
    std::fs::write(&file, bytes).expect("it can be written");
    let refused = workspace.rorqual("check a.c --store old");
    assert_eq!((refused.code, refused.output.as_str()), (64, ""));
    insta::assert_snapshot!(refused.messages, @r"
    error: the store in `old` has format 7, and this version of rorqual uses format 1
      = help: take its entries over: `rorqual store export old --output entries.jsonl`, and then `rorqual store import NEW_DIR entries.jsonl`
    ");
    let exported = workspace.rorqual("store export old --output entries.jsonl");
    assert_eq!(
        (exported.code, exported.output.as_str()),
        (0, "exported 1 entry to entries.jsonl\n"),
        "{exported:?}"
    );
    let imported = workspace.rorqual("store import new entries.jsonl");
    assert_eq!((imported.code, imported.output.as_str()), (0, "imported 1 entry\n"), "{imported:?}");
    let answer = workspace.rorqual("check a.c --store new --format json");
    assert_eq!((answer.code, hits(&answer)), (0, (1, 0)), "{answer:?}");
    let bad = workspace.rorqual("store import new a.c");
    assert_eq!(bad.code, 65, "{bad:?}");
    assert!(
        bad.messages.contains("this is not a file of `rorqual store export`; nothing was imported"),
        "{}",
        bad.messages
    );
}
