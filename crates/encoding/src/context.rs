//! Call strings, interned: where control is in a program whose calls are inlined.

use std::collections::HashMap;

use rorqual_cfa::{EdgeId, FunctionId, LocationId, Program};
use rorqual_engine::{CallSite, CallString};

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
}

/// All call strings that were met.
#[derive(Debug)]
pub(crate) struct Contexts {
    entries: Vec<Entry>,
    known: HashMap<(Context, EdgeId, FunctionId), Context>,
}

impl Contexts {
    /// The empty call string only.
    pub(crate) fn new(program: &Program) -> Contexts {
        Contexts { entries: vec![Entry { function: program.start, call: None }], known: HashMap::new() }
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
        self.entries.push(Entry { function: callee, call: Some((context, site)) });
        self.known.insert((context, edge, callee), id);
        Some(id)
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
