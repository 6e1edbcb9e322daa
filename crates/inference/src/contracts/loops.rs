//! Facts about loops of programs without recursion: what holds at the head of a loop, in whatever calls it is, is a
//! candidate for the guard of the loop, and for what is ensured behind it.

use std::collections::BTreeMap;

use rorqual_encoding::{CellId, Encoding, Point, Procedure, Target};
use rorqual_logic::Term;
use rorqual_solver::Limits;

use super::rounds::{Ends, Formulas, Infer};
use super::spec::{Meaning, instance, meaning};
use super::{Contracts, Part};
use crate::Budgets;
use crate::facts::{Facts, points};
use crate::formulas::is_comparison;
use crate::samples::calls::Reads;

/// What holds at the heads of loops.
#[derive(Debug, Default)]
pub(crate) struct LoopFacts {
    facts: Facts,
    /// The points at the heads, one for each way in which control gets there through calls.
    heads: BTreeMap<Procedure, Vec<Point>>,
}

impl LoopFacts {
    /// Infers more.
    pub(crate) fn infer(
        &mut self,
        encoding: &mut Encoding<'_>,
        interest: &Formulas,
        infer: &mut Infer<'_>,
        budgets: &Budgets,
        limits: &Limits,
    ) {
        let Some(points) = points(encoding, budgets.round.points) else { return };
        self.heads.clear();
        let mut at_points = BTreeMap::new();
        let start = encoding.start();
        for point in points.into_iter().filter(|&point| point != start) {
            let procedure = encoding.loop_at(point);
            self.heads.entry(procedure).or_default().push(point);
            let formulas = interest.get(&procedure).map_or(&[][..], Vec::as_slice);
            let mut formulas: Vec<Term> =
                formulas.iter().copied().filter(|&formula| is_about_start(encoding, formula)).collect();
            // One iteration does not tell what decides about a violation in the next.
            let largest = budgets.contracts.relations.condition_size;
            formulas.extend(conditions_of_errors(encoding, point, largest));
            at_points.insert(point, formulas);
        }
        infer(encoding, &mut self.facts, &at_points, limits);
    }

    /// What holds at the heads of loops as candidates for contracts.
    pub(crate) fn candidates(&self, encoding: &mut Encoding<'_>, ends: &Ends, reads: &Reads) -> Contracts {
        let mut contracts = Contracts::default();
        for (&procedure, (exits, writes)) in ends {
            let mut guard = self.of(encoding, procedure);
            // What a loop neither reads nor writes stays as it is.
            let is_known = |cell: CellId| reads[&procedure].contains(&cell) || writes.contains(&cell);
            guard.retain(|&fact| cells(encoding, fact).into_iter().all(|cell| cell.is_some_and(is_known)));
            // Perhaps no execution ends at an exit: many loops have exits to errors.
            let mut after = vec![encoding.pool.bottom()];
            after.extend(guard.iter().map(|&fact| said_after(encoding, fact)));
            for &exit in exits {
                contracts.parts.insert(Part::Summary(procedure, exit), after.clone());
            }
            contracts.parts.insert(Part::Guard(procedure), guard);
        }
        contracts
    }

    /// What holds at the head of a loop.
    fn of(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<Term> {
        let Some(heads) = self.heads.get(&procedure) else { return Vec::new() };
        let mut common = self.facts.conjuncts(heads[0]);
        if heads.len() > 1 {
            common.retain(|fact| heads.iter().all(|&head| self.facts.conjuncts(head).contains(fact)));
            let cases: Vec<Term> =
                heads.iter().map(|&head| self.facts.at(&mut encoding.pool, head)).collect();
            common.push(encoding.pool.or(&cases));
        }
        common
    }
}

/// The cells of a formula; none for symbols that are no cells.
fn cells(encoding: &Encoding<'_>, formula: Term) -> Vec<Option<CellId>> {
    let symbols = encoding.pool.free_symbols(formula);
    symbols.into_iter().map(|symbol| encoding.cells().of_symbol(symbol)).collect()
}

/// What is said of cells at the start, said of the end.
fn said_after(encoding: &mut Encoding<'_>, formula: Term) -> Term {
    instance(encoding, formula, &mut |encoding, meaning| match meaning {
        Meaning::Before(cell) | Meaning::After(cell) => encoding.after(cell),
    })
}

/// The conditions over cells that decide about violations in the block of a point.
fn conditions_of_errors(encoding: &mut Encoding<'_>, point: Point, largest: usize) -> Vec<Term> {
    let block = encoding.block(point);
    let errors = block.exits.iter().filter(|exit| exit.target == Target::Error);
    let guards: Vec<Term> = errors.map(|exit| exit.guard).collect();
    let mut conditions = encoding.pool.subterms(&guards);
    conditions.retain(|&term| {
        is_comparison(&encoding.pool, term)
            && !encoding.pool.is_larger_than(term, largest)
            && cells(encoding, term).iter().all(Option::is_some)
    });
    conditions
}

/// Whether a formula of a specification is about cells at the start only.
fn is_about_start(encoding: &Encoding<'_>, formula: Term) -> bool {
    let mut symbols = encoding.pool.free_symbols(formula).into_iter();
    symbols.all(|symbol| matches!(meaning(encoding, symbol), Some(Meaning::Before(_))))
}
