//! Versions from a git repository. They are written to a temporary directory; neither the work tree nor the index is touched.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::exit::Problem;

/// Where the files of a commit are, beside its index.
const FILES: &str = "files";

/// A repository, seen from the directory that the user is in.
pub(super) struct Repository {
    /// The directory of the user below the top of the repository.
    prefix: PathBuf,
}

/// A commit.
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) subject: String,
}

impl Commit {
    /// The digits that people read.
    pub(super) fn short(&self) -> &str {
        &self.id[..self.id.len().min(10)]
    }
}

impl Repository {
    /// The repository around the current directory.
    pub(super) fn find() -> Result<Repository, Problem> {
        let prefix = git(&["rev-parse", "--show-prefix"], None)?;
        Ok(Repository { prefix: PathBuf::from(prefix.trim()) })
    }

    /// The commits of a range, oldest first, behind the one that it starts from. Of merges the first parent is followed, as on the
    /// branch that was merged into.
    pub(super) fn commits(range: &str, paths: &[PathBuf]) -> Result<Vec<Commit>, Problem> {
        let Some((start, end)) = range.split_once("..") else {
            let message = format!("`--git` takes a range such as `v1.0..HEAD` (found `{range}`)");
            return Err(Problem::Usage(message));
        };
        let (start, end) = (if start.is_empty() { "HEAD" } else { start }, end.trim_start_matches('.'));
        let end = if end.is_empty() { "HEAD" } else { end };
        let mut ids = vec![Repository::commit(start)?];
        let (wanted, excluded) = (Repository::commit(end)?, format!("^{}", ids[0]));
        let mut list = vec!["rev-list", "--reverse", "--first-parent", &wanted, &excluded, "--"];
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        list.extend(paths.iter().map(String::as_str));
        ids.extend(git(&list, None)?.lines().map(str::to_owned));
        let subject = |id: String| {
            let subject = git(&["log", "-1", "--format=%s", &id], None)?.trim().to_owned();
            Ok(Commit { id, subject })
        };
        ids.into_iter().map(subject).collect()
    }

    fn commit(revision: &str) -> Result<String, Problem> {
        let name = format!("{revision}^{{commit}}");
        let found = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name], None);
        let help = "`git log --all` lists the commits that there are; a rewritten history may have lost some";
        found
            .map(|id| id.trim().to_owned())
            .map_err(|_| Problem::File(format!("there is no revision `{revision}`\n  = help: {help}")))
    }

    /// Writes a commit to a directory; where the user's directory is in it.
    pub(super) fn write(&self, commit: &Commit, directory: &Path) -> Result<PathBuf, Problem> {
        let index = directory.join(".rorqual-index");
        let target = directory.join(FILES);
        let prefix = format!("--prefix={}/", target.display());
        git(&["read-tree", &commit.id], Some(&index))?;
        git(&["checkout-index", "--all", "--force", "--quiet", &prefix], Some(&index))?;
        Ok(target.join(&self.prefix))
    }

    /// Whether a commit that was written to a directory has submodules.
    pub(super) fn has_submodules(directory: &Path) -> bool {
        directory.join(FILES).join(".gitmodules").exists()
    }
}

/// Runs git; an error is what it says.
fn git(arguments: &[&str], index: Option<&Path>) -> Result<String, Problem> {
    let mut command = Command::new("git");
    command.args(arguments.iter().map(OsStr::new));
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| {
        Problem::File(format!(
            "git cannot be run: {error}\n  = help: install git, or compare files with `--to`"
        ))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(Problem::File(format!("git: {}", message.trim().trim_start_matches("fatal: "))))
}
