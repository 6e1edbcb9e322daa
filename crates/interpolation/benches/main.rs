//! Path formulas: satisfiability against z3, and how many infeasible paths have interpolants about words.
//!
//! `cargo bench -p rorqual-interpolation` prints one line per path, then the summaries, then what
//! criterion measures. `RORQUAL_PATHS` names another file or folder of recorded paths, and
//! `RORQUAL_PATHS_WRITE=1` writes the generated ones to the default folder instead of measuring.
//! `RORQUAL_PATHS_TABLE=1` leaves criterion out.

mod generator;
mod measure;
mod report;
mod z3;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, io};

use criterion::Criterion;
use rorqual_interpolation::recorded::Recording;

/// Where recorded paths are, unless `RORQUAL_PATHS` says otherwise.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/paths");

/// Longer sessions are not repeated for criterion.
const LONGEST_SESSION: Duration = Duration::from_millis(100);

fn main() {
    if env::var_os("RORQUAL_PATHS_WRITE").is_some() {
        write_generated().expect("the folder is writable");
        return;
    }
    let place = env::var_os("RORQUAL_PATHS").map_or_else(|| PathBuf::from(FOLDER), PathBuf::from);
    let recordings = read(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let families: Vec<measure::Family> =
        recordings.iter().map(|(name, recording)| measure::family(name, recording)).collect();
    report::print(&families);
    if env::var_os("RORQUAL_PATHS_TABLE").is_some() {
        return;
    }
    with_criterion(&recordings, &families);
}

/// The recordings of a file, or of all files of a folder that end in `.smt2`, by their names.
fn read(place: &Path) -> io::Result<BTreeMap<String, Recording>> {
    let mut files = vec![place.to_owned()];
    if place.is_dir() {
        let entries = fs::read_dir(place)?.collect::<io::Result<Vec<_>>>()?;
        files = entries.iter().map(fs::DirEntry::path).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "smt2"));
    }
    let mut recordings = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let named = |error| io::Error::other(format!("{}: {error}", file.display()));
        let recording = Recording::parse(&text).map_err(named)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        recordings.insert(name, recording);
    }
    Ok(recordings)
}

fn write_generated() -> io::Result<()> {
    fs::create_dir_all(FOLDER)?;
    for (name, recording) in generator::recordings() {
        fs::write(Path::new(FOLDER).join(format!("{name}.smt2")), recording.to_string())?;
    }
    Ok(())
}

/// Times of whole sessions, with criterion's statistics and its comparison with the run before. Sessions
/// that take longer are left to the table: criterion wants at least ten of each.
fn with_criterion(recordings: &BTreeMap<String, Recording>, families: &[measure::Family]) {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    for ((name, recording), family) in recordings.iter().zip(families) {
        if family.satisfiability_time() < LONGEST_SESSION {
            criterion.bench_function(&format!("satisfiability/{name}"), |bencher| {
                bencher.iter(|| measure::satisfiability(recording));
            });
        }
        if family.interpolation_time() < LONGEST_SESSION {
            criterion.bench_function(&format!("interpolants/{name}"), |bencher| {
                bencher.iter(|| measure::interpolants(recording));
            });
        }
    }
    criterion.final_summary();
}
