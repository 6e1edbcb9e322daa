//! What the cells of a program are called where people read about a function.

use rorqual_cfa::{FunctionId, Program};
use rorqual_logic::{Element, Names};

/// Names as they can be used in a function, as far as cells have such names:
///
/// | Cell | Text |
/// |---|---|
/// | `f::x` in `f` | `x` |
/// | element `i` of `a[]`, of `a[].x` | `a[i]`, `a[i].x` |
/// | what the address `p` has in `f::heap@1[].x`, in `f::heap@1[]` | `p->x`, `p[0]` |
pub(super) struct NamesIn<'p> {
    program: &'p Program,
    prefix: String,
}

impl<'p> NamesIn<'p> {
    pub(super) fn new(program: &'p Program, function: FunctionId) -> NamesIn<'p> {
        NamesIn { program, prefix: format!("{}::", program.functions[function].name) }
    }

    /// Whether a global variable has the name.
    fn is_global(&self, name: &str) -> bool {
        let end = name.find(['.', '[']).unwrap_or(name.len());
        self.program
            .variables
            .values()
            .any(|variable| variable.kind.is_global() && variable.name == name[..end])
    }
}

impl Names for NamesIn<'_> {
    fn symbol(&self, name: &str) -> String {
        let (mark, cell) = match name.strip_prefix('&') {
            Some(cell) => ("&", cell),
            None => ("", name),
        };
        let own = cell.strip_prefix(&self.prefix).filter(|own| !self.is_global(own));
        own.map_or_else(|| name.to_owned(), |own| format!("{mark}{own}"))
    }

    fn element(&self, array: &str) -> Element {
        let (whole, member) = array.split_once("[]").unwrap_or((array, ""));
        if whole.contains("::heap@") {
            let member =
                member.strip_prefix('.').map_or_else(|| format!("[0]{member}"), |path| format!("->{path}"));
            return Element::Behind(member);
        }
        Element::Index { before: format!("{}[", self.symbol(whole)), after: format!("]{member}") }
    }
}
