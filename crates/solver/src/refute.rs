//! Refutations of formulas in parts, for interpolation. Each part has gates of its own, so that
//! parts share only bits of symbols and of terms over symbols: reads, applications and equalities
//! of arrays that are left to instances on demand. Instances are asserted in parts too: in one that may
//! speak about all of their names ([`Scopes`]).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_logic::{Op, Sort, Term, TermPool};

use crate::answer::{Answer, GaveUp};
use crate::blast::gates::{FALSE, TRUE};
use crate::blast::{Blaster, Leaves};
use crate::lemmas::{Candidate, Cone, Instances, Placement, Verdict};
use crate::limits::Limits;
use crate::model::Model;
use crate::proof::{Literal, Origin, Part, Proof, Recorder};
use crate::sat::cadical::{Budget, Cadical};
use crate::vocabulary::Vocabulary;

/// Which names instances of axioms in a part may be over.
#[derive(Debug, Clone, Copy)]
pub enum Scopes<'s> {
    /// Those of the part.
    Own,
    /// Those that are listed for the part, and its own.
    Given(&'s [Vocabulary]),
    /// Those of the part and landmarks: new symbols, each defined in one part and known to all. With them,
    /// every contradiction of two parts has a refutation.
    Landmarks,
}

/// A new symbol for a term, so that other parts than that of the term may speak about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landmark {
    /// The symbol.
    pub symbol: Term,
    /// What it equals.
    pub term: Term,
    /// The part that says so.
    pub part: Part,
}

/// A proof that parts contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    proof: Proof,
    instances: Vec<(Part, Term)>,
    landmarks: Vec<Landmark>,
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

    /// The instances of axioms that parts were given: valid formulas, but for symbols that they introduce,
    /// which make the parts contradict each other even if reads, applications and equalities of arrays
    /// mean nothing.
    pub fn instances(&self) -> &[(Part, Term)] {
        &self.instances
    }

    /// The landmarks, with the part that defines each.
    pub fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
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
/// names. If no violated instance fits into one part, the answer is [`GaveUp::MixedParts`].
pub fn refute(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Answer<Model, Refutation> {
    refute_within(pool, parts, Scopes::Own, limits)
}

/// As [`refute`], with instances over other names than those of the parts.
pub fn refute_within(
    pool: &mut TermPool,
    parts: &[Term],
    scopes: Scopes<'_>,
    limits: &Limits,
) -> Answer<Model, Refutation> {
    match Refuter::new(pool, parts, scopes).run(pool, parts, limits) {
        Ok(answer) => answer,
        Err(reason) => Answer::Unknown(reason),
    }
}

/// What parts may speak about.
struct Places {
    scopes: Vec<Vocabulary>,
    /// The writes and choices between arrays that each part has.
    writes: Vec<BTreeSet<Term>>,
    may_add_landmarks: bool,
    landmarks: Vec<Landmark>,
}

impl Places {
    /// The first part that may speak about all of the names.
    fn home(&self, vocabulary: &Vocabulary) -> Option<usize> {
        self.scopes.iter().position(|scope| scope.includes(vocabulary))
    }

    /// The part that may speak about all of the names and has most of the writes: elsewhere, an interpolant
    /// would anticipate a write.
    fn home_with(&self, vocabulary: &Vocabulary, writes: &BTreeSet<Term>) -> Option<usize> {
        let fitting = (0..self.scopes.len()).filter(|&part| self.scopes[part].includes(vocabulary));
        fitting.min_by_key(|&part| writes.difference(&self.writes[part]).count())
    }

    fn is_common(&self, vocabulary: &Vocabulary) -> bool {
        self.scopes.iter().all(|scope| scope.includes(vocabulary))
    }

    fn known_landmark(&self, term: Term) -> Option<Term> {
        self.landmarks.iter().find(|landmark| landmark.term == term).map(|landmark| landmark.symbol)
    }
}

impl Placement for Places {
    fn fits(&self, pool: &TermPool, instance: Term) -> bool {
        self.home(&Vocabulary::of(pool, &[instance])).is_some()
    }

    /// Terms that need no new symbol come first, as each has to be eliminated from the interpolants.
    fn landmark(&mut self, pool: &mut TermPool, equal: [Term; 2]) -> Option<Term> {
        let [one, other] = equal.map(|term| Vocabulary::of(pool, &[term]));
        if let Some((&term, _)) = equal.iter().zip([&one, &other]).find(|(_, names)| self.is_common(names)) {
            return Some(term);
        }
        if let Some(symbol) = equal.iter().find_map(|&term| self.known_landmark(term)) {
            return Some(symbol);
        }
        let home = self.home(&other).filter(|_| self.may_add_landmarks)?;
        let symbol = pool.fresh_symbol("landmark", pool.sort(equal[1]));
        for scope in &mut self.scopes {
            Vocabulary::of(pool, &[symbol]).names().for_each(|name| scope.insert(name));
        }
        self.landmarks.push(Landmark { symbol, term: equal[1], part: Part(home as u32) });
        Some(symbol)
    }
}

struct Refuter {
    sat: Cadical,
    recorder: Rc<RefCell<Recorder>>,
    leaves: Leaves,
    /// One per part.
    blasters: Vec<Blaster>,
    instances: Instances,
    places: Places,
    /// Instances that are asserted, with their parts.
    placed: BTreeMap<Term, Part>,
    /// How many landmarks are defined.
    defined: usize,
}

/// A part became false while it was translated.
enum Asserted {
    Open,
    Contradiction,
}

impl Refuter {
    fn new(pool: &TermPool, parts: &[Term], scopes: Scopes<'_>) -> Refuter {
        let leaves = Leaves::default();
        let blasters = parts.iter().map(|_| Blaster::new(&leaves)).collect();
        let mut own: Vec<Vocabulary> = parts.iter().map(|&part| Vocabulary::of(pool, &[part])).collect();
        if let Scopes::Given(given) = scopes {
            for (own, given) in own.iter_mut().zip(given) {
                given.names().for_each(|name| own.insert(name));
            }
        }
        let may_add_landmarks = matches!(scopes, Scopes::Landmarks);
        let writes = parts.iter().map(|&part| writes(pool, part)).collect();
        let places = Places { scopes: own, writes, may_add_landmarks, landmarks: Vec::new() };
        let recorder = Rc::new(RefCell::new(Recorder::new(Origin::Part(Part(0)))));
        let sat = Cadical::with_tracer(recorder.clone());
        let (instances, placed) = (Instances::default(), BTreeMap::new());
        Refuter { sat, recorder, leaves, blasters, instances, places, placed, defined: 0 }
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
                return Ok(Answer::Unsat(self.refutation(proof)));
            }
        }
        while self.sat.solve(&[], &mut budget)? {
            let cone = Cone::of(pool, &self.roots(pool, parts), &self.instances);
            let sat = &mut self.sat;
            let mut candidate =
                Candidate::new(pool, &self.leaves, cone.leaves(), |literal| sat.holds(literal));
            match self.instances.check(pool, &cone, &mut candidate, &mut self.places) {
                // An instance that fits nowhere may be one that the candidate violates.
                Verdict::Consistent(model) if parts.iter().all(|&part| model.satisfies(pool, part)) => {
                    return Ok(Answer::Sat(model));
                }
                Verdict::Consistent(_) => return Err(GaveUp::MixedParts),
                Verdict::Violates(instances) => self.place(pool, &instances, limits)?,
            }
        }
        let proof = self.recorder.borrow().proof();
        let mut proof = proof.map_err(|flaw| GaveUp::Unsupported(flaw.to_owned()))?;
        proof.atoms = self.atoms(pool, &proof);
        Ok(Answer::Unsat(self.refutation(proof)))
    }

    fn refutation(self, proof: Proof) -> Refutation {
        let instances = self.placed.into_iter().map(|(instance, part)| (part, instance)).collect();
        Refutation { proof, instances, landmarks: self.places.landmarks }
    }

    /// The parts, and the instances that mention landmarks: reads at landmarks occur nowhere else.
    fn roots(&self, pool: &TermPool, parts: &[Term]) -> Vec<Term> {
        let symbols: Vec<Term> = self.places.landmarks.iter().map(|landmark| landmark.symbol).collect();
        let vocabulary = Vocabulary::of(pool, &symbols);
        let is_over_landmarks =
            |instance: &&Term| Vocabulary::of(pool, &[**instance]).names().any(|name| vocabulary.has(name));
        parts.iter().chain(self.placed.keys().filter(is_over_landmarks)).copied().collect()
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
                let blaster = &mut self.blasters[part];
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

    /// Asserts those instances that fit into a part, and what new landmarks are.
    fn place(&mut self, pool: &mut TermPool, instances: &[Term], limits: &Limits) -> Result<(), GaveUp> {
        let mut any = false;
        while let Some(landmark) = self.places.landmarks.get(self.defined).cloned() {
            let definition = pool.eq(landmark.symbol, landmark.term);
            self.assert(pool, landmark.part.0 as usize, definition, limits)?;
            self.defined += 1;
        }
        for &instance in instances {
            if self.placed.contains_key(&instance) {
                continue;
            }
            if let Some(part) = self.home(pool, instance) {
                any = true;
                self.placed.insert(instance, Part(part as u32));
                self.assert(pool, part, instance, limits)?;
            }
        }
        if any { Ok(()) } else { Err(GaveUp::MixedParts) }
    }

    /// The part for an instance. New witnesses belong to the part where their first instance goes.
    fn home(&mut self, pool: &TermPool, instance: Term) -> Option<usize> {
        let all = Vocabulary::of(pool, &[instance]);
        let mut known = all.clone();
        known.retain(|name| !self.instances.is_new_witness(*name));
        let part = self.places.home_with(&known, &writes(pool, instance))?;
        for name in all.names().filter(|&name| !known.has(name)) {
            self.places.scopes[part].insert(name);
            self.instances.place_witness(name);
        }
        Some(part)
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

/// The arrays of a formula that are not symbols.
fn writes(pool: &TermPool, formula: Term) -> BTreeSet<Term> {
    let is_write = |term: &Term| {
        matches!(pool.sort(*term), Sort::Array { .. }) && !matches!(pool.op(*term), Op::Symbol(_))
    };
    pool.subterms(&[formula]).into_iter().filter(is_write).collect()
}

/// The term that says that a bit of a term is one.
fn bit_atom(pool: &mut TermPool, leaf: Term, at: u32) -> Term {
    if pool.sort(leaf) == Sort::Bool {
        return leaf;
    }
    let (bit, one) = (pool.bv_extract(leaf, at, at), pool.bv(1u8, 1));
    pool.eq(bit, one)
}
