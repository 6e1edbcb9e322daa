//! What a program can find out about addresses: that objects which are there at the same time are apart, that they are
//! aligned, and that none lies in the first or the last page of memory. Where they lie otherwise, in which order, and
//! whether a new object lies where an old one was, is open.
//!
//! Addresses of the checker are more regular: allocated memory lies above everything else, and no address is used again.
//! So operations that would show that give any result (`docs/decisions/0014-addresses.md`).

use std::collections::BTreeSet;

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, IntKind, Program, Type};
use rorqual_logic::{Bits, Sort, Term};
use rorqual_memory::{Memory, Object};

use super::step::Step;

/// In the first and the last page of memory there are no objects. It is also the most that objects are known to be aligned to.
const PAGE: u64 = 1 << LOW_BITS;

/// So many of the lowest bits of an address are those of its real counterpart.
pub(super) const LOW_BITS: u32 = 12;

/// A comparison of scalars.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison {
    pub(super) expr: ExprId,
    pub(super) op: BinaryOp,
    /// The operands, and their values.
    pub(super) operands: [ExprId; 2],
    pub(super) values: [Term; 2],
    /// What it is for the checker's addresses.
    pub(super) exact: Term,
}

impl Step<'_> {
    /// What a comparison may find out.
    pub(super) fn observed(&mut self, comparison: Comparison) -> Term {
        let Comparison { expr, op, operands, values, exact } = comparison;
        let world = self.world;
        let is_number = !self.is_pointer(operands[0]) && !self.is_pointer(operands[1]);
        if values[0] == values[1] || (is_number && !world.shows_addresses) {
            return exact;
        }
        let [left, right] = operands.map(|operand| self.origins(operand));
        if left.is_empty() && right.is_empty() {
            return exact;
        }
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let both: BTreeSet<Object> = left.union(&right).copied().collect();
            let is_known = !left.is_empty() && !right.is_empty() || !is_number;
            let may_share = world.ended.has_any(expr, &both);
            return if is_known && !may_share { exact } else { self.perhaps_equal(op, values, exact) };
        }
        let is_known = if is_number { is_one_object(&left, &right) } else { !left.is_disjoint(&right) };
        let is_outside = !is_number && (left.is_empty() || right.is_empty());
        if is_known || is_outside { exact } else { self.any_order(operands[0], values, exact) }
    }

    /// Two addresses that differ here may be equal.
    fn perhaps_equal(&mut self, op: BinaryOp, values: [Term; 2], exact: Term) -> Term {
        let [left, right] = values.map(|value| self.may_be_address(value));
        let choice = self.pool.fresh_symbol("same", Sort::Bool);
        let may_be = self.pool.and(&[left, right, choice]);
        if op == BinaryOp::Eq {
            return self.pool.or2(exact, may_be);
        }
        let differs = self.pool.not(may_be);
        self.pool.and2(exact, differs)
    }

    /// Two addresses may be in any order. Numbers that can be no addresses are what they are.
    fn any_order(&mut self, operand: ExprId, values: [Term; 2], exact: Term) -> Term {
        let types = &self.world.program.types;
        let ty = self.world.program.exprs[operand].ty;
        let is_unsigned = types.is_unsigned(ty) || matches!(types.get(ty), Type::Pointer(_));
        let [left, right] = values.map(|value| self.may_be_address(value));
        let is_open = if is_unsigned { self.pool.and2(left, right) } else { self.pool.or2(left, right) };
        let choice = self.pool.fresh_symbol("order", Sort::Bool);
        self.pool.ite(is_open, choice, exact)
    }

    /// Whether a number is neither in the first nor in the last page.
    fn may_be_address(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        let first = self.pool.bv(PAGE, width);
        let last = self.pool.bv_neg(first);
        let (above, below) = (self.pool.bv_ule(first, value), self.pool.bv_ule(value, last));
        self.pool.and2(above, below)
    }

    /// A number that is computed from addresses in a way that shows more of them than their lowest bits.
    pub(super) fn computed(&mut self, operands: &[(ExprId, Term)], exact: Term) -> Term {
        if !self.world.shows_addresses {
            return exact;
        }
        let mut is_open = self.pool.bottom();
        for &(operand, value) in operands {
            let is_wide = self.pool.width(value) >= self.world.pointer_width;
            if is_wide && !self.origins(operand).is_empty() {
                let may_be = self.may_be_address(value);
                is_open = self.pool.or2(is_open, may_be);
            }
        }
        let any = self.pool.fresh_symbol("address", self.pool.sort(exact));
        self.pool.ite(is_open, any, exact)
    }

    /// Whether an operation moves an address inside of its object, or shows no more of it than its lowest bits.
    pub(super) fn keeps_addresses(&self, op: BinaryOp, operands: [ExprId; 2], rhs: Term) -> bool {
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            let [left, right] = operands.map(|operand| self.origins(operand));
            let is_difference = op == BinaryOp::Sub && is_one_object(&left, &right);
            return left.is_empty() || right.is_empty() || is_difference;
        }
        let Some(number) = self.pool.as_bits(rhs) else { return false };
        let page = Bits::new(PAGE - 1, number.width());
        let is_low = number.to_u64().is_some_and(|number| number < PAGE);
        let is_high = page.not().and(number) == page.not();
        match op {
            BinaryOp::And => is_low || is_high,
            BinaryOp::Or | BinaryOp::Xor => is_low,
            BinaryOp::Rem => number.to_u64().is_some_and(|number| number <= PAGE && number.is_power_of_two()),
            _ => false,
        }
    }

    /// The objects that a value may be the address of.
    fn origins(&self, expr: ExprId) -> BTreeSet<Object> {
        let world = self.world;
        if let Some(known) = world.origins.borrow().get(&expr) {
            return known.clone();
        }
        let targets = world.cells.memory().targets(world.program, expr);
        let found: BTreeSet<Object> =
            targets.objects().into_iter().filter(|object| !matches!(object, Object::Result(_))).collect();
        world.origins.borrow_mut().insert(expr, found.clone());
        found
    }
}

fn is_one_object(left: &BTreeSet<Object>, right: &BTreeSet<Object>) -> bool {
    let is_single = |object: &Object| matches!(object, Object::Variable(_) | Object::Text(_));
    left.len() == 1 && left == right && left.iter().all(is_single)
}

/// Whether a program has addresses as numbers: it converts pointers, or reads them where it takes them for integers.
pub(super) fn shows_addresses(program: &Program, memory: &Memory) -> bool {
    let is_pointer = |expr: ExprId| matches!(program.types.get(program.exprs[expr].ty), Type::Pointer(_));
    let is_number =
        |expr: ExprId| program.types.as_int(program.exprs[expr].ty).is_some_and(|kind| kind != IntKind::Bool);
    program.exprs.iter().any(|(id, expr)| match expr.kind {
        ExprKind::Convert(operand) => {
            let is_constant = matches!(program.exprs[operand].kind, ExprKind::Int(_) | ExprKind::Zero);
            is_pointer(operand) && is_number(id) && !is_constant
        }
        ExprKind::Binary { lhs, rhs, .. } => [lhs, rhs].into_iter().any(|operand| {
            let is_read = matches!(program.exprs[operand].kind, ExprKind::Load(_));
            let width = program.types.width(program.exprs[operand].ty);
            let is_wide = width >= program.types.model().pointer_width();
            is_read && is_number(operand) && is_wide && !memory.targets(program, operand).objects().is_empty()
        }),
        _ => false,
    })
}
