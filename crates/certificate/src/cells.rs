//! The cells of a program: the named scalars and arrays that formulas are over, with their layout.
//! The names are those of [`CellNames`].

use std::collections::{BTreeMap, HashMap};

use rorqual_cfa::{CellNames, ExprKind, Id, PlaceId, PlaceKind, Program, TypeId, VariableId};
use rorqual_logic::Sort;
use rorqual_memory::{ClassId, Memory, Object};

use crate::leaves::{Leaf, bytes_leaf, element_leaves, leaves};

/// A cell, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellId(u32);

/// A cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The name in formulas.
    pub(crate) name: String,
    /// The sort.
    pub(crate) sort: Sort,
    /// The variable that it belongs to, unless it is of allocated memory.
    pub(crate) variable: Option<VariableId>,
}

/// The cells of a class of allocated objects.
#[derive(Debug)]
pub(crate) enum ClassCells {
    /// The objects are arrays of elements of a type: its leaves with their cells, from addresses to values. The index
    /// is the address of the leaf less its offset in the first elements of arrays.
    Elements {
        /// The type of the elements.
        ty: TypeId,
        /// The leaves.
        leaves: Vec<(Leaf, CellId)>,
    },
    /// Only bytes are known: from addresses to bytes.
    Bytes(CellId),
}

impl ClassCells {
    /// The cells.
    pub(crate) fn cells(&self) -> Vec<CellId> {
        match self {
            ClassCells::Elements { leaves, .. } => leaves.iter().map(|&(_, cell)| cell).collect(),
            ClassCells::Bytes(cell) => vec![*cell],
        }
    }
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
    memory: Memory,
    classes: BTreeMap<ClassId, ClassCells>,
    heap_top: CellId,
    heap_sizes: Option<CellId>,
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
            memory: Memory::analyse(program),
            classes: BTreeMap::new(),
            heap_top: CellId(0),
            heap_sizes: None,
        };
        for id in program.variables.ids() {
            cells.add_variable(program, id);
        }
        let names = |(id, _)| (id, cells.memory.class_name(program, id));
        for (id, name) in cells.memory.classes().map(names).collect::<Vec<_>>() {
            cells.add_class(program, id, &name);
        }
        let address = Sort::BitVec(program.types.model().pointer_width());
        cells.heap_top = cells.add("heap.top".to_owned(), address, None);
        if cells.memory.has_links() {
            let index = program.types.model().pointer_width();
            let sort = Sort::Array { index, element: index };
            cells.heap_sizes = Some(cells.add("heap.size[]".to_owned(), sort, None));
        }
        cells
    }

    fn add_variable(&mut self, program: &Program, id: VariableId) {
        let (types, variable) = (&program.types, &program.variables[id]);
        let name = self.names.variable(id).to_owned();
        let is_collapsed = self.memory.is_collapsed(Object::Variable(id)) && variable.size.is_none();
        let bytes = is_collapsed.then(|| bytes_leaf(types, variable.ty)).flatten();
        let mut own = Vec::new();
        for leaf in bytes.map_or_else(|| leaves(types, variable.ty), |bytes| vec![bytes]) {
            let cell = self.add(format!("{name}{}", leaf.suffix), leaf.sort(types), Some(id));
            own.push((leaf, cell));
        }
        let address = Sort::BitVec(types.model().pointer_width());
        let address = self.add(format!("&{name}"), address, Some(id));
        self.variables.push((own, address));
    }

    fn add_class(&mut self, program: &Program, id: ClassId, name: &str) {
        let index = program.types.model().pointer_width();
        let class = match self.memory.class(id).element {
            None => {
                let sort = Sort::Array { index, element: 8 };
                ClassCells::Bytes(self.add(format!("{name}.bytes[]"), sort, None))
            }
            Some(ty) => {
                let mut add = |leaf: Leaf| {
                    let sort = Sort::Array { index, element: leaf.width };
                    let cell = self.add(format!("{name}{}", leaf.suffix), sort, None);
                    (leaf, cell)
                };
                let leaves = element_leaves(&program.types, ty).into_iter().map(&mut add).collect();
                ClassCells::Elements { ty, leaves }
            }
        };
        self.classes.insert(id, class);
    }

    fn add(&mut self, name: String, sort: Sort, variable: Option<VariableId>) -> CellId {
        let id = CellId(self.all.len() as u32);
        self.by_name.insert(name.clone(), id);
        self.all.push(Cell { name, sort, variable });
        id
    }

    /// What pointers may point to.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The cells of a class.
    pub(crate) fn class(&self, id: ClassId) -> &ClassCells {
        &self.classes[&id]
    }

    /// All cells of allocated objects.
    pub(crate) fn allocated(&self) -> Vec<CellId> {
        self.classes.values().flat_map(ClassCells::cells).collect()
    }

    /// The cell of the address that all allocated memory lies below.
    pub(crate) fn heap_top(&self) -> CellId {
        self.heap_top
    }

    /// The cell of the sizes of objects on the heap, by their addresses. It is kept if such objects hold pointers to each
    /// other.
    pub(crate) fn heap_sizes(&self) -> Option<CellId> {
        self.heap_sizes
    }

    /// Whether the variable is one cell with all its bytes.
    pub(crate) fn is_bytes(&self, variable: VariableId) -> bool {
        let memory = &self.memory;
        memory.is_collapsed(Object::Variable(variable))
            && matches!(self.leaves(variable), [(leaf, _)] if leaf.suffix.is_empty())
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
