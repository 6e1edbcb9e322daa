//! Random terms for tests, each with its meaning computed without the pool.
//!
//! A [`Bank`] holds terms and their values under a few assignments. Each step applies a constructor
//! to terms of the bank and, separately, the operation's definition to their values. A constructor
//! that simplifies wrongly is thus caught at the very call that is wrong: nothing has to be shrunk.

use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, FunctionTable};
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;
use crate::value::{ArrayValue, Value};

/// Pseudo-random numbers after G. Marsaglia, *Xorshift RNGs*, 2003; the seed is the test's.
pub(crate) struct Generator(u64);

/// What random formulas look like.
pub(crate) struct Shape<'a> {
    pub(crate) widths: &'a [u32],
    pub(crate) size: usize,
}

/// Groups of constructors that are tested together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Boolean,
    Sums,
    Bitwise,
    Division,
    Slices,
    Comparisons,
    Overflows,
    Arrays,
    Functions,
    Integers,
}

pub(crate) const FAMILIES: [Family; 10] = [
    Family::Boolean,
    Family::Sums,
    Family::Bitwise,
    Family::Division,
    Family::Slices,
    Family::Comparisons,
    Family::Overflows,
    Family::Arrays,
    Family::Functions,
    Family::Integers,
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        let mut generator = Generator(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 16) % bound.max(1) as u64) as usize
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Small, extreme and arbitrary values are about equally frequent.
    pub(crate) fn bits(&mut self, width: u32) -> Bits {
        let small = Bits::new(self.below(4) as u64, width);
        let top = Bits::new(1u8, width).shl(&Bits::new(width - 1, 32).resized(width));
        match self.below(6) {
            0 => small,
            1 => small.neg(),
            2 => top.add(&small),
            3 => top.sub(&small),
            4 => Bits::new(1u8, width).shl(&Bits::new(self.below(width as usize) as u64, 64).resized(width)),
            _ => {
                let mut bits = Bits::new(self.next(), width);
                if width > 64 {
                    bits = Bits::new(self.next(), width - 64).concat(&Bits::new(self.next(), 64));
                }
                bits
            }
        }
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.chance(2)),
            Sort::BitVec(width) => Value::Bits(self.bits(width)),
            Sort::Int => Value::Int((self.below(9) as i64 - 4).into()),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, self.bits(element));
                for _ in 0..self.below(4) {
                    array.set(self.bits(index), self.bits(element));
                }
                Value::Array(array)
            }
        }
    }

    /// A random Boolean term.
    pub(crate) fn formula(&mut self, pool: &mut TermPool, shape: &Shape) -> Term {
        let mut bank = Bank::new(self, pool, shape.widths, 0);
        for _ in 0..shape.size {
            let family = self.choose(&FAMILIES);
            bank.step(self, pool, family);
        }
        bank.pick(self, pool, Sort::Bool).0
    }
}

impl Bits {
    fn resized(&self, width: u32) -> Bits {
        Bits::new(self.unsigned().clone(), width)
    }
}

type Entry = (Term, Vec<Value>);

/// Terms with their values under each of the assignments.
pub(crate) struct Bank {
    widths: Vec<u32>,
    entries: Vec<Entry>,
    pub(crate) assignments: Vec<Assignment>,
}

/// The result of a step: the new term, the values it must have, and what was done.
pub(crate) struct Step {
    pub(crate) term: Term,
    pub(crate) values: Vec<Value>,
    pub(crate) what: String,
}

impl Bank {
    /// A bank with two symbols of each sort.
    pub(crate) fn new(
        generator: &mut Generator,
        pool: &mut TermPool,
        widths: &[u32],
        assignments: usize,
    ) -> Bank {
        let mut bank = Bank {
            widths: widths.to_vec(),
            entries: Vec::new(),
            assignments: vec![Assignment::new(); assignments],
        };
        let mut sorts = vec![Sort::Bool, Sort::Int, bank.array_sort()];
        sorts.extend(widths.iter().map(|&width| Sort::BitVec(width)));
        for sort in sorts {
            for name in ["x", "y"] {
                let term = pool.symbol(&format!("{name}:{sort}"), sort);
                let Op::Symbol(symbol) = *pool.op(term) else { panic!("a symbol is a symbol") };
                let values: Vec<Value> = (0..assignments).map(|_| generator.value(sort)).collect();
                for (assignment, value) in bank.assignments.iter_mut().zip(&values) {
                    assignment.set(symbol, value.clone());
                }
                bank.entries.push((term, values));
            }
        }
        let sort = Sort::BitVec(widths[0]);
        let function = pool.function("f", &[sort, Sort::Bool], sort);
        for assignment in &mut bank.assignments {
            let arguments = vec![generator.value(sort), Value::Bool(true)];
            let entries = vec![(arguments, generator.value(sort))];
            let table = FunctionTable { entries, default: generator.value(sort) };
            assignment.set_function(function, table);
        }
        bank
    }

    fn array_sort(&self) -> Sort {
        Sort::Array { index: self.widths[0], element: self.widths[self.widths.len() - 1] }
    }

    /// A term of the sort: mostly of the bank, sometimes a constant.
    fn pick(&mut self, generator: &mut Generator, pool: &mut TermPool, sort: Sort) -> Entry {
        let fitting: Vec<usize> =
            (0..self.entries.len()).filter(|&at| pool.sort(self.entries[at].0) == sort).collect();
        if fitting.is_empty() || generator.chance(5) {
            let value = generator.value(sort);
            let term = pool.constant(&value);
            return (term, vec![value; self.assignments.len()]);
        }
        // Recent terms are preferred, so that terms grow deep.
        let at = generator.below(fitting.len()).max(generator.below(fitting.len()));
        self.entries[fitting[at]].clone()
    }

    fn vector(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Entry {
        let width = generator.choose(&self.widths);
        self.pick(generator, pool, Sort::BitVec(width))
    }

    /// Applies a constructor of the family and keeps the result.
    pub(crate) fn step(&mut self, generator: &mut Generator, pool: &mut TermPool, family: Family) -> Step {
        let step = match family {
            Family::Boolean => self.boolean(generator, pool),
            Family::Sums | Family::Bitwise | Family::Division => self.operation(generator, pool, family),
            Family::Slices => self.slice(generator, pool),
            Family::Comparisons | Family::Overflows => self.claim(generator, pool, family),
            Family::Arrays => self.array(generator, pool),
            Family::Functions => self.call(generator, pool),
            Family::Integers => self.integer(generator, pool),
        };
        let sort = pool.sort(step.term);
        // Terms of other widths would never be used again.
        if sort.width().is_none_or(|width| self.widths.contains(&width)) {
            self.entries.push((step.term, step.values.clone()));
        }
        step
    }

    fn result(&self, what: String, term: Term, value: impl Fn(usize) -> Value) -> Step {
        Step { term, values: (0..self.assignments.len()).map(value).collect(), what }
    }

    fn boolean(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Step {
        let [a, b, c] = [(); 3].map(|()| self.pick(generator, pool, Sort::Bool));
        let what = |name: &str| format!("{name} {:?} {:?} {:?}", a.0, b.0, c.0);
        let holds = |entry: &Entry, k: usize| entry.1[k].bool();
        match generator.below(7) {
            0 => {
                let term = pool.not(a.0);
                self.result(what("not"), term, |k| Value::Bool(!holds(&a, k)))
            }
            1 => {
                let term = pool.and(&[a.0, b.0, c.0]);
                self.result(what("and"), term, |k| Value::Bool(holds(&a, k) && holds(&b, k) && holds(&c, k)))
            }
            2 => {
                let term = pool.or(&[a.0, b.0, c.0]);
                self.result(what("or"), term, |k| Value::Bool(holds(&a, k) || holds(&b, k) || holds(&c, k)))
            }
            3 => {
                let term = pool.ite(a.0, b.0, c.0);
                self.result(what("ite"), term, |k| Value::Bool(holds(if holds(&a, k) { &b } else { &c }, k)))
            }
            4 => {
                let term = pool.implies(a.0, b.0);
                self.result(what("implies"), term, |k| Value::Bool(!holds(&a, k) || holds(&b, k)))
            }
            5 => {
                let sorts = [Sort::Bool, Sort::Int, self.array_sort(), Sort::BitVec(self.widths[0])];
                let sort = generator.choose(&sorts);
                let (b, c) = (self.pick(generator, pool, sort), self.pick(generator, pool, sort));
                let term = pool.ite(a.0, b.0, c.0);
                let what = format!("ite {:?} {:?} {:?}", a.0, b.0, c.0);
                self.result(what, term, |k| if holds(&a, k) { b.1[k].clone() } else { c.1[k].clone() })
            }
            _ => {
                let sorts = [Sort::Bool, Sort::Int, self.array_sort(), Sort::BitVec(self.widths[0])];
                let sort = generator.choose(&sorts);
                let (b, c) = (self.pick(generator, pool, sort), self.pick(generator, pool, sort));
                let term = pool.eq(b.0, c.0);
                self.result(format!("eq {:?} {:?}", b.0, c.0), term, |k| Value::Bool(b.1[k] == c.1[k]))
            }
        }
    }

    fn operation(&mut self, generator: &mut Generator, pool: &mut TermPool, family: Family) -> Step {
        type Operation = (&'static str, fn(&mut TermPool, Term, Term) -> Term, fn(&Bits, &Bits) -> Bits);
        let sums: &[Operation] = &[
            ("add", TermPool::bv_add, Bits::add),
            ("add", TermPool::bv_add, Bits::add),
            ("sub", TermPool::bv_sub, Bits::sub),
            ("mul", TermPool::bv_mul, Bits::mul),
            ("neg", |pool, a, _| pool.bv_neg(a), |a, _| a.neg()),
            ("shl", TermPool::bv_shl, Bits::shl),
        ];
        let bitwise: &[Operation] = &[
            ("and", TermPool::bv_and, Bits::and),
            ("or", TermPool::bv_or, Bits::or),
            ("xor", TermPool::bv_xor, Bits::xor),
            ("not", |pool, a, _| pool.bv_not(a), |a, _| a.not()),
            ("nand", TermPool::bv_nand, |a, b| a.and(b).not()),
            ("nor", TermPool::bv_nor, |a, b| a.or(b).not()),
            ("xnor", TermPool::bv_xnor, |a, b| a.xor(b).not()),
            ("comp", TermPool::bv_comp, |a, b| Bits::new(u8::from(a == b), 1)),
        ];
        let division: &[Operation] = &[
            ("udiv", TermPool::bv_udiv, Bits::udiv),
            ("urem", TermPool::bv_urem, Bits::urem),
            ("sdiv", TermPool::bv_sdiv, Bits::sdiv),
            ("srem", TermPool::bv_srem, Bits::srem),
            ("smod", TermPool::bv_smod, signed_modulo),
            ("lshr", TermPool::bv_lshr, Bits::lshr),
            ("ashr", TermPool::bv_ashr, Bits::ashr),
        ];
        let a = self.vector(generator, pool);
        let b = self.pick(generator, pool, pool.sort(a.0));
        let (name, build, meaning) = match family {
            Family::Sums => generator.choose(sums),
            Family::Bitwise => generator.choose(bitwise),
            _ => generator.choose(division),
        };
        let term = build(pool, a.0, b.0);
        let what = format!("{name} {:?} {:?}", a.0, b.0);
        self.result(what, term, |k| Value::Bits(meaning(a.1[k].bits(), b.1[k].bits())))
    }

    fn slice(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Step {
        let a = self.vector(generator, pool);
        let width = pool.width(a.0);
        let wider: Vec<u32> = self.widths.iter().copied().filter(|&other| other >= width).collect();
        match generator.below(6) {
            0 => {
                let to = generator.choose(&wider);
                let term = pool.bv_zero_extend(a.0, to);
                self.result(format!("zero_extend {:?}", a.0), term, |k| {
                    Value::Bits(a.1[k].bits().zero_extend(to))
                })
            }
            1 => {
                let to = generator.choose(&wider);
                let term = pool.bv_sign_extend(a.0, to);
                self.result(format!("sign_extend {:?}", a.0), term, |k| {
                    Value::Bits(a.1[k].bits().sign_extend(to))
                })
            }
            2 | 3 => {
                let high = generator.below(width as usize) as u32;
                let low = if generator.chance(2) { 0 } else { generator.below(high as usize + 1) as u32 };
                let term = pool.bv_extract(a.0, high, low);
                let what = format!("extract {high} {low} {:?}", a.0);
                self.result(what, term, |k| Value::Bits(a.1[k].bits().extract(high, low)))
            }
            4 => {
                let count = generator.below(2 * width as usize) as u32;
                let term = pool.bv_rotate_left(a.0, count);
                let what = format!("rotate_left {count} {:?}", a.0);
                self.result(what, term, |k| {
                    let (bits, by) = (a.1[k].bits(), count % width);
                    let low = bits.unsigned() >> (width - by) as usize;
                    Value::Bits(Bits::new((bits.unsigned() << by as usize) | low, width))
                })
            }
            _ => {
                let b = self.vector(generator, pool);
                let term = pool.bv_concat(a.0, b.0);
                let what = format!("concat {:?} {:?}", a.0, b.0);
                self.result(what, term, |k| Value::Bits(a.1[k].bits().concat(b.1[k].bits())))
            }
        }
    }

    fn claim(&mut self, generator: &mut Generator, pool: &mut TermPool, family: Family) -> Step {
        type Claim = (&'static str, fn(&mut TermPool, Term, Term) -> Term, fn(&Bits, &Bits) -> bool);
        let comparisons: &[Claim] = &[
            ("eq", TermPool::eq, |a, b| a == b),
            ("ne", TermPool::ne, |a, b| a != b),
            ("ult", TermPool::bv_ult, |a, b| a.unsigned() < b.unsigned()),
            ("ule", TermPool::bv_ule, |a, b| a.unsigned() <= b.unsigned()),
            ("slt", TermPool::bv_slt, |a, b| a.signed() < b.signed()),
            ("sle", TermPool::bv_sle, |a, b| a.signed() <= b.signed()),
        ];
        let overflows: &[Claim] = &[
            (
                "uaddo",
                |p, a, b| p.bv_add_overflows(a, b, false),
                |a, b| (a.unsigned() + b.unsigned()) != *a.add(b).unsigned(),
            ),
            (
                "saddo",
                |p, a, b| p.bv_add_overflows(a, b, true),
                |a, b| (a.signed() + b.signed()) != a.add(b).signed(),
            ),
            ("usubo", |p, a, b| p.bv_sub_overflows(a, b, false), |a, b| a.unsigned() < b.unsigned()),
            (
                "ssubo",
                |p, a, b| p.bv_sub_overflows(a, b, true),
                |a, b| (a.signed() - b.signed()) != a.sub(b).signed(),
            ),
            (
                "umulo",
                |p, a, b| p.bv_mul_overflows(a, b, false),
                |a, b| (a.unsigned() * b.unsigned()) != *a.mul(b).unsigned(),
            ),
            (
                "smulo",
                |p, a, b| p.bv_mul_overflows(a, b, true),
                |a, b| (a.signed() * b.signed()) != a.mul(b).signed(),
            ),
            ("sdivo", TermPool::bv_sdiv_overflows, |a, b| {
                !b.is_zero() && a.signed() / b.signed() != a.sdiv(b).signed()
            }),
            ("nego", |p, a, _| p.bv_neg_overflows(a), |a, _| -a.signed() != a.neg().signed()),
        ];
        let a = self.vector(generator, pool);
        let b = self.pick(generator, pool, pool.sort(a.0));
        let claims = if family == Family::Comparisons { comparisons } else { overflows };
        let (name, build, meaning) = generator.choose(claims);
        let term = build(pool, a.0, b.0);
        let what = format!("{name} {:?} {:?}", a.0, b.0);
        self.result(what, term, |k| Value::Bool(meaning(a.1[k].bits(), b.1[k].bits())))
    }

    fn array(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Step {
        let Sort::Array { index, element } = self.array_sort() else { panic!("arrays have array sorts") };
        let array = self.pick(generator, pool, self.array_sort());
        let at = self.pick(generator, pool, Sort::BitVec(index));
        let value = self.pick(generator, pool, Sort::BitVec(element));
        let what = |name: &str| format!("{name} {:?} {:?} {:?}", array.0, at.0, value.0);
        match generator.below(4) {
            0 | 1 => {
                let term = pool.store(array.0, at.0, value.0);
                self.result(what("store"), term, |k| {
                    let mut array = array.1[k].array().clone();
                    array.set(at.1[k].bits().clone(), value.1[k].bits().clone());
                    Value::Array(array)
                })
            }
            2 => {
                let term = pool.select(array.0, at.0);
                self.result(what("select"), term, |k| {
                    Value::Bits(array.1[k].array().get(at.1[k].bits()).clone())
                })
            }
            _ => {
                let term = pool.const_array(index, value.0);
                self.result(what("const"), term, |k| {
                    Value::Array(ArrayValue::constant(index, value.1[k].bits().clone()))
                })
            }
        }
    }

    fn call(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Step {
        let sort = Sort::BitVec(self.widths[0]);
        let (a, b) = (self.pick(generator, pool, sort), self.pick(generator, pool, Sort::Bool));
        let function = pool.function("f", &[sort, Sort::Bool], sort);
        let term = pool.apply(function, &[a.0, b.0]);
        self.result(format!("f {:?} {:?}", a.0, b.0), term, |k| {
            let table = self.assignments[k].function(function).expect("the bank gives `f` a table");
            table.result(&[&a.1[k], &b.1[k]]).clone()
        })
    }

    fn integer(&mut self, generator: &mut Generator, pool: &mut TermPool) -> Step {
        let [a, b, c] = [(); 3].map(|()| self.pick(generator, pool, Sort::Int));
        let factor = generator.below(7) as i64 - 3;
        let what = |name: &str| format!("{name} {:?} {:?} {:?} {factor}", a.0, b.0, c.0);
        match generator.below(5) {
            0 => {
                let term = pool.int_add(&[a.0, b.0, c.0]);
                self.result(what("int_add"), term, |k| Value::Int(a.1[k].int() + b.1[k].int() + c.1[k].int()))
            }
            1 => {
                let term = pool.int_scale(factor, a.0);
                self.result(what("int_scale"), term, |k| Value::Int(a.1[k].int() * factor))
            }
            2 => {
                let term = pool.int_sub(a.0, b.0);
                self.result(what("int_sub"), term, |k| Value::Int(a.1[k].int() - b.1[k].int()))
            }
            3 => {
                let term = pool.int_le(a.0, b.0);
                self.result(what("int_le"), term, |k| Value::Bool(a.1[k].int() <= b.1[k].int()))
            }
            _ => {
                let term = pool.eq(a.0, b.0);
                self.result(what("int_eq"), term, |k| Value::Bool(a.1[k].int() == b.1[k].int()))
            }
        }
    }

    /// Panics unless the step's term has the values it must have.
    pub(crate) fn check(&self, pool: &TermPool, step: &Step) {
        for (assignment, expected) in self.assignments.iter().zip(&step.values) {
            let actual = Evaluator::new(pool, assignment).value(step.term).clone();
            assert!(
                actual == *expected && actual.sort() == pool.sort(step.term),
                "{} became {}, which is {actual} and not {expected} under {assignment:?}",
                step.what,
                crate::smtlib::term_text(pool, step.term),
            );
        }
    }
}

/// `bvsmod`, by its definition on integers.
fn signed_modulo(a: &Bits, b: &Bits) -> Bits {
    if b.is_zero() {
        return a.clone();
    }
    let (a_value, b_value) = (a.signed(), b.signed());
    let modulo = ((&a_value % &b_value) + &b_value) % &b_value;
    Bits::from_signed(&modulo, a.width())
}
