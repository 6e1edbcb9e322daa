//! The pool: storage of terms, each different one once.

use std::collections::HashMap;

use rustc_hash::FxHashMap;
use std::fmt;

use dashu::integer::IBig;

use crate::bits::Bits;
use crate::compare::Comparison;
use crate::sort::Sort;

/// A term of a [`TermPool`]. Equal terms of one pool are equal here, and a term is greater than
/// its arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

impl Term {
    /// The position of the term in the order in which terms were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// The name of a variable (in the sense of logic: a constant symbol).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

/// The name of an uninterpreted function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionSymbol(u32);

/// What a term does with its arguments. Bit-vector operations are those of SMT-LIB with the same
/// meaning, so division by zero has the value that SMT-LIB gives it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// A Boolean constant.
    Bool(bool),
    /// A bit-vector constant.
    Bits(Bits),
    /// An integer constant.
    Int(IBig),
    /// A variable.
    Symbol(SymbolId),
    /// An uninterpreted function applied to the arguments.
    Apply(FunctionSymbol),
    /// Negation.
    Not,
    /// Conjunction of two or more different arguments, sorted.
    And,
    /// Disjunction of two or more different arguments, sorted.
    Or,
    /// Equality of two arguments of one sort, the smaller first.
    Eq,
    /// `condition ? then : otherwise`
    Ite,
    /// `bvnot`
    BvNot,
    /// `bvneg`
    BvNeg,
    /// `bvadd`
    BvAdd,
    /// `bvmul`
    BvMul,
    /// `bvudiv`
    BvUdiv,
    /// `bvurem`
    BvUrem,
    /// `bvsdiv`
    BvSdiv,
    /// `bvsrem`
    BvSrem,
    /// `bvshl`
    BvShl,
    /// `bvlshr`
    BvLshr,
    /// `bvashr`
    BvAshr,
    /// `bvand`
    BvAnd,
    /// `bvor`
    BvOr,
    /// `bvxor`
    BvXor,
    /// `concat`: the first argument above the second.
    Concat,
    /// `extract`, with the highest and the lowest bit.
    Extract {
        /// The highest bit, included.
        high: u32,
        /// The lowest bit.
        low: u32,
    },
    /// `zero_extend` to the width of the term's sort.
    ZeroExtend,
    /// `sign_extend` to the width of the term's sort.
    SignExtend,
    /// `bvult`
    BvUlt,
    /// `bvule`
    BvUle,
    /// `bvslt`
    BvSlt,
    /// `bvsle`
    BvSle,
    /// The element of an array (first) at an index (second).
    Select,
    /// An array (first) with the element at an index (second) replaced (third).
    Store,
    /// The array whose elements are all the argument.
    ConstArray,
    /// The sum of two or more integers.
    IntAdd,
    /// The argument times a constant.
    IntScale(IBig),
    /// `<=` on integers.
    IntLe,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    arguments: Box<[Term]>,
    sort: Sort,
}

#[derive(Debug, Clone)]
struct SymbolInfo {
    name: String,
    sort: Sort,
}

#[derive(Debug, Clone)]
struct FunctionInfo {
    name: String,
    parameters: Box<[Sort]>,
    result: Sort,
}

/// All terms. The constructors are spread over the modules of the theories.
#[derive(Debug, Clone, Default)]
pub struct TermPool {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Term>,
    /// Comparisons that are made of the cases of a conditional.
    pub(crate) lifted: FxHashMap<(Comparison, Term, Term), Term>,
    symbols: Vec<SymbolInfo>,
    symbol_names: HashMap<String, SymbolId>,
    functions: Vec<FunctionInfo>,
    function_names: HashMap<String, FunctionSymbol>,
    fresh: u32,
}

impl TermPool {
    /// A pool without terms.
    pub fn new() -> TermPool {
        TermPool::default()
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The variable with the given name.
    ///
    /// # Panics
    /// If the name has another sort already: names are the caller's to keep apart.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        let id = match self.symbol_names.get(name) {
            Some(&id) => {
                let known = self.symbols[id.0 as usize].sort;
                assert_eq!(known, sort, "`{name}` has two sorts");
                id
            }
            None => {
                let id = SymbolId(self.symbols.len() as u32);
                self.symbols.push(SymbolInfo { name: name.to_owned(), sort });
                self.symbol_names.insert(name.to_owned(), id);
                id
            }
        };
        self.intern(Op::Symbol(id), &[], sort)
    }

    /// A variable that is not used yet; its name starts with the hint.
    pub fn fresh_symbol(&mut self, hint: &str, sort: Sort) -> Term {
        loop {
            self.fresh += 1;
            let name = format!("{hint}!{}", self.fresh);
            if !self.symbol_names.contains_key(&name) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// The variable with the given name, if there is one.
    pub fn find_symbol(&mut self, name: &str) -> Option<Term> {
        let id = *self.symbol_names.get(name)?;
        let sort = self.symbols[id.0 as usize].sort;
        Some(self.intern(Op::Symbol(id), &[], sort))
    }

    /// Whether there is a variable with the given name.
    pub fn has_symbol(&self, name: &str) -> bool {
        self.symbol_names.contains_key(name)
    }

    /// The sort of a variable.
    pub fn symbol_sort(&self, id: SymbolId) -> Sort {
        self.symbols[id.0 as usize].sort
    }

    /// The name of a variable.
    pub fn symbol_name(&self, id: SymbolId) -> &str {
        &self.symbols[id.0 as usize].name
    }

    /// The uninterpreted function with the given name and signature.
    ///
    /// # Panics
    /// If the name has another signature already.
    pub fn function(&mut self, name: &str, parameters: &[Sort], result: Sort) -> FunctionSymbol {
        if let Some(&known) = self.function_names.get(name) {
            let info = &self.functions[known.0 as usize];
            let same = *info.parameters == *parameters && info.result == result;
            assert!(same, "the function `{name}` has two signatures");
            return known;
        }
        let function = FunctionSymbol(self.functions.len() as u32);
        self.functions.push(FunctionInfo { name: name.to_owned(), parameters: parameters.into(), result });
        self.function_names.insert(name.to_owned(), function);
        function
    }

    /// The function with the given name, if there is one.
    pub fn find_function(&self, name: &str) -> Option<FunctionSymbol> {
        self.function_names.get(name).copied()
    }

    /// Name, parameters and result of a function.
    pub fn signature(&self, function: FunctionSymbol) -> (&str, &[Sort], Sort) {
        let info = &self.functions[function.0 as usize];
        (&info.name, &info.parameters, info.result)
    }

    /// A function applied to arguments.
    ///
    /// # Panics
    /// If the arguments do not fit the signature.
    pub fn apply(&mut self, function: FunctionSymbol, arguments: &[Term]) -> Term {
        let info = &self.functions[function.0 as usize];
        let sorts: Vec<Sort> = arguments.iter().map(|&argument| self.sort(argument)).collect();
        assert_eq!(*info.parameters, *sorts, "the arguments of `{}` fit", info.name);
        let result = info.result;
        self.intern(Op::Apply(function), arguments, result)
    }

    /// What the term does.
    pub fn op(&self, term: Term) -> &Op {
        &self.nodes[term.index()].op
    }

    /// What the term does it with.
    pub fn arguments(&self, term: Term) -> &[Term] {
        &self.nodes[term.index()].arguments
    }

    /// The sort of the term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The width of a term of a bit-vector sort.
    ///
    /// # Panics
    /// If the term has another sort.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().expect("only bit-vectors have a width")
    }

    /// The value of a bit-vector constant.
    pub fn as_bits(&self, term: Term) -> Option<&Bits> {
        match self.op(term) {
            Op::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value of a Boolean constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The term with exactly this operation, arguments and sort, if it was made already.
    pub(crate) fn find(&self, op: Op, arguments: &[Term], sort: Sort) -> Option<Term> {
        self.known.get(&Node { op, arguments: arguments.into(), sort }).copied()
    }

    /// The term with exactly this operation, arguments and sort, without simplification.
    pub(crate) fn intern(&mut self, op: Op, arguments: &[Term], sort: Sort) -> Term {
        let node = Node { op, arguments: arguments.into(), sort };
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("a pool has fewer than four billion terms"));
        self.nodes.push(node.clone());
        self.known.insert(node, term);
        term
    }
}
