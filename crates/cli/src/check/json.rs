//! Results as JSON; `docs/formats/check-json.md` describes the object.

use rorqual_engine::{Assumption, assumptions_text};
use rorqual_source::Span;
use rorqual_witness::{StoryLine, explain};
use serde_json::{Value, json};

use super::table::Line;
use super::verdict::{Answer, Circumstances};
use super::watch::cpu_time;

/// The version of the object.
const VERSION: u32 = 1;

/// The object, as text that ends with a newline.
pub(crate) fn result(
    circumstances: &Circumstances<'_>,
    line: &str,
    lines: &[Line],
    unreached: &[Span],
) -> String {
    let mut object = json!({
        "version": VERSION,
        "verdict": circumstances.verdict(),
        "engine": circumstances.arguments.engine.name(),
        "checks": lines.iter().map(|line| check(circumstances, line)).collect::<Vec<Value>>(),
        "assumptions": assumptions(circumstances),
        "unreached": unreached.iter().map(|&span| position(circumstances, span)).collect::<Vec<Value>>(),
        "statistics": statistics(circumstances),
    });
    let fields = object.as_object_mut().expect("it was made as an object");
    match &circumstances.round.answer {
        Answer::Safe { invariant, obligations, .. } => {
            fields.insert("obligations".to_owned(), json!(obligations));
            let loops = circumstances.loop_invariants(invariant);
            let entry = |(place, formula): (String, String)| json!({ "place": place, "formula": formula });
            fields.insert("invariants".to_owned(), loops.into_iter().map(entry).collect());
        }
        Answer::Unsafe(replay) => {
            let place = |span: Span| position(circumstances, span);
            let story = explain(circumstances.program(), replay);
            fields.insert("message".to_owned(), line.split_once(": ").map_or("", |(_, rest)| rest).into());
            fields.insert(
                "violation".to_owned(),
                replay.violation().map_or(Value::Null, |(_, span)| place(span)),
            );
            fields.insert("trace".to_owned(), trace(circumstances, &story));
            let inputs = replay.execution.inputs.iter();
            let input = |record: &rorqual_interpreter::InputRecord| json!({ "origin": record.origin, "value": record.value.to_string(), "at": place(record.span) });
            fields.insert("inputs".to_owned(), inputs.map(input).collect());
        }
        other => {
            if let Answer::RestsOnUndefined { story, .. } = other {
                fields.insert("trace".to_owned(), trace(circumstances, story));
            }
            fields.insert("reason".to_owned(), circumstances.reason(other).into());
        }
    }
    let text = serde_json::to_string_pretty(&object).expect("the object has only text and numbers");
    text + "\n"
}

fn trace(circumstances: &Circumstances<'_>, story: &[StoryLine]) -> Value {
    let step = |line: &StoryLine| json!({ "at": position(circumstances, line.span), "text": line.text });
    story.iter().map(step).collect()
}

fn assumptions(circumstances: &Circumstances<'_>) -> Vec<Value> {
    circumstances.assumptions().iter().map(|one| assumption(circumstances, one)).collect()
}

/// What is said about one check.
fn check(circumstances: &Circumstances<'_>, line: &Line) -> Value {
    let message = line.verdict.split_once(": ").map_or("", |(_, message)| message);
    let mut object = json!({ "check": line.check.name(), "verdict": line.word });
    if !message.is_empty() {
        object["message"] = message.into();
    }
    if let Some(span) = line.span {
        object["at"] = position(circumstances, span);
    }
    object
}

fn assumption(circumstances: &Circumstances<'_>, assumption: &Assumption) -> Value {
    let text = assumptions_text(std::slice::from_ref(assumption));
    match assumption {
        Assumption::Function { name, effect } => {
            json!({ "kind": effect.word(), "function": name, "text": text })
        }
        Assumption::AllocationSucceeds => json!({ "kind": "allocation-succeeds", "text": text }),
        Assumption::StackHasRoom => json!({ "kind": "stack-has-room", "text": text }),
        Assumption::Defined { hazard, .. } => {
            let at = position(circumstances, hazard.span(circumstances.program()));
            json!({ "kind": "defined", "at": at, "text": text })
        }
    }
}

fn position(circumstances: &Circumstances<'_>, span: Span) -> Value {
    let position = circumstances.program().sources.position(span);
    json!({ "file": position.file, "line": position.line, "column": position.column })
}

fn statistics(circumstances: &Circumstances<'_>) -> Value {
    let counters = circumstances.counters.named().into_iter();
    let mut object: serde_json::Map<String, Value> =
        counters.map(|(name, count)| (name.replace(' ', "_"), count.into())).collect();
    object.insert("cpu_seconds".to_owned(), cpu_time().as_secs_f64().into());
    Value::Object(object)
}
