//! Results as JSON; `docs/formats/check-json.md` describes the object.

use rorqual_source::Span;
use rorqual_witness::explain;
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
    assumptions: &[String],
) -> String {
    let verdict = line.split(':').next().unwrap_or(line);
    let mut object = json!({
        "version": VERSION,
        "verdict": verdict,
        "engine": circumstances.arguments.engine.name(),
        "checks": lines.iter().map(|line| check(circumstances, line)).collect::<Vec<Value>>(),
        "assumptions": assumptions,
        "statistics": statistics(circumstances),
    });
    let fields = object.as_object_mut().expect("it was made as an object");
    match &circumstances.round.answer {
        Answer::Safe { invariant, obligations } => {
            fields.insert("obligations".to_owned(), json!(obligations));
            let loops = circumstances.loop_invariants(invariant);
            let entry = |(place, formula): (String, String)| json!({ "place": place, "formula": formula });
            fields.insert("invariants".to_owned(), loops.into_iter().map(entry).collect());
        }
        Answer::Unsafe(replay) => {
            let place = |span: Span| position(circumstances, span);
            let story = explain(circumstances.program(), replay);
            let step =
                |line: &rorqual_witness::StoryLine| json!({ "at": place(line.span), "text": line.text });
            fields.insert("message".to_owned(), line.split_once(": ").map_or("", |(_, rest)| rest).into());
            fields.insert(
                "violation".to_owned(),
                replay.violation().map_or(Value::Null, |(_, span)| place(span)),
            );
            fields.insert("trace".to_owned(), story.iter().map(step).collect());
            let inputs = replay.execution.inputs.iter();
            let input = |record: &rorqual_interpreter::InputRecord| json!({ "origin": record.origin, "value": record.value.to_string(), "at": place(record.span) });
            fields.insert("inputs".to_owned(), inputs.map(input).collect());
        }
        other => {
            fields.insert("reason".to_owned(), circumstances.reason(other).into());
        }
    }
    let text = serde_json::to_string_pretty(&object).expect("the object has only text and numbers");
    text + "\n"
}

/// What is said about one check.
fn check(circumstances: &Circumstances<'_>, line: &Line) -> Value {
    let (verdict, message) = line.verdict.split_once(": ").unwrap_or((&line.verdict, ""));
    let mut object = json!({ "check": line.check.name(), "verdict": verdict });
    if !message.is_empty() {
        object["message"] = message.into();
    }
    if let Some(span) = line.span {
        object["at"] = position(circumstances, span);
    }
    object
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
