//! Bytes of objects. Small objects have them in one piece; of large ones only the pages that were written one by one are
//! kept, so that an object may be larger than the memory of the machine.

use std::collections::BTreeMap;

/// Objects with more bytes are kept in pages.
const LARGEST_PIECE: usize = 1 << 26;

/// The size of a page in bytes.
const PAGE: usize = 1 << 12;

/// A number of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bytes {
    Piece(Vec<u8>),
    Pages(Pages),
}

/// Bytes in pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pages {
    length: usize,
    /// What all bytes are that are on no page.
    rest: u8,
    /// By their numbers.
    numbered: BTreeMap<usize, Page>,
    /// How many of them are not uniform.
    mixed: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Page {
    /// All bytes are the same.
    Uniform(u8),
    Mixed(Box<[u8]>),
}

impl Bytes {
    /// The same byte many times.
    pub(crate) fn filled(length: usize, byte: u8) -> Bytes {
        if length <= LARGEST_PIECE {
            return Bytes::Piece(vec![byte; length]);
        }
        Bytes::Pages(Pages { length, rest: byte, numbered: BTreeMap::new(), mixed: 0 })
    }

    /// How many bytes of the machine's memory a new object of a size takes.
    pub(crate) fn charge(size: u64) -> u64 {
        if size <= LARGEST_PIECE as u64 { size } else { 0 }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::Piece(bytes) => bytes.len(),
            Bytes::Pages(pages) => pages.length,
        }
    }

    /// How many bytes of the machine's memory are in use.
    pub(crate) fn occupied(&self) -> usize {
        match self {
            Bytes::Piece(bytes) => bytes.len(),
            Bytes::Pages(pages) => pages.mixed * PAGE,
        }
    }

    /// Makes these so many bytes of one value, reusing their memory if there is some.
    pub(crate) fn reset(&mut self, length: usize, byte: u8) {
        match self {
            Bytes::Piece(bytes) if bytes.capacity() >= length => {
                bytes.clear();
                bytes.resize(length, byte);
            }
            _ => *self = Bytes::filled(length, byte),
        }
    }

    /// Copies bytes from an offset on to a buffer.
    pub(crate) fn read(&self, offset: usize, buffer: &mut [u8]) {
        match self {
            Bytes::Piece(bytes) => buffer.copy_from_slice(&bytes[offset..offset + buffer.len()]),
            Bytes::Pages(pages) => pages.read(offset, buffer),
        }
    }

    /// Stores bytes from an offset on.
    pub(crate) fn write(&mut self, offset: usize, from: &[u8]) {
        match self {
            Bytes::Piece(bytes) => bytes[offset..offset + from.len()].copy_from_slice(from),
            Bytes::Pages(pages) => pages.write(offset, from),
        }
    }

    /// Stores the same byte in a whole range.
    pub(crate) fn fill(&mut self, offset: usize, length: usize, byte: u8) {
        match self {
            Bytes::Piece(bytes) => bytes[offset..offset + length].fill(byte),
            Bytes::Pages(pages) => pages.fill(offset, length, byte),
        }
    }

    /// Whether all bytes of a range are the same given one.
    pub(crate) fn is_filled(&self, offset: usize, length: usize, byte: u8) -> bool {
        match self {
            Bytes::Piece(bytes) => bytes[offset..offset + length].iter().all(|&own| own == byte),
            Bytes::Pages(pages) => pages.is_filled(offset, length, byte),
        }
    }

    /// A copy of a range.
    pub(crate) fn extract(&self, offset: usize, length: usize) -> Bytes {
        match self {
            Bytes::Piece(bytes) => Bytes::Piece(bytes[offset..offset + length].to_vec()),
            Bytes::Pages(pages) => {
                let mut copy = Bytes::filled(length, pages.rest);
                pages.copy_to(offset, length, &mut copy, 0);
                copy
            }
        }
    }

    /// Stores other bytes from an offset on.
    pub(crate) fn insert(&mut self, offset: usize, other: &Bytes) {
        match other {
            Bytes::Piece(bytes) => self.write(offset, bytes),
            Bytes::Pages(pages) => {
                self.fill(offset, pages.length, pages.rest);
                pages.copy_to(0, pages.length, self, offset);
            }
        }
    }
}

impl Pages {
    fn read(&self, mut offset: usize, mut buffer: &mut [u8]) {
        while !buffer.is_empty() {
            let start = offset % PAGE;
            let (here, rest) = buffer.split_at_mut((PAGE - start).min(buffer.len()));
            match self.numbered.get(&(offset / PAGE)) {
                None => here.fill(self.rest),
                Some(Page::Uniform(byte)) => here.fill(*byte),
                Some(Page::Mixed(bytes)) => here.copy_from_slice(&bytes[start..start + here.len()]),
            }
            offset += here.len();
            buffer = rest;
        }
    }

    fn write(&mut self, mut offset: usize, mut from: &[u8]) {
        while !from.is_empty() {
            let start = offset % PAGE;
            let (here, rest) = from.split_at((PAGE - start).min(from.len()));
            self.mixed(offset / PAGE)[start..start + here.len()].copy_from_slice(here);
            offset += here.len();
            from = rest;
        }
    }

    /// The bytes of a page, to write some of them.
    fn mixed(&mut self, number: usize) -> &mut [u8] {
        let page = self.numbered.entry(number).or_insert(Page::Uniform(self.rest));
        if let Page::Uniform(byte) = *page {
            *page = Page::Mixed(vec![byte; PAGE].into());
            self.mixed += 1;
        }
        match page {
            Page::Mixed(bytes) => bytes,
            Page::Uniform(_) => &mut [],
        }
    }

    fn fill(&mut self, offset: usize, length: usize, byte: u8) {
        if length == self.length {
            *self = Pages { length, rest: byte, numbered: BTreeMap::new(), mixed: 0 };
            return;
        }
        let (mut at, end) = (offset, offset + length);
        while at < end {
            let (number, next) = (at / PAGE, ((at / PAGE + 1) * PAGE).min(end));
            if next - at < PAGE {
                self.mixed(number)[at % PAGE..][..next - at].fill(byte);
            } else if let Some(Page::Mixed(_)) = self.numbered.insert(number, Page::Uniform(byte)) {
                self.mixed -= 1;
            }
            at = next;
        }
    }

    /// The parts of a range that lie on one page each, or between pages.
    fn parts(&self, offset: usize, length: usize) -> Vec<(usize, usize)> {
        let end = offset + length;
        let mut parts = Vec::new();
        let mut at = offset;
        while at < end {
            let number = at / PAGE;
            let kept = self.numbered.range(number..).next().map_or(usize::MAX, |(&kept, _)| kept);
            let next = if kept == number { (number + 1) * PAGE } else { kept.saturating_mul(PAGE) };
            let next = next.min(end);
            parts.push((at, next - at));
            at = next;
        }
        parts
    }

    fn is_filled(&self, offset: usize, length: usize, byte: u8) -> bool {
        self.parts(offset, length).into_iter().all(|(at, length)| match self.numbered.get(&(at / PAGE)) {
            Some(Page::Mixed(bytes)) => {
                let start = at % PAGE;
                bytes[start..start + length].iter().all(|&own| own == byte)
            }
            Some(Page::Uniform(own)) => *own == byte,
            None => self.rest == byte,
        })
    }

    /// Copies what is on pages; the rest is there already.
    fn copy_to(&self, offset: usize, length: usize, other: &mut Bytes, to: usize) {
        for (at, length) in self.parts(offset, length) {
            let target = to + (at - offset);
            match self.numbered.get(&(at / PAGE)) {
                Some(Page::Mixed(bytes)) => {
                    let start = at % PAGE;
                    other.write(target, &bytes[start..start + length]);
                }
                Some(Page::Uniform(byte)) => other.fill(target, length, *byte),
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Larger than one piece, and than most machines' memory.
    const HUGE: usize = 1 << 45;

    #[test]
    fn large_objects_keep_only_what_was_written() {
        let mut bytes = Bytes::filled(HUGE, 0);
        bytes.write(HUGE - 3, &[1, 2, 3]);
        bytes.write(PAGE - 1, &[7, 8]);
        let mut read = [0; 4];
        bytes.read(HUGE - 4, &mut read);
        assert_eq!(read, [0, 1, 2, 3]);
        bytes.read(PAGE - 2, &mut read);
        assert_eq!(read, [0, 7, 8, 0]);
        assert_eq!((bytes.len(), bytes.occupied()), (HUGE, 3 * PAGE));
        assert!(bytes.is_filled(PAGE + 1, HUGE - PAGE - 4, 0));
        assert!(!bytes.is_filled(PAGE, HUGE - PAGE - 4, 0));
    }

    #[test]
    fn whole_pages_are_filled_and_copied_without_their_bytes() {
        let length = 4 * LARGEST_PIECE;
        let mut bytes = Bytes::filled(length, 0);
        bytes.fill(5, length - 10, 9);
        assert_eq!(bytes.occupied(), 2 * PAGE);
        bytes.write(length / 2, &[1]);
        let copy = bytes.extract(length / 2 - 1, 3);
        assert_eq!(copy, Bytes::Piece(vec![9, 1, 9]));
        let half = bytes.extract(length / 2, length / 2);
        let mut other = Bytes::filled(length, 4);
        other.insert(1, &half);
        let mut read = [0; 3];
        other.read(0, &mut read);
        assert_eq!(read, [4, 1, 9]);
        other.read(length / 2 - 5, &mut read);
        assert_eq!(read, [9, 0, 0]);
        other.read(length / 2, &mut read);
        assert_eq!(read, [0, 4, 4]);
    }
}
