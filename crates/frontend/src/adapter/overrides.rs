//! Initialisers that replace an aggregate which was initialised before, as in
//! `{ [0] = {1, 2}, [0] = {3} }`.
//!
//! C says that the second one starts from zero again. rucc's flat list of values keeps what the
//! first one stored behind the second one's values, and does not tell, so such initialisers
//! are found in the syntax tree and refused.

use rucc_ast::{Ast, Decl, Designator, Expr, Init, InitId, InitItem};
use rucc_base::Idx;
use rucc_diag::{SourceMap, Span};

/// The braced initialisers that replace another one for the same part of an object.
pub(super) fn replaced_parts(ast: &Ast, sources: &SourceMap) -> Vec<Span> {
    let mut finder = Finder { ast, sources, found: Vec::new() };
    let counts = ast.counts();
    for index in 0..counts.decls {
        if let Decl::Var { declarators, .. } = ast[Idx::<Decl>::from_usize(index)] {
            ast[declarators]
                .iter()
                .filter_map(|declarator| declarator.init)
                .for_each(|init| finder.init(init));
        }
    }
    for index in 0..counts.exprs {
        if let Expr::CompoundLiteral { init, .. } = ast[Idx::<Expr>::from_usize(index)] {
            finder.init(init);
        }
    }
    finder.found
}

struct Finder<'a> {
    ast: &'a Ast,
    sources: &'a SourceMap,
    found: Vec<Span>,
}

impl Finder<'_> {
    fn init(&mut self, init: InitId) {
        let Init::List(items) = self.ast[init] else { return };
        let items = &self.ast[items];
        for (position, item) in items.iter().enumerate() {
            let replaces = matches!(self.ast[item.init], Init::List(_))
                && items[..position].iter().any(|earlier| self.overlap(earlier, item));
            if replaces {
                self.found.push(item.span);
            }
            self.init(item.init);
        }
    }

    /// Whether two designations may name parts of each other.
    fn overlap(&self, a: &InitItem, b: &InitItem) -> bool {
        let (a, b) = (&self.ast[a.designators], &self.ast[b.designators]);
        !a.is_empty() && !b.is_empty() && a.iter().zip(b).all(|(a, b)| self.may_be_equal(*a, *b))
    }

    fn may_be_equal(&self, a: Designator, b: Designator) -> bool {
        match (a, b) {
            (
                Designator::Field(a) | Designator::ObsoleteField(a),
                Designator::Field(b) | Designator::ObsoleteField(b),
            ) => a == b,
            (Designator::Index(a), Designator::Index(b)) => {
                self.text(self.ast.expr_span(a)) == self.text(self.ast.expr_span(b))
            }
            (
                Designator::Index(_) | Designator::Range { .. },
                Designator::Index(_) | Designator::Range { .. },
            ) => true,
            _ => false,
        }
    }

    fn text(&self, span: Span) -> Option<&[u8]> {
        let file = self.sources.file(self.sources.lookup_file(span.lo)?);
        let range = span.lo.checked_sub(file.start)? as usize..span.hi.checked_sub(file.start)? as usize;
        file.bytes().get(range)
    }
}
