//! What pointers do calls pass: parameters that keep the addresses of variables which they are given.
//!
//! Formulas of steps need not say so, as where a pointer is followed says where it points to. The certificate checker knows
//! less about pointers, so proofs tell it.

use std::collections::BTreeMap;

use rorqual_cfa::{
    Edge, ExprId, ExprKind, FunctionId, Operation, PlaceId, PlaceKind, Program, VarArgs, VariableId,
};
use rorqual_logic::{Op, Sort, Term};
use rorqual_memory::Object;

use crate::{Context, Encoding};

/// Addresses that parameters keep.
type Known = BTreeMap<VariableId, Term>;

impl Encoding<'_> {
    /// That pointers equal the addresses that calls pass for them: of the parameters of all functions that are active in a
    /// context, those that never change.
    pub fn passed_addresses(&mut self, context: Context) -> Vec<Term> {
        let mut known = Known::new();
        for site in self.calls(context).0 {
            let body = self.program.functions[site.caller].body.as_ref();
            let Some(Operation::Call { arguments, .. }) = body.map(|body| &body.edges()[site.edge].operation)
            else {
                continue;
            };
            let parameters = &self.program.functions[site.callee].parameters;
            for (&parameter, &argument) in parameters.iter().zip(arguments) {
                if !may_change(self.program, site.callee, parameter)
                    && let Some(address) = self.passed_address(&known, argument)
                {
                    known.insert(parameter, address);
                }
            }
        }
        known.into_iter().filter_map(|(parameter, address)| self.is_at(parameter, address)).collect()
    }

    /// That a pointer has a value, if it has a cell.
    fn is_at(&mut self, pointer: VariableId, address: Term) -> Option<Term> {
        let sort = Sort::BitVec(self.pointer_width());
        let name = self.cells().variable_name(pointer).to_owned();
        let value = self.pool.symbol(&name, sort);
        let Op::Symbol(symbol) = *self.pool.op(value) else { return None };
        self.cells().of_symbol(symbol)?;
        Some(self.pool.eq(value, address))
    }

    /// The address that an expression is, if that is the same in all executions.
    fn passed_address(&mut self, known: &Known, expr: ExprId) -> Option<Term> {
        let details = &self.program.exprs[expr];
        self.program.types.pointee(details.ty)?;
        match details.kind {
            ExprKind::AddressOf(place) => self.fixed_place(known, place),
            ExprKind::Convert(inner) => self.passed_address(known, inner),
            ExprKind::Load(place) => match self.program.places[place].kind {
                PlaceKind::Variable(variable) => known.get(&variable).copied(),
                _ => None,
            },
            _ => None,
        }
    }

    fn fixed_place(&mut self, known: &Known, place: PlaceId) -> Option<Term> {
        match self.program.places[place].kind {
            PlaceKind::Variable(variable) => Some(self.address(Object::Variable(variable))),
            PlaceKind::Deref(pointer) => self.passed_address(known, pointer),
            PlaceKind::Member { base, field } => {
                let types = &self.program.types;
                let record = types.as_record(self.program.places[base].ty)?;
                let offset = types.record(record).fields[field as usize].offset;
                let base = self.fixed_place(known, base)?;
                let offset = self.pool.bv(offset, self.pointer_width());
                Some(self.pool.bv_add(base, offset))
            }
            PlaceKind::Element { .. } | PlaceKind::Text(_) => None,
        }
    }
}

/// Whether a function changes a parameter of it, or lets others do so.
pub fn may_change(program: &Program, function: FunctionId, variable: VariableId) -> bool {
    let details = &program.functions[function];
    let Some(body) = details.body.as_ref().filter(|_| details.parameters.contains(&variable)) else {
        return true;
    };
    let is_written = |edge: &Edge| {
        let (Operation::Assign { target, .. }
        | Operation::Havoc { target, .. }
        | Operation::Call { target: Some(target), .. }
        | Operation::StackAllocate { target, .. }
        | Operation::VarArgs(VarArgs::Next { target, .. })) = edge.operation
        else {
            // Other operations that write are rare.
            return matches!(edge.operation, Operation::Assembly { .. } | Operation::ProgramArguments { .. });
        };
        program.root_variable(target) == Some(variable)
    };
    program.variables[variable].address_taken || body.edges().values().any(is_written)
}
