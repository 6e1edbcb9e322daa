//! Functions of the C library and of the Linux kernel, written in C, for everything that reasons about programs without
//! running them: they are linked to a program that calls them and does not define them. The interpreter has versions of
//! its own of those in the C library, which tests compare with these.
//!
//! The models promise what the standard promises, in the C locale. They have no effect on `errno`. None of their
//! conversions and unsigned operations changes a value, so that checks find only what the caller did wrong.
//!
//! ```
//! let model = rorqual_models::find("strlen").expect("there is a model");
//! assert!(model.text.contains("size_t strlen(const char *s)"));
//! ```

/// A function of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: &'static str,
    /// The header that declares it.
    pub header: &'static str,
    /// A C file that defines it. Everything else in it is static.
    pub text: &'static str,
}

impl Model {
    /// Whether it is a function of the C library, and not of a kernel.
    pub fn is_standard(&self) -> bool {
        !self.header.starts_with("linux/")
    }
}

macro_rules! model {
    ($name:literal, $header:literal) => {
        Model { name: $name, header: $header, text: include_str!(concat!("../c/", $name, ".c")) }
    };
}

/// All models, sorted by name.
pub const MODELS: &[Model] = &[
    model!("__kmalloc", "linux/slab.h"),
    model!("abs", "stdlib.h"),
    model!("atoi", "stdlib.h"),
    model!("atol", "stdlib.h"),
    model!("atoll", "stdlib.h"),
    model!("isalnum", "ctype.h"),
    model!("isalpha", "ctype.h"),
    model!("isascii", "ctype.h"),
    model!("isblank", "ctype.h"),
    model!("iscntrl", "ctype.h"),
    model!("isdigit", "ctype.h"),
    model!("isgraph", "ctype.h"),
    model!("islower", "ctype.h"),
    model!("isprint", "ctype.h"),
    model!("ispunct", "ctype.h"),
    model!("isspace", "ctype.h"),
    model!("isupper", "ctype.h"),
    model!("isxdigit", "ctype.h"),
    model!("kcalloc", "linux/slab.h"),
    model!("kfree", "linux/slab.h"),
    model!("kmalloc", "linux/slab.h"),
    model!("kzalloc", "linux/slab.h"),
    model!("labs", "stdlib.h"),
    model!("llabs", "stdlib.h"),
    model!("memchr", "string.h"),
    model!("memcmp", "string.h"),
    model!("stpcpy", "string.h"),
    model!("strcasecmp", "strings.h"),
    model!("strcat", "string.h"),
    model!("strchr", "string.h"),
    model!("strcmp", "string.h"),
    model!("strcpy", "string.h"),
    model!("strcspn", "string.h"),
    model!("strdup", "string.h"),
    model!("strlen", "string.h"),
    model!("strncasecmp", "strings.h"),
    model!("strncat", "string.h"),
    model!("strncmp", "string.h"),
    model!("strncpy", "string.h"),
    model!("strndup", "string.h"),
    model!("strnlen", "string.h"),
    model!("strpbrk", "string.h"),
    model!("strrchr", "string.h"),
    model!("strspn", "string.h"),
    model!("strstr", "string.h"),
    model!("toascii", "ctype.h"),
    model!("tolower", "ctype.h"),
    model!("toupper", "ctype.h"),
];

/// The model of a function. Compilers' own names for library functions count as these.
pub fn find(name: &str) -> Option<&'static Model> {
    let bare =
        ["__builtin_", "__isoc23_", "__isoc99_"].into_iter().find_map(|prefix| name.strip_prefix(prefix));
    let bare = bare.unwrap_or(name);
    MODELS.binary_search_by_key(&bare, |model| model.name).ok().map(|at| &MODELS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_sorted_and_define_what_they_name() {
        assert!(MODELS.is_sorted_by_key(|model| model.name));
        for model in MODELS {
            assert_eq!(find(model.name), Some(model));
            assert!(model.text.contains(&format!("{}(", model.name)), "{}", model.name);
        }
        assert_eq!(find("__builtin_strlen"), find("strlen"));
        assert_eq!(find("frobnicate"), None);
    }
}
