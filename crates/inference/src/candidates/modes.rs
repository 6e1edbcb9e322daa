//! Modes: variables that only ever get constants or the values of other modes, such as the state of a protocol.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{CellId, Encoding, Point};
use rorqual_logic::{Op, SymbolId, Term};

use crate::formulas::leaves;

/// What makes a variable a mode: at most 40 values, as each of them is an atom.
const MOST_VALUES: usize = 40;
/// At most 8 modes: predicate abstraction is exponential in them.
const MOST_MODES: usize = 8;

/// What a variable gets: constants, and other variables' values.
#[derive(Debug, Default)]
struct Sources {
    constants: BTreeSet<Term>,
    cells: BTreeSet<CellId>,
    /// Whether it gets something else.
    others: bool,
}

/// The equations of modes with their values, for the modes that formulas mention and those whose values these get.
pub fn atoms(encoding: &mut Encoding<'_>, points: &[Point], formulas: &[Term]) -> Vec<Term> {
    let sources = sources(encoding, points);
    let symbols: BTreeSet<SymbolId> =
        formulas.iter().flat_map(|&formula| encoding.pool.free_symbols(formula)).collect();
    let mut modes: Vec<CellId> =
        symbols.iter().filter_map(|&symbol| encoding.cells().of_symbol(symbol)).collect();
    modes.retain(|cell| is_mode(&sources, *cell));
    let mut at = 0;
    while at < modes.len() {
        for &cell in &sources[&modes[at]].cells {
            if !modes.contains(&cell) && is_mode(&sources, cell) {
                modes.push(cell);
            }
        }
        at += 1;
    }
    let mut atoms = Vec::new();
    for cell in modes.into_iter().take(MOST_MODES) {
        let symbol = encoding.cells().get(cell).symbol;
        for &value in &sources[&cell].constants {
            atoms.push(encoding.pool.eq(symbol, value));
        }
    }
    atoms
}

/// The equations of all modes with their values, also with those that they get from each other.
pub fn values(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let mut sources = sources(encoding, points);
    let modes: Vec<CellId> = sources.keys().copied().filter(|&cell| is_copy(&sources, cell)).collect();
    loop {
        let mut has_grown = false;
        for mode in &modes {
            let others = sources[mode].cells.iter().filter_map(|cell| sources.get(cell));
            let more: BTreeSet<Term> = others.flat_map(|other| other.constants.iter().copied()).collect();
            let own = &mut sources.get_mut(mode).expect("it is among them").constants;
            let before = own.len();
            own.extend(more);
            has_grown |= own.len() > before;
        }
        if !has_grown {
            break;
        }
    }
    let mut equations = Vec::new();
    for mode in modes.into_iter().filter(|&mode| is_mode(&sources, mode)) {
        let symbol = encoding.cells().get(mode).symbol;
        equations.extend(sources[&mode].constants.iter().map(|&value| encoding.pool.eq(symbol, value)));
    }
    equations
}

/// Whether a cell gets nothing but constants and what is in other cells.
fn is_copy(sources: &BTreeMap<CellId, Sources>, cell: CellId) -> bool {
    sources.get(&cell).is_some_and(|own| !own.others)
}

fn is_mode(sources: &BTreeMap<CellId, Sources>, cell: CellId) -> bool {
    is_copy(sources, cell) && (1..=MOST_VALUES).contains(&sources[&cell].constants.len())
}

/// What the cells get. How they start does not matter, as one mode more or less is no harm.
fn sources(encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeMap<CellId, Sources> {
    let start = encoding.start();
    let mut sources: BTreeMap<CellId, Sources> = BTreeMap::new();
    for &point in points {
        for exit in &encoding.block(point).exits {
            for &(cell, value) in &exit.updates {
                let own = sources.entry(cell).or_default();
                let others = own.others;
                add_leaves(encoding, value, own);
                own.others = others || (own.others && point != start);
            }
        }
    }
    sources
}

/// What a value may be.
fn add_leaves(encoding: &Encoding<'_>, value: Term, sources: &mut Sources) {
    for leaf in leaves(&encoding.pool, value) {
        match *encoding.pool.op(leaf) {
            Op::Bits(_) => drop(sources.constants.insert(leaf)),
            Op::Symbol(symbol) => match encoding.cells().of_symbol(symbol) {
                Some(cell) => drop(sources.cells.insert(cell)),
                None => sources.others = true,
            },
            _ => sources.others = true,
        }
    }
}
