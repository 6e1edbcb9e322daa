//! Refutations of formulas in parts, for interpolation. Each part has gates of its own, so that
//! parts share only bits of symbols and of terms over symbols: reads, applications and equalities
//! of arrays that are left to instances on demand.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_logic::{Op, Sort, Term, TermPool};

use crate::answer::{Answer, GaveUp};
use crate::blast::gates::{FALSE, TRUE};
use crate::blast::{Blaster, Leaves};
use crate::lemmas::{Candidate, Cone, Instances, Verdict};
use crate::limits::Limits;
use crate::model::Model;
use crate::proof::{Literal, Origin, Part, Proof, Recorder};
use crate::sat::cadical::{Budget, Cadical};

const MIXED: &str = "refutations where an axiom of arrays or functions needs symbols of several parts";

/// A proof that parts contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    proof: Proof,
}

impl Refutation {
    /// The proof.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// The proof, for good.
    pub fn into_proof(self) -> Proof {
        self.proof
    }

    /// The parts that the proof uses, sorted. The others are irrelevant to the contradiction.
    pub fn core(&self) -> Vec<Part> {
        let parts = self.proof.originals.iter().filter_map(|clause| match clause.origin {
            Origin::Part(part) => Some(part),
            Origin::Lemma(_) => None,
        });
        parts.collect::<BTreeSet<Part>>().into_iter().collect()
    }
}

/// Refutes the conjunction of parts, or finds a model of it. Part `k` is `parts[k]`.
///
/// Arrays and functions: an instance of an axiom is asserted in the first part that has all of its
/// symbols. If no violated instance fits into one part, the answer is `Unknown`.
pub fn refute(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Answer<Model, Refutation> {
    match Refuter::new(pool, parts).run(pool, parts, limits) {
        Ok(answer) => answer,
        Err(reason) => Answer::Unknown(reason),
    }
}

/// What a part may speak about: terms of symbols and names of functions.
#[derive(Debug, Default)]
struct Vocabulary {
    symbols: BTreeSet<Term>,
    functions: BTreeSet<rorqual_logic::FunctionSymbol>,
}

impl Vocabulary {
    fn of(pool: &TermPool, root: Term) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for term in pool.subterms(&[root]) {
            match pool.op(term) {
                Op::Symbol(_) => {
                    vocabulary.symbols.insert(term);
                }
                Op::Apply(function) => {
                    vocabulary.functions.insert(*function);
                }
                _ => {}
            }
        }
        vocabulary
    }

    fn includes(&self, other: &Vocabulary) -> bool {
        other.symbols.is_subset(&self.symbols) && other.functions.is_subset(&self.functions)
    }
}

struct Scope {
    blaster: Blaster,
    vocabulary: Vocabulary,
}

struct Refuter {
    sat: Cadical,
    recorder: Rc<RefCell<Recorder>>,
    leaves: Leaves,
    scopes: Vec<Scope>,
    instances: Instances,
    /// Instances that are asserted in some part.
    placed: BTreeSet<Term>,
    /// Witnesses that belong to the part where their first instance went.
    placed_witnesses: BTreeSet<Term>,
}

/// A part became false while it was translated.
enum Asserted {
    Open,
    Contradiction,
}

impl Refuter {
    fn new(pool: &TermPool, parts: &[Term]) -> Refuter {
        let leaves = Leaves::default();
        let scope =
            |&part: &Term| Scope { blaster: Blaster::new(&leaves), vocabulary: Vocabulary::of(pool, part) };
        let scopes = parts.iter().map(scope).collect();
        let recorder = Rc::new(RefCell::new(Recorder::new(Origin::Part(Part(0)))));
        let sat = Cadical::with_tracer(recorder.clone());
        let (placed, placed_witnesses) = (BTreeSet::new(), BTreeSet::new());
        let instances = Instances::default();
        Refuter { sat, recorder, leaves, scopes, instances, placed, placed_witnesses }
    }

    fn run(
        mut self,
        pool: &mut TermPool,
        parts: &[Term],
        limits: &Limits,
    ) -> Result<Answer<Model, Refutation>, GaveUp> {
        let mut budget = Budget::new(limits);
        for (at, &part) in parts.iter().enumerate() {
            if let Asserted::Contradiction = self.assert(pool, at, part, limits)? {
                let proof = Proof::of_empty_clause(Origin::Part(Part(at as u32)));
                return Ok(Answer::Unsat(Refutation { proof }));
            }
        }
        while self.sat.solve(&[], &mut budget)? {
            let cone = Cone::of(pool, parts, &self.instances);
            let sat = &mut self.sat;
            let mut candidate =
                Candidate::new(pool, &self.leaves, cone.leaves(), |literal| sat.holds(literal));
            match self.instances.check(pool, &cone, &mut candidate) {
                // An instance that fits nowhere may be one that the candidate violates.
                Verdict::Consistent(model) if parts.iter().all(|&part| model.satisfies(pool, part)) => {
                    return Ok(Answer::Sat(model));
                }
                Verdict::Consistent(_) => return Err(GaveUp::Unsupported(MIXED.to_owned())),
                Verdict::Violates(instances) => self.place(pool, &instances, limits)?,
            }
        }
        let proof = self.recorder.borrow().proof();
        let mut proof = proof.map_err(|flaw| GaveUp::Unsupported(flaw.to_owned()))?;
        proof.atoms = self.atoms(pool, &proof);
        Ok(Answer::Unsat(Refutation { proof }))
    }

    /// Asserts a formula in a part: conjuncts one by one, and disjunctions as clauses, which spares
    /// gates.
    fn assert(
        &mut self,
        pool: &TermPool,
        part: usize,
        formula: Term,
        limits: &Limits,
    ) -> Result<Asserted, GaveUp> {
        self.recorder.borrow_mut().origin = Origin::Part(Part(part as u32));
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            let alternatives = match pool.op(term) {
                Op::And => {
                    open.extend_from_slice(pool.arguments(term));
                    continue;
                }
                Op::Or => pool.arguments(term),
                _ => &[term],
            };
            let mut clause = Vec::with_capacity(alternatives.len() + 1);
            for &alternative in alternatives {
                let blaster = &mut self.scopes[part].blaster;
                let literal = blaster.literal(pool, &mut self.leaves, alternative, limits)?;
                self.sat.add(&blaster.take_clauses());
                clause.push(literal);
            }
            if let Asserted::Contradiction = self.add_clause(clause) {
                return Ok(Asserted::Contradiction);
            }
        }
        Ok(Asserted::Open)
    }

    fn add_clause(&mut self, mut clause: Vec<Literal>) -> Asserted {
        clause.retain(|&literal| literal != FALSE);
        clause.sort_unstable();
        clause.dedup();
        if clause.is_empty() {
            return Asserted::Contradiction;
        }
        let holds = clause.iter().any(|&literal| literal == TRUE || clause.binary_search(&-literal).is_ok());
        if !holds {
            clause.push(0);
            self.sat.add(&clause);
        }
        Asserted::Open
    }

    /// Asserts those instances that fit into a part.
    fn place(&mut self, pool: &TermPool, instances: &[Term], limits: &Limits) -> Result<(), GaveUp> {
        let mut any = false;
        for &instance in instances {
            if self.placed.contains(&instance) {
                continue;
            }
            let mut vocabulary = Vocabulary::of(pool, instance);
            let is_new = |&symbol: &Term| {
                self.instances.is_witness(symbol) && !self.placed_witnesses.contains(&symbol)
            };
            let witnesses: Vec<Term> = vocabulary.symbols.iter().copied().filter(is_new).collect();
            for witness in &witnesses {
                vocabulary.symbols.remove(witness);
            }
            let fits = |scope: &Scope| scope.vocabulary.includes(&vocabulary);
            if let Some(part) = self.scopes.iter().position(fits) {
                any = true;
                self.placed.insert(instance);
                self.scopes[part].vocabulary.symbols.extend(&witnesses);
                self.placed_witnesses.extend(witnesses);
                self.assert(pool, part, instance, limits)?;
            }
        }
        if any { Ok(()) } else { Err(GaveUp::Unsupported(MIXED.to_owned())) }
    }

    /// The Boolean terms of the variables that parts may share.
    fn atoms(&self, pool: &mut TermPool, proof: &Proof) -> BTreeMap<i32, Term> {
        let literals = proof.originals.iter().flat_map(|clause| &clause.literals);
        let used: BTreeSet<i32> = literals.map(|literal| literal.abs()).collect();
        let mut bits: HashMap<i32, (Term, u32)> = HashMap::new();
        for (leaf, variables) in self.leaves.iter() {
            bits.extend(variables.iter().zip(0..).map(|(&variable, at)| (variable, (leaf, at))));
        }
        let mut atoms = BTreeMap::new();
        for variable in used {
            if let Some(&(leaf, at)) = bits.get(&variable) {
                atoms.insert(variable, bit_atom(pool, leaf, at));
            }
        }
        atoms
    }
}

/// The term that says that a bit of a term is one.
fn bit_atom(pool: &mut TermPool, leaf: Term, at: u32) -> Term {
    if pool.sort(leaf) == Sort::Bool {
        return leaf;
    }
    let (bit, one) = (pool.bv_extract(leaf, at, at), pool.bv(1u8, 1));
    pool.eq(bit, one)
}
