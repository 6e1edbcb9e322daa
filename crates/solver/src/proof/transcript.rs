//! What a SAT solver has answered, kept so that the same questions need no search again: refutations as steps that are checked like
//! any others, models as bits. Nothing in a transcript is believed.
//!
//! Clauses have numbers: the `n`-th one that was given to the solver has `2 n`, and the `n`-th step `2 n + 1`. So a transcript fits
//! whoever asks the same questions in the same order, and whoever asks others finds out at the first step that does not follow.

use rustc_hash::FxHashMap;

use crate::proof::Literal;

/// A transcript that grows beyond so many literals and antecedents, before it is trimmed, is given up: it would take more
/// memory than the search (4 bytes each).
const MOST_RECORDED: usize = 100_000_000;
/// The same for what is left of it, which has to be read: beyond this, searching again is about as fast.
const MOST_KEPT: usize = 8_000_000;

/// The number of a clause in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Number(pub(crate) u32);

impl Number {
    /// The number of the clause that was given as the `n`-th one.
    pub(crate) fn given(n: usize) -> Number {
        Number(2 * n as u32)
    }

    /// The number of the `n`-th step.
    pub(crate) fn step(n: usize) -> Number {
        Number(2 * n as u32 + 1)
    }

    /// The place of a step among the steps.
    fn as_step(self) -> Option<usize> {
        (self.0 % 2 == 1).then_some(self.0 as usize / 2)
    }
}

/// A clause that follows from others, by unit propagation in the order of LRAT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) literals: Vec<Literal>,
    pub(crate) antecedents: Vec<Number>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// There is no model: the steps since the last refutation, and the clauses that it ends with.
    Refuted { steps: Vec<Step>, concluded: Vec<Number> },
    /// There is one: the truth of the literals that were asked for, in the order of the questions.
    Model(Vec<bool>),
    /// That was not found out, or did not matter.
    Open,
}

/// The answers of one solver, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    pub(crate) answers: Vec<Kept>,
}

/// Writes a transcript.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// The numbers of clauses by those that the solver gives them.
    numbers: FxHashMap<i64, Number>,
    given: usize,
    steps: Vec<Step>,
    /// The steps are those before the position.
    answers: Vec<(usize, Kept)>,
    size: usize,
    /// Whether there is too much of it, or something else that cannot be kept.
    is_spoiled: bool,
}

impl Writer {
    /// A clause was given to the solver.
    pub(crate) fn given(&mut self, id: i64) {
        self.numbers.insert(id, Number::given(self.given));
        self.given += 1;
    }

    /// The solver has derived a clause.
    pub(crate) fn derived(&mut self, id: i64, clause: &[Literal], antecedents: &[i64]) {
        if self.is_spoiled {
            return;
        }
        let antecedents: Option<Vec<Number>> =
            antecedents.iter().map(|antecedent| self.numbers.get(antecedent).copied()).collect();
        let Some(antecedents) = antecedents else { return self.spoil() };
        self.size += clause.len() + antecedents.len();
        if self.size > MOST_RECORDED {
            return self.spoil();
        }
        self.numbers.insert(id, Number::step(self.steps.len()));
        self.steps.push(Step { literals: clause.to_vec(), antecedents });
    }

    /// Nothing is kept.
    pub(crate) fn spoil(&mut self) {
        *self = Writer { is_spoiled: true, ..Writer::default() };
    }

    /// A refutation that ends with some clauses.
    pub(crate) fn refuted(&mut self, concluded: &[i64]) {
        let concluded = concluded.iter().filter_map(|id| self.numbers.get(id).copied()).collect();
        self.answers.push((self.steps.len(), Kept::Refuted { steps: Vec::new(), concluded }));
    }

    /// Another answer.
    pub(crate) fn answered(&mut self, answer: Kept) {
        self.answers.push((self.steps.len(), answer));
    }

    /// The truth of a literal was asked for.
    pub(crate) fn asked(&mut self, holds: bool) {
        if let Some((_, Kept::Model(bits))) = self.answers.last_mut() {
            bits.push(holds);
        }
    }

    /// Forgets a model that nothing rests on.
    pub(crate) fn forget_model(&mut self) {
        if let Some((_, answer @ Kept::Model(_))) = self.answers.last_mut() {
            *answer = Kept::Open;
        }
    }

    /// The transcript, with those steps only that refutations need; none if there is too much of it.
    pub(crate) fn finish(&self) -> Option<Transcript> {
        if self.is_spoiled {
            return None;
        }
        let mut is_needed = vec![false; self.steps.len()];
        let need = |is_needed: &mut [bool], numbers: &[Number]| {
            for step in numbers.iter().filter_map(|number| number.as_step()) {
                is_needed[step] = true;
            }
        };
        for (_, answer) in &self.answers {
            if let Kept::Refuted { concluded, .. } = answer {
                need(&mut is_needed, concluded);
            }
        }
        for at in (0..self.steps.len()).rev() {
            if is_needed[at] {
                need(&mut is_needed, &self.steps[at].antecedents);
            }
        }
        let mut new = vec![Number(0); self.steps.len()];
        let (mut next, mut count, mut size) = (0, 0, 0);
        let renumbered = |new: &[Number], number: &Number| number.as_step().map_or(*number, |at| new[at]);
        let mut answers = Vec::with_capacity(self.answers.len());
        for (end, answer) in &self.answers {
            let Kept::Refuted { concluded, .. } = answer else {
                answers.push(answer.clone());
                continue;
            };
            let mut steps = Vec::new();
            for at in next..*end {
                if is_needed[at] {
                    let Step { literals, antecedents } = &self.steps[at];
                    size += literals.len() + antecedents.len();
                    let antecedents = antecedents.iter().map(|number| renumbered(&new, number)).collect();
                    steps.push(Step { literals: literals.clone(), antecedents });
                    new[at] = Number::step(count);
                    count += 1;
                }
            }
            next = *end;
            let concluded = concluded.iter().map(|number| renumbered(&new, number)).collect();
            answers.push(Kept::Refuted { steps, concluded });
        }
        (size <= MOST_KEPT).then_some(Transcript { answers })
    }
}

/// Digits of numbers in base 32, lowest first. All but the last one of a number are from the second half.
const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZ@#%&+-";
const BASE: u64 = 32;
/// So many bits of a model are one number.
const BITS: usize = 5;

impl Transcript {
    /// Whether there is nothing that spares a search.
    pub fn is_empty(&self) -> bool {
        !self.answers.iter().any(|answer| !matches!(answer, Kept::Open))
    }

    /// As text: numbers, one behind the other.
    pub fn to_text(&self) -> String {
        let mut text = Text(String::new());
        text.count(self.answers.len());
        for answer in &self.answers {
            match answer {
                Kept::Open => text.number(0),
                Kept::Model(bits) => {
                    text.number(1);
                    text.count(bits.len());
                    for chunk in bits.chunks(BITS) {
                        text.number(chunk.iter().rev().fold(0, |number, &bit| 2 * number + u64::from(bit)));
                    }
                }
                Kept::Refuted { steps, concluded } => {
                    text.number(2);
                    text.count(steps.len());
                    for step in steps {
                        text.clause(&step.literals);
                        text.numbers(&step.antecedents);
                    }
                    text.numbers(concluded);
                }
            }
        }
        text.0
    }

    /// Reads what [`Transcript::to_text`] writes; none if it is something else.
    pub fn parse(text: &str) -> Option<Transcript> {
        let mut words = Words { bytes: text.bytes() };
        let mut answers = Vec::new();
        for _ in 0..words.count()? {
            answers.push(match words.number()? {
                0 => Kept::Open,
                1 => Kept::Model(words.bits()?),
                2 => {
                    let mut steps = Vec::new();
                    for _ in 0..words.count()? {
                        steps.push(Step { literals: words.clause()?, antecedents: words.numbers()? });
                    }
                    Kept::Refuted { steps, concluded: words.numbers()? }
                }
                _ => return None,
            });
        }
        words.bytes.next().is_none().then_some(Transcript { answers })
    }
}

struct Text(String);

impl Text {
    fn number(&mut self, mut number: u64) {
        while number >= BASE {
            self.0.push(char::from(DIGITS[(number % BASE + BASE) as usize]));
            number /= BASE;
        }
        self.0.push(char::from(DIGITS[number as usize]));
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    /// A number that may be negative.
    fn signed(&mut self, number: i64) {
        self.number((number.unsigned_abs() << 1) | u64::from(number < 0));
    }

    /// Literals by what lies between their variables. Their order means nothing.
    fn clause(&mut self, literals: &[Literal]) {
        let mut literals = literals.to_vec();
        literals.sort_unstable_by_key(|literal| literal.unsigned_abs());
        self.count(literals.len());
        let mut last = 0;
        for literal in literals {
            let variable = u64::from(literal.unsigned_abs());
            self.number(((variable - last) << 1) | u64::from(literal < 0));
            last = variable;
        }
    }

    /// Numbers of clauses by how far they are from the one before. Their order matters.
    fn numbers(&mut self, numbers: &[Number]) {
        self.count(numbers.len());
        let mut last = 0;
        for number in numbers {
            self.signed(i64::from(number.0) - last);
            last = i64::from(number.0);
        }
    }
}

struct Words<'t> {
    bytes: std::str::Bytes<'t>,
}

impl Words<'_> {
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let digit = value_of(self.bytes.next()?)?;
            if shift >= u64::BITS {
                return None;
            }
            number |= (digit % BASE) << shift;
            if digit < BASE {
                return Some(number);
            }
            shift += BASE.ilog2();
        }
    }

    /// A count of things each of which takes a digit at least: more than there are digits left cannot be right.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.bytes.len().saturating_mul(BITS)).then_some(count)
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        let magnitude = i64::try_from(number >> 1).ok()?;
        Some(if number & 1 == 1 { -magnitude } else { magnitude })
    }

    fn clause(&mut self) -> Option<Vec<Literal>> {
        let mut last = 0u64;
        let mut literals = Vec::new();
        for _ in 0..self.count()? {
            let number = self.number()?;
            last = last.checked_add(number >> 1)?;
            let variable = Literal::try_from(last).ok()?;
            literals.push(if number & 1 == 1 { -variable } else { variable });
        }
        Some(literals)
    }

    fn numbers(&mut self) -> Option<Vec<Number>> {
        let mut last = 0i64;
        let mut numbers = Vec::new();
        for _ in 0..self.count()? {
            last = last.checked_add(self.signed()?)?;
            numbers.push(Number(u32::try_from(last).ok()?));
        }
        Some(numbers)
    }

    fn bits(&mut self) -> Option<Vec<bool>> {
        let count = self.count()?;
        let mut bits = Vec::new();
        while bits.len() < count {
            let number = self.number()?;
            bits.extend((0..BITS.min(count - bits.len())).map(|at| number >> at & 1 == 1));
        }
        Some(bits)
    }
}

fn value_of(byte: u8) -> Option<u64> {
    const NONE: u8 = u8::MAX;
    const VALUES: [u8; 256] = {
        let mut values = [NONE; 256];
        let mut at = 0;
        while at < DIGITS.len() {
            values[DIGITS[at] as usize] = at as u8;
            at += 1;
        }
        values
    };
    let value = VALUES[usize::from(byte)];
    (value != NONE).then_some(u64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let step = Step { literals: vec![3, -70, 1000], antecedents: vec![Number(9), Number(2), Number(31)] };
        let last = Step { literals: vec![], antecedents: vec![Number(1)] };
        Transcript {
            answers: vec![
                Kept::Open,
                Kept::Model(vec![true, false, false, true, true, true, false]),
                Kept::Refuted { steps: vec![step, last], concluded: vec![Number(3)] },
            ],
        }
    }

    #[test]
    fn transcripts_are_read_back_and_other_texts_are_not() {
        let text = transcript().to_text();
        assert_eq!(Transcript::parse(&text), Some(transcript()));
        for cut in 0..text.len() {
            assert_eq!(Transcript::parse(&text[..cut]), None, "{}", &text[..cut]);
        }
        assert_eq!(Transcript::parse(&(text + "0")), None);
        assert_eq!(Transcript::parse("!"), None);
        assert_eq!(Transcript::parse("@@@@@@@@@@@@@@@@@@@@@0"), None);
    }

    #[test]
    fn steps_that_nothing_needs_are_left_out() {
        let mut writer = Writer::default();
        writer.given(1);
        writer.given(2);
        writer.derived(5, &[7], &[1]);
        writer.derived(6, &[1], &[1, 2]);
        writer.derived(7, &[8], &[5]);
        writer.refuted(&[6]);
        let step = Step { literals: vec![1], antecedents: vec![Number(0), Number(2)] };
        let answer = Kept::Refuted { steps: vec![step], concluded: vec![Number(1)] };
        assert_eq!(writer.finish(), Some(Transcript { answers: vec![answer] }));
        writer.derived(8, &[8], &[99]);
        assert_eq!(writer.finish(), None, "a step from what was never there");
    }
}
