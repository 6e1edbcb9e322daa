//! What functions of ISO C, POSIX and GNU do that have no body: one table for everybody who runs programs or reasons
//! about them. It says nothing about what the functions compute; see [`crate::find`] for that.
//!
//! The files in `library/` have one line for each function, `NAME PARAMETERS RESULT ORIGIN`:
//!
//! - One letter for each parameter, as documented at [`Parameter`], and `_` if there are none. A letter behind a dot
//!   stands for all further arguments.
//! - The result is one of `void`, `value`, `=N`, `inN`, `new`, `own`, `any`, `never`: see [`Returned`].
//! - The origin of the result is one of `defined`, `outside`, `unmodelled`, `variables`: see [`Origin`]. A range may follow,
//!   such as `outside:-1..0`, `outside:0..`, or `outside:-1..#3`: see [`Range`].
//!
//! A name with `~` stands for the names with all suffixes of floating types in its place, with and without `__` before
//! them. `aliases.txt` lists other names of the same functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a function does with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// `-`: it is a number, or of no importance.
    Number,
    /// `h`: it points to memory that belongs to the library, such as a stream.
    Handle,
    /// `r`: what it points to is read.
    Read,
    /// `w`: what it points to may be written, but no pointers are stored.
    Written,
    /// `m`: what it points to becomes a copy of what is read.
    Copied,
    /// `e`: a pointer into what the first argument points to is stored.
    End,
    /// `f`: a pointer to new memory is stored.
    Fresh,
    /// `p`: what it points to may be written, pointers among it.
    Pointers,
    /// `a`: all that can be reached from it may be written.
    Reachable,
    /// `b`: what it points to is read, and all that can be reached from there may be written.
    Behind,
    /// `d`: memory that is freed.
    Freed,
    /// `k`: the pointer is kept, and later calls may write all that can be reached from it.
    Kept,
    /// `c`: a function that may be called, now or later.
    Called,
    /// `%`: a format for what is printed. Further arguments are written for `%n` only.
    Format,
    /// `v`: a list of arguments for the format before it.
    List,
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// `void`
    Nothing,
    /// `value`: something that is no pointer.
    Value,
    /// `=N`: the argument at a position, counted from 0, or null.
    Argument(usize),
    /// `inN`: a pointer into the object that an argument points to, or null.
    Within(usize),
    /// `new`: a pointer to new memory, or null.
    New,
    /// `own`: a pointer to memory of the library, or null.
    Own,
    /// `any`: a pointer to anything.
    Anything,
    /// `never`: the program ends.
    Never,
}

/// Where the result, and what is written, comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `defined`: the standard or the compiler's manual says what it is, given the arguments and the program's memory.
    Defined,
    /// `outside`: from the world outside, so it is an input of the program.
    Outside,
    /// `unmodelled`: the function does more than this table can say: it jumps, starts threads, runs handlers later,
    /// maps memory, or changes how others work. Calls are not supported.
    Unmodelled,
    /// `variables`: it stores in variables of the library, such as `optarg`. Calls are supported only where functions
    /// without a body are assumed to write nothing.
    Variables,
}

/// What a result is between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The lowest result.
    pub lowest: i64,
    /// The highest one, if it is not that of the type.
    pub highest: Option<Highest>,
}

/// The highest result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Highest {
    /// A number.
    Number(i64),
    /// `#N`: the argument at a position, counted from 0.
    Argument(usize),
}

/// What is known of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What happens to further arguments, if there may be some.
    pub further: Option<Parameter>,
    /// What it returns.
    pub returned: Returned,
    /// Where its result comes from.
    pub origin: Origin,
    /// What its result is between, if that is less than its type allows.
    pub range: Option<Range>,
}

impl Entry {
    /// What happens to an argument. Nothing good is known of arguments that the function does not expect.
    pub fn parameter(&self, position: usize) -> Parameter {
        let unexpected = self.further.unwrap_or(Parameter::Reachable);
        self.parameters.get(position).copied().unwrap_or(unexpected)
    }

    /// Whether a call leaves the program's memory alone, and calls none of its functions, whatever it is given: its
    /// result is all that there is to know. What a format asks for is not looked at.
    pub fn is_harmless(&self) -> bool {
        let is_read = |parameter: &Parameter| {
            use Parameter::{Format, Handle, List, Number, Read};
            matches!(parameter, Number | Handle | Read | Format | List)
        };
        !self.is_unmodelled() && self.parameters.iter().chain(&self.further).all(is_read)
    }

    /// Whether a function does more than the rest of its line says.
    pub fn is_unmodelled(&self) -> bool {
        matches!(self.origin, Origin::Unmodelled | Origin::Variables)
    }
}

/// Another name of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// The function.
    pub function: &'static str,
    /// Which of the arguments are those of the function; all of them in their order if there are none here. What
    /// follows the last of them follows there too if the function takes further arguments.
    pub positions: &'static str,
}

impl Alias {
    /// Where the arguments of the function are among those of a call.
    pub fn arguments(&self, count: usize) -> Vec<usize> {
        let mut all = self.named();
        if entry(self.function).is_some_and(|entry| entry.further.is_some()) {
            all.extend(all.iter().max().map_or(0, |last| last + 1)..count);
        }
        all
    }

    /// Where the arguments for the named parameters of the function are.
    pub fn named(&self) -> Vec<usize> {
        self.positions.bytes().map(|digit| usize::from(digit - b'1')).collect()
    }
}

/// What is known of a function of the library, by any of its names.
pub fn entry(name: &str) -> Option<&'static Entry> {
    static UNSUPPORTED: Entry = Entry {
        parameters: Vec::new(),
        further: Some(Parameter::Reachable),
        returned: Returned::Anything,
        origin: Origin::Unmodelled,
        range: None,
    };
    let known = |name: &str| TABLE.entries.get(name);
    let is_builtin = || BUILTINS.iter().any(|prefix| name.starts_with(prefix));
    known(name).or_else(|| known(library_name(name)?)).or_else(|| is_builtin().then_some(&UNSUPPORTED))
}

/// The function that a name is another name of, if arguments were added for it.
pub fn alias(name: &str) -> Option<Alias> {
    let found = TABLE.aliases.get(name).or_else(|| TABLE.aliases.get(library_name(name)?));
    found.copied().filter(|alias| !alias.positions.is_empty())
}

/// The name that a function has in the table, if it has one; another name that takes the same arguments counts.
pub fn canonical(name: &str) -> &str {
    let name = library_name(name).filter(|_| !TABLE.entries.contains_key(name)).unwrap_or(name);
    match TABLE.aliases.get(name) {
        Some(alias) if alias.positions.is_empty() => alias.function,
        _ => name,
    }
}

/// What a variable of the library contains when a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    /// A number. All members have it, if it is 0.
    Number(i64),
    /// `pointer`: the address of some object.
    Pointer,
    /// `stream`: the address of an object that the others do not have.
    Stream,
    /// `unmodelled`: the standard says what it is, and this table does not.
    Unmodelled,
}

/// A variable of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryVariable {
    /// What it contains when a program starts.
    pub initial: Initial,
    /// The functions that store in it, separated by spaces.
    changed_by: &'static str,
}

impl LibraryVariable {
    /// Whether a function stores in it, although what is known of the function does not say so.
    pub fn is_changed_by(&self, function: &str) -> bool {
        self.changed_by.split(' ').any(|name| name == canonical(function))
    }
}

/// What is known of a variable of the library; it may contain anything if nothing is.
pub fn variable(name: &str) -> Option<LibraryVariable> {
    let rest = |line: &'static str| line.strip_prefix(name)?.strip_prefix(' ');
    let rest = VARIABLES.lines().filter(|line| !line.starts_with('#')).find_map(rest)?;
    let (value, changed_by) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(LibraryVariable { initial: initial_value(value).ok()?, changed_by })
}

fn initial_value(text: &str) -> Result<Initial, String> {
    match text {
        "pointer" => Ok(Initial::Pointer),
        "stream" => Ok(Initial::Stream),
        "unmodelled" => Ok(Initial::Unmodelled),
        number => number.parse().map(Initial::Number).map_err(|_| format!("the value {number}")),
    }
}

/// All names in the table with what is known of them, sorted.
pub fn entries() -> impl Iterator<Item = (&'static str, &'static Entry)> {
    TABLE.entries.iter().map(|(name, entry)| (name.as_str(), entry))
}

/// Compilers' names for functions of the library start so, and so do built-ins that are none.
const BUILTIN: &str = "__builtin_";

/// Names that belong to the compiler: the language has no other functions that start so.
const BUILTINS: [&str; 3] = [BUILTIN, "__sync_", "__atomic_"];

/// The function of the library that a built-in is.
fn library_name(name: &str) -> Option<&str> {
    name.strip_prefix(BUILTIN).filter(|name| TABLE.entries.contains_key(*name))
}

struct Table {
    entries: BTreeMap<String, Entry>,
    aliases: BTreeMap<&'static str, Alias>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| read().expect("the tables in the binary are well formed, which a test shows"));

const FILES: &[&str] = &[
    include_str!("../library/builtins.txt"),
    include_str!("../library/math.txt"),
    include_str!("../library/more.txt"),
    include_str!("../library/network.txt"),
    include_str!("../library/stdio.txt"),
    include_str!("../library/stdlib.txt"),
    include_str!("../library/string.txt"),
    include_str!("../library/system.txt"),
    include_str!("../library/threads.txt"),
];

/// The function that returns the address of `errno`.
pub const ERRNO_LOCATION: &str = "__errno_location";

/// The function that stands for what another one may have done to `errno`. No program can name it.
pub const ERRNO_FORGOTTEN: &str = "<errno>";

/// Whether a function of the library may set `errno`. Those that only compilers know leave it alone.
pub fn may_set_errno(name: &str) -> bool {
    let name = canonical(name);
    !KEEPING_ERRNO.contains(name) && !BUILTINS.iter().any(|prefix| name.starts_with(prefix))
}

static KEEPING_ERRNO: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| lines(include_str!("../library/errno.txt")).flat_map(names_of).collect());

const VARIABLES: &str = include_str!("../library/variables.txt");

const ALIASES: &str = include_str!("../library/aliases.txt");

/// Suffixes of the floating types.
const SUFFIXES: [&str; 9] = ["", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x"];

fn read() -> Result<Table, String> {
    let mut entries = BTreeMap::new();
    for line in FILES.iter().flat_map(|file| lines(file)) {
        let entry = entry_of(line).ok_or_else(|| format!("`{line}` describes no function"))?;
        for name in names_of(line.split(' ').next().unwrap_or(line)) {
            if entries.insert(name, entry.clone()).is_some() {
                return Err(format!("`{line}` describes a function again"));
            }
        }
    }
    let mut aliases = BTreeMap::new();
    for line in lines(ALIASES) {
        let (name, alias) = alias_of(line).ok_or_else(|| format!("`{line}` is no other name"))?;
        let entry = entries.get(alias.function).and_then(|entry| renamed(entry, alias));
        let entry = entry.ok_or_else(|| format!("`{line}` names no function"))?;
        if entries.insert(name.to_owned(), entry).is_some() || aliases.insert(name, alias).is_some() {
            return Err(format!("`{line}` describes a function again"));
        }
    }
    Ok(Table { entries, aliases })
}

fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The names that a name with `~` stands for.
fn names_of(name: &str) -> Vec<String> {
    let Some((start, end)) = name.split_once('~') else { return vec![name.to_owned()] };
    let plain = SUFFIXES.map(|suffix| format!("{start}{suffix}{end}"));
    let hidden = plain.clone().map(|name| format!("__{name}"));
    if name.starts_with(BUILTIN) { plain.into() } else { [plain, hidden].concat() }
}

fn entry_of(line: &str) -> Option<Entry> {
    let [_, parameters, returned, origin] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let (parameters, further) = parameters
        .split_once('.')
        .map_or((parameters, None), |(named, further)| (named, further.chars().next()));
    let named = parameters.chars().filter(|&letter| letter != '_').map(parameter);
    let further = match further {
        Some(letter) => Some(parameter(letter)?),
        None => None,
    };
    let (origin, range) = match origin.split_once(':') {
        Some((origin, range)) => (origin, Some(range_of(range)?)),
        None => (origin, None),
    };
    let origin = match origin {
        "defined" => Origin::Defined,
        "outside" => Origin::Outside,
        "unmodelled" => Origin::Unmodelled,
        "variables" => Origin::Variables,
        _ => return None,
    };
    Some(Entry {
        parameters: named.collect::<Option<_>>()?,
        further,
        returned: returned_by(returned)?,
        origin,
        range,
    })
}

fn range_of(text: &str) -> Option<Range> {
    let (lowest, highest) = text.split_once("..")?;
    let highest = match (highest, highest.strip_prefix('#')) {
        ("", _) => None,
        (_, Some(position)) => Some(Highest::Argument(position.parse::<usize>().ok()?.checked_sub(1)?)),
        (number, None) => Some(Highest::Number(number.parse().ok()?)),
    };
    Some(Range { lowest: lowest.parse().ok()?, highest })
}

fn parameter(letter: char) -> Option<Parameter> {
    Some(match letter {
        '-' => Parameter::Number,
        'h' => Parameter::Handle,
        'r' => Parameter::Read,
        'w' => Parameter::Written,
        'm' => Parameter::Copied,
        'e' => Parameter::End,
        'f' => Parameter::Fresh,
        'p' => Parameter::Pointers,
        'a' => Parameter::Reachable,
        'b' => Parameter::Behind,
        'd' => Parameter::Freed,
        'k' => Parameter::Kept,
        'c' => Parameter::Called,
        '%' => Parameter::Format,
        'v' => Parameter::List,
        _ => return None,
    })
}

fn returned_by(word: &str) -> Option<Returned> {
    let position = |digits: &str| digits.parse::<usize>().ok()?.checked_sub(1);
    Some(match word {
        "void" => Returned::Nothing,
        "value" => Returned::Value,
        "new" => Returned::New,
        "own" => Returned::Own,
        "any" => Returned::Anything,
        "never" => Returned::Never,
        _ => match word.strip_prefix('=') {
            Some(digits) => Returned::Argument(position(digits)?),
            None => Returned::Within(position(word.strip_prefix("in")?)?),
        },
    })
}

fn alias_of(line: &'static str) -> Option<(&'static str, Alias)> {
    let (name, meaning) = line.split_once(" = ")?;
    let (function, positions) = meaning.split_once(' ').unwrap_or((meaning, ""));
    let are_digits = positions.bytes().all(|byte| (b'1'..=b'9').contains(&byte));
    are_digits.then_some((name, Alias { function, positions }))
}

/// What is known of a function by another name.
fn renamed(entry: &Entry, alias: Alias) -> Option<Entry> {
    if alias.positions.is_empty() {
        return Some(entry.clone());
    }
    let places = alias.named();
    let count = places.iter().max().map_or(0, |last| last + 1);
    let mut parameters = vec![Parameter::Number; count];
    for (&place, &parameter) in places.iter().zip(&entry.parameters) {
        parameters[place] = parameter;
    }
    let moved = |position: usize| places.get(position).copied();
    let returned = match entry.returned {
        Returned::Argument(position) => Returned::Argument(moved(position)?),
        Returned::Within(position) => Returned::Within(moved(position)?),
        other => other,
    };
    let range = match entry.range {
        Some(Range { lowest, highest: Some(Highest::Argument(position)) }) => {
            Some(Range { lowest, highest: Some(Highest::Argument(moved(position)?)) })
        }
        other => other,
    };
    // Functions without `...` get what was added last.
    let further = entry.further.or(Some(Parameter::Number));
    let fits = places.len() == entry.parameters.len();
    fits.then_some(Entry { parameters, further, returned, origin: entry.origin, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_well_formed() {
        let table = read().expect("all lines can be read");
        assert!(table.entries.len() > 3000, "{}", table.entries.len());
    }

    #[test]
    fn most_functions_may_set_errno() {
        let is_known = |name: &String| entry(name).is_some();
        assert!(
            KEEPING_ERRNO.iter().all(is_known),
            "{:?}",
            KEEPING_ERRNO.iter().find(|name| !is_known(name))
        );
        for name in ["strtod", "malloc", "printf", "__printf_chk", "close", "sqrt", "frobnicate"] {
            assert!(may_set_errno(name), "{name}");
        }
        for name in ["memcpy", "__builtin_memcpy", "floorf", "free", "__builtin_clz", ERRNO_LOCATION] {
            assert!(!may_set_errno(name), "{name}");
        }
    }

    #[test]
    fn variables_start_with_what_standards_say() {
        let lines = VARIABLES.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for name in lines.filter_map(|line| line.split(' ').next()) {
            assert!(variable(name).is_some(), "{name}");
        }
        assert_eq!(variable("optind").map(|known| known.initial), Some(Initial::Number(1)));
        assert!(variable("environ").is_some_and(|known| known.is_changed_by("putenv")));
        assert!(variable("stdin").is_some_and(|known| !known.is_changed_by("putenv")));
        assert_eq!(variable("optarg"), None);
    }

    #[test]
    fn a_line_says_what_happens_to_each_argument() {
        let strtol = entry("strtol").expect("it is in the table");
        assert_eq!(*strtol.parameters, [Parameter::Read, Parameter::End, Parameter::Number]);
        assert_eq!((strtol.returned, strtol.origin), (Returned::Value, Origin::Defined));
        assert_eq!(entry("sscanf").map(|entry| entry.parameter(5)), Some(Parameter::Pointers));
        assert_eq!(entry("memcpy").map(|entry| entry.returned), Some(Returned::Argument(0)));
        assert_eq!(entry("frobnicate"), None);
    }

    #[test]
    fn floating_types_have_functions_of_their_own() {
        for name in ["frexp", "frexpf", "frexpl", "frexpf64x", "__frexpf", "__builtin_frexpl"] {
            assert_eq!(entry(name).map(|entry| entry.parameter(1)), Some(Parameter::Written), "{name}");
        }
        assert!(entry("lgammaf_r").is_some() && entry("__builtin_inff").is_some());
    }

    #[test]
    fn results_are_in_their_ranges() {
        let range = |name| entry(name).and_then(|entry| entry.range);
        let up_to = |highest| Some(Range { lowest: -1, highest });
        assert_eq!(range("close"), up_to(Some(Highest::Number(0))));
        assert_eq!(range("open"), up_to(None));
        assert_eq!(range("read"), up_to(Some(Highest::Argument(2))));
        assert_eq!(range("__read_chk"), up_to(Some(Highest::Argument(2))));
        assert_eq!(range("getuid"), None);
    }

    #[test]
    fn other_names_are_the_same_functions() {
        assert_eq!(canonical("__builtin_memcpy"), "memcpy");
        assert_eq!(canonical("__isoc99_sscanf"), "sscanf");
        assert_eq!(canonical("__builtin_trap"), "__builtin_trap");
        assert_eq!(canonical("mine"), "mine");
        assert_eq!(canonical("__memcpy_chk"), "__memcpy_chk");
    }

    #[test]
    fn checked_functions_have_arguments_more() {
        for name in ["__snprintf_chk", "__builtin___snprintf_chk"] {
            let alias = alias(name).expect("it is another name");
            assert_eq!((alias.function, alias.arguments(7)), ("snprintf", vec![0, 1, 4, 5, 6]));
            let entry = entry(name).expect("it is in the table");
            assert_eq!((entry.parameter(0), entry.parameter(4)), (Parameter::Written, Parameter::Format));
            assert_eq!((entry.parameter(3), entry.parameter(6)), (Parameter::Number, Parameter::Number));
        }
        let memcpy = alias("__memcpy_chk").expect("it is another name");
        assert_eq!((memcpy.function, memcpy.arguments(4)), ("memcpy", vec![0, 1, 2]));
        assert_eq!(alias("__builtin_memcpy"), None);
    }

    #[test]
    fn built_ins_that_have_no_line_are_not_harmless() {
        let unknown = entry("__builtin_frobnicate").expect("built-ins are never unknown functions");
        assert_eq!(unknown.origin, Origin::Unmodelled);
        assert!(!unknown.is_harmless());
        assert!(entry("strlen").is_some_and(Entry::is_harmless));
    }
}
