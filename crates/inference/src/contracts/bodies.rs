//! What bodies of procedures read, and what they do where they end.

use std::collections::BTreeSet;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, CellId, Encoding, Exit, Object, Obstacle, Procedure, Target};
use rorqual_logic::Term;

use crate::samples::calls::Reads;

/// Exits of bodies that lead to obstacles that are known already.
pub type Ignored = BTreeSet<(Procedure, usize)>;

/// When something goes wrong in a body.
pub fn failure(encoding: &mut Encoding<'_>, procedure: Procedure, ignored: &Ignored) -> Term {
    let body = encoding.body_of(procedure);
    let is_bad = |&(number, exit): &(usize, &Exit)| {
        !matches!(exit.target, Target::Point(_)) && !ignored.contains(&(procedure, number))
    };
    let guards: Vec<Term> =
        body.exits.iter().enumerate().filter(is_bad).map(|(_, exit)| exit.guard).collect();
    encoding.pool.or(&guards)
}

/// The exit of a body that leads to a location.
pub fn exit_to(body: &Block, location: LocationId) -> Option<&Exit> {
    body.exits.iter().find(|exit| matches!(exit.target, Target::Point(point) if point.location == location))
}

/// The exits of procedures that lead to an obstacle.
pub fn exits_to(encoding: &mut Encoding<'_>, procedures: &[Procedure], obstacle: &Obstacle) -> Ignored {
    let mut found = Ignored::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        let exits = body.exits.iter().enumerate();
        let same = exits.filter(|(_, exit)| exit.target == Target::Unsupported(obstacle.clone()));
        found.extend(same.map(|(number, _)| (procedure, number)));
    }
    found
}

/// What the procedures that a program reaches may read, by cells.
pub(crate) fn reads(encoding: &mut Encoding<'_>) -> Reads {
    let mut all = Reads::new();
    for procedure in encoding.all_procedures() {
        let body = encoding.body_of(procedure);
        let own = body.symbols.iter().filter_map(|&(symbol, _)| encoding.cells().of_symbol(symbol));
        let own = own.filter(|&cell| is_given(encoding, procedure, cell)).collect();
        all.insert(procedure, own);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for procedure in all.keys().copied().collect::<Vec<Procedure>>() {
            let body = encoding.body_of(procedure);
            let mut more = BTreeSet::new();
            for call in &body.calls {
                for &cell in &all[&call.procedure] {
                    let input = call.input(encoding, cell);
                    let symbols = encoding.pool.free_symbols(input).into_iter();
                    more.extend(symbols.filter_map(|symbol| encoding.cells().of_symbol(symbol)));
                }
            }
            let own = all.get_mut(&procedure).expect("it is there");
            let before = own.len();
            own.extend(more.into_iter().filter(|&cell| is_given(encoding, procedure, cell)));
            changed |= own.len() > before;
        }
    }
    all
}

/// Whether whoever calls a procedure knows a cell: a function's own variables are new, but for its parameters.
fn is_given(encoding: &Encoding<'_>, procedure: Procedure, cell: CellId) -> bool {
    match encoding.cells().get(cell).object {
        Some(Object::Variable(variable)) if procedure.head.is_none() => {
            let declared = &encoding.program.variables[variable];
            declared.kind.is_global()
                || declared.function != Some(procedure.function)
                || encoding.program.functions[procedure.function].parameters.contains(&variable)
        }
        Some(Object::Result(_)) => false,
        _ => true,
    }
}
