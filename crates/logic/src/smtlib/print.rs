//! Printing of terms and scripts.
//!
//! A subterm that is used twice or more is bound by a `let` and written once, so the text is linear
//! in the number of different subterms. Bindings that do not depend on each other share one `let`,
//! so the nesting follows the depth of a term and not its size. All walks are iterative.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::pool::{FunctionSymbol, Op, Term, TermPool};
use crate::smtlib::name::{SHARED, encode, encode_function};
use crate::sort::Sort;

/// A sort as SMT-LIB writes it.
pub fn sort_text(sort: Sort) -> String {
    sort.to_string()
}

/// A term, without the declarations it needs.
pub fn term_text(pool: &TermPool, root: Term) -> String {
    let mut printer = Printer::new(pool, root);
    printer.term(root);
    printer.text
}

/// A formula that holds for all values of some symbols, with a quantifier in front if there are any.
pub fn closed_text(pool: &TermPool, bound: &[Term], body: Term) -> String {
    if bound.is_empty() {
        return term_text(pool, body);
    }
    let variable = |&symbol: &Term| format!("({} {})", term_text(pool, symbol), pool.sort(symbol));
    let variables: Vec<String> = bound.iter().map(variable).collect();
    format!("(forall ({}) {})", variables.join(" "), term_text(pool, body))
}

/// `declare-fun` for the symbols and functions of the terms, one per line, in the order in which the
/// pool got to know them.
pub fn declarations(pool: &TermPool, roots: &[Term]) -> String {
    let (mut symbols, mut functions) = (BTreeSet::new(), BTreeSet::new());
    for term in pool.subterms(roots) {
        match pool.op(term) {
            Op::Symbol(symbol) => drop(symbols.insert((*symbol, pool.sort(term)))),
            Op::Apply(function) => drop(functions.insert(*function)),
            _ => {}
        }
    }
    let mut text = String::new();
    for (symbol, sort) in symbols {
        let _ = writeln!(text, "(declare-fun {} () {sort})", encode(pool.symbol_name(symbol)));
    }
    for function in functions {
        let (_, parameters, result) = pool.signature(function);
        let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
        let name = function_name(pool, function);
        let _ = writeln!(text, "(declare-fun {name} ({}) {result})", parameters.join(" "));
    }
    text
}

/// A script that asks whether the assertions are satisfiable together.
pub fn script(pool: &TermPool, assertions: &[Term], logic: &str) -> String {
    let mut text = format!("(set-logic {logic})\n");
    text.push_str(&declarations(pool, assertions));
    push_assertions(pool, assertions, &mut text);
    text.push_str("(check-sat)\n");
    text
}

/// One script with many queries, each of them a conjunction: `(push 1)`, the assertions,
/// `(check-sat)`, `(pop 1)`. A solver answers them in order.
pub fn batch(pool: &TermPool, queries: &[Vec<Term>], logic: &str) -> String {
    let mut text = format!("(set-logic {logic})\n");
    text.push_str(&declarations(pool, &queries.concat()));
    for query in queries {
        text.push_str("(push 1)\n");
        push_assertions(pool, query, &mut text);
        text.push_str("(check-sat)\n(pop 1)\n");
    }
    text
}

fn push_assertions(pool: &TermPool, assertions: &[Term], text: &mut String) {
    for &assertion in assertions {
        let _ = writeln!(text, "(assert {})", term_text(pool, assertion));
    }
}

fn function_name(pool: &TermPool, function: FunctionSymbol) -> String {
    let (name, parameters, _) = pool.signature(function);
    // Without parameters, it would be read back as a symbol.
    if pool.has_symbol(name) || parameters.is_empty() { encode_function(name) } else { encode(name) }
}

/// The smallest logic with a common name that contains the terms.
pub fn logic_of(pool: &TermPool, roots: &[Term]) -> &'static str {
    let (mut arrays, mut functions, mut vectors, mut integers) = (false, false, false, false);
    for term in pool.subterms(roots) {
        functions |= matches!(pool.op(term), Op::Apply(_));
        match pool.sort(term) {
            Sort::Bool => {}
            Sort::BitVec(_) => vectors = true,
            Sort::Array { .. } => arrays = true,
            Sort::Int => integers = true,
        }
    }
    match (integers, arrays, functions) {
        (true, false, false) if !vectors => "QF_LIA",
        (true, false, true) if !vectors => "QF_UFLIA",
        (true, ..) => "ALL",
        (false, true, true) => "QF_AUFBV",
        (false, true, false) => "QF_ABV",
        (false, false, true) => "QF_UFBV",
        (false, false, false) => "QF_BV",
    }
}

enum Piece {
    Term(Term),
    Close,
}

struct Printer<'a> {
    pool: &'a TermPool,
    text: String,
    /// The shared subterms in groups: those of a group depend only on those of earlier groups.
    groups: Vec<Vec<Term>>,
    /// The number of each shared subterm.
    numbers: HashMap<Term, usize>,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a TermPool, root: Term) -> Printer<'a> {
        let order = pool.subterms(&[root]);
        let mut uses: HashMap<Term, usize> = HashMap::new();
        for &term in &order {
            for &argument in pool.arguments(term) {
                *uses.entry(argument).or_default() += 1;
            }
        }
        // The level of a term is the number of `let`s that must surround its text.
        let mut levels: HashMap<Term, usize> = HashMap::new();
        let mut groups: Vec<Vec<Term>> = Vec::new();
        let mut numbers = HashMap::new();
        for &term in &order {
            let arguments = pool.arguments(term);
            let level = arguments.iter().map(|argument| levels[argument]).max().unwrap_or(0);
            let shared = !arguments.is_empty() && uses.get(&term).is_some_and(|&uses| uses > 1);
            if shared {
                groups.resize_with(groups.len().max(level + 1), Vec::new);
                groups[level].push(term);
                numbers.insert(term, numbers.len() + 1);
            }
            levels.insert(term, level + usize::from(shared));
        }
        Printer { pool, text: String::new(), groups, numbers }
    }

    /// The root inside of all `let`s.
    fn term(&mut self, root: Term) {
        let groups = std::mem::take(&mut self.groups);
        for group in &groups {
            self.text.push_str("(let (");
            for (at, &shared) in group.iter().enumerate() {
                let separator = if at == 0 { "" } else { " " };
                let _ = write!(self.text, "{separator}({SHARED}{} ", self.numbers[&shared]);
                self.inline(shared);
                self.text.push(')');
            }
            self.text.push_str(") ");
        }
        self.inline(root);
        self.text.push_str(&")".repeat(groups.len()));
    }

    /// A term whose shared proper subterms appear by name.
    fn inline(&mut self, root: Term) {
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            let Piece::Term(term) = piece else {
                self.text.push(')');
                continue;
            };
            if !self.text.ends_with(['(', ' ']) && !self.text.is_empty() {
                self.text.push(' ');
            }
            if let Some(number) = self.numbers.get(&term).filter(|_| term != root) {
                let _ = write!(self.text, "{SHARED}{number}");
                continue;
            }
            let arguments = self.pool.arguments(term);
            let head = self.head(term);
            if arguments.is_empty() {
                self.text.push_str(&head);
            } else {
                let _ = write!(self.text, "({head}");
                stack.push(Piece::Close);
                stack.extend(arguments.iter().rev().map(|&argument| Piece::Term(argument)));
            }
        }
    }

    fn head(&self, term: Term) -> String {
        let pool = self.pool;
        let growth = || pool.width(term) - pool.width(pool.arguments(term)[0]);
        let name = match pool.op(term) {
            Op::Bool(value) => return value.to_string(),
            Op::Bits(bits) => return bits.to_string(),
            Op::Int(value) => return integer(value),
            Op::Symbol(symbol) => return encode(pool.symbol_name(*symbol)),
            Op::Apply(function) => return function_name(pool, *function),
            Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
            Op::ZeroExtend => return format!("(_ zero_extend {})", growth()),
            Op::SignExtend => return format!("(_ sign_extend {})", growth()),
            Op::ConstArray => return format!("(as const {})", pool.sort(term)),
            Op::IntScale(factor) => return format!("* {}", integer(factor)),
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::BvNot => "bvnot",
            Op::BvNeg => "bvneg",
            Op::BvAdd => "bvadd",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvSdiv => "bvsdiv",
            Op::BvSrem => "bvsrem",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::Concat => "concat",
            Op::BvUlt => "bvult",
            Op::BvUle => "bvule",
            Op::BvSlt => "bvslt",
            Op::BvSle => "bvsle",
            Op::Select => "select",
            Op::Store => "store",
            Op::IntAdd => "+",
            Op::IntLe => "<=",
        };
        name.to_owned()
    }
}

/// SMT-LIB has no negative numerals.
fn integer(value: &dashu::integer::IBig) -> String {
    let text = value.to_string();
    match text.strip_prefix('-') {
        Some(magnitude) => format!("(- {magnitude})"),
        None => text,
    }
}
