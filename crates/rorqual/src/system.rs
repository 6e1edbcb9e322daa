//! The machine around the front end: its files and its compiler's directories.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use rorqual_cfa::DataModel;
use rorqual_frontend::Host;

/// No source file is this large, but what devices like `/dev/zero` give has no end.
const MAX_FILE_SIZE: u64 = 1 << 28;

/// The operating system.
#[derive(Debug, Default)]
pub struct System {
    /// For `Ilp32` and `Lp64`: the compiler is asked once, and only if a program includes
    /// something.
    include_directories: [OnceLock<Vec<PathBuf>>; 2],
}

impl Host for System {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_FILE_SIZE {
            return Err(io::Error::other(format!("it is larger than {} MiB", MAX_FILE_SIZE >> 20)));
        }
        Ok(bytes)
    }

    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf> {
        let slot = match model {
            DataModel::Ilp32 => 0,
            DataModel::Lp64 => 1,
        };
        self.include_directories[slot]
            .get_or_init(|| ask_compiler(model).unwrap_or_else(|| usual_directories(model)))
            .clone()
    }
}

/// What the system's compiler says with `-v`; `None` if there is no compiler or it says nothing.
fn ask_compiler(model: DataModel) -> Option<Vec<PathBuf>> {
    let width: &[&str] = match model {
        DataModel::Ilp32 => &["-m32"],
        DataModel::Lp64 => &[],
    };
    let output = Command::new("cc")
        .args(width)
        .args(["-E", "-Wp,-v", "-xc", "/dev/null"])
        // The list is found by its English heading.
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let directories = listed_directories(&String::from_utf8_lossy(&output.stderr));
    (!directories.is_empty()).then_some(directories)
}

/// The directories between the heading and the end mark of the compiler's list.
fn listed_directories(report: &str) -> Vec<PathBuf> {
    let lines = report.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    lines.take_while(|line| line.starts_with(' ')).map(|line| PathBuf::from(line.trim())).collect()
}

/// Where Debian and its relatives keep headers; none that is not there.
fn usual_directories(model: DataModel) -> Vec<PathBuf> {
    let multiarch = match model {
        DataModel::Ilp32 => "/usr/include/i386-linux-gnu",
        DataModel::Lp64 => "/usr/include/x86_64-linux-gnu",
    };
    let usual = ["/usr/local/include", multiarch, "/usr/include"].map(PathBuf::from);
    usual.into_iter().filter(|directory| directory.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_the_compiler_is_found_between_its_marks() {
        let report = "ignoring nonexistent directory \"/x\"\n#include \"...\" search starts here:\n\
                      #include <...> search starts here:\n /usr/lib/gcc/include\n /usr/include\nEnd of search list.\n";
        assert_eq!(
            listed_directories(report),
            [Path::new("/usr/lib/gcc/include"), Path::new("/usr/include")]
        );
        assert!(listed_directories("cc: error").is_empty());
    }
}
