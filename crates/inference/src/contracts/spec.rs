//! Guards and summaries, and what they say where a procedure is called and where it ends.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::LocationId;
use rorqual_encoding::{Call, CellId, Encoding, Exit, SymbolKind};
use rorqual_logic::{Op, Sort, SymbolId, Term, TermPool};

/// A guard and a summary: whenever a procedure starts with the guard, nothing goes wrong inside, and the summary of an
/// exit holds there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The guard, over cells at the start.
    pub guard: Term,
    /// The summary for each exit, over cells at the start and [after](Encoding::after) the end.
    pub summaries: BTreeMap<LocationId, Term>,
}

impl Spec {
    /// Says nothing.
    pub fn top(pool: &mut TermPool) -> Spec {
        Spec { guard: pool.top(), summaries: BTreeMap::new() }
    }

    /// Says what all of them say.
    pub fn all(pool: &mut TermPool, specs: &[&Spec]) -> Spec {
        match specs {
            [] => return Spec::top(pool),
            &[one] => return one.clone(),
            _ => {}
        }
        let guards: Vec<Term> = specs.iter().map(|spec| spec.guard).collect();
        let mut all = Spec { guard: pool.or(&guards), summaries: BTreeMap::new() };
        for spec in specs {
            for (&exit, &summary) in &spec.summaries {
                let said = pool.implies(spec.guard, summary);
                let before = all.summary(pool, exit);
                all.summaries.insert(exit, pool.and2(before, said));
            }
        }
        all
    }

    /// Both guards, and both summaries of each exit.
    #[must_use]
    pub fn and(mut self, pool: &mut TermPool, other: &Spec) -> Spec {
        self.guard = pool.and2(self.guard, other.guard);
        for (&exit, &summary) in &other.summaries {
            let own = self.summary(pool, exit);
            self.summaries.insert(exit, pool.and2(own, summary));
        }
        self
    }

    /// The summary for an exit.
    pub fn summary(&self, pool: &mut TermPool, exit: LocationId) -> Term {
        self.summaries.get(&exit).copied().unwrap_or_else(|| pool.top())
    }
}

/// What a symbol of a specification stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A cell at the start.
    Before(CellId),
    /// A cell at the end.
    After(CellId),
}

/// What a symbol stands for, unless it is none of a specification.
pub(crate) fn meaning(encoding: &Encoding<'_>, symbol: SymbolId) -> Option<Meaning> {
    match encoding.kind_of(symbol)? {
        SymbolKind::Cell(cell) => Some(Meaning::Before(cell)),
        SymbolKind::After(cell) => Some(Meaning::After(cell)),
        SymbolKind::Input | SymbolKind::Call => None,
    }
}

/// A formula of a specification with other terms for its symbols.
pub(crate) fn instance(
    encoding: &mut Encoding<'_>,
    formula: Term,
    term: &mut dyn FnMut(&mut Encoding<'_>, Meaning) -> Term,
) -> Term {
    let mut values = HashMap::new();
    for variable in encoding.pool.free_variables(formula) {
        if let Op::Symbol(symbol) = *encoding.pool.op(variable)
            && let Some(meaning) = meaning(encoding, symbol)
        {
            values.insert(variable, term(encoding, meaning));
        }
    }
    encoding.pool.substitute(formula, &values)
}

/// What a formula says of a call, over the symbols of the body with the call.
pub fn at_call(encoding: &mut Encoding<'_>, call: &Call, formula: Term) -> Term {
    instance(encoding, formula, &mut |encoding, meaning| match meaning {
        Meaning::Before(cell) => call.input(encoding, cell),
        Meaning::After(cell) => output(encoding, call, cell),
    })
}

/// A cell after a call.
fn output(encoding: &Encoding<'_>, call: &Call, cell: CellId) -> Term {
    let written = call.outputs.iter().find(|&&(one, _)| one == cell);
    written.map_or_else(|| call.input(encoding, cell), |&(_, symbol)| symbol)
}

/// What a formula says where a body ends, over the symbols of the body.
pub fn at_exit(encoding: &mut Encoding<'_>, exit: &Exit, formula: Term) -> Term {
    instance(encoding, formula, &mut |encoding, meaning| match meaning {
        Meaning::Before(cell) => encoding.cells().get(cell).symbol,
        Meaning::After(cell) => value_at(encoding, exit, cell),
    })
}

/// A cell where a body ends.
pub fn value_at(encoding: &Encoding<'_>, exit: &Exit, cell: CellId) -> Term {
    let written = exit.updates.iter().find(|&&(one, _)| one == cell);
    written.map_or_else(|| encoding.cells().get(cell).symbol, |&(_, value)| value)
}

/// SPECCOND for one call: where it ends, its summary holds if its guard did; and it fails only if its guard did not.
pub fn speccond(encoding: &mut Encoding<'_>, call: &Call, spec: &Spec) -> Vec<Term> {
    let guard = at_call(encoding, call, spec.guard);
    let unguarded = encoding.pool.not(guard);
    let mut formulas = vec![encoding.pool.implies(call.fails, unguarded)];
    for &(exit, ends) in &call.ends {
        let summary = spec.summary(&mut encoding.pool, exit);
        let summary = at_call(encoding, call, summary);
        let premise = encoding.pool.and2(ends, guard);
        formulas.push(encoding.pool.implies(premise, summary));
    }
    formulas
}

/// A formula over some symbols that follows from another one: what is about other symbols is left out.
pub fn weaker_over(pool: &mut TermPool, formula: Term, symbols: &BTreeSet<Term>) -> Term {
    Projection { symbols, known: HashMap::new() }.of(pool, formula, true)
}

struct Projection<'s> {
    symbols: &'s BTreeSet<Term>,
    known: HashMap<(Term, bool), Term>,
}

impl Projection<'_> {
    /// A weaker formula, or a stronger one.
    fn of(&mut self, pool: &mut TermPool, formula: Term, weaker: bool) -> Term {
        if let Some(&known) = self.known.get(&(formula, weaker)) {
            return known;
        }
        let arguments = pool.arguments(formula).to_vec();
        let result = match *pool.op(formula) {
            Op::Not => {
                let inner = self.of(pool, arguments[0], !weaker);
                pool.not(inner)
            }
            Op::And => {
                let all: Vec<Term> = arguments.iter().map(|&one| self.of(pool, one, weaker)).collect();
                pool.and(&all)
            }
            Op::Or => {
                let all: Vec<Term> = arguments.iter().map(|&one| self.of(pool, one, weaker)).collect();
                pool.or(&all)
            }
            Op::Ite if pool.sort(formula) == Sort::Bool => {
                let (condition, then, otherwise) = (arguments[0], arguments[1], arguments[2]);
                let not = pool.not(condition);
                let cases = if weaker {
                    [pool.and2(condition, then), pool.and2(not, otherwise)]
                } else {
                    [pool.implies(condition, then), pool.implies(not, otherwise)]
                };
                let cases = cases.map(|case| self.of(pool, case, weaker));
                if weaker { pool.or(&cases) } else { pool.and(&cases) }
            }
            _ => {
                let is_other =
                    |&term: &Term| matches!(pool.op(term), Op::Symbol(_)) && !self.symbols.contains(&term);
                if pool.subterms(&[formula]).iter().any(is_other) {
                    if weaker { pool.top() } else { pool.bottom() }
                } else {
                    formula
                }
            }
        };
        self.known.insert((formula, weaker), result);
        result
    }
}
