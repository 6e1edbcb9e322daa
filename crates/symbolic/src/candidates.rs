//! Which relations a loop may keep: those that the program itself asks about, and others that are common.

use std::collections::BTreeSet;

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, PlaceId, PlaceKind, Program, VariableId};
use rorqual_evidence::{Extension, Kept, Moment, Relation, Scalar, Sum};

/// Which candidates are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Guesses {
    /// None.
    #[default]
    None,
    /// What the program asks about, and numbers that change in step.
    Few,
    /// All.
    Many,
}

/// Where a number is, without the object that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    Variable(VariableId),
    /// So many bytes at an offset.
    Member(u64, u64),
}

/// What a program compares.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pairs: BTreeSet<(Origin, Origin)>,
    constants: BTreeSet<(Origin, i64)>,
}

impl Asked {
    /// What is compared, or divided by constants, anywhere in a program.
    pub(crate) fn of(program: &Program) -> Asked {
        let mut asked = Asked::default();
        for expr in program.exprs.values() {
            let ExprKind::Binary { op, lhs, rhs } = expr.kind else { continue };
            if !is_comparison(op) && op != BinaryOp::Rem {
                continue;
            }
            let [left, right] = [lhs, rhs].map(|side| {
                let mut found = Vec::new();
                collect(program, side, &mut found);
                found
            });
            for (side, origins) in [(rhs, &left), (lhs, &right)] {
                if let Some(number) = integer(program, side) {
                    asked.constants.extend(origins.iter().map(|&origin| (origin, number)));
                }
            }
            for &one in &left {
                asked.pairs.extend(right.iter().flat_map(|&other| [(one, other), (other, one)]));
            }
        }
        asked
    }

    fn are_compared(&self, one: &Subject, other: &Subject) -> bool {
        self.pairs.contains(&(one.origin, other.origin))
    }

    fn constants(&self, subject: &Subject) -> BTreeSet<i64> {
        let own = self.constants.range((subject.origin, i64::MIN)..=(subject.origin, i64::MAX));
        own.map(|&(_, number)| number).chain([0, 1]).collect()
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
}

/// The value of an expression that is a constant.
fn integer(program: &Program, expr: ExprId) -> Option<i64> {
    match program.exprs[expr].kind {
        ExprKind::Int(number) => i64::try_from(number).ok(),
        ExprKind::Convert(inner) => integer(program, inner),
        _ => None,
    }
}

/// The numbers that an expression is computed from.
fn collect(program: &Program, expr: ExprId, found: &mut Vec<Origin>) {
    match program.exprs[expr].kind {
        ExprKind::Load(place) => found.extend(origin(program, place)),
        ExprKind::Convert(inner) | ExprKind::Unary { operand: inner, .. } => collect(program, inner, found),
        ExprKind::Binary { op, lhs, rhs } if !is_comparison(op) => {
            collect(program, lhs, found);
            collect(program, rhs, found);
        }
        ExprKind::PointerOffset { pointer, index, .. } => {
            collect(program, pointer, found);
            collect(program, index, found);
        }
        _ => {}
    }
}

fn origin(program: &Program, place: PlaceId) -> Option<Origin> {
    if let PlaceKind::Variable(variable) = program.places[place].kind {
        return Some(Origin::Variable(variable));
    }
    let bytes = program.types.size_of(program.places[place].ty)?;
    let (mut offset, mut at) = (0, place);
    loop {
        match program.places[at].kind {
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty)?;
                offset += program.types.record(record).fields[field as usize].offset;
                at = base;
            }
            PlaceKind::Element { .. } => return None,
            PlaceKind::Variable(_) | PlaceKind::Deref(_) | PlaceKind::Text(_) => {
                return Some(Origin::Member(offset, bytes));
            }
        }
    }
}

/// A number, or a pointer, that candidates are about.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) scalar: Scalar,
    pub(crate) origin: Origin,
    pub(crate) width: u32,
    pub(crate) is_signed: bool,
    pub(crate) is_pointer: bool,
    pub(crate) is_changed: bool,
}

/// Two numbers may run at these speeds: so many steps of one for so many of the other.
const SPEEDS: [(i64, i64); 6] = [(1, 2), (2, 1), (3, 4), (4, 3), (1, 4), (4, 1)];
/// What changes may do so by multiples of these powers of two.
const STEPS: [u32; 3] = [3, 2, 1];

impl Subject {
    fn at(&self, when: Moment) -> Sum {
        let extension = if self.is_signed { Extension::Signed } else { Extension::Unsigned };
        Sum::scalar(self.scalar.clone(), extension, when)
    }

    fn now(&self) -> Sum {
        self.at(Moment::Now)
    }

    /// So many times what it has changed since the loop was entered.
    fn change(&self, factor: i64) -> Sum {
        let mut sum = self.now();
        sum.multiples.extend(self.at(Moment::Entry).multiples);
        sum.multiples[0].factor = factor;
        sum.multiples[1].factor = factor.wrapping_neg();
        sum
    }

    /// Whether a number is one of its values.
    fn may_be(&self, number: i64) -> bool {
        match self.width {
            64.. => self.is_signed || number >= 0,
            width if self.is_signed => number >> (width - 1) == 0 || number >> (width - 1) == -1,
            width => number >= 0 && number >> width == 0,
        }
    }
}

/// The relations that say that numbers are at most, or less than, others.
fn orders(is_signed: bool) -> [Relation; 2] {
    if is_signed {
        [Relation::AtMostSigned, Relation::LessSigned]
    } else {
        [Relation::AtMost, Relation::Less]
    }
}

/// Candidates as they are made.
pub(crate) struct Guessed<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) pointer_width: u32,
    pub(crate) guesses: Guesses,
    pub(crate) found: Vec<Kept>,
}

impl Guessed<'_> {
    /// What may hold of numbers and pointers, the simplest first.
    pub(crate) fn about(&mut self, subjects: &[Subject]) {
        let changed: Vec<&Subject> = subjects.iter().filter(|subject| subject.is_changed).collect();
        for subject in &changed {
            if subject.is_pointer {
                self.found.push(Kept::Inside(subject.scalar.clone()));
                self.found.push(Kept::Within(subject.scalar.clone()));
            } else {
                self.of_one(subject);
            }
        }
        for (at, one) in changed.iter().enumerate() {
            let unchanged = subjects.iter().filter(|other| !other.is_changed);
            for other in changed[at + 1..].iter().copied().chain(unchanged) {
                self.ordered(one, other);
            }
            for other in &changed[at + 1..] {
                self.in_step(one, other);
            }
        }
        if self.guesses == Guesses::Many {
            for subject in &changed {
                self.by_steps(subject);
            }
        }
    }

    fn compared(&mut self, relation: Relation, width: u32, left: Sum, right: Sum) {
        self.found.push(Kept::Compared { relation, width, left, right });
    }

    /// Against what it was at first, and constants.
    fn of_one(&mut self, one: &Subject) {
        let [at_most, less] = orders(one.is_signed);
        self.compared(at_most, one.width, one.at(Moment::Entry), one.now());
        self.compared(at_most, one.width, one.now(), one.at(Moment::Entry));
        for number in self.asked.constants(one).into_iter().filter(|&number| one.may_be(number)) {
            let constant = Sum::constant(number);
            self.compared(at_most, one.width, one.now(), constant.clone());
            self.compared(less, one.width, one.now(), constant.clone());
            if one.is_signed || number > 0 {
                self.compared(at_most, one.width, constant, one.now());
            }
        }
    }

    /// Which of two is the smaller one. Pointers are compared by their distance.
    fn ordered(&mut self, one: &Subject, other: &Subject) {
        let are_compared = self.asked.are_compared(one, other);
        let is_common = one.width == other.width && one.is_changed && other.is_changed;
        if one.is_pointer != other.is_pointer || !(are_compared || is_common && self.guesses == Guesses::Many)
        {
            return;
        }
        if one.is_pointer {
            for (one, other) in [(one, other), (other, one)] {
                let mut distance = one.now();
                distance.multiples.extend(other.now().multiples);
                distance.multiples[1].factor = -1;
                self.compared(Relation::AtMostSigned, self.pointer_width, distance, Sum::constant(0));
            }
            return;
        }
        let width = one.width.max(other.width);
        let orders = orders(one.is_signed && other.is_signed);
        let count = if are_compared { orders.len() } else { 1 };
        for (one, other) in [(one, other), (other, one)] {
            for relation in &orders[..count] {
                self.compared(*relation, width, one.now(), other.now());
            }
        }
    }

    /// Two that change together.
    fn in_step(&mut self, one: &Subject, other: &Subject) {
        let is_wide = one.is_pointer || other.is_pointer;
        let width = if is_wide { self.pointer_width } else { one.width.max(other.width) };
        let speeds: &[(i64, i64)] = if self.guesses == Guesses::Many { &SPEEDS } else { &[] };
        for &(speed, other_speed) in [(1, 1), (-1, 1)].iter().chain(speeds) {
            self.compared(Relation::Equal, width, one.change(other_speed), other.change(speed));
        }
    }

    /// What changes by multiples of a power of two.
    fn by_steps(&mut self, one: &Subject) {
        for power in STEPS.into_iter().filter(|&power| power < one.width && one.width <= 64) {
            let factor = 1i64.wrapping_shl(one.width - power);
            self.compared(Relation::Equal, one.width, one.change(factor), Sum::constant(0));
        }
    }
}
