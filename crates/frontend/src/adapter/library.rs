//! The types of functions of the library that a program calls without a declaration. gcc knows them, warns, and
//! converts arguments and results as if they were declared; rucc knows few of them, and takes others to return `int`.

use std::collections::HashMap;
use std::sync::LazyLock;

const TEXT: &str = include_str!("../../headers/library_types.txt");

/// How names start that the compiler has for functions of the library.
const BUILTIN: &str = "__builtin_";

/// What gcc knows of a function.
struct Known {
    declaration: &'static str,
    /// Whether rucc knows the function with `__builtin_` in front.
    is_native_builtin: bool,
}

static KNOWN: LazyLock<HashMap<&str, Known>> = LazyLock::new(|| {
    let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let declaration = line.strip_prefix('=');
            let known =
                Known { declaration: declaration.unwrap_or(line), is_native_builtin: declaration.is_some() };
            Some((name_of(known.declaration)?, known))
        })
        .collect()
});

fn name_of(declaration: &str) -> Option<&str> {
    declaration.split_once('(')?.0.rsplit([' ', '*']).next()
}

/// A declaration of a function that the program does not declare, if gcc knows its type.
pub(super) fn declaration(name: &str, pointer_width: u32) -> Option<String> {
    let (function, is_builtin) = match name.strip_prefix(BUILTIN) {
        Some(function) => (function, true),
        None => (name, false),
    };
    let known = KNOWN.get(function).filter(|known| !(is_builtin && known.is_native_builtin))?;
    let size = if pointer_width == 32 { "unsigned int" } else { "unsigned long" };
    let (own, called) = (format!("{function}("), format!("{name}("));
    Some(known.declaration.replacen(&own, &called, 1).replace("__SIZE_TYPE__", size))
}

/// The names with `__builtin_` in front of the functions that rucc does not know so.
pub(super) fn builtins() -> impl Iterator<Item = String> {
    let mut names: Vec<&str> =
        KNOWN.iter().filter(|(_, known)| !known.is_native_builtin).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.into_iter().map(|name| format!("{BUILTIN}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_for_the_name_that_is_called() {
        assert_eq!(declaration("modf", 64).as_deref(), Some("double modf(double, double *);"));
        assert_eq!(
            declaration("__builtin_modf", 64).as_deref(),
            Some("double __builtin_modf(double, double *);")
        );
        assert_eq!(declaration("malloc", 32).as_deref(), Some("void *malloc(unsigned int);"));
        assert_eq!(declaration("__builtin_malloc", 32), None);
        assert_eq!(declaration("own", 64), None);
    }
}
