//! Initialisers that replace an aggregate which was initialised before, as in
//! `{ [0] = {1, 2}, [0] = {3} }`.
//!
//! C says that the second one starts from zero again. rucc's flat list of values keeps what the
//! first one stored behind the second one's values, and does not tell, so such initialisers
//! are found in the syntax tree and refused. So are ranges that are too long to be written out.

use std::collections::HashMap;

use rucc_ast::{Ast, Decl, Designator, Expr, ExprId, Init, InitId, InitItem};
use rucc_base::{Idx, Symbol};
use rucc_diag::{SourceMap, Span};

/// rucc writes the value of a range designator out once for each element, so that a range like
/// `[0 ... 4294967295]` would eat all memory.
const MAX_RANGE: u128 = 1 << 22;

/// What is wrong with the initialisers of a unit.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The braced initialisers that replace another one for the same part of an object.
    pub(super) replaced: Vec<Span>,
    /// Range designators that are too long.
    pub(super) long_ranges: Vec<Span>,
}

/// Looks through all initialisers.
pub(super) fn inspect(ast: &Ast, sources: &SourceMap) -> Findings {
    let mut finder = Finder { ast, sources, findings: Findings::default() };
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
    finder.findings
}

struct Finder<'a> {
    ast: &'a Ast,
    sources: &'a SourceMap,
    findings: Findings,
}

/// The first step of a designation, for finding those that start alike.
#[derive(PartialEq, Eq, Hash)]
enum FirstStep<'a> {
    Field(Symbol),
    Index(Option<&'a [u8]>),
}

impl<'a> Finder<'a> {
    fn init(&mut self, init: InitId) {
        let Init::List(items) = self.ast[init] else { return };
        // By their first step, so that tables with thousands of designations take no quadratic time.
        let mut earlier: HashMap<FirstStep<'a>, Vec<&'a InitItem>> = HashMap::new();
        let mut ranges: Vec<&'a InitItem> = Vec::new();
        for item in &self.ast[items] {
            self.check_ranges(item);
            if let Some(&first) = self.ast[item.designators].first() {
                let is_list = matches!(self.ast[item.init], Init::List(_));
                let key = self.first_step(first);
                let alike: Vec<&InitItem> = match &key {
                    Some(key) => earlier.get(key).into_iter().flatten().chain(&ranges).copied().collect(),
                    None => earlier.values().flatten().chain(&ranges).copied().collect(),
                };
                if is_list && alike.into_iter().any(|other| self.overlap(other, item)) {
                    self.findings.replaced.push(item.span);
                }
                match key {
                    Some(key) => earlier.entry(key).or_default().push(item),
                    None => ranges.push(item),
                }
            }
            self.init(item.init);
        }
    }

    /// Where the designation starts, unless that is a range.
    fn first_step(&self, first: Designator) -> Option<FirstStep<'a>> {
        match first {
            Designator::Field(name) | Designator::ObsoleteField(name) => Some(FirstStep::Field(name)),
            Designator::Index(index) => Some(FirstStep::Index(self.text(self.ast.expr_span(index)))),
            Designator::Range { .. } => None,
        }
    }

    fn check_ranges(&mut self, item: &InitItem) {
        let is_long = |designator: &Designator| match *designator {
            Designator::Range { lo, hi } => match (self.literal(lo), self.literal(hi)) {
                (Some(lo), Some(hi)) => hi.saturating_sub(lo) > MAX_RANGE,
                _ => false,
            },
            _ => false,
        };
        if self.ast[item.designators].iter().any(is_long) {
            self.findings.long_ranges.push(item.span);
        }
    }

    fn literal(&self, expr: ExprId) -> Option<u128> {
        match self.ast[expr] {
            Expr::Int(value) => Some(self.ast[value].value),
            _ => None,
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

    fn text(&self, span: Span) -> Option<&'a [u8]> {
        let file = self.sources.file(self.sources.lookup_file(span.lo)?);
        let range = span.lo.checked_sub(file.start)? as usize..span.hi.checked_sub(file.start)? as usize;
        file.bytes().get(range)
    }
}
