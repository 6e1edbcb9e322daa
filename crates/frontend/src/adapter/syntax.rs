//! What rucc decides otherwise than gcc and does not tell in its typed tree, found in the syntax tree.

use rucc_ast::{Ast, Expr, ExprId, UnaryOp};
use rucc_base::Idx;
use rucc_diag::{Diagnostic, Span};
use rucc_sema::{Category, Checked};
use rucc_session::Session;
use rucc_target::TargetInfo;

/// The places of `_Generic` whose controlling expression is a value of a qualified type. C drops the qualifiers (DR 481)
/// and rucc selects by them.
pub(super) fn qualified_selectors(ast: &Ast, checked: &Checked) -> Vec<Diagnostic> {
    let controls: Vec<Span> = exprs(ast)
        .filter_map(|id| match ast[id] {
            Expr::Generic { control, .. } => Some(ast.expr_span(control)),
            _ => None,
        })
        .collect();
    if controls.is_empty() {
        return Vec::new();
    }
    let is_qualified = |id: rucc_sema::ExprId| {
        let expr = &checked.tast[id];
        expr.category != Category::Lvalue && !checked.types.quals(checked.types.canonical(expr.ty)).is_none()
    };
    let message = "a value of qualified type that selects in `_Generic` is not supported";
    refuse_typed(checked, &controls, is_qualified, message)
}

/// The places of `_Alignof` whose operand has another alignment than its type: a member that is aligned or packed by
/// itself, or `*&x`. rucc answers by the type.
pub(super) fn aligned_operands(ast: &Ast, checked: &Checked, target: &TargetInfo) -> Vec<Diagnostic> {
    let operands = exprs(ast).filter_map(|id| match ast[id] {
        Expr::AlignofExpr(operand) => Some(operand),
        _ => None,
    });
    let (mut members, mut refused) = (Vec::new(), Vec::new());
    for operand in operands {
        match ast[operand] {
            Expr::Member { .. } => members.push(ast.expr_span(operand)),
            Expr::Unary { op: UnaryOp::Deref, operand: inner } if is_address(ast, inner) => {
                refused.push(ast.expr_span(operand));
            }
            _ => {}
        }
    }
    let message = "the alignment of an operand that is not that of its type is not supported";
    let mut errors: Vec<_> = refused.into_iter().map(|span| Diagnostic::error(message, span)).collect();
    if !members.is_empty() {
        errors.extend(refuse_typed(checked, &members, |id| is_aligned_member(checked, target, id), message));
    }
    errors
}

/// The places of `_Alignof` whose operand is an expression, where types have two alignments: gcc gives the larger one,
/// which is known for GNU's spelling only (`alignment.rs`).
pub(super) fn aligned_expressions(ast: &Ast, checked: &Checked, session: &Session) -> Vec<Diagnostic> {
    if session.target.pointer_width != 32 || session.interner.find("_Alignof").is_none() {
        return Vec::new();
    }
    let is_gnu = |span: Span| {
        let file = session.sources.lookup_file(span.lo).map(|file| session.sources.file(file));
        let text = file.and_then(|file| file.bytes().get(span.lo.checked_sub(file.start)? as usize..));
        text.is_some_and(|text| text.starts_with(b"__alignof"))
    };
    let operands = exprs(ast).filter_map(|id| match ast[id] {
        Expr::AlignofExpr(operand) if !is_gnu(ast.expr_span(id)) => Some(ast.expr_span(operand)),
        _ => None,
    });
    let operands: Vec<Span> = operands.collect();
    let has_two = |id: rucc_sema::ExprId| {
        let types = &checked.types;
        let mut ty = types.canonical(checked.tast[id].ty);
        while let rucc_types::TypeKind::Array { elem, .. } = types.kind(ty) {
            ty = types.canonical(elem);
        }
        let is_member = matches!(checked.tast[id].kind, rucc_sema::ExprKind::Member { .. });
        let layout = rucc_types::layout(types, ty, &session.target);
        !is_member && rucc_types::is_arithmetic(types, ty) && layout.is_ok_and(|layout| layout.size % 8 == 0)
    };
    let message = "the alignment of an expression is not supported where that of its type is less";
    refuse_typed(checked, &operands, has_two, message)
}

fn is_address(ast: &Ast, id: ExprId) -> bool {
    match ast[id] {
        Expr::Unary { op, .. } => op == UnaryOp::AddrOf,
        Expr::Cast { operand, .. } => is_address(ast, operand),
        _ => false,
    }
}

/// Whether an expression is a member whose alignment is not that of its type. Alignments of types are those of their
/// objects of their own, so members that the ABI aligns less count too.
fn is_aligned_member(checked: &Checked, target: &TargetInfo, id: rucc_sema::ExprId) -> bool {
    let rucc_sema::ExprKind::Member { base, field } = checked.tast[id].kind else { return false };
    let types = &checked.types;
    let rucc_types::TypeKind::Record(record) = types.kind(types.canonical(checked.tast[base].ty)) else {
        return false;
    };
    let info = types.record_info(record);
    let Some(field) = info.fields.get(field as usize) else { return false };
    rucc_types::align(types, field.ty, target) != Ok(field.align)
}

/// An error at each of some places where a typed expression stands that is wrong.
fn refuse_typed(
    checked: &Checked,
    places: &[Span],
    is_wrong: impl Fn(rucc_sema::ExprId) -> bool,
    message: &str,
) -> Vec<Diagnostic> {
    let typed = (0..checked.tast.counts().exprs).map(Idx::from_usize);
    let mut found: Vec<Span> = typed
        .filter(|&id| places.contains(&checked.tast.expr_span(id)) && is_wrong(id))
        .map(|id| checked.tast.expr_span(id))
        .collect();
    found.dedup();
    found.into_iter().map(|span| Diagnostic::error(message.to_owned(), span)).collect()
}

/// The places of `sizeof` whose operand has side effects. Where its type is a variable-length array, C evaluates the
/// operand, which rucc does not.
pub(super) fn measured_effects(ast: &Ast) -> Vec<Span> {
    let measured = exprs(ast).filter(|&id| match ast[id] {
        Expr::SizeofExpr(operand) => has_effects(ast, operand),
        _ => false,
    });
    measured.map(|id| ast.expr_span(id)).collect()
}

fn exprs(ast: &Ast) -> impl Iterator<Item = ExprId> {
    (0..ast.counts().exprs).map(Idx::from_usize)
}

fn has_effects(ast: &Ast, id: ExprId) -> bool {
    match ast[id] {
        Expr::Assign { .. } | Expr::Call { .. } | Expr::StmtExpr(_) => true,
        Expr::Unary { op, operand } => {
            matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
                || has_effects(ast, operand)
        }
        Expr::Member { base, .. } => has_effects(ast, base),
        Expr::Cast { operand, .. } => has_effects(ast, operand),
        Expr::Index { base: lhs, index: rhs } | Expr::Binary { lhs, rhs, .. } | Expr::Comma { lhs, rhs } => {
            has_effects(ast, lhs) || has_effects(ast, rhs)
        }
        Expr::Cond { cond, then, otherwise } => {
            [Some(cond), then, Some(otherwise)].into_iter().flatten().any(|id| has_effects(ast, id))
        }
        _ => false,
    }
}
