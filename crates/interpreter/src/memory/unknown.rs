//! Copies of what was never written: all of them have one value, which is found out when the first of them is read.

use std::collections::HashMap;

use super::Memory;
use super::block::{StoredPointer, UnknownId};
use crate::outcome::{Limit, Run};
use crate::undefined::Access;
use crate::value::Pointer;

/// What is known of bytes that had no value when they were copied.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// The number of the next one.
    next: UnknownId,
    learnt: HashMap<UnknownId, Learnt>,
}

/// What a byte was found to be when a copy of it was read.
#[derive(Debug, Clone, Copy)]
struct Learnt {
    value: u8,
    /// The bits of it that are known.
    known: u8,
    /// The pointer that starts with this byte.
    pointer: Option<StoredPointer>,
}

/// A byte that has copies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copied {
    /// The object, by its entry in the table.
    index: usize,
    offset: usize,
    number: UnknownId,
    /// The bits without value.
    unset: u8,
}

impl Memory<'_> {
    /// Numbers the bytes of a range that have no value, before they are copied.
    pub(super) fn name_unknowns(&mut self, index: usize, offset: usize, length: usize) -> Run<()> {
        let block = &mut self.objects[index].block;
        if block.is_set(offset, length) {
            return Ok(());
        }
        if length as u64 > self.limit {
            return Err(Limit::Memory.into());
        }
        self.unknown.next = block.name_unknowns(offset, length, self.unknown.next);
        Ok(())
    }

    /// Gives bytes without value those that their copies were found to have. Whether there are any.
    pub(crate) fn recall(&mut self, pointer: Pointer, length: usize) -> Run<bool> {
        let (index, offset) = self.resolve(pointer, length as u64, Access::Read)?;
        let block = &mut self.objects[index].block;
        if !block.has_unknowns() {
            return Ok(false);
        }
        let mut found = false;
        for at in offset..offset + length {
            let learnt = block.unknown(at).and_then(|number| self.unknown.learnt.get(&number));
            if let Some(&Learnt { value, known, pointer }) = learnt {
                block.learn(at, value, known, pointer);
                found = true;
            }
        }
        Ok(found)
    }

    /// The bytes of a range that have copies, with the bits of them that have no value.
    pub(crate) fn copied(&self, pointer: Pointer, length: usize) -> Run<Vec<Copied>> {
        let (index, offset) = self.resolve(pointer, length as u64, Access::Read)?;
        let block = &self.objects[index].block;
        if !block.has_unknowns() {
            return Ok(Vec::new());
        }
        let copied = (offset..offset + length).filter_map(|offset| {
            let unset = !(block.mask(offset, 1) as u8);
            let number = block.unknown(offset).filter(|_| unset != 0)?;
            Some(Copied { index, offset, number, unset })
        });
        Ok(copied.collect())
    }

    /// Remembers for all copies what bytes were found to be.
    pub(crate) fn remember(&mut self, copied: &[Copied]) {
        for &Copied { index, offset, number, unset } in copied {
            let block = &self.objects[index].block;
            // Of a bit-field, the bits beside it are still without value.
            let found = unset & block.mask(offset, 1) as u8;
            let value = block.number(offset, 1) as u8 & found;
            let pointer = block.stored_pointer(offset).filter(|_| unset == 0xff);
            let learnt = self.unknown.learnt.entry(number).or_insert(Learnt { value: 0, known: 0, pointer });
            learnt.value |= value;
            learnt.known |= found;
        }
    }
}
