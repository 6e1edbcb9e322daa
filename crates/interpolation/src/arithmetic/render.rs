//! From formulas over integers back to bit-vectors.

use std::collections::HashMap;

use dashu::base::{BitTest, Signed, UnsignedAbs};
use dashu::integer::IBig;
use rorqual_logic::{Bits, Op, Term, TermPool};
use rorqual_solver::theory::linear::{Constraint, LinearExpr, Relation, Variable, join_equalities};

use super::lemma::Constraints;
use super::table::{Meaning, Table, View};

/// How equalities between sums are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Equalities {
    /// In the width of the symbols, modulo a power of two: shorter, and kept by steps that wrap.
    Modular,
    /// Over extended vectors that do not wrap.
    Exact,
}

/// Writes formulas over the integers of a table as formulas over its symbols.
pub(super) struct Renderer<'r> {
    pub(super) table: &'r Table,
    pub(super) constraints: &'r Constraints,
    pub(super) equalities: Equalities,
}

impl Renderer<'_> {
    /// The formula over bit-vectors; `None` if it speaks about something that only one part knows.
    pub(super) fn formula(&self, pool: &mut TermPool, formula: Term) -> Option<Term> {
        let mut done: HashMap<Term, Term> = HashMap::new();
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (is_conjunction, arguments) = match pool.op(term) {
                Op::And => (true, pool.arguments(term).to_vec()),
                Op::Or => (false, pool.arguments(term).to_vec()),
                _ => {
                    let rendered = self.leaf(pool, term)?;
                    done.insert(term, rendered);
                    continue;
                }
            };
            let is_inner = |argument: &Term| self.constraints.constraint(pool, *argument).is_none();
            let inner: Vec<Term> = arguments.iter().copied().filter(is_inner).collect();
            let before = stack.len();
            stack.extend(inner.iter().filter(|argument| !done.contains_key(argument)));
            if stack.len() > before {
                continue;
            }
            let mut rendered: Vec<Term> = inner.iter().map(|argument| done[argument]).collect();
            rendered.extend(self.joined(pool, &arguments, is_conjunction)?);
            let result = if is_conjunction { pool.and(&rendered) } else { pool.or(&rendered) };
            done.insert(term, result);
        }
        Some(done[&formula])
    }

    fn leaf(&self, pool: &mut TermPool, term: Term) -> Option<Term> {
        match self.constraints.constraint(pool, term) {
            Some(constraint) => self.relation(pool, &Relation::AtMostZero(constraint.expr().clone())),
            None => Some(term),
        }
    }

    /// The constraints among the arguments, with opposite ones joined to equalities. A disjunction is
    /// the negation of the conjunction of the negated constraints.
    fn joined(&self, pool: &mut TermPool, arguments: &[Term], is_conjunction: bool) -> Option<Vec<Term>> {
        let constraints = arguments.iter().filter_map(|&term| self.constraints.constraint(pool, term));
        let constraints: Vec<Constraint> = if is_conjunction {
            constraints.collect()
        } else {
            constraints.map(|constraint| constraint.negated()).collect()
        };
        let mut rendered = Vec::new();
        for relation in join_equalities(&constraints) {
            let term = self.relation(pool, &relation)?;
            rendered.push(if is_conjunction { term } else { pool.not(term) });
        }
        Some(rendered)
    }

    /// `None` if the relation speaks about something that only one part knows.
    fn relation(&self, pool: &mut TermPool, relation: &Relation) -> Option<Term> {
        let (expr, is_equality) = match relation {
            Relation::AtMostZero(expr) => (expr, false),
            Relation::Zero(expr) => (expr, true),
        };
        if !expr.variables().all(|variable| self.table.is_symbol(variable)) {
            return None;
        }
        if expr.is_constant() {
            // Zero has a sign in this library of numbers, so `is_positive` would not do.
            let is_zero = expr.constant().is_zero();
            return Some(pool.bool(is_zero || !is_equality && expr.constant().is_negative()));
        }
        let (lhs, rhs) = Side::split(expr);
        let strict = if is_equality { None } else { self.strict(pool, expr) };
        let simple = strict.or_else(|| self.simple(pool, &lhs, &rhs, is_equality));
        let is_modular = is_equality && self.equalities == Equalities::Modular;
        let short = simple.or_else(|| if is_modular { self.modular(pool, &lhs, &rhs) } else { None });
        Some(short.unwrap_or_else(|| self.wide(pool, &lhs, &rhs, is_equality)))
    }

    fn symbol(&self, variable: Variable) -> (Term, View) {
        match self.table.meaning(variable) {
            Meaning::Symbol(symbol, view) => (*symbol, *view),
            Meaning::Local(_) => unreachable!("relations with local integers are not written"),
        }
    }

    /// `x + 1 <= y` as `x < y`.
    fn strict(&self, pool: &mut TermPool, expr: &LinearExpr) -> Option<Term> {
        let mut without = expr.clone();
        without.add_constant(&IBig::NEG_ONE);
        let (lhs, rhs) = Side::split(&without);
        let (Some(Operand::Symbol(one)), Some(Operand::Symbol(other))) = (lhs.operand(), rhs.operand())
        else {
            return None;
        };
        let ((lhs, view), (rhs, other_view)) = (self.symbol(one), self.symbol(other));
        if view != other_view || pool.sort(lhs) != pool.sort(rhs) {
            return None;
        }
        Some(match view {
            View::Signed => pool.bv_slt(lhs, rhs),
            View::Unsigned => pool.bv_ult(lhs, rhs),
        })
    }

    /// Comparisons of one symbol with another or with a constant, in the symbol's own width.
    fn simple(&self, pool: &mut TermPool, lhs: &Side, rhs: &Side, is_equality: bool) -> Option<Term> {
        let (first, second, view) = match (lhs.operand()?, rhs.operand()?) {
            (Operand::Symbol(one), Operand::Symbol(other)) => {
                let (lhs, rhs) = (self.symbol(one), self.symbol(other));
                if lhs.1 != rhs.1 || pool.sort(lhs.0) != pool.sort(rhs.0) {
                    return None;
                }
                (lhs.0, rhs.0, lhs.1)
            }
            (Operand::Symbol(symbol), Operand::Constant(constant)) => {
                let (symbol, view) = self.symbol(symbol);
                let (low, high) = view.range(pool.width(symbol));
                if constant < low || constant > high {
                    return Some(pool.bool(!is_equality && constant > high));
                }
                (symbol, constant_of(pool, &constant, symbol), view)
            }
            (Operand::Constant(constant), Operand::Symbol(symbol)) => {
                let (symbol, view) = self.symbol(symbol);
                let (low, high) = view.range(pool.width(symbol));
                if constant < low || constant > high {
                    return Some(pool.bool(!is_equality && constant < low));
                }
                (constant_of(pool, &constant, symbol), symbol, view)
            }
            (Operand::Constant(_), Operand::Constant(_)) => return None,
        };
        Some(match (is_equality, view) {
            (true, _) => pool.eq(first, second),
            (false, View::Signed) => pool.bv_sle(first, second),
            (false, View::Unsigned) => pool.bv_ule(first, second),
        })
    }

    /// An equality in the common width of its symbols, if they have one.
    fn modular(&self, pool: &mut TermPool, lhs: &Side, rhs: &Side) -> Option<Term> {
        let terms = lhs.terms.iter().chain(&rhs.terms);
        let mut widths: Vec<u32> = terms.map(|(variable, _)| pool.width(self.symbol(*variable).0)).collect();
        widths.dedup();
        let &[width] = widths.as_slice() else { return None };
        let (lhs, rhs) = (self.sum(pool, lhs, width), self.sum(pool, rhs, width));
        Some(pool.eq(lhs, rhs))
    }

    /// A comparison of sums over vectors that are wide enough for them.
    fn wide(&self, pool: &mut TermPool, lhs: &Side, rhs: &Side, is_equality: bool) -> Term {
        let mut width = self.width_of(pool, lhs).max(self.width_of(pool, rhs));
        for (variable, _) in lhs.terms.iter().chain(&rhs.terms) {
            width = width.max(pool.width(self.symbol(*variable).0) + 1);
        }
        let (lhs, rhs) = (self.sum(pool, lhs, width), self.sum(pool, rhs, width));
        if is_equality { pool.eq(lhs, rhs) } else { pool.bv_sle(lhs, rhs) }
    }

    /// How many bits all values of the side need in two's complement, whatever the order of summation.
    fn width_of(&self, pool: &TermPool, side: &Side) -> u32 {
        let mut size = IBig::from(side.constant.clone().unsigned_abs());
        for (variable, coefficient) in &side.terms {
            let (symbol, view) = self.symbol(*variable);
            let (low, high) = view.range(pool.width(symbol));
            let largest = IBig::from(low.unsigned_abs()).max(high);
            size += coefficient * largest;
        }
        size.unsigned_abs().bit_len() as u32 + 1
    }

    fn sum(&self, pool: &mut TermPool, side: &Side, width: u32) -> Term {
        let mut sum = pool.bits(Bits::from_signed(&side.constant, width));
        for (variable, coefficient) in &side.terms {
            let (symbol, view) = self.symbol(*variable);
            let extended = match view {
                View::Signed => pool.bv_sign_extend(symbol, width),
                View::Unsigned => pool.bv_zero_extend(symbol, width),
            };
            let factor = pool.bits(Bits::from_signed(coefficient, width));
            let product = pool.bv_mul(factor, extended);
            sum = pool.bv_add(sum, product);
        }
        sum
    }
}

fn constant_of(pool: &mut TermPool, value: &IBig, like: Term) -> Term {
    let width = pool.width(like);
    pool.bits(Bits::from_signed(value, width))
}

/// One side of a comparison: positive multiples of variables and a constant that is not negative, unless
/// the side is compared with a single variable.
struct Side {
    terms: Vec<(Variable, IBig)>,
    constant: IBig,
}

enum Operand {
    Symbol(Variable),
    Constant(IBig),
}

impl Side {
    /// `lhs` and `rhs` such that `expr <= 0` is `lhs <= rhs`.
    fn split(expr: &LinearExpr) -> (Side, Side) {
        let mut lhs = Side { terms: Vec::new(), constant: IBig::ZERO };
        let mut rhs = Side { terms: Vec::new(), constant: IBig::ZERO };
        for (variable, coefficient) in expr.terms() {
            if coefficient.is_positive() {
                lhs.terms.push((variable, coefficient.clone()));
            } else {
                rhs.terms.push((variable, -coefficient.clone()));
            }
        }
        let constant = expr.constant().clone();
        // A constant alone on its side takes the whole constant, also a negative one.
        if lhs.terms.is_empty() || (constant.is_positive() && !rhs.terms.is_empty()) {
            lhs.constant = constant;
        } else {
            rhs.constant = -constant;
        }
        (lhs, rhs)
    }

    /// The side as a single symbol or constant, if it is one.
    fn operand(&self) -> Option<Operand> {
        match self.terms.as_slice() {
            [] => Some(Operand::Constant(self.constant.clone())),
            [(variable, factor)] if factor.is_one() && self.constant.is_zero() => {
                Some(Operand::Symbol(*variable))
            }
            _ => None,
        }
    }
}
