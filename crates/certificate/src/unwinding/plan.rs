//! What is known of a function before it is executed: where its variables are, in which order its locations come, and which
//! scalars are still of use where.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{
    Automaton, ExprKind, FunctionId, Id, LocationId, Operation, PlaceId, PlaceKind, Program, VarArgs,
    VariableId,
};

use super::order::{Item, ordered};

/// Where a variable of a function is, counted from the start of the call's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// A scalar whose address is not taken.
    Slot(usize),
    /// An object that lives as long as the call.
    Fixed(usize),
    /// An object whose life may end before.
    Bound(usize),
}

/// A function, prepared.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    storage: HashMap<VariableId, Storage>,
    /// The variables in slots.
    pub(super) slots: Vec<VariableId>,
    /// The variables with objects that live as long as the call.
    pub(super) fixed: Vec<VariableId>,
    /// How many variables have objects whose life may end before.
    pub(super) bound: usize,
    /// For each location, the slots that may be read before they are written, as bits; none if all are kept.
    live: Option<Vec<Vec<u64>>>,
}

/// Whether a variable is a scalar that only places that name it read or write.
pub(super) fn is_slot(program: &Program, variable: VariableId) -> bool {
    let details = &program.variables[variable];
    !details.address_taken && details.size.is_none() && program.types.is_scalar(details.ty)
}

impl Plan {
    /// Prepares a function. The heads of loops are chosen among `named` where there is a choice.
    pub(super) fn new(
        program: &Program,
        function: FunctionId,
        body: &Automaton,
        named: &BTreeSet<LocationId>,
        variables: &[VariableId],
    ) -> Plan {
        let ends = |operation: &Operation| match operation {
            Operation::Expire(variable) => Some(*variable),
            _ => None,
        };
        let expired: BTreeSet<VariableId> =
            body.edges().values().filter_map(|edge| ends(&edge.operation)).collect();
        let mut plan = Plan {
            items: ordered(body, named),
            storage: HashMap::new(),
            slots: Vec::new(),
            fixed: Vec::new(),
            bound: 0,
            live: None,
        };
        debug_assert!(function.index() < program.functions.len(), "functions belong to the program");
        for &variable in variables {
            let storage = if is_slot(program, variable) {
                plan.slots.push(variable);
                Storage::Slot(plan.slots.len() - 1)
            } else if expired.contains(&variable) {
                plan.bound += 1;
                Storage::Bound(plan.bound - 1)
            } else {
                plan.fixed.push(variable);
                Storage::Fixed(plan.fixed.len() - 1)
            };
            plan.storage.insert(variable, storage);
        }
        // What is lost is asked of all variables.
        if !program.exprs.values().any(|expr| matches!(expr.kind, ExprKind::Leaks)) {
            plan.live = Some(plan.liveness(program, body));
        }
        plan
    }

    /// Where a variable of the function is.
    pub(super) fn storage(&self, variable: VariableId) -> Option<Storage> {
        self.storage.get(&variable).copied()
    }

    /// Whether a slot may be read before it is written, once control is at a location.
    pub(super) fn is_live(&self, location: LocationId, slot: usize) -> bool {
        let live = self.live.as_ref().map(|live| &live[location.index()]);
        live.is_none_or(|live| live[slot / 64] >> (slot % 64) & 1 != 0)
    }

    fn liveness(&self, program: &Program, body: &Automaton) -> Vec<Vec<u64>> {
        let words = self.slots.len().div_ceil(64);
        let slot = |variable: VariableId| match self.storage.get(&variable) {
            Some(Storage::Slot(slot)) => Some(*slot),
            _ => None,
        };
        let effects: Vec<(usize, usize, Vec<usize>, Option<usize>)> = body
            .edges()
            .values()
            .map(|edge| {
                let reads = program.read_variables(&edge.operation);
                let reads = reads.into_iter().filter_map(slot).collect();
                let written = written(program, &edge.operation).and_then(slot);
                (edge.source.index(), edge.target.index(), reads, written)
            })
            .collect();
        let mut live = vec![vec![0u64; words]; body.locations().len()];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (source, target, reads, written) in effects.iter().rev() {
                let mut before = live[*target].clone();
                if let Some(slot) = written {
                    before[slot / 64] &= !(1 << (slot % 64));
                }
                for slot in reads {
                    before[slot / 64] |= 1 << (slot % 64);
                }
                for (known, new) in live[*source].iter_mut().zip(before) {
                    is_changed |= new & !*known != 0;
                    *known |= new;
                }
            }
        }
        live
    }
}

/// The variable that an operation replaces as a whole.
fn written(program: &Program, operation: &Operation) -> Option<VariableId> {
    let whole = |place: PlaceId| match program.places[place].kind {
        PlaceKind::Variable(variable) => Some(variable),
        _ => None,
    };
    match operation {
        Operation::Assign { target, .. }
        | Operation::Havoc { target, .. }
        | Operation::StackAllocate { target, .. }
        | Operation::VarArgs(VarArgs::Next { target, .. })
        | Operation::Call { target: Some(target), .. } => whole(*target),
        Operation::Declare(variable) => Some(*variable),
        _ => None,
    }
}
