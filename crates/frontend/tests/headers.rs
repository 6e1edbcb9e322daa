//! Headers of the system, those of a machine that has only 64-bit ones, and of one that has none.

use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;
use rorqual_frontend::{Host, TranslationUnit};
use rorqual_testkit::{
    Ending, MemoryHost, RunSettings, SystemHost, gcc_include_directories, interpret, read, render_failure,
    skip,
};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// A machine whose headers lie in a folder for 64-bit programs only.
#[derive(Debug)]
struct OnlyLp64(MemoryHost);

impl Host for OnlyLp64 {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf> {
        match model {
            DataModel::Ilp32 => vec!["/include".into()],
            DataModel::Lp64 => vec!["/include".into(), "/include/x86_64-linux-gnu".into()],
        }
    }
}

/// The system's headers next to one file in memory.
#[derive(Debug)]
struct WithFile(MemoryHost);

impl Host for WithFile {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path).or_else(|_| SystemHost.read(path))
    }

    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf> {
        SystemHost.system_include_directories(model)
    }
}

/// How the program ends, or the message that refuses it.
fn run(host: &dyn Host, model: DataModel) -> Result<Ending, String> {
    let program = read(&[TranslationUnit::new("a.c")], model, host);
    let program = program.map_err(|failure| render_failure(&failure))?;
    Ok(interpret(&program, &RunSettings::default()).ending)
}

#[test]
fn the_folder_for_lp64_serves_ilp32_too() {
    let files = MemoryHost::new()
        .with_file("a.c", "#include <library.h>\nint main(void) { return BITS; }\n")
        .with_file("/include/library.h", "#include <bits/types.h>\n#include <gnu/stubs.h>\n")
        .with_file(
            "/include/x86_64-linux-gnu/bits/types.h",
            "#ifdef __x86_64__\n#define BITS 64\n#else\n#define BITS 32\n#endif\n",
        )
        .with_file(
            "/include/x86_64-linux-gnu/gnu/stubs.h",
            "#ifndef __x86_64__\n#include <gnu/stubs-32.h>\n#include <gnu/lib-names-32.h>\n#endif\n",
        );
    let host = OnlyLp64(files);
    assert_eq!(run(&host, DataModel::Ilp32), Ok(Ending::Finished { status: 32 }));
    assert_eq!(run(&host, DataModel::Lp64), Ok(Ending::Finished { status: 64 }));
}

#[test]
fn headers_of_the_compiler_need_no_compiler() {
    let text = "\
#include <float.h>\n#include <iso646.h>\n#include <limits.h>\n#include <stdalign.h>\n#include <stdarg.h>
#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdnoreturn.h>
static int second(int count, ...) {
    va_list list;
    va_start(list, count);
    (void)va_arg(list, int);
    int value = va_arg(list, int);
    va_end(list);
    return value;
}
struct pair { char first; int second; };
int main(void) {
    bool fits = sizeof(size_t) == sizeof(void *) and sizeof(intptr_t) == sizeof(ptrdiff_t);
    fits = fits && INT64_MAX == LLONG_MAX && UINT8_MAX == UCHAR_MAX && DBL_DIG == 15 && CHAR_BIT == 8;
    fits = fits && offsetof(struct pair, second) == alignof(int) && NULL == (void *)0;
    fits = fits && LONG_MAX == (sizeof(long) == 8 ? INT64_MAX : INT32_MAX);
    return fits ? second(2, 1, (int)sizeof(size_t) * 8) : 1;
}
";
    let host = MemoryHost::new().with_file("a.c", text);
    assert_eq!(run(&host, DataModel::Ilp32), Ok(Ending::Finished { status: 32 }));
    assert_eq!(run(&host, DataModel::Lp64), Ok(Ending::Finished { status: 64 }));
}

#[test]
fn a_machine_without_headers_says_so() {
    let host = MemoryHost::new().with_file("a.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    let message = run(&host, DataModel::Lp64).expect_err("there is no such header");
    insta::assert_snapshot!(message, @r"
    a.c:1:1: `stdio.h` file not found
      note: a.c:1:1: there is no directory to search
      note: a.c:1:1: this machine has no headers of a C library: a package such as `libc6-dev` brings them
    ");
}

#[test]
fn every_header_of_the_standard_is_read_in_both_data_models() {
    if gcc_include_directories(DataModel::Lp64).is_empty() {
        return skip("the headers of the standard", "gcc is not installed");
    }
    let names = [
        "assert",
        "complex",
        "ctype",
        "errno",
        "fenv",
        "float",
        "inttypes",
        "iso646",
        "limits",
        "locale",
        "math",
        "setjmp",
        "signal",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "tgmath",
        "threads",
        "time",
        "uchar",
        "wchar",
        "wctype",
        "fcntl",
        "pthread",
        "sys/stat",
        "sys/types",
        "unistd",
    ];
    let includes: String = names.iter().flat_map(|name| ["#include <", name, ".h>\n"]).collect();
    let text = format!("{includes}int main(void) {{ return sizeof(size_t) + sizeof(uintmax_t); }}\n");
    let host = WithFile(MemoryHost::new().with_file("a.c", text));
    for (model, size) in MODELS.into_iter().zip([12, 16]) {
        assert_eq!(run(&host, model), Ok(Ending::Finished { status: size }));
    }
}
