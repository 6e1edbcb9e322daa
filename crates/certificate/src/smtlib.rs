//! Obligations as SMT-LIB scripts, so that other solvers can check them.

use rorqual_logic::{Op, TermPool, smtlib};

use crate::check::Obligation;

/// The script of an obligation. Its answer must be `unsat`.
pub fn obligation_text(pool: &TermPool, obligation: &Obligation) -> String {
    // Constant arrays are in no standard logic of arrays; z3 knows them in `ALL` only.
    let subterms = pool.subterms(&obligation.formulas);
    let constants = subterms.iter().any(|&term| matches!(pool.op(term), Op::ConstArray));
    let logic = if constants { "ALL" } else { smtlib::logic_of(pool, &obligation.formulas) };
    let script = smtlib::script(pool, &obligation.formulas, logic);
    let (first, rest) = script.split_once('\n').unwrap_or((&script, ""));
    let claim = obligation.claim.replace('\n', " ");
    format!("; {claim}\n{first}\n(set-info :status unsat)\n{rest}")
}
