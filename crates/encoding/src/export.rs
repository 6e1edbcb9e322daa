//! Formulas for others. Inside, addresses are constants that the encoding has chosen; outside, they are symbols
//! such as `&main::x` or `&"0"`, which mean whatever the address is.

use std::collections::HashMap;

use rorqual_cfa::{Id, Type};
use rorqual_logic::{Bits, Op, Sort, Term};
use rorqual_memory::Object;

use crate::Encoding;

impl Encoding<'_> {
    /// The formula with the addresses of variables and string literals as symbols, in atoms that are about pointers.
    pub fn with_address_symbols(&mut self, formula: Term) -> Term {
        let mut atoms: HashMap<Term, Term> = HashMap::new();
        for term in self.pool.subterms(&[formula]) {
            if matches!(self.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
                && self.is_about_pointers(term)
            {
                let symbols = self.address_symbols(term);
                let replaced = self.pool.substitute(term, &symbols);
                atoms.insert(term, replaced);
            }
        }
        self.pool.substitute(formula, &atoms)
    }

    fn is_about_pointers(&self, atom: Term) -> bool {
        let is_pointer = |symbol| {
            let ty = self.cells.of_symbol(symbol).and_then(|cell| self.cells.get(cell).ty);
            ty.is_some_and(|ty| matches!(self.program.types.get(ty), Type::Pointer(_)))
        };
        self.pool.free_symbols(atom).into_iter().any(is_pointer)
    }

    /// What each constant of an atom is as an address, perhaps in a wider vector. Differences have the negated address, as
    /// sums have one constant.
    fn address_symbols(&mut self, atom: Term) -> HashMap<Term, Term> {
        let width = self.pointer_width();
        let mut symbols = HashMap::new();
        for term in self.pool.subterms(&[atom]) {
            let Some(bits) = self.pool.as_bits(term).filter(|bits| bits.width() >= width).cloned() else {
                continue;
            };
            if let Some(address) = self.address_symbol(&bits) {
                symbols.insert(term, address);
            } else if let Some(address) = self.address_symbol(&bits.neg()) {
                let negated = self.pool.bv_neg(address);
                symbols.insert(term, negated);
            }
        }
        symbols
    }

    /// The address of a variable or string literal and an offset, for its number.
    fn address_symbol(&mut self, number: &Bits) -> Option<Term> {
        let (object, offset) = self.object_near(number.to_u64()?)?;
        let name = match object {
            Object::Variable(variable) => format!("&{}", self.cells.variable_name(variable)),
            Object::Text(text) => format!("&\"{}\"", text.index()),
            _ => return None,
        };
        let width = self.pointer_width();
        let base = self.pool.symbol(&name, Sort::BitVec(width));
        let offset = self.pool.bits(Bits::from_signed(&offset.into(), width));
        let address = self.pool.bv_add(base, offset);
        Some(self.pool.bv_zero_extend(address, number.width()))
    }
}
