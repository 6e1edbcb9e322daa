//! `sizeof` of an expression that has the type of a bit-field: gcc takes the smallest integer that holds
//! the bits, rucc the type that the bit-field is declared with.

use std::collections::{HashMap, HashSet};

use rucc_ast::{Ast, Expr, UnaryOp};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{Category, Conversion, ExprId, ExprKind as Theirs, Stmt};
use rucc_types::TypeKind;

use super::Adapter;

/// The expressions with `sizeof` at a place. What a macro expands to is all at one place, so there may be several.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Where the operands are.
    operands: HashSet<Span>,
    /// The unsigned numbers at the same place that are written as such.
    numbers: HashSet<u128>,
}

/// What the constant for a `sizeof` should be.
pub(super) enum BitFieldSize {
    /// The size that gcc gives to the operand.
    Is(u64),
    /// It may be something else than a `sizeof`.
    Unclear,
}

/// The expressions with `sizeof`, by the place of the whole.
pub(super) fn of_expressions(ast: &Ast) -> HashMap<Span, Measured> {
    let exprs = || (0..ast.counts().exprs).map(Idx::<Expr>::from_usize);
    let mut measured: HashMap<Span, Measured> = HashMap::new();
    for id in exprs() {
        if let Expr::SizeofExpr(operand) = ast[id] {
            measured.entry(ast.expr_span(id)).or_default().operands.insert(ast.expr_span(operand));
        }
    }
    for id in exprs() {
        if let (Expr::Int(number), Some(found)) = (ast[id], measured.get_mut(&ast.expr_span(id)))
            && ast[number].ty.suffix().starts_with('u')
        {
            found.numbers.insert(ast[number].value);
        }
    }
    measured
}

impl Adapter<'_> {
    /// The size that gcc gives to the operand, if the constant is the `sizeof` of a value with the type of a
    /// bit-field. The operand is not evaluated, but checked just before the constant is made.
    pub(super) fn bit_field_size(&self, constant: ExprId, value: i128) -> Option<BitFieldSize> {
        let tast = &self.checked.tast;
        let measured = self.unit.measured.get(&tast.expr_span(constant))?;
        let operand = ExprId::from_usize(constant.index().checked_sub(1)?);
        if !measured.operands.contains(&tast.expr_span(operand)) {
            return None;
        }
        let declared =
            rucc_types::layout(&self.checked.types, tast[operand].ty, &self.session.target).ok()?;
        let width = self.bit_field_width(operand)?;
        let size = u64::from(width.max(8).next_power_of_two() / 8);
        if i128::from(declared.size) != value || i128::from(size) == value {
            return None;
        }
        let is_written = measured.numbers.contains(&value.cast_unsigned());
        Some(if is_written { BitFieldSize::Unclear } else { BitFieldSize::Is(size) })
    }

    /// The width of the bit-field whose type the value has.
    pub(super) fn bit_field_width(&self, id: ExprId) -> Option<u32> {
        let tast = &self.checked.tast;
        match tast[id].kind {
            Theirs::Member { base, field } if tast[id].category == Category::Bitfield => {
                let record = self.checked.types.canonical(tast[base].ty);
                let TypeKind::Record(record) = self.checked.types.kind(record) else { return None };
                self.checked.types.record_info(record).fields.get(field as usize)?.bits
            }
            Theirs::Assign { lhs, .. } => self.bit_field_width(lhs),
            Theirs::Unary { op, operand } if is_step(op) => self.bit_field_width(operand),
            Theirs::Convert { kind: Conversion::Lvalue, operand } => self.bit_field_width(operand),
            Theirs::Comma { rhs, .. } => self.bit_field_width(rhs),
            Theirs::StmtExpr(stmt) => {
                let Stmt::Block(stmts) = tast[stmt] else { return None };
                let Stmt::Expr(last) = tast[*tast[stmts].last()?] else { return None };
                self.bit_field_width(last)
            }
            _ => None,
        }
    }
}

fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
}
