//! Random numbers and random terms.

use rorqual_logic::{FunctionSymbol, Sort, Term, TermPool};

/// The generator `SplitMix64`.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Families of operations, each tested by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Sums,
    Products,
    Division,
    Shifts,
    Bitwise,
    Structure,
    Comparison,
    Overflow,
    Choice,
    All,
}

/// Makes terms over symbols of one width.
pub struct Terms {
    pub random: Random,
    pub family: Family,
    pub width: u32,
    pub symbols: Vec<Term>,
    /// Arrays from and to vectors of the width, and functions on them.
    pub arrays: Vec<Term>,
    pub functions: Vec<FunctionSymbol>,
    /// Whether products and quotients may have symbols on both sides, and constant arrays any
    /// element.
    pub hard: bool,
}

impl Terms {
    pub fn new(pool: &mut TermPool, seed: u64, family: Family, width: u32, symbols: usize) -> Terms {
        let symbols = (0..symbols).map(|at| pool.symbol(&format!("x{at}"), Sort::BitVec(width))).collect();
        let random = Random(seed);
        Terms { random, family, width, symbols, arrays: Vec::new(), functions: Vec::new(), hard: true }
    }

    pub fn leaf(&mut self, pool: &mut TermPool) -> Term {
        if self.random.chance(70) {
            return self.random.pick(&self.symbols);
        }
        let value = match self.random.below(4) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            _ => self.random.next(),
        };
        pool.bv(value, self.width)
    }

    pub fn term(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        if depth == 0 || self.random.chance(20) {
            return self.leaf(pool);
        }
        if (!self.arrays.is_empty() || !self.functions.is_empty()) && self.random.chance(60) {
            return self.read(pool, depth);
        }
        let family = match self.family {
            Family::All => self.random.pick(&[
                Family::Sums,
                Family::Products,
                Family::Division,
                Family::Shifts,
                Family::Bitwise,
                Family::Structure,
                Family::Choice,
            ]),
            family => family,
        };
        let a = self.term(pool, depth - 1);
        let b = self.term(pool, depth - 1);
        self.operation(pool, family, a, b, depth)
    }

    fn operation(&mut self, pool: &mut TermPool, family: Family, a: Term, b: Term, depth: u32) -> Term {
        let choice = self.random.next();
        let width = self.width;
        match family {
            Family::Products | Family::Division if !self.hard => {
                let small = 1 + choice % 200;
                let constant = pool.bv(small, width);
                let mask = pool.bv(4095u32, width);
                let narrow = pool.bv_and(mask, a);
                match (family, choice >> 32 & 3) {
                    // A real product, of numbers that are narrow enough for every solver.
                    (Family::Products, 0) => {
                        let [a, b] = [a, b].map(|factor| pool.bv_extract(factor, 15, 0));
                        let [a, b] = [a, b].map(|factor| pool.bv_zero_extend(factor, width));
                        pool.bv_mul(a, b)
                    }
                    (Family::Products, _) => pool.bv_mul(a, constant),
                    (_, 0) => pool.bv_udiv(narrow, constant),
                    (_, 1) => pool.bv_urem(narrow, constant),
                    (_, 2) => pool.bv_sdiv(narrow, constant),
                    _ => pool.bv_srem(narrow, constant),
                }
            }
            Family::Sums | Family::Comparison | Family::Overflow => match choice % 3 {
                0 => pool.bv_add(a, b),
                1 => pool.bv_sub(a, b),
                _ => pool.bv_neg(a),
            },
            Family::Products => pool.bv_mul(a, b),
            Family::Division => match choice % 5 {
                0 => pool.bv_udiv(a, b),
                1 => pool.bv_urem(a, b),
                2 => pool.bv_sdiv(a, b),
                3 => pool.bv_srem(a, b),
                _ => pool.bv_smod(a, b),
            },
            Family::Shifts => match choice % 5 {
                0 => pool.bv_shl(a, b),
                1 => pool.bv_lshr(a, b),
                2 => pool.bv_ashr(a, b),
                3 => pool.bv_rotate_left(a, choice as u32 >> 8 & 15),
                _ => pool.bv_rotate_right(a, choice as u32 >> 8 & 15),
            },
            Family::Bitwise => match choice % 4 {
                0 => pool.bv_and(a, b),
                1 => pool.bv_or(a, b),
                2 => pool.bv_xor(a, b),
                _ => pool.bv_not(a),
            },
            Family::Structure => {
                let wide = match choice % 3 {
                    0 => pool.bv_concat(a, b),
                    1 => pool.bv_sign_extend(a, width + 1 + (choice >> 8) as u32 % width),
                    _ => pool.bv_zero_extend(a, width + 1 + (choice >> 8) as u32 % width),
                };
                let low = (choice >> 16) as u32 % (pool.width(wide) - width + 1);
                pool.bv_extract(wide, low + width - 1, low)
            }
            Family::Choice | Family::All => {
                let condition = self.atom(pool, depth - 1);
                pool.ite(condition, a, b)
            }
        }
    }

    /// An array of bounded depth.
    pub fn array(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        match self.random.below(if depth == 0 { 2 } else { 6 }) {
            2 | 3 => {
                let base = self.array(pool, depth - 1);
                let (index, value) = (self.term(pool, depth - 1), self.term(pool, depth - 1));
                pool.store(base, index, value)
            }
            4 => {
                let condition = self.atom(pool, depth - 1);
                let (then, otherwise) = (self.array(pool, depth - 1), self.array(pool, depth - 1));
                pool.ite(condition, then, otherwise)
            }
            5 => {
                // cvc5 reads constant arrays of constants only.
                let value = if self.hard {
                    self.term(pool, depth - 1)
                } else {
                    pool.bv(self.random.next() % 8, self.width)
                };
                pool.const_array(self.width, value)
            }
            _ => self.random.pick(&self.arrays),
        }
    }

    fn read(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        let index = self.term(pool, depth - 1);
        if self.arrays.is_empty() || !self.functions.is_empty() && self.random.chance(40) {
            let function = self.random.pick(&self.functions);
            return pool.apply(function, &[index]);
        }
        let array = self.array(pool, depth - 1);
        pool.select(array, index)
    }

    /// A Boolean term without Boolean operations, but for those of the families.
    pub fn atom(&mut self, pool: &mut TermPool, depth: u32) -> Term {
        if !self.arrays.is_empty() && self.random.chance(25) {
            let (a, b) = (self.array(pool, depth), self.array(pool, depth));
            return pool.eq(a, b);
        }
        let (a, b) = (self.term(pool, depth), self.term(pool, depth));
        if self.family == Family::Overflow || !self.hard && self.random.chance(15) {
            let signed = self.random.chance(50);
            // The predicate of a product is about one of twice the width.
            let b = if self.hard { b } else { pool.bv(self.random.next() % 200, self.width) };
            return match self.random.below(6) {
                0 => pool.bv_add_overflows(a, b, signed),
                1 => pool.bv_sub_overflows(a, b, signed),
                2 | 3 => pool.bv_mul_overflows(a, b, signed),
                4 => pool.bv_sdiv_overflows(a, b),
                _ => pool.bv_neg_overflows(a),
            };
        }
        match self.random.below(6) {
            0 => pool.bv_ult(a, b),
            1 => pool.bv_ule(a, b),
            2 => pool.bv_slt(a, b),
            3 => pool.bv_sle(a, b),
            4 => pool.ne(a, b),
            _ => pool.eq(a, b),
        }
    }

    /// A formula: atoms under Boolean operations.
    pub fn formula(&mut self, pool: &mut TermPool, levels: u32, depth: u32) -> Term {
        if levels == 0 {
            let atom = self.atom(pool, depth);
            return if self.random.chance(20) { pool.not(atom) } else { atom };
        }
        let a = self.formula(pool, levels - 1, depth);
        let b = self.formula(pool, levels - 1, depth);
        match self.random.below(5) {
            0 => pool.and2(a, b),
            1 => pool.or2(a, b),
            2 => pool.eq(a, b),
            3 => pool.not(a),
            _ => {
                let c = self.formula(pool, levels - 1, depth);
                pool.ite(a, b, c)
            }
        }
    }
}
