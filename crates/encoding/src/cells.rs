//! Cells: the state variables that formulas are over. Variables are taken apart into scalars; elements of
//! arrays stay together in one cell of array sort.

mod facets;

use std::collections::HashMap;
use std::rc::Rc;

use rorqual_cfa::{BitRange, CellNames, Id, Program, RecordKind, StringId, Type, TypeId, VariableId};
use rorqual_logic::{Op, Sort, SymbolId, Term, TermPool};
use rorqual_memory::{ClassId, LARGEST_UNION, Memory, Object};

use crate::Detail;
pub(crate) use facets::{Facet, Ledger};

/// A cell, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);

/// A cell.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The object it belongs to, unless it belongs to many: to all objects of a class, or to all of memory.
    pub object: Option<Object>,
    /// The name, see [`CellNames`].
    pub name: String,
    /// The symbol that stands for its value in formulas over states.
    pub symbol: Term,
    /// The type of the scalar, or of the elements of an array; that of the union for a union. Bytes have none.
    pub ty: Option<TypeId>,
    /// Where the scalar starts, in bits from the start of the variable; for an array its first element.
    pub bit_offset: u64,
    /// Whether it holds the elements of an array, and where they are.
    pub elements: Elements,
    /// Whether it says something about memory instead of being a part of it.
    pub is_ghost: bool,
}

/// Whether a cell holds the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elements {
    /// It holds one scalar.
    One,
    /// It holds the elements of an array.
    Many {
        /// How many, if that is fixed.
        count: u64,
        /// The distance from one to the next in bits.
        stride: u64,
    },
    /// It holds the elements of an array that do not follow each other evenly, or whatever objects of a class have in
    /// this place.
    Scattered,
}

/// How a variable, or a part of one, is made of cells.
#[derive(Debug, Clone)]
pub enum Layout {
    /// A scalar.
    Scalar {
        /// Its cell.
        cell: CellId,
        /// Its type.
        ty: TypeId,
        /// Only these bits: a bit-field.
        bits: Option<BitRange>,
    },
    /// A union, or a variable of which only bytes are known, as one cell of all its bytes.
    Union {
        /// The cell.
        cell: CellId,
        /// The type.
        ty: TypeId,
    },
    /// A structure, member by member.
    Struct {
        /// The members with their offsets in bytes.
        fields: Vec<(u64, Rc<Layout>)>,
        /// The type.
        ty: TypeId,
    },
    /// An array.
    Array {
        /// The layout of every element.
        element: Rc<Layout>,
        /// How many there are.
        length: u64,
        /// The size of an element in bytes.
        stride: u64,
        /// The type, if the program has a name for it.
        ty: Option<TypeId>,
    },
    /// Allocated objects of which only bytes are known: a cell with all of them, each at its address.
    Bytes {
        /// The cell.
        cell: CellId,
    },
    /// Something without cells: accesses are not supported, for this reason.
    Opaque(String),
}

impl Layout {
    /// The cells in the order of their addresses.
    pub fn cells(&self) -> Vec<CellId> {
        match self {
            Layout::Scalar { cell, .. } | Layout::Union { cell, .. } | Layout::Bytes { cell } => vec![*cell],
            Layout::Struct { fields, .. } => fields.iter().flat_map(|(_, field)| field.cells()).collect(),
            Layout::Array { element, .. } => element.cells(),
            Layout::Opaque(_) => Vec::new(),
        }
    }

    /// What is not supported in it, if anything.
    pub fn obstacle(&self) -> Option<&str> {
        match self {
            Layout::Scalar { .. } | Layout::Union { .. } | Layout::Bytes { .. } => None,
            Layout::Struct { fields, .. } => fields.iter().find_map(|(_, field)| field.obstacle()),
            Layout::Array { element, .. } => element.obstacle(),
            Layout::Opaque(reason) => Some(reason),
        }
    }
}

/// All cells of a program, made when an object is first met.
#[derive(Debug)]
pub struct Cells {
    names: CellNames,
    all: Vec<Cell>,
    layouts: HashMap<Object, Rc<Layout>>,
    classes: HashMap<ClassId, Rc<Layout>>,
    nothing: Option<CellId>,
    ledgers: HashMap<Ledger, CellId>,
    facets: HashMap<(CellId, Facet), Option<CellId>>,
    by_symbol: HashMap<SymbolId, CellId>,
    /// The cells of objects that never change have values.
    constants: HashMap<CellId, Term>,
}

/// Where in an object a layout is made.
#[derive(Clone)]
struct Spot {
    object: Option<Object>,
    name: String,
    bit_offset: u64,
    elements: Elements,
}

/// What making layouts needs.
pub(crate) struct Maker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
    pub(crate) pool: &'a mut TermPool,
    pub(crate) detail: Detail,
}

impl Cells {
    pub(crate) fn new(program: &Program) -> Cells {
        Cells {
            names: CellNames::new(program),
            all: Vec::new(),
            layouts: HashMap::new(),
            classes: HashMap::new(),
            nothing: None,
            ledgers: HashMap::new(),
            facets: HashMap::new(),
            by_symbol: HashMap::new(),
            constants: HashMap::new(),
        }
    }

    /// A cell by its number.
    pub fn get(&self, id: CellId) -> &Cell {
        &self.all[id.0 as usize]
    }

    /// The name of a variable.
    pub(crate) fn variable_name(&self, variable: VariableId) -> &str {
        self.names.variable(variable)
    }

    /// All cells that were met.
    pub fn iter(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        (0..).map(CellId).zip(&self.all)
    }

    /// The cell that a symbol stands for.
    pub fn of_symbol(&self, symbol: SymbolId) -> Option<CellId> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The value of a cell that never changes.
    pub(crate) fn constant(&self, cell: CellId) -> Option<Term> {
        self.constants.get(&cell).copied()
    }

    /// The layout of an object that is declared.
    pub(crate) fn layout(&mut self, maker: &mut Maker<'_>, object: Object) -> Rc<Layout> {
        if let Some(known) = self.layouts.get(&object) {
            return known.clone();
        }
        let layout = Rc::new(match object {
            Object::Variable(variable) => {
                let spot = Spot::whole(object, self.names.variable(variable).to_owned());
                let ty = maker.program.variables[variable].ty;
                if maker.memory.is_collapsed(object) {
                    let size = match maker.detail {
                        Detail::Full => maker.program.types.size_of(ty).unwrap_or(0),
                        // Nobody looks at its content.
                        Detail::HeapFree => 1,
                    };
                    self.lay_out_bytes(maker, ty, size, &spot)
                } else {
                    self.lay_out(maker, ty, &spot, None)
                }
            }
            Object::Text(text) => self.lay_out_text(maker, text),
            Object::Result(function) => {
                let details = &maker.program.functions[function];
                let name = CellNames::result(maker.program, function);
                let spot = Spot::whole(object, name);
                match maker.program.types.get(details.ty) {
                    Type::Function { result, .. } => self.lay_out(maker, *result, &spot, None),
                    _ => Layout::Opaque("this result".to_owned()),
                }
            }
            Object::Stack(..) | Object::Heap(..) | Object::Given(_) | Object::Function(_) => {
                Layout::Opaque("this object".to_owned())
            }
        });
        self.layouts.insert(object, layout.clone());
        layout
    }

    /// The layout of the elements of a class. Its cells hold each scalar at its address, less the offset that the scalar
    /// has in an element.
    pub(crate) fn class_layout(&mut self, maker: &mut Maker<'_>, class: ClassId) -> Rc<Layout> {
        if let Some(known) = self.classes.get(&class) {
            return known.clone();
        }
        let name = maker.memory.class_name(maker.program, class);
        let mut spot = Spot { object: None, name, bit_offset: 0, elements: Elements::Scattered };
        let layout = Rc::new(match maker.memory.class(class).element {
            Some(element) => {
                spot.name += "[]";
                self.lay_out(maker, element, &spot, None)
            }
            None => {
                spot.name += ".bytes[]";
                let cell = self.add(maker, None, 8, &spot);
                Layout::Bytes { cell }
            }
        });
        self.classes.insert(class, layout.clone());
        layout
    }

    /// All cells of the class that a cell belongs to.
    pub(crate) fn in_class_of(&self, cell: CellId) -> Vec<CellId> {
        let mut layouts = self.classes.values().map(|layout| layout.cells());
        layouts.find(|cells| cells.contains(&cell)).unwrap_or_else(|| vec![cell])
    }

    /// A cell that stands for all memory of which nothing is known.
    pub(crate) fn nothing(&mut self, maker: &mut Maker<'_>) -> CellId {
        if let Some(known) = self.nothing {
            return known;
        }
        let spot = Spot { object: None, name: "memory".to_owned(), bit_offset: 0, elements: Elements::One };
        let cell = self.add(maker, None, 8, &spot);
        self.nothing = Some(cell);
        cell
    }

    /// Whether a cell stands for memory of which nothing is known.
    pub(crate) fn is_nothing(&self, cell: CellId) -> bool {
        self.nothing == Some(cell)
    }

    fn lay_out(&mut self, maker: &mut Maker<'_>, ty: TypeId, spot: &Spot, bits: Option<BitRange>) -> Layout {
        let types = &maker.program.types;
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let width = bits.map_or_else(|| types.width(ty), |range| range.width);
                Layout::Scalar { cell: self.add(maker, Some(ty), width, spot), ty, bits }
            }
            Type::Record(record) if types.record(*record).kind == RecordKind::Union => {
                let size = types.record(*record).size;
                self.lay_out_bytes(maker, ty, size, spot)
            }
            Type::Record(record) => self.lay_out_struct(maker, *record, ty, spot),
            Type::Array { element, length: Some(length) } => {
                let Some(stride) = types.size_of(*element) else {
                    return Layout::Opaque("an array of incomplete type".to_owned());
                };
                let (element, length) = (*element, *length);
                let element = Rc::new(self.lay_out(maker, element, &spot.elements(length, stride), None));
                Layout::Array { element, length, stride, ty: Some(ty) }
            }
            Type::Array { .. } => Layout::Opaque("an array of unknown length".to_owned()),
            Type::Opaque { name, .. } => Layout::Opaque(format!("the type `{name}`")),
            _ => Layout::Opaque(format!("an object of type `{}`", types.name(ty))),
        }
    }

    /// Something of which only bytes are known.
    fn lay_out_bytes(&mut self, maker: &mut Maker<'_>, ty: TypeId, size: u64, spot: &Spot) -> Layout {
        if size == 0 || size > LARGEST_UNION {
            return Layout::Opaque(format!(
                "an object of {size} bytes that is accessed with different types"
            ));
        }
        Layout::Union { cell: self.add(maker, Some(ty), size as u32 * 8, spot), ty }
    }

    fn lay_out_struct(
        &mut self,
        maker: &mut Maker<'_>,
        record: rorqual_cfa::RecordId,
        ty: TypeId,
        spot: &Spot,
    ) -> Layout {
        let mut fields = Vec::new();
        for (number, field) in maker.program.types.record(record).fields.iter().enumerate() {
            let name = field.name.clone().unwrap_or_else(|| number.to_string());
            let start = field.bits.map_or(0, |range| u64::from(range.start));
            let inner = Spot {
                name: format!("{}.{name}", spot.name),
                bit_offset: spot.bit_offset + field.offset * 8 + start,
                ..spot.clone()
            };
            fields.push((field.offset, Rc::new(self.lay_out(maker, field.ty, &inner, field.bits))));
        }
        Layout::Struct { fields, ty }
    }

    /// A string literal: an array whose elements are known.
    fn lay_out_text(&mut self, maker: &mut Maker<'_>, text: StringId) -> Layout {
        let program = maker.program;
        let literal = &program.strings[text];
        let name = format!("\"{}\"", text.index());
        let object = Object::Text(text);
        let spot = Spot::whole(object, name);
        if maker.memory.is_collapsed(object) {
            return Layout::Opaque("a string literal that is accessed with different types".to_owned());
        }
        let layout = self.lay_out(maker, literal.ty, &spot, None);
        if let [cell] = layout.cells()[..]
            && let Sort::Array { index, element } = maker.pool.sort(self.get(cell).symbol)
        {
            let value = array_of_bytes(maker.pool, index, element, &literal.bytes);
            self.constants.insert(cell, value);
        }
        layout
    }

    fn add(&mut self, maker: &mut Maker<'_>, ty: Option<TypeId>, width: u32, spot: &Spot) -> CellId {
        let index = maker.program.types.model().pointer_width();
        let sort = match spot.elements {
            Elements::One => Sort::BitVec(width),
            Elements::Many { .. } | Elements::Scattered => Sort::Array { index, element: width },
        };
        let symbol = maker.pool.symbol(&spot.name, sort);
        let id = CellId(self.all.len() as u32);
        if let Op::Symbol(symbol) = maker.pool.op(symbol) {
            self.by_symbol.insert(*symbol, id);
        }
        let Spot { object, name, bit_offset, elements } = spot.clone();
        self.all.push(Cell { object, name, symbol, ty, bit_offset, elements, is_ghost: false });
        id
    }
}

impl Spot {
    fn whole(object: Object, name: String) -> Spot {
        Spot { object: Some(object), name, bit_offset: 0, elements: Elements::One }
    }

    /// Inside of an array. Elements of inner arrays are counted through, so that their name gets no second
    /// pair of brackets.
    fn elements(&self, length: u64, stride: u64) -> Spot {
        let nested = self.name.ends_with("[]");
        let name = if nested { self.name.clone() } else { format!("{}[]", self.name) };
        let stride = stride * 8;
        let elements = match self.elements {
            Elements::One => Elements::Many { count: length, stride },
            Elements::Many { count, stride: outer } if outer == length * stride => {
                Elements::Many { count: count.saturating_mul(length), stride }
            }
            Elements::Many { .. } | Elements::Scattered => Elements::Scattered,
        };
        Spot { name, elements, ..self.clone() }
    }
}

/// An array with the given elements, each of some bytes, lowest byte first.
pub(crate) fn array_of_bytes(pool: &mut TermPool, index: u32, element: u32, bytes: &[u8]) -> Term {
    let zero = pool.bv(0u8, element);
    let mut array = pool.const_array(index, zero);
    for (at, unit) in bytes.chunks((element / 8).max(1) as usize).enumerate() {
        let number = unit.iter().rev().fold(0u128, |number, &byte| number << 8 | u128::from(byte));
        if number != 0 {
            let (at, value) = (pool.bv(at as u64, index), pool.bv(number, element));
            array = pool.store(array, at, value);
        }
    }
    array
}
