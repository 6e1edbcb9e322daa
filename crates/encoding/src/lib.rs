//! Control-flow automata as formulas.
//!
//! An [`Encoding`] turns the program, with its calls inlined, into a graph of [`Block`]s: a block starts at a
//! [`Point`], contains all edges up to the next points at which blocks end, and has an exit to each of them with
//! the condition for getting there and the new values of the cells that changed. A [`Path`] strings exits together,
//! with a version of each changed cell after each exit. The same goes without inlining: [`Encoding::body_of`] is the
//! body of a [`Procedure`] in which calls are left open.
//!
//! What is undefined in C blocks an execution; what is not modelled exactly has any value; what cannot be
//! expressed at all is an exit of its own. So formulas describe at least the executions of the program up to
//! undefined behaviour, and what they say is impossible is so.

mod aggregate;
mod block;
mod calls;
mod cells;
mod concrete;
mod context;
mod export;
mod expression;
mod fault;
mod ghost;
mod life;
mod loops;
mod passed;
mod path;
mod place;
mod pointer;
mod procedure;
mod scalar;
mod slot;
mod state;
mod symbols;
mod translate;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use rorqual_cfa::{ExprId, Function, FunctionId, Id, LocationId, Operation, Program};
use rorqual_evidence::{CallSite, CallString};
use rorqual_logic::{Sort, Term, TermPool};
use rorqual_memory::{ClassId, Effects, Ghost, Ghosts, Memory, Targets};
use rorqual_source::Span;

pub use block::{Block, Exit, Step, Target};
pub use cells::{Cell, CellId, Cells, Elements, Layout};
pub use concrete::{Ending, Executed, Runner, trace, trace_of_calls};
pub use context::{Context, Point};
pub use ghost::{Heap, ObjectPointer};
pub use passed::may_change;
pub use path::Path;
pub use procedure::{Call, Procedure};
pub use rorqual_memory::Object;
pub use symbols::SymbolKind;
pub use translate::{Obstacle, Taken};

use cells::{Facet, Ledger, Maker};
use context::Contexts;

/// Where blocks end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Blocks {
    /// At every location where control branches or meets, as in the paper on IMPACT.
    Basic,
    /// At the heads of loops only, so that whatever has no loop is one formula (Beyer, Cimatti, Griggio, Keremoglu,
    /// Sebastiani, *Software Model Checking via Large-Block Encoding*, FMCAD 2009).
    #[default]
    Large,
}

/// What becomes of executions with undefined behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Undefined {
    /// They end there: verdicts speak of the others.
    #[default]
    Ends,
    /// They end there, and so do those with an index beyond an array inside of an object. A search misses few violations
    /// that way, and finds none that rests on what such an index hits.
    EndsEarly,
    /// They go on in some way: what a search finds then may show that a proof rests on undefined behaviour.
    GoesOn,
}

/// How much of memory formulas know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Detail {
    /// All that is supported.
    #[default]
    Full,
    /// Whatever is found through addresses in allocated memory, or in objects of which only bytes are known, has any
    /// value whenever it is read. Formulas are much smaller then, and describe more executions.
    HeapFree,
}

/// What formulas say of a program. Programs have one encoding for each setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Setting {
    /// Where blocks end.
    pub blocks: Blocks,
    /// What becomes of executions with undefined behaviour.
    pub undefined: Undefined,
    /// How much of memory formulas know.
    pub detail: Detail,
}

/// What is known of a program before any of it is translated; the same for all settings.
#[derive(Debug)]
pub struct Analysis {
    memory: Memory,
    ghosts: Ghosts,
    effects: Effects,
}

impl Analysis {
    /// Finds out what pointers may point to, and what calls may write.
    pub fn of(program: &Program) -> Analysis {
        let memory = Memory::analyse(program);
        Analysis { ghosts: memory.ghosts(program), effects: Effects::of(program, &memory), memory }
    }
}

/// The formulas of one program, over one pool.
pub struct Encoding<'p> {
    /// The program.
    pub program: &'p Program,
    /// The pool of all its terms.
    pub pool: TermPool,
    pub(crate) cells: Cells,
    pub(crate) analysis: Arc<Analysis>,
    /// What is known of memory besides its content.
    pub(crate) ghosts: Ghosts,
    targets: HashMap<ExprId, Rc<Targets>>,
    contexts: Contexts,
    blocks: HashMap<Point, Rc<Block>>,
    bodies: HashMap<Procedure, Rc<Block>>,
    /// Whether functions are procedures of their own.
    procedures: HashMap<FunctionId, bool>,
    loops: HashMap<FunctionId, Rc<BTreeMap<LocationId, loops::Loop>>>,
    kind: Blocks,
    pub(crate) undefined: Undefined,
    detail: Detail,
    heads: HashMap<FunctionId, Rc<block::Shape>>,
    expired: HashMap<FunctionId, Rc<life::Expired>>,
    addresses: HashMap<Object, u64>,
    next_static: u64,
    symbols: symbols::Symbols,
}

/// How far objects are away from the middle between them and others.
const GAP: u64 = 16;

/// How far objects of which only bytes are known are away from others.
const FAR: u64 = 0x4000;

/// Variables and texts start here; function `k` is at `16 k` from 16 on.
const FIRST_STATIC: u64 = 0x0010_0000;

impl<'p> Encoding<'p> {
    /// The encoding of a program. Nothing is translated before it is asked for.
    pub fn new(program: &'p Program, analysis: Arc<Analysis>, setting: Setting) -> Encoding<'p> {
        // Checks of memory are about nothing else.
        let detail = if analysis.ghosts.are_checked() { Detail::Full } else { setting.detail };
        let ghosts = if detail == Detail::Full { analysis.ghosts.clone() } else { Ghosts::default() };
        Encoding {
            undefined: setting.undefined,
            detail,
            program,
            pool: TermPool::new(),
            cells: Cells::new(program),
            ghosts,
            analysis,
            targets: HashMap::new(),
            contexts: Contexts::new(program),
            blocks: HashMap::new(),
            bodies: HashMap::new(),
            procedures: HashMap::new(),
            loops: HashMap::new(),
            kind: setting.blocks,
            heads: HashMap::new(),
            expired: HashMap::new(),
            addresses: HashMap::new(),
            next_static: FIRST_STATIC,
            symbols: symbols::Symbols::default(),
        }
    }

    /// The encoding of a program whose analysis nobody else needs.
    pub fn of(program: &'p Program, setting: Setting) -> Encoding<'p> {
        Encoding::new(program, Arc::new(Analysis::of(program)), setting)
    }

    /// Where the program starts.
    pub fn start(&self) -> Point {
        let body = self.program.functions[self.program.start].body.as_ref();
        let location = body.map_or_else(|| Id::new(0), rorqual_cfa::Automaton::entry);
        Point { context: Contexts::root(), location }
    }

    /// The cells that were met so far.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The function that is active in a context.
    pub fn function(&self, context: Context) -> FunctionId {
        self.contexts.function(context)
    }

    /// The last call, and the context it was made in.
    pub(crate) fn caller(&self, context: Context) -> Option<(Context, CallSite)> {
        self.contexts.caller(context)
    }

    /// The calls that lead to a context.
    pub fn calls(&self, context: Context) -> CallString {
        self.contexts.call_string(context)
    }

    /// The source text that a point stands for: a loop statement, or what comes next.
    pub fn span(&self, point: Point) -> Span {
        self.program.span_at(self.contexts.function(point.context), point.location)
    }

    /// What the exits of all blocks that were translated store in cells.
    pub fn all_updates(&self) -> Vec<(CellId, Term)> {
        let exits = self.blocks.values().flat_map(|block| &block.exits);
        let mut updates: Vec<(CellId, Term)> = exits.flat_map(|exit| exit.updates.iter().copied()).collect();
        updates.sort_unstable();
        updates.dedup();
        updates
    }

    /// The width of pointers.
    pub fn pointer_width(&self) -> u32 {
        self.program.types.model().pointer_width()
    }

    fn maker(&mut self) -> (&mut Cells, Maker<'_>) {
        (
            &mut self.cells,
            Maker {
                program: self.program,
                memory: &self.analysis.memory,
                pool: &mut self.pool,
                detail: self.detail,
            },
        )
    }

    /// What the value of an expression may point to.
    pub(crate) fn targets(&mut self, expr: ExprId) -> Rc<Targets> {
        let targets = self.targets.entry(expr);
        targets.or_insert_with(|| Rc::new(self.analysis.memory.targets(self.program, expr))).clone()
    }

    pub(crate) fn layout(&mut self, object: Object) -> Rc<Layout> {
        let (cells, mut maker) = self.maker();
        cells.layout(&mut maker, object)
    }

    pub(crate) fn class_layout(&mut self, class: ClassId) -> Rc<Layout> {
        let (cells, mut maker) = self.maker();
        cells.class_layout(&mut maker, class)
    }

    /// All cells of the object, or of the class of objects, that a cell belongs to.
    pub(crate) fn siblings(&mut self, cell: CellId) -> Vec<CellId> {
        let contents = match self.cells.get(cell).object {
            None if self.cells.is_nothing(cell) => Vec::new(),
            Some(object) => self.layout(object).cells(),
            None => self.cells.in_class_of(cell),
        };
        self.with_facets(contents)
    }

    /// Whether checks of the program ask more of memory than what it contains.
    pub fn has_memory_checks(&self) -> bool {
        self.ghosts.are_checked()
    }

    /// Whether the condition of a check is one of those that do.
    pub fn asks_of_memory(&self, condition: ExprId) -> bool {
        self.analysis.memory.asks(self.program, condition)
    }

    /// Whether there is memory of which the heap-free abstraction knows nothing.
    pub fn has_vague_memory(&self) -> bool {
        self.detail == Detail::HeapFree
            && (self.analysis.memory.classes().next().is_some() || self.analysis.memory.has_collapsed())
    }

    /// Whether nothing is known of the content of a cell.
    pub(crate) fn is_vague(&self, cell: CellId) -> bool {
        let details = self.cells.get(cell);
        let is_left_out = match details.object {
            Some(object) => self.analysis.memory.is_collapsed(object),
            None => details.elements == Elements::Scattered,
        };
        self.cells.is_nothing(cell) || (is_left_out && self.detail == Detail::HeapFree)
    }

    /// A cell of a layout, whatever it is.
    pub(crate) fn some_cell(&mut self, layout: &Layout) -> CellId {
        let (cells, mut maker) = self.maker();
        layout.cells().first().copied().unwrap_or_else(|| cells.nothing(&mut maker))
    }

    /// A cell about all allocated memory.
    pub(crate) fn ledger(&mut self, ledger: Ledger) -> CellId {
        let (cells, mut maker) = self.maker();
        cells.ledger(&mut maker, ledger)
    }

    /// The cell with a facet of what a cell contains, if that is kept.
    pub(crate) fn facet(&mut self, cell: CellId, facet: Facet) -> Option<CellId> {
        let is_kept = match facet {
            Facet::Content => true,
            Facet::Base => self.ghosts.has(Ghost::Bases),
            Facet::Written => self.ghosts.has(Ghost::Written),
        };
        let (cells, mut maker) = self.maker();
        if is_kept { cells.facet(&mut maker, cell, facet) } else { None }
    }

    /// The facets that are kept.
    pub(crate) fn facets(&self) -> Vec<Facet> {
        let mut kept = vec![Facet::Content];
        kept.extend(self.ghosts.has(Ghost::Bases).then_some(Facet::Base));
        kept.extend(self.ghosts.has(Ghost::Written).then_some(Facet::Written));
        kept
    }

    /// Cells with all that is known of what they contain.
    pub(crate) fn with_facets(&mut self, contents: Vec<CellId>) -> Vec<CellId> {
        let mut all = contents.clone();
        for cell in contents {
            let others =
                [Facet::Base, Facet::Written].into_iter().filter_map(|facet| self.facet(cell, facet));
            all.extend(others.filter(|&other| other != cell));
        }
        all
    }

    /// Whether the program may allocate memory, even if it is never accessed.
    pub(crate) fn allocates(&self) -> bool {
        let allocates = |function: &Function| {
            let mut edges = function.body.iter().flat_map(|body| body.edges().values());
            rorqual_memory::is_allocator(function)
                || edges.any(|edge| matches!(edge.operation, Operation::StackAllocate { .. }))
        };
        self.analysis.memory.classes().next().is_some() || self.program.functions.values().any(allocates)
    }

    /// Where allocated memory starts.
    pub(crate) fn heap_start(&mut self) -> Term {
        let start = rorqual_memory::heap_start(self.program.types.model());
        let width = self.pointer_width();
        self.pool.bv(start, width)
    }

    /// The width of a cell, or of its elements.
    pub(crate) fn cell_width(&self, cell: CellId) -> u32 {
        match self.pool.sort(self.cells.get(cell).symbol) {
            Sort::BitVec(width) | Sort::Array { element: width, .. } => width,
            Sort::Bool | Sort::Int => 1,
        }
    }

    /// The size of a declared object in bytes.
    pub(crate) fn size(&self, object: Object) -> u64 {
        let types = &self.program.types;
        let size = match object {
            Object::Variable(variable) => {
                let variable = &self.program.variables[variable];
                variable.size.or_else(|| types.size_of(variable.ty))
            }
            Object::Text(text) => Some(self.program.strings[text].bytes.len() as u64),
            Object::Stack(..)
            | Object::Heap(..)
            | Object::Given(_)
            | Object::Function(_)
            | Object::Result(_) => None,
        };
        size.unwrap_or(1).max(1)
    }

    /// The address of an object, as a constant.
    pub(crate) fn address(&mut self, object: Object) -> Term {
        let width = self.pointer_width();
        let address = match self.addresses.get(&object) {
            Some(&address) => address,
            None => {
                let address = self.new_address(object);
                self.addresses.insert(object, address);
                address
            }
        };
        self.pool.bv(address, width)
    }

    fn new_address(&mut self, object: Object) -> u64 {
        match object {
            Object::Function(function) => 16 * (function.index() as u64 + 1),
            _ => {
                // A gap keeps the end of one object from being the start of the next, and those of which only bytes are
                // known from being near any other.
                let gap = if self.analysis.memory.is_collapsed(object) { FAR } else { GAP };
                let align = match object {
                    Object::Variable(variable) => self.program.variables[variable].align.max(16),
                    _ => 16,
                };
                let address = (self.next_static + gap).next_multiple_of(align);
                self.next_static = address + self.size(object) + gap;
                address
            }
        }
    }

    /// The object that an address is in, or nearer to than to any other, and the offset there.
    pub(crate) fn object_near(&self, address: u64) -> Option<(Object, i128)> {
        let near = |(&object, &start): (&Object, &u64)| {
            let offset = i128::from(address) - i128::from(start);
            let around = -i128::from(GAP)..i128::from(self.size(object) + GAP);
            around.contains(&offset).then_some((object, offset))
        };
        self.addresses.iter().filter_map(near).min()
    }

    /// Whether an object exists while control is in a context, so far as frames tell.
    pub(crate) fn is_alive(&self, context: Context, object: Object) -> bool {
        match object {
            Object::Variable(variable) => {
                let variable = &self.program.variables[variable];
                match variable.function {
                    Some(function) if !variable.kind.is_global() => {
                        let base = self.contexts.any_caller_of(context);
                        self.contexts.is_active(context, function)
                            || base.is_some_and(|base| self.may_have_called(function, base))
                    }
                    _ => true,
                }
            }
            Object::Text(_) | Object::Heap(..) | Object::Stack(..) | Object::Given(_) => true,
            Object::Function(_) | Object::Result(_) => false,
        }
    }

    /// Whether anything can still read a cell once control is at a point.
    pub fn is_live(&self, cell: CellId, point: Point) -> bool {
        match self.cells.get(cell).object {
            // A result is read when the function returns, which comes after its exit.
            Some(Object::Result(owner)) => self.contexts.function(point.context) == owner,
            object => object.is_none_or(|object| self.is_alive(point.context, object)),
        }
    }

    /// Whether a cell belongs to a function's own variables.
    pub(crate) fn is_local_to(&self, cell: CellId, function: FunctionId) -> bool {
        match self.cells.get(cell).object {
            Some(Object::Variable(variable)) => {
                let variable = &self.program.variables[variable];
                variable.function == Some(function) && !variable.kind.is_global()
            }
            Some(Object::Result(owner)) => owner == function,
            _ => false,
        }
    }
}
