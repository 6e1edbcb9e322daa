//! Reads over writes, constant arrays, congruence of reads, and extensionality.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_logic::{ArrayValue, Bits, Op, Sort, Term, TermPool};

use crate::lemmas::{Candidate, Cone, Instances, Placement, fitting, implication};
use crate::vocabulary::Vocabulary;

/// A condition under which a read of an array is a read of one below it.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A write was passed, to another index.
    Passed(Term),
    /// An `ite` was entered by its first branch.
    Then(Term),
    /// An `ite` was entered by its second branch.
    Otherwise(Term),
}

impl Step {
    fn condition(self, pool: &mut TermPool, index: Term) -> Term {
        match self {
            Step::Passed(written) => pool.ne(written, index),
            Step::Then(condition) => condition,
            Step::Otherwise(condition) => pool.not(condition),
        }
    }
}

/// A read that reached a symbol.
#[derive(Debug, Clone)]
struct Reached {
    read: Term,
    element: Bits,
    steps: Vec<Step>,
}

/// The reads that reach an element of a symbol.
type Elements = HashMap<Term, BTreeMap<Bits, Vec<Reached>>>;

/// What a candidate says about the contents of arrays.
struct Contents {
    /// Elements of symbols that reads reach.
    elements: Elements,
    /// The element of symbols wherever no read reaches. Symbols that are equal share it.
    defaults: HashMap<Term, Bits>,
}

impl Instances {
    /// The values of the symbols that are arrays; of use only if nothing is violated.
    pub(super) fn check_arrays(
        &mut self,
        pool: &mut TermPool,
        cone: &Cone,
        candidate: &mut Candidate,
        placement: &mut dyn Placement,
        violated: &mut Vec<Term>,
    ) -> BTreeMap<Term, ArrayValue> {
        let mut elements = Elements::new();
        for &read in cone.reads() {
            violated.extend(follow(pool, candidate, placement, read, &mut elements));
        }
        let equal: Vec<Term> =
            cone.equalities().iter().copied().filter(|&equality| candidate.holds(pool, equality)).collect();
        for &equality in cone.equalities() {
            if equal.binary_search(&equality).is_err() && !self.told_apart.contains(&equality) {
                violated.push(self.tell_apart(pool, equality));
            }
        }
        let defaults = defaults(pool, candidate, &equal);
        let contents = Contents { elements, defaults };
        // Contents are known only once all reads agree.
        let comparable = if violated.is_empty() { equal } else { Vec::new() };
        for equality in comparable {
            violated.extend(self.compare(pool, cone, candidate, placement, &contents, equality));
        }
        let arrays = cone.symbols().iter().filter_map(|&symbol| match pool.sort(symbol) {
            Sort::Array { index, element } => Some((symbol, contents.of_symbol(symbol, index, element))),
            _ => None,
        });
        arrays.collect()
    }

    fn remember(&mut self, equality: Term, instance: Term) {
        let instances = self.of_equality.entry(equality).or_default();
        if !instances.contains(&instance) {
            instances.push(instance);
        }
    }

    /// Arrays that are not equal differ at some index.
    fn tell_apart(&mut self, pool: &mut TermPool, equality: Term) -> Term {
        let (lhs, rhs) = (pool.arguments(equality)[0], pool.arguments(equality)[1]);
        let Sort::Array { index, .. } = pool.sort(lhs) else { unreachable!("arrays have array sorts") };
        let witness = pool.fresh_symbol("witness", Sort::BitVec(index));
        self.new_witnesses.extend(Vocabulary::of(pool, &[witness]).names());
        self.told_apart.insert(equality);
        let (left, right) = (pool.select(lhs, witness), pool.select(rhs, witness));
        let differ = pool.ne(left, right);
        let instance = pool.or2(equality, differ);
        self.remember(equality, instance);
        instance
    }

    /// Arrays that are equal agree at each index of the query, and elsewhere.
    fn compare(
        &mut self,
        pool: &mut TermPool,
        cone: &Cone,
        candidate: &mut Candidate,
        placement: &mut dyn Placement,
        contents: &Contents,
        equality: Term,
    ) -> Option<Term> {
        let indices = contents.differing(pool, cone, candidate, equality)?;
        let at = |pool: &mut TermPool, index: &Term| agreement(pool, equality, *index);
        let instance = fitting(pool, placement, &indices, at).unwrap_or_else(|| {
            let landmark = placement.landmark(pool, [indices[0]; 2]);
            agreement(pool, equality, landmark.unwrap_or(indices[0]))
        });
        self.remember(equality, instance);
        Some(instance)
    }
}

/// Arrays that are equal agree at an index.
fn agreement(pool: &mut TermPool, equality: Term, index: Term) -> Term {
    let (lhs, rhs) = (pool.arguments(equality)[0], pool.arguments(equality)[1]);
    let (left, right) = (pool.select(lhs, index), pool.select(rhs, index));
    let same = pool.eq(left, right);
    pool.implies(equality, same)
}

impl Contents {
    /// Indices of one value at which the sides of an equality differ; none if they do not.
    fn differing(
        &self,
        pool: &mut TermPool,
        cone: &Cone,
        candidate: &mut Candidate,
        equality: Term,
    ) -> Option<Vec<Term>> {
        let (lhs, rhs) = (pool.arguments(equality)[0], pool.arguments(equality)[1]);
        let Sort::Array { index: width, .. } = pool.sort(lhs) else {
            unreachable!("arrays have array sorts")
        };
        let mut by_value: BTreeMap<Bits, Vec<Term>> = BTreeMap::new();
        for &index in cone.indices().iter().filter(|&&index| pool.width(index) == width) {
            by_value.entry(candidate.bits(pool, index)).or_default().push(index);
        }
        let mut differ = |at: Option<&Bits>| {
            self.element(pool, candidate, lhs, at) != self.element(pool, candidate, rhs, at)
        };
        if let Some((_, indices)) = by_value.iter().find(|(at, _)| differ(Some(at))) {
            return Some(indices.clone());
        }
        if !differ(None) {
            return None;
        }
        unlisted(&by_value.into_keys().collect(), width).map(|index| vec![pool.bits(index)])
    }

    /// The element at an index, or at an index that the query does not mention.
    fn element(&self, pool: &TermPool, candidate: &mut Candidate, array: Term, index: Option<&Bits>) -> Bits {
        let mut array = array;
        loop {
            let arguments = pool.arguments(array);
            match pool.op(array) {
                Op::Store => {
                    if index.is_some_and(|index| candidate.bits(pool, arguments[1]) == *index) {
                        return candidate.bits(pool, arguments[2]);
                    }
                    array = arguments[0];
                }
                Op::Ite => array = arguments[if candidate.holds(pool, arguments[0]) { 1 } else { 2 }],
                Op::ConstArray => return candidate.bits(pool, arguments[0]),
                _ => {
                    let known = index.and_then(|index| self.elements.get(&array)?.get(index));
                    let Sort::Array { element, .. } = pool.sort(array) else {
                        unreachable!("arrays have array sorts")
                    };
                    return known
                        .map_or_else(|| self.default(array, element), |known| known[0].element.clone());
                }
            }
        }
    }

    fn default(&self, symbol: Term, width: u32) -> Bits {
        self.defaults.get(&symbol).cloned().unwrap_or_else(|| Bits::new(0u8, width))
    }

    fn of_symbol(&self, symbol: Term, index: u32, element: u32) -> ArrayValue {
        let mut array = ArrayValue::constant(index, self.default(symbol, element));
        for (index, reached) in self.elements.get(&symbol).into_iter().flatten() {
            array.set(index.clone(), reached[0].element.clone());
        }
        array
    }
}

/// Where a read ends.
enum Bottom {
    /// At a value that was written, or at that of a constant array, under a condition on the index.
    Value(Term, Term),
    /// At a symbol.
    Symbol(Term),
}

/// Follows a read down to what it reads: a written value, a constant, or a symbol. Answers the
/// instances that say what the read must be, if it is not that.
fn follow(
    pool: &mut TermPool,
    candidate: &mut Candidate,
    placement: &mut dyn Placement,
    read: Term,
    elements: &mut Elements,
) -> Vec<Term> {
    let (steps, bottom) = descend(pool, candidate, read);
    let element = candidate.bits(pool, read);
    let index = pool.arguments(read)[1];
    let (source, same_index) = match bottom {
        Bottom::Value(source, same_index) => (source, same_index),
        Bottom::Symbol(symbol) => {
            let reads = elements.entry(symbol).or_default().entry(candidate.bits(pool, index)).or_default();
            let reached = Reached { read, element, steps };
            reads.push(reached.clone());
            return disagreements(pool, placement, symbol, &reached, reads);
        }
    };
    if candidate.bits(pool, source) == element {
        return Vec::new();
    }
    let mut premises = conditions(pool, &steps, index);
    premises.push(same_index);
    let conclusion = pool.eq(read, source);
    vec![implication(pool, &premises, conclusion)]
}

fn descend(pool: &mut TermPool, candidate: &mut Candidate, read: Term) -> (Vec<Step>, Bottom) {
    let (mut array, index) = (pool.arguments(read)[0], pool.arguments(read)[1]);
    let at = candidate.bits(pool, index);
    let mut steps = Vec::new();
    loop {
        let arguments = pool.arguments(array).to_vec();
        match pool.op(array) {
            Op::Store if candidate.bits(pool, arguments[1]) == at => {
                return (steps, Bottom::Value(arguments[2], pool.eq(arguments[1], index)));
            }
            Op::Store => {
                steps.push(Step::Passed(arguments[1]));
                array = arguments[0];
            }
            Op::Ite => {
                let holds = candidate.holds(pool, arguments[0]);
                let step = if holds { Step::Then } else { Step::Otherwise };
                steps.push(step(arguments[0]));
                array = arguments[if holds { 1 } else { 2 }];
            }
            Op::ConstArray => return (steps, Bottom::Value(arguments[0], pool.top())),
            _ => return (steps, Bottom::Symbol(array)),
        }
    }
}

/// What says that a read equals one that it differs from: one instance that fits into a part, or two that
/// meet at a read of the symbol itself.
fn disagreements(
    pool: &mut TermPool,
    placement: &mut dyn Placement,
    symbol: Term,
    reached: &Reached,
    reads: &[Reached],
) -> Vec<Term> {
    let differing: Vec<&Reached> = reads.iter().filter(|other| other.element != reached.element).collect();
    let Some(&first) = differing.first() else { return Vec::new() };
    let direct = |pool: &mut TermPool, other: &&Reached| same_element(pool, reached, other);
    if let Some(instance) = fitting(pool, placement, &differing, direct) {
        return vec![instance];
    }
    let indices = [pool.arguments(reached.read)[1], pool.arguments(first.read)[1]];
    let Some(landmark) = placement.landmark(pool, indices) else {
        return vec![same_element(pool, reached, first)];
    };
    let read = pool.select(symbol, landmark);
    let middle = Reached { read, element: reached.element.clone(), steps: Vec::new() };
    [reached, first].map(|end| same_element(pool, end, &middle)).to_vec()
}

/// Reads that reach a symbol at one index are equal.
fn same_element(pool: &mut TermPool, one: &Reached, other: &Reached) -> Term {
    let indices = [pool.arguments(one.read)[1], pool.arguments(other.read)[1]];
    let mut premises = conditions(pool, &one.steps, indices[0]);
    premises.extend(conditions(pool, &other.steps, indices[1]));
    premises.push(pool.eq(indices[0], indices[1]));
    let conclusion = pool.eq(one.read, other.read);
    implication(pool, &premises, conclusion)
}

fn conditions(pool: &mut TermPool, steps: &[Step], index: Term) -> Vec<Term> {
    steps.iter().map(|step| step.condition(pool, index)).collect()
}

/// The elements of symbols at indices that the query does not mention. Symbols that the candidate
/// makes equal share one, and share that of a constant array that they equal.
fn defaults(pool: &TermPool, candidate: &mut Candidate, equal: &[Term]) -> HashMap<Term, Bits> {
    let mut classes: Vec<BTreeSet<Term>> = Vec::new();
    for &equality in equal {
        let bases = pool.arguments(equality).iter().map(|&array| base(pool, candidate, array));
        let mut class: BTreeSet<Term> = bases.collect();
        let (touched, apart) =
            classes.into_iter().partition(|other: &BTreeSet<Term>| !other.is_disjoint(&class));
        classes = apart;
        class.extend(touched.into_iter().flatten());
        classes.push(class);
    }
    let mut defaults = HashMap::new();
    for class in classes {
        let constant = class.iter().copied().find(|&array| *pool.op(array) == Op::ConstArray);
        if let Some(constant) = constant {
            let value = candidate.bits(pool, pool.arguments(constant)[0]);
            defaults.extend(class.into_iter().map(|array| (array, value.clone())));
        }
    }
    defaults
}

/// What an array is at indices that the query does not mention: a symbol or a constant array.
fn base(pool: &TermPool, candidate: &mut Candidate, array: Term) -> Term {
    let mut array = array;
    loop {
        let arguments = pool.arguments(array);
        array = match pool.op(array) {
            Op::Store => arguments[0],
            Op::Ite => arguments[if candidate.holds(pool, arguments[0]) { 1 } else { 2 }],
            _ => return array,
        };
    }
}

/// The smallest index that is not listed.
fn unlisted(listed: &BTreeSet<Bits>, width: u32) -> Option<Bits> {
    (0..=listed.len() as u64)
        .filter(|&index| width >= 64 || index >> width == 0)
        .map(|index| Bits::new(index, width))
        .find(|index| !listed.contains(index))
}
