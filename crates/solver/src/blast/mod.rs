//! Terms to clauses. Every term is translated once per [`Blaster`]; several blasters may share the
//! variables of [`Leaves`], which is how the parts of a refutation share symbols but no gates.
//!
//! Reads, applications and equalities of arrays become leaves: variables whose meaning the module
//! `lemmas` adds on demand. Integers are not translated.

mod circuits;
pub(crate) mod gates;

use std::rc::Rc;

use rorqual_logic::{Bits, Op, Sort, Term, TermPool};
use rustc_hash::FxHashMap;

use crate::answer::GaveUp;
use crate::blast::gates::{FALSE, Gates, TRUE, Variables, constant};
use crate::limits::Limits;
use crate::proof::Literal;

/// The bits of terms whose meaning clauses do not define: symbols, and what `lemmas` gives meaning.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    variables: Variables,
    bits: FxHashMap<Term, Rc<[Literal]>>,
    /// The leaves in the order of their variables.
    order: Vec<Term>,
}

impl Leaves {
    /// The bits of a leaf, if it has any yet.
    pub(crate) fn get(&self, leaf: Term) -> Option<&Rc<[Literal]>> {
        self.bits.get(&leaf)
    }

    /// All leaves, in the order in which they were met.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Term, &Rc<[Literal]>)> {
        self.order.iter().map(|&leaf| (leaf, &self.bits[&leaf]))
    }

    /// How many variables leaves and gates have.
    pub(crate) fn variables(&self) -> i32 {
        self.variables.count()
    }

    fn bits_of(&mut self, pool: &TermPool, leaf: Term) -> Rc<[Literal]> {
        if let Some(known) = self.bits.get(&leaf) {
            return known.clone();
        }
        let width = pool.sort(leaf).width().unwrap_or(1);
        let bits: Rc<[Literal]> = (0..width).map(|_| self.variables.fresh()).collect();
        self.bits.insert(leaf, bits.clone());
        self.order.push(leaf);
        bits
    }
}

/// Whether the term is a read, an application or an equality of arrays, which clauses leave open.
pub fn is_abstracted(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::Select | Op::Apply(_) => true,
        Op::Eq => matches!(pool.sort(pool.arguments(term)[0]), Sort::Array { .. }),
        _ => false,
    }
}

/// Gates of terms.
#[derive(Debug)]
pub(crate) struct Blaster {
    gates: Gates,
    /// The bits of terms; none for arrays.
    terms: FxHashMap<Term, Rc<[Literal]>>,
}

impl Blaster {
    /// A blaster without gates that numbers its variables together with the leaves.
    pub(crate) fn new(leaves: &Leaves) -> Blaster {
        Blaster { gates: Gates::new(leaves.variables.clone()), terms: FxHashMap::default() }
    }

    /// Takes the clauses that were made since the last call, each ended by a zero.
    pub(crate) fn take_clauses(&mut self) -> Vec<Literal> {
        self.gates.take_clauses()
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(
        &mut self,
        pool: &TermPool,
        leaves: &mut Leaves,
        term: Term,
        limits: &Limits,
    ) -> Result<Literal, GaveUp> {
        debug_assert_eq!(pool.sort(term), Sort::Bool, "only Boolean terms are literals");
        Ok(self.blast(pool, leaves, term, limits)?[0])
    }

    /// The bits of a term, lowest first. The walk is iterative, as paths are deeper than the call
    /// stack.
    fn blast(
        &mut self,
        pool: &TermPool,
        leaves: &mut Leaves,
        root: Term,
        limits: &Limits,
    ) -> Result<Rc<[Literal]>, GaveUp> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.terms.contains_key(&term) {
                stack.pop();
                continue;
            }
            let arguments = pool.arguments(term);
            let before = stack.len();
            stack.extend(arguments.iter().rev().filter(|argument| !self.terms.contains_key(argument)));
            if stack.len() > before {
                continue;
            }
            limits.check(self.gates.literals())?;
            let bits = self.bits_of(pool, leaves, term)?;
            self.terms.insert(term, bits);
            stack.pop();
        }
        Ok(self.terms[&root].clone())
    }

    fn bits_of(&mut self, pool: &TermPool, leaves: &mut Leaves, term: Term) -> Result<Rc<[Literal]>, GaveUp> {
        supported(pool, term)?;
        if matches!(pool.sort(term), Sort::Array { .. }) {
            return Ok(Rc::new([]));
        }
        if matches!(pool.op(term), Op::Symbol(_)) || is_abstracted(pool, term) {
            return Ok(leaves.bits_of(pool, term));
        }
        let arguments: Vec<Rc<[Literal]>> =
            pool.arguments(term).iter().map(|argument| self.terms[argument].clone()).collect();
        let arguments: Vec<&[Literal]> = arguments.iter().map(|bits| &**bits).collect();
        let bits = match pool.sort(term) {
            Sort::Bool => vec![self.boolean(pool.op(term), &arguments)],
            _ => self.vector(pool.op(term), &arguments, pool.width(term) as usize),
        };
        Ok(bits.into())
    }

    fn boolean(&mut self, op: &Op, arguments: &[&[Literal]]) -> Literal {
        let gates = &mut self.gates;
        let firsts = || arguments.iter().map(|bits| bits[0]).collect::<Vec<_>>();
        match (op, arguments) {
            (Op::Bool(value), _) => constant(*value),
            (Op::Not, [a]) => -a[0],
            (Op::And, _) => gates.and_many(&firsts()),
            (Op::Or, _) => gates.or_many(&firsts()),
            (Op::Eq, [a, b]) => gates.equal(a, b),
            (Op::Ite, [a, b, c]) => gates.ite(a[0], b[0], c[0]),
            (Op::BvUlt, [a, b]) => gates.unsigned_less(a, b),
            (Op::BvUle, [a, b]) => -gates.unsigned_less(b, a),
            (Op::BvSlt, [a, b]) => gates.signed_less(a, b),
            (Op::BvSle, [a, b]) => -gates.signed_less(b, a),
            _ => unreachable!("{op:?} is not a Boolean operation on {} arguments", arguments.len()),
        }
    }

    fn vector(&mut self, op: &Op, arguments: &[&[Literal]], width: usize) -> Vec<Literal> {
        let gates = &mut self.gates;
        match (op, arguments) {
            (Op::Bits(bits), _) => constants(bits),
            (Op::Ite, [a, b, c]) => gates.choose(a[0], b, c),
            (Op::BvNot, [a]) => Gates::not_vector(a),
            (Op::BvNeg, [a]) => gates.negate(a),
            (Op::BvAdd, [a, b]) => gates.add(a, b),
            (Op::BvMul, [a, b]) => gates.multiply(a, b),
            (Op::BvUdiv, [a, b]) => gates.divide(a, b).0,
            (Op::BvUrem, [a, b]) => gates.divide(a, b).1,
            (Op::BvSdiv, [a, b]) => gates.signed_quotient(a, b),
            (Op::BvSrem, [a, b]) => gates.signed_remainder(a, b),
            (Op::BvShl, [a, b]) => gates.shift_left(a, b),
            (Op::BvLshr, [a, b]) => gates.shift_right(a, b, FALSE),
            (Op::BvAshr, [a, b]) => gates.shift_right(a, b, a[width - 1]),
            (Op::BvAnd, [a, b]) => gates.zipped(a, b, Gates::and),
            (Op::BvOr, [a, b]) => gates.zipped(a, b, Gates::or),
            (Op::BvXor, [a, b]) => gates.zipped(a, b, Gates::xor),
            (Op::Concat, [a, b]) => b.iter().chain(*a).copied().collect(),
            (Op::Extract { high, low }, [a]) => a[*low as usize..=*high as usize].to_vec(),
            (Op::ZeroExtend, [a]) => extended(a, width, FALSE),
            (Op::SignExtend, [a]) => extended(a, width, a[a.len() - 1]),
            _ => unreachable!("{op:?} is not a bit-vector operation on {} arguments", arguments.len()),
        }
    }
}

fn constants(bits: &Bits) -> Vec<Literal> {
    (0..bits.width()).map(|at| if bits.bit(at) { TRUE } else { FALSE }).collect()
}

fn extended(bits: &[Literal], width: usize, fill: Literal) -> Vec<Literal> {
    let mut extended = bits.to_vec();
    extended.resize(width, fill);
    extended
}

/// Integers, and functions on arrays, have no bits.
fn supported(pool: &TermPool, term: Term) -> Result<(), GaveUp> {
    if pool.sort(term) == Sort::Int || matches!(pool.op(term), Op::IntLe) {
        return Err(GaveUp::Unsupported("integers in bit-vector queries".to_owned()));
    }
    if matches!(pool.op(term), Op::Apply(_)) {
        let is_array = |term: Term| matches!(pool.sort(term), Sort::Array { .. });
        if is_array(term) || pool.arguments(term).iter().any(|&argument| is_array(argument)) {
            return Err(GaveUp::Unsupported("uninterpreted functions on arrays".to_owned()));
        }
    }
    Ok(())
}
