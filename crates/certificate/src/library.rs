//! What functions without a body may do besides returning a value. The names are those that the
//! interpreter knows; any other function without body returns any value and writes nothing
//! (`docs/soundness.md`).

/// What a call may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It returns any value of its type, and writes nothing.
    Value,
    /// It may write every object that a pointer can point to, and may return a pointer to memory that
    /// belongs to no variable.
    Memory,
    /// The program ends.
    Ends,
    /// It cannot be described.
    Unsupported,
}

/// Whether a function only writes to a stream what its format says, and the position of the format.
pub(crate) fn printed_format(name: &str) -> Option<usize> {
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "printf" => Some(0),
        "fprintf" => Some(1),
        _ => None,
    }
}

/// Whether a format stores nothing: it has no `%n`.
pub(crate) fn stores_nothing(format: &[u8]) -> bool {
    let directives = format.split(|&byte| byte == b'%').skip(1);
    directives.into_iter().all(|directive| {
        let conversion = directive.iter().find(|byte| !b"0123456789.$#+- *'hlqjzt".contains(byte));
        conversion != Some(&b'n')
    })
}

impl Effect {
    /// The effect of the function with a name.
    pub(crate) fn of(name: &str) -> Effect {
        let prefixes = ["__builtin_", "__isoc23_", "__isoc99_"];
        let name = prefixes.into_iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        if VALUES.contains(&name) {
            Effect::Value
        } else if ENDINGS.contains(&name) {
            Effect::Ends
        } else if MEMORY.contains(&name) {
            Effect::Memory
        } else if UNSUPPORTED.contains(&name) {
            Effect::Unsupported
        } else {
            Effect::Value
        }
    }
}

/// Functions of the library that write nothing, and whose results point to nothing new. Functions of the
/// library that are in no list, such as those on floating-point numbers, are the same.
const VALUES: &[&str] = &[
    "memcmp",
    "bcmp",
    "memchr",
    "memrchr",
    "rawmemchr",
    "puts",
    "fputs",
    "fputs_unlocked",
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
    "ungetc",
    "feof",
    "ferror",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strlen",
    "strnlen",
    "strcmp",
    "strcoll",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "index",
    "strrchr",
    "rindex",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "free",
    "cfree",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "rand",
    "random",
    "srand",
    "srandom",
    "clock",
    "putchar",
    "putchar_unlocked",
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
];

/// Functions after which nothing comes.
const ENDINGS: &[&str] = &["exit", "_exit", "_Exit", "quick_exit", "abort", "trap", "unreachable"];

/// Functions that read or write memory. Some of them only read; that they might write costs precision.
const MEMORY: &[&str] = &[
    "memcpy",
    "mempcpy",
    "memmove",
    "memset",
    "bcopy",
    "bzero",
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "sprintf",
    "vsprintf",
    "snprintf",
    "vsnprintf",
    "setvbuf",
    "setbuf",
    "fgets",
    "clearerr",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoimax",
    "strtoull",
    "strtoumax",
    "strtod",
    "strtof",
    "strtold",
    "time",
    "__errno_location",
    "getenv",
    "secure_getenv",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strtok",
    "strdup",
    "strndup",
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "alloca",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "frexp",
    "frexpf",
    "modf",
    "modff",
];

/// Functions that do what no formula here can say: they call back, jump, start threads, or fill memory
/// in ways that the interpreter does not model either.
const UNSUPPORTED: &[&str] = &[
    "qsort",
    "bsearch",
    "scanf",
    "fscanf",
    "sscanf",
    "vscanf",
    "vfscanf",
    "vsscanf",
    "fread",
    "gets",
    "getline",
    "getdelim",
    "read",
    "recv",
    "pread",
    "fgetws",
    "readlink",
    "getcwd",
    "realpath",
    "fopen",
    "freopen",
    "fdopen",
    "fclose",
    "tmpfile",
    "popen",
    "pclose",
    "opendir",
    "readdir",
    "stat",
    "fstat",
    "lstat",
    "mmap",
    "asprintf",
    "vasprintf",
    "dprintf",
    "write",
    "pipe",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "atexit",
    "at_quick_exit",
    "signal",
    "sigaction",
    "raise",
    "kill",
    "fork",
    "vfork",
    "execv",
    "execve",
    "execvp",
    "system",
    "getcontext",
    "setcontext",
    "makecontext",
    "swapcontext",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutex_init",
    "pthread_cond_wait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_exit",
    "thrd_create",
    "thrd_join",
    "strtok_r",
    "strerror",
    "localtime",
    "gmtime",
    "localtime_r",
    "gmtime_r",
    "asctime",
    "ctime",
    "strftime",
    "mktime",
    "gettimeofday",
    "clock_gettime",
    "qsort_r",
    "memccpy",
    "swab",
    "strsep",
    "strfry",
    "rand_r",
    "drand48",
    "lrand48",
    "mbstowcs",
    "wcstombs",
    "mbtowc",
    "wctomb",
    "wcscpy",
    "wcslen",
    "wprintf",
    "setlocale",
    "localeconv",
    "remquo",
    "lgamma",
    "tgamma",
    "div",
    "ldiv",
    "lldiv",
    "strxfrm",
    "memfrob",
    "open_memstream",
    "fmemopen",
];
