//! The checker. It proves that a certificate's statements are inductive and exclude every error. Executions go on behind
//! undefined behaviour, but for operations that are assumed to be defined (`premises.rs`).
//!
//! *Cut points* are the entry of the program and the locations of the certificate. From each cut point the
//! graph is followed up to the next ones; this *stretch* must have no cycle. If the statement of the cut
//! point holds at its start, then at each of its ends the statement of the cut point there must hold, and
//! nothing that must not be reached may be reached. Each such claim is an *obligation*: a conjunction that
//! must be unsatisfiable. A statement with bound variables is assumed for some of their values only (`instances.rs`), and
//! proved for any. Contracts of functions and loops are proved in the same way, each from its own start (`contract.rs`).

mod addresses;
mod aggregate;
mod apply;
mod bytes;
mod cases;
mod contract;
mod ended;
mod expression;
mod facet;
mod fault;
mod graph;
mod heap;
mod instances;
mod lazy;
mod ledger;
mod library;
mod memory;
mod observe;
mod pointer;
mod premises;
mod reach;
mod refute;
mod slice;
mod step;
mod stretch;
mod truth;
mod valid;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{FunctionId, Hazard, Program};
use rorqual_evidence::{Claim, Invariant};
use rorqual_logic::{Op, Sort, Term, TermPool, smtlib};
use rorqual_solver::{GaveUp, Limits};

use crate::Refutations;
use crate::cells::{CellId, Cells, Facet, Ledger};
use crate::format::import;
use crate::unwinding;
use addresses::start_of_heap;
use apply::ensured_at_end;
use contract::{ProcedureId, Procedures, as_old};
use graph::{Graph, Node, Undefined};
use instances::Statement;
use lazy::Lazy;
use premises::control_hazards;
use refute::{Query, within};
use step::{Births, State, Step, World, replacements};
use stretch::{End, Order, Stretch, Translator, Unordered};

pub use premises::Premises;

/// A claim to be proved: the formulas contradict each other.
#[derive(Debug, Clone)]
pub struct Obligation {
    /// What is claimed, with its place.
    pub claim: String,
    /// What must be unsatisfiable together.
    pub formulas: Vec<Term>,
    /// The cases that one of the formulas is the disjunction of: the conjuncts of an invariant that might not hold, or
    /// the errors that might be reached.
    pub cases: Vec<Term>,
    /// The same for what is assumed: the disjuncts of an invariant.
    pub alternatives: Vec<Term>,
}

/// The conflicts that an obligation may take as long as the content of memory is left out.
const HEAP_FREE_CONFLICTS: u32 = 20_000;

/// What the checker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is proved: no execution reaches an error unless it executes an operation that the proof rests on where
    /// it is undefined.
    Accepted {
        /// How many claims were proved.
        obligations: usize,
        /// What the proof rests on, sorted.
        rests_on: Vec<Hazard>,
    },
    /// Something does not hold, or cannot be expressed.
    Rejected(Rejection),
    /// The solver did not finish.
    Unknown {
        /// The claim that is open.
        obligation: String,
        /// Why.
        reason: GaveUp,
    },
}

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The claim that fails, with its place.
    pub obligation: String,
    /// Why.
    pub reason: String,
    /// The functions whose contracts this may be due to: the claim is about the contract of one, or rests on some. Without these
    /// contracts, calls of the functions are looked into. Recursive functions are not among them: they need theirs.
    pub contracts: Vec<FunctionId>,
}

/// Sees each obligation.
pub trait Visitor {
    /// Called with each obligation and the pool of its formulas; it may have been proved already. An error ends the
    /// check.
    fn obligation(&mut self, pool: &TermPool, obligation: &Obligation) -> Result<(), String>;
}

/// Looks at nothing.
impl Visitor for () {
    fn obligation(&mut self, _: &TermPool, _: &Obligation) -> Result<(), String> {
        Ok(())
    }
}

/// Checks a claim about a program, and finds out what the proof rests on.
pub fn check(program: &Program, claim: &Claim, limits: &Limits) -> Outcome {
    check_with(program, claim, Premises::AtLeast(&[]), limits, &mut ())
}

/// Checks a claim about a program under premises; the visitor sees each obligation.
pub fn check_with(
    program: &Program,
    claim: &Claim,
    premises: Premises<'_>,
    limits: &Limits,
    visitor: &mut dyn Visitor,
) -> Outcome {
    check_again(program, claim, premises, limits, visitor, &mut Refutations::default())
}

/// As [`check_with`], with refutations that an earlier check of the claim has kept, or to be kept for a later one.
pub fn check_again(
    program: &Program,
    claim: &Claim,
    premises: Premises<'_>,
    limits: &Limits,
    visitor: &mut dyn Visitor,
    refutations: &mut Refutations,
) -> Outcome {
    match claim {
        // What has no violation in it needs no proof.
        Claim::Invariant(invariant) if invariant.is_empty() && !program.has_violations() => {
            Outcome::Accepted { obligations: 0, rests_on: Vec::new() }
        }
        Claim::Invariant(invariant) => check_invariant(program, invariant, premises, limits, visitor),
        Claim::Unwinding(unwinding) => {
            unwinding::check(program, unwinding, premises, limits, visitor, refutations)
        }
    }
}

/// Checks an invariant of a program.
fn check_invariant(
    program: &Program,
    invariant: &Invariant,
    premises: Premises<'_>,
    limits: &Limits,
    visitor: &mut dyn Visitor,
) -> Outcome {
    let control = control_hazards(program);
    let assumed: BTreeSet<Hazard> = premises.given().iter().copied().collect();
    let all_assumed = control.is_subset(&assumed);
    let undefined = if all_assumed { Undefined::Ends } else { Undefined::GoesOn };
    let mut start = Start { premises, assumed, undefined };
    let mut outcome = attempt(program, invariant, start.clone(), limits, visitor);
    if matches!(outcome, Err(Stop::Rejected(_))) && !all_assumed && premises.may_grow() {
        // Control may come to places that the invariant says nothing about.
        start.assumed.extend(control);
        outcome = attempt(program, invariant, Start { undefined: Undefined::Ends, ..start }, limits, visitor);
    }
    match outcome {
        Ok((obligations, rests_on)) => {
            Outcome::Accepted { obligations, rests_on: rests_on.into_iter().collect() }
        }
        Err(Stop::Rejected(rejection)) => Outcome::Rejected(rejection),
        Err(Stop::Limit { obligation, reason }) => Outcome::Unknown { obligation, reason },
    }
}

/// What an attempt starts with.
#[derive(Clone)]
struct Start<'p> {
    premises: Premises<'p>,
    /// The operations that are assumed to be defined.
    assumed: BTreeSet<Hazard>,
    undefined: Undefined,
}

/// How many obligations are proved, and what they rest on.
fn attempt(
    program: &Program,
    invariant: &Invariant,
    start: Start<'_>,
    limits: &Limits,
    visitor: &mut dyn Visitor,
) -> Result<(usize, BTreeSet<Hazard>), Stop> {
    let cells = Cells::new(program);
    let mut pool = TermPool::new();
    let procedures = Procedures::new(program, &cells, &mut pool, invariant)
        .map_err(|reason| rejected("the contracts are well-formed", reason))?;
    Checker::new(program, &cells, &procedures, pool, invariant, start)?.run(limits, visitor)
}

/// Why a check ends early.
enum Stop {
    Rejected(Rejection),
    Limit { obligation: String, reason: GaveUp },
}

impl Stop {
    /// Whether there is no use in trying something else.
    fn is_final(&self) -> bool {
        matches!(self, Stop::Limit { reason: GaveUp::Time | GaveUp::Cancelled, .. })
    }
}

fn rejected(obligation: impl Into<String>, reason: impl Into<String>) -> Stop {
    let (obligation, reason, contracts) = (obligation.into(), reason.into(), Vec::new());
    Stop::Rejected(Rejection { obligation, reason, contracts })
}

/// What is proved at one time.
#[derive(Clone, Copy)]
enum Subject {
    /// What a cut point claims of the stretch from it.
    Stretch(Node),
    /// What a contract claims of its procedure.
    Contract(ProcedureId),
}

/// The program with the content of all memory, and with less of it, if that makes a difference.
struct Worlds<'a> {
    heap_free: Option<World<'a>>,
    full: World<'a>,
}

struct Checker<'a> {
    program: &'a Program,
    cells: &'a Cells,
    pool: TermPool,
    /// Refutes most obligations of the present subject.
    lazy: Lazy,
    /// The functions whose contracts the present subject rests on.
    applied: BTreeSet<FunctionId>,
    graph: Graph<'a>,
    entry: Node,
    /// The statement of each cut point.
    statements: BTreeMap<Node, Statement>,
    /// The operations that are assumed to be defined.
    assumed: BTreeSet<Hazard>,
    /// Whether more may be assumed.
    may_assume: bool,
}

impl<'a> Checker<'a> {
    fn new(
        program: &'a Program,
        cells: &'a Cells,
        procedures: &'a Procedures,
        mut pool: TermPool,
        invariant: &Invariant,
        start: Start<'_>,
    ) -> Result<Checker<'a>, Stop> {
        let mut graph = Graph::new(program, cells, procedures, start.undefined);
        let whole = || "the certificate is well-formed";
        let entry = graph.entry().ok_or_else(|| rejected(whole(), "the program has no start-up code"))?;
        let mut statements = BTreeMap::new();
        for statement in &invariant.locations {
            let context = graph.context(&statement.calls);
            let node = Node { context, location: statement.location };
            let text = smtlib::closed_text(&invariant.pool, &statement.bound, statement.formula);
            let imported = import(program, cells, &mut pool, &statement.calls, &text);
            let (bound, formula) = imported.map_err(|problem| rejected(whole(), problem.to_string()))?;
            if statements.insert(node, Statement { bound, formula }).is_some() {
                return Err(rejected(whole(), format!("{} is there twice", graph.describe(node))));
            }
        }
        let (assumed, may_assume) = (start.assumed, start.premises.may_grow());
        let (lazy, applied) = (Lazy::new(), BTreeSet::new());
        Ok(Checker { program, cells, pool, lazy, applied, graph, entry, statements, assumed, may_assume })
    }

    /// Proves all obligations and counts them; also what they rest on.
    fn run(mut self, limits: &Limits, visitor: &mut dyn Visitor) -> Result<(usize, BTreeSet<Hazard>), Stop> {
        let mut births = Births::default();
        let vague = self.unmentioned_memory();
        let has_heap_free = !vague.is_empty();
        let heap_free = World::new(self.program, self.cells, vague, &mut self.pool, &mut births);
        let world = World::new(self.program, self.cells, BTreeSet::new(), &mut self.pool, &mut births);
        let mut count = self.initiation(&births, limits, visitor)?;
        let worlds = Worlds { heap_free: has_heap_free.then_some(heap_free), full: world };
        let mut open = vec![self.entry];
        let mut seen = BTreeSet::from([self.entry]);
        while let Some(start) = open.pop() {
            let subject = Subject::Stretch(start);
            let (stretch, proved) = self.prove_subject(&worlds, &mut births, subject, limits, visitor)?;
            if stretch.ends.iter().any(|end| end.node == self.entry) {
                let claim = "every way from the entry meets the next invariants";
                return Err(rejected(claim, "the program comes back to its start"));
            }
            count += proved;
            open.extend(stretch.ends.iter().map(|end| end.node).filter(|&node| seen.insert(node)));
        }
        for id in self.graph.procedures().ids() {
            let subject = Subject::Contract(id);
            count += self.prove_subject(&worlds, &mut births, subject, limits, visitor)?.1;
        }
        Ok((count, self.assumed))
    }

    /// The cells of allocated memory, and of variables of which only bytes are known, that no statement mentions. Most
    /// proofs do not depend on them, and formulas are much smaller without.
    fn unmentioned_memory(&self) -> BTreeSet<CellId> {
        // Checks of memory are about nothing else.
        if self.cells.has_memory_checks() {
            return BTreeSet::new();
        }
        let mut statements: Vec<Term> = self.statements.values().map(|statement| statement.formula).collect();
        statements.extend(self.graph.procedures().formulas());
        let mut mentioned = BTreeSet::new();
        for term in self.pool.subterms(&statements) {
            if let Op::Symbol(symbol) = self.pool.op(term) {
                let (_, name) = as_old(self.pool.symbol_name(*symbol));
                mentioned.extend(self.cells.find(name));
            }
        }
        let bytes = self.program.variables.ids().filter(|&variable| self.cells.is_bytes(variable));
        let bytes = bytes.flat_map(|variable| self.cells.leaves(variable).iter().map(|&(_, cell)| cell));
        let allocated = self.cells.allocated().into_iter().chain(self.cells.ledger(Ledger::Sizes));
        let memory: BTreeSet<CellId> = allocated.chain(bytes).collect();
        memory.difference(&mentioned).copied().collect()
    }

    /// Proves the obligations of a subject; how many there are.
    fn prove_subject(
        &mut self,
        worlds: &Worlds<'a>,
        births: &mut Births,
        subject: Subject,
        limits: &Limits,
        visitor: &mut dyn Visitor,
    ) -> Result<(Stretch, usize), Stop> {
        // More executions first: what is read from memory that no statement mentions may be anything.
        if let Some(heap_free) = &worlds.heap_free {
            let before = self.assumed.clone();
            let few = within(limits, HEAP_FREE_CONFLICTS);
            let proved = self.prove_in(heap_free, births, subject, &few, &mut ());
            if let Ok((mut stretch, mut obligations)) = proved {
                if self.assumed != before
                    && let Some(better) = self.prove_without(&worlds.full, births, subject, &before, &few)
                {
                    (stretch, obligations) = better;
                }
                obligations.iter().try_for_each(|obligation| self.show(obligation, visitor))?;
                return Ok((stretch, obligations.len()));
            }
            self.assumed = before;
        }
        let proved = self.prove_in(&worlds.full, births, subject, limits, visitor);
        let (stretch, obligations) = proved.map_err(|stop| self.blamed(stop, subject))?;
        Ok((stretch, obligations.len()))
    }

    /// A failure, with the contracts that it may be due to.
    fn blamed(&self, mut stop: Stop, subject: Subject) -> Stop {
        let effects = self.graph.procedures().effects();
        if let Stop::Rejected(rejection) = &mut stop {
            let own = match subject {
                Subject::Contract(id) => id.of_whole_function(),
                Subject::Stretch(_) => None,
            };
            let all = own.map_or_else(|| self.applied.clone(), |own| BTreeSet::from([own]));
            rejection.contracts =
                all.into_iter().filter(|&function| !effects.is_recursive(function)).collect();
        }
        stop
    }

    /// Proves the obligations of a subject without assuming more than before. What is assumed changes only if that
    /// succeeds.
    fn prove_without(
        &mut self,
        world: &World<'a>,
        births: &mut Births,
        subject: Subject,
        before: &BTreeSet<Hazard>,
        limits: &Limits,
    ) -> Option<(Stretch, Vec<Obligation>)> {
        let found = std::mem::replace(&mut self.assumed, before.clone());
        let may_assume = std::mem::replace(&mut self.may_assume, false);
        let proved = self.prove_in(world, births, subject, limits, &mut ()).ok();
        self.may_assume = may_assume;
        if proved.is_none() {
            self.assumed = found;
        }
        proved
    }

    fn prove_in(
        &mut self,
        world: &World<'a>,
        births: &mut Births,
        subject: Subject,
        limits: &Limits,
        visitor: &mut dyn Visitor,
    ) -> Result<(Stretch, Vec<Obligation>), Stop> {
        let (stretch, mut obligations) = match subject {
            Subject::Stretch(start) => {
                let stretch = self.stretch(world, births, start, limits)?;
                let obligations = self.obligations(&stretch, births, start);
                (stretch, obligations)
            }
            Subject::Contract(id) => self.contract(world, births, id, limits)?,
        };
        self.lazy = Lazy::new();
        for obligation in &mut obligations {
            // What was assumed is known only then.
            let proved = self.prove(obligation, births, &stretch, limits);
            self.show(obligation, visitor)?;
            proved?;
        }
        Ok((stretch, obligations))
    }

    /// The stretch from the start of a procedure to its exits, and what its contract claims.
    fn contract(
        &mut self,
        world: &World<'a>,
        births: &mut Births,
        id: ProcedureId,
        limits: &Limits,
    ) -> Result<(Stretch, Vec<Obligation>), Stop> {
        let procedure = self.graph.procedures().get(id);
        let (start, inner) = self.graph.start_of(id);
        let is_exit =
            |node: Node| node.context == inner && procedure.exits().any(|exit| exit == node.location);
        let mut state = State::default();
        if id.is_function() {
            let mut step = Step {
                world,
                taken: self.pool.top(),
                pool: &mut self.pool,
                births,
                state,
                scope: self.graph.pointed(inner),
                keepers: self.graph.keepers(inner),
                conditions: Vec::new(),
                hazards: Vec::new(),
                hazard: None,
                facet: Facet::Content,
                past: None,
            };
            step.begin_call(procedure.function);
            state = step.state;
        }
        let stretch = self.stretch_to(world, births, (start, &state), is_exit, limits)?;
        let assumed = Statement { bound: Vec::new(), formula: procedure.requires };
        let mut obligations: Vec<Obligation> =
            self.no_failure(&stretch, births, start, &assumed).into_iter().collect();
        for end in &stretch.ends {
            let Some(ensures) = procedure.ensures(end.node.location) else { continue };
            let formula = ensured_at_end(&mut self.pool, self.cells, ensures, &end.state);
            let after = Statement { bound: Vec::new(), formula };
            let claim = format!(
                "{} ensures what its contract says at {}",
                id.describe(self.program),
                self.graph.describe(end.node)
            );
            obligations.push(self.holds_at(&stretch, births, end, (&after, &assumed), claim));
        }
        Ok((stretch, obligations))
    }

    /// The statement of the entry, if there is one, must hold without any assumption.
    fn initiation(
        &mut self,
        births: &Births,
        limits: &Limits,
        visitor: &mut dyn Visitor,
    ) -> Result<usize, Stop> {
        let Some(statement) = self.statements.get(&self.entry) else { return Ok(0) };
        let place = self.graph.describe(self.entry);
        let state = initial(self.program, self.cells, &mut self.pool);
        let values = replacements(&mut self.pool, self.cells, &state);
        let statement = self.pool.substitute(statement.formula, &values);
        let violated = self.pool.not(statement);
        let claim = format!("the invariant of {place} holds when the program starts");
        let mut obligation = self.obligation(claim, vec![violated], [&[violated], &[]], births);
        self.show(&obligation, visitor)?;
        self.prove(&mut obligation, births, &Stretch::default(), limits)?;
        Ok(1)
    }

    fn stretch(
        &mut self,
        world: &World<'a>,
        births: &mut Births,
        start: Node,
        limits: &Limits,
    ) -> Result<Stretch, Stop> {
        let cuts: BTreeSet<Node> = self.statements.keys().copied().chain([self.entry]).collect();
        let state = if start == self.entry {
            initial(self.program, self.cells, &mut self.pool)
        } else {
            State::default()
        };
        self.stretch_to(world, births, (start, &state), |node| cuts.contains(&node), limits)
    }

    /// The stretch from a node and state to the next cut points.
    fn stretch_to(
        &mut self,
        world: &World<'a>,
        births: &mut Births,
        (start, state): (Node, &State),
        is_cut: impl Fn(Node) -> bool,
        limits: &Limits,
    ) -> Result<Stretch, Stop> {
        let place = self.graph.describe(start);
        let claim = format!("every way from {place} meets the next invariants");
        let limit = |reason| Stop::Limit { obligation: claim.clone(), reason };
        let order = Order::new(&mut self.graph, start, is_cut, limits).map_err(|reason| match reason {
            Unordered::Limit(reason) => limit(reason),
            Unordered::Cycle(node) => {
                let node = self.graph.describe(node);
                rejected(claim.clone(), format!("a cycle through {node} has no invariant"))
            }
        })?;
        self.applied = order.applied().collect();
        let graph = &self.graph;
        let mut translator = Translator { world, graph, pool: &mut self.pool, births };
        translator.stretch(&order, state, limits).map_err(limit)
    }

    /// The obligations of a stretch: one for everything that must not be reached, one for each end.
    fn obligations(&mut self, stretch: &Stretch, births: &Births, start: Node) -> Vec<Obligation> {
        let assumed = self.statements.get(&start).cloned().unwrap_or_else(|| Statement::none(&mut self.pool));
        let mut obligations: Vec<Obligation> =
            self.no_failure(stretch, births, start, &assumed).into_iter().collect();
        for end in &stretch.ends {
            let Some(statement) = self.statements.get(&end.node).cloned() else { continue };
            let values = replacements(&mut self.pool, self.cells, &end.state);
            let after = Statement { formula: self.pool.substitute(statement.formula, &values), ..statement };
            let (place, from) = (self.graph.describe(end.node), self.graph.describe(start));
            let claim = format!("the invariant of {place} holds whenever it is reached from {from}");
            obligations.push(self.holds_at(stretch, births, end, (&after, &assumed), claim));
        }
        obligations
    }

    /// That nothing is reached that must not be.
    fn no_failure(
        &mut self,
        stretch: &Stretch,
        births: &Births,
        start: Node,
        assumed: &Statement,
    ) -> Option<Obligation> {
        if stretch.failures.is_empty() {
            return None;
        }
        let alternatives = self.alternatives(assumed.formula);
        let mut formulas = stretch.to_failures();
        let taken: Vec<Term> = stretch.failures.iter().map(|failure| failure.taken).collect();
        formulas.push(self.pool.or(&taken));
        formulas.extend(assumed.instances(&mut self.pool, &formulas, &[]));
        let claim = format!("no error is reached from {}", self.graph.describe(start));
        Some(self.obligation(claim, formulas, [&taken, &alternatives], births))
    }

    /// That a formula holds at an end.
    fn holds_at(
        &mut self,
        stretch: &Stretch,
        births: &Births,
        end: &End,
        (after, assumed): (&Statement, &Statement),
        claim: String,
    ) -> Obligation {
        let alternatives = self.alternatives(assumed.formula);
        let mut formulas = stretch.to_end(end);
        let cases = self.violations(after.formula);
        formulas.extend([end.reached, self.pool.not(after.formula)]);
        formulas.extend(assumed.instances(&mut self.pool, &formulas, &after.bound));
        self.obligation(claim, formulas, [&cases, &alternatives], births)
    }

    /// The ways in which a formula may not hold: one per conjunct.
    fn violations(&mut self, formula: Term) -> Vec<Term> {
        let conjuncts = match self.pool.op(formula) {
            Op::And => self.pool.arguments(formula).to_vec(),
            _ => vec![formula],
        };
        conjuncts.into_iter().map(|conjunct| self.pool.not(conjunct)).collect()
    }

    /// The disjuncts of the conjunct that has most of them, if any has.
    fn alternatives(&self, formula: Term) -> Vec<Term> {
        let disjuncts = |conjunct: Term| match self.pool.op(conjunct) {
            Op::Or => self.pool.arguments(conjunct).to_vec(),
            _ => Vec::new(),
        };
        let conjuncts = match self.pool.op(formula) {
            Op::And => self.pool.arguments(formula).to_vec(),
            _ => vec![formula],
        };
        conjuncts.into_iter().map(disjuncts).max_by_key(Vec::len).unwrap_or_default()
    }

    fn show(&self, obligation: &Obligation, visitor: &mut dyn Visitor) -> Result<(), Stop> {
        let shown = visitor.obligation(&self.pool, obligation);
        shown.map_err(|problem| rejected(obligation.claim.clone(), problem))
    }
}

/// The state in which the program starts: no memory is allocated.
fn initial(program: &Program, cells: &Cells, pool: &mut TermPool) -> State {
    let mut state = State::default();
    state.set(cells.heap_top(), start_of_heap(pool, program));
    for cell in cells.empty_at_start() {
        let zero = match cells.get(cell).sort {
            Sort::Array { index, element } => {
                let zero = pool.bv(0u8, element);
                pool.const_array(index, zero)
            }
            sort => pool.bv(0u8, sort.width().unwrap_or(1)),
        };
        state.set(cell, zero);
    }
    state
}
