//! Functions without body: what a call of one does to the state.

use rorqual_cfa::Function;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It returns an input and changes nothing.
    Input,
    /// It changes nothing, and the interpreter computes its result, which is not modelled here.
    Result,
    /// It does more.
    Unsupported,
}

/// Library functions that change no memory of the program.
const WITHOUT_EFFECT: &[&str] = &[
    "printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "fputs_unlocked", "putchar",
    "putchar_unlocked", "putc", "fputc", "_IO_putc", "putc_unlocked", "fputc_unlocked", "fwrite", "fflush",
    "setvbuf", "setbuf", "perror", "getchar", "getchar_unlocked", "getc", "fgetc", "_IO_getc", "getc_unlocked",
    "isupper", "islower", "isalpha", "isdigit", "isxdigit", "isspace", "isprint", "isgraph", "isblank",
    "iscntrl", "ispunct", "isalnum", "isascii", "toascii", "tolower", "toupper", "abs", "labs", "llabs",
    "imaxabs", "atoi", "atol", "atoll", "atof", "rand", "random", "srand", "srandom", "clock", "strlen",
    "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "memcmp", "bcmp", "strspn",
    "strcspn", "sqrt", "sqrtf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "asin", "asinf", "acos", "acosf",
    "atan", "atanf", "sinh", "cosh", "tanh", "exp", "expf", "exp2", "log", "logf", "log2", "log2f", "log10",
    "log10f", "log1p", "expm1", "cbrt", "floor", "floorf", "floorl", "ceil", "ceilf", "ceill", "trunc",
    "truncf", "truncl", "round", "roundf", "roundl", "rint", "rintf", "nearbyint", "nearbyintf", "nearbyintl",
    "fabs", "fabsf", "fabsl", "fmod", "fmodf", "pow", "powf", "atan2", "atan2f", "hypot", "fdim", "fmin",
    "fminf", "fmax", "fmaxf", "copysign", "copysignf", "isnan", "isinf", "__isnan", "__isnanf", "__isinf",
    "__isinff", "__finite", "__finitef", "__signbit", "__signbitf", "__fpclassify", "__fpclassifyf", "fma",
    "lrint", "llrint", "lround", "llround",
];

/// What a call of a function without body does.
pub(crate) fn effect(function: &Function) -> Effect {
    let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
    if WITHOUT_EFFECT.contains(&name) {
        Effect::Result
    } else if rorqual_interpreter::is_library_function(function) {
        Effect::Unsupported
    } else {
        Effect::Input
    }
}
