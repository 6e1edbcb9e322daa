//! What assembly outside of functions, and sections that the start-up code reads, do behind the program's back.

use rorqual_source::Span;
use rucc_sema::DeclId;

use super::Adapter;
use crate::assembly;

impl Adapter<'_> {
    /// Notes the symbols that assembly outside of functions may define: what they are is not known.
    pub(super) fn refuse_symbols_of_assembly(&mut self) {
        for asm in self.checked.tast.file_asms() {
            let text = String::from_utf8_lossy(&self.string_bytes(asm.template)).into_owned();
            let span = self.span(asm.span);
            for symbol in assembly::symbols(&text) {
                self.program.assembly_symbols.insert(symbol);
            }
            if assembly::adds_to_start(&text) {
                self.refuse_start("assembly that adds functions to the start or end of the program", span);
            }
        }
    }

    /// A variable in a section whose functions run before or after `main` is not supported.
    pub(super) fn refuse_starting_section(&mut self, id: DeclId) {
        let Some(section) = self.checked.tast.section(id) else { return };
        let section = String::from_utf8_lossy(&self.string_bytes(section)).into_owned();
        if assembly::is_starting_section(&section) {
            let span = self.span(self.checked.tast.decl_span(id));
            self.refuse_start(&format!("a variable in the section `{section}`"), span);
        }
    }

    fn refuse_start(&mut self, construct: &str, span: Span) {
        self.program.start_obstacles.push((construct.to_owned(), span));
    }
}
