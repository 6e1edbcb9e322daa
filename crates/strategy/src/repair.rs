//! Proofs of earlier versions that do not hold any more. Their formulas are candidates: those that are still inductive are
//! kept, their atoms are what the next inference rounds begin with, and IMPACT searches for the rest.

use rorqual_cfa::LocationId;
use rorqual_encoding::{Detail, Encoding};
use rorqual_engines::impact::Impact;
use rorqual_engines::{Engine, Task};
use rorqual_evidence::{Answer, CallString, Invariant};
use rorqual_inference::proof::{all_points, conjuncts_of};
use rorqual_inference::{Facts, Interest, inductive};
use rorqual_logic::{Sort, smtlib};
use rorqual_solver::Limits;

use crate::facts::FactInference;

/// A repair that needs more refinements than these is a search, which has better ways.
const REFINEMENTS: usize = 100;
const CONFLICTS: u32 = 20_000;

/// Searches for a proof, given the invariant of an earlier version in the words of this one.
pub fn repair(task: &Task<'_>, earlier: &Invariant, detail: Detail, limits: &Limits) -> Answer {
    let impact =
        Impact { detail, refinements: Some(REFINEMENTS), conflicts: Some(CONFLICTS), ..Impact::default() };
    let mut inference = FactInference::repairing(task, Earlier::of(earlier));
    impact.run(task, &mut inference, limits, &mut ())
}

/// What an earlier version's invariant says, place by place.
pub(crate) struct Earlier {
    places: Vec<(CallString, LocationId, String)>,
}

impl Earlier {
    fn of(invariant: &Invariant) -> Earlier {
        let text = |one: &rorqual_evidence::LocationInvariant| {
            let text = smtlib::term_text(&invariant.pool, one.formula);
            (one.calls.clone(), one.location, text)
        };
        Earlier { places: invariant.locations.iter().map(text).collect() }
    }

    /// The formulas at the points of a program, as far as they are about something that it has.
    pub(crate) fn interest(&self, encoding: &mut Encoding<'_>) -> Interest {
        // The names of cells are known once the blocks that mention them are translated.
        let points = all_points(encoding);
        let addresses = encoding.declare_addresses();
        let mut interest = Interest::new();
        for point in points {
            let calls = encoding.calls(point.context);
            let here = self.places.iter().filter(|(of, at, _)| *of == calls && *at == point.location);
            for (_, _, text) in here {
                let Ok(term) = smtlib::parse_term(&mut encoding.pool, text) else { continue };
                if encoding.pool.sort(term) == Sort::Bool {
                    let formula = encoding.pool.substitute(term, &addresses);
                    interest.entry(point).or_default().push(formula);
                }
            }
        }
        interest
    }
}

/// The conjuncts of formulas that are still inductive.
pub(crate) fn still_inductive(encoding: &mut Encoding<'_>, interest: &Interest, limits: &Limits) -> Facts {
    let points: Vec<_> = all_points(encoding).into_iter().collect();
    let mut candidates = Interest::new();
    for (&point, formulas) in interest {
        let mut all = Vec::new();
        for &formula in formulas {
            all.extend(conjuncts_of(&mut encoding.pool, &[formula]));
        }
        candidates.insert(point, all);
    }
    let mut facts = Facts::none();
    let kept = inductive(encoding, &points, &facts, candidates, limits);
    facts.add(&mut encoding.pool, kept);
    facts
}

#[cfg(test)]
mod tests {
    use rorqual_certificate::{Certificate, Outcome, check, fingerprint, parse};
    use rorqual_cfa::{Id, Program};
    use rorqual_engines::Setting;
    use rorqual_evidence::{Claim, Verdict};

    use super::*;

    /// A version of a program in which `x` grows by some steps up to a limit.
    fn version(step: &str, limit: &str) -> Program {
        rorqual_testkit::program(
            &"extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) { if (x < LIMIT) x += STEP; if (x & 1) reach_error(); }
                return 0; }"
                .replace("STEP", step)
                .replace("LIMIT", limit),
        )
    }

    /// What the first version's proof says: `x` is even and no more than 90.
    fn earlier(program: &Program) -> Invariant {
        let main =
            program.functions.values().find(|one| one.name == "main").and_then(|one| one.body.as_ref());
        let body = main.expect("it has a body");
        let is_head = |location| {
            let mut edges = body.edges().values();
            edges.any(|edge| edge.target == location && edge.source.index() > location.index())
        };
        let head = body.locations().ids().find(|&location| is_head(location)).expect("it has a loop").index();
        let text = format!(
            "rorqual certificate 1\nprogram {}\ndata-model lp64\nentry main\nerror-functions reach_error\n\
             invariant at <start>:0\n  true\ninvariant <start>:0 at main:{head}\n  \
             (and (= #b0 ((_ extract 0 0) |main::x|)) (bvule |main::x| #x0000005a))\nend\n",
            fingerprint(program)
        );
        let Certificate { claim, .. } = parse(program, &text).expect("a certificate");
        let Claim::Invariant(invariant) = claim else { panic!("an invariant") };
        invariant
    }

    /// Whether a claim is proved.
    fn is_accepted(program: &Program, claim: &Claim) -> bool {
        matches!(check(program, claim, &Limits::none()), Outcome::Accepted { .. })
    }

    #[test]
    fn what_still_holds_is_kept_and_the_rest_is_found_anew() {
        let old = version("2", "90");
        assert!(is_accepted(&old, &Claim::Invariant(earlier(&old))));
        let new = version("2", "100");
        assert!(!is_accepted(&new, &Claim::Invariant(earlier(&new))), "`x` gets to 100");
        let task = Task::new(&new);
        {
            let shared = task.encoding(Setting::default());
            let mut encoding = shared.borrow_mut();
            let interest = Earlier::of(&earlier(&new)).interest(&mut encoding);
            let candidates: usize = interest.values().map(Vec::len).sum();
            assert_eq!(candidates, 1, "that of the loop");
            let kept = still_inductive(&mut encoding, &interest, &Limits::none());
            let conjuncts = all_points(&mut encoding).into_iter().flat_map(|point| kept.conjuncts(point));
            assert_eq!(conjuncts.count(), 1, "that `x` is even is kept, the bound is not");
        }
        let answer = repair(&task, &earlier(&new), Detail::Full, &Limits::none());
        let Verdict::Safe(claim) = answer.verdict else { panic!("{:?}", answer.verdict) };
        assert!(is_accepted(&new, &claim));
    }

    #[test]
    fn a_version_with_a_bug_is_not_repaired() {
        let new = version("3", "90");
        let answer = repair(&Task::new(&new), &earlier(&new), Detail::Full, &Limits::none());
        assert!(!matches!(answer.verdict, Verdict::Safe(_)), "{:?}", answer.verdict);
    }
}
