//! Evaluation of expressions. Expressions have no side effects except that reading an
//! uninitialised object may take an input, which the object then keeps.

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, FloatKind, OverflowOp, TypeId, UnaryOp};
use rustc_apfloat::Round;

use crate::decimal;
use crate::float;
use crate::integer;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::outcome::{Run, Stop};
use crate::undefined::Undefined;
use crate::value::{IntShape, Pointer, Scalar, Shape, is_true};

impl Machine<'_> {
    /// The value of a scalar expression.
    pub(crate) fn eval(&mut self, id: ExprId) -> Run<Scalar> {
        match self.eval_kind(id) {
            Ok(value) => Ok(value),
            Err(stop) => Err(stop.at(self.program.expr_spans[id])),
        }
    }

    fn eval_kind(&mut self, id: ExprId) -> Run<Scalar> {
        let program = self.program;
        let expr = &program.exprs[id];
        let shape = self.layout.expr(id);
        match &expr.kind {
            ExprKind::Int(value) => Ok(match shape {
                // An address that is written as a number never points to an object.
                Shape::Pointer => Scalar::Pointer(Pointer::invalid(self.memory.wrap_address(*value as u64))),
                _ => Scalar::Int(*value),
            }),
            ExprKind::Float(bits) => Ok(Scalar::Float(*bits)),
            ExprKind::Zero => Ok(shape.zero()),
            ExprKind::Text(_) => Err(Stop::unsupported("a string literal as a scalar")),
            ExprKind::Load(place) => match self.slot_value(*place) {
                Some(value) => {
                    self.record_slot_read(*place, value);
                    Ok(value)
                }
                None => self.load(*place),
            },
            ExprKind::AddressOf(place) => self.address_of(*place).map(Scalar::Pointer),
            ExprKind::FunctionAddress(function) => self.function_address(*function).map(Scalar::Pointer),
            ExprKind::LabelAddress(function, label) => {
                self.label_address(*function, *label).map(Scalar::Pointer)
            }
            ExprKind::Unary { op, operand } => {
                let value = self.eval(*operand)?;
                self.unary(*op, value, *operand)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let operand_shape = self.layout.expr(*lhs);
                let (lhs, rhs) = (self.eval(*lhs)?, self.eval(*rhs)?);
                self.binary(*op, lhs, rhs, operand_shape, id)
            }
            ExprKind::Convert(operand) => {
                let value = self.eval(*operand)?;
                let round = self.rounding_of(id);
                self.convert_rounding(value, (self.layout.expr(*operand), shape), expr.ty, round)
            }
            ExprKind::PointerOffset { pointer, index, stride } => {
                let (pointer, index) = (self.eval(*pointer)?.pointer(), self.eval(*index)?.int());
                let bytes = index.wrapping_mul(i128::from(*stride));
                Ok(Scalar::Pointer(self.memory.offset(pointer, bytes)))
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => {
                let (lhs, rhs) = (self.eval(*lhs)?.pointer(), self.eval(*rhs)?.pointer());
                pointer_difference(lhs, rhs, *stride, shape)
            }
            ExprKind::Overflows { op, lhs, rhs, result } => self.overflows(*op, *lhs, *rhs, *result),
            ExprKind::Faulty { place, fault } => self.is_faulty(*place, *fault),
            ExprKind::FaultyBlock { pointer, length, fault } => {
                let (pointer, length) = (self.eval(*pointer)?.pointer(), self.eval(*length)?.int());
                self.is_faulty_block(pointer, length, *fault)
            }
            ExprKind::BadFree(pointer) => self.is_bad_free(*pointer),
            ExprKind::Leaks => Ok(self.leaks()),
        }
    }

    fn unary(&mut self, op: UnaryOp, value: Scalar, operand: ExprId) -> Run<Scalar> {
        let shape = self.layout.expr(operand);
        if op == UnaryOp::IsZero {
            return Ok(Scalar::Int(i128::from(!is_true(value, shape))));
        }
        match shape {
            Shape::Float(kind) => Ok(float_unary(op, kind, value.bits())),
            Shape::Int(shape) if op == UnaryOp::Negate => {
                let result = integer::negate(value.int(), shape);
                self.checked(result, shape, "-", self.program.exprs[operand].ty)
            }
            Shape::Int(shape) => Ok(Scalar::Int(integer::bits(op, value.int(), shape)?)),
            _ => Err(Stop::unsupported("an operation on a pointer")),
        }
    }

    fn checked(
        &self,
        result: integer::Wrapped,
        shape: IntShape,
        operator: &'static str,
        ty: TypeId,
    ) -> Run<Scalar> {
        if result.overflow && shape.signed && self.config.overflow {
            let ty = self.program.types.name(ty);
            return Err(Undefined::SignedOverflow { operator, ty }.into());
        }
        Ok(Scalar::Int(result.value))
    }

    /// How a floating-point operation rounds. What a compiler computes by itself, without running the program, is rounded to
    /// nearest.
    fn rounding_of(&self, id: ExprId) -> Round {
        if self.rounding == float::TO_NEAREST || !self.is_translated(id) {
            return self.rounding;
        }
        float::TO_NEAREST
    }

    /// Whether a compiler computes the value: it depends on no variable.
    fn is_translated(&self, id: ExprId) -> bool {
        match self.program.exprs[id].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero => true,
            ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) => self.is_translated(operand),
            ExprKind::Binary { lhs, rhs, .. } => self.is_translated(lhs) && self.is_translated(rhs),
            _ => false,
        }
    }

    /// The result of operation `id` on operands that have the given shape.
    fn binary(&self, op: BinaryOp, lhs: Scalar, rhs: Scalar, shape: Shape, id: ExprId) -> Run<Scalar> {
        match shape {
            Shape::Int(shape) => self.int_binary(op, lhs.int(), rhs.int(), shape, self.program.exprs[id].ty),
            Shape::Float(kind) => float_binary(op, kind, lhs.bits(), rhs.bits(), self.rounding_of(id))
                .ok_or_else(|| Stop::unsupported(format!("`{}` of floating-point numbers", op.symbol()))),
            Shape::Pointer if op.is_comparison() => {
                let (lhs, rhs) = (lhs.pointer(), rhs.pointer());
                self.check_comparison(lhs, rhs)?;
                let order = lhs.address.cmp(&rhs.address);
                Ok(Scalar::Int(i128::from(compares(op, Some(order)))))
            }
            _ => Err(Stop::unsupported(format!("`{}` of pointers", op.symbol()))),
        }
    }

    /// Here no address is used again, elsewhere a new object may be where an old one was: comparing the two has no meaning.
    fn check_comparison(&self, lhs: Pointer, rhs: Pointer) -> Run<()> {
        match (lhs.provenance, rhs.provenance) {
            (Some(lhs), Some(rhs))
                if lhs != rhs && (self.memory.live(lhs).is_none() || self.memory.live(rhs).is_none()) =>
            {
                Err(Undefined::DanglingComparison.into())
            }
            (Some(left), Some(right)) if left != right && self.may_be_one_text([lhs, rhs]) => {
                Err(Stop::unsupported("a comparison of string literals that may be one object"))
            }
            _ => Ok(()),
        }
    }

    /// Whether pointers into two string literals are equal if one of these is the other one, or its end.
    fn may_be_one_text(&self, pointers: [Pointer; 2]) -> bool {
        let text = |pointer: Pointer| {
            let object = self.memory.live(pointer.provenance?)?;
            let ObjectKind::Text(id) = object.kind else { return None };
            let bytes = self.program.strings[id].bytes.as_slice();
            let offset = usize::try_from(pointer.address.checked_sub(object.base)?).ok()?;
            Some((bytes, bytes.get(offset..)?))
        };
        let [Some((one, left)), Some((other, right))] = pointers.map(text) else { return false };
        left.len() == right.len() && (one.ends_with(other) || other.ends_with(one))
    }

    fn int_binary(&self, op: BinaryOp, lhs: i128, rhs: i128, shape: IntShape, ty: TypeId) -> Run<Scalar> {
        let wrapping = |operation| {
            let result = integer::wrapping(operation, lhs, rhs, shape);
            self.checked(result, shape, op.symbol(), ty)
        };
        match op {
            BinaryOp::Add => wrapping(OverflowOp::Add),
            BinaryOp::Sub => wrapping(OverflowOp::Sub),
            BinaryOp::Mul => wrapping(OverflowOp::Mul),
            BinaryOp::Div | BinaryOp::Rem => {
                let name = || self.program.types.name(ty);
                Ok(Scalar::Int(integer::divide(op, lhs, rhs, shape, name)?))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let result = integer::shift(op, lhs, rhs, shape)?;
                self.checked(result, shape, op.symbol(), ty)
            }
            BinaryOp::And => Ok(Scalar::Int(lhs & rhs)),
            BinaryOp::Or => Ok(Scalar::Int(lhs | rhs)),
            BinaryOp::Xor => Ok(Scalar::Int(lhs ^ rhs)),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let order = integer::compare(lhs, rhs, shape);
                Ok(Scalar::Int(i128::from(compares(op, Some(order)))))
            }
        }
    }

    /// The value converted from one shape to another, which is that of type `ty`.
    pub(crate) fn convert(&mut self, value: Scalar, from: Shape, to: Shape, ty: TypeId) -> Run<Scalar> {
        self.convert_rounding(value, (from, to), ty, self.rounding)
    }

    fn convert_rounding(
        &mut self,
        value: Scalar,
        shapes: (Shape, Shape),
        ty: TypeId,
        round: Round,
    ) -> Run<Scalar> {
        Ok(match shapes {
            (Shape::Int(_), Shape::Int(to)) => Scalar::Int(convert_int(value.int(), to)),
            (Shape::Int(from), Shape::Float(to)) => {
                Scalar::Float(float::from_int(to, value.int(), from, round))
            }
            (Shape::Float(from), Shape::Float(to)) => {
                Scalar::Float(float::convert(from, to, value.bits(), round))
            }
            (Shape::Float(from), Shape::Int(to)) => {
                let Some(integer) = float::to_int(from, value.bits(), to) else {
                    return Err(Undefined::FloatToInteger {
                        value: decimal::shortest(from, value.bits()),
                        ty: self.program.types.name(ty),
                    }
                    .into());
                };
                Scalar::Int(integer)
            }
            (Shape::Pointer, Shape::Int(to)) => {
                let pointer = value.pointer();
                if let Some(object) = pointer.provenance
                    && !to.boolean
                {
                    self.memory.expose(object);
                }
                Scalar::Int(convert_int(i128::from(pointer.address), to))
            }
            (Shape::Int(_), Shape::Pointer) => {
                let address = self.memory.wrap_address(value.int() as u64);
                Scalar::Pointer(self.memory.pointer_from_int(address))
            }
            (Shape::Pointer, Shape::Pointer) => value,
            // Whatever becomes `void` is dropped.
            (_, Shape::None) => Scalar::Int(0),
            _ => return Err(Stop::unsupported("a conversion of a value that is not scalar")),
        })
    }

    fn overflows(&mut self, op: OverflowOp, lhs: ExprId, rhs: ExprId, result: TypeId) -> Run<Scalar> {
        let (lhs_shape, rhs_shape) = (self.layout.expr(lhs), self.layout.expr(rhs));
        let shapes = (lhs_shape, rhs_shape, self.shape(result));
        let (Shape::Int(lhs_shape), Shape::Int(rhs_shape), Shape::Int(result)) = shapes else {
            return Err(Stop::unsupported("an overflow test on values that are not integers"));
        };
        let lhs = (self.eval(lhs)?.int(), lhs_shape);
        let rhs = (self.eval(rhs)?.int(), rhs_shape);
        Ok(Scalar::Int(i128::from(integer::overflows(op, lhs, rhs, result))))
    }
}

fn pointer_difference(lhs: Pointer, rhs: Pointer, stride: u64, shape: Shape) -> Run<Scalar> {
    let Shape::Int(shape) = shape else {
        return Err(Stop::unsupported("a difference of pointers that is not an integer"));
    };
    if lhs.provenance != rhs.provenance {
        return Err(Undefined::PointerDifference.into());
    }
    if stride == 0 {
        return Err(Undefined::DivisionByZero.into());
    }
    let bytes = shape.wrap(i128::from(lhs.address) - i128::from(rhs.address));
    Ok(Scalar::Int(shape.wrap(bytes / i128::from(stride))))
}

fn convert_int(value: i128, to: IntShape) -> i128 {
    if to.boolean { i128::from(value != 0) } else { to.wrap(value) }
}

pub(crate) fn compares(op: BinaryOp, order: Option<std::cmp::Ordering>) -> bool {
    match op {
        BinaryOp::Eq => order.is_some_and(std::cmp::Ordering::is_eq),
        BinaryOp::Ne => order.is_none_or(std::cmp::Ordering::is_ne),
        BinaryOp::Lt => order.is_some_and(std::cmp::Ordering::is_lt),
        BinaryOp::Le => order.is_some_and(std::cmp::Ordering::is_le),
        BinaryOp::Gt => order.is_some_and(std::cmp::Ordering::is_gt),
        _ => order.is_some_and(std::cmp::Ordering::is_ge),
    }
}

fn float_unary(op: UnaryOp, kind: FloatKind, bits: u128) -> Scalar {
    match op {
        UnaryOp::Negate => Scalar::Float(float::negate(kind, bits)),
        UnaryOp::SignBit => Scalar::Int(i128::from(float::sign(kind, bits))),
        _ => Scalar::Float(float::magnitude(kind, bits)),
    }
}

fn float_binary(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128, round: Round) -> Option<Scalar> {
    if op.is_comparison() {
        let holds = compares(op, float::compare(kind, lhs, rhs));
        return Some(Scalar::Int(i128::from(holds)));
    }
    float::arithmetic(op, kind, lhs, rhs, round).map(Scalar::Float)
}
