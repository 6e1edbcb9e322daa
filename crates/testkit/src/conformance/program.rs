//! Generated programs, and the forms in which they are compiled, run and checked.

use std::fmt::Write as _;

use rorqual_cfa::DataModel;

/// Stands after each name of file scope. A program of its own drops it; programs that share a
/// translation unit replace it with a suffix of their own.
pub(super) const SUFFIX: &str = "@";

/// What every program may use. No system headers, so that both data models read the same text.
const PRELUDE: &str = "\
typedef __SIZE_TYPE__ size_t;
extern int printf(const char *, ...);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern void *memchr(const void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
extern char *strcpy(char *, const char *);
extern char *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *);
extern char *strncat(char *, const char *, size_t);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern char *strchr(const char *, int);
extern char *strrchr(const char *, int);
extern char *strstr(const char *, const char *);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern int abs(int);
extern long labs(long);
enum natural { ZERO, ONE, SEVEN = 7, MANY = 1000 };
enum whole { MINUS = -5, NOTHING = 0, PLUS = 5 };
";

/// How a value is printed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An integer that fits into 64 bits, seen as `long long`.
    Integer,
    /// A 128-bit integer, seen as unsigned.
    Wide,
    /// A floating-point number, seen as `double`.
    Double,
    /// A floating-point number, seen as `long double`.
    LongDouble,
}

/// A line of the body of a program.
#[derive(Debug, Clone)]
pub(super) enum Line {
    /// C text.
    Text(String),
    /// An expression whose value is compared. Each is evaluated exactly once.
    Observe(Kind, String),
}

/// What a form of a program does with the values.
#[derive(Debug, Clone, Copy)]
enum Form<'a> {
    /// Prints them, each after this prefix.
    Print(&'a str),
    /// Compares all of them with what gcc printed: no comparison may fail.
    Assert(&'a [String]),
    /// Claims that one of them is different from what gcc printed: the claim must fail.
    Deny(&'a [String], usize),
}

/// Whether the checker knows that `zero`, which values are computed from, is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// It is initialised with zero.
    Known,
    /// It is an input that is compared with zero first, so that values are symbolic.
    Unknown,
}

/// A generated program.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it is about.
    pub family: &'static str,
    pub(super) file_scope: String,
    pub(super) body: Vec<Line>,
}

impl Program {
    /// How many values are compared.
    pub fn values(&self) -> usize {
        self.observed().count()
    }

    fn observed(&self) -> impl Iterator<Item = Kind> {
        self.body.iter().filter_map(|line| match line {
            Line::Observe(kind, _) => Some(*kind),
            Line::Text(_) => None,
        })
    }

    /// Whether a value is of floating type.
    pub fn is_floating(&self) -> bool {
        self.observed().any(|kind| matches!(kind, Kind::Double | Kind::LongDouble))
    }

    /// The program that prints its values, one in each line.
    pub fn printing(&self) -> String {
        self.alone(Form::Print(""), Input::Known)
    }

    /// The program that reaches the error if a value differs from what was printed.
    pub fn asserting(&self, printed: &[String], input: Input) -> String {
        self.alone(Form::Assert(printed), input)
    }

    /// The program that reaches the error if the value with this number is what was printed.
    pub fn denying(&self, printed: &[String], number: usize, input: Input) -> String {
        self.alone(Form::Deny(printed, number), input)
    }

    fn alone(&self, form: Form<'_>, input: Input) -> String {
        let mut text = PRELUDE.to_owned();
        text.push_str(match input {
            Input::Known => "int zero = 0;\n",
            Input::Unknown => "int zero;\nextern int __VERIFIER_nondet_int(void);\n",
        });
        if !matches!(form, Form::Print(_)) {
            text.push_str("extern void reach_error(void);\n");
        }
        text.push_str(&self.file_scope);
        text.push_str("int main(void) {\n");
        if input == Input::Unknown {
            text.push_str("zero = __VERIFIER_nondet_int();\nif (zero != 0) return 0;\n");
        }
        text.push_str(&self.body(form));
        text.push_str("return 0;\n}\n");
        text.replace(SUFFIX, "")
    }

    fn body(&self, form: Form<'_>) -> String {
        let mut text = String::new();
        let mut number = 0;
        for line in &self.body {
            match line {
                Line::Text(line) => text.push_str(line),
                Line::Observe(kind, expression) => {
                    text.push_str(&form.statement(*kind, number, expression));
                    number += 1;
                }
            }
            text.push('\n');
        }
        text
    }
}

/// One translation unit with all the programs. Before each value it prints the number of the
/// program.
pub fn printing_all(programs: &[Program]) -> String {
    let mut text = format!("{PRELUDE}int zero = 0;\n");
    for (number, program) in programs.iter().enumerate() {
        let suffix = format!("_program_{number}");
        let file_scope = program.file_scope.replace(SUFFIX, &suffix);
        let body = program.body(Form::Print(&format!("{number} "))).replace(SUFFIX, &suffix);
        let _ = write!(text, "{file_scope}static void main{suffix}(void) {{\n{body}}}\n");
    }
    text.push_str("int main(void) {\n");
    for number in 0..programs.len() {
        let _ = writeln!(text, "main_program_{number}();");
    }
    text.push_str("return 0;\n}\n");
    text
}

/// The values that each of the programs printed.
pub fn values_of_all(programs: &[Program], stdout: &str) -> Result<Vec<Vec<String>>, String> {
    let mut values = vec![Vec::new(); programs.len()];
    for line in stdout.lines() {
        let parts = line.split_once(' ').and_then(|(number, value)| Some((number.parse().ok()?, value)));
        let (number, value): (usize, &str) = parts.ok_or_else(|| format!("`{line}` is no value"))?;
        values.get_mut(number).ok_or("no such program")?.push(value.to_owned());
    }
    for (program, values) in programs.iter().zip(&values) {
        if program.values() != values.len() {
            return Err(format!("a program of the family `{}` does not print all values", program.family));
        }
    }
    Ok(values)
}

impl Form<'_> {
    fn statement(self, kind: Kind, number: usize, expression: &str) -> String {
        match self {
            Form::Print(prefix) => print(prefix, kind, expression),
            Form::Assert(printed) => compare(kind, expression, "!=", &printed[number]),
            Form::Deny(printed, denied) if denied == number => {
                compare(kind, expression, "==", &printed[number])
            }
            Form::Deny(..) => format!("(void)({expression});"),
        }
    }
}

fn print(prefix: &str, kind: Kind, expression: &str) -> String {
    match kind {
        Kind::Integer => format!("printf(\"{prefix}%lld\\n\", (long long)({expression}));"),
        Kind::Wide => format!(
            "{{ unsigned __int128 wide = ({expression}); printf(\"{prefix}%llx %llx\\n\", \
             (unsigned long long)(wide >> 64), (unsigned long long)wide); }}"
        ),
        Kind::Double => format!("printf(\"{prefix}%a\\n\", (double)({expression}));"),
        Kind::LongDouble => format!("printf(\"{prefix}%La\\n\", (long double)({expression}));"),
    }
}

fn compare(kind: Kind, expression: &str, operator: &str, printed: &str) -> String {
    let (type_name, constant) = match kind {
        Kind::Integer if printed == "-9223372036854775808" => {
            ("long long", "(-9223372036854775807LL - 1)".to_owned())
        }
        Kind::Integer => ("long long", format!("{printed}LL")),
        Kind::Wide => {
            let (high, low) = printed.split_once(' ').unwrap_or(("0", printed));
            ("unsigned __int128", format!("(((unsigned __int128)0x{high}ULL << 64) | 0x{low}ULL)"))
        }
        Kind::Double | Kind::LongDouble if printed.ends_with("nan") => {
            let negation = if operator == "!=" { "!" } else { "" };
            return format!("if ({negation}__builtin_isnan({expression})) reach_error();");
        }
        Kind::Double => ("double", float_constant(printed, "")),
        Kind::LongDouble => ("long double", float_constant(printed, "L")),
    };
    format!("if (({type_name})({expression}) {operator} {constant}) reach_error();")
}

/// A constant for what `printf` prints of a number.
fn float_constant(printed: &str, suffix: &str) -> String {
    match printed {
        "inf" => "__builtin_inf()".to_owned(),
        "-inf" => "(-__builtin_inf())".to_owned(),
        _ => format!("{printed}{suffix}"),
    }
}

/// Which values fit where; the same as `DataModel` says, for the generator.
pub(super) fn long_bits(model: DataModel) -> u32 {
    match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    }
}
