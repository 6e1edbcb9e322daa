//! The cells of a program: the named scalars and arrays that formulas are over, with their layout.
//! The names are those of [`CellNames`].

use std::collections::HashMap;

use rorqual_cfa::{
    BitRange, CellNames, ExprKind, Field, Id, PlaceId, PlaceKind, Program, RecordId, RecordKind, Type,
    TypeId, TypeTable, VariableId,
};
use rorqual_logic::Sort;

/// Unions of more bytes have no cell: what they hold is not known.
const LARGEST_UNION: u64 = 16;

/// A cell, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellId(u32);

/// An array on the way to a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dimension {
    /// The size of an element in bytes.
    pub(crate) stride: u64,
    /// How many there are, if that is known.
    pub(crate) length: Option<u64>,
}

/// What the bits of a leaf are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeafKind {
    /// A scalar in bytes of its own.
    Scalar,
    /// Some bits of the bytes at the offset.
    BitField(BitRange),
    /// All bytes of a union.
    Union,
}

/// What one path of members and elements into a type leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The path, as it stands behind a variable's name.
    pub(crate) suffix: String,
    /// What is there.
    pub(crate) kind: LeafKind,
    /// How many bits.
    pub(crate) width: u32,
    /// Where the first one is, in bytes from the start.
    pub(crate) offset: u64,
    /// The arrays on the way, outermost first.
    pub(crate) dimensions: Vec<Dimension>,
    /// The type of the scalar or union.
    pub(crate) ty: TypeId,
}

impl Leaf {
    /// How many bytes an access to one of them touches.
    pub(crate) fn bytes(&self, types: &TypeTable) -> u64 {
        match self.kind {
            LeafKind::BitField(range) => u64::from((range.start + range.width).div_ceil(8)),
            LeafKind::Scalar | LeafKind::Union => types.size_of(self.ty).unwrap_or(0),
        }
    }

    /// How many there are, unless some length is not known.
    pub(crate) fn count(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1u64, |count, dimension| count.checked_mul(dimension.length?))
    }

    /// Where number `position` is, in bytes from the start of the first one; lengths are known.
    pub(crate) fn displacement(&self, mut position: u64) -> u64 {
        let mut bytes = 0;
        for dimension in self.dimensions.iter().rev() {
            let length = dimension.length.unwrap_or(u64::MAX).max(1);
            bytes += position % length * dimension.stride;
            position /= length;
        }
        bytes
    }

    /// The sort of the leaf's cell in a variable.
    pub(crate) fn sort(&self, types: &TypeTable) -> Sort {
        if self.dimensions.is_empty() {
            return Sort::BitVec(self.width);
        }
        Sort::Array { index: types.model().pointer_width(), element: self.width }
    }
}

/// The leaves of a type, in the order of their addresses.
pub(crate) fn leaves(types: &TypeTable, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    let whole = Leaf {
        suffix: String::new(),
        kind: LeafKind::Scalar,
        width: 0,
        offset: 0,
        dimensions: Vec::new(),
        ty,
    };
    collect(types, whole, &mut found);
    found
}

/// The parts of a type that have another type, except those in unions.
pub(crate) fn parts(types: &TypeTable, whole: TypeId, wanted: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut open = vec![Leaf {
        suffix: String::new(),
        kind: LeafKind::Scalar,
        width: 0,
        offset: 0,
        dimensions: Vec::new(),
        ty: whole,
    }];
    while let Some(mut part) = open.pop() {
        if part.ty == wanted {
            found.push(part);
            continue;
        }
        match types.get(part.ty) {
            Type::Array { element, length } => {
                let Some(stride) = types.size_of(*element) else { continue };
                part.dimensions.push(Dimension { stride, length: *length });
                open.push(Leaf { ty: *element, ..part });
            }
            Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
                let fields = types.record(*record).fields.iter().filter(|field| field.bits.is_none());
                let inner =
                    |field: &Field| Leaf { offset: part.offset + field.offset, ty: field.ty, ..part.clone() };
                open.extend(fields.map(inner));
            }
            _ => {}
        }
    }
    found
}

fn collect(types: &TypeTable, part: Leaf, found: &mut Vec<Leaf>) {
    match types.get(part.ty) {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
            found.push(Leaf { width: types.width(part.ty), ..part });
        }
        Type::Array { element, length } => {
            let Some(stride) = types.size_of(*element) else { return };
            let mut inner = Leaf { suffix: joined(&part.suffix, "[]"), ty: *element, ..part };
            inner.dimensions.push(Dimension { stride, length: *length });
            collect(types, inner, found);
        }
        Type::Record(record) => collect_record(types, *record, part, found),
        Type::Void | Type::Function { .. } | Type::Opaque { .. } => {}
    }
}

fn collect_record(types: &TypeTable, id: RecordId, part: Leaf, found: &mut Vec<Leaf>) {
    let record = types.record(id);
    if record.kind == RecordKind::Union {
        if let Some(width) = union_width(types, id) {
            found.push(Leaf { kind: LeafKind::Union, width, ..part });
        }
        return;
    }
    for (number, field) in record.fields.iter().enumerate() {
        let mut inner = part.clone();
        inner.suffix.push_str(&member(field, number));
        inner.offset += field.offset;
        inner.ty = field.ty;
        match field.bits {
            None => collect(types, inner, found),
            Some(range) if range.width == 0 => {}
            Some(range) => {
                found.push(Leaf { kind: LeafKind::BitField(range), width: range.width, ..inner });
            }
        }
    }
}

/// The width of a union's cell, if it has one.
pub(crate) fn union_width(types: &TypeTable, id: RecordId) -> Option<u32> {
    let record = types.record(id);
    let fits = record.complete && (1..=LARGEST_UNION).contains(&record.size);
    fits.then_some(record.size as u32 * 8)
}

/// The part of a path that selects a member.
pub(crate) fn member(field: &Field, number: usize) -> String {
    match &field.name {
        Some(name) => format!(".{name}"),
        None => format!(".{number}"),
    }
}

/// Two parts of a path. Elements of elements are counted through, so `[]` never follows `[]`.
pub(crate) fn joined(path: &str, suffix: &str) -> String {
    let rest = if path.ends_with("[]") { suffix.strip_prefix("[]").unwrap_or(suffix) } else { suffix };
    format!("{path}{rest}")
}

/// A cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The name in formulas.
    pub(crate) name: String,
    /// The sort.
    pub(crate) sort: Sort,
    /// The variable that it belongs to.
    pub(crate) variable: VariableId,
}

/// All cells of a program.
#[derive(Debug)]
pub(crate) struct Cells {
    all: Vec<Cell>,
    by_name: HashMap<String, CellId>,
    /// For each variable, its leaves with their cells, and the cell of its address.
    variables: Vec<(Vec<(Leaf, CellId)>, CellId)>,
    names: CellNames,
    addressed: Vec<bool>,
}

impl Cells {
    /// The cells of a program.
    pub(crate) fn new(program: &Program) -> Cells {
        let mut cells = Cells {
            all: Vec::new(),
            by_name: HashMap::new(),
            variables: Vec::with_capacity(program.variables.len()),
            names: CellNames::new(program),
            addressed: addressed(program),
        };
        for (id, variable) in program.variables.iter() {
            let name = cells.names.variable(id).to_owned();
            let mut own = Vec::new();
            for leaf in leaves(&program.types, variable.ty) {
                let sort = leaf.sort(&program.types);
                let cell = cells.add(format!("{name}{}", leaf.suffix), sort, id);
                own.push((leaf, cell));
            }
            let sort = Sort::BitVec(program.types.model().pointer_width());
            let address = cells.add(format!("&{name}"), sort, id);
            cells.variables.push((own, address));
        }
        cells
    }

    fn add(&mut self, name: String, sort: Sort, variable: VariableId) -> CellId {
        let id = CellId(self.all.len() as u32);
        self.by_name.insert(name.clone(), id);
        self.all.push(Cell { name, sort, variable });
        id
    }

    /// The cell with a name.
    pub(crate) fn find(&self, name: &str) -> Option<CellId> {
        self.by_name.get(name).copied()
    }

    /// The cell behind `id`.
    pub(crate) fn get(&self, id: CellId) -> &Cell {
        &self.all[id.0 as usize]
    }

    /// All cells in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        self.all.iter().enumerate().map(|(number, cell)| (CellId(number as u32), cell))
    }

    /// The leaves of a variable with their cells.
    pub(crate) fn leaves(&self, variable: VariableId) -> &[(Leaf, CellId)] {
        &self.variables[variable.index()].0
    }

    /// The cell of a variable's address.
    pub(crate) fn address(&self, variable: VariableId) -> CellId {
        self.variables[variable.index()].1
    }

    /// The name of a variable.
    pub(crate) fn name(&self, variable: VariableId) -> &str {
        self.names.variable(variable)
    }

    /// Whether a pointer can point into the variable.
    pub(crate) fn is_addressed(&self, variable: VariableId) -> bool {
        self.addressed[variable.index()]
    }
}

/// Which variables a pointer can point into. The front end says so too; this does not rely on it.
fn addressed(program: &Program) -> Vec<bool> {
    let mut found: Vec<bool> = program.variables.values().map(|variable| variable.address_taken).collect();
    for expr in program.exprs.values() {
        if let ExprKind::AddressOf(place) = expr.kind
            && let Some(variable) = root(program, place)
        {
            found[variable.index()] = true;
        }
    }
    found
}

/// The variable that a place is a part of, unless it is found through a pointer.
pub(crate) fn root(program: &Program, place: PlaceId) -> Option<VariableId> {
    match program.places[place].kind {
        PlaceKind::Variable(variable) => Some(variable),
        PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => root(program, base),
        PlaceKind::Text(_) | PlaceKind::Deref(_) => None,
    }
}

/// The size of a variable's object in bytes, if it is known.
pub(crate) fn object_size(program: &Program, variable: VariableId) -> Option<u64> {
    let variable = &program.variables[variable];
    variable.size.or(program.types.size_of(variable.ty))
}
