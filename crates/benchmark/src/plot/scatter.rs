//! One point per task: its CPU time with the first settings and with the second.

use super::axis::Axis;
use super::svg::{Anchor, Mark, Svg};
use super::{BLUE, GREEN, GREY, INK, LIGHT, ORANGE, RED, SHORTEST, seconds};
use crate::{Comparison, Pair, Row, Status};

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 690.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 60.0;
/// Where the axes end, and where the lanes for unsolved tasks lie beyond them.
const LENGTH: f64 = 440.0;
const LANE: f64 = 20.0;

/// Draws the tasks that at least one side has solved or got wrong.
pub fn scatter(comparison: &Comparison, names: [&str; 2]) -> String {
    let title = format!("CPU time per task: {} against {}", names[0], names[1]);
    let mut plot = Scatter::new(comparison, &title);
    plot.grid(names);
    plot.diagonals();
    plot.labels(names);
    let mut counts = [0; GROUPS.len()];
    for (pair, index) in comparison.pairs.iter().filter_map(|pair| Some((pair, group(pair)?))) {
        plot.point(pair, &GROUPS[index]);
        counts[index] += 1;
    }
    plot.legend(counts, names);
    plot.svg.finish()
}

/// Tasks that are drawn alike.
struct Group {
    mark: Mark,
    colour: &'static str,
    meaning: Meaning,
}

/// What the tasks of a group have in common.
enum Meaning {
    Both,
    /// Only this side has solved them.
    Only(usize),
    Failure,
}

const GROUPS: [Group; 4] = [
    Group { mark: Mark::Circle, colour: BLUE, meaning: Meaning::Both },
    Group { mark: Mark::Triangle, colour: ORANGE, meaning: Meaning::Only(0) },
    Group { mark: Mark::Square, colour: GREEN, meaning: Meaning::Only(1) },
    Group { mark: Mark::Cross, colour: RED, meaning: Meaning::Failure },
];

/// The index of a pair's group; `None` if there is nothing to see.
fn group(pair: &Pair) -> Option<usize> {
    let is_failure = |row: &Row| matches!(row.status(), Status::Wrong | Status::Rejected);
    if is_failure(&pair.first) || is_failure(&pair.second) {
        return Some(3);
    }
    match (pair.first.is_solved(), pair.second.is_solved()) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, true) => Some(2),
        (false, false) => None,
    }
}

struct Scatter {
    svg: Svg,
    x: Axis,
    y: Axis,
}

impl Scatter {
    fn new(comparison: &Comparison, title: &str) -> Scatter {
        let rows = comparison.pairs.iter().flat_map(|pair| [&pair.first, &pair.second]);
        let answered = rows.filter(|row| row.status() != Status::Unknown);
        let longest = answered.map(|row| seconds(row.usage.cpu)).fold(1.0, f64::max);
        let bottom = TOP + LENGTH + LANE;
        let x = Axis::logarithmic(LEFT, LEFT + LENGTH, SHORTEST, longest);
        let y = Axis::logarithmic(bottom, bottom - LENGTH, SHORTEST, longest);
        let mut svg = Svg::new(WIDTH, HEIGHT, title);
        svg.text((LEFT, 26.0), Anchor::Start, title);
        Scatter { svg, x, y }
    }

    fn grid(&mut self, names: [&str; 2]) {
        let (x, y) = (self.x, self.y);
        let (lane_x, lane_y) = (x.end + LANE, y.end - LANE);
        for (value, label) in x.ticks() {
            let (across, up) = (x.place(value), y.place(value));
            self.svg.line((across, y.start), (across, lane_y), LIGHT, "");
            self.svg.line((x.start, up), (lane_x, up), LIGHT, "");
            self.svg.text((across, y.start + 18.0), Anchor::Middle, &label);
            self.svg.text((x.start - 8.0, up + 4.0), Anchor::End, &label);
        }
        self.svg.line((x.start, y.start), (lane_x, y.start), INK, "");
        self.svg.line((x.start, y.start), (x.start, lane_y), INK, "");
        self.svg.line((lane_x, y.start), (lane_x, lane_y), GREY, "2 3");
        self.svg.line((x.start, lane_y), (lane_x, lane_y), GREY, "2 3");
        let lanes = names.map(|name| format!("not solved by {name}"));
        self.svg.rotated_text((lane_x + 16.0, y.start), Anchor::Start, -90.0, &lanes[0]);
        self.svg.text((x.start, lane_y - 8.0), Anchor::Start, &lanes[1]);
    }

    /// Equal times, and factors 2 and 10 to both sides.
    fn diagonals(&mut self) {
        for (factor, colour, dashes) in [(1.0, GREY, ""), (2.0, GREY, "6 4"), (10.0, GREY, "2 3")] {
            let (low, high) = (self.x.low(), self.x.high() / factor);
            let place = |a: f64, b: f64| (self.x.place(a), self.y.place(b));
            let above = [place(low, low * factor), place(high, high * factor)];
            let below = [place(low * factor, low), place(high * factor, high)];
            self.svg.line(above[0], above[1], colour, dashes);
            if factor > 1.0 {
                self.svg.line(below[0], below[1], colour, dashes);
                let label = format!("×{factor}");
                self.svg.text((above[0].0 + 4.0, above[0].1 - 8.0), Anchor::Start, &label);
                self.svg.text((below[0].0 + 8.0, below[0].1 - 4.0), Anchor::Start, &format!("÷{factor}"));
            }
        }
    }

    fn labels(&mut self, names: [&str; 2]) {
        let middle = f64::midpoint(self.x.start, self.x.end);
        let words = names.map(|name| format!("{name}: CPU time in s"));
        self.svg.text((middle, self.y.start + 40.0), Anchor::Middle, &words[0]);
        let middle = f64::midpoint(self.y.start, self.y.end);
        self.svg.rotated_text((24.0, middle), Anchor::Middle, -90.0, &words[1]);
    }

    fn point(&mut self, pair: &Pair, group: &Group) {
        let time = |row: &Row| (row.status() != Status::Unknown).then(|| seconds(row.usage.cpu));
        let place = |axis: &Axis, time: Option<f64>, lane| time.map_or(lane, |time| axis.place(time));
        let x = place(&self.x, time(&pair.first), self.x.end + LANE);
        let y = place(&self.y, time(&pair.second), self.y.end - LANE);
        let side = |row: &Row| format!("{} {:.2} s", row.status(), row.usage.cpu.as_secs_f64());
        let note = format!("{}: {}, {}", pair.task, side(&pair.first), side(&pair.second));
        self.svg.mark(group.mark, (x, y), group.colour, &note);
    }

    fn legend(&mut self, counts: [usize; GROUPS.len()], names: [&str; 2]) {
        for (index, (group, count)) in GROUPS.iter().zip(counts).enumerate() {
            let place = (LEFT, self.y.start + 66.0 + 20.0 * index as f64);
            self.svg.mark(group.mark, place, group.colour, "");
            let words = match group.meaning {
                Meaning::Both => "solved by both".to_owned(),
                Meaning::Only(side) => format!("solved by {} only", names[side]),
                Meaning::Failure => "wrong or rejected".to_owned(),
            };
            self.svg.text((place.0 + 14.0, place.1 + 4.0), Anchor::Start, &format!("{words} ({count})"));
        }
    }
}
