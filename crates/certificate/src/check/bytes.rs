//! Scalars as bytes, the lowest one first, in arrays of bytes: allocated memory of which nothing else is known, and
//! string literals.

use rorqual_cfa::{Id, StringId};
use rorqual_logic::{Sort, Term};

use super::memory::Access;
use super::pointer::FEW_TEXTS;
use super::reach::Pointed;
use super::step::Step;
use crate::cells::Facet;

/// Longer string literals may have any content.
const LONGEST_TEXT: usize = 256;

impl Step<'_> {
    /// The addresses of the bytes of a scalar, the lowest one first. Bit-fields and scalars with bits that carry no
    /// value have none.
    fn byte_addresses(&mut self, address: Term, access: Access) -> Option<Vec<Term>> {
        let bytes = self.bytes(access);
        let is_plain = access.bits.is_none() && u64::from(self.stored_width(access)) == 8 * bytes;
        is_plain.then(|| {
            let at = |byte: u64| {
                let byte = self.pool.bv(byte, self.world.pointer_width);
                self.pool.bv_add(address, byte)
            };
            (0..bytes).map(at).collect()
        })
    }

    /// The scalar whose bytes an array has from an index on.
    pub(super) fn bytes_at(&mut self, array: Term, index: Term, access: Access) -> Option<Term> {
        let all = self.byte_addresses(index, access)?;
        let bytes: Vec<Term> = all.into_iter().map(|at| self.pool.select(array, at)).collect();
        bytes.into_iter().reduce(|low, high| self.pool.bv_concat(high, low))
    }

    /// An array of bytes with the bytes of a scalar from an index on.
    pub(super) fn with_bytes(
        &mut self,
        array: Term,
        index: Term,
        access: Access,
        value: Term,
    ) -> Option<Term> {
        let mut array = array;
        for (byte, at) in (0..).zip(self.byte_addresses(index, access)?) {
            let part = self.pool.bv_extract(value, 8 * byte + 7, 8 * byte);
            array = self.pool.store(array, at, part);
        }
        Some(array)
    }

    /// Whether an address is in a string literal.
    pub(super) fn in_text(&mut self, address: Term, text: StringId) -> Term {
        let (base, size) = self.world.texts[text.index()];
        let offset = self.pool.bv_sub(address, base);
        let size = self.pool.bv(size, self.world.pointer_width);
        self.pool.bv_ult(offset, size)
    }

    /// What is read if an address is in a string literal, else another value.
    pub(super) fn load_texts(&mut self, pointed: &Pointed, access: Access, other: Term) -> Term {
        let mut value = other;
        if pointed.reach.texts.len() > FEW_TEXTS {
            return value;
        }
        for &text in &pointed.reach.texts {
            let Some(read) = self.read_text(text, pointed.address, access) else { continue };
            let is_there = self.in_text(pointed.address, text);
            value = self.pool.ite(is_there, read, value);
        }
        value
    }

    /// A scalar in a string literal, all of which is written and holds no pointer.
    fn read_text(&mut self, text: StringId, address: Term, access: Access) -> Option<Term> {
        if self.facet != Facet::Content {
            let width = self.stored_width(access);
            return Some(self.plain(self.facet, Sort::BitVec(width)));
        }
        let content = self.text_content(text)?;
        let offset = self.pool.bv_sub(address, self.world.texts[text.index()].0);
        self.bytes_at(content, offset, access)
    }

    /// The bytes of a string literal by their positions.
    fn text_content(&mut self, text: StringId) -> Option<Term> {
        let bytes = &self.world.program.strings[text].bytes;
        let width = self.world.pointer_width;
        let zero = self.pool.bv(0u8, 8);
        let mut content = self.pool.const_array(width, zero);
        for (at, &byte) in bytes.iter().enumerate() {
            let (at, byte) = (self.pool.bv(at, width), self.pool.bv(byte, 8));
            content = self.pool.store(content, at, byte);
        }
        (bytes.len() <= LONGEST_TEXT).then_some(content)
    }
}
