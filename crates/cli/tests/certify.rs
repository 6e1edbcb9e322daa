//! `certify` from the command line.

mod support;

use support::Workspace;

const PROGRAM: &str = "extern void reach_error(void);
int main(void) {
    int i = 0, x = 0;
    while (i < 10) { i++; x += 2; }
    if (x != 20) reach_error();
    return 0;
}
";

const GOOD: &str = "(and (= |main::x| (bvmul #x00000002 |main::i|)) (bvsle |main::i| #x0000000a)
       (bvsle #x00000000 |main::i|))";

/// A certificate for the program. Its fingerprint is learnt from the message about a wrong one.
fn certificate(workspace: &Workspace, formula: &str) -> String {
    let text = |fingerprint: &str| {
        format!(
            "rorqual certificate 2\nprogram {fingerprint}\ndata-model lp64\nentry main\n\
             error-functions reach_error __VERIFIER_error\ninvariant <start>:0 at main:4\n  {formula}\nend\n"
        )
    };
    workspace.write("wrong.cert", text("0").as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate wrong.cert");
    assert_eq!((answer.code, answer.output.as_str()), (65, ""), "{}", answer.messages);
    let (_, rest) = answer.messages.split_once("but this one is ").expect("the message names the program");
    text(&rest[..32])
}

#[test]
fn a_good_certificate_is_accepted() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let good = certificate(&workspace, GOOD);
    workspace.write("good.cert", good.as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate good.cert --smtlib out --time-limit 60s");
    assert_eq!(answer.code, 0, "{}", answer.messages);
    insta::assert_snapshot!(answer.output, @"accepted: 3 obligations proved");
    assert!(workspace.read("out/0003.smt2").contains("(set-info :status unsat)"));
}

#[test]
fn a_weak_certificate_is_rejected() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let weak = certificate(&workspace, "(bvsle |main::i| #x0000000a)");
    workspace.write("weak.cert", weak.as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate weak.cert");
    assert_eq!(answer.code, 20);
    insta::assert_snapshot!(answer.output, @"rejected: it is not proved that no error is reached from <start>:0 > main:4 (a.c:4:12)");
    assert!(answer.messages.contains("`reach_error` is called at a.c:5:18"), "{}", answer.messages);
}

#[test]
fn an_unreadable_certificate_is_shown_with_its_line() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let bad = certificate(&workspace, "(bvsle |main::y| #x0000000a)");
    workspace.write("bad.cert", bad.as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate bad.cert");
    assert_eq!((answer.code, answer.output.as_str()), (65, ""));
    assert!(answer.messages.contains("bad.cert:7"), "{}", answer.messages);
    let answer = workspace.rorqual("certify a.c --certificate none.cert");
    assert_eq!(answer.code, 65);
    let good = certificate(&workspace, GOOD);
    workspace.write("good.cert", good.as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate good.cert --error-function abort");
    assert_eq!(answer.code, 65, "{}", answer.messages);
}
