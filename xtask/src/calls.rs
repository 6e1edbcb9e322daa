//! Chains and trees of calls of one helper: how much work engines have with them.
//!
//! What is shared by calls costs an engine with summaries once, and an engine that inlines once for each call.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{Report, Trouble};

/// What is compared: a name, options of `check`, and the colour of its lines.
const SEARCHES: [(&str, &[&str], &str); 3] = [
    ("summaries", &["--strategy", "summaries"], "#1b6ca8"),
    ("whale", &["--engine", "whale", "--merge", "yes"], "#2e8b57"),
    ("impact", &["--engine", "impact"], "#c0392b"),
];

/// A function that is called again and again.
struct Helper {
    name: &'static str,
    text: &'static str,
    /// What must not hold in the end.
    bad: &'static str,
}

const HELPERS: [Helper; 3] = [
    Helper {
        name: "protocol",
        text: "int state;

static void helper(int event) {
    if (state < 0 || state > 3)
        reach_error();
    switch (state) {
    case 0:
        if (event == 1)
            state = 1;
        break;
    case 1:
        if (event == 2)
            state = 2;
        else if (event == 0)
            state = 0;
        break;
    case 2:
        state = event == 3 ? 3 : 1;
        break;
    default:
        state = 0;
    }
}
",
        bad: "state < 0 || state > 3",
    },
    Helper {
        name: "account",
        text: "int total;

static void helper(int amount) {
    if (total < 0 || total > 1000)
        reach_error();
    if (amount < 0) {
        if (amount < -total)
            total = 0;
        else
            total = total + amount;
    } else if (amount > 1000 - total) {
        total = 1000;
    } else {
        total = total + amount;
    }
}
",
        bad: "total < 0 || total > 1000",
    },
    Helper {
        name: "lock",
        text: "int locked, work;

static void helper(int units) {
    int left = units, done = 0;
    if (units < 0)
        return;
    if (locked)
        reach_error();
    locked = 1;
    while (left > 0) {
        if (done + left != units || !locked)
            reach_error();
        work++;
        left--;
        done++;
    }
    if (done != units)
        reach_error();
    locked = 0;
}
",
        bad: "locked",
    },
];

/// `calls`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The binary that is measured
    #[arg(long, default_value = "target/release/rorqual")]
    binary: PathBuf,
    /// The most calls; numbers of calls double up to this
    #[arg(long, default_value_t = 64)]
    most: usize,
    /// The CPU time of one run
    #[arg(long, default_value = "60s")]
    time_limit: String,
    /// Where the plot goes
    #[arg(long, default_value = "calls.svg")]
    plot: PathBuf,
}

/// A family of programs.
#[derive(Debug, Clone, Copy)]
enum Family {
    /// One function calls the helper `n` times.
    Chain,
    /// Functions that call the next one twice; the last ones call the helper, `n` times in all.
    Tree,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::Tree => "tree",
        }
    }

    /// The program with `calls` calls of the helper.
    fn program(self, helper: &Helper, calls: usize) -> String {
        let mut text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n{}\n",
            helper.text
        );
        let call = match self {
            Family::Chain => "    helper(__VERIFIER_nondet_int());\n".repeat(calls),
            Family::Tree => {
                let mut below = "helper(__VERIFIER_nondet_int());\n".to_owned();
                for level in 0..calls.ilog2() {
                    let _ = writeln!(text, "static void level{level}(void) {{\n    {below}    {below}}}\n");
                    below = format!("level{level}();\n");
                }
                format!("    {below}")
            }
        };
        let _ = write!(
            text,
            "int main(void) {{\n{call}    if ({})\n        reach_error();\n    return 0;\n}}\n",
            helper.bad
        );
        text
    }
}

/// What a run took.
#[derive(Debug, Clone, Default)]
struct Work {
    verdict: String,
    nodes: String,
    refinements: String,
    seconds: Option<f64>,
}

/// Runs both families for all helpers and prints a table.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let directory = tempfile::tempdir()?;
    let numbers: Vec<usize> =
        (0..usize::BITS).map(|power| 1 << power).take_while(|&calls| calls <= arguments.most).collect();
    let mut panels: Vec<(&str, Vec<Line>)> = Vec::new();
    let mut report = Report::Clean;
    for helper in &HELPERS {
        println!("{}: nodes, refinements, CPU time\n", helper.name);
        let heads = SEARCHES.map(|(name, ..)| format!(" chain: {name} | tree: {name} |"));
        println!("| Calls |{}\n|---|{}", heads.concat(), "---|".repeat(2 * SEARCHES.len()));
        let mut lines: Vec<Line> = Vec::new();
        for (name, _, colour) in SEARCHES {
            for family in [Family::Chain, Family::Tree] {
                lines.push(Line {
                    name: format!("{} {name}", family.name()),
                    family,
                    colour,
                    points: Vec::new(),
                });
            }
        }
        for &calls in &numbers {
            print!("| {calls} |");
            for (number, line) in lines.iter_mut().enumerate() {
                let path = directory.path().join(format!("{}{calls}.c", line.family.name()));
                std::fs::write(&path, line.family.program(helper, calls))?;
                let work = measure(arguments, SEARCHES[number / 2].1, &path)?;
                print!(" {} |", work.cell());
                match (work.verdict.as_str(), work.seconds) {
                    ("safe", seconds) => line.points.extend(seconds.map(|seconds| (calls, seconds))),
                    ("unknown", _) => {}
                    _ => report = Report::Faults,
                }
            }
            println!();
        }
        println!();
        panels.push((helper.name, lines));
    }
    std::fs::write(&arguments.plot, plot(&panels))?;
    println!("The plot is in {}.", arguments.plot.display());
    Ok(report)
}

impl Work {
    /// What the table has: what was explored, if anything was, and the time.
    fn cell(&self) -> String {
        match self.seconds.filter(|_| self.verdict == "safe") {
            Some(seconds) if self.refinements.is_empty() => format!("–, {seconds:.2} s"),
            Some(seconds) => format!("{}, {}, {seconds:.2} s", self.nodes, self.refinements),
            None => self.verdict.clone(),
        }
    }
}

/// A line of the plot: times by numbers of calls.
struct Line {
    name: String,
    family: Family,
    colour: &'static str,
    points: Vec<(usize, f64)>,
}

fn measure(arguments: &Arguments, options: &[&str], path: &Path) -> Result<Work, Trouble> {
    let output = Command::new(&arguments.binary)
        .args(["check", "--stats", "--time-limit", &arguments.time_limit])
        .args(options)
        .arg(path)
        .output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let figure = |name: &str| {
        let line = messages.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or("").to_owned()
    };
    let verdict = String::from_utf8_lossy(&output.stdout);
    Ok(Work {
        verdict: verdict.split([':', '\n']).next().unwrap_or("").to_owned(),
        nodes: figure("nodes"),
        refinements: figure("refinements"),
        seconds: figure("cpu time").trim_end_matches(" s").parse().ok(),
    })
}

/// Lines over the number of calls, both axes by powers; a panel for each helper.
fn plot(panels: &[(&str, Vec<Line>)]) -> String {
    const SIZE: f64 = 300.0;
    const PANEL: f64 = 480.0;
    let width = PANEL * panels.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"370\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    for (number, (helper, lines)) in panels.iter().enumerate() {
        let left = PANEL * number as f64 + 60.0;
        let across = |calls: usize| left + SIZE * (calls as f64).log2() / 6.0;
        let down = |seconds: f64| 20.0 + SIZE * (2.0 - seconds.max(0.001).log10()) / 5.0;
        for power in 0..=6 {
            let at = across(1 << power);
            let _ = writeln!(text, "<text x=\"{at}\" y=\"340\" text-anchor=\"middle\">{}</text>", 1 << power);
        }
        let marks = [("1 ms", 0.001), ("10 ms", 0.01), ("0.1 s", 0.1), ("1 s", 1.0), ("10 s", 10.0)];
        for (label, seconds) in marks {
            let (at, right, beside) = (down(seconds), left + SIZE, left - 8.0);
            let _ = writeln!(
                text,
                "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at}\" y2=\"{at}\" stroke=\"#ddd\"/>"
            );
            let _ = writeln!(text, "<text x=\"{beside}\" y=\"{at}\" text-anchor=\"end\">{label}</text>");
        }
        let middle = left + SIZE / 2.0;
        let _ =
            writeln!(text, "<text x=\"{middle}\" y=\"360\" text-anchor=\"middle\">{helper}: calls</text>");
        let mut lowest = f64::INFINITY;
        let mut ends: Vec<(f64, f64, &Line)> = Vec::new();
        for line in lines {
            let dashes = if matches!(line.family, Family::Tree) { " stroke-dasharray=\"5 3\"" } else { "" };
            let at = |&(calls, seconds): &(usize, f64)| format!("{:.1},{:.1}", across(calls), down(seconds));
            let path: Vec<String> = line.points.iter().map(at).collect();
            let _ = writeln!(
                text,
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{dashes} points=\"{}\"/>",
                line.colour,
                path.join(" ")
            );
            ends.extend(
                line.points.last().map(|&(calls, seconds)| (across(calls) + 6.0, down(seconds), line)),
            );
        }
        // Names that would lie over each other move up.
        ends.sort_by(|one, other| other.1.total_cmp(&one.1));
        for (x, y, line) in ends {
            lowest = y.min(lowest - 13.0);
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{lowest:.1}\" fill=\"{}\">{}</text>",
                line.colour, line.name
            );
        }
    }
    text + "</svg>\n"
}
