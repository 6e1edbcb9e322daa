//! Revisions of C programs by a seeded generator: what programmers do to them, on the text. Whether a revision keeps a property is
//! found out by checking it from scratch.

use rorqual_testkit::Random;

/// What is done to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Reformatted,
    Constant,
    Condition,
    Deleted,
    Repeated,
    SwappedStatements,
    SwappedArguments,
    Extracted,
    Inlined,
    Renamed,
    /// No other change is possible.
    Nothing,
}

impl Change {
    const ALL: [Change; 10] = [
        Change::Reformatted,
        Change::Constant,
        Change::Condition,
        Change::Deleted,
        Change::Repeated,
        Change::SwappedStatements,
        Change::SwappedArguments,
        Change::Extracted,
        Change::Inlined,
        Change::Renamed,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Change::Reformatted => "reformatted",
            Change::Constant => "a constant",
            Change::Condition => "a condition",
            Change::Deleted => "a statement is gone",
            Change::Repeated => "a statement twice",
            Change::SwappedStatements => "two statements swapped",
            Change::SwappedArguments => "two arguments swapped",
            Change::Extracted => "a function extracted",
            Change::Inlined => "a function inlined",
            Change::Renamed => "a name",
            Change::Nothing => "nothing",
        }
    }

    /// The program with this change at one of the places where it is possible.
    fn apply(self, text: &str, random: &mut Random) -> Option<String> {
        match self {
            Change::Reformatted => Some(reformatted(text)),
            Change::Constant => {
                let more = 1 + random.below(2) as u64;
                replaced(text, random, &number, &|old| {
                    old.parse::<u64>().map_or(old.to_owned(), |number| (number + more).to_string())
                })
            }
            Change::Condition => {
                let &(from, to) = random.choose(&CONDITIONS);
                replaced(text, random, &|line| found(line, from), &|_| to.to_owned())
            }
            Change::Deleted => replaced(text, random, &statement, &|_| ";".to_owned()),
            Change::Repeated => replaced(text, random, &statement, &|old| format!("{old} {old}")),
            Change::SwappedStatements => swapped_statements(text, random),
            Change::SwappedArguments => replaced(text, random, &two_arguments, &swap_arguments),
            Change::Extracted => extracted(text, random),
            Change::Inlined => inlined(text, random),
            Change::Renamed => renamed(text, random),
            Change::Nothing => None,
        }
    }
}

const CONDITIONS: [(&str, &str); 10] = [
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" + ", " - "),
    (" && ", " || "),
    ("if (", "if (!"),
    ("while (", "if ("),
];

/// A program with one change, and what that is.
pub(super) fn revise(text: &str, random: &mut Random) -> (Change, String) {
    const TRIES: usize = 40;
    for _ in 0..TRIES {
        let change = *random.choose(&Change::ALL);
        match change.apply(text, random) {
            Some(revised) if revised != text => return (change, revised),
            _ => {}
        }
    }
    (Change::Nothing, text.to_owned())
}

/// The same program with comments and empty lines.
pub(super) fn reformatted(text: &str) -> String {
    text.replace(";\n", "; // changed\n\n")
}

/// Where something is in a line: its start and length.
type Spot = Option<(usize, usize)>;

fn found(line: &str, what: &str) -> Spot {
    line.find(what).map(|at| (at, what.len()))
}

/// A decimal number that is no part of a name or of another number.
fn number(line: &str) -> Spot {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '"';
    let bytes = line.as_bytes();
    let starts = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit());
    starts.filter(|&at| at == 0 || !is_word(bytes[at - 1] as char)).find_map(|at| {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_whole = bytes.get(at + length).is_none_or(|&next| !is_word(next as char));
        (is_whole && length < 10).then_some((at, length))
    })
}

/// A line that is one assignment or call.
fn statement(line: &str) -> Spot {
    const WORDS: [&str; 22] = [
        "return", "int ", "static", "extern", "for", "if", "while", "else", "unsigned", "char", "void",
        "struct", "#", "do", "goto", "case", "default", "const", "size_t", "long", "enum", "typedef",
    ];
    let trimmed = line.trim();
    let is_one = trimmed.ends_with(';')
        && trimmed.matches(';').count() == 1
        && (trimmed.contains(" = ") || trimmed.contains(" += ") || trimmed.ends_with(");"));
    let is_balanced = trimmed.matches('(').count() == trimmed.matches(')').count();
    let is_plain = !WORDS.iter().any(|word| trimmed.starts_with(word)) && !trimmed.contains("*/");
    (is_one && is_balanced && is_plain).then(|| (line.len() - line.trim_start().len(), trimmed.len()))
}

/// `(a, b)` behind a name.
fn two_arguments(line: &str) -> Spot {
    let open = line.find('(').filter(|&at| at > 0 && line.as_bytes()[at - 1].is_ascii_alphanumeric())?;
    let inside = &line[open + 1..];
    let close = inside.find(')').filter(|&close| !inside[..close].contains('('))?;
    let inside = &inside[..close];
    (inside.matches(',').count() == 1).then_some((open + 1, inside.len()))
}

fn swap_arguments(inside: &str) -> String {
    let (first, second) = inside.split_once(',').unwrap_or((inside, ""));
    format!("{}, {}", second.trim(), first.trim())
}

/// Whether a line may be changed: directives, comments, and what is outside of functions stay.
fn is_code(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim_start().starts_with(['*', '/', '#'])
}

/// The text with one of the places that `find` finds in its lines replaced.
fn replaced(
    text: &str,
    random: &mut Random,
    find: &dyn Fn(&str) -> Spot,
    new: &dyn Fn(&str) -> String,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let code = lines.iter().enumerate().filter(|(_, line)| is_code(line));
    let spots: Vec<(usize, (usize, usize))> = code.filter_map(|(at, line)| Some((at, find(line)?))).collect();
    if spots.is_empty() {
        return None;
    }
    let (at, (start, length)) = *random.choose(&spots);
    let line = lines[at];
    let changed =
        format!("{}{}{}", &line[..start], new(&line[start..start + length]), &line[start + length..]);
    Some(with_line(&lines, at, &changed))
}

fn with_line(lines: &[&str], at: usize, changed: &str) -> String {
    let line = |(number, line): (usize, &&str)| if number == at { changed.to_owned() } else { (*line).to_owned() } + "\n";
    lines.iter().enumerate().map(line).collect()
}

/// Two statements, one behind the other, in the other order.
fn swapped_statements(text: &str, random: &mut Random) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_one = |line: &str| is_code(line) && statement(line).is_some();
    let pairs: Vec<usize> =
        (1..lines.len()).filter(|&at| is_one(lines[at - 1]) && is_one(lines[at])).collect();
    if pairs.is_empty() {
        return None;
    }
    let at = *random.choose(&pairs);
    lines.swap(at - 1, at);
    Some(lines.join("\n") + "\n")
}

/// A definition of a function whose head is one line: `static int twice(int x) {`
struct Definition<'t> {
    /// Where the line is in the text.
    at: usize,
    head: &'t str,
    /// `static int `
    result: &'t str,
    name: &'t str,
    parameters: Vec<&'t str>,
    /// Up to the brace in the first column.
    body: &'t str,
}

fn definitions(text: &str) -> Vec<Definition<'_>> {
    let mut at = 0;
    let mut all = Vec::new();
    for line in text.split_inclusive('\n') {
        all.extend(definition(text, at, line));
        at += line.len();
    }
    all
}

fn definition<'t>(text: &'t str, at: usize, line: &'t str) -> Option<Definition<'t>> {
    let head = line.trim_end().strip_suffix('{')?.trim_end();
    let (before, parameters) = head.strip_suffix(')')?.split_once('(')?;
    let start = before.rfind([' ', '*'])? + 1;
    let (result, name) = before.split_at(start);
    let is_definition = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !parameters.contains(['(', '.', '['])
        && !result.trim().is_empty()
        && name != "main";
    let rest = &text[at + line.len()..];
    let body = &rest[..=rest.find("\n}")?];
    let parameters =
        parameters.split(',').map(str::trim).filter(|one| !one.is_empty() && *one != "void").collect();
    is_definition.then_some(Definition { at, head, result, name, parameters, body })
}

/// The name of a parameter: `char *p`
fn name_of(parameter: &str) -> &str {
    parameter.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The body of a function becomes a function of its own.
fn extracted(text: &str, random: &mut Random) -> Option<String> {
    let all = definitions(text);
    if all.is_empty() {
        return None;
    }
    let Definition { at, head, result, name, parameters, .. } = random.choose(&all);
    let names: Vec<&str> = parameters.iter().map(|one| name_of(one)).collect();
    let is_void = result.split_whitespace().any(|word| word == "void") && !result.contains('*');
    let call = format!("{name}_work({});", names.join(", "));
    let call = if is_void { call } else { format!("return {call}") };
    let end = text[*at..].find("\n}")? + at + "\n}".len();
    let worker = head.replacen(&format!("{name}("), &format!("{name}_work("), 1);
    let worker = if worker.starts_with("static ") { worker } else { format!("static {worker}") };
    let body = &text[at + head.len()..end];
    Some(format!("{}{worker}{body}\n\n{head} {{\n    {call}\n}}{}", &text[..*at], &text[end..]))
}

/// A call of a function that only returns an expression becomes this expression.
fn inlined(text: &str, random: &mut Random) -> Option<String> {
    let all = definitions(text);
    let simple: Vec<(&Definition<'_>, &str)> = all
        .iter()
        .filter_map(|one| {
            let value = one.body.trim().strip_prefix("return ")?.strip_suffix(';')?;
            (!value.contains(';') && one.parameters.len() < 2).then_some((one, value))
        })
        .collect();
    if simple.is_empty() {
        return None;
    }
    let &(definition, value) = random.choose(&simple);
    let parameter = definition.parameters.first().map(|one| name_of(one));
    let start = format!("{}(", definition.name);
    let call = |line: &str| {
        let at = line.find(&start).filter(|&at| at == 0 || !is_word(line.as_bytes()[at - 1]))?;
        let inside = &line[at + start.len()..];
        let end = inside.find(')').filter(|&end| !inside[..end].contains(['(', ',']))?;
        Some((at, start.len() + end + 1))
    };
    let result = definition.result.replace("static", "").replace("inline", "");
    replaced(text, random, &call, &|call| {
        let argument = &call[start.len()..call.len() - 1];
        let value =
            parameter.map_or(value.to_owned(), |name| with_name(value, name, &format!("({argument})")));
        format!("(({})({value}))", result.trim())
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The text with each use of a name replaced.
fn with_name(text: &str, name: &str, new: &str) -> String {
    let bytes = text.as_bytes();
    let (mut changed, mut end) = (String::new(), 0);
    for (at, _) in text.match_indices(name) {
        let is_whole = (at == 0 || !is_word(bytes[at - 1]))
            && bytes.get(at + name.len()).is_none_or(|&next| !is_word(next));
        if is_whole && at >= end {
            changed += &text[end..at];
            changed += new;
            end = at + name.len();
        }
    }
    changed + &text[end..]
}

/// A function or one of its parameters gets another name, in the whole text.
fn renamed(text: &str, random: &mut Random) -> Option<String> {
    let all = definitions(text);
    let mut names: Vec<&str> =
        all.iter().filter(|one| one.result.starts_with("static")).map(|one| one.name).collect();
    names.extend(all.iter().flat_map(|one| &one.parameters).map(|one| name_of(one)));
    names.retain(|name| name.len() > 1);
    if names.is_empty() {
        return None;
    }
    let name = *random.choose(&names);
    Some(with_name(text, name, &format!("{name}_renamed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "static int twice(int x) {\n    return 2 * x;\n}\n\nvoid put(int value, int at) {\n    \
        all[at] = value;\n    count = count + 1;\n}\n\nint main(void) {\n    put(twice(3), 4);\n    put(3, 4);\n    return 0;\n}\n";

    fn changed(change: Change) -> Vec<String> {
        let apply = |seed| change.apply(PROGRAM, &mut Random::for_input(seed, 0));
        (0..40).filter_map(apply).collect()
    }

    #[test]
    fn each_change_is_made_where_it_is_possible() {
        let expected = [
            (Change::Constant, "return 3 * x;"),
            (Change::Condition, "count = count - 1;"),
            (Change::Deleted, "{\n    ;\n    count"),
            (Change::Repeated, "all[at] = value; all[at] = value;"),
            (Change::SwappedStatements, "    count = count + 1;\n    all[at] = value;\n"),
            (Change::SwappedArguments, "put(4, 3);"),
            (Change::Extracted, "static void put_work(int value, int at) {\n    all[at] = value;"),
            (Change::Extracted, "static int twice(int x) {\n    return twice_work(x);\n}"),
            (Change::Inlined, "put(((int)(2 * (3))), 4);"),
            (Change::Renamed, "static int twice_renamed(int x)"),
        ];
        for (change, text) in expected {
            let all = changed(change);
            assert!(all.iter().any(|one| one.contains(text)), "{change:?}: {all:#?}");
        }
    }

    #[test]
    fn names_are_whole_words() {
        assert_eq!(with_name("a + ab + a.a - ba", "a", "x"), "x + ab + x.x - ba");
    }
}
