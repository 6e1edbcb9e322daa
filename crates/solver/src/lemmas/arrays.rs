//! Reads over writes, constant arrays, congruence of reads, and extensionality.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_logic::{ArrayValue, Bits, Op, Sort, Term, TermPool};

use crate::lemmas::{Candidate, Cone, Instances, implication};

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
#[derive(Debug)]
struct Reached {
    read: Term,
    element: Bits,
    steps: Vec<Step>,
}

/// What a candidate says about the contents of arrays.
struct Contents {
    /// Elements of symbols that reads reach.
    elements: HashMap<Term, BTreeMap<Bits, Reached>>,
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
        violated: &mut Vec<Term>,
    ) -> BTreeMap<Term, ArrayValue> {
        let mut elements = HashMap::new();
        for &read in cone.reads() {
            violated.extend(follow(pool, candidate, read, &mut elements));
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
            violated.extend(self.compare(pool, cone, candidate, &contents, equality));
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
        self.witnesses.insert(witness);
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
        contents: &Contents,
        equality: Term,
    ) -> Option<Term> {
        let (lhs, rhs) = (pool.arguments(equality)[0], pool.arguments(equality)[1]);
        let Sort::Array { index: width, .. } = pool.sort(lhs) else {
            unreachable!("arrays have array sorts")
        };
        let mut seen = BTreeSet::new();
        let mut differing = None;
        for &index in cone.indices().iter().filter(|&&index| pool.width(index) == width) {
            let at = candidate.bits(pool, index);
            if seen.contains(&at) {
                continue;
            }
            let left = contents.element(pool, candidate, lhs, Some(&at));
            if left != contents.element(pool, candidate, rhs, Some(&at)) {
                differing = Some(index);
                break;
            }
            seen.insert(at);
        }
        if differing.is_none()
            && contents.element(pool, candidate, lhs, None) != contents.element(pool, candidate, rhs, None)
        {
            differing = unlisted(&seen, width).map(|index| pool.bits(index));
        }
        let index = differing?;
        let (left, right) = (pool.select(lhs, index), pool.select(rhs, index));
        let same = pool.eq(left, right);
        let instance = pool.implies(equality, same);
        self.remember(equality, instance);
        Some(instance)
    }
}

impl Contents {
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
                    return known.map_or_else(|| self.default(array, element), |known| known.element.clone());
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
            array.set(index.clone(), reached.element.clone());
        }
        array
    }
}

/// Follows a read down to what it reads: a written value, a constant, or a symbol. Answers the
/// instance that says what the read must be, if it is not that.
fn follow(
    pool: &mut TermPool,
    candidate: &mut Candidate,
    read: Term,
    elements: &mut HashMap<Term, BTreeMap<Bits, Reached>>,
) -> Option<Term> {
    let (mut array, index) = (pool.arguments(read)[0], pool.arguments(read)[1]);
    let (at, element) = (candidate.bits(pool, index), candidate.bits(pool, read));
    let mut steps = Vec::new();
    let (source, same_index) = loop {
        let arguments = pool.arguments(array).to_vec();
        match pool.op(array) {
            Op::Store if candidate.bits(pool, arguments[1]) == at => {
                break (arguments[2], pool.eq(arguments[1], index));
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
            Op::ConstArray => break (arguments[0], pool.top()),
            _ => {
                let known = elements.entry(array).or_default();
                let Some(first) = known.get(&at) else {
                    known.insert(at, Reached { read, element, steps });
                    return None;
                };
                if first.element == element {
                    return None;
                }
                let other = pool.arguments(first.read)[1];
                let mut premises = conditions(pool, &first.steps, other);
                premises.extend(conditions(pool, &steps, index));
                premises.push(pool.eq(index, other));
                let conclusion = pool.eq(read, first.read);
                return Some(implication(pool, &premises, conclusion));
            }
        }
    };
    if candidate.bits(pool, source) == element {
        return None;
    }
    let mut premises = conditions(pool, &steps, index);
    premises.push(same_index);
    let conclusion = pool.eq(read, source);
    Some(implication(pool, &premises, conclusion))
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
