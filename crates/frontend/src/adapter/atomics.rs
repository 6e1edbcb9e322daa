//! Atomic built-ins. Programs have one thread here, so each is the plain operation it performs.

use rorqual_cfa::{BinaryOp, IntKind, TypeId, VariableId, VariableKind};
use rorqual_source::Span;
use rucc_sema::{AtomicOp, Rmw};

use super::Adapter;
use crate::typed::{CompoundOp, ExprId, ExprKind, InitialValue, Initializer, Stmt, StmtId, StmtKind};

impl Adapter<'_> {
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        arguments: rucc_sema::ExprList,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let arguments: Vec<ExprId> =
            self.checked.tast[arguments].iter().map(|&argument| self.expr(argument)).collect();
        match (op, arguments.as_slice()) {
            (AtomicOp::Fence | AtomicOp::SignalFence, _) => {
                let int = self.program.types.int(IntKind::Int);
                let nothing = self.int(0, int, span);
                self.push(ExprKind::Convert(nothing), ty, span)
            }
            (AtomicOp::Load, &[pointer]) => {
                let object = self.object_at(pointer, span);
                self.load_of(object, span)
            }
            (AtomicOp::LoadInto, &[pointer, into]) => {
                let object = self.object_at(pointer, span);
                let value = self.load_of(object, span);
                let target = self.object_at(into, span);
                let ty = self.program.exprs[target].ty;
                let value = self.convert(value, ty);
                self.push(ExprKind::Assign { target, value }, ty, span)
            }
            (AtomicOp::TestAndSet, &[pointer]) => self.test_and_set(pointer, ty, span),
            (AtomicOp::Store, &[pointer, value]) => {
                let target = self.object_at(pointer, span);
                let ty = self.program.exprs[target].ty;
                let value = self.convert(value, ty);
                self.push(ExprKind::Assign { target, value }, ty, span)
            }
            (AtomicOp::Fetch(rmw), &[pointer, value]) => {
                self.read_modify_write(rmw, pointer, value, true, span)
            }
            (AtomicOp::Update(rmw), &[pointer, value]) => {
                self.read_modify_write(rmw, pointer, value, false, span)
            }
            (AtomicOp::Exchange, &[pointer, value]) => self.exchange(pointer, value, span),
            (AtomicOp::SwapBool | AtomicOp::SwapValue, &[pointer, expected, desired]) => {
                self.compare_and_swap(op, pointer, expected, desired, ty, span)
            }
            (AtomicOp::CompareExchange, &[pointer, expected, desired]) => {
                self.compare_exchange(pointer, expected, desired, ty, span)
            }
            _ => self.unsupported("this atomic built-in", ty, span),
        }
    }

    fn object_at(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs[pointer].ty;
        match self.program.types.pointee(ty) {
            Some(object) => self.push(ExprKind::Deref(pointer), object, span),
            None => self.unsupported("an atomic access without a pointer", ty, span),
        }
    }

    fn load_of(&mut self, place: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs[place].ty;
        self.push(ExprKind::Load(place), ty, span)
    }

    fn read_modify_write(
        &mut self,
        rmw: Rmw,
        pointer: ExprId,
        value: ExprId,
        yields_old_value: bool,
        span: Span,
    ) -> ExprId {
        let op = match rmw {
            Rmw::Add => BinaryOp::Add,
            Rmw::Sub => BinaryOp::Sub,
            Rmw::And => BinaryOp::And,
            Rmw::Or => BinaryOp::Or,
            Rmw::Xor => BinaryOp::Xor,
            Rmw::Nand => {
                let ty = self.program.exprs[pointer].ty;
                return self.unsupported("an atomic `nand`", ty, span);
            }
        };
        let target = self.object_at(pointer, span);
        let ty = self.program.exprs[target].ty;
        if self.program.types.as_int(ty).is_none() {
            return self.unsupported("atomic arithmetic on something else than integers", ty, span);
        }
        let value = self.convert(value, ty);
        let op = CompoundOp::Arithmetic(op);
        let kind = ExprKind::CompoundAssign { op, target, value, computation: ty, yields_old_value };
        self.push(kind, ty, span)
    }

    /// `({ old = *pointer; *pointer = value; old; })`
    fn exchange(&mut self, pointer: ExprId, value: ExprId, span: Span) -> ExprId {
        let (pointer, mut stmts) = self.keep(pointer, span);
        let object = self.object_at(pointer, span);
        let ty = self.program.exprs[object].ty;
        let old = self.load_of(object, span);
        let (old, kept) = self.keep(old, span);
        stmts.extend(kept);
        let value = self.convert(value, ty);
        let target = self.object_at(pointer, span);
        let assign = self.push(ExprKind::Assign { target, value }, ty, span);
        stmts.push(self.program.stmts.push(Stmt { kind: StmtKind::Expr(assign), span }));
        self.statements_with_value(stmts, old, span)
    }

    /// `__atomic_test_and_set`: a byte becomes 1, whatever the pointer is declared to point to.
    fn test_and_set(&mut self, pointer: ExprId, ty: TypeId, span: Span) -> ExprId {
        let byte = self.program.types.int(IntKind::UnsignedChar);
        let bytes = self.program.types.pointer_to(byte);
        let pointer = self.convert(pointer, bytes);
        let one = self.int(1, byte, span);
        let old = self.exchange(pointer, one, span);
        self.convert(old, ty)
    }

    /// `({ old = *pointer; if (old == expected) *pointer = desired; old or old == expected; })`
    fn compare_and_swap(
        &mut self,
        op: AtomicOp,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let ([pointer, expected, desired, old], mut stmts) =
            self.keep_operands(pointer, expected, desired, span);
        let equal = self.equal(old, expected, span);
        let target = self.object_at(pointer, span);
        stmts.push(self.assign_if(equal, target, desired, None, span));
        let value = if op == AtomicOp::SwapBool { equal } else { old };
        let value = self.convert(value, ty);
        self.statements_with_value(stmts, value, span)
    }

    /// As [`Self::compare_and_swap`], with the expected value in memory, which receives what was
    /// found where that differs.
    fn compare_exchange(
        &mut self,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let ([pointer, expected, desired, old], mut stmts) =
            self.keep_operands(pointer, expected, desired, span);
        let wanted = self.object_at(expected, span);
        let wanted = self.load_of(wanted, span);
        let equal = self.equal(old, wanted, span);
        let (equal, kept) = self.keep(equal, span);
        stmts.extend(kept);
        let target = self.object_at(pointer, span);
        let found = self.object_at(expected, span);
        stmts.push(self.assign_if(equal, target, desired, Some((found, old)), span));
        let value = self.convert(equal, ty);
        self.statements_with_value(stmts, value, span)
    }

    /// Evaluates the operands of a compare and swap and then what the pointer points to, once each.
    fn keep_operands(
        &mut self,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
        span: Span,
    ) -> ([ExprId; 4], Vec<StmtId>) {
        let mut stmts = Vec::new();
        let mut keep = |adapter: &mut Self, value| {
            let (kept, stmt) = adapter.keep(value, span);
            stmts.extend(stmt);
            kept
        };
        let pointer = keep(self, pointer);
        let expected = keep(self, expected);
        let desired = keep(self, desired);
        let object = self.object_at(pointer, span);
        let old = self.load_of(object, span);
        let old = keep(self, old);
        ([pointer, expected, desired, old], stmts)
    }

    fn equal(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let int = self.program.types.int(IntKind::Int);
        let rhs = self.convert(rhs, self.program.exprs[lhs].ty);
        self.push(ExprKind::Binary(BinaryOp::Eq, lhs, rhs), int, span)
    }

    fn assign_if(
        &mut self,
        condition: ExprId,
        target: ExprId,
        value: ExprId,
        otherwise: Option<(ExprId, ExprId)>,
        span: Span,
    ) -> StmtId {
        let mut assign = |target: ExprId, value: ExprId| {
            let ty = self.program.exprs[target].ty;
            let value = self.convert(value, ty);
            let assign = self.push(ExprKind::Assign { target, value }, ty, span);
            self.program.stmts.push(Stmt { kind: StmtKind::Expr(assign), span })
        };
        let then = assign(target, value);
        let otherwise = otherwise.map(|(target, value)| assign(target, value));
        self.program.stmts.push(Stmt { kind: StmtKind::If { condition, then, otherwise }, span })
    }

    /// Evaluates an expression once into a hidden variable: the variable's value, and the
    /// statement that stores it.
    pub(super) fn keep(&mut self, value: ExprId, span: Span) -> (ExprId, Vec<StmtId>) {
        let ty = self.program.exprs[value].ty;
        let variable: VariableId = self.hidden_variable("kept", ty, VariableKind::Local, span);
        let initializer = Initializer { entries: vec![InitialValue { offset: 0, bits: None, value }] };
        let kind = StmtKind::Declare { variable, initializer: Some(initializer) };
        let stmt = self.program.stmts.push(Stmt { kind, span });
        (self.load_variable(variable), vec![stmt])
    }

    pub(super) fn statements_with_value(&mut self, stmts: Vec<StmtId>, value: ExprId, span: Span) -> ExprId {
        let block = self.program.stmts.push(Stmt { kind: StmtKind::Block(stmts), span });
        let ty = self.program.exprs[value].ty;
        self.push(ExprKind::Statement { block, value: Some(value) }, ty, span)
    }
}
