//! Predicates in a store: what predicate abstraction has tracked serves later runs, of this version or of others. They answer
//! nothing, so nobody has to check them.

use std::time::Duration;

use rorqual_engines::predicate::PredicateMap;
use rorqual_store::{Entry, Key, Kind, NewEntry};

use super::Session;

impl Session<'_> {
    /// Lets the search start with the predicates of an earlier run.
    pub(crate) fn load_predicates(&self) {
        let Some(predicates) = &self.shelf.predicates else { return };
        if self.state().is_over {
            return;
        }
        let Some(entry) = self.predicates().filter(|entry| entry.is_intact) else { return };
        if let Ok(map) = PredicateMap::parse(&entry.content.payload) {
            predicates.remember(map);
        }
    }

    /// Predicates for the program, or else for the one that shares most functions with it.
    fn predicates(&self) -> Option<Entry> {
        let entries = self.attempt(self.shelf.store.find(&self.program))?;
        let own = entries.into_iter().rfind(|entry| entry.content.kind == Kind::Predicates);
        own.or_else(|| {
            let functions = &self.content.functions;
            let found = self.shelf.store.find_relatives(&self.program, functions, Kind::Predicates, 1);
            self.attempt(found)?.pop()
        })
    }

    /// Keeps what the search has tracked, whatever it has found.
    pub(crate) fn keep_predicates(&self) {
        let Some(found) = self.shelf.predicates.as_ref().map(|predicates| predicates.found()) else { return };
        if found.is_empty() || !self.writes() {
            return;
        }
        let entry = NewEntry {
            key: Key::builder("predicates").part("program", self.program.as_str()).finish(),
            kind: Kind::Predicates,
            program: self.program.clone(),
            functions: self.content.functions.clone(),
            files: self.files.clone(),
            payload: found.to_string(),
            // Without them the search finds them again.
            cost: Duration::ZERO,
        };
        self.attempt(self.shelf.store.put(&entry));
    }
}
