//! The system's compiler, and programs that it compiled.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rorqual::Project;
use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;

/// How a compiled program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself or by a signal.
    Ended(ExitStatus),
    /// It was killed when its time was over.
    TimedOut,
}

/// Compiles the program together with a harness and runs it, without input or output.
///
/// # Errors
/// Why there is nothing to run, to be shown to the user.
pub(crate) fn compile_and_run(job: &Project, harness: &str, limit: Duration) -> Result<End, String> {
    let failed = |error: io::Error| error.to_string();
    let directory = tempfile::tempdir().map_err(failed)?;
    let feeder = directory.path().join("harness.c");
    std::fs::write(&feeder, harness).map_err(failed)?;
    let harness_unit = TranslationUnit::new(&feeder);
    let mut objects: Vec<PathBuf> = Vec::new();
    for (number, unit) in job.units.iter().chain([&harness_unit]).enumerate() {
        let object = directory.path().join(format!("{number}.o"));
        compile(unit, job.options.data_model, &object)?;
        objects.push(object);
    }
    let binary = directory.path().join("program");
    let mut link = compiler(job.options.data_model);
    check(link.args(&objects).arg("-o").arg(&binary).arg("-lm"))?;
    run(&mut Command::new(&binary), limit).map_err(failed)
}

fn compiler(model: DataModel) -> Command {
    let mut command = Command::new("cc");
    command.arg(match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    // Messages are cited, so they have to be in one language.
    command.env("LC_ALL", "C");
    command
}

/// Signed overflow wraps as it does in the interpreter, and functions tell that they are entered.
fn compile(unit: &TranslationUnit, model: DataModel, object: &Path) -> Result<(), String> {
    let mut command = compiler(model);
    command.args(["-c", "-O0", "-w", "-fwrapv", "-finstrument-functions"]);
    let directories = [
        ("-iquote", &unit.quote_directories),
        ("-I", &unit.include_directories),
        ("-isystem", &unit.system_directories),
        ("-include", &unit.preincludes),
    ];
    for (flag, paths) in directories {
        for path in paths {
            command.arg(flag).arg(path);
        }
    }
    command.args(unit.defines.iter().map(|define| format!("-D{define}")));
    command.args(unit.undefines.iter().map(|undefine| format!("-U{undefine}")));
    check(command.arg(&unit.path).arg("-o").arg(object))
}

/// Runs the compiler.
fn check(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`cc` cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let important =
        messages.lines().find(|line| line.contains("error") || line.contains("undefined reference"));
    Err(format!("`cc` refuses the program: {}", important.unwrap_or("no message").trim()))
}

fn run(command: &mut Command, limit: Duration) -> io::Result<End> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Ended(status));
        }
        if started.elapsed() >= limit {
            kill(&mut child);
            return Ok(End::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A process that ended by itself meanwhile is no problem.
fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
