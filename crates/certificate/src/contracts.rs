//! Contracts in the text format of certificates.
//!
//! ```text
//! contract f
//! requires
//!   (bvsge |f::n| #x00000000)
//! ensures at 7
//!   (= |f::return| |old f::n|)
//! contract f loop 4  ; loop at prog.c:12:5
//! requires
//!   true
//! ensures at 9
//!   (bvsle |f::i| |old f::i|)
//! ```

use std::fmt::Write as _;

use rorqual_cfa::{FunctionId, Id, LocationId, Program};
use rorqual_evidence::Contract;
use rorqual_logic::{Sort, Term, TermPool, smtlib};

use crate::cells::Cells;
use crate::format::{ParseError, Parser, Problem, declare, source_place};

/// Starts a contract.
pub(crate) const CONTRACT: &str = "contract ";
const LOOP: &str = " loop ";
const REQUIRES: &str = "requires";
const ENSURES: &str = "ensures at ";

/// Writes a contract.
pub(crate) fn write_contract(program: &Program, pool: &TermPool, contract: &Contract, text: &mut String) {
    let name = program.unique_name(contract.function);
    let _ = match contract.head {
        None => writeln!(text, "{CONTRACT}{name}"),
        Some(head) => {
            let place = source_place(program, contract.function, head);
            writeln!(text, "{CONTRACT}{name}{LOOP}{}{place}", head.index())
        }
    };
    let _ = writeln!(text, "{REQUIRES}\n  {}", smtlib::term_text(pool, contract.requires));
    for &(exit, formula) in &contract.ensures {
        let _ = writeln!(text, "{ENSURES}{}\n  {}", exit.index(), smtlib::term_text(pool, formula));
    }
}

impl Parser<'_> {
    /// What stands behind the first line of a contract.
    pub(crate) fn contract(
        &mut self,
        cells: &Cells,
        pool: &mut TermPool,
        place: &str,
    ) -> Result<Contract, ParseError> {
        let bad = || Problem::Location(format!("place `{place}`"));
        let (name, head) = match place.split_once(LOOP) {
            Some((name, head)) => (name, Some(head)),
            None => (place, None),
        };
        let function = self.program.function_with_unique_name(name.trim());
        let function = function.ok_or_else(|| self.error_before(bad()))?;
        let head = match head {
            Some(head) => Some(self.location_in(function, head)?),
            None => None,
        };
        let requires = match self.line() {
            Some(REQUIRES) => self.contract_formula(cells, pool)?,
            other => return Err(self.error_before(Problem::UnknownLine(other.unwrap_or("").to_owned()))),
        };
        let mut ensures = Vec::new();
        while let Some(exit) = self.peek().and_then(|line| line.strip_prefix(ENSURES)) {
            self.line();
            let exit = self.location_in(function, exit)?;
            ensures.push((exit, self.contract_formula(cells, pool)?));
        }
        Ok(Contract { function, head, requires, ensures })
    }

    fn location_in(&self, function: FunctionId, number: &str) -> Result<LocationId, ParseError> {
        let locations =
            self.program.functions[function].body.as_ref().map_or(0, |body| body.locations().len());
        let number = number.trim().parse().ok().filter(|&number: &usize| number < locations);
        let bad = || Problem::Location(format!("location in `{}`", self.program.functions[function].name));
        number.map(LocationId::new).ok_or_else(|| self.error_before(bad()))
    }

    /// A formula of a contract. Which names it may have is the checker's business.
    fn contract_formula(&mut self, cells: &Cells, pool: &mut TermPool) -> Result<Term, ParseError> {
        declare(cells, pool);
        let text = self.formula();
        let term = smtlib::parse_term(pool, &text).map_err(|error| {
            self.error_before(Problem::Formula(format!("column {}: {}", error.column, error.message)))
        })?;
        match pool.sort(term) {
            Sort::Bool => Ok(term),
            other => Err(self.error_before(Problem::NotBoolean(other.to_string()))),
        }
    }
}
