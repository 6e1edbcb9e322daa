//! Constraints of violation witnesses as values for inputs.
//!
//! Only equations with constants are understood: `\result == 5`, `x == -1 && s.a == 0x10U`. Others restrict
//! executions without naming one; the inputs that they leave open are zero.

use std::collections::{BTreeSet, VecDeque};

use rorqual_cfa::{PlaceKind, Program, TypeId, TypeTable, VariableId};
use rorqual_interpreter::{CellBits, Guide, InputRequest, OutOfStep};
use rorqual_source::Span;

use crate::cells::{self, Cell, source_name};
use crate::model::{Action, Location, Segment, WaypointKind};
use crate::places::call_end;

/// An equation of a waypoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constraint {
    /// The place of the waypoint.
    pub(crate) location: Location,
    /// What is equated: the result of a call, or an lvalue such as `s.a[2]`.
    pub(crate) subject: Subject,
    /// With what: the bits of the number in two's complement.
    pub(crate) value: u128,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    Result,
    Lvalue(String),
}

/// The equations of a witness in order.
pub(crate) fn constraints(segments: &[Segment]) -> Vec<Constraint> {
    let followed = segments.iter().flat_map(|segment| &segment.0).filter(|one| one.action == Action::Follow);
    let of_interest =
        followed.filter(|one| matches!(one.kind, WaypointKind::Assumption | WaypointKind::FunctionReturn));
    let mut constraints = Vec::new();
    for waypoint in of_interest {
        for (subject, value) in equations(waypoint.constraint.as_deref().unwrap_or("")) {
            constraints.push(Constraint { location: waypoint.location.clone(), subject, value });
        }
    }
    constraints
}

/// The equations with constants in a conjunction.
fn equations(text: &str) -> Vec<(Subject, u128)> {
    let text = strip(text);
    if let Some(at) = top_level(text, "&&") {
        let (lhs, rhs) = (equations(&text[..at]), equations(&text[at + 2..]));
        return lhs.into_iter().chain(rhs).collect();
    }
    let Some(at) = top_level(text, "==") else { return Vec::new() };
    let (lhs, rhs) = (strip(&text[..at]), strip(&text[at + 2..]));
    let found = match (subject(lhs), constant(rhs)) {
        (Some(subject), Some(value)) => Some((subject, value)),
        _ => subject(rhs).zip(constant(lhs)),
    };
    found.into_iter().collect()
}

/// Without space and parentheses around it.
fn strip(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) if is_balanced(inner) => strip(inner),
        _ => text,
    }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Where an operator first stands outside of all parentheses.
fn top_level(text: &str, operator: &str) -> Option<usize> {
    text.match_indices(operator).map(|(at, _)| at).find(|&at| is_balanced(&text[..at]))
}

fn subject(text: &str) -> Option<Subject> {
    if text == "\\result" {
        return Some(Subject::Result);
    }
    let starts_lvalue = text.starts_with(|c: char| c.is_alphabetic() || "_*(".contains(c));
    let is_part = |c: char| c.is_alphanumeric() || "_.[]->*()+& ".contains(c);
    (starts_lvalue && text.chars().all(is_part)).then(|| Subject::Lvalue(text.to_owned()))
}

/// A constant: numbers with signs, casts in front of them, and sums, as in `-2147483647 - 1`.
fn constant(text: &str) -> Option<u128> {
    let text = strip(text);
    if let Some(bits) = floating(text) {
        return Some(bits);
    }
    let operator = text.char_indices().skip(1).filter(|(_, c)| ['+', '-'].contains(c));
    let binary = operator.filter(|(at, _)| {
        let before = text[..*at].trim_end();
        is_balanced(before) && !before.is_empty() && !before.ends_with(['+', '-', '(', 'e', 'E', 'p', 'P'])
    });
    if let Some((at, sign)) = binary.last()
        && let (Some(lhs), Some(rhs)) = (constant(&text[..at]), constant(&text[at + 1..]))
    {
        return Some(if sign == '+' { lhs.wrapping_add(rhs) } else { lhs.wrapping_sub(rhs) });
    }
    if let Some(rest) = text.strip_prefix('-') {
        return constant(rest).map(u128::wrapping_neg);
    }
    if let Some(rest) = text.strip_prefix('+') {
        return constant(rest);
    }
    if let Some((cast, rest)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        && cast.chars().all(|c| c.is_alphabetic() || " _*".contains(c))
    {
        return constant(rest);
    }
    literal(text)
}

/// The bits of a decimal floating-point constant, perhaps with a sign. Those of `long double` are not read.
fn floating(text: &str) -> Option<u128> {
    let starts_number =
        text.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_decimal = !text.contains(['x', 'X']) && text.contains(['.', 'e', 'E']);
    if !starts_number || !is_decimal {
        return None;
    }
    match text.strip_suffix(['f', 'F']) {
        Some(single) => single.parse::<f32>().ok().map(|number| u128::from(number.to_bits())),
        None => text.parse::<f64>().ok().map(|number| u128::from(number.to_bits())),
    }
}

fn literal(text: &str) -> Option<u128> {
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut characters = quoted.chars();
        let only = characters.next().filter(|c| *c != '\\')?;
        return characters.next().is_none().then_some(u128::from(u32::from(only)));
    }
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => u128::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

/// How strictly the places of a witness are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Constraints are met one after the other, each at its line and column.
    Sequence,
    /// Each operation takes the first constraint for its line and column that is left.
    Places,
    /// The same without columns, about which tools disagree.
    Lines,
    /// Inputs take the values in order, wherever they are.
    Order,
}

impl Strategy {
    pub(crate) const ALL: [Strategy; 4] =
        [Strategy::Sequence, Strategy::Places, Strategy::Lines, Strategy::Order];
}

/// Gives the values of a witness to the operations at its places.
pub(crate) struct WitnessGuide<'a> {
    program: &'a Program,
    left: VecDeque<Offer>,
    /// How many of the first ones are claimed.
    claimed: usize,
    strategy: Strategy,
}

/// A constraint that no input took yet.
struct Offer {
    constraint: Constraint,
    /// Whether a variable was declared with it. If the variable is given an input before it is read, the
    /// constraint is about that input.
    claimed: bool,
}

impl<'a> WitnessGuide<'a> {
    pub(crate) fn new(
        program: &'a Program,
        constraints: &[Constraint],
        strategy: Strategy,
    ) -> WitnessGuide<'a> {
        let left = constraints.iter().cloned().map(offer).collect();
        WitnessGuide { program, left, claimed: 0, strategy }
    }

    /// Takes the first constraint that fits an input; in a sequence, only the very first can, and those about
    /// variables that are declared already are behind.
    fn take(&mut self, fits: impl Fn(&Constraint) -> bool) -> Option<Constraint> {
        let is_sequence = self.strategy == Strategy::Sequence;
        while is_sequence && self.left.front().is_some_and(|first| first.claimed && !fits(&first.constraint))
        {
            self.remove(0);
        }
        let ahead = if is_sequence { 1 } else { self.left.len() };
        let at = self.left.iter().take(ahead).position(|offer| fits(&offer.constraint))?;
        self.remove(at)
    }

    fn remove(&mut self, at: usize) -> Option<Constraint> {
        if at < self.claimed {
            self.claimed -= 1;
        }
        self.left.remove(at).map(|offer| offer.constraint)
    }

    /// The constraints about a variable that may be its values from its declaration on: the first one for
    /// each scalar, in a sequence only up to the first that is about something else.
    fn claim(&mut self, variable: VariableId) -> Vec<CellBits> {
        let (program, strategy) = (self.program, self.strategy);
        let ty = program.variables[variable].ty;
        let name = source_name(program, variable);
        let mut cells: Vec<CellBits> = Vec::new();
        let mut known = BTreeSet::new();
        for offer in self.left.range_mut(self.claimed..) {
            let cell = cell_of(&offer.constraint, name, &program.types, ty).filter(|_| !offer.claimed);
            match cell.filter(|cell| known.insert(cell.bit_offset)) {
                Some(Cell { bit_offset, width }) => {
                    offer.claimed = true;
                    cells.push(CellBits { bit_offset, width, bits: offer.constraint.value });
                }
                None if strategy == Strategy::Sequence => break,
                None => {}
            }
        }
        self.claimed += self.left.range(self.claimed..).take_while(|offer| offer.claimed).count();
        cells
    }

    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let program = self.program;
        let end = call_end(program, request.span, request.origin);
        let file = request.span.file();
        let place = end.zip(file).map(|(at, file)| crate::places::location(program, file, at, None));
        let target = request.target.and_then(|target| match program.places[target].kind {
            PlaceKind::Variable(variable) => Some(source_name(program, variable)),
            _ => None,
        });
        let strategy = self.strategy;
        let fits = |constraint: &Constraint| match (&constraint.subject, strategy) {
            (_, Strategy::Order) => true,
            (Subject::Result, _) => {
                place.as_ref().is_some_and(|place| is_at(&constraint.location, place, strategy))
            }
            // Some tools constrain the variable that the input is stored in.
            (Subject::Lvalue(name), _) => Some(name.as_str()) == target,
        };
        self.take(fits).map(|constraint| constraint.value)
    }
}

/// Whether a place of a witness is a place of the program. Directories do not count: the witness may have
/// been made elsewhere.
fn is_at(claimed: &Location, place: &Location, strategy: Strategy) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let columns = strategy == Strategy::Lines
        || claimed.column.is_none()
        || place.column.is_none()
        || claimed.column == place.column;
    name(&claimed.file_name) == name(&place.file_name) && claimed.line == place.line && columns
}

impl Guide for WitnessGuide<'_> {
    fn required(&mut self, request: &InputRequest<'_>) -> Result<Vec<u128>, OutOfStep> {
        Ok(self.value(request).into_iter().collect())
    }

    fn offered(&mut self, request: &InputRequest<'_>) -> Vec<u128> {
        match self.strategy {
            Strategy::Order => Vec::new(),
            _ => self.value(request).into_iter().collect(),
        }
    }

    fn declared(&mut self, variable: VariableId) -> Vec<CellBits> {
        match self.strategy {
            Strategy::Order => Vec::new(),
            _ => self.claim(variable),
        }
    }

    fn allocated(&mut self, _: Span) -> Vec<CellBits> {
        Vec::new()
    }

    fn given(&mut self, _: u64) -> Vec<CellBits> {
        Vec::new()
    }

    /// What a witness says of memory that belongs to no variable stands where it is first read.
    fn unset(&mut self, what: &str, span: Span) -> Option<u128> {
        let (program, strategy) = (self.program, self.strategy);
        let what = what.trim_matches('`');
        let place = crate::places::location(program, span.file()?, span.start(), None);
        let fits = |constraint: &Constraint| match &constraint.subject {
            Subject::Lvalue(name) => {
                name == what && (strategy == Strategy::Order || is_at(&constraint.location, &place, strategy))
            }
            Subject::Result => false,
        };
        self.take(fits).map(|constraint| constraint.value)
    }
}

fn offer(constraint: Constraint) -> Offer {
    Offer { constraint, claimed: false }
}

/// The scalar of a variable that a constraint is about.
fn cell_of(constraint: &Constraint, name: &str, types: &TypeTable, ty: TypeId) -> Option<Cell> {
    let Subject::Lvalue(text) = &constraint.subject else { return None };
    let path = text.strip_prefix(name).filter(|path| path.is_empty() || path.starts_with(['.', '[']))?;
    cells::find(types, ty, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_point_constants_are_read_as_their_bits() {
        assert_eq!(constant("-0.0"), Some(1 << 63));
        assert_eq!(constant("(1.5f)"), Some(u128::from(1.5f32.to_bits())));
        assert_eq!(constant("1e300"), Some(u128::from(1e300f64.to_bits())));
        assert_eq!(constant("0x1e"), Some(30));
        assert_eq!(constant("1.5L"), None);
    }

    #[test]
    fn equations_with_constants_are_understood() {
        let result = |text: &str| match equations(text).as_slice() {
            [(Subject::Result, value)] => Some(*value as i128),
            _ => None,
        };
        assert_eq!(result("\\result == 5"), Some(5));
        assert_eq!(result("((-3) == \\result)"), Some(-3));
        assert_eq!(result("(\\result) == (-2147483647 - 1)"), Some(-2_147_483_648));
        assert_eq!(result("\\result == 0xffU"), Some(255));
        assert_eq!(result("\\result == (unsigned char)017"), Some(15));
        assert_eq!(result("\\result == 'a'"), Some(97));
        for other in ["\\result > 5", "\\result == x", "1", "", "\\result == 1 || x == 2", "((", "x == 1.5"] {
            assert_eq!(result(other), None, "{other}");
        }
        let both = equations("x == 1 && (s.a[2] == 18446744073709551615ull)");
        let names: Vec<_> = both.iter().map(|(subject, value)| (subject.clone(), *value)).collect();
        let lvalue = |text: &str| Subject::Lvalue(text.to_owned());
        assert_eq!(names, [(lvalue("x"), 1), (lvalue("s.a[2]"), u128::from(u64::MAX))]);
    }
}
