//! Paths: exits of blocks, one after the other, with a version of each cell after each exit that changes it.

use std::collections::{BTreeMap, HashMap};

use rorqual_logic::{Op, Sort, SymbolId, Term, TermPool};

use crate::Encoding;
use crate::block::{Exit, Target};
use crate::cells::CellId;
use crate::context::Point;

/// A path as formulas, one per exit.
#[derive(Debug, Clone, Default)]
pub struct Path {
    parts: Vec<Vec<Term>>,
    /// The symbol of each cell that changed, after each exit.
    versions: Vec<BTreeMap<CellId, Term>>,
}

impl Path {
    /// The empty path.
    pub fn new() -> Path {
        Path::default()
    }

    /// How many exits it has.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The conjuncts of the formula of each exit.
    pub fn parts(&self) -> &[Vec<Term>] {
        &self.parts
    }

    /// Takes the last exits away.
    pub fn truncate(&mut self, length: usize) {
        self.parts.truncate(length);
        self.versions.truncate(length);
    }

    /// Goes through one more exit.
    pub fn push(&mut self, encoding: &mut Encoding<'_>, exit: &Exit) {
        let position = self.parts.len();
        let mut versions = self.versions.last().cloned().unwrap_or_default();
        let mut conjuncts = self.at(encoding, exit.guard, position);
        let mut updated = Vec::new();
        for &(cell, value) in &exit.updates {
            let value = self.renamed(encoding, value, position);
            let details = encoding.cells.get(cell);
            let (name, sort) =
                (format!("{}@{}", details.name, position + 1), encoding.pool.sort(details.symbol));
            let version = encoding.pool.symbol(&name, sort);
            conjuncts.push(encoding.pool.eq(version, value));
            updated.push((cell, version));
        }
        versions.extend(updated);
        if let Target::Point(target) = exit.target {
            forget_dead(encoding, &mut versions, target, position + 1);
        }
        self.parts.push(conjuncts);
        self.versions.push(versions);
    }

    /// The conjuncts of a formula over cells, for the cells at a position of the path.
    pub fn at(&self, encoding: &mut Encoding<'_>, formula: Term, position: usize) -> Vec<Term> {
        let renamed = self.renamed(encoding, formula, position);
        match encoding.pool.op(renamed) {
            Op::And => encoding.pool.arguments(renamed).to_vec(),
            Op::Bool(true) => Vec::new(),
            _ => vec![renamed],
        }
    }

    /// A term over cells and symbols of a block, for the block at a position.
    pub fn renamed(&self, encoding: &mut Encoding<'_>, term: Term, position: usize) -> Term {
        let mut replacements = HashMap::new();
        for symbol in encoding.pool.free_symbols(term) {
            let sort = encoding.pool.symbol_sort(symbol);
            let old = symbol_term(&mut encoding.pool, symbol, sort);
            let new = match encoding.cells.of_symbol(symbol) {
                Some(cell) => self.version(encoding, cell, position),
                None => {
                    let name = format!("{}@{position}", encoding.pool.symbol_name(symbol));
                    encoding.pool.symbol(&name, sort)
                }
            };
            replacements.insert(old, new);
        }
        encoding.pool.substitute(term, &replacements)
    }

    /// The symbol of a cell at a position.
    fn version(&self, encoding: &Encoding<'_>, cell: CellId, position: usize) -> Term {
        let known = position.checked_sub(1).and_then(|at| self.versions[at].get(&cell));
        known.copied().unwrap_or_else(|| encoding.cells.get(cell).symbol)
    }

    /// A formula over the symbols at a position, as one over cells.
    pub fn over_cells(&self, encoding: &mut Encoding<'_>, formula: Term, position: usize) -> Term {
        let Some(at) = position.checked_sub(1) else { return formula };
        let versions = self.versions[at].iter();
        let back: HashMap<Term, Term> =
            versions.map(|(&cell, &version)| (version, encoding.cells.get(cell).symbol)).collect();
        encoding.pool.substitute(formula, &back)
    }

    /// The symbols of the block's own values, and their names at a position.
    pub fn own_symbol(encoding: &mut Encoding<'_>, symbol: Term, position: usize) -> Term {
        let Op::Symbol(id) = *encoding.pool.op(symbol) else { return symbol };
        let name = format!("{}@{position}", encoding.pool.symbol_name(id));
        let sort = encoding.pool.sort(symbol);
        encoding.pool.symbol(&name, sort)
    }
}

/// Gives cells that nothing can read any more a version that nothing is known of, so that no interpolant
/// mentions them where they are out of scope.
fn forget_dead(
    encoding: &mut Encoding<'_>,
    versions: &mut BTreeMap<CellId, Term>,
    point: Point,
    position: usize,
) {
    for (&cell, version) in versions.iter_mut() {
        if !encoding.is_live(cell, point) {
            let details = encoding.cells.get(cell);
            let (name, sort) = (format!("{}@{position}", details.name), encoding.pool.sort(details.symbol));
            *version = encoding.pool.symbol(&format!("dead {name}"), sort);
        }
    }
}

/// The term of a symbol.
fn symbol_term(pool: &mut TermPool, symbol: SymbolId, sort: Sort) -> Term {
    let name = pool.symbol_name(symbol).to_owned();
    pool.symbol(&name, sort)
}
