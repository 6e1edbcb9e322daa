//! Initialisers that replace an aggregate which was initialised before, as in
//! `{ [0] = {1, 2}, [0] = {3} }`.
//!
//! C says that the second one starts from zero again. rucc's flat list of values keeps what the
//! first one stored behind the second one's values, and does not tell, so such initialisers
//! are found in the syntax tree and refused. So are strings and structures that replace a part
//! which was initialised before, or of which a part is replaced later (compilers do not agree
//! about the latter), and ranges that are too long to be written out.

use std::collections::{HashMap, HashSet};

use rucc_ast::{Ast, Decl, Designator, Expr, ExprId, Init, InitId, InitItem};
use rucc_base::{Idx, Symbol};
use rucc_diag::{SourceMap, Span};

/// rucc writes the value of a range designator out once for each element, so that a range like
/// `[0 ... 4294967295]` would eat all memory.
const MAX_RANGE: u128 = 1 << 22;

/// What is wrong with the initialisers of a unit.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The initialisers that replace another one for the same part of an object.
    pub(super) replaced: Vec<Span>,
    /// The initialisers that may do so, and do if they are strings or structures.
    pub(super) replaced_by_aggregates: Vec<Span>,
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

/// Where the items of a list go, as far as that can be known without types. An item without
/// designators may be for a part that was initialised before, as in
/// `{ [1] = {1, 2}, [0] = {3}, {4} }`.
#[derive(Debug, Default)]
struct Cursor {
    /// The elements with items whose place is known.
    used: HashSet<u128>,
    /// Those of them whose items have no designators.
    positional: HashSet<u128>,
    /// Whether there are items without designators whose place is not known.
    has_lost_positional: bool,
    /// The element of the next item; unknown behind an item that may be for a part of an element.
    next: Option<u128>,
    /// Behind all items so far. Too large where braces are left out, which only refuses more.
    end: u128,
    /// Whether an item may have gone to another place than behind all earlier ones.
    may_have_gone_back: bool,
    /// Whether the place of some item is not known.
    is_lost: bool,
}

impl Cursor {
    /// Whether an item may be for a part that was initialised before. Of two items with
    /// designators `Finder::overlap` knows more.
    fn may_replace(&self, designators: &[Designator], literal: impl Fn(ExprId) -> Option<u128>) -> bool {
        let Some(&first) = designators.first() else {
            return match self.next {
                Some(next) if !self.is_lost => self.used.contains(&next),
                _ => self.may_have_gone_back,
            };
        };
        let at = if let Designator::Index(index) = first { literal(index) } else { None };
        match at {
            Some(at) => self.positional.contains(&at) || self.has_lost_positional && at < self.end,
            None => self.has_lost_positional || !self.positional.is_empty(),
        }
    }

    /// Steps over an item.
    fn step(&mut self, designators: &[Designator], is_list: bool, literal: impl Fn(ExprId) -> Option<u128>) {
        let at = match *designators {
            [] => self.next,
            [Designator::Index(index)] => literal(index),
            // The order of members and the values of names are not known here.
            _ => None,
        };
        let is_designated = !designators.is_empty();
        self.may_have_gone_back |= is_designated && self.end > 0 && at.is_none_or(|at| at < self.end);
        self.end = match at {
            Some(at) => self.end.max(at.saturating_add(1)),
            None if is_designated => u128::MAX,
            None => self.end.saturating_add(1),
        };
        self.used.extend(at);
        self.is_lost |= at.is_none();
        if !is_designated {
            self.positional.extend(at);
            self.has_lost_positional |= at.is_none();
        }
        // Only an item with braces is surely for one whole element.
        self.next = at.filter(|_| is_list).map(|at| at.saturating_add(1));
    }
}

impl<'a> Finder<'a> {
    fn init(&mut self, init: InitId) {
        let Init::List(items) = self.ast[init] else { return };
        // By their first step, so that tables with thousands of designations take no quadratic time.
        let mut earlier: HashMap<FirstStep<'a>, Vec<&'a InitItem>> = HashMap::new();
        let mut ranges: Vec<&'a InitItem> = Vec::new();
        let mut cursor = Cursor { next: Some(0), ..Cursor::default() };
        for item in &self.ast[items] {
            self.check_ranges(item);
            let is_list = matches!(self.ast[item.init], Init::List(_));
            let designators = &self.ast[item.designators];
            if cursor.may_replace(designators, |index| self.literal(index)) {
                if is_list {
                    self.findings.replaced.push(item.span);
                } else {
                    self.findings.replaced_by_aggregates.push(item.span);
                }
            }
            cursor.step(designators, is_list, |index| self.literal(index));
            if let Some(&first) = self.ast[item.designators].first() {
                let key = self.first_step(first);
                let alike: Vec<&InitItem> = match &key {
                    Some(key) => earlier.get(key).into_iter().flatten().chain(&ranges).copied().collect(),
                    None => earlier.values().flatten().chain(&ranges).copied().collect(),
                };
                if alike.into_iter().any(|other| self.overlap(other, item) && self.is_replaced(other, item)) {
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

    /// Whether an item replaces an aggregate, or a part of an aggregate that was given as a whole,
    /// if the items overlap. A string may be changed afterwards: its characters are known.
    fn is_replaced(&self, earlier: &InitItem, item: &InitItem) -> bool {
        let is_string = |init: InitId| matches!(self.ast[init], Init::Expr(expr) if matches!(self.ast[expr], Expr::Str(_)));
        let is_list = |init: InitId| matches!(self.ast[init], Init::List(_));
        let (before, now) = (earlier.designators.len(), item.designators.len());
        is_list(item.init)
            || now < before
            || (before < now && !is_list(earlier.init) && !is_string(earlier.init))
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
