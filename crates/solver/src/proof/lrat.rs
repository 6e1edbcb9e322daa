//! Proofs as text, to and from other checkers: the original clauses as DIMACS, the derived ones as LRAT.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use crate::proof::{ClauseId, DerivedClause, Literal, Origin, OriginalClause, Part, Proof};

/// The original clauses in DIMACS form, in their order.
pub fn dimacs_text(proof: &Proof) -> String {
    let variables = proof.originals.iter().flat_map(|clause| &clause.literals).map(|literal| literal.abs());
    let mut text = format!("p cnf {} {}\n", variables.max().unwrap_or(0), proof.originals.len());
    for clause in &proof.originals {
        text.push_str(&clause_text(&clause.literals));
        text.push('\n');
    }
    text
}

/// The derived clauses in LRAT form. LRAT numbers the clauses of the DIMACS text by position, so
/// clauses are renumbered.
pub fn lrat_text(proof: &Proof) -> String {
    let originals = proof.originals.iter().map(|clause| clause.id);
    let ids = originals.chain(proof.derived.iter().map(|clause| clause.id));
    let numbers: HashMap<ClauseId, usize> = ids.zip(1..).collect();
    let mut text = String::new();
    for clause in &proof.derived {
        let _ = write!(text, "{} {} ", numbers[&clause.id], clause_text(&clause.literals));
        for antecedent in &clause.antecedents {
            let _ = write!(text, "{} ", numbers[antecedent]);
        }
        text.push_str("0\n");
    }
    text
}

fn clause_text(literals: &[Literal]) -> String {
    let mut text = String::new();
    for literal in literals {
        let _ = write!(text, "{literal} ");
    }
    text.push('0');
    text
}

/// Why a text is no proof: the line, counted from one, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Where.
    pub line: usize,
    /// What.
    pub flaw: &'static str,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.flaw)
    }
}

impl std::error::Error for TextError {}

/// Reads clauses in DIMACS form, one per line. The header may be missing.
pub fn parse_dimacs(text: &str) -> Result<Vec<Vec<Literal>>, TextError> {
    let mut clauses = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with(['c', 'p']) {
            continue;
        }
        let flaw = |flaw| TextError { line: at + 1, flaw };
        let mut words = line.split_ascii_whitespace();
        clauses.push(literals(&mut words).map_err(flaw)?);
        if words.next().is_some() {
            return Err(flaw("something stands behind the clause"));
        }
    }
    Ok(clauses)
}

/// Reads a proof in LRAT form from clauses that are numbered by position, all of them in one part. Deletions
/// are passed over. What the proof says is for [`check`](crate::proof::check) to judge.
pub fn parse_lrat(clauses: &[Vec<Literal>], text: &str) -> Result<Proof, TextError> {
    let original = |(literals, number): (&Vec<Literal>, u64)| OriginalClause {
        id: ClauseId(number),
        literals: literals.clone(),
        origin: Origin::Part(Part(0)),
    };
    let mut proof = Proof { originals: clauses.iter().zip(1..).map(original).collect(), ..Proof::default() };
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace().peekable();
        let step = derived(&mut words).map_err(|flaw| TextError { line: at + 1, flaw })?;
        proof.derived.extend(step);
    }
    Ok(proof)
}

/// A step; none for a deletion or an empty line.
fn derived<'w>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'w str>>,
) -> Result<Option<DerivedClause>, &'static str> {
    let Some(id) = words.next() else { return Ok(None) };
    let id = ClauseId(id.parse().map_err(|_| "a step starts with its number")?);
    if words.peek() == Some(&"d") {
        return Ok(None);
    }
    let literals = literals(words)?;
    let mut antecedents = Vec::new();
    loop {
        let word = words.next().ok_or("the antecedents do not end with 0")?;
        // A negative number announces a step that resolution does not have.
        match word.parse().map_err(|_| "an antecedent is no clause number")? {
            0 => break,
            number => antecedents.push(ClauseId(number)),
        }
    }
    match words.next() {
        Some(_) => Err("something stands behind the antecedents"),
        None => Ok(Some(DerivedClause { id, literals, antecedents })),
    }
}

fn literals<'w>(words: &mut impl Iterator<Item = &'w str>) -> Result<Vec<Literal>, &'static str> {
    let mut literals = Vec::new();
    loop {
        let word = words.next().ok_or("a clause does not end with 0")?;
        match word.parse().map_err(|_| "a literal is no number")? {
            0 => return Ok(literals),
            literal => literals.push(literal),
        }
    }
}
