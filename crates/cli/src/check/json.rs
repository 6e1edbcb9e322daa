//! Outcomes as JSON; `docs/formats/check-json.md` describes the object.

use std::collections::BTreeSet;

use rorqual::{Attempt, Conclusion, Property, Refutation, Round, StoreReport, Unknown, cpu_time};
use rorqual_cfa::{FunctionId, LocationId, Program};
use rorqual_evidence::{Assumption, Origin, Stored, Unwinding, assumptions_text};
use rorqual_source::Span;
use rorqual_witness::{StoryLine, explain};
use serde_json::{Map, Value, json};

use super::advice::ended;
use super::human::{loop_invariants, loop_place};
use super::progress::Counters;
use super::report::{Line, Report};

/// The version of the object.
const VERSION: u32 = 2;

/// The least that can be said: a verdict whose details there is no time for.
pub(crate) fn brief(engine: &str, verdict: &str, (kind, text): (&str, &str), counters: &Counters) -> String {
    let what = if verdict == "unknown" { json!({ "kind": kind, "text": text }) } else { json!(text) };
    let name = if verdict == "unknown" { "reason" } else { "message" };
    let statistics = counted(counters);
    document(&json!({
        "version": VERSION, "verdict": verdict, "engine": engine, name: what, "statistics": statistics
    }))
}

fn document(object: &Value) -> String {
    serde_json::to_string_pretty(object).expect("the object has only text and numbers") + "\n"
}

impl Report<'_> {
    /// The object, as text that ends with a newline.
    pub(crate) fn json(&self) -> String {
        let round = self.outcome.decisive();
        let program = &round.program;
        let (decisive, _) = self.decisive();
        let assumptions = self.outcome.assumptions_of(round);
        let unreached = self.outcome.unreached.iter();
        let mut object = json!({
            "version": VERSION,
            "verdict": decisive.word,
            "engine": self.choice.name,
            "origin": origin(&round.origin),
            "checks": self.lines().iter().map(|line| check(program, line)).collect::<Vec<Value>>(),
            "properties": self.property_lines().iter().map(|line| self.property(line)).collect::<Vec<Value>>(),
            "assumptions": assumptions.iter().map(|one| assumption(program, one)).collect::<Vec<Value>>(),
            "unreached": unreached.map(|&span| position(program, span)).collect::<Vec<Value>>(),
            "statistics": counted(self.counters),
        });
        let fields = object.as_object_mut().expect("it was made as an object");
        if let Some(report) = &self.outcome.store {
            fields.insert("store".to_owned(), store(report, &self.outcome.properties));
        }
        self.add_evidence(fields, round, &decisive);
        document(&object)
    }

    fn add_evidence(&self, fields: &mut Map<String, Value>, round: &Round, decisive: &Line<'_>) {
        let program = &round.program;
        let mut add = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        match &round.conclusion {
            Conclusion::Safe(proof) => {
                add("obligations", json!(proof.obligations()));
                let loops =
                    proof.invariant().map_or(Vec::new(), |invariant| loop_invariants(round, invariant));
                let entry =
                    |(place, formula): (String, String)| json!({ "place": place, "formula": formula });
                add("invariants", loops.into_iter().map(entry).collect());
                if let Some(unwinding) = proof.unwinding() {
                    add("bounds", bounds(program, unwinding));
                }
            }
            Conclusion::Unsafe(refutation) => {
                add("message", json!(decisive.message));
                add("violation", position(program, refutation.span()));
                add("trace", trace(program, &explain(program, refutation.replay())));
                add("inputs", inputs(program, refutation));
            }
            Conclusion::Unknown(unknown) => {
                if let Unknown::RestsOnUndefined { story, .. } = unknown {
                    add("trace", trace(program, story));
                }
                add("reason", self.reason(round, unknown));
            }
        }
    }

    /// What is said about one property.
    fn property(&self, line: &Line<'_>) -> Value {
        let program = &self.outcome.decisive().program;
        let mut object = check(program, line);
        let Some(property) = line.property.map(|at| &self.outcome.properties[at]) else { return object };
        describe(&mut object, property);
        let Some(round) = line.round else { return object };
        if let Conclusion::Unsafe(refutation) = &round.conclusion
            && let Some(executed) = executed(&round.program, refutation)
        {
            object["executed"] = executed;
        }
        match &round.conclusion {
            Conclusion::Safe(_) => {
                let assumptions = self.outcome.assumptions_of(round);
                object["assumptions"] = assumptions.iter().map(|one| assumption(program, one)).collect();
            }
            // That of the verdict stands in the object itself, and may be long.
            Conclusion::Unsafe(_) if std::ptr::eq(round, self.outcome.decisive()) => {}
            Conclusion::Unsafe(refutation) => {
                object["trace"] = trace(&round.program, &explain(&round.program, refutation.replay()));
                object["inputs"] = inputs(&round.program, refutation);
            }
            Conclusion::Unknown(unknown) => object["reason"] = self.reason(round, unknown),
        }
        object
    }

    /// Why there is no verdict.
    fn reason(&self, round: &Round, unknown: &Unknown) -> Value {
        let why = self.why(round, unknown);
        let mut reason = json!({ "kind": why.kind, "text": why.text });
        if let Some(span) = why.span {
            reason["at"] = position(&round.program, span);
        }
        let tried = |attempt: &Attempt| {
            let ended = ended(round, attempt);
            json!({ "origin": origin(&attempt.origin), "seconds": attempt.time.as_secs_f64(), "ended": ended })
        };
        reason["tried"] = round.attempts.iter().map(tried).collect();
        reason["in_the_way"] = self.in_the_way(round, unknown).into();
        reason["next"] = self.next(round, unknown).into();
        reason
    }
}

/// How much work it was.
fn counted(counters: &Counters) -> Value {
    let named = counters.named().into_iter();
    let mut object: Map<String, Value> =
        named.map(|(name, count)| (name.replace(' ', "_"), count.into())).collect();
    object.insert("cpu_seconds".to_owned(), cpu_time().as_secs_f64().into());
    Value::Object(object)
}

/// The properties of a program, as text that ends with a newline.
pub(crate) fn property_list(program: &Program, properties: &[Property]) -> String {
    let entry = |property: &Property| {
        let instance = &property.instance;
        let mut object = json!({ "check": instance.check().name(), "at": position(program, instance.span) });
        describe(&mut object, property);
        object
    };
    document(
        &json!({ "version": VERSION, "properties": properties.iter().map(entry).collect::<Vec<Value>>() }),
    )
}

fn describe(object: &mut Value, property: &Property) {
    object["id"] = property.name.as_str().into();
    object["description"] = property.description().into();
}

fn inputs(program: &Program, refutation: &Refutation) -> Value {
    let input = |record: &rorqual_interpreter::InputRecord| {
        let at = position(program, record.span);
        json!({ "origin": record.origin, "value": record.value.to_string(), "at": at })
    };
    refutation.replay().execution.inputs.iter().map(input).collect()
}

/// The functions that a violation executes, unless its beginning is not known any more.
fn executed(program: &Program, refutation: &Refutation) -> Option<Value> {
    let recording = &refutation.replay().recording;
    let functions: BTreeSet<FunctionId> = recording.steps().iter().map(|step| step.function).collect();
    let names: BTreeSet<&str> =
        functions.iter().map(|&function| program.functions[function].name.as_str()).collect();
    (recording.dropped_steps() == 0).then(|| json!(names))
}

fn origin(origin: &Origin) -> Value {
    json!({
        "technique": origin.technique.name(),
        "with_facts": origin.with_facts,
        "heap_free": origin.heap_free,
        "stored": origin.stored.is_some(),
        "earlier_version": origin.stored == Some(Stored::EarlierVersion),
    })
}

/// What a store was good for.
fn store(report: &StoreReport, properties: &[Property]) -> Value {
    let notices: Vec<String> = report.notices.iter().map(ToString::to_string).collect();
    let functions: Map<String, Value> = report
        .functions
        .iter()
        .map(|function| (function.name.clone(), function.hash.as_str().into()))
        .collect();
    let names = properties.iter().map(|property| property.name.clone());
    let contents: Map<String, Value> =
        names.zip(report.contents.iter().map(|hash| hash.as_str().into())).collect();
    json!({
        "hits": report.hits,
        "adapted": report.adapted,
        "given_up": report.given_up,
        "functions": functions,
        "properties": contents,
        "misses": report.misses,
        "written": report.written,
        "refused": report.refused,
        "seconds_saved": report.saved.as_secs_f64(),
        "warnings": notices,
    })
}

fn trace(program: &Program, story: &[StoryLine]) -> Value {
    let step = |line: &StoryLine| json!({ "at": position(program, line.span), "text": line.text });
    story.iter().map(step).collect()
}

/// What is said about one check.
fn check(program: &Program, line: &Line<'_>) -> Value {
    let mut object = json!({ "check": line.check.name(), "verdict": line.word });
    if !line.message.is_empty() {
        object["message"] = line.message.as_str().into();
    }
    if let Some(span) = line.span {
        object["at"] = position(program, span);
    }
    if let Some(round) = line.round {
        object["origin"] = origin(&round.origin);
    }
    object
}

fn assumption(program: &Program, assumption: &Assumption) -> Value {
    let text = assumptions_text(std::slice::from_ref(assumption));
    match assumption {
        Assumption::Function { name, effect } => {
            json!({ "kind": effect.word(), "function": name, "text": text })
        }
        Assumption::AllocationSucceeds => json!({ "kind": "allocation-succeeds", "text": text }),
        Assumption::StackHasRoom => json!({ "kind": "stack-has-room", "text": text }),
        Assumption::Defined { hazard, .. } => {
            json!({ "kind": "defined", "at": position(program, hazard.span(program)), "text": text })
        }
    }
}

fn position(program: &Program, span: Span) -> Value {
    let position = program.sources.position(span);
    json!({ "file": position.file, "line": position.line, "column": position.column })
}

/// How far loops and recursion go.
fn bounds(program: &Program, unwinding: &Unwinding) -> Value {
    let of_loop = |(&(function, head), count): (&(FunctionId, LocationId), &u64)| {
        json!({
            "function": program.unique_name(function),
            "place": loop_place(program, function, head),
            "iterations": count,
        })
    };
    let of_function = |(&function, depth): (&FunctionId, &u64)| json!({ "function": program.unique_name(function), "depth": depth });
    let loops: Vec<Value> = unwinding.loops.iter().map(of_loop).collect();
    let recursion: Vec<Value> = unwinding.depths.iter().map(of_function).collect();
    let of_induction = |(&(function, head), k): (&(FunctionId, LocationId), &u64)| json!({ "function": program.unique_name(function), "place": loop_place(program, function, head), "k": k });
    let inductive: Vec<Value> = unwinding.inductive.iter().map(of_induction).collect();
    let mut bounds = json!({ "loops": loops, "recursion": recursion });
    if !inductive.is_empty() {
        bounds["inductive"] = inductive.into();
    }
    bounds
}
