//! `sizeof` of an expression that has the type of a bit-field: gcc takes the smallest integer that holds
//! the bits, rucc the type that the bit-field is declared with.

use std::collections::HashMap;

use rucc_ast::{Ast, Expr, UnaryOp};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{Category, Conversion, ExprId, ExprKind as Theirs, Stmt};
use rucc_types::TypeKind;

use super::Adapter;

/// The operands of `sizeof` of expressions, by the place of the whole. What a macro expands to is all at one place:
/// where there are several `sizeof`, nothing is known.
pub(super) fn of_expressions(ast: &Ast) -> HashMap<Span, Option<Span>> {
    let mut measured = HashMap::new();
    for id in (0..ast.counts().exprs).map(Idx::<Expr>::from_usize) {
        let operand = match ast[id] {
            Expr::SizeofExpr(operand) => Some(ast.expr_span(operand)),
            Expr::SizeofType(_) => None,
            _ => continue,
        };
        measured.entry(ast.expr_span(id)).and_modify(|known| *known = None).or_insert(operand);
    }
    measured
}

impl Adapter<'_> {
    /// The size that gcc gives to the operand, if the constant is the `sizeof` of a value with the type of a
    /// bit-field. The operand is not evaluated, but checked just before the constant is made.
    pub(super) fn bit_field_size(&self, constant: ExprId, value: i128) -> Option<u64> {
        let tast = &self.checked.tast;
        let operand_span = (*self.unit.measured.get(&tast.expr_span(constant))?)?;
        let operand = ExprId::from_usize(constant.index().checked_sub(1)?);
        if tast.expr_span(operand) != operand_span {
            return None;
        }
        let declared =
            rucc_types::layout(&self.checked.types, tast[operand].ty, &self.session.target).ok()?;
        let width = self.bit_field_width(operand)?;
        let size = u64::from(width.max(8).next_power_of_two() / 8);
        (i128::from(declared.size) == value).then_some(size)
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
