//! Landmarks: places of a program by what does not change when something else in it does, so that predicates of one version
//! find their places in another one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rorqual_cfa::{EdgeId, FunctionId, LocationId, Operation, Program};
use rorqual_encoding::{Encoding, Point};

use super::procedures::{End, Key};

/// At most so many characters of the source text are kept.
const LONGEST_TEXT: usize = 80;

/// A place in a function: a point, or a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Landmark {
    function: String,
    /// Which of the function's points or calls it is, from 1 on, in the order of the program, and how many there are.
    number: usize,
    count: usize,
    /// The first line of its source text.
    text: String,
}

impl Landmark {
    /// Whether both are in functions of the same name, and have the same text.
    fn reads_like(&self, other: &Landmark) -> bool {
        self.function == other.function && self.text == other.text
    }

    /// Whether they read alike, or are the same one of as many.
    fn may_be(&self, other: &Landmark) -> bool {
        let is_same_number = (self.number, self.count) == (other.number, other.count);
        self.reads_like(other) || (self.function == other.function && is_same_number)
    }
}

impl fmt::Display for Landmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{} `{}`", self.function, self.number, self.count, self.text)
    }
}

/// A point: the calls that lead to it, and where it is in its function. Or an end of a procedure: the loop, if it is one, and
/// where it ends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route(Vec<Landmark>);

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, landmark) in self.0.iter().enumerate() {
            write!(f, "{}{landmark}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Route {
    /// Reads what is written.
    pub(super) fn parse(text: &str) -> Option<Route> {
        let mut landmarks = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (place, after) = rest.split_once('`')?;
            let (source, after) = after.split_once('`')?;
            let (function, number) = place.trim().rsplit_once(' ')?;
            let (number, count) = number.split_once('/')?;
            landmarks.push(Landmark {
                function: function.to_owned(),
                number: number.parse().ok()?,
                count: count.parse().ok()?,
                text: source.to_owned(),
            });
            rest = after.trim_start();
        }
        (!landmarks.is_empty()).then_some(Route(landmarks))
    }

    fn is_like(&self, other: &Route, is_alike: fn(&Landmark, &Landmark) -> bool) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| is_alike(one, other))
    }

    fn ends_like(&self, other: &Route) -> bool {
        self.0.last().zip(other.0.last()).is_some_and(|(one, other)| one.may_be(other))
    }
}

/// The routes to points of a program, or to ends of its procedures.
pub(super) struct Routes<P>(Vec<(P, Route)>);

impl Routes<Point> {
    /// The routes to these points, which are all that the program has.
    pub(super) fn to_points(encoding: &Encoding<'_>, points: &BTreeSet<Point>) -> Routes<Point> {
        let map = Map::new(encoding, points);
        Routes(points.iter().map(|&point| (point, map.route(encoding, point))).collect())
    }
}

impl Routes<Key> {
    /// The routes to these ends, which are all that the program has.
    pub(super) fn to_ends(encoding: &Encoding<'_>, ends: &[Key]) -> Routes<Key> {
        let route = |&(procedure, end): &Key| {
            let function = procedure.function;
            let own = ends.iter().filter(|(other, _)| other.function == function);
            let heads: BTreeSet<LocationId> = own.filter_map(|(other, _)| other.head).collect();
            let exit = |(_, end): &Key| match end {
                End::Fails => None,
                End::At(exit) => Some(*exit),
            };
            let own = ends.iter().filter(|(other, _)| *other == procedure);
            let exits: BTreeSet<LocationId> = own.filter_map(exit).collect();
            let at = exit(&(procedure, end));
            let program = encoding.program;
            Route(vec![
                among(program, function, &heads, procedure.head),
                among(program, function, &exits, at),
            ])
        };
        Routes(ends.iter().map(|key| (*key, route(key))).collect())
    }
}

impl<P: Copy + PartialEq> Routes<P> {
    /// The route to a place.
    pub(super) fn to(&self, place: P) -> Option<&Route> {
        self.0.iter().find(|(one, _)| *one == place).map(|(_, route)| route)
    }

    /// The places that a route of this or another version of the program leads to: those with the same landmarks; if there are
    /// none, those whose landmarks read alike; else those with landmarks that may be the same; else those where the last
    /// one may be, whoever calls the function.
    pub(super) fn led_by(&self, route: &Route) -> Vec<P> {
        let tests: [&dyn Fn(&Route) -> bool; 4] = [
            &|own| own == route,
            &|own| own.is_like(route, Landmark::reads_like),
            &|own| own.is_like(route, Landmark::may_be),
            &|own| own.ends_like(route),
        ];
        let led = |test: &&dyn Fn(&Route) -> bool| {
            let places = self.0.iter().filter(|(_, own)| test(own));
            places.map(|(place, _)| *place).collect::<Vec<P>>()
        };
        tests.iter().map(led).find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// The points and calls of functions, in the order of the program.
struct Map {
    points: BTreeMap<FunctionId, BTreeSet<LocationId>>,
    calls: BTreeMap<FunctionId, Vec<EdgeId>>,
}

impl Map {
    fn new(encoding: &Encoding<'_>, points: &BTreeSet<Point>) -> Map {
        let mut map = Map { points: BTreeMap::new(), calls: BTreeMap::new() };
        for &point in points {
            map.points.entry(encoding.function(point.context)).or_default().insert(point.location);
        }
        for (function, details) in encoding.program.functions.iter() {
            let edges = details.body.iter().flat_map(|body| body.edges().iter());
            let calls = edges.filter(|(_, edge)| matches!(edge.operation, Operation::Call { .. }));
            map.calls.insert(function, calls.map(|(edge, _)| edge).collect());
        }
        map
    }

    fn route(&self, encoding: &Encoding<'_>, point: Point) -> Route {
        let program = encoding.program;
        let mut landmarks = Vec::new();
        for site in encoding.calls(point.context).0 {
            let calls = &self.calls[&site.caller];
            let number = calls.iter().position(|&edge| edge == site.edge);
            let body = program.functions[site.caller].body.as_ref();
            let span = body.map(|body| body.edges()[site.edge].span);
            let text = span.map_or("", |span| program.sources.text(span));
            landmarks.push(landmark(program, site.caller, (number, calls.len()), text));
        }
        let function = encoding.function(point.context);
        landmarks.push(among(program, function, &self.points[&function], Some(point.location)));
        Route(landmarks)
    }
}

/// One of several locations of a function, or none of them.
fn among(
    program: &Program,
    function: FunctionId,
    locations: &BTreeSet<LocationId>,
    at: Option<LocationId>,
) -> Landmark {
    let Some(at) = at else { return landmark(program, function, (None, 0), "") };
    let number = locations.iter().position(|&location| location == at);
    let text = program.sources.text(program.span_at(function, at));
    landmark(program, function, (number, locations.len()), text)
}

fn landmark(
    program: &Program,
    function: FunctionId,
    (number, count): (Option<usize>, usize),
    text: &str,
) -> Landmark {
    let line = text.lines().next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let text = words.join(" ").chars().filter(|&one| one != '`').take(LONGEST_TEXT).collect();
    let function = program.functions[function].name.clone();
    Landmark { function, number: number.map_or(0, |number| number + 1), count, text }
}

#[cfg(test)]
mod tests {
    use rorqual_encoding::Setting;
    use rorqual_inference::proof::all_points;

    use super::*;
    use crate::tests::program;

    /// The routes to the loop heads of a program.
    fn routes(text: &str) -> Vec<Route> {
        let program = program(text);
        let mut encoding = Encoding::of(&program, Setting::default());
        let points = all_points(&mut encoding);
        let routes = Routes::to_points(&encoding, &points);
        points.iter().map(|&point| routes.to(point).expect("it is there").clone()).collect()
    }

    /// Where routes of one program lead in another one.
    fn led(from: &str, to: &str) -> Vec<Vec<String>> {
        let program = program(to);
        let mut encoding = Encoding::of(&program, Setting::default());
        let points = all_points(&mut encoding);
        let own = Routes::to_points(&encoding, &points);
        let name =
            |point: Point| own.to(point).expect("it is there").0.last().expect("it has one").text.clone();
        routes(from).iter().map(|route| own.led_by(route).into_iter().map(name).collect()).collect()
    }

    const LOOP: &str = "while (a < 7)";

    /// Two loops, and what else there is in front of the second one.
    fn text(more: &str) -> String {
        format!(
            "int wait(int n) {{\n while (n > 0)\n n--;\n return n; }}
            int main(void) {{ int a = 0; {more}\n {LOOP}\n a++;\n return wait(a); }}"
        )
    }

    #[test]
    fn routes_are_read_as_they_are_written() {
        let all = routes(&text(""));
        assert_eq!(all.len(), 2);
        for route in all {
            assert_eq!(Route::parse(&route.to_string()), Some(route));
        }
        for bad in ["", "main", "main 1/2", "main `x`", "main 1/2 `x", "main a/b `x`"] {
            assert_eq!(Route::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn loops_are_found_behind_other_code() {
        let changed = text("if (a) a = wait(3);\n while (a)\n a = 0;");
        for to in [text(""), changed] {
            let found = led(&text(""), &to);
            let mut texts: Vec<&str> = found.iter().map(|points| points[0].as_str()).collect();
            texts.sort_unstable();
            assert_eq!(texts, [LOOP, "while (n > 0)"], "{found:?}");
            let of_main = found.iter().find(|points| points[0] == LOOP).expect("it is there");
            assert_eq!(of_main.len(), 1, "{found:?}");
        }
    }

    #[test]
    fn a_loop_that_reads_otherwise_is_found_by_its_number() {
        let changed = text("").replace(LOOP, "while (a < 8)");
        assert_eq!(led(&text(""), &changed).concat().len(), 2);
        let gone = text("").replace(LOOP, "while (a < 8)\n while (a < 9)");
        assert_eq!(led(&text(""), &gone).concat().len(), 1, "which of two others it is, is not known");
    }
}
