//! Formulas for others. Inside, addresses are constants that the encoding has chosen; outside, they are symbols
//! such as `&main::x` or `&"0"`, which mean whatever the address is.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{Id, Type};
use rorqual_logic::{Bits, Op, Sort, SymbolId, Term};
use rorqual_memory::Object;

use crate::Encoding;

impl Encoding<'_> {
    /// The formula with the addresses of variables and string literals as symbols, in atoms that are about pointers.
    pub fn with_address_symbols(&mut self, formula: Term) -> Term {
        let mut atoms = self.pool.subterms(&[formula]);
        atoms.retain(|&term| {
            matches!(self.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        });
        let indices = self.indices_that_are_addresses(&atoms);
        let mut replaced: HashMap<Term, Term> = HashMap::new();
        for atom in atoms {
            if self.is_about_pointers(atom, &indices) {
                let symbols = self.address_symbols(atom);
                let with_symbols = self.pool.substitute(atom, &symbols);
                replaced.insert(atom, with_symbols);
            }
        }
        self.pool.substitute(formula, &replaced)
    }

    /// Makes the symbols of all addresses that were chosen so far: what each of them stands for.
    pub fn declare_addresses(&mut self) -> HashMap<Term, Term> {
        let mut addresses: Vec<(Object, u64)> =
            self.addresses.iter().map(|(&object, &address)| (object, address)).collect();
        addresses.sort_unstable();
        let width = self.pointer_width();
        let mut symbols = HashMap::new();
        for (object, address) in addresses {
            if let Some(name) = self.address_name(object) {
                let symbol = self.pool.symbol(&name, Sort::BitVec(width));
                symbols.insert(symbol, self.pool.bv(address, width));
            }
        }
        symbols
    }

    fn is_about_pointers(&self, atom: Term, indices: &BTreeSet<SymbolId>) -> bool {
        let is_pointer = |symbol: SymbolId| {
            let ty = self.cells.of_symbol(symbol).and_then(|cell| self.cells.get(cell).ty);
            ty.is_some_and(|ty| matches!(self.program.types.get(ty), Type::Pointer(_)))
        };
        self.pool.free_symbols(atom).into_iter().any(|symbol| is_pointer(symbol) || indices.contains(&symbol))
    }

    /// The symbols for any index that stand for addresses: those that are compared with pointers, or that the address of
    /// an object is subtracted from to find an element of it.
    fn indices_that_are_addresses(&self, atoms: &[Term]) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        let is_index = |symbol: &SymbolId| self.cells.of_symbol(*symbol).is_none();
        for &atom in atoms.iter().filter(|&&atom| self.is_about_pointers(atom, &BTreeSet::new())) {
            found.extend(self.pool.free_symbols(atom).into_iter().filter(is_index));
        }
        for element in self.pool.subterms(atoms) {
            let (Op::Select, &[array, index]) = (self.pool.op(element), self.pool.arguments(element)) else {
                continue;
            };
            if self.is_distance(array, index) {
                found.extend(self.pool.free_symbols(index).into_iter().filter(is_index));
            }
        }
        found
    }

    /// Whether an index is something less the address of the array.
    fn is_distance(&self, array: Term, index: Term) -> bool {
        let Op::Symbol(symbol) = *self.pool.op(array) else { return false };
        let object = self.cells.of_symbol(symbol).and_then(|cell| self.cells.get(cell).object);
        let address = object.and_then(|object| self.addresses.get(&object));
        address.is_some_and(|&address| {
            let summands = self.pool.arguments(index).iter();
            let mut numbers = summands.filter_map(|&summand| self.pool.as_bits(summand));
            matches!(self.pool.op(index), Op::BvAdd)
                && numbers.any(|number| number.neg().to_u64() == Some(address))
        })
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
        let name = self.address_name(object)?;
        let width = self.pointer_width();
        let base = self.pool.symbol(&name, Sort::BitVec(width));
        let offset = self.pool.bits(Bits::from_signed(&offset.into(), width));
        let address = self.pool.bv_add(base, offset);
        Some(self.pool.bv_zero_extend(address, number.width()))
    }

    /// The symbol of the address of a variable or string literal.
    fn address_name(&self, object: Object) -> Option<String> {
        match object {
            Object::Variable(variable) => Some(format!("&{}", self.cells.variable_name(variable))),
            Object::Text(text) => Some(format!("&\"{}\"", text.index())),
            _ => None,
        }
    }
}
