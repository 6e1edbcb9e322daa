//! Shapes and words of an SVG document.

use std::fmt::Write;

use super::INK;

/// A document that is being drawn.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Circle,
    Triangle,
    Square,
    Cross,
}

impl Svg {
    /// An empty page.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut text = String::new();
        let title = escaped(title);
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"{INK}\" role=\"img\">\n\
             <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
        );
        Svg { text }
    }

    /// A straight line; `dashes` as in the attribute, empty for none.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, dashes: &str) {
        self.polyline(&[from, to], colour, 1.0, dashes);
    }

    /// A line through points.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], colour: &str, width: f64, dashes: &str) {
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes =
            if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let points = points.join(" ");
        let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}");
        self.element(&format!("<polyline points=\"{points}\" {style}/>"));
    }

    /// Words.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        self.rotated_text((x, y), anchor, 0.0, words);
    }

    /// Words that run in another direction, in degrees.
    pub(super) fn rotated_text(&mut self, (x, y): (f64, f64), anchor: Anchor, angle: f64, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn = if angle == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({angle} {x:.1} {y:.1})\"")
        };
        let words = escaped(words);
        self.element(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{turn}>{words}</text>"
        ));
    }

    /// A mark with a note that browsers show when the mouse is over it.
    pub(super) fn mark(&mut self, mark: Mark, (x, y): (f64, f64), colour: &str, note: &str) {
        let note = if note.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(note)) };
        let shape = match mark {
            Mark::Circle => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
            Mark::Triangle => format!("<path d=\"M{x:.1} {:.1}l5 9h-10z\"", y - 5.0),
            Mark::Square => {
                format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"", x - 4.0, y - 4.0)
            }
            Mark::Cross => format!("<path d=\"M{:.1} {:.1}l10 10m0 -10l-10 10\"", x - 5.0, y - 5.0),
        };
        let name = shape[1..].split(' ').next().unwrap_or_default().to_owned();
        let fill = if mark == Mark::Cross { "none" } else { colour };
        let style = format!("fill=\"{fill}\" fill-opacity=\"0.45\" stroke=\"{colour}\" stroke-width=\"1.5\"");
        self.element(&format!("{shape} {style}>{note}</{name}>"));
    }

    /// The whole document.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn element(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
