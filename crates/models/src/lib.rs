//! Functions of the C library and of the Linux kernel, written in C, for everything that reasons about programs without
//! running them: they are linked to a program that calls them and does not define them. The interpreter has versions of
//! its own of most of those in the C library, which tests compare with these; the others are linked for it too.
//!
//! The models promise what the standard promises, in the C locale. They set `errno` where the standard says so; what
//! they call may set it too. None of their conversions and unsigned operations changes a value, so that checks find only what the caller did wrong.
//!
//! ```
//! let model = rorqual_models::find("strlen").expect("there is a model");
//! assert!(model.text.contains("size_t strlen(const char *s)"));
//! ```

pub mod library;
pub mod printing;

/// A function of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: &'static str,
    /// The header that declares it; none if compilers know it by themselves.
    pub header: Option<&'static str>,
    /// A C file that defines it. Everything else in it is static.
    pub text: &'static str,
    /// Who else knows what it does.
    pub known_to: KnownTo,
}

/// Who knows what a function does, beside its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownTo {
    /// Nobody: the model is always linked.
    Nobody,
    /// The interpreter: the model is for those who reason about programs.
    Interpreter,
}

impl Model {
    /// Its declaration, as the definition has it. Only those that no header declares need one.
    pub fn declaration(&self) -> String {
        let named = format!("{}(", self.name);
        let line = self.text.lines().find(|line| line.contains(&named)).unwrap_or_default();
        line.replace(" {", ";")
    }
}

macro_rules! model {
    ($name:literal, $header:literal, $known_to:ident) => {
        Model {
            name: $name,
            header: Some($header),
            text: include_str!(concat!("../c/", $name, ".c")),
            known_to: KnownTo::$known_to,
        }
    };
}

macro_rules! builtin {
    ($name:literal) => {
        Model {
            name: $name,
            header: None,
            text: include_str!(concat!("../c/", $name, ".c")),
            known_to: KnownTo::Nobody,
        }
    };
}

/// All models, sorted by name.
pub const MODELS: &[Model] = &[
    builtin!("__builtin_addc"),
    builtin!("__builtin_addcb"),
    builtin!("__builtin_addcl"),
    builtin!("__builtin_addcll"),
    builtin!("__builtin_addcs"),
    builtin!("__builtin_bitreverse16"),
    builtin!("__builtin_bitreverse32"),
    builtin!("__builtin_bitreverse64"),
    builtin!("__builtin_bitreverse8"),
    builtin!("__builtin_bswap128"),
    builtin!("__builtin_rotateleft16"),
    builtin!("__builtin_rotateleft32"),
    builtin!("__builtin_rotateleft64"),
    builtin!("__builtin_rotateleft8"),
    builtin!("__builtin_rotateright16"),
    builtin!("__builtin_rotateright32"),
    builtin!("__builtin_rotateright64"),
    builtin!("__builtin_rotateright8"),
    builtin!("__builtin_subc"),
    builtin!("__builtin_subcb"),
    builtin!("__builtin_subcl"),
    builtin!("__builtin_subcll"),
    builtin!("__builtin_subcs"),
    model!("__ctype_b_loc", "ctype.h", Interpreter),
    model!("__ctype_tolower_loc", "ctype.h", Interpreter),
    model!("__ctype_toupper_loc", "ctype.h", Interpreter),
    model!("__errno_location", "errno.h", Interpreter),
    model!("__kmalloc", "linux/slab.h", Nobody),
    model!("abs", "stdlib.h", Interpreter),
    model!("atoi", "stdlib.h", Interpreter),
    model!("atol", "stdlib.h", Interpreter),
    model!("atoll", "stdlib.h", Interpreter),
    model!("bsearch", "stdlib.h", Interpreter),
    model!("div", "stdlib.h", Interpreter),
    model!("ffs", "strings.h", Nobody),
    model!("ffsl", "string.h", Nobody),
    model!("ffsll", "string.h", Nobody),
    model!("htonl", "arpa/inet.h", Nobody),
    model!("htons", "arpa/inet.h", Nobody),
    model!("imaxabs", "inttypes.h", Interpreter),
    model!("isalnum", "ctype.h", Interpreter),
    model!("isalpha", "ctype.h", Interpreter),
    model!("isascii", "ctype.h", Interpreter),
    model!("isblank", "ctype.h", Interpreter),
    model!("iscntrl", "ctype.h", Interpreter),
    model!("isdigit", "ctype.h", Interpreter),
    model!("isgraph", "ctype.h", Interpreter),
    model!("islower", "ctype.h", Interpreter),
    model!("isprint", "ctype.h", Interpreter),
    model!("ispunct", "ctype.h", Interpreter),
    model!("isspace", "ctype.h", Interpreter),
    model!("isupper", "ctype.h", Interpreter),
    model!("isxdigit", "ctype.h", Interpreter),
    model!("kcalloc", "linux/slab.h", Nobody),
    model!("kfree", "linux/slab.h", Nobody),
    model!("kmalloc", "linux/slab.h", Nobody),
    model!("kzalloc", "linux/slab.h", Nobody),
    model!("labs", "stdlib.h", Interpreter),
    model!("ldiv", "stdlib.h", Interpreter),
    model!("llabs", "stdlib.h", Interpreter),
    model!("lldiv", "stdlib.h", Interpreter),
    model!("memccpy", "string.h", Nobody),
    model!("memchr", "string.h", Interpreter),
    model!("memcmp", "string.h", Interpreter),
    model!("memmem", "string.h", Nobody),
    model!("memrchr", "string.h", Nobody),
    model!("ntohl", "arpa/inet.h", Nobody),
    model!("ntohs", "arpa/inet.h", Nobody),
    model!("qsort", "stdlib.h", Interpreter),
    model!("rawmemchr", "string.h", Nobody),
    model!("stpcpy", "string.h", Interpreter),
    model!("stpncpy", "string.h", Nobody),
    model!("strcasecmp", "strings.h", Interpreter),
    model!("strcasestr", "string.h", Nobody),
    model!("strcat", "string.h", Interpreter),
    model!("strchr", "string.h", Interpreter),
    model!("strchrnul", "string.h", Nobody),
    model!("strcmp", "string.h", Interpreter),
    model!("strcpy", "string.h", Interpreter),
    model!("strcspn", "string.h", Interpreter),
    model!("strdup", "string.h", Interpreter),
    model!("strlcat", "string.h", Nobody),
    model!("strlcpy", "string.h", Nobody),
    model!("strlen", "string.h", Interpreter),
    model!("strncasecmp", "strings.h", Interpreter),
    model!("strncat", "string.h", Interpreter),
    model!("strncmp", "string.h", Interpreter),
    model!("strncpy", "string.h", Interpreter),
    model!("strndup", "string.h", Interpreter),
    model!("strnlen", "string.h", Interpreter),
    model!("strpbrk", "string.h", Interpreter),
    model!("strrchr", "string.h", Interpreter),
    model!("strsep", "string.h", Nobody),
    model!("strspn", "string.h", Interpreter),
    model!("strstr", "string.h", Interpreter),
    model!("strtoimax", "inttypes.h", Interpreter),
    model!("strtok", "string.h", Interpreter),
    model!("strtok_r", "string.h", Nobody),
    model!("strtol", "stdlib.h", Interpreter),
    model!("strtoll", "stdlib.h", Interpreter),
    model!("strtoul", "stdlib.h", Interpreter),
    model!("strtoull", "stdlib.h", Interpreter),
    model!("strtoumax", "inttypes.h", Interpreter),
    model!("swab", "unistd.h", Nobody),
    model!("toascii", "ctype.h", Interpreter),
    model!("tolower", "ctype.h", Interpreter),
    model!("toupper", "ctype.h", Interpreter),
];

/// The model of a function. Compilers' own names for library functions count as these.
pub fn find(name: &str) -> Option<&'static Model> {
    let name = library::canonical(name);
    MODELS.binary_search_by_key(&name, |model| model.name).ok().map(|at| &MODELS[at])
}

/// The models of functions that no header declares.
pub fn builtins() -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(|model| model.header.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_declared() {
        let rotate = find("__builtin_rotateleft8").expect("there is a model");
        let declared = "unsigned char __builtin_rotateleft8(unsigned char value, unsigned char count);";
        assert_eq!(rotate.declaration(), declared);
        assert!(builtins().all(|model| model.declaration().ends_with(");")));
    }

    #[test]
    fn models_are_sorted_and_define_what_they_name() {
        assert!(MODELS.is_sorted_by_key(|model| model.name));
        for model in MODELS {
            assert_eq!(find(model.name), Some(model));
            assert!(model.text.contains(&format!("{}(", model.name)), "{}", model.name);
        }
        assert_eq!(find("__builtin_strlen"), find("strlen"));
        assert_eq!(find("rotateleft8"), None, "only compilers know such names");
        assert_eq!(find("frobnicate"), None);
    }
}
