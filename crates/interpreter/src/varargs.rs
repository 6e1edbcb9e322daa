//! The arguments behind `...`. An object of type `va_list` holds, in its first four bytes, a
//! number that names a position in a list of arguments. So copying the object, or passing it
//! by value as ILP32 does, passes on the position.

use std::rc::Rc;

use rorqual_cfa::{DataModel, ExprId, IntKind, PlaceId, TypeId, VarArgs};

use crate::machine::Machine;
use crate::outcome::Run;
use crate::undefined::Undefined;
use crate::value::{Argument, IntShape, Pointer, Scalar, Shape, Value};

/// A position in a list of arguments.
#[derive(Debug, Clone)]
struct List {
    arguments: Rc<[Argument]>,
    next: usize,
}

/// All lists that were started. Handles count from 1 and are never used again.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    lists: Vec<Option<List>>,
}

/// The name of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle(u32);

impl Lists {
    fn add(&mut self, list: List) -> Handle {
        self.lists.push(Some(list));
        Handle(self.lists.len() as u32)
    }

    fn entry(&mut self, handle: Handle) -> Run<&mut Option<List>> {
        let index = (handle.0 as usize).wrapping_sub(1);
        match self.lists.get_mut(index) {
            Some(entry) if entry.is_some() => Ok(entry),
            _ => Err(problem("a `va_list` is used without `va_start` or after `va_end`")),
        }
    }
}

fn problem(text: impl Into<String>) -> crate::outcome::Stop {
    let problem = text.into();
    Undefined::VarArgs { problem }.into()
}

impl Machine<'_> {
    pub(crate) fn var_args(&mut self, operation: &VarArgs) -> Run<()> {
        match operation {
            VarArgs::Start { list } => {
                let Some(arguments) = self.frame().further_arguments.clone() else {
                    return Err(problem("`va_start` in a function without `...`"));
                };
                let handle = self.lists.add(List { arguments, next: 0 });
                self.write_handle(*list, handle)
            }
            VarArgs::Next { list, target, ty } => self.next_argument(*list, *target, *ty),
            VarArgs::Copy { target, source } => {
                let source = self.eval(*source)?.pointer();
                let handle = self.read_handle(source)?;
                let copy = self.lists.entry(handle)?.clone();
                let copy = copy.map(|list| self.lists.add(list));
                copy.map_or(Ok(()), |handle| self.write_handle(*target, handle))
            }
            VarArgs::End { list } => {
                let list = self.eval(*list)?.pointer();
                let handle = self.read_handle(list)?;
                *self.lists.entry(handle)? = None;
                Ok(())
            }
        }
    }

    fn handle_shape(&self) -> Shape {
        Shape::Int(IntShape::of(IntKind::UnsignedInt, self.memory.model()))
    }

    fn write_handle(&mut self, list: ExprId, handle: Handle) -> Run<()> {
        let list = self.eval(list)?.pointer();
        let value = Scalar::Int(i128::from(handle.0));
        self.memory.store(list, self.handle_shape(), value)
    }

    fn read_handle(&mut self, list: Pointer) -> Run<Handle> {
        match self.memory.load(list, self.handle_shape())? {
            Some(value) => Ok(Handle(value.int() as u32)),
            None => Err(problem("a `va_list` is used without `va_start`")),
        }
    }

    fn next_argument(&mut self, list: ExprId, target: PlaceId, ty: TypeId) -> Run<()> {
        let list = self.eval(list)?.pointer();
        let handle = self.read_handle(list)?;
        let Some(list) = self.lists.entry(handle)? else {
            return Ok(());
        };
        let Some(argument) = list.arguments.get(list.next).cloned() else {
            let count = list.arguments.len();
            return Err(problem(format!("`va_arg` after the last of {count} further arguments")));
        };
        list.next += 1;
        let position = list.next;
        let given = self.program.types.name(argument.ty);
        let Some(value) = self.fit(argument, ty)? else {
            let wanted = self.program.types.name(ty);
            return Err(problem(format!(
                "further argument {position} has type `{given}` but is fetched as `{wanted}`"
            )));
        };
        self.store_value(target, value)
    }

    /// The list that a library function such as `vprintf` was given: the address of the list
    /// on LP64, where `va_list` is an array, and its content on ILP32.
    pub(crate) fn list_argument(&mut self, argument: Scalar) -> Run<Handle> {
        let pointer = argument.pointer();
        match self.memory.model() {
            DataModel::Lp64 => self.read_handle(pointer),
            DataModel::Ilp32 => Ok(Handle(pointer.address as u32)),
        }
    }

    /// The arguments that a list has left.
    pub(crate) fn list_rest(&mut self, handle: Handle) -> Run<Vec<Argument>> {
        let rest = self.lists.entry(handle)?.as_ref();
        Ok(rest.map_or(Vec::new(), |list| list.arguments[list.next.min(list.arguments.len())..].to_vec()))
    }

    /// Says that so many arguments of a list were used.
    pub(crate) fn list_advance(&mut self, handle: Handle, count: usize) -> Run<()> {
        if let Some(list) = self.lists.entry(handle)? {
            list.next += count;
        }
        Ok(())
    }

    /// The value of an argument as one of type `ty`, if their types have the same size and are
    /// of one kind: integers and pointers, numbers with a fraction, or aggregates.
    pub(crate) fn fit(&mut self, argument: Argument, ty: TypeId) -> Run<Option<Value>> {
        if argument.ty == ty {
            return Ok(Some(argument.value));
        }
        let types = &self.program.types;
        let (from, to) = (self.shape(argument.ty), self.shape(ty));
        let same_kind = match (from, to) {
            (Shape::Int(_) | Shape::Pointer, Shape::Int(_) | Shape::Pointer)
            | (Shape::Float(_), Shape::Float(_))
            | (Shape::Aggregate, Shape::Aggregate) => types.size_of(argument.ty) == types.size_of(ty),
            _ => false,
        };
        if !same_kind {
            return Ok(None);
        }
        match argument.value {
            Value::Scalar(value) => {
                let value = self.convert(value, from, to, ty)?;
                Ok(Some(Value::Scalar(value)))
            }
            other => Ok(Some(other)),
        }
    }
}
