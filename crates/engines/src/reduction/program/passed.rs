//! What calls pass, as formulas.

use rorqual_cfa::{
    BinaryOp, CellNames, ExprId, ExprKind, Operation, PlaceKind, Program, UnaryOp, VariableId,
};
use rorqual_evidence::{CallSite, CallString};
use rorqual_logic::{Bits, Sort, Term, TermPool};

use super::{Reduced, address_of};

impl Reduced {
    /// That parameters equal what calls pass for them, as far as that is simple arithmetic. Of calls before the last one
    /// only those count that keep their values: their callers are suspended, and so do what they pass.
    pub(in super::super) fn passed(&self, pool: &mut TermPool, calls: &CallString) -> Term {
        let mut known = Vec::new();
        for (number, site) in calls.0.iter().enumerate() {
            let is_last = number + 1 == calls.0.len();
            known.extend(self.passed_by(pool, site, |parameter| is_last || self.stable.contains(&parameter)));
        }
        pool.and(&known)
    }

    fn passed_by(
        &self,
        pool: &mut TermPool,
        site: &CallSite,
        is_meant: impl Fn(VariableId) -> bool,
    ) -> Vec<Term> {
        let body = self.program.functions[site.caller].body.as_ref();
        let Some(Operation::Call { arguments, .. }) = body.map(|body| &body.edges()[site.edge].operation)
        else {
            return Vec::new();
        };
        let names = CellNames::new(&self.program);
        let reader = Reader { program: &self.program, names: &names };
        let passed = self.program.functions[site.callee].parameters.iter().zip(arguments);
        let passed = passed.filter(|&(&parameter, _)| is_meant(parameter));
        let equality = |(&parameter, &argument): (&VariableId, &ExprId)| {
            let (parameter, value) = (reader.variable(pool, parameter)?, reader.value(pool, argument)?);
            Some(pool.eq(parameter, value))
        };
        passed.filter_map(equality).collect()
    }
}

/// Reads expressions as terms over cells.
struct Reader<'a> {
    program: &'a Program,
    names: &'a CellNames,
}

impl Reader<'_> {
    /// An integer or a pointer that nothing but its name reads or writes.
    fn variable(&self, pool: &mut TermPool, variable: VariableId) -> Option<Term> {
        let details = &self.program.variables[variable];
        let types = &self.program.types;
        let is_number = types.is_integer(details.ty) || types.pointee(details.ty).is_some();
        let is_plain = is_number && !details.address_taken;
        let width = self.program.types.width(details.ty);
        is_plain.then(|| pool.symbol(self.names.variable(variable), Sort::BitVec(width)))
    }

    fn value(&self, pool: &mut TermPool, id: ExprId) -> Option<Term> {
        let expr = &self.program.exprs[id];
        if let ExprKind::AddressOf(place) = expr.kind {
            let PlaceKind::Variable(variable) = self.program.places[place].kind else { return None };
            let width = self.program.types.model().pointer_width();
            return Some(pool.symbol(&address_of(self.names.variable(variable)), Sort::BitVec(width)));
        }
        if !(self.program.types.is_integer(expr.ty) || self.program.types.pointee(expr.ty).is_some()) {
            return None;
        }
        let width = self.program.types.width(expr.ty);
        match expr.kind {
            ExprKind::Int(value) => Some(pool.bits(Bits::from_signed(&value.into(), width))),
            ExprKind::Load(place) => match self.program.places[place].kind {
                PlaceKind::Variable(variable) => self.variable(pool, variable),
                _ => None,
            },
            ExprKind::Unary { op: UnaryOp::Negate, operand } => {
                let operand = self.value(pool, operand)?;
                Some(pool.bv_neg(operand))
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), lhs, rhs } => {
                let (lhs, rhs) = (self.value(pool, lhs)?, self.value(pool, rhs)?);
                Some(match op {
                    BinaryOp::Add => pool.bv_add(lhs, rhs),
                    BinaryOp::Sub => pool.bv_sub(lhs, rhs),
                    _ => pool.bv_mul(lhs, rhs),
                })
            }
            ExprKind::Convert(operand) => {
                self.value(pool, operand).filter(|&value| pool.width(value) == width)
            }
            _ => None,
        }
    }
}
