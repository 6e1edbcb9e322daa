//! Which functions call themselves, and what their summaries are over.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    Callee, CellNames, Edge, FunctionId, LocationId, Operation, Program, Type, TypeId, VariableId,
};
use rorqual_encoding::{Encoding, Procedure, Setting};
use rorqual_memory::{Effects, Memory, Object};

/// The recursive functions of a program.
#[derive(Debug)]
pub struct Recursion {
    memory: Memory,
    effects: Effects,
    names: CellNames,
    interfaces: BTreeMap<FunctionId, Interface>,
    /// The heads of their loops, with the first locations behind them.
    loops: BTreeMap<FunctionId, Loops>,
}

/// Loops of a function by their heads, with the first locations behind them.
type Loops = BTreeMap<LocationId, BTreeSet<LocationId>>;

/// What the callers of a function can see of a call.
#[derive(Debug, Clone)]
pub struct Interface {
    /// The parameters.
    pub parameters: Vec<VariableId>,
    /// The variables, of the program or of callers, that a call may write.
    pub written: Vec<VariableId>,
    /// The type of the result.
    pub result: Option<TypeId>,
    /// What a call may write that is no variable.
    pub writes_memory: bool,
}

impl Recursion {
    /// Finds the recursive functions of a program.
    pub fn of(program: &Program) -> Recursion {
        let memory = Memory::analyse(program);
        let effects = Effects::of(program, &memory);
        let recursive = program.functions.ids().filter(|&function| effects.is_recursive(function));
        let interfaces: BTreeMap<FunctionId, Interface> =
            recursive.map(|function| (function, interface(program, &effects, function))).collect();
        let mut loops: BTreeMap<FunctionId, Loops> = BTreeMap::new();
        let mut encoding = Encoding::of(program, Setting::default());
        for Procedure { function, head } in encoding.all_loops() {
            if let (true, Some(head)) = (interfaces.contains_key(&function), head) {
                let exits = encoding.exits_of(Procedure { function, head: Some(head) });
                loops.entry(function).or_default().insert(head, exits);
            }
        }
        Recursion { memory, effects, names: CellNames::new(program), interfaces, loops }
    }

    /// The loops of a recursive function.
    pub fn loops(
        &self,
        function: FunctionId,
    ) -> impl Iterator<Item = (LocationId, &BTreeSet<LocationId>)> + '_ {
        let loops = self.loops.get(&function).into_iter().flatten();
        loops.map(|(&head, exits)| (head, exits))
    }

    /// The recursive functions.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.interfaces.keys().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.interfaces.is_empty()
    }

    /// What callers of a recursive function see; none for other functions.
    pub fn interface(&self, function: FunctionId) -> Option<&Interface> {
        self.interfaces.get(&function)
    }

    /// Whether a call of a recursive function may write a variable that is not its own.
    pub fn is_written(&self, variable: VariableId) -> bool {
        self.interfaces.values().any(|interface| interface.written.contains(&variable))
    }

    /// The names of the program's variables in evidence.
    pub fn names(&self) -> &CellNames {
        &self.names
    }

    /// What pointers of the program may point to.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Whether a call of one function may come back to it through another one.
    pub fn are_mutual(&self, one: FunctionId, other: FunctionId) -> bool {
        self.effects.may_enter(one, other) && self.effects.may_enter(other, one)
    }

    /// The functions that an edge may call through a pointer, if one of them is recursive.
    pub fn pointed(&self, program: &Program, edge: &Edge) -> Option<Vec<FunctionId>> {
        let Operation::Call { callee: callee @ Callee::Pointer(_), .. } = &edge.operation else {
            return None;
        };
        let callees = self.memory.callees(program, *callee);
        callees.iter().any(|callee| self.interfaces.contains_key(callee)).then_some(callees)
    }

    /// Whether an edge may call something that is not known.
    pub fn may_call_unknown(&self, program: &Program, edge: &Edge) -> bool {
        match &edge.operation {
            Operation::Call { callee, .. } => self.memory.may_call_unknown(program, *callee),
            _ => false,
        }
    }
}

fn interface(program: &Program, effects: &Effects, function: FunctionId) -> Interface {
    let writes = effects.of_call(program, function);
    let mut written = Vec::new();
    let mut writes_memory = writes.anything || writes.allocates;
    for object in writes.objects {
        match object {
            Object::Variable(variable) => written.push(variable),
            _ => writes_memory = true,
        }
    }
    let result = match program.types.get(program.functions[function].ty) {
        Type::Function { result, .. } if *program.types.get(*result) != Type::Void => Some(*result),
        _ => None,
    };
    let parameters = program.functions[function].parameters.clone();
    Interface { parameters, written, result, writes_memory }
}
