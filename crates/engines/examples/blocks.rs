//! Basic blocks against large ones: `cargo run --release -p rorqual-engines --example blocks SECONDS FILE.c…` runs IMPACT
//! on each file with both, for at most so many seconds each (ILP32). One line per file: verdict, nodes, refinements and
//! seconds, first with basic blocks, then with large ones.

use std::time::{Duration, Instant};

use rorqual_cfa::DataModel;
use rorqual_engines::impact::Impact;
use rorqual_engines::{Blocks, Engine, Task};
use rorqual_evidence::{Event, Observer, Verdict};
use rorqual_solver::Limits;

#[derive(Default)]
struct Counter {
    nodes: usize,
    refinements: usize,
}

impl Observer for Counter {
    fn on(&mut self, event: Event) {
        match event {
            Event::Expanded { .. } => self.nodes += 1,
            Event::Refining { .. } => self.refinements += 1,
            _ => {}
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds =
        arguments.next().and_then(|text| text.parse().ok()).expect("the first argument is a number");
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let program = rorqual_testkit::program_for(DataModel::Ilp32, &text);
        print!("{file}");
        for blocks in [Blocks::Basic, Blocks::Large] {
            let (mut counter, start) = (Counter::default(), Instant::now());
            let limits = Limits::none().with_duration(Duration::from_secs(seconds));
            let impact = Impact { blocks, ..Impact::default() };
            let answer = impact.run(&Task::new(&program), &mut (), &limits, &mut counter);
            let verdict = match answer.verdict {
                Verdict::Safe(_) => "safe",
                Verdict::Unsafe(_) => "unsafe",
                Verdict::Unknown(_) => "unknown",
            };
            let Counter { nodes, refinements } = counter;
            let seconds = start.elapsed().as_secs_f64();
            print!(" | {blocks:?} {verdict} {nodes} {refinements} {seconds:.2}");
        }
        println!();
    }
}
