//! Obligations as SMT-LIB scripts, so that other solvers can check them.

use rorqual_logic::{TermPool, smtlib};

use crate::check::Obligation;

/// The script of an obligation. Its answer must be `unsat`.
pub fn obligation_text(pool: &TermPool, obligation: &Obligation) -> String {
    let logic = smtlib::logic_of(pool, &obligation.formulas);
    let script = smtlib::script(pool, &obligation.formulas, logic);
    let (first, rest) = script.split_once('\n').unwrap_or((&script, ""));
    let claim = obligation.claim.replace('\n', " ");
    format!("; {claim}\n{first}\n(set-info :status unsat)\n{rest}")
}
