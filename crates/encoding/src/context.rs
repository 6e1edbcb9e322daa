//! Call strings, interned: where control is in a program whose calls are inlined.

use std::collections::HashMap;

use rorqual_cfa::{EdgeId, FunctionId, LocationId, Program};
use rorqual_evidence::{CallSite, CallString};

/// An interned call string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Context(u32);

/// A location of a function in the context of the calls that led there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The calls.
    pub context: Context,
    /// The location in the active function.
    pub location: LocationId,
}

#[derive(Debug)]
struct Entry {
    function: FunctionId,
    call: Option<(Context, CallSite)>,
    /// For the context of a loop's start: the context of what comes then.
    body: Option<Context>,
}

/// All call strings that were met.
#[derive(Debug)]
pub(crate) struct Contexts {
    entries: Vec<Entry>,
    known: HashMap<(Context, EdgeId, FunctionId), Context>,
    /// The contexts of functions that anybody may have called.
    any_call: HashMap<FunctionId, Context>,
    /// The contexts of the starts of loops in them.
    before_loop: HashMap<Context, Context>,
}

impl Contexts {
    /// The empty call string only.
    pub(crate) fn new(program: &Program) -> Contexts {
        let root = Entry { function: program.start, call: None, body: None };
        Contexts {
            entries: vec![root],
            known: HashMap::new(),
            any_call: HashMap::new(),
            before_loop: HashMap::new(),
        }
    }

    /// The empty call string.
    pub(crate) fn root() -> Context {
        Context(0)
    }

    fn entry(&self, context: Context) -> &Entry {
        &self.entries[context.0 as usize]
    }

    /// The active function.
    pub(crate) fn function(&self, context: Context) -> FunctionId {
        self.entry(context).function
    }

    /// The last call, and the context it was made in.
    pub(crate) fn caller(&self, context: Context) -> Option<(Context, CallSite)> {
        self.entry(context).call
    }

    /// The context after one more call, unless the function is active already.
    pub(crate) fn enter(&mut self, context: Context, edge: EdgeId, callee: FunctionId) -> Option<Context> {
        if self.is_active(context, callee) {
            return None;
        }
        if let Some(&known) = self.known.get(&(context, edge, callee)) {
            return Some(known);
        }
        let site = CallSite { caller: self.function(context), edge, callee };
        let id = Context(self.entries.len() as u32);
        self.entries.push(Entry { function: callee, call: Some((context, site)), body: None });
        self.known.insert((context, edge, callee), id);
        Some(id)
    }

    /// The context of a function that anybody may have called.
    pub(crate) fn of_any_call(&mut self, function: FunctionId) -> Context {
        if let Some(&known) = self.any_call.get(&function) {
            return known;
        }
        let id = Context(self.entries.len() as u32);
        self.entries.push(Entry { function, call: None, body: None });
        self.any_call.insert(function, id);
        id
    }

    /// The context in which control is at the head of a loop that is looked into. Elsewhere it is at the head of one that
    /// is called.
    pub(crate) fn before_loop(&mut self, body: Context) -> Context {
        if let Some(&known) = self.before_loop.get(&body) {
            return known;
        }
        let id = Context(self.entries.len() as u32);
        self.entries.push(Entry { function: self.function(body), call: None, body: Some(body) });
        self.before_loop.insert(body, id);
        id
    }

    /// Whether control in a context is at the head of a loop that is looked into.
    pub(crate) fn is_before_loop(&self, context: Context) -> bool {
        self.entry(context).body.is_some()
    }

    /// The context after an edge that stays in the function.
    pub(crate) fn after_edge(&self, context: Context) -> Context {
        self.entry(context).body.unwrap_or(context)
    }

    /// The function that anybody may have called, outermost in a context.
    pub(crate) fn any_caller_of(&self, context: Context) -> Option<FunctionId> {
        let mut at = context;
        while let Some((caller, _)) = self.caller(at) {
            at = caller;
        }
        (at != Contexts::root()).then(|| self.function(at))
    }

    /// Whether a call of the function has not returned.
    pub(crate) fn is_active(&self, context: Context, function: FunctionId) -> bool {
        let mut at = Some(context);
        while let Some(context) = at {
            let entry = self.entry(context);
            if entry.function == function {
                return true;
            }
            at = entry.call.map(|(caller, _)| caller);
        }
        false
    }

    /// The calls, outermost first.
    pub(crate) fn call_string(&self, context: Context) -> CallString {
        let mut sites = Vec::new();
        let mut at = context;
        while let Some((caller, site)) = self.caller(at) {
            sites.push(site);
            at = caller;
        }
        sites.reverse();
        CallString(sites)
    }
}
