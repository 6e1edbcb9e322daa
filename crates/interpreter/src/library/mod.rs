//! The C library: what functions without body do that every program expects to work.
//!
//! Each group of functions has a file with a table from names to implementations. Of others, the table of
//! `rorqual_models` says what they do: a call of one that does more than return something from outside is not
//! supported. A function that is in no table returns any value and writes nothing.

mod allocation;
mod bytes;
mod characters;
mod effects;
mod format;
mod math;
mod numbers;
mod sorting;
mod stdio;
mod strings;

use std::collections::HashMap;

use rorqual_cfa::{DataModel, Function, FunctionId, IntKind, LabelId, Program, Type};
use rorqual_models::library::{self, Entry, Origin, Returned};

pub use effects::{
    Effect, Extent, Write, call_effect, may_allocate, printed_format, stores_nothing, written_arguments,
};

use crate::library_entry;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::operation::MAXIMUM_ALIGN;
use crate::outcome::{Cause, Run, Stop};
use crate::undefined::Undefined;
use crate::value::{Argument, IntShape, ObjectId, Pointer, Scalar, Shape, Value};

/// The implementation of a library function.
pub(crate) type Native = fn(&mut Machine<'_>, &Call<'_>) -> Run<Value>;

/// A call of a library function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    /// The name that was called, for messages.
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [Argument],
}

/// What the library remembers between calls.
#[derive(Debug)]
pub(crate) struct State {
    /// The objects of string literals, functions and labels that were used.
    pub(crate) texts: Vec<Option<ObjectId>>,
    pub(crate) functions: Vec<Option<ObjectId>>,
    pub(crate) labels: HashMap<(FunctionId, LabelId), ObjectId>,
    /// Room for arguments that is used again for every call.
    pub(crate) arguments: Vec<Argument>,
    /// `stdin`, `stdout` and `stderr`.
    streams: [Option<ObjectId>; 3],
    errno: Option<ObjectId>,
    character_tables: HashMap<&'static str, Pointer>,
    random: numbers::Random,
    /// Where `strtok` goes on.
    token: Pointer,
    /// Bytes that `ungetc` put back.
    put_back: Vec<u8>,
    /// How many library functions are waiting for functions they called.
    nesting: usize,
}

impl State {
    pub(crate) fn new(program: &Program) -> State {
        State {
            texts: vec![None; program.strings.len()],
            functions: vec![None; program.functions.len()],
            labels: HashMap::new(),
            arguments: Vec::new(),
            streams: [None; 3],
            errno: None,
            character_tables: HashMap::new(),
            random: numbers::Random::new(1),
            token: Pointer::NULL,
            put_back: Vec::new(),
            nesting: 0,
        }
    }
}

/// The implementation of a function that is only declared; none if it is unknown, or just returns an input.
pub(crate) fn find(function: &Function) -> Option<Native> {
    let entry = library_entry(function)?;
    let missing = || match entry.origin {
        Origin::Defined => Some(UNKNOWN_RESULT),
        _ => (!is_input(function, entry)).then_some(NOT_MODELLED),
    };
    native(function).or_else(missing)
}

/// The implementation of a function, if there is one.
fn native(function: &Function) -> Option<Native> {
    let name = library::canonical(&function.name);
    let tables = [
        allocation::find,
        bytes::find,
        strings::find,
        characters::find,
        numbers::find,
        stdio::find,
        math::find,
        sorting::find,
    ];
    tables.into_iter().find_map(|table| table(name))
}

/// Whether all that a function of the library does is to return something that the world outside decides.
fn is_input(function: &Function, entry: &Entry) -> bool {
    entry.origin == Origin::Outside
        && entry.is_harmless()
        && matches!(entry.returned, Returned::Nothing | Returned::Value)
        && native(function).is_none()
}

/// An execution that calls a function which does more is not decided.
const NOT_MODELLED: Native =
    |_, call| Err(Stop::unsupported(format!("the library function `{}`", call.name)));

/// C says what the result is, and it is not known here: nobody may make one up.
const UNKNOWN_RESULT: Native = |_, call| Err(Stop::new(Cause::Unmodelled(call.name.to_owned())));

/// Whether a call does nothing but to give a result.
pub(crate) fn has_only_a_result(function: &Function) -> bool {
    library_entry(function).is_some_and(Entry::is_harmless)
}

impl Call<'_> {
    fn scalar(&self, index: usize) -> Run<Scalar> {
        match self.arguments.get(index).map(|argument| &argument.value) {
            Some(Value::Scalar(value)) => Ok(*value),
            Some(_) => Err(self.problem(format!("argument {} is not a scalar", index + 1))),
            None => Err(self.problem(format!("argument {} is missing", index + 1))),
        }
    }

    fn problem(&self, problem: String) -> Stop {
        let function = self.name.to_owned();
        Undefined::LibraryArgument { function, problem }.into()
    }

    /// An integer argument.
    fn int(&self, index: usize) -> Run<i128> {
        match self.scalar(index)? {
            Scalar::Float(_) => Err(self.problem(format!("argument {} is not an integer", index + 1))),
            other => Ok(other.int()),
        }
    }

    /// An argument that counts bytes or elements.
    fn size(&self, index: usize) -> Run<u64> {
        Ok(self.int(index)? as u64)
    }

    fn pointer(&self, index: usize) -> Run<Pointer> {
        match self.scalar(index)? {
            Scalar::Float(_) => Err(self.problem(format!("argument {} is not a pointer", index + 1))),
            other => Ok(other.pointer()),
        }
    }
}

fn int_shape(kind: IntKind, model: DataModel) -> Shape {
    Shape::Int(IntShape::of(kind, model))
}

impl Machine<'_> {
    /// An object of the run-time system without values.
    pub(crate) fn runtime_object(&mut self, name: &'static str, size: u64) -> Run<ObjectId> {
        self.memory.allocate(ObjectKind::Runtime(name), size, MAXIMUM_ALIGN)
    }

    /// What `stdin`, `stdout` and `stderr` point to.
    pub(crate) fn stream_pointer(&mut self, name: &str) -> Run<Pointer> {
        let (index, description) = match name {
            "stdin" => (0, "the stream `stdin`"),
            "stdout" => (1, "the stream `stdout`"),
            _ => (2, "the stream `stderr`"),
        };
        let object = match self.library.streams[index] {
            Some(object) => object,
            None => self.runtime_object(description, 1)?,
        };
        self.library.streams[index] = Some(object);
        Ok(self.memory.pointer_to(object))
    }

    /// The address of `errno`.
    fn errno(&mut self) -> Run<Pointer> {
        let object = match self.library.errno {
            Some(object) => object,
            None => {
                let object = self.runtime_object("`errno`", 4)?;
                self.memory.block_mut(object).fill(0, 4, 0);
                object
            }
        };
        self.library.errno = Some(object);
        Ok(self.memory.pointer_to(object))
    }

    fn set_errno(&mut self, number: i32) -> Run<()> {
        let errno = self.errno()?;
        let shape = int_shape(IntKind::Int, self.memory.model());
        self.memory.store(errno, shape, Scalar::Int(i128::from(number)))
    }

    /// The bytes of a string, without its end.
    fn string(&mut self, pointer: Pointer) -> Run<Vec<u8>> {
        self.string_up_to(pointer, u64::MAX)
    }

    /// The bytes of a string, at most `limit` of them.
    fn string_up_to(&mut self, pointer: Pointer, limit: u64) -> Run<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let at = self.memory.offset(pointer, bytes.len() as i128);
            match self.read_byte(at)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// Stores a string with its end.
    fn write_string(&mut self, pointer: Pointer, bytes: &[u8]) -> Run<()> {
        self.memory.write(pointer, bytes)?;
        let end = self.memory.offset(pointer, bytes.len() as i128);
        self.memory.write(end, &[0])
    }

    /// A time, which only the world outside knows.
    fn time(&mut self, name: &str) -> Run<Scalar> {
        self.input(&Type::Int(IntKind::Long), name)
    }
}
