//! Outcomes as people read them.

use std::collections::BTreeSet;
use std::fmt::Write;

use rorqual::{Conclusion, Proof, Property, Refutation, Round, Unknown, cpu_time};
use rorqual_cfa::{Check, FunctionId, LocationId, Program};
use rorqual_evidence::{Invariant, LocationInvariant, Reason, Unwinding, assumptions_text};
use rorqual_logic::TermPool;
use rorqual_source::{Diagnostic, Span};
use rorqual_witness::{Summary, explain, story_text, summaries};

use super::advice::tried;
use super::names::NamesIn;
use super::progress::Counters;
use super::report::{Report, place, violation};
use crate::render::{self, Message};

/// Invariants of at most so many loops are shown, each cut to so many characters.
const SHOWN_INVARIANTS: usize = 10;
const SHOWN_FORMULA: usize = 400;
/// At most so many assertions that are not reached are named.
const SHOWN_NOTES: usize = 5;

impl Report<'_> {
    /// The whole report, but for the statistics.
    pub(crate) fn human(&self) -> String {
        let (decisive, _) = self.decisive();
        let mut text = format!("{}\n", decisive.verdict());
        text += &self.list();
        let mut told: BTreeSet<String> = BTreeSet::new();
        for round in &self.outcome.rounds {
            let is_decisive = std::ptr::eq(round, self.outcome.decisive());
            if !is_decisive && matches!(round.conclusion, Conclusion::Unsafe(_)) {
                for &at in &round.properties {
                    let _ = writeln!(text, "{}: {}", self.outcome.properties[at].name, violated(round));
                }
            }
            // The same place may stand in the way of many.
            let is_news = match &round.conclusion {
                Conclusion::Safe(_) => is_decisive,
                Conclusion::Unsafe(_) => true,
                Conclusion::Unknown(unknown) => told.insert(self.why(round, unknown).text),
            };
            if is_news {
                text += &self.details(round);
            }
        }
        text += &self.notes();
        // A proof says so in its first line.
        if decisive.word != "safe" && !self.outcome.assumptions.is_empty() {
            let _ = writeln!(text, "  = assuming {}", assumptions_text(&self.outcome.assumptions));
        }
        text
    }

    /// The answers for all checks, if there are several, and for the properties of those that are not safe. What many of them
    /// rest on is told once.
    fn list(&self) -> String {
        let mut text = String::new();
        if self.checks.len() > 1 {
            for line in self.lines() {
                let _ = writeln!(text, "{}: {}", line.check, line.verdict());
            }
        }
        if self.outcome.properties.len() <= 1 {
            return text;
        }
        let lines = self.property_lines();
        let open: BTreeSet<Check> =
            lines.iter().filter(|line| line.word != "safe").map(|line| line.check).collect();
        let mut notes: Vec<String> = Vec::new();
        for line in lines.iter().filter(|line| open.contains(&line.check)) {
            let Some(property) = line.property.map(|at| &self.outcome.properties[at]) else { continue };
            let verdict = match line.word {
                "safe" if !line.message.is_empty() => format!("safe {}", note(&mut notes, &line.message)),
                "unknown" => format!("unknown {}", note(&mut notes, &line.message)),
                word => word.to_owned(),
            };
            let mut what = property.description();
            if property.instance.span != Span::NONE {
                let program = &self.outcome.decisive().program;
                let _ = write!(what, " at {}", place(program, property.instance.span));
            }
            let _ = writeln!(text, "  {}: {verdict} [{what}]", property.name);
        }
        for (at, message) in notes.iter().enumerate() {
            let _ = writeln!(text, "  ({}) {message}", at + 1);
        }
        text
    }

    /// What is said of assertions that no execution reaches: a proof says nothing about them.
    fn notes(&self) -> String {
        let program = &self.outcome.decisive().program;
        let unreached = &self.outcome.unreached;
        let mut text = String::new();
        for &span in unreached.iter().take(SHOWN_NOTES) {
            let place = place(program, span);
            let _ = writeln!(text, "  = note: no execution reaches the assertion at {place}");
        }
        if unreached.len() > SHOWN_NOTES {
            let _ = writeln!(text, "  = note: nor {} more assertions", unreached.len() - SHOWN_NOTES);
        }
        text
    }

    /// Everything behind the verdict of a round.
    fn details(&self, round: &Round) -> String {
        let unknown = match &round.conclusion {
            Conclusion::Safe(proof) => return self.proof(round, proof),
            Conclusion::Unsafe(refutation) => return self.story(round, refutation),
            Conclusion::Unknown(unknown) => unknown,
        };
        let mut text = obstacle(round, unknown);
        text += &tried(round);
        if let Some(reason) = self.in_the_way(round, unknown) {
            let _ = writeln!(text, "  {reason}");
        }
        if let Some(next) = self.next(round, unknown) {
            let _ = writeln!(text, "  = help: {next}");
        }
        text
    }

    fn story(&self, round: &Round, refutation: &Refutation) -> String {
        let mut text = story_text(&round.program, &explain(&round.program, refutation.replay()));
        let _ = write!(text, "  = found by {}; replayed and confirmed in the interpreter", round.origin);
        if let Some(path) = &self.arguments.witness {
            let _ = write!(text, "; witness in {}", path.display());
        }
        if let Some(path) = &self.arguments.harness {
            let _ = write!(text, "; harness in {}", path.display());
        }
        text + "\n"
    }

    fn proof(&self, round: &Round, proof: &Proof) -> String {
        let mut text = String::new();
        if let Some(unwinding) = proof.unwinding() {
            let bounds = bounds(round, unwinding);
            let shown = bounds.iter().take(SHOWN_INVARIANTS).cloned().collect::<Vec<_>>().join(", ");
            let more = bounds.len().saturating_sub(SHOWN_INVARIANTS);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            let colon = if bounds.is_empty() { "" } else { ": " };
            let what = if unwinding.inductive.is_empty() {
                "every execution is bounded"
            } else {
                "bounds and induction"
            };
            let _ = writeln!(text, "  {what}{colon}{shown}{more}");
        }
        let loops = proof.invariant().map_or(Vec::new(), |invariant| loop_invariants(round, invariant));
        let cut = |formula: &str| {
            let cut: String = formula.chars().take(SHOWN_FORMULA).collect();
            if cut.len() < formula.len() { cut + " …" } else { cut }
        };
        for (place, formula) in loops.iter().take(SHOWN_INVARIANTS) {
            let _ = writeln!(text, "  loop at {place}: {}", cut(formula));
        }
        let summaries =
            proof.invariant().map_or(Vec::new(), |invariant| function_summaries(round, invariant));
        for summary in summaries.iter().take(SHOWN_INVARIANTS) {
            let _ = writeln!(text, "  {}", cut(summary));
        }
        if loops.len() > SHOWN_INVARIANTS {
            let _ = writeln!(text, "  and invariants of {} more loops", loops.len() - SHOWN_INVARIANTS);
        }
        let obligations = obligations(proof.obligations());
        let _ = write!(text, "  = found by {}; proof checked again: {obligations}", round.origin);
        if let Some(path) = &self.arguments.certificate {
            let _ = write!(text, "; certificate in {}", path.display());
        }
        text + "\n"
    }

    /// How much work it was.
    pub(crate) fn statistics(&self) -> String {
        let mut text = String::new();
        if let Some(store) = &self.outcome.store {
            let _ = writeln!(text, "  properties answered by the store: {}", store.hits);
            if store.adapted > 0 {
                let _ = writeln!(text, "  of these by proofs of earlier versions: {}", store.adapted);
            }
            let _ = writeln!(text, "  properties not answered by the store: {}", store.misses);
            let _ = writeln!(text, "  entries added to the store: {}", store.written);
            let _ = writeln!(text, "  stored entries that do not hold: {}", store.refused);
            let _ = writeln!(text, "  time saved by the store: {:.3} s", store.saved.as_secs_f64());
        }
        statistics(self.counters, &text)
    }
}

/// How much work it was, and what else there is to tell of it, on lines of its own.
pub(crate) fn statistics(counters: &Counters, more: &str) -> String {
    let mut text = String::from("statistics:\n");
    for (name, count) in counters.named() {
        let _ = writeln!(text, "  {name}: {count}");
    }
    text + more + &format!("  cpu time: {:.3} s\n", cpu_time().as_secs_f64())
}

/// What there is to say of a reason.
fn obstacle(round: &Round, unknown: &Unknown) -> String {
    match unknown {
        Unknown::Undecided(reason) => undecided_details(round, reason),
        Unknown::Unconfirmed { obligation, reason } => format!(
            "  it is not proved that {obligation}: {reason}\n  = note: the checker knows less about memory than the \
             engines; until it agrees, no verdict is given\n"
        ),
        Unknown::Approximated { span, .. } => picture(
            round,
            *span,
            "the value of this may be anything in the search, so the violation may not be real",
            "avoid it, or assume something about its result",
        ),
        Unknown::UndefinedBefore { span, .. } => picture(
            round,
            *span,
            "a verdict speaks of executions without undefined behaviour up to the violation",
            "fix this place first",
        ),
        Unknown::RestsOnUndefined { span, story, .. } => {
            let picture = picture(
                round,
                *span,
                "no execution without undefined behaviour violates the specification, but those that go on after \
                 this may",
                "fix this place first",
            );
            story_text(&round.program, story) + &picture
        }
        Unknown::NotReplayed { execution, dump } => {
            let problem = crate::replay::reason(&round.program, &execution.execution.outcome);
            format!(
                "internal error: the trace ends otherwise: {problem}; no verdict is reported\n{dump}\n  = help: \
                 please report this, with the command line and the program\n"
            )
        }
    }
}

/// What there is to say of a reason why engines found no verdict.
fn undecided_details(round: &Round, reason: &Reason) -> String {
    match reason {
        Reason::Unsupported { span, .. } => picture(
            round,
            *span,
            "no verdict is given, because skipping this could hide a bug",
            "leave it out of the program, or replace it by something simpler",
        ),
        Reason::Unmodelled { span, .. } => picture(
            round,
            *span,
            "the function has one right result for its arguments, and it is not known here",
            "give a model of the function with `--model FILE`",
        ),
        Reason::Limit(_) | Reason::Solver(_) | Reason::Bound { .. } | Reason::OutOfIdeas => String::new(),
    }
}

/// The number of a message, which is added if it is new.
fn note(notes: &mut Vec<String>, message: &str) -> String {
    let known = notes.iter().position(|known| known == message);
    let at = known.unwrap_or_else(|| {
        notes.push(message.to_owned());
        notes.len() - 1
    });
    format!("({})", at + 1)
}

/// What a round says of the property that it refutes.
fn violated(round: &Round) -> String {
    round.conclusion.refutation().map_or(String::new(), |refutation| violation(&round.program, refutation))
}

/// The properties of a program, one line for each.
pub(crate) fn property_list(program: &Program, properties: &[Property]) -> String {
    let width = properties.iter().map(|property| property.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for property in properties {
        let position = program.sources.position(property.instance.span);
        let (name, what) = (&property.name, property.description());
        let _ =
            writeln!(text, "{name:<width$}  {}:{}:{}: {what}", position.file, position.line, position.column);
    }
    text
}

fn picture(round: &Round, span: Span, note: &str, help: &str) -> String {
    let content = Diagnostic::error("this place decides", span).with_note(note, Span::NONE).with_help(help);
    Message { name: "unknown", content: &content }.render(&round.program.sources, &render::renderer())
}

/// How far loops and recursion go, as people read it.
fn bounds(round: &Round, unwinding: &Unwinding) -> Vec<String> {
    let program = &round.program;
    let of_loop = |(&(function, head), count): (&(FunctionId, LocationId), &u64)| {
        let unit = if *count == 1 { "iteration" } else { "iterations" };
        format!("loop at {} at most {count} {unit}", loop_place(program, function, head))
    };
    let of_function = |(&function, depth): (&FunctionId, &u64)| {
        format!("function {} at most {depth} calls at once", program.functions[function].name)
    };
    let of_induction = |(&(function, head), k): (&(FunctionId, LocationId), &u64)| {
        format!("loop at {} by induction (k = {k})", loop_place(program, function, head))
    };
    let loops = unwinding.loops.iter().filter(|(_, count)| **count > 0).map(of_loop);
    let inductive = unwinding.inductive.iter().map(of_induction);
    loops.chain(unwinding.depths.iter().map(of_function)).chain(inductive).collect()
}

/// Where a loop is.
pub(crate) fn loop_place(program: &Program, function: FunctionId, head: LocationId) -> String {
    let details = &program.functions[function];
    let statement = details.body.as_ref().and_then(|body| {
        let first = body.outgoing(head).next().map(|edge| body.edges()[edge].span);
        body.locations()[head].loop_statements.first().copied().or(first)
    });
    place(program, statement.unwrap_or(details.span))
}

/// What functions require and ensure, one line for each.
fn function_summaries(round: &Round, invariant: &Invariant) -> Vec<String> {
    let all = summaries(&round.program, invariant).into_iter().filter(|summary| !summary.is_loop);
    let line = |summary: Summary| {
        let ensured = summary.summaries.join(" and ");
        format!("function {} requires {} and ensures {ensured}", summary.function, summary.guard)
    };
    all.map(line).collect()
}

/// What functions and loops require and ensure, for `show summaries`.
pub(crate) fn all_summaries(round: &Round, invariant: &Invariant) -> String {
    let mut text = String::new();
    for summary in summaries(&round.program, invariant) {
        let what = if summary.is_loop { "loop in " } else { "" };
        let _ = writeln!(text, "{what}{} ({})", summary.function, place(&round.program, summary.span));
        let _ = writeln!(text, "  guard: {}", summary.guard);
        for ensured in &summary.summaries {
            let _ = writeln!(text, "  summary: {ensured}");
        }
    }
    text
}

/// The invariants at loops, with their places, as people read them.
pub(crate) fn loop_invariants(round: &Round, invariant: &Invariant) -> Vec<(String, String)> {
    let program = &round.program;
    let mut loops = Vec::new();
    for one in &invariant.locations {
        let function = &program.functions[one.calls.function(program)];
        let Some(body) = &function.body else { continue };
        if let Some(&statement) = body.locations()[one.location].loop_statements.first() {
            let names = NamesIn::new(program, one.calls.function(program));
            loops.push((place(program, statement), for_people(&invariant.pool, one, &names)));
        }
    }
    for contract in &invariant.contracts {
        let body = program.functions[contract.function].body.as_ref();
        let head = contract.head.zip(body).map(|(head, body)| &body.locations()[head]);
        if let Some(&statement) = head.and_then(|head| head.loop_statements.first()) {
            let names = NamesIn::new(program, contract.function);
            let guard = invariant.pool.display_with(contract.requires, &names).to_string();
            loops.push((place(program, statement), guard));
        }
    }
    loops
}

/// An invariant as people read it.
fn for_people(pool: &TermPool, invariant: &LocationInvariant, names: &NamesIn<'_>) -> String {
    let shown = |term| pool.display_with(term, names).to_string();
    let bound: Vec<String> = invariant.bound.iter().map(|&one| shown(one)).collect();
    let formula = shown(invariant.formula);
    if bound.is_empty() { formula } else { format!("for all {}: {formula}", bound.join(", ")) }
}

/// How many obligations a proof has.
pub(crate) fn obligations(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} obligation{ending}")
}
