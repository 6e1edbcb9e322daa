//! Linear expressions over integer variables, and constraints `expression <= 0`.
//!
//! A [`Constraint`] is normalised when it is built: its coefficients have no common divisor, and its
//! constant is rounded to the strongest one that the integers allow. So `2x - 1 <= 0` *is* `x <= 0`,
//! an equality without integer solution such as `2x = 1` contradicts itself over the rationals, and a
//! constraint and its negation are always the two halves of a split.

use std::collections::BTreeMap;
use std::fmt;

use dashu::base::{DivEuclid, Gcd, Signed, UnsignedAbs};
use dashu::integer::IBig;

/// An integer variable. What it stands for is the caller's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// `c_1 x_1 + … + c_n x_n + constant`; the coefficients are not zero.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LinearExpr {
    terms: BTreeMap<Variable, IBig>,
    constant: IBig,
}

impl LinearExpr {
    /// A constant.
    pub fn constant_of(value: impl Into<IBig>) -> LinearExpr {
        LinearExpr { terms: BTreeMap::new(), constant: value.into() }
    }

    /// A variable.
    pub fn variable(variable: Variable) -> LinearExpr {
        LinearExpr { terms: BTreeMap::from([(variable, IBig::ONE)]), constant: IBig::ZERO }
    }

    /// A sum of multiples of variables, which may repeat, and of a constant.
    pub fn new<C: Into<IBig>>(
        terms: impl IntoIterator<Item = (C, Variable)>,
        constant: impl Into<IBig>,
    ) -> LinearExpr {
        let mut sum = LinearExpr::constant_of(constant);
        for (coefficient, variable) in terms {
            sum.add_term(&coefficient.into(), variable);
        }
        sum
    }

    /// Adds `coefficient * variable`.
    pub fn add_term(&mut self, coefficient: &IBig, variable: Variable) {
        let sum = self.terms.entry(variable).or_default();
        *sum += coefficient;
        if sum.is_zero() {
            self.terms.remove(&variable);
        }
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, value: &IBig) {
        self.constant += value;
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, factor: &IBig, other: &LinearExpr) {
        if factor.is_zero() {
            return;
        }
        for (&variable, coefficient) in &other.terms {
            self.add_term(&(coefficient * factor), variable);
        }
        self.constant += factor * &other.constant;
    }

    /// `self - other`
    #[must_use]
    pub fn minus(&self, other: &LinearExpr) -> LinearExpr {
        let mut difference = self.clone();
        difference.add_scaled(&IBig::NEG_ONE, other);
        difference
    }

    /// `-self`
    #[must_use]
    pub fn negated(&self) -> LinearExpr {
        LinearExpr::default().minus(self)
    }

    /// The coefficient of a variable, zero if it does not occur.
    pub fn coefficient(&self, variable: Variable) -> IBig {
        self.terms.get(&variable).cloned().unwrap_or_default()
    }

    /// The variables that occur with their coefficients, in order.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (Variable, &IBig)> {
        self.terms.iter().map(|(&variable, coefficient)| (variable, coefficient))
    }

    /// The variables that occur, in order.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        self.terms.keys().copied()
    }

    /// The constant.
    pub fn constant(&self) -> &IBig {
        &self.constant
    }

    /// Whether no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The greatest common divisor of the coefficients; zero without variables.
    pub fn content(&self) -> IBig {
        let mut content = IBig::ZERO;
        for coefficient in self.terms.values() {
            if content.is_one() {
                break;
            }
            content = if content.is_zero() {
                IBig::from(coefficient.clone().unsigned_abs())
            } else {
                IBig::from((&content).gcd(coefficient))
            };
        }
        content
    }

    /// The value under an assignment.
    pub fn evaluate(&self, mut value: impl FnMut(Variable) -> IBig) -> IBig {
        let mut sum = self.constant.clone();
        for (&variable, coefficient) in &self.terms {
            sum += coefficient * value(variable);
        }
        sum
    }

    /// The coefficients divided by their content, and the constant divided and rounded up.
    fn divided(mut self) -> LinearExpr {
        let content = self.content();
        if content <= IBig::ONE {
            return self;
        }
        for coefficient in self.terms.values_mut() {
            *coefficient /= &content;
        }
        // Euclidean division by a positive number rounds down; rounding up is its mirror image.
        self.constant = -((-self.constant).div_euclid(&content));
        self
    }
}

impl fmt::Display for LinearExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (variable, coefficient) in &self.terms {
            let sign = match (first, coefficient.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let size = coefficient.clone().unsigned_abs();
            if size.is_one() {
                write!(f, "{sign}v{}", variable.0)?;
            } else {
                write!(f, "{sign}{size}*v{}", variable.0)?;
            }
            first = false;
        }
        if first {
            write!(f, "{}", self.constant)
        } else if self.constant.is_zero() {
            Ok(())
        } else {
            let sign = if self.constant.is_negative() { "-" } else { "+" };
            write!(f, " {sign} {}", self.constant.clone().unsigned_abs())
        }
    }
}

/// `expression <= 0` over the integers, normalised (see the module).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    expr: LinearExpr,
}

impl Constraint {
    /// `expr <= 0`, in its strongest form with the same integer solutions.
    pub fn new(expr: LinearExpr) -> Constraint {
        Constraint { expr: expr.divided() }
    }

    /// `lhs <= rhs`
    pub fn le(lhs: &LinearExpr, rhs: &LinearExpr) -> Constraint {
        Constraint::new(lhs.minus(rhs))
    }

    /// `lhs < rhs`
    pub fn lt(lhs: &LinearExpr, rhs: &LinearExpr) -> Constraint {
        let mut expr = lhs.minus(rhs);
        expr.add_constant(&IBig::ONE);
        Constraint::new(expr)
    }

    /// `lhs = rhs`, as `lhs <= rhs` and `rhs <= lhs`.
    pub fn eq(lhs: &LinearExpr, rhs: &LinearExpr) -> [Constraint; 2] {
        [Constraint::le(lhs, rhs), Constraint::le(rhs, lhs)]
    }

    /// `variable <= bound`
    pub fn at_most(variable: Variable, bound: &IBig) -> Constraint {
        Constraint::new(LinearExpr::new([(1, variable)], -bound.clone()))
    }

    /// `variable >= bound`
    pub fn at_least(variable: Variable, bound: &IBig) -> Constraint {
        Constraint::new(LinearExpr::new([(-1, variable)], bound.clone()))
    }

    /// `expr >= 1`: what holds of integers when the constraint does not.
    #[must_use]
    pub fn negated(&self) -> Constraint {
        let mut expr = self.expr.negated();
        expr.add_constant(&IBig::ONE);
        Constraint { expr }
    }

    /// The expression that is at most zero.
    pub fn expr(&self) -> &LinearExpr {
        &self.expr
    }

    /// Whether it is `c <= 0` for a number `c` that is at most zero.
    pub fn is_true(&self) -> bool {
        self.expr.is_constant() && self.expr.constant <= IBig::ZERO
    }

    /// Whether it is `c <= 0` for a positive number `c`.
    pub fn is_false(&self) -> bool {
        self.expr.is_constant() && self.expr.constant > IBig::ZERO
    }

    /// Whether it holds under an assignment.
    pub fn holds(&self, value: impl FnMut(Variable) -> IBig) -> bool {
        self.expr.evaluate(value) <= IBig::ZERO
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <= 0", self.expr)
    }
}

/// A linear fact as people write invariants: two opposite constraints are one equality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// `expr <= 0`
    AtMostZero(LinearExpr),
    /// `expr = 0`
    Zero(LinearExpr),
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::AtMostZero(expr) => write!(f, "{expr} <= 0"),
            Relation::Zero(expr) => write!(f, "{expr} = 0"),
        }
    }
}

/// Joins the constraints of a conjunction that are two directions of an equality. Duplicates, true
/// constraints, and constraints that another one with the same coefficients implies are dropped.
pub fn join_equalities(conjunction: &[Constraint]) -> Vec<Relation> {
    let strongest = strongest(conjunction);
    let mut relations = Vec::new();
    for constraint in &strongest {
        let opposite = Constraint { expr: constraint.expr.negated() };
        if !strongest.contains(&opposite) {
            relations.push(Relation::AtMostZero(constraint.expr.clone()));
        } else if leads(&constraint.expr) {
            relations.push(Relation::Zero(constraint.expr.clone()));
        }
    }
    relations
}

/// The conjunction without constraints that are true or that a single other one implies.
pub fn strongest(conjunction: &[Constraint]) -> Vec<Constraint> {
    let dominates = |one: &Constraint, other: &Constraint| {
        one.expr.terms == other.expr.terms && one.expr.constant >= other.expr.constant
    };
    let mut kept: Vec<Constraint> = Vec::new();
    for constraint in conjunction {
        if constraint.is_true() || kept.iter().any(|other| dominates(other, constraint)) {
            continue;
        }
        kept.retain(|other| !dominates(constraint, other));
        kept.push(constraint.clone());
    }
    kept
}

/// Of two opposite expressions, the one that an equality is written with.
fn leads(expr: &LinearExpr) -> bool {
    expr.terms.values().next().is_none_or(|factor| *factor > IBig::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Variable = Variable(0);
    const Y: Variable = Variable(1);

    #[test]
    fn constraints_are_tightened() {
        let constraint = Constraint::new(LinearExpr::new([(2, X)], -1));
        assert_eq!(constraint.to_string(), "v0 <= 0");
        let constraint = Constraint::new(LinearExpr::new([(-4, X), (6, Y)], 3));
        assert_eq!(constraint.to_string(), "-2*v0 + 3*v1 + 2 <= 0");
        assert_eq!(constraint.negated().to_string(), "2*v0 - 3*v1 - 1 <= 0");
    }

    #[test]
    fn negation_is_an_involution() {
        let constraint = Constraint::new(LinearExpr::new([(3, X), (-7, Y)], 5));
        assert_eq!(constraint.negated().negated(), constraint);
    }

    #[test]
    fn opposite_directions_join() {
        let two_x = LinearExpr::new([(2, X)], 0);
        let y = LinearExpr::variable(Y);
        let [one, other] = Constraint::eq(&y, &two_x);
        let weaker = Constraint::le(&LinearExpr::variable(X), &LinearExpr::constant_of(9));
        let weakest = Constraint::le(&LinearExpr::variable(X), &LinearExpr::constant_of(10));
        let relations = join_equalities(&[one, weaker, weakest, other]);
        let text: Vec<String> = relations.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["v0 - 9 <= 0", "2*v0 - v1 = 0"]);
    }
}
