//! Expressions and places. Every operation is followed by a conversion to its type, so that C's promotions change nothing.

use std::fmt::Write;

use rorqual_cfa::{
    ExprId, ExprKind, FloatKind, IntKind, OverflowOp, PlaceId, PlaceKind, StringId, Type, UnaryOp,
};

use super::{Writer, Written};
use crate::literals;

impl Writer<'_> {
    /// An expression in parentheses.
    pub(super) fn expr(&mut self, id: ExprId) -> Written {
        let expr = &self.program.exprs[id];
        let is_scalar = self.program.types.is_scalar(expr.ty);
        let cast = format!("({})", self.declaration(expr.ty, ""));
        let text = match expr.kind {
            ExprKind::Int(value)
                if self.program.types.as_int(expr.ty) == Some(IntKind::Int) && value >= 0 =>
            {
                return Ok(literals::integer(value));
            }
            ExprKind::Int(value) => literals::integer(value),
            ExprKind::Float(bits) => self.float(bits, expr.ty)?,
            ExprKind::Zero if is_scalar => "0".to_owned(),
            ExprKind::Zero => return Ok(format!("({cast}{{0}})")),
            ExprKind::Load(place) => return self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)?),
            ExprKind::FunctionAddress(function) => format!("&{}", self.names[&function]),
            ExprKind::Convert(operand) => self.expr(operand)?,
            ExprKind::Unary { op, operand } => self.unary(op, operand)?,
            ExprKind::Binary { op, lhs, rhs } => {
                format!("({} {} {})", self.expr(lhs)?, op.symbol(), self.expr(rhs)?)
            }
            ExprKind::PointerOffset { pointer, index, stride } => {
                format!("((char *){} + {} * {stride}LL)", self.expr(pointer)?, self.expr(index)?)
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => {
                format!("(((char *){} - (char *){}) / {stride}LL)", self.expr(lhs)?, self.expr(rhs)?)
            }
            ExprKind::Overflows { op, lhs, rhs, result } => {
                let name = match op {
                    OverflowOp::Add => "add",
                    OverflowOp::Sub => "sub",
                    OverflowOp::Mul => "mul",
                };
                let (lhs, rhs, result) = (self.expr(lhs)?, self.expr(rhs)?, self.declaration(result, ""));
                format!("__builtin_{name}_overflow_p({lhs}, {rhs}, ({result})0)")
            }
            ExprKind::Text(_) => return Err(self.unwritable("the value of a text")),
            ExprKind::LabelAddress(..) => return Err(self.unwritable("the address of a label")),
            ExprKind::Faulty { .. }
            | ExprKind::FaultyBlock { .. }
            | ExprKind::BadFree(_)
            | ExprKind::Leaks => {
                return Err(self.unwritable("a check of memory"));
            }
        };
        Ok(format!("({cast}{text})"))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Written {
        let width = match self.program.types.get(self.program.exprs[operand].ty) {
            Type::Int(kind) => kind.width(self.program.types.model()),
            _ => 0,
        };
        let value = self.expr(operand)?;
        Ok(match (op, width) {
            (UnaryOp::Negate, _) => format!("(-{value})"),
            (UnaryOp::Not, _) => format!("(~{value})"),
            (UnaryOp::IsZero, _) => format!("(!{value})"),
            (UnaryOp::ByteSwap, 16 | 32 | 64) => format!("__builtin_bswap{width}({value})"),
            (UnaryOp::LeadingZeros, 32) => format!("__builtin_clz({value})"),
            (UnaryOp::LeadingZeros, 64) => format!("__builtin_clzll({value})"),
            (UnaryOp::TrailingZeros, 32) => format!("__builtin_ctz({value})"),
            (UnaryOp::TrailingZeros, 64) => format!("__builtin_ctzll({value})"),
            (UnaryOp::CountOnes, 32) => format!("__builtin_popcount({value})"),
            (UnaryOp::CountOnes, 64) => format!("__builtin_popcountll({value})"),
            (UnaryOp::Magnitude, _) => format!("__builtin_fabsl({value})"),
            (UnaryOp::SignBit, _) => format!("(__builtin_signbit({value}) != 0)"),
            _ => return Err(self.unwritable("an operation on bits")),
        })
    }

    fn float(&self, bits: u128, ty: rorqual_cfa::TypeId) -> Written {
        let value = match self.program.types.get(ty) {
            Type::Float(FloatKind::Float) => f64::from(f32::from_bits(bits as u32)),
            Type::Float(FloatKind::Double) => f64::from_bits(bits as u64),
            _ => return Err(self.unwritable("a number of this floating-point type")),
        };
        if value.is_nan() {
            return Ok("__builtin_nan(\"\")".to_owned());
        }
        if value.is_infinite() {
            return Ok(format!("({}__builtin_inf())", if value < 0.0 { "-" } else { "" }));
        }
        Ok(format!("({value:e})"))
    }

    pub(super) fn place(&mut self, id: PlaceId) -> Written {
        Ok(match self.program.places[id].kind {
            PlaceKind::Variable(variable) => self.variables[&variable].clone(),
            PlaceKind::Text(text) => self.text_literal(text),
            PlaceKind::Deref(pointer) => {
                let pointee = self.program.types.get(self.program.places[id].ty);
                let whole = if matches!(pointee, Type::Array { .. }) { "(*" } else { "*" };
                let close = if whole == "(*" { ")" } else { "" };
                let cast = self.declaration(self.program.places[id].ty, &format!("{whole}{close}"));
                format!("(*({cast}){})", self.expr(pointer)?)
            }
            PlaceKind::Member { base, field } => format!("{}.f{field}", self.place(base)?),
            PlaceKind::Element { base, index } => format!("{}[{}]", self.place(base)?, self.expr(index)?),
        })
    }

    /// A string literal. The zero at its end is written, and gcc adds another one.
    fn text_literal(&self, id: StringId) -> String {
        let text = &self.program.strings[id];
        let mut literal = String::new();
        for byte in &text.bytes {
            let _ = write!(literal, "\\{byte:03o}");
        }
        format!("\"{literal}\"")
    }

    /// An assignment. Arrays are copied.
    pub(super) fn assign(&mut self, target: PlaceId, value: ExprId) -> Written {
        let ty = self.program.places[target].ty;
        let place = self.place(target)?;
        if !matches!(self.program.types.get(ty), Type::Array { .. }) {
            return Ok(format!("{place} = {};", self.expr(value)?));
        }
        let size = self.program.types.size_of(ty).unwrap_or(0);
        Ok(match self.program.exprs[value].kind {
            ExprKind::Zero => format!("__builtin_memset(&{place}, 0, {size});"),
            ExprKind::Text(text) => {
                let length = size.min(self.program.strings[text].bytes.len() as u64);
                let literal = self.text_literal(text);
                format!(
                    "__builtin_memset(&{place}, 0, {size}); __builtin_memcpy(&{place}, {literal}, {length});"
                )
            }
            ExprKind::Load(source) => {
                let source = self.place(source)?;
                format!("__builtin_memcpy(&{place}, &{source}, {size});")
            }
            _ => return Err(self.unwritable("the value of an array")),
        })
    }
}
