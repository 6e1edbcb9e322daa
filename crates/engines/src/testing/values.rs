//! Values for inputs, and what is learned about which of them get past assumptions.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{DataModel, ExprKind, IntKind, Program, Type};
use rorqual_interpreter::{GivenInput, GivenNumber, InputSource, SplitMix};
use rorqual_source::Span;

use super::plan::Plan;

/// Kinds of values that programs treat in their own ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Zero,
    /// A natural number of one digit.
    Digit,
    /// A small number, maybe below zero.
    Small,
    /// A constant of the program, or a neighbour of one.
    Constant,
    /// A natural number below a constant of the program.
    Below,
    /// What the input before was.
    Repeated,
    /// One more than the input before.
    Successor,
    /// The least or the greatest value of the type.
    Extreme,
    /// Any number of bits.
    Any,
}

impl Kind {
    pub(super) const ALL: [Kind; 9] = [
        Kind::Zero,
        Kind::Digit,
        Kind::Small,
        Kind::Constant,
        Kind::Below,
        Kind::Repeated,
        Kind::Successor,
        Kind::Extreme,
        Kind::Any,
    ];

    fn random(random: &mut SplitMix) -> Kind {
        Kind::ALL[(random.number() % Kind::ALL.len() as u64) as usize]
    }

    /// This kind, then the others.
    fn and_others(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().cycle().skip(self as usize).take(Kind::ALL.len())
    }
}

/// What values are made from.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    model: DataModel,
    constants: Vec<i128>,
}

impl Vocabulary {
    pub(super) fn of(program: &Program) -> Vocabulary {
        let mut seen = BTreeSet::new();
        let integers = program.exprs.values().filter_map(|expr| match expr.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        });
        let constants = integers.filter(|&value| seen.insert(value)).collect();
        Vocabulary { model: program.types.model(), constants }
    }

    /// The integers that the program names, each once, in the order of the program.
    pub(super) fn constants(&self) -> &[i128] {
        &self.constants
    }

    /// Whether the program names a number that may make a loop long.
    pub(super) fn has_large_number(&self) -> bool {
        const LARGE: i128 = 1_000;
        self.constants.iter().any(|&constant| constant >= LARGE)
    }

    fn constant(&self, random: &mut SplitMix) -> i128 {
        let count = self.constants.len().max(1) as u64;
        self.constants.get((random.number() % count) as usize).copied().unwrap_or(0)
    }
}

/// How often values of a kind got past the next assumption at a place, and how often not.
#[derive(Debug, Default)]
pub(super) struct Experience(BTreeMap<(Span, Kind), (u64, u64)>);

impl Experience {
    fn passed(&mut self, place: (Span, Kind)) {
        self.0.entry(place).or_default().0 += 1;
    }

    fn failed(&mut self, place: (Span, Kind)) {
        self.0.entry(place).or_default().1 += 1;
    }

    fn discourages(&self, place: (Span, Kind)) -> bool {
        self.0.get(&place).is_some_and(|&(passed, failed)| failed > passed)
    }
}

/// Draws the inputs of one run.
pub(super) struct Drawer<'a> {
    plan: Plan,
    random: SplitMix,
    vocabulary: &'a Vocabulary,
    experience: &'a mut Experience,
    /// Places where the one value of the plan is not welcome.
    avoided: &'a mut BTreeSet<Span>,
    /// Where the last input was taken, and its kind unless it is the one value of the plan.
    last: Option<(Span, Option<Kind>)>,
    /// The value of the last integer.
    last_value: i128,
    given: Vec<GivenInput>,
    /// How many inputs the run may take.
    most: usize,
}

impl<'a> Drawer<'a> {
    pub(super) fn new(
        plan: Plan,
        attempt: usize,
        most: usize,
        vocabulary: &'a Vocabulary,
        experience: &'a mut Experience,
        avoided: &'a mut BTreeSet<Span>,
    ) -> Drawer<'a> {
        let seed = match plan {
            Plan::BySite(seed) | Plan::ByDraw(seed) => seed,
            Plan::Same(_) | Plan::Uniform(_) => 0,
        };
        let random = SplitMix::new((seed << 8) + attempt as u64);
        Drawer {
            plan,
            random,
            vocabulary,
            experience,
            avoided,
            last: None,
            last_value: 0,
            given: Vec::new(),
            most,
        }
    }

    /// Learns from how the run ended; returns the inputs.
    pub(super) fn finish(mut self, refused: bool) -> Vec<GivenInput> {
        if refused {
            match self.last.take() {
                Some((span, Some(kind))) => self.experience.failed((span, kind)),
                Some((span, None)) => {
                    self.avoided.insert(span);
                }
                None => {}
            }
        }
        self.settle();
        self.given
    }

    /// The last input got past all assumptions.
    fn settle(&mut self) {
        if let Some((span, Some(kind))) = self.last.take() {
            self.experience.passed((span, kind));
        }
    }

    /// The kind of the next input at a place; nothing if it is the one value of the plan.
    fn kind(&mut self, span: Span) -> Option<Kind> {
        let preferred = match self.plan {
            Plan::Same(_) if !self.avoided.contains(&span) => return None,
            Plan::Same(_) | Plan::ByDraw(_) => Kind::random(&mut self.random),
            Plan::Uniform(kind) => kind,
            Plan::BySite(seed) => Kind::random(&mut SplitMix::new((seed << 32) ^ u64::from(span.start()))),
        };
        let welcome = preferred.and_others().find(|&kind| !self.experience.discourages((span, kind)));
        Some(welcome.unwrap_or(preferred))
    }

    fn integer(&mut self, kind: Option<Kind>, bits: u32, signed: bool) -> i128 {
        let random = &mut self.random;
        let number = i128::from(random.number());
        match (kind, self.plan) {
            (None, Plan::Same(value)) => value,
            (None | Some(Kind::Zero), _) => 0,
            (Some(Kind::Digit), _) => number % 10,
            (Some(Kind::Small), _) => number % 17 - 8,
            (Some(Kind::Constant), _) => self.vocabulary.constant(random).saturating_add(number % 3 - 1),
            (Some(Kind::Below), _) => {
                let bound = self.vocabulary.constant(random).checked_abs().unwrap_or(0);
                number % bound.max(2)
            }
            (Some(Kind::Repeated), _) => self.last_value,
            (Some(Kind::Successor), _) => self.last_value.wrapping_add(1),
            (Some(Kind::Extreme), _) => match (number & 1, signed) {
                (0, true) => i128::MAX >> (128 - bits),
                (_, true) => i128::MIN >> (128 - bits),
                (0, false) => -1,
                (_, false) => 0,
            },
            (Some(Kind::Any), _) => {
                let wide = (number << 64) | i128::from(random.number());
                wide >> (127 - random.number() % u64::from(bits))
            }
        }
    }

    fn number(&mut self, kind: Option<Kind>, ty: &Type) -> GivenNumber {
        match ty {
            Type::Int(IntKind::Bool) => integer(self.integer(kind, 1, false) & 1),
            Type::Int(int) => {
                let (bits, signed) = (int.width(self.vocabulary.model), int.is_signed());
                let value = wrap(self.integer(kind, bits, signed), bits, signed);
                self.last_value = value;
                if signed {
                    integer(value)
                } else {
                    GivenNumber::Integer { negative: false, magnitude: value as u128 }
                }
            }
            Type::Float(_) => self.float(kind),
            // Null, or one of a few objects from outside.
            _ => integer((self.integer(kind, 2, false) & 3) << 16),
        }
    }

    fn float(&mut self, kind: Option<Kind>) -> GivenNumber {
        const EXTREMES: [&str; 6] = ["inf", "-inf", "nan", "-0.0", "1e-40", "1e38"];
        match kind {
            Some(Kind::Extreme) => {
                let choice = self.random.number() % EXTREMES.len() as u64;
                GivenNumber::Float(EXTREMES[choice as usize].to_owned())
            }
            Some(Kind::Any) => {
                let quotient = f64::from(self.random.number() as i32) / 65536.0;
                GivenNumber::Float(format!("{quotient:?}"))
            }
            other => integer(self.integer(other, 32, true)),
        }
    }
}

impl InputSource for Drawer<'_> {
    fn draw(&mut self, ty: &Type, span: Span) -> Option<GivenInput> {
        if self.given.len() >= self.most {
            return None;
        }
        self.settle();
        let kind = self.kind(span);
        self.last = Some((span, kind));
        let input = GivenInput { number: self.number(kind, ty), line: 0 };
        self.given.push(input.clone());
        Some(input)
    }
}

fn integer(value: i128) -> GivenNumber {
    GivenNumber::Integer { negative: value < 0, magnitude: value.unsigned_abs() }
}

/// The value modulo the power of two, in the range of the type.
fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    let unused = 128 - bits;
    let high = value << unused;
    if signed { high >> unused } else { (high as u128 >> unused) as i128 }
}
