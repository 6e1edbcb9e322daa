//! The tables.

use std::collections::BTreeMap;
use std::time::Duration;

use rorqual_interpolation::strategy::Served;

use crate::measure::{Family, Interpolated, Measured};

/// Prints everything.
pub(crate) fn print(families: &[Family]) {
    let paths = || families.iter().flat_map(|family| &family.paths);
    println!("satisfiability, text to answer, the fastest of the sessions in µs");
    println!("{:<24} {:>5} {:>7} {:>9} {:>9} {:>7}", "path", "parts", "answer", "rorqual", "z3", "ratio");
    for path in paths() {
        print_path(path);
    }
    if paths().any(|path| path.theirs.is_none()) {
        println!("skipped: the comparison with z3, which is not installed");
    }
    print_ratios("per family", families);
    print_interpolants(families);
}

fn print_path(path: &Measured) {
    let answer = match path.is_sat {
        Some(true) => "sat",
        Some(false) => "unsat",
        None => "unknown",
    };
    let theirs = path.theirs.map_or("-".to_owned(), |time| micros(time).to_string());
    let ratio = ratio(path).map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    let ours = micros(path.ours);
    println!("{:<24} {:>5} {answer:>7} {ours:>9} {theirs:>9} {ratio:>7}", path.name, path.parts);
}

fn micros(time: Duration) -> u128 {
    time.as_micros()
}

fn ratio(path: &Measured) -> Option<f64> {
    path.theirs.map(|theirs| path.ours.as_secs_f64() / theirs.as_secs_f64())
}

fn print_ratios(title: &str, families: &[Family]) {
    println!("\ngeometric means of the ratios, {title}");
    println!("{:<20} {:>5} {:>7} {:>7} {:>7}", "family", "paths", "sat", "unsat", "all");
    for family in families {
        print_means(&family.name, &family.paths.iter().collect::<Vec<_>>());
    }
    print_means("all", &families.iter().flat_map(|family| &family.paths).collect::<Vec<_>>());
}

fn print_means(name: &str, paths: &[&Measured]) {
    let mean = |keep: &dyn Fn(&Measured) -> bool| {
        let logarithms: Vec<f64> =
            paths.iter().filter(|path| keep(path)).filter_map(|path| ratio(path)).map(f64::ln).collect();
        if logarithms.is_empty() {
            return "-".to_owned();
        }
        format!("{:.2}", (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
    };
    let (sat, unsat, all) =
        (mean(&|path| path.is_sat == Some(true)), mean(&|path| path.is_sat == Some(false)), mean(&|_| true));
    println!("{name:<20} {:>5} {sat:>7} {unsat:>7} {all:>7}", paths.len());
}

fn print_interpolants(families: &[Family]) {
    println!("\ninterpolants of infeasible paths, all about words and with at most ten atoms each");
    println!("{:<20} {:>5} {:>5} {:>7} {:>10}  not so", "family", "paths", "words", "share", "median µs");
    let mut all = Vec::new();
    for family in families {
        let named: Vec<(&str, &Interpolated)> = family
            .paths
            .iter()
            .filter_map(|path| Some((path.name.as_str(), path.interpolants.as_ref()?)))
            .collect();
        print_share(&family.name, &named);
        all.extend(named);
    }
    let times: Vec<Duration> = all.iter().map(|(_, found)| found.time).collect();
    print_share("all", &all);
    let strict = all.iter().filter(|(_, found)| found.is_without_bits).count();
    println!("without single bits that the path itself takes out: {strict}");
    println!("total time of the chooser: {} ms", times.iter().sum::<Duration>().as_millis());
    let mut served: BTreeMap<Option<Served>, usize> = BTreeMap::new();
    for (_, found) in &all {
        *served.entry(found.served).or_default() += 1;
    }
    println!("\nserved by");
    for (strategy, count) in served {
        println!("{count:>5}  {}", strategy.map_or("nothing".to_owned(), |strategy| format!("{strategy:?}")));
    }
}

fn print_share(name: &str, paths: &[(&str, &Interpolated)]) {
    if paths.is_empty() {
        return;
    }
    let words = paths.iter().filter(|(_, found)| found.is_word_level).count();
    let mut times: Vec<Duration> = paths.iter().map(|(_, found)| found.time).collect();
    times.sort_unstable();
    let share = words as f64 * 100.0 / paths.len() as f64;
    let others: Vec<String> = paths
        .iter()
        .filter(|(_, found)| !found.is_word_level)
        .map(|(name, found)| format!("{name} ({} atoms)", found.atoms))
        .collect();
    let others = if name == "all" { String::new() } else { others.join(" ") };
    let median = micros(times[times.len() / 2]);
    println!("{name:<20} {:>5} {words:>5} {share:>5.1} % {median:>10}  {others}", paths.len());
}
