//! Guides: inputs that are chosen while the execution runs, by somebody who knows which operation
//! of the program each of them is meant for. Lists of inputs need no guide.

use std::collections::{BTreeMap, VecDeque};

use rorqual_cfa::{PlaceId, Type, VariableId, VariableKind};
use rorqual_source::Span;

use crate::config::Uninitialized;
use crate::inputs::{Asked, GivenInput};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::outcome::{Cause, InputCell, Run, Stop};
use crate::storage::Storage;
use crate::undefined::Undefined;
use crate::value::{ObjectId, Pointer, Scalar, Shape};

/// An operation that takes inputs.
#[derive(Debug, Clone, Copy)]
pub struct InputRequest<'a> {
    /// The origin of a havoc such as `__VERIFIER_nondet_int`, or the name of a function without body.
    pub origin: &'a str,
    /// The edge.
    pub span: Span,
    /// Where the inputs go.
    pub target: Option<PlaceId>,
}

/// The bits of a scalar, or of any other part, of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellBits {
    /// Where it starts, in bits from the start of the variable.
    pub bit_offset: u64,
    /// How many bits it has, at most 128.
    pub width: u32,
    /// Its value.
    pub bits: u128,
}

/// The guide knows of no inputs for this operation, but of some for another one that should have come
/// before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfStep {
    /// The operation that the guide expects.
    pub expected: Span,
}

/// Chooses inputs. A value has the bits of the scalar's type, the rest zero; missing values are zero.
pub trait Guide {
    /// The inputs of a havoc, or of the result of a function without body: one for each scalar, in the
    /// order of their addresses.
    fn required(&mut self, request: &InputRequest<'_>) -> Result<Vec<u128>, OutOfStep>;

    /// The same for an operation that may be modelled without inputs, such as a call of a library
    /// function: values only if the guide's next ones are meant for it.
    fn offered(&mut self, request: &InputRequest<'_>) -> Vec<u128>;

    /// The lifetime of a variable starts: what its indeterminate parts are worth if they are read.
    fn declared(&mut self, variable: VariableId) -> Vec<CellBits>;

    /// The edge makes memory that belongs to no variable: what it contains if it is read before it is written.
    fn allocated(&mut self, span: Span) -> Vec<CellBits>;

    /// The same for what a pointer from outside points to.
    fn given(&mut self, number: u64) -> Vec<CellBits>;

    /// Something that belongs to no variable is read before it is written: what it is worth, unless the guide said so
    /// when it was made. `what` is the place as the program has it.
    fn unset(&mut self, what: &str, span: Span) -> Option<u128>;
}

/// Makes up inputs while the execution runs, knowing only what each is for. Unlike a [`Guide`] it follows nothing: what it
/// gives, in order, is a list of inputs.
pub trait InputSource {
    /// The next input, a scalar of type `ty` that is taken at `span`. It must fit the type. Without one the execution ends.
    fn draw(&mut self, ty: &Type, span: Span) -> Option<GivenInput>;
}

/// What a guide keeps for objects that are not initialised yet.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    /// By the number of the slot.
    slots: BTreeMap<usize, u128>,
    /// By the number of the variable's object, until that is made. Then the bits are stored in it as
    /// indeterminate ones, so that they travel with copies of the object.
    objects: BTreeMap<usize, Vec<CellBits>>,
}

impl Hidden {
    /// Forgets the variables of a frame that was left.
    pub(crate) fn truncate(&mut self, first_slot: usize, first_object: usize) {
        self.slots.split_off(&first_slot);
        self.objects.split_off(&first_object);
    }

    pub(crate) fn slot(&self, slot: usize) -> u128 {
        self.slots.get(&slot).copied().unwrap_or(0)
    }

    /// What a new object hides.
    pub(crate) fn take_object(&mut self, number: usize) -> Vec<CellBits> {
        self.objects.remove(&number).unwrap_or_default()
    }
}

/// An uninitialised scalar that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unset {
    /// What the guide keeps for it, and the bits of it that are set.
    pub(crate) hidden: u128,
    /// Which one it is, if it belongs to a variable.
    pub(crate) cell: Option<InputCell>,
}

impl Machine<'_> {
    /// Asks the guide, if there is one, for the inputs of the edge that is being taken.
    pub(crate) fn require_inputs(&mut self, origin: &str, target: Option<PlaceId>) -> Run<()> {
        let span = self.span();
        let Some(guide) = &mut self.guide else { return Ok(()) };
        match guide.required(&InputRequest { origin, span, target }) {
            Ok(values) => {
                self.inputs.offer(values);
                Ok(())
            }
            Err(OutOfStep { expected }) => {
                Err(Stop::new(Cause::OutOfStep { origin: origin.to_owned(), expected }))
            }
        }
    }

    /// Tells the guide that the edge is taken; it may need no inputs.
    pub(crate) fn offer_inputs(&mut self, origin: &str, target: Option<PlaceId>) {
        let span = self.span();
        if let Some(guide) = &mut self.guide {
            let values = guide.offered(&InputRequest { origin, span, target });
            self.inputs.offer(values);
        }
    }

    /// The lifetime of a variable starts: keeps what the guide says about it.
    pub(crate) fn hide(&mut self, variable: VariableId) {
        let Some(guide) = &mut self.guide else { return };
        let cells = guide.declared(variable);
        let (number, is_slot) = match self.layout.storage(variable) {
            Storage::LocalSlot(number) => (self.first_slot + number as usize, true),
            Storage::GlobalSlot(number) => (number as usize, true),
            Storage::LocalObject(number) => (self.first_object + number as usize, false),
            Storage::GlobalObject(number) => (number as usize, false),
        };
        if is_slot {
            let bits = cells.first().map_or(0, |cell| cell.bits);
            self.hidden.slots.insert(number, bits);
        } else {
            self.hidden.objects.insert(number, cells);
        }
    }

    /// As [`Self::hide`], for a variable that has an object already.
    pub(crate) fn hide_again(&mut self, variable: VariableId, object: ObjectId) {
        let Some(guide) = &mut self.guide else { return };
        for cell in guide.declared(variable) {
            self.memory.block_mut(object).hide(cell);
        }
    }

    /// Memory that belongs to no variable is made: keeps what the guide says about it.
    pub(crate) fn hide_memory(&mut self, object: ObjectId, number: Option<u64>) {
        let span = self.span();
        let Some(guide) = &mut self.guide else { return };
        let cells = match number {
            Some(number) => guide.given(number),
            None => guide.allocated(span),
        };
        for cell in cells {
            self.memory.block_mut(object).hide(cell);
        }
    }

    /// No memory is made where the edge asks for some: what the guide may say about it is for nobody.
    pub(crate) fn skip_memory(&mut self) {
        let span = self.span();
        if let Some(guide) = &mut self.guide {
            guide.allocated(span);
        }
    }

    /// What an uninitialised scalar is worth.
    pub(crate) fn uninitialized(&mut self, ty: &Type, what: &str, unset: Unset) -> Run<Scalar> {
        if self.config.uninitialized == Uninitialized::Report || self.has_no_argument(unset) {
            return Err(Undefined::Indeterminate { place: what.to_owned() }.into());
        }
        let origin = format!("uninitialized {what}");
        let model = self.memory.model();
        let span = self.span();
        let asked = self.asked(&origin, unset.cell);
        let value = match &mut self.guide {
            Some(guide) => {
                let said = if unset.cell.is_none() { guide.unset(what, span) } else { None };
                self.inputs.take_bits(said.unwrap_or(unset.hidden), ty, model, &asked)
            }
            None => self.inputs.take(ty, model, &asked)?,
        };
        self.given_value(ty, value)
    }

    /// A scalar parameter is unset only if the call had too few arguments. That is no input: the call was undefined.
    fn has_no_argument(&self, unset: Unset) -> bool {
        let Some(cell) = unset.cell else { return false };
        let variable = &self.program.variables[cell.variable];
        variable.kind == VariableKind::Parameter && !matches!(self.shape(variable.ty), Shape::Aggregate)
    }

    /// Who asks for an input now.
    pub(crate) fn asked<'a>(&self, origin: &'a str, cell: Option<InputCell>) -> Asked<'a> {
        Asked { origin, span: self.span(), step: self.current_step(), function: self.frame().function, cell }
    }

    pub(crate) fn input_cell(&self, variable: VariableId, bit_offset: u64) -> InputCell {
        let declared = self.recording.as_ref().and_then(|recording| recording.declared(variable));
        InputCell { variable, bit_offset, declared }
    }

    /// The cell of a variable that a pointer points to.
    pub(crate) fn cell_at(&self, pointer: Pointer, bit: u32) -> Option<InputCell> {
        let object = self.memory.live(pointer.provenance?)?;
        let ObjectKind::Variable(variable) = object.kind else { return None };
        let bytes = pointer.address.wrapping_sub(object.base);
        Some(self.input_cell(variable, bytes * 8 + u64::from(bit)))
    }
}

/// The values that a guide gave for the edge that is being taken.
pub(crate) type Offer = VecDeque<u128>;
