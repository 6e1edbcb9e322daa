//! Interpolants that only compare symbols with symbols and constants: found if there are any.
//!
//! For finitely many atoms, whether interpolants exist is one query. Every node of a tree (a sequence is a
//! path) gets symbols of its own; all that it shares with its parent are truth values of the atoms that the
//! cut between them may use. If that is satisfiable, no Boolean combination of the atoms separates the parts;
//! otherwise the interpolants of the refutation are over truth values of atoms, which are then replaced by
//! the atoms. (The abstraction that predicate abstraction computes, asked for only as far as needed.)

use std::collections::HashMap;

use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_solver::{Answer, Limits, Name, Vocabulary, refute};

use crate::interpolants::{Arrangement, Interpolants, Tree};
use crate::language::Language;
use crate::propositional::{NoLemmas, System};
use crate::strategy::Goal;

/// More atoms on all cuts together are not tried.
const ATOMS: usize = 2_000;

/// What the search finds.
pub(crate) enum Comparisons {
    /// Interpolants, to be verified.
    Found(Vec<Term>),
    /// There are none.
    NoneExist,
    /// The question is too large, or of a kind that is not searched.
    Undecided,
}

/// Searches for interpolants of the parts.
pub(crate) fn comparisons(
    pool: &mut TermPool,
    parts: &[Term],
    goal: &Goal,
    language: &Language,
    limits: &Limits,
) -> Comparisons {
    let tree = match goal {
        Goal::Sequence if !parts.is_empty() => Tree::path(parts.len()),
        Goal::Tree(tree) => tree.clone(),
        Goal::Sequence | Goal::StateTransition => return Comparisons::Undecided,
    };
    let Some(cuts) = Cut::all(pool, &tree, parts, language) else { return Comparisons::Undecided };
    let separated = separated(pool, &tree, parts, &cuts);
    let refutation = match refute(pool, &separated, limits) {
        Answer::Unsat(refutation) => refutation,
        Answer::Sat(_) => return Comparisons::NoneExist,
        Answer::Unknown(_) => return Comparisons::Undecided,
    };
    let formulas = Interpolants::new(refutation.proof(), System::McMillan, NoLemmas)
        .and_then(|mut found| found.tree(pool, &tree, &Arrangement::identity(tree.count())));
    let Ok(mut formulas) = formulas else { return Comparisons::Undecided };
    for (formula, cut) in formulas.iter_mut().zip(&cuts) {
        *formula = pool.substitute(*formula, &cut.atoms.iter().copied().collect());
    }
    if *goal == Goal::Sequence {
        formulas.insert(0, pool.top());
    }
    Comparisons::Found(formulas)
}

/// The cut between a node and its parent: symbols for truth values, and the atoms that they stand for.
struct Cut {
    atoms: Vec<(Term, Term)>,
}

impl Cut {
    /// One per node but the root; `None` if there are too many atoms, or functions, which have no copies.
    fn all(pool: &mut TermPool, tree: &Tree, parts: &[Term], language: &Language) -> Option<Vec<Cut>> {
        let is_function = |&term: &Term| matches!(pool.op(term), Op::Apply(_));
        if pool.subterms(parts).iter().any(is_function) {
            return None;
        }
        let mut cuts = Vec::new();
        let mut count = 0;
        for node in 0..tree.count() - 1 {
            let inside = tree.subtree(node);
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..tree.count()).partition(|other| inside.contains(other));
            let names = |nodes: &[usize]| {
                Vocabulary::of(pool, &nodes.iter().map(|&node| parts[node]).collect::<Vec<Term>>())
            };
            let symbols = symbols(pool, parts, &names(&inside).shared(&names(&outside)));
            let atoms = atoms(pool, &symbols, language, ATOMS - count)?;
            count += atoms.len();
            let named = |atom| (pool.fresh_symbol("atom", Sort::Bool), atom);
            cuts.push(Cut { atoms: atoms.into_iter().map(named).collect() });
        }
        Some(cuts)
    }
}

/// The terms of the symbols that a vocabulary has.
fn symbols(pool: &TermPool, parts: &[Term], vocabulary: &Vocabulary) -> Vec<Term> {
    let is_shared =
        |&term: &Term| matches!(*pool.op(term), Op::Symbol(id) if vocabulary.has(Name::Symbol(id)));
    let mut symbols: Vec<Term> = pool.subterms(parts).into_iter().filter(is_shared).collect();
    symbols.sort_unstable();
    symbols
}

/// A basis of the comparisons of symbols with each other and with the constants of the language: the others
/// are Boolean combinations of these.
fn atoms(pool: &mut TermPool, symbols: &[Term], language: &Language, most: usize) -> Option<Vec<Term>> {
    let mut atoms = Vec::new();
    for (at, &symbol) in symbols.iter().enumerate() {
        let width = match pool.sort(symbol) {
            Sort::Bool => {
                atoms.push(symbol);
                continue;
            }
            sort => sort.width(),
        };
        let constants = width.map_or(Some(Vec::new()), |width| language.constants_of(width, most))?;
        let constants = constants.into_iter().map(|bits| pool.bits(bits)).collect::<Vec<Term>>();
        let is_alike = |other: &Term| pool.sort(*other) == pool.sort(symbol);
        let others: Vec<Term> = symbols[..at].iter().copied().filter(is_alike).collect();
        for other in constants.into_iter().chain(others) {
            atoms.push(pool.eq(symbol, other));
            if width.is_some() {
                atoms.extend([pool.bv_ult(symbol, other), pool.bv_slt(symbol, other)]);
            }
        }
        if atoms.len() > most {
            return None;
        }
    }
    atoms.retain(|&atom| pool.as_bool(atom).is_none());
    Some(atoms)
}

/// The parts over symbols of their own, which share truth values of atoms only.
fn separated(pool: &mut TermPool, tree: &Tree, parts: &[Term], cuts: &[Cut]) -> Vec<Term> {
    let all: Vec<Term> = parts.iter().flat_map(|&part| pool.free_variables(part)).collect();
    let mut separated = Vec::with_capacity(parts.len());
    for (node, &part) in parts.iter().enumerate() {
        let mut copies: HashMap<Term, Term> = HashMap::new();
        for &symbol in &all {
            copies.entry(symbol).or_insert_with(|| pool.fresh_symbol("copy", pool.sort(symbol)));
        }
        let mut conjuncts = vec![pool.substitute(part, &copies)];
        for cut in tree.children(node).chain([node]).filter_map(|cut| cuts.get(cut)) {
            for &(name, atom) in &cut.atoms {
                let copied = pool.substitute(atom, &copies);
                conjuncts.push(pool.eq(name, copied));
            }
        }
        separated.push(pool.and(&conjuncts));
    }
    separated
}
