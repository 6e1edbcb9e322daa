//! The cells of a program: the named scalars and arrays that formulas are over, with their layout.
//! The names are those of [`CellNames`].

use std::collections::{BTreeMap, HashMap};

use rorqual_cfa::{
    CellNames, ExprKind, FunctionId, Id, PlaceId, PlaceKind, Program, StringId, Type, TypeId, TypeTable,
    VariableId,
};
use rorqual_logic::Sort;
use rorqual_memory::{ClassId, Ghost, Ghosts, Memory, Object};

use crate::leaves::{Leaf, LeafKind, bytes_leaf, element_leaves, leaves};

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
    /// The variable that it belongs to, unless it is of allocated memory or the result of a function.
    pub(crate) variable: Option<VariableId>,
    /// Whether it is a part of memory, and not something about memory.
    pub(crate) is_content: bool,
}

/// What is known of a part of memory, each in a cell of the same sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Facet {
    /// What it contains.
    Content,
    /// For pointers, the address of the object that they were derived from; 0 for none.
    Base,
    /// Which bits of it were written.
    Written,
}

/// What is known of all allocated objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ledger {
    /// How many bytes an object has, by its address.
    Sizes,
    /// Whether an object on the heap is alive, by its address.
    HeapLives,
    /// Whether an object on the stack is alive, by its address.
    StackLives,
    /// How many objects on the heap are alive.
    Count,
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
    /// The cell of the address of each string literal.
    texts: Vec<CellId>,
    names: CellNames,
    addressed: Vec<bool>,
    memory: Memory,
    classes: BTreeMap<ClassId, ClassCells>,
    /// The leaves of functions' results with their cells.
    results: BTreeMap<FunctionId, Vec<(Leaf, CellId)>>,
    heap_top: CellId,
    ghosts: Ghosts,
    ledgers: HashMap<Ledger, CellId>,
    facets: HashMap<(CellId, Facet), CellId>,
}

impl Cells {
    /// The cells of a program.
    pub(crate) fn new(program: &Program) -> Cells {
        let memory = Memory::analyse(program);
        let mut cells = Cells {
            all: Vec::new(),
            by_name: HashMap::new(),
            variables: Vec::with_capacity(program.variables.len()),
            texts: Vec::with_capacity(program.strings.len()),
            names: CellNames::new(program),
            addressed: addressed(program),
            ghosts: memory.ghosts(program),
            memory,
            classes: BTreeMap::new(),
            results: BTreeMap::new(),
            heap_top: CellId(0),
            ledgers: HashMap::new(),
            facets: HashMap::new(),
        };
        for id in program.variables.ids() {
            cells.add_variable(program, id);
        }
        for id in program.strings.ids() {
            cells.add_text(program, id);
        }
        let names = |(id, _)| (id, cells.memory.class_name(program, id));
        for (id, name) in cells.memory.classes().map(names).collect::<Vec<_>>() {
            cells.add_class(program, id, &name);
        }
        for id in program.functions.ids() {
            cells.add_result(program, id);
        }
        let address = Sort::BitVec(program.types.model().pointer_width());
        cells.heap_top = cells.add("heap.top".to_owned(), address, None);
        cells.add_ledgers(program);
        cells
    }

    fn add_ledgers(&mut self, program: &Program) {
        let index = program.types.model().pointer_width();
        let number = Sort::BitVec(index);
        let [by_address, flags] = [index, 1].map(|element| Sort::Array { index, element });
        for (ghost, ledger, name, sort) in [
            (Ghost::Sizes, Ledger::Sizes, "heap.size[]", by_address),
            (Ghost::Lives, Ledger::HeapLives, "heap.life[]", flags),
            (Ghost::Lives, Ledger::StackLives, "stack.life[]", flags),
            (Ghost::Count, Ledger::Count, "heap.count", number),
        ] {
            if self.ghosts.has(ghost) {
                let cell = self.add(name.to_owned(), sort, None);
                self.ledgers.insert(ledger, cell);
            }
        }
    }

    fn add_variable(&mut self, program: &Program, id: VariableId) {
        let (types, variable) = (&program.types, &program.variables[id]);
        let name = self.names.variable(id).to_owned();
        let is_collapsed = self.memory.is_collapsed(Object::Variable(id)) && variable.size.is_none();
        let bytes = is_collapsed.then(|| bytes_leaf(types, variable.ty)).flatten();
        let mut own = Vec::new();
        for leaf in bytes.map_or_else(|| leaves(types, variable.ty), |bytes| vec![bytes]) {
            let (memory, object) = (&self.memory, Object::Variable(id));
            let pointers = Pointers::in_leaf(types, &leaf, memory.holds_pointers(object), || {
                memory.holds_starts(program, object, leaf.offset)
            });
            let name = format!("{name}{}", leaf.suffix);
            let cell = self.add_content(&name, leaf.sort(types), Some(id), pointers);
            own.push((leaf, cell));
        }
        let address = Sort::BitVec(types.model().pointer_width());
        let address = self.add(format!("&{name}"), address, Some(id));
        self.variables.push((own, address));
    }

    /// The address of a string literal never changes.
    fn add_text(&mut self, program: &Program, id: StringId) {
        let address = Sort::BitVec(program.types.model().pointer_width());
        let cell = self.add(format!("&\"{}\"", id.index()), address, None);
        self.texts.push(cell);
    }

    fn add_class(&mut self, program: &Program, id: ClassId, name: &str) {
        let index = program.types.model().pointer_width();
        let has_pointers = self.memory.class_holds_pointers(id);
        let class = match self.memory.class(id).element {
            None => {
                let sort = Sort::Array { index, element: 8 };
                let pointers = if has_pointers { Pointers::Any } else { Pointers::None };
                ClassCells::Bytes(self.add_content(&format!("{name}.bytes[]"), sort, None, pointers))
            }
            Some(ty) => {
                let mut add = |leaf: Leaf| {
                    let sort = Sort::Array { index, element: leaf.width };
                    let memory = &self.memory;
                    let pointers = Pointers::in_leaf(&program.types, &leaf, has_pointers, || {
                        memory.class_holds_starts(program, id, leaf.offset)
                    });
                    let cell = self.add_content(&format!("{name}{}", leaf.suffix), sort, None, pointers);
                    (leaf, cell)
                };
                let leaves = element_leaves(&program.types, ty).into_iter().map(&mut add).collect();
                ClassCells::Elements { ty, leaves }
            }
        };
        self.classes.insert(id, class);
    }

    fn add_result(&mut self, program: &Program, id: FunctionId) {
        let function = &program.functions[id];
        let (Type::Function { result, .. }, Some(_)) = (program.types.get(function.ty), &function.body)
        else {
            return;
        };
        if matches!(program.types.get(*result), Type::Void) {
            return;
        }
        let name = CellNames::result(program, id);
        let add = |leaf: Leaf| {
            let cell = self.add(format!("{name}{}", leaf.suffix), leaf.sort(&program.types), None);
            (leaf, cell)
        };
        let cells = leaves(&program.types, *result).into_iter().map(add).collect();
        self.results.insert(id, cells);
    }

    fn add(&mut self, name: String, sort: Sort, variable: Option<VariableId>) -> CellId {
        let id = CellId(self.all.len() as u32);
        self.by_name.insert(name.clone(), id);
        self.all.push(Cell { name, sort, variable, is_content: false });
        id
    }

    /// A part of memory, with cells for what else is known of it.
    fn add_content(
        &mut self,
        name: &str,
        sort: Sort,
        variable: Option<VariableId>,
        pointers: Pointers,
    ) -> CellId {
        let content = self.add(name.to_owned(), sort, variable);
        self.all[content.0 as usize].is_content = true;
        if pointers != Pointers::None && self.ghosts.has(Ghost::Bases) {
            let base = match pointers {
                Pointers::Any => self.add(format!("{name}^base"), sort, variable),
                _ => content,
            };
            self.facets.insert((content, Facet::Base), base);
        }
        if self.ghosts.has(Ghost::Written) {
            let written = self.add(format!("{name}^set"), sort, variable);
            self.facets.insert((content, Facet::Written), written);
        }
        content
    }

    /// The cell of something about allocated objects, if it is kept.
    pub(crate) fn ledger(&self, ledger: Ledger) -> Option<CellId> {
        self.ledgers.get(&ledger).copied()
    }

    /// The variables that may keep something on the heap from being lost, if a check asks for that.
    pub(crate) fn keepers(&self, program: &Program) -> Vec<VariableId> {
        if self.ghosts.has(Ghost::Count) { self.memory.keepers(program) } else { Vec::new() }
    }

    /// Whether a check asks for something about memory.
    pub(crate) fn has_memory_checks(&self) -> bool {
        self.ghosts.are_checked()
    }

    /// The facets besides the content that are kept.
    pub(crate) fn facets(&self) -> Vec<Facet> {
        let kept = [(Facet::Base, Ghost::Bases), (Facet::Written, Ghost::Written)];
        kept.into_iter().filter(|(_, ghost)| self.ghosts.has(*ghost)).map(|(facet, _)| facet).collect()
    }

    /// The cell of a facet of a part of memory, if there is something to know. Pointers to starts say it themselves.
    pub(crate) fn facet(&self, content: CellId, facet: Facet) -> Option<CellId> {
        match facet {
            Facet::Content => Some(content),
            _ => self.facets.get(&(content, facet)).copied(),
        }
    }

    /// A part of memory with all that is known of it.
    pub(crate) fn with_facets(&self, content: CellId) -> Vec<CellId> {
        let facets = [Facet::Base, Facet::Written].into_iter().filter_map(|facet| self.facet(content, facet));
        facets.filter(|&facet| facet != content).chain([content]).collect()
    }

    /// The cells that say nothing when the program starts: no object is there, and nothing is written in any.
    pub(crate) fn empty_at_start(&self) -> Vec<CellId> {
        let ledgers = [Ledger::Sizes, Ledger::HeapLives, Ledger::StackLives, Ledger::Count];
        let written = self.allocated().into_iter().filter_map(|cell| self.facet(cell, Facet::Written));
        ledgers.into_iter().filter_map(|ledger| self.ledger(ledger)).chain(written).collect()
    }

    /// What pointers may point to.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The cells of a function's result, in the order of the leaves of its type.
    pub(crate) fn result(&self, function: FunctionId) -> Vec<CellId> {
        self.results.get(&function).into_iter().flatten().map(|&(_, cell)| cell).collect()
    }

    /// The function whose result a cell belongs to.
    pub(crate) fn result_of(&self, cell: CellId) -> Option<FunctionId> {
        let has = |cells: &Vec<(Leaf, CellId)>| cells.iter().any(|&(_, one)| one == cell);
        self.results.iter().find(|(_, cells)| has(cells)).map(|(&function, _)| function)
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

    /// The cell of a string literal's address.
    pub(crate) fn text(&self, text: StringId) -> CellId {
        self.texts[text.index()]
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

/// What pointers a part of memory may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pointers {
    /// None.
    None,
    /// Pointers to the starts of objects.
    Starts,
    /// Any pointers.
    Any,
}

impl Pointers {
    /// Those in a leaf: a union may have some if its object has.
    fn in_leaf(types: &TypeTable, leaf: &Leaf, has_some: bool, are_starts: impl Fn() -> bool) -> Pointers {
        match (leaf.kind, types.get(leaf.ty)) {
            (LeafKind::Scalar, Type::Pointer(_)) if are_starts() => Pointers::Starts,
            (LeafKind::Scalar, Type::Pointer(_)) => Pointers::Any,
            (LeafKind::Union, _) if has_some => Pointers::Any,
            _ => Pointers::None,
        }
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
