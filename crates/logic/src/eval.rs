//! What terms mean: the value of a term under an assignment of values to its symbols.
//!
//! Evaluation is total. A symbol or function without a value has the default value of its sort
//! (false, zero, the array of zeros), and division by zero has the value that SMT-LIB gives it. It
//! is also the reference for everything else in this crate: a constructor may simplify a term only
//! to one with the same value under every assignment. Nothing here searches for an assignment.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use dashu::integer::IBig;

use crate::bits::Bits;
use crate::pool::{FunctionSymbol, Op, SymbolId, Term, TermPool};
use crate::sort::Sort;
use crate::value::{ArrayValue, Value};

/// A function given by a table: the first entry with equal arguments, else the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionTable {
    /// Arguments and results.
    pub entries: Vec<(Vec<Value>, Value)>,
    /// The result for all other arguments.
    pub default: Value,
}

impl FunctionTable {
    /// The function that always has the same result.
    pub fn constant(default: Value) -> FunctionTable {
        FunctionTable { entries: Vec::new(), default }
    }

    /// The result for the arguments.
    pub fn result(&self, arguments: &[&Value]) -> &Value {
        let fits = |known: &[Value]| known.iter().eq(arguments.iter().copied());
        self.entries.iter().find(|(known, _)| fits(known)).map_or(&self.default, |(_, result)| result)
    }
}

/// Values of symbols and functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    symbols: BTreeMap<SymbolId, Value>,
    functions: BTreeMap<FunctionSymbol, FunctionTable>,
}

impl Assignment {
    /// The assignment that leaves everything at its default.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a symbol a value, which must be of the symbol's sort.
    pub fn set(&mut self, symbol: SymbolId, value: Value) {
        self.symbols.insert(symbol, value);
    }

    /// The value of a symbol, if one was given.
    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.symbols.get(&symbol)
    }

    /// Gives a function its table, which must fit the function's signature.
    pub fn set_function(&mut self, function: FunctionSymbol, table: FunctionTable) {
        self.functions.insert(function, table);
    }

    /// The table of a function, if one was given.
    pub fn function(&self, function: FunctionSymbol) -> Option<&FunctionTable> {
        self.functions.get(&function)
    }

    /// All symbols with a value, sorted.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.symbols.iter().map(|(&symbol, value)| (symbol, value))
    }

    /// All functions with a table, sorted.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionSymbol, &FunctionTable)> {
        self.functions.iter().map(|(&function, table)| (function, table))
    }

    /// The value of an operation on values: the definition of every [`Op`].
    ///
    /// # Panics
    /// If the arguments do not fit the operation.
    pub fn apply(&self, op: &Op, sort: Sort, arguments: &[&Value]) -> Value {
        match op {
            Op::Bool(value) => Value::Bool(*value),
            Op::Bits(bits) => Value::Bits(bits.clone()),
            Op::Int(value) => Value::Int(value.clone()),
            Op::Symbol(symbol) => self.get(*symbol).cloned().unwrap_or_else(|| Value::default_of(sort)),
            Op::Apply(function) => match self.functions.get(function) {
                Some(table) => table.result(arguments).clone(),
                None => Value::default_of(sort),
            },
            Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::IntLe => Value::Bool(claim(op, arguments)),
            Op::Ite => arguments[if arguments[0].bool() { 1 } else { 2 }].clone(),
            Op::IntAdd => Value::Int(arguments.iter().fold(IBig::ZERO, |sum, value| sum + value.int())),
            Op::IntScale(factor) => Value::Int(factor * arguments[0].int()),
            Op::Select => Value::Bits(arguments[0].array().get(arguments[1].bits()).clone()),
            Op::Store => {
                let mut array = arguments[0].array().clone();
                array.set(arguments[1].bits().clone(), arguments[2].bits().clone());
                Value::Array(array)
            }
            Op::ConstArray => match sort {
                Sort::Array { index, .. } => {
                    Value::Array(ArrayValue::constant(index, arguments[0].bits().clone()))
                }
                _ => unreachable!("constant arrays are arrays"),
            },
            _ => Value::Bits(vector(op, sort, arguments)),
        }
    }
}

fn claim(op: &Op, arguments: &[&Value]) -> bool {
    match op {
        Op::Not => !arguments[0].bool(),
        Op::And => arguments.iter().all(|value| value.bool()),
        Op::Or => arguments.iter().any(|value| value.bool()),
        Op::Eq => arguments[0] == arguments[1],
        Op::BvUlt => arguments[0].bits().unsigned() < arguments[1].bits().unsigned(),
        Op::BvUle => arguments[0].bits().unsigned() <= arguments[1].bits().unsigned(),
        Op::BvSlt => arguments[0].bits().signed() < arguments[1].bits().signed(),
        Op::BvSle => arguments[0].bits().signed() <= arguments[1].bits().signed(),
        Op::IntLe => arguments[0].int() <= arguments[1].int(),
        _ => unreachable!("{op:?} is no claim"),
    }
}

fn vector(op: &Op, sort: Sort, arguments: &[&Value]) -> Bits {
    let width = sort.width().unwrap_or_else(|| unreachable!("{op:?} is a bit-vector operation"));
    let first = arguments[0].bits();
    let binary = |operation: fn(&Bits, &Bits) -> Bits| operation(first, arguments[1].bits());
    match op {
        Op::BvNot => first.not(),
        Op::BvNeg => first.neg(),
        Op::BvAdd => binary(Bits::add),
        Op::BvMul => binary(Bits::mul),
        Op::BvUdiv => binary(Bits::udiv),
        Op::BvUrem => binary(Bits::urem),
        Op::BvSdiv => binary(Bits::sdiv),
        Op::BvSrem => binary(Bits::srem),
        Op::BvShl => binary(Bits::shl),
        Op::BvLshr => binary(Bits::lshr),
        Op::BvAshr => binary(Bits::ashr),
        Op::BvAnd => binary(Bits::and),
        Op::BvOr => binary(Bits::or),
        Op::BvXor => binary(Bits::xor),
        Op::Concat => binary(Bits::concat),
        Op::Extract { high, low } => first.extract(*high, *low),
        Op::ZeroExtend => first.zero_extend(width),
        Op::SignExtend => first.sign_extend(width),
        _ => unreachable!("{op:?} is evaluated elsewhere"),
    }
}

/// Evaluates terms under one assignment and remembers the values of all subterms.
#[derive(Debug)]
pub struct Evaluator<'a> {
    pool: &'a TermPool,
    assignment: &'a Assignment,
    values: FxHashMap<Term, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen no term yet.
    pub fn new(pool: &'a TermPool, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { pool, assignment, values: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn value(&mut self, root: Term) -> &Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let known = stack.len();
            let is_missing = |argument: &Term| !self.values.contains_key(argument);
            stack.extend(self.pool.arguments(term).iter().copied().filter(is_missing));
            if stack.len() == known {
                let value = self.operation(term);
                self.values.insert(term, value);
                stack.pop();
            }
        }
        &self.values[&root]
    }

    /// The value of a Boolean term.
    ///
    /// # Panics
    /// If the term has another sort.
    pub fn holds(&mut self, root: Term) -> bool {
        self.value(root).bool()
    }

    fn operation(&self, term: Term) -> Value {
        let arguments: Vec<&Value> =
            self.pool.arguments(term).iter().map(|argument| &self.values[argument]).collect();
        self.assignment.apply(self.pool.op(term), self.pool.sort(term), &arguments)
    }
}

impl TermPool {
    /// The value of a term under an assignment.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Value {
        let mut evaluator = Evaluator::new(self, assignment);
        evaluator.value(term).clone()
    }

    /// The constant term of a value: arrays become writes to a constant array.
    pub fn constant(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Bits(bits) => self.bits(bits.clone()),
            Value::Int(value) => self.int(value.clone()),
            Value::Array(array) => {
                let default = self.bits(array.default_element().clone());
                let mut term = self.const_array(array.index_width(), default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.bits(index.clone()), self.bits(element.clone()));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_without_a_value_are_zero() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(8));
        let a = pool.symbol("a", Sort::Array { index: 8, element: 8 });
        let read = pool.select(a, x);
        let f = pool.function("f", &[Sort::BitVec(8)], Sort::Bool);
        let called = pool.apply(f, &[read]);
        let nothing = Assignment::new();
        assert_eq!(pool.evaluate(read, &nothing), Value::Bits(Bits::new(0u8, 8)));
        assert_eq!(pool.evaluate(called, &nothing), Value::Bool(false));
    }

    #[test]
    fn functions_follow_their_tables() {
        let mut pool = TermPool::new();
        let f = pool.function("f", &[Sort::BitVec(8)], Sort::BitVec(8));
        let (three, four) = (pool.bv(3u8, 8), pool.bv(4u8, 8));
        let (of_three, of_four) = (pool.apply(f, &[three]), pool.apply(f, &[four]));
        let byte = |value: u8| Value::Bits(Bits::new(value, 8));
        let mut assignment = Assignment::new();
        let table = FunctionTable { entries: vec![(vec![byte(3)], byte(9))], default: byte(1) };
        assignment.set_function(f, table);
        assert_eq!(pool.evaluate(of_three, &assignment), byte(9));
        assert_eq!(pool.evaluate(of_four, &assignment), byte(1));
    }

    #[test]
    fn deep_terms_do_not_exhaust_the_stack() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(8));
        let mut term = x;
        for _ in 0..200_000 {
            let product = pool.bv_mul(term, x);
            term = pool.bv_not(product);
        }
        assert_eq!(pool.evaluate(term, &Assignment::new()), Value::Bits(Bits::ones(8)));
    }

    #[test]
    fn values_become_constants_and_back() {
        let mut pool = TermPool::new();
        let mut array = ArrayValue::constant(4, Bits::new(7u8, 8));
        array.set(Bits::new(2u8, 4), Bits::new(1u8, 8));
        for value in [Value::Bool(true), Value::Int((-5).into()), Value::Array(array)] {
            let term = pool.constant(&value);
            assert_eq!(pool.evaluate(term, &Assignment::new()), value);
        }
    }
}
