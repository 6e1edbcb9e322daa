//! What calls of functions without body may do, for those who describe a program without running it.

use rorqual_cfa::{Callee, ExprId, ExprKind, Function, FunctionId, Operation, PlaceKind, Program, StringId};

use super::{bare_name, find, unmodelled};

/// What a call of a function without body may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The function is not of the library: it returns an input, and writes nothing.
    Input,
    /// The library computes its result, and it writes no memory of the program.
    Value,
    /// It may write memory of the program, or return a pointer to new memory.
    Memory,
    /// The program ends.
    Ends,
    /// It does what is not modelled: it calls back, jumps, starts threads, or fills memory from outside.
    Unmodelled,
}

/// What a call may do.
pub fn call_effect(program: &Program, function: &Function, arguments: &[ExprId]) -> Effect {
    let name = bare_name(function);
    if find(function).is_none() {
        Effect::Input
    } else if unmodelled::find(name).is_some() || CALLING_BACK.contains(&name) {
        Effect::Unmodelled
    } else if ENDINGS.contains(&name) {
        Effect::Ends
    } else if VALUES.contains(&name) || prints_only(program, function, arguments) {
        Effect::Value
    } else {
        Effect::Memory
    }
}

/// Whether some call of the program may ask for heap memory.
pub fn may_allocate(program: &Program) -> bool {
    let may = |function: FunctionId| {
        let function = &program.functions[function];
        let effect = call_effect(program, function, &[]);
        function.body.is_none() && matches!(effect, Effect::Memory | Effect::Unmodelled)
    };
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let mut operations = bodies.flat_map(|body| body.edges().values()).map(|edge| &edge.operation);
    let is_called = |operation: &Operation| match operation {
        Operation::Call { callee: Callee::Function(function), .. } => may(*function),
        _ => false,
    };
    let is_addressed = |kind: &ExprKind| match kind {
        ExprKind::FunctionAddress(function) => may(*function),
        _ => false,
    };
    operations.any(is_called) || program.exprs.values().any(|expr| is_addressed(&expr.kind))
}

/// Whether a call only prints: its format is a string literal without `%n`.
fn prints_only(program: &Program, function: &Function, arguments: &[ExprId]) -> bool {
    let format = printed_format(function).and_then(|position| arguments.get(position));
    let text = format.and_then(|&format| text_of(program, format));
    text.is_some_and(|text| stores_nothing(&program.strings[text].bytes))
}

/// The argument that points to all that a call of a library function writes, if there is one.
pub fn written_argument(program: &Program, function: &Function, arguments: &[ExprId]) -> Option<ExprId> {
    let name = bare_name(function);
    let format = match name {
        "sprintf" => Some(1),
        "snprintf" => Some(2),
        _ => None,
    };
    let is_harmless = |&format: &ExprId| {
        text_of(program, format).is_some_and(|text| stores_nothing(&program.strings[text].bytes))
    };
    let writes_first = match format {
        Some(position) => arguments.get(position).is_some_and(is_harmless),
        None => WRITING_FIRST.contains(&name),
    };
    arguments.first().copied().filter(|_| writes_first)
}

/// Functions that write nothing but what their first argument points to.
const WRITING_FIRST: &[&str] =
    &["memset", "memcpy", "memmove", "bzero", "strcpy", "strncpy", "strcat", "strncat", "fgets"];

/// Which argument of a function is the format of what it prints.
pub fn printed_format(function: &Function) -> Option<usize> {
    match bare_name(function) {
        "printf" => Some(0),
        "fprintf" => Some(1),
        _ => None,
    }
}

/// Whether a format stores nothing: it has no `%n`.
pub fn stores_nothing(format: &[u8]) -> bool {
    let directives = format.split(|&byte| byte == b'%').skip(1);
    directives.into_iter().all(|directive| {
        let conversion = directive.iter().find(|byte| !b"0123456789.$#+- *'hlqjzt".contains(byte));
        conversion != Some(&b'n')
    })
}

/// The string literal that an expression is the address of.
fn text_of(program: &Program, expr: ExprId) -> Option<StringId> {
    match program.exprs[expr].kind {
        ExprKind::Convert(inner) => text_of(program, inner),
        ExprKind::AddressOf(place) => match program.places[place].kind {
            PlaceKind::Text(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

const CALLING_BACK: &[&str] = &["qsort", "bsearch"];

const ENDINGS: &[&str] = &["exit", "_exit", "_Exit", "quick_exit", "abort", "trap", "unreachable"];

/// Functions that write nothing and whose results point to nothing new. What is not here is taken to write.
const VALUES: &[&str] = &[
    "puts",
    "fputs",
    "fputs_unlocked",
    "putchar",
    "putchar_unlocked",
    "putc",
    "fputc",
    "_IO_putc",
    "putc_unlocked",
    "fputc_unlocked",
    "fwrite",
    "fflush",
    "perror",
    "getchar",
    "getchar_unlocked",
    "getc",
    "fgetc",
    "_IO_getc",
    "getc_unlocked",
    "isupper",
    "islower",
    "isalpha",
    "isdigit",
    "isxdigit",
    "isspace",
    "isprint",
    "isgraph",
    "isblank",
    "iscntrl",
    "ispunct",
    "isalnum",
    "isascii",
    "toascii",
    "tolower",
    "toupper",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "rand",
    "random",
    "srand",
    "srandom",
    "clock",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "bcmp",
    "strspn",
    "strcspn",
    "sqrt",
    "sqrtf",
    "sin",
    "sinf",
    "cos",
    "cosf",
    "tan",
    "tanf",
    "asin",
    "asinf",
    "acos",
    "acosf",
    "atan",
    "atanf",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "expf",
    "exp2",
    "log",
    "logf",
    "log2",
    "log2f",
    "log10",
    "log10f",
    "log1p",
    "expm1",
    "cbrt",
    "floor",
    "floorf",
    "floorl",
    "ceil",
    "ceilf",
    "ceill",
    "trunc",
    "truncf",
    "truncl",
    "round",
    "roundf",
    "roundl",
    "rint",
    "rintf",
    "nearbyint",
    "nearbyintf",
    "nearbyintl",
    "fabs",
    "fabsf",
    "fabsl",
    "fmod",
    "fmodf",
    "pow",
    "powf",
    "atan2",
    "atan2f",
    "hypot",
    "fdim",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "copysign",
    "copysignf",
    "isnan",
    "isinf",
    "__isnan",
    "__isnanf",
    "__isinf",
    "__isinff",
    "__finite",
    "__finitef",
    "__signbit",
    "__signbitf",
    "__fpclassify",
    "__fpclassifyf",
    "fma",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "memchr",
    "memrchr",
    "rawmemchr",
    "ungetc",
    "feof",
    "ferror",
    "strchr",
    "index",
    "strrchr",
    "rindex",
    "strstr",
    "strpbrk",
];
