//! What is told about two versions.

use std::collections::BTreeMap;
use std::fmt::Write;

use rorqual_store::counterparts;
use serde_json::{Value, json};

use super::versions::{PropertyAnswer, Version};

/// What became of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    Violated,
    ProofHolds,
    GivenUp,
    ProvedAnew,
    NotDecided,
    Added,
    Removed,
    Unchanged,
}

impl Change {
    fn text(self) -> &'static str {
        match self {
            Change::Violated => "changed, violated",
            Change::ProofHolds => "changed, the proof still holds",
            Change::GivenUp => "changed, its contract no longer holds, but the proof holds without it",
            Change::ProvedAnew => "changed, proved anew",
            Change::NotDecided => "changed, not decided",
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Unchanged => "unchanged",
        }
    }
}

/// Two versions, compared.
pub(super) struct Comparison<'a> {
    old: &'a Version,
    new: &'a Version,
    functions: Vec<(String, Change)>,
    /// Properties that were not violated, and are.
    pub(super) broken: Vec<(&'a str, &'a PropertyAnswer)>,
    /// Properties that were violated, and are not, with their new verdict; nothing if they are gone.
    fixed: Vec<(&'a str, Option<&'a PropertyAnswer>)>,
    earlier: Counterparts<'a>,
}

/// Which property of one version is which of the other. Names have numbers, which move when others come or go.
struct Counterparts<'a> {
    old: BTreeMap<&'a str, &'a str>,
    new: BTreeMap<&'a str, &'a str>,
}

impl<'a> Counterparts<'a> {
    fn of(old: &'a Version, new: &'a Version) -> Counterparts<'a> {
        let (olds, news) = (families(old), families(new));
        let (mut to_old, mut to_new) = (BTreeMap::new(), BTreeMap::new());
        for (family, before) in &olds {
            let Some(after) = news.get(family) else { continue };
            let contents = |all: &[(u64, &str, &str)]| -> Vec<String> {
                all.iter().map(|(_, _, content)| (*content).to_owned()).collect()
            };
            for (one, other) in counterparts(&contents(before), &contents(after)) {
                to_old.insert(after[other].1, before[one].1);
                to_new.insert(before[one].1, after[other].1);
            }
        }
        Counterparts { old: to_old, new: to_new }
    }

    /// What a property of the new version was called in the old one.
    fn in_old(&self, name: &str) -> Option<&'a str> {
        self.old.get(name).copied()
    }

    /// What a property of the old version is called in the new one.
    fn in_new(&self, name: &str) -> Option<&'a str> {
        self.new.get(name).copied()
    }
}

/// The properties of each check in each function, in the order of their numbers: number, name and content.
fn families(version: &Version) -> BTreeMap<&str, Vec<(u64, &str, &str)>> {
    let mut all: BTreeMap<&str, Vec<(u64, &str, &str)>> = BTreeMap::new();
    for (name, answer) in &version.properties {
        let (family, number) = name.rsplit_once('.').unwrap_or((name, ""));
        let number = number.parse().unwrap_or(0);
        all.entry(family).or_default().push((number, name, &answer.content));
    }
    for members in all.values_mut() {
        members.sort_unstable();
    }
    all
}

impl<'a> Comparison<'a> {
    pub(super) fn of(old: &'a Version, new: &'a Version) -> Comparison<'a> {
        let earlier = Counterparts::of(old, new);
        let is_violated = |answer: Option<&PropertyAnswer>| answer.is_some_and(|one| one.verdict == "unsafe");
        let broken = new.properties.iter().filter(|(name, answer)| {
            is_violated(Some(answer))
                && !is_violated(earlier.in_old(name).and_then(|name| old.properties.get(name)))
        });
        let fixed = old.properties.iter().filter_map(|(name, answer)| {
            let now = earlier.in_new(name).and_then(|name| new.properties.get(name));
            (is_violated(Some(answer)) && !is_violated(now)).then_some((name.as_str(), now))
        });
        let (broken, fixed) =
            (broken.map(|(name, answer)| (name.as_str(), answer)).collect(), fixed.collect());
        Comparison { old, new, functions: functions(old, new), broken, fixed, earlier }
    }

    /// How many functions have changed, and so on.
    pub(super) fn counts(&self) -> String {
        let count =
            |is: &dyn Fn(Change) -> bool| self.functions.iter().filter(|(_, change)| is(*change)).count();
        let unchanged = count(&|change| change == Change::Unchanged);
        let added = count(&|change| change == Change::Added);
        let removed = count(&|change| change == Change::Removed);
        let changed = self.functions.len() - unchanged - added - removed;
        let mut text = format!("{changed} changed, {unchanged} unchanged");
        for (number, word) in [(added, "added"), (removed, "removed")] {
            if number > 0 {
                let _ = write!(text, ", {number} {word}");
            }
        }
        text
    }

    fn kept(&self) -> usize {
        self.new.properties.values().filter(|answer| answer.is_kept).count()
    }

    /// The functions that may have broken something: those that are new or have changed, and that a violation comes to. If there
    /// are none of these, all that are new or have changed.
    pub(super) fn suspects(&self) -> Vec<&str> {
        let changed = self
            .functions
            .iter()
            .filter(|(_, change)| !matches!(change, Change::Unchanged | Change::Removed));
        let all: Vec<&str> = changed.map(|(name, _)| name.as_str()).collect();
        let is_executed = |name: &&str| self.broken.iter().any(|(_, answer)| executes(answer, name));
        let executed: Vec<&str> = all.iter().copied().filter(is_executed).collect();
        if executed.is_empty() { all } else { executed }
    }

    pub(super) fn human(&self) -> String {
        let (old, new) = (self.old, self.new);
        let mut text = format!("{}\n", new.message);
        let _ = writeln!(
            text,
            "  old version: {} in {:.2} s, new version: {} in {:.2} s",
            old.word(),
            old.seconds,
            new.word(),
            new.seconds
        );
        let _ = writeln!(text, "  functions: {}", self.counts());
        for (name, change) in self.functions.iter().filter(|(_, change)| *change != Change::Unchanged) {
            let _ = writeln!(text, "    {name}: {}", change.text());
        }
        let _ = writeln!(
            text,
            "  properties: {}, {} answered by earlier proofs and violations, {} broken, {} fixed",
            new.properties.len(),
            self.kept(),
            self.broken.len(),
            self.fixed.len()
        );
        for (name, answer) in &self.broken {
            let _ = writeln!(
                text,
                "    broken: {name}, {} at {}:{}",
                answer.description, answer.file, answer.line
            );
        }
        if !self.broken.is_empty() && !self.suspects().is_empty() {
            let _ = writeln!(text, "    by a change of: {}", self.suspects().join(", "));
        }
        for (name, answer) in &self.fixed {
            let _ = writeln!(
                text,
                "    fixed: {name}, {}",
                answer.map_or("which is gone", |answer| answer.verdict.as_str())
            );
        }
        if self.kept() > 0 {
            let _ = writeln!(text, "  time saved by earlier proofs and violations: {:.2} s", new.saved);
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let version = |version: &Version| json!({ "verdict": version.word(), "message": version.message, "seconds": version.seconds, "seconds_saved": version.saved });
        let functions: Vec<Value> = self
            .functions
            .iter()
            .map(|(name, change)| json!({ "name": name, "change": change.text() }))
            .collect();
        let broken: Vec<Value> = self.broken.iter().map(|(name, answer)| {
            json!({ "id": name, "id_before": self.earlier.in_old(name), "description": answer.description, "at": { "file": answer.file, "line": answer.line } })
        }).collect();
        let fixed: Vec<&str> = self.fixed.iter().map(|(name, _)| *name).collect();
        json!({
            "version": 1,
            "old": version(self.old),
            "new": version(self.new),
            "functions": functions,
            "properties": { "all": self.new.properties.len(), "kept": self.kept(), "broken": broken, "fixed": fixed },
            "suspects": if self.broken.is_empty() { Vec::new() } else { self.suspects() },
        })
    }

    pub(super) fn markdown(&self) -> String {
        let mut text = format!("**{}** ({} before)\n\n", self.new.message, self.old.word());
        text += "| Function | Change |\n|---|---|\n";
        for (name, change) in self.functions.iter().filter(|(_, change)| *change != Change::Unchanged) {
            let _ = writeln!(text, "| `{name}` | {} |", change.text());
        }
        let _ = writeln!(text, "\n| Property | Before | After |\n|---|---|---|");
        for (name, answer) in &self.broken {
            let before = self.earlier.in_old(name).and_then(|name| self.old.properties.get(name));
            let before = before.map_or("–", |old| old.verdict.as_str());
            let _ = writeln!(
                text,
                "| `{name}`: {} at {}:{} | {before} | {} |",
                answer.description, answer.file, answer.line, answer.verdict
            );
        }
        for (name, answer) in &self.fixed {
            let _ = writeln!(
                text,
                "| `{name}` | unsafe | {} |",
                answer.map_or("–", |answer| answer.verdict.as_str())
            );
        }
        let _ = writeln!(
            text,
            "\nFunctions: {}. Properties: {}, {} answered by earlier proofs and violations. {:.2} s (before: {:.2} s), {:.2} s saved.",
            self.counts(),
            self.new.properties.len(),
            self.kept(),
            self.new.seconds,
            self.old.seconds,
            self.new.saved
        );
        text
    }
}

fn functions(old: &Version, new: &Version) -> Vec<(String, Change)> {
    let (before, after) = (&old.functions, &new.functions);
    let mut all = Vec::new();
    for (name, hash) in after {
        let change = match before.get(name) {
            None => Change::Added,
            Some(known) if known == hash => Change::Unchanged,
            Some(_) => changed(new, name),
        };
        all.push((name.clone(), change));
    }
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    all.extend(removed.map(|name| (name.clone(), Change::Removed)));
    all.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    all
}

/// What is known of a changed function: its own properties decide, or else all of them, which rest on it.
fn changed(new: &Version, name: &str) -> Change {
    let is_own = |property: &str| property.split('.').next() == Some(name);
    let own: Vec<&PropertyAnswer> =
        new.properties.iter().filter(|(property, _)| is_own(property)).map(|(_, answer)| answer).collect();
    let is_violated = |answer: &&PropertyAnswer| answer.verdict == "unsafe";
    if own.iter().any(is_violated) || own.is_empty() && new.properties.values().any(|one| executes(one, name))
    {
        return Change::Violated;
    }
    let answers = if own.is_empty() { new.properties.values().collect() } else { own };
    // A violation that does not come to the function says nothing of it.
    let answers: Vec<&PropertyAnswer> = answers.into_iter().filter(|one| !is_violated(one)).collect();
    if answers.is_empty() || answers.iter().any(|answer| answer.verdict != "safe") {
        Change::NotDecided
    } else if answers.iter().any(|answer| !answer.is_kept) {
        Change::ProvedAnew
    } else if new.given_up.contains(name) {
        Change::GivenUp
    } else {
        Change::ProofHolds
    }
}

/// Whether a violation comes to a function, as far as that is known.
fn executes(answer: &PropertyAnswer, function: &str) -> bool {
    // Functions of different files that share a name have numbers.
    let name = function.split('#').next().unwrap_or(function);
    answer.verdict == "unsafe" && answer.executed.as_ref().is_none_or(|names| names.contains(name))
}
