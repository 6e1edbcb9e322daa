//! The table of library functions against the headers that are installed: each function with a pointer parameter has an
//! entry, and the entry has as many parameters as the function.

use std::collections::BTreeSet;

use rorqual_cfa::{DataModel, Function, Type, TypeTable};
use rorqual_frontend::{Declarations, Host, Options, TranslationUnit, parse};
use rorqual_models::library::{self, Parameter};
use rorqual_testkit::{MemoryHost, render_failure};

/// The headers of ISO C11 and of POSIX.1-2017.
const HEADERS: &str = "aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw \
    glob grp iconv inttypes iso646 langinfo libgen limits locale math monetary mqueue ndbm net/if netdb netinet/in \
    netinet/tcp nl_types poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic \
    stdbool stddef stdint stdio stdlib stdnoreturn string strings stropts sys/ipc sys/mman sys/msg sys/resource \
    sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un \
    sys/utsname sys/wait syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx wchar wctype \
    wordexp";

/// Programs see these as well: with the extensions of GNU, and with the functions of `_FORTIFY_SOURCE`.
const SETTINGS: [&str; 3] = [
    "",
    "#define _GNU_SOURCE 1\n",
    "#define _GNU_SOURCE 1\n#define __OPTIMIZE__ 1\n#define _FORTIFY_SOURCE 2\n",
];

/// Functions that only read through a parameter which is declared without `const`.
const READING: &[&str] = &[
    "alphasort",
    "alphasort64",
    "versionsort",
    "versionsort64",
    "msync",
    "open_by_handle_at",
    "lcong48",
    "lcong48_r",
    "seed48",
    "seed48_r",
    "semop",
    "semtimedop",
    "epoll_ctl",
    "execle",
    "execl",
    "execlp",
    "tss_set",
    "sigaction",
    "pthread_mutexattr_getrobust",
];

/// Functions that get a handle of the library, declared as a pointer: a locale, a catalogue, a conversion, a timer. So do
/// those whose names end with `_l`.
const HANDLES: [&str; 12] = [
    "catclose",
    "catgets",
    "duplocale",
    "freelocale",
    "iconv",
    "iconv_close",
    "newlocale",
    "uselocale",
    "timer_delete",
    "timer_getoverrun",
    "timer_gettime",
    "timer_settime",
];

struct Found {
    name: String,
    parameters: Vec<bool>,
    read_only: Vec<usize>,
    variadic: bool,
}

#[test]
fn every_function_of_the_standards_has_an_entry() {
    let host = MemoryHost::new().with_system_headers();
    let directories = host.system_include_directories(DataModel::Lp64);
    let is_installed = |header: &str| directories.iter().any(|directory| directory.join(header).exists());
    if !is_installed("stdio.h") {
        eprintln!("skipped: no headers of a C library are installed");
        return;
    }
    let (mut problems, mut seen) = (BTreeSet::new(), 0);
    for header in HEADERS.split_whitespace().map(|name| format!("{name}.h")) {
        if !is_installed(&header) {
            eprintln!("skipped: `{header}` is not installed");
            continue;
        }
        for setting in SETTINGS {
            for function in declared(&format!("{setting}#include <{header}>\n"), &header) {
                seen += 1;
                problems.extend(
                    problem(&function).map(|problem| format!("{}: {problem} (<{header}>)", function.name)),
                );
            }
        }
    }
    assert!(seen > 1000, "only {seen} functions were found");
    assert!(problems.is_empty(), "{}", problems.into_iter().collect::<Vec<_>>().join("\n"));
}

/// The functions that a text declares and does not define.
fn declared(text: &str, header: &str) -> Vec<Found> {
    let host = MemoryHost::new().with_file("a.c", text).with_system_headers();
    let options = Options { declarations: Declarations::All, ..Options::default() };
    let program = parse(&[TranslationUnit::new("a.c")], &options, &host)
        .unwrap_or_else(|failure| panic!("`{header}` is refused\n{}", render_failure(&failure)));
    let open = program.functions.values().filter(|definition| definition.body.is_none());
    open.filter_map(|definition| found(&program.types, &definition.function)).collect()
}

fn found(types: &TypeTable, function: &Function) -> Option<Found> {
    let Type::Function { parameters, variadic, .. } = types.get(function.ty) else { return None };
    let is_pointer = |ty: &_| matches!(types.get(*ty), Type::Pointer(_));
    let parameters = parameters.iter().map(is_pointer).collect();
    let (name, read_only) = (function.name.clone(), function.read_only.clone());
    Some(Found { name, parameters, read_only, variadic: *variadic })
}

/// What is wrong with what the table says of a function.
fn problem(function: &Found) -> Option<String> {
    let has_pointer = function.parameters.contains(&true);
    let Some(entry) = library::entry(&function.name) else {
        return (has_pointer || function.variadic).then(|| "no entry".to_owned());
    };
    let (expected, known) = (function.parameters.len(), entry.parameters.len());
    let is_checked = library::alias(&function.name).is_some();
    if known != expected && !is_checked {
        return Some(format!("{known} parameters in the table, {expected} declared"));
    }
    if function.variadic && entry.further.is_none() {
        return Some("the table knows no further arguments".to_owned());
    }
    (0..known.min(expected)).find_map(|at| misread(function, at, entry.parameter(at)))
}

fn misread(function: &Found, position: usize, parameter: Parameter) -> Option<String> {
    let is_written = function.parameters[position] && !function.read_only.contains(&position);
    let is_read = matches!(parameter, Parameter::Read | Parameter::Number);
    let name = library::canonical(&function.name);
    let is_handle = parameter == Parameter::Number && (name.ends_with("_l") || HANDLES.contains(&name));
    let is_known = READING.contains(&name) || is_handle;
    (is_written && is_read && !is_known).then(|| format!("parameter {} is no pointer to const", position + 1))
}
