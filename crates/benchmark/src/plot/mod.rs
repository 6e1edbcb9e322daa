//! Plots as SVG: plain text that browsers and papers can show.

mod axis;
mod cactus;
mod scatter;
mod svg;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use cactus::cactus;
pub use scatter::scatter;

/// The colours of Okabe and Ito, which people with any colour vision can tell apart. Marks and
/// dashes differ too, so that nothing depends on colour alone.
const BLUE: &str = "#0072b2";
const ORANGE: &str = "#e69f00";
const GREEN: &str = "#009e73";
const RED: &str = "#d55e00";
const INK: &str = "#222222";
const GREY: &str = "#9a9a9a";
const LIGHT: &str = "#e4e4e4";

/// The shortest time that plots tell apart, in seconds.
const SHORTEST: f64 = 0.01;

/// A CPU time as plots show it.
fn seconds(time: Duration) -> f64 {
    time.as_secs_f64().max(SHORTEST)
}
