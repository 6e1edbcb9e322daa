//! How many tasks are solved within a CPU time per task: the lower and longer a line, the better.

use super::axis::Axis;
use super::svg::{Anchor, Svg};
use super::{BLUE, INK, LIGHT, RED, SHORTEST, seconds};
use crate::Row;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 730.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 390.0;
const STYLES: [(&str, &str); 2] = [(BLUE, ""), (RED, "7 4")];

/// Draws a line for each set of results.
pub fn cactus(results: [&[Row]; 2], names: [&str; 2]) -> String {
    let times = results.map(solved_times);
    let most = times.iter().map(Vec::len).max().unwrap_or(0);
    let longest = times.iter().flatten().copied().fold(1.0, f64::max);
    let x = Axis::linear(LEFT, RIGHT, most as f64);
    let y = Axis::logarithmic(BOTTOM, TOP, SHORTEST, longest);
    let title = format!("Solved tasks by CPU time: {} and {}", names[0], names[1]);
    let mut svg = Svg::new(WIDTH, HEIGHT, &title);
    svg.text((LEFT, 26.0), Anchor::Start, &title);
    axes(&mut svg, &x, &y);
    for (index, times) in times.iter().enumerate() {
        let (colour, dashes) = STYLES[index];
        svg.polyline(&steps(times, &x, &y), colour, 2.0, dashes);
        let place = (LEFT + 320.0 * index as f64, BOTTOM + 70.0);
        svg.polyline(&[place, (place.0 + 30.0, place.1)], colour, 2.0, dashes);
        let words = format!("{} ({} solved)", names[index], times.len());
        svg.text((place.0 + 38.0, place.1 + 4.0), Anchor::Start, &words);
    }
    svg.finish()
}

/// The CPU times of the solved tasks, shortest first.
fn solved_times(rows: &[Row]) -> Vec<f64> {
    let solved = rows.iter().filter(|row| row.is_solved());
    let mut times: Vec<f64> = solved.map(|row| seconds(row.usage.cpu)).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// A staircase: the n-th step is as high as the n-th shortest time.
fn steps(times: &[f64], x: &Axis, y: &Axis) -> Vec<(f64, f64)> {
    let step = |(index, time): (usize, &f64)| {
        let height = y.place(*time);
        [(x.place(index as f64), height), (x.place((index + 1) as f64), height)]
    };
    times.iter().enumerate().flat_map(step).collect()
}

fn axes(svg: &mut Svg, x: &Axis, y: &Axis) {
    for (value, label) in x.ticks() {
        let across = x.place(value);
        svg.line((across, y.start), (across, y.end), LIGHT, "");
        svg.text((across, y.start + 18.0), Anchor::Middle, &label);
    }
    for (value, label) in y.ticks() {
        let up = y.place(value);
        svg.line((x.start, up), (x.end, up), LIGHT, "");
        svg.text((x.start - 8.0, up + 4.0), Anchor::End, &label);
    }
    svg.line((x.start, y.start), (x.end, y.start), INK, "");
    svg.line((x.start, y.start), (x.start, y.end), INK, "");
    svg.text((f64::midpoint(x.start, x.end), y.start + 42.0), Anchor::Middle, "solved tasks");
    let middle = f64::midpoint(y.start, y.end);
    svg.rotated_text((24.0, middle), Anchor::Middle, -90.0, "CPU time in s");
}
