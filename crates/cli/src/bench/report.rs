//! The summary of a run: failures first, then a table.

use rorqual_benchmark::{Class, Counts, Evidence, Row, Status, Summary, shared_folder};

use super::table::Table;

/// The whole summary.
pub(super) fn text(rows: &[Row]) -> String {
    let shared = shared_folder(rows);
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|row| &row.task);
    let wrong = failures(&rows, Status::Wrong, "wrong verdicts", |row| {
        // Accepted evidence for a wrong verdict puts the task definition into doubt.
        let evidence =
            if row.evidence == Evidence::None { String::new() } else { format!(" ({})", row.evidence) };
        format!("expected {}, found {}{evidence}", row.expected, row.verdict)
    });
    let rejected = failures(&rows, Status::Rejected, "rejected evidence", |row| match &row.evidence {
        Evidence::Rejected(reason) => format!("{}: {reason}", row.verdict),
        other => other.to_string(),
    });
    let summary = Summary::new(rows);
    let total = &summary.total;
    let last = format!(
        "{} of {} tasks solved, score {} of {}\n",
        total.solved(),
        total.tasks,
        total.score,
        total.max_score
    );
    [wrong, rejected, table(&summary, shared), last, origins(total)].concat()
}

/// What found the answers, most first.
fn origins(total: &Counts) -> String {
    let mut origins: Vec<(&String, &usize)> = total.origins.iter().collect();
    origins.retain(|(origin, _)| !origin.is_empty());
    origins.sort_by_key(|&(origin, &count)| (std::cmp::Reverse(count), origin));
    let told: Vec<String> = origins.iter().map(|(origin, count)| format!("{count} by {origin}")).collect();
    if told.is_empty() { String::new() } else { format!("found: {}\n", told.join("; ")) }
}

fn failures(rows: &[&Row], status: Status, title: &str, detail: impl Fn(&Row) -> String) -> String {
    let found: Vec<_> = rows.iter().filter(|row| row.status() == status).collect();
    if found.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = found.iter().map(|row| format!("  {}: {}\n", row.task, detail(row))).collect();
    format!("{title}: {}\n{}\n", found.len(), lines.concat())
}

/// A column: its heading, and its value for a line.
type Column = (String, Box<dyn Fn(&Counts) -> String>);

/// The table; the folder that all tasks share is said once.
fn table(summary: &Summary, shared: &str) -> String {
    let columns = columns(&summary.total);
    let headings = columns.iter().map(|(heading, _)| heading.clone());
    let (heading, shared) = match summary.folders.len() {
        0 | 1 => ("folder".to_owned(), ""),
        _ if shared.is_empty() => ("folder".to_owned(), ""),
        _ => (format!("folder in {shared}"), shared),
    };
    let mut table = Table::new(std::iter::once(heading).chain(headings));
    let line = |name: &str, counts: &Counts| {
        let values: Vec<String> = columns.iter().map(|(_, value)| value(counts)).collect();
        std::iter::once(name.to_owned()).chain(values).collect::<Vec<_>>()
    };
    for (folder, counts) in &summary.folders {
        // The shared folder itself has no slash at its end.
        let inner = if shared.is_empty() { folder } else { folder.strip_prefix(shared).unwrap_or(".") };
        table.add(line(inner, counts));
    }
    table.add(line("total", &summary.total));
    table.text()
}

/// Columns that would be empty are left out, but a zero below `wrong` is worth seeing.
fn columns(total: &Counts) -> Vec<Column> {
    let count = |heading: &str, value: fn(&Counts) -> usize| -> Column {
        (heading.to_owned(), Box::new(move |counts| value(counts).to_string()))
    };
    let mut columns = vec![
        count("tasks", |counts| counts.tasks),
        count("safe", |counts| counts.correct_safe),
        count("unsafe", |counts| counts.correct_unsafe),
        count("wrong", |counts| counts.wrong),
    ];
    if total.rejected > 0 {
        columns.push(count("rejected", |counts| counts.rejected));
    }
    for class in Class::ALL.into_iter().filter(|class| total.unknown.contains_key(class)) {
        let value = move |counts: &Counts| counts.unknown.get(&class).copied().unwrap_or(0).to_string();
        columns.push((class.to_string(), Box::new(value)));
    }
    columns.push(("score".to_owned(), Box::new(|counts| counts.score.to_string())));
    columns.push(("CPU s".to_owned(), Box::new(|counts| format!("{:.1}", counts.cpu_total().as_secs_f64()))));
    let median = |counts: &Counts| {
        counts.cpu_median().map_or("-".to_owned(), |time| format!("{:.2}", time.as_secs_f64()))
    };
    columns.push(("median s".to_owned(), Box::new(median)));
    columns
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rorqual_benchmark::{Expected, Reason, Usage, Verdict};

    use super::*;

    fn row(task: &str, expected: Expected, verdict: Verdict, seconds: u64) -> Row {
        let time = Duration::from_secs(seconds);
        let usage = Usage { cpu: time, wall: time, memory: 1_000_000 };
        let (task, evidence) = (task.to_owned(), Evidence::None);
        let origin = String::new();
        Row { task, expected, verdict, origin, usage, evidence, evidence_usage: None }
    }

    fn unknown(task: &str, class: Class) -> Row {
        let reason = Reason { class, text: class.to_string() };
        row(task, Expected::Safe, Verdict::Unknown(reason), 60)
    }

    #[test]
    fn failures_come_first_and_folders_are_added_up() {
        let rejected = Evidence::Rejected("consecution fails at b.c:7".to_owned());
        let rows = [
            row("loops/a.yml", Expected::Safe, Verdict::Safe, 12),
            Row { evidence: rejected, ..row("loops/b.yml", Expected::Safe, Verdict::Safe, 1) },
            row("locks/c.yml", Expected::Unsafe, Verdict::Safe, 1),
            row("locks/d.yml", Expected::Unsafe, Verdict::Unsafe, 2),
            unknown("locks/e.yml", Class::Timeout),
            unknown("recursive/f.yml", Class::Crash),
        ];
        insta::assert_snapshot!(text(&rows));
    }

    #[test]
    fn a_folder_that_all_tasks_share_is_said_once() {
        let safe = |task| row(task, Expected::Safe, Verdict::Safe, 1);
        let rows = [safe("../bench/a/1.yml"), safe("../bench/b/2.yml"), safe("../bench/3.yml")];
        insta::assert_snapshot!(text(&rows));
    }

    #[test]
    fn columns_of_zeros_are_left_out() {
        insta::assert_snapshot!(text(&[row("a.yml", Expected::Safe, Verdict::Safe, 1)]));
    }
}
