//! The typed program: what the C files say after preprocessing, parsing, type checking and
//! linking, in our own terms.
//!
//! Every implicit conversion is a node, names are resolved, initialisers are flat lists of
//! values with their offsets, typedefs and qualifiers are gone. Side effects and control flow
//! are still where the programmer wrote them; [`lower`](crate::lower) takes them apart.

mod print;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    Arena, BinaryOp, BitRange, Function as CfaFunction, FunctionId, Id, LabelId, OverflowOp, StringId,
    StringLiteral, TypeId, TypeTable, UnaryOp, Variable, VariableId,
};
use rorqual_source::{Diagnostic, SourceMap, Span};

pub use print::print;

/// An expression of the typed program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// A statement of the typed program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StmtId(u32);

impl Id for ExprId {
    fn new(index: usize) -> ExprId {
        ExprId(u32::try_from(index).expect("a program has fewer than four billion expressions"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Id for StmtId {
    fn new(index: usize) -> StmtId {
        StmtId(u32::try_from(index).expect("a program has fewer than four billion statements"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A whole program, linked from all its files.
#[derive(Debug)]
pub struct Program {
    /// The files that were read.
    pub sources: SourceMap,
    /// All types.
    pub types: TypeTable,
    /// All string literals.
    pub strings: Arena<StringId, StringLiteral>,
    /// All variables.
    pub variables: Arena<VariableId, Variable>,
    /// The initialisers of variables with static storage, in the order of the program.
    pub static_initializers: Vec<(VariableId, Initializer)>,
    /// The second names of functions and variables, until they are resolved.
    pub(crate) aliases: Vec<crate::link::Alias>,
    /// Variables that need not be defined anywhere.
    pub(crate) weak_variables: BTreeSet<VariableId>,
    /// The names in assembly outside of functions, which may define them.
    pub(crate) assembly_symbols: BTreeSet<String>,
    /// What is not supported about the start of the program, and where it stands.
    pub start_obstacles: Vec<(String, Span)>,
    /// The variables that hold the length of a variable-length array.
    pub array_lengths: BTreeSet<VariableId>,
    /// Variables whose accesses are not supported, and what they are.
    pub refused: BTreeMap<VariableId, String>,
    /// All functions. The `body` inside of [`FunctionDefinition::function`] is filled in by lowering.
    pub functions: Arena<FunctionId, FunctionDefinition>,
    /// All expressions.
    pub exprs: Arena<ExprId, Expr>,
    /// All statements.
    pub stmts: Arena<StmtId, Stmt>,
    /// What is worth telling the user although the program can be read.
    pub warnings: Vec<Diagnostic>,
}

/// A function and its statements.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// Name, type, parameters and labels.
    pub function: CfaFunction,
    /// The body, if the function is defined.
    pub body: Option<StmtId>,
    /// The priority of a function that runs before `main` (`__attribute__((constructor))`).
    pub constructor: Option<u32>,
    /// The priority of a function that runs when the program ends (`__attribute__((destructor))`).
    pub destructor: Option<u32>,
    /// Whether it need not be defined anywhere: its address is then null.
    pub weak: bool,
    /// All its labels, also those whose address is not taken.
    pub label_names: Vec<String>,
    /// The labels whose address is taken, with their number in `function.labels`.
    pub taken_labels: Vec<(Label, LabelId)>,
}

/// A label, as an index into the labels of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

/// An expression with its type and place.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Its source text.
    pub span: Span,
    /// Whether evaluating it may change the value of something else.
    pub has_effects: bool,
}

/// What an expression is. The kinds in the first group name places (lvalues).
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A variable.
    Variable(VariableId),
    /// A string literal.
    Text(StringId),
    /// What a pointer points to.
    Deref(ExprId),
    /// A member of a record place, or of a record value such as the result of a call.
    Member {
        /// The record.
        base: ExprId,
        /// The position of the member.
        field: u32,
    },
    /// An element of an array place.
    Index {
        /// The array.
        base: ExprId,
        /// The index, of the type of a difference of pointers.
        index: ExprId,
    },
    /// `(T){ … }`: an unnamed object that is initialised here.
    CompoundLiteral {
        /// The object.
        variable: VariableId,
        /// Its initialiser; absent at file scope, where it is a static initialiser.
        initializer: Option<Initializer>,
    },

    /// A constant of integer or pointer type.
    Int(i128),
    /// A constant of floating-point type, as bits.
    Float(u128),
    /// Reads a place.
    Load(ExprId),
    /// The address of a place; also how an array decays.
    AddressOf(ExprId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `&&label` of the given function.
    LabelAddress(FunctionId, Label),
    /// A conversion to the type of this expression.
    Convert(ExprId),
    /// An operator without side effects on one operand.
    Unary(UnaryOp, ExprId),
    /// An operator without side effects on two operands of one type (or a shift).
    Binary(BinaryOp, ExprId, ExprId),
    /// `pointer + index * stride` bytes.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// The index, of the type of a difference of pointers.
        index: ExprId,
        /// The size of what it points to.
        stride: Stride,
    },
    /// `(lhs - rhs) / stride`.
    PointerSub {
        /// The pointer to subtract from.
        lhs: ExprId,
        /// The pointer that is subtracted.
        rhs: ExprId,
        /// The size of what they point to.
        stride: Stride,
    },
    /// `&&`
    And(ExprId, ExprId),
    /// `||`
    Or(ExprId, ExprId),
    /// `condition ? then : otherwise`; without `then`, the value of the condition itself,
    /// converted to the type of this expression and evaluated once.
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The value if it holds.
        then: Option<ExprId>,
        /// The value if it does not.
        otherwise: ExprId,
    },
    /// `lhs, rhs`
    Comma(ExprId, ExprId),
    /// `target = value`
    Assign {
        /// The place.
        target: ExprId,
        /// The value, of the type of the place.
        value: ExprId,
    },
    /// `target op= value`
    CompoundAssign {
        /// The operator.
        op: CompoundOp,
        /// The place.
        target: ExprId,
        /// The right operand, of the computation type (or a shift count or pointer offset).
        value: ExprId,
        /// The type in which the operation is done.
        computation: TypeId,
        /// Whether the expression has the value from before the assignment, as `x++` has.
        yields_old_value: bool,
    },
    /// A call.
    Call {
        /// The function: a [`ExprKind::FunctionAddress`] or any pointer.
        callee: ExprId,
        /// The arguments, converted to the types of the parameters.
        arguments: Vec<ExprId>,
    },
    /// `({ … })`: runs the statement, whose last expression statement is kept apart as value.
    Statement {
        /// The block without its last statement.
        block: StmtId,
        /// The value.
        value: Option<ExprId>,
    },
    /// A built-in that is more than a function.
    Builtin(Builtin),
    /// Something that cannot be represented; the text names it.
    Unsupported(String),
}

/// How far one element is from the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// A constant number of bytes.
    Bytes(u64),
    /// A number of bytes that is computed, because the element is a variable-length array.
    Computed(ExprId),
}

/// The operator of a compound assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompoundOp {
    /// An arithmetic operator.
    Arithmetic(BinaryOp),
    /// `pointer += index`; the value is negated already for `-=`.
    Pointer(Stride),
}

/// Built-ins that are more than a function.
#[derive(Debug, Clone)]
pub enum Builtin {
    /// `__builtin_{add,sub,mul}_overflow` and relatives. With a `store`, the wrapped result goes
    /// there.
    Overflow {
        /// The operation.
        op: OverflowOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
        /// The type that the result should fit into.
        result: TypeId,
        /// A pointer to where the wrapped result goes.
        store: Option<ExprId>,
    },
    /// `alloca`: fresh bytes on the stack.
    StackAllocate(ExprId),
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_trap()`
    Trap,
    /// `va_start`, given the address of the list.
    VaStart(ExprId),
    /// `va_arg` of the type of the expression.
    VaArg(ExprId),
    /// `va_copy(target, source)`
    VaCopy(ExprId, ExprId),
    /// `va_end`
    VaEnd(ExprId),
}

/// A flat initialiser: the object starts as zero, then the entries are stored in order.
#[derive(Debug, Clone, Default)]
pub struct Initializer {
    /// The values.
    pub entries: Vec<InitialValue>,
}

/// One value of an initialiser.
#[derive(Debug, Clone)]
pub struct InitialValue {
    /// The byte of the object it starts in.
    pub offset: u64,
    /// The bits from there on, for a bit-field.
    pub bits: Option<BitRange>,
    /// The value, of the type of what is there.
    pub value: ExprId,
}

/// A statement with its place.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its source text.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression evaluated for its effects.
    Expr(ExprId),
    /// `{ … }`, which is a scope.
    Block(Vec<StmtId>),
    /// Several declarations in a row, which belong to the scope around them.
    Sequence(Vec<StmtId>),
    /// The declaration of a variable of the block.
    Declare {
        /// The variable.
        variable: VariableId,
        /// Its initial value.
        initializer: Option<Initializer>,
    },
    /// The declaration of a variable-length array: the variable holds the address of `size` bytes.
    DeclareArray {
        /// The hidden variable with the address.
        variable: VariableId,
        /// The size in bytes.
        size: ExprId,
    },
    /// `if`
    If {
        /// The condition.
        condition: ExprId,
        /// The statement if it holds.
        then: StmtId,
        /// The statement if it does not.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`
    For {
        /// The first clause.
        init: Option<StmtId>,
        /// The condition.
        condition: Option<ExprId>,
        /// The last clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`
    Switch {
        /// The value that selects a case.
        value: ExprId,
        /// The body, in which the cases stand.
        body: StmtId,
        /// The cases: inclusive bounds, and the number of the case.
        cases: Vec<Case>,
        /// Whether the body has a `default`.
        has_default: bool,
    },
    /// `case …:`, by its number in the innermost `switch`.
    Case(u32, StmtId),
    /// `default:`
    Default(StmtId),
    /// `label:`
    Label(Label, StmtId),
    /// `goto`
    Goto(Label),
    /// `goto *…`
    ComputedGoto(ExprId),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<ExprId>),
    /// Inline assembly.
    Assembly {
        /// The text.
        template: String,
        /// The places it writes.
        outputs: Vec<ExprId>,
        /// The values it reads.
        inputs: Vec<ExprId>,
        /// Whether it may write other memory.
        clobbers_memory: bool,
    },
    /// Something that cannot be represented; the text names it.
    Unsupported(String),
}

/// A case of a `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The smallest value, of the type of the selector.
    pub low: i128,
    /// The largest value.
    pub high: i128,
}

impl Program {
    /// An empty program.
    pub(crate) fn new(types: TypeTable) -> Program {
        Program {
            sources: SourceMap::default(),
            types,
            strings: Arena::default(),
            variables: Arena::default(),
            static_initializers: Vec::new(),
            aliases: Vec::new(),
            weak_variables: BTreeSet::new(),
            assembly_symbols: BTreeSet::new(),
            start_obstacles: Vec::new(),
            array_lengths: BTreeSet::new(),
            refused: BTreeMap::new(),
            functions: Arena::default(),
            exprs: Arena::default(),
            stmts: Arena::default(),
            warnings: Vec::new(),
        }
    }

    /// Whether the expression names a place.
    pub(crate) fn is_place(&self, id: ExprId) -> bool {
        matches!(
            self.exprs[id].kind,
            ExprKind::Variable(_)
                | ExprKind::Text(_)
                | ExprKind::Deref(_)
                | ExprKind::Index { .. }
                | ExprKind::CompoundLiteral { .. }
        ) || matches!(self.exprs[id].kind, ExprKind::Member { base, .. } if self.is_place(base))
    }
}
