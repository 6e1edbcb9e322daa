//! What a statement about an element is about: the index, or a variable that the index is computed from.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::Encoding;
use rorqual_logic::{Op, Term, TermPool};

use super::indices::{indices, parts, symbol, symbols};
use super::is_over_cells;
use super::variables::Variables;

/// The statement with each number that it may be about replaced by an index symbol. Statements about states in the
/// midst of a block, or about other inputs, are left out.
pub(crate) fn generalised(encoding: &mut Encoding<'_>, variables: &Variables, statement: Term) -> Vec<Term> {
    if has_stores(&encoding.pool, statement) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for subject in subjects(encoding, variables, statement) {
        let width = encoding.pool.width(subject);
        if let Some(any) = symbol(&mut encoding.pool, width) {
            let replaced = HashMap::from([(subject, any)]);
            found.push(encoding.pool.substitute(statement, &replaced));
        }
    }
    found.extend(pairs(encoding, statement));
    found.retain(|&body| is_over_cells(encoding, body));
    found
}

/// The statement with two variables that index arrays replaced by index symbols.
fn pairs(encoding: &mut Encoding<'_>, statement: Term) -> Vec<Term> {
    let pool = &mut encoding.pool;
    let is_variable = |index: &Term| matches!(pool.op(*index), Op::Symbol(_));
    let indices: BTreeSet<Term> = indices(pool, &[statement])
        .into_iter()
        .map(|index| unextended(pool, index))
        .filter(is_variable)
        .collect();
    let indices: Vec<Term> = indices.into_iter().collect();
    let mut found = Vec::new();
    for (at, &one) in indices.iter().enumerate() {
        for &other in &indices[at + 1..] {
            let width = pool.width(one);
            if let Some([k, l]) = symbols(pool, width).filter(|_| pool.width(other) == width) {
                for replaced in [[(one, k), (other, l)], [(one, l), (other, k)]] {
                    found.push(pool.substitute(statement, &HashMap::from(replaced)));
                }
            }
        }
    }
    found
}

/// The variables in the indices of a statement, and the indices themselves before they are extended.
fn subjects(encoding: &Encoding<'_>, variables: &Variables, statement: Term) -> BTreeSet<Term> {
    let pool = &encoding.pool;
    let mut found = BTreeSet::new();
    for index in indices(pool, &[statement]) {
        found.insert(unextended(pool, index));
        found.extend(parts(pool, index).into_iter().filter(|&part| matches!(pool.op(part), Op::Symbol(_))));
    }
    found.retain(|&subject| variables.is_index(encoding, subject));
    found
}

/// A number before it was extended to the width of an index.
pub(crate) fn unextended(pool: &TermPool, index: Term) -> Term {
    match pool.op(index) {
        Op::SignExtend | Op::ZeroExtend => pool.arguments(index)[0],
        _ => index,
    }
}

fn has_stores(pool: &TermPool, statement: Term) -> bool {
    pool.subterms(&[statement]).into_iter().any(|term| matches!(pool.op(term), Op::Store))
}
