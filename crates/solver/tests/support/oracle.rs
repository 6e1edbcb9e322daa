//! Satisfiability by trying all values. Values are machine words; arrays and functions are packed,
//! the element at index 0 lowest.

use std::collections::HashMap;

use rorqual_logic::{FunctionSymbol, Op, Sort, Term, TermPool};

enum Code {
    Constant(u64),
    /// So many bits of the assignment, from a position on.
    Symbol(u32),
    /// The table of a function starts at a position.
    Apply(u32),
    Operation(Op),
}

struct Instruction {
    code: Code,
    arguments: Vec<usize>,
    /// How many bits the value has.
    width: u32,
    argument_widths: Vec<u32>,
}

/// Formulas as a program over the bits of an assignment.
pub struct Oracle {
    program: Vec<Instruction>,
    roots: Vec<usize>,
    bits: u32,
}

fn packed_width(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        Sort::Array { index, element } => element << index,
        Sort::Int => panic!("no integers here"),
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

impl Oracle {
    pub fn new(pool: &TermPool, formulas: &[Term]) -> Oracle {
        let mut oracle = Oracle { program: Vec::new(), roots: Vec::new(), bits: 0 };
        let mut places: HashMap<Term, usize> = HashMap::new();
        let mut tables: HashMap<FunctionSymbol, u32> = HashMap::new();
        for term in pool.subterms(formulas) {
            let width = packed_width(pool.sort(term));
            let code = match pool.op(term) {
                Op::Bool(value) => Code::Constant(u64::from(*value)),
                Op::Bits(bits) => Code::Constant(bits.to_u64().expect("small constants")),
                Op::Symbol(_) => Code::Symbol(oracle.allocate(width)),
                Op::Apply(function) => {
                    let (_, parameters, result) = pool.signature(*function);
                    let size = packed_width(result) << packed_width(parameters[0]);
                    Code::Apply(*tables.entry(*function).or_insert_with(|| oracle.allocate(size)))
                }
                op => Code::Operation(op.clone()),
            };
            let arguments = pool.arguments(term);
            places.insert(term, oracle.program.len());
            oracle.program.push(Instruction {
                code,
                arguments: arguments.iter().map(|argument| places[argument]).collect(),
                width,
                argument_widths: arguments
                    .iter()
                    .map(|&argument| packed_width(pool.sort(argument)))
                    .collect(),
            });
        }
        oracle.roots = formulas.iter().map(|formula| places[formula]).collect();
        oracle
    }

    fn allocate(&mut self, width: u32) -> u32 {
        let at = self.bits;
        self.bits += width;
        at
    }

    /// How many bits an assignment has.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether all formulas hold together for some values.
    pub fn is_satisfiable(&self) -> bool {
        assert!(self.bits <= 20, "{} bits are too many to try all values", self.bits);
        let mut values = vec![0u64; self.program.len()];
        (0..1u64 << self.bits).any(|assignment| {
            for (at, instruction) in self.program.iter().enumerate() {
                values[at] = instruction.run(assignment, &values);
            }
            self.roots.iter().all(|&root| values[root] == 1)
        })
    }
}

impl Instruction {
    fn run(&self, assignment: u64, values: &[u64]) -> u64 {
        let argument = |at: usize| values[self.arguments[at]];
        let value = match &self.code {
            Code::Constant(value) => *value,
            Code::Symbol(from) => assignment >> from,
            Code::Apply(from) => assignment >> (u64::from(*from) + argument(0) * u64::from(self.width)),
            Code::Operation(op) => return self.operation(op, &argument) & mask(self.width),
        };
        value & mask(self.width)
    }

    fn operation(&self, op: &Op, argument: &dyn Fn(usize) -> u64) -> u64 {
        let count = self.arguments.len();
        let width = self.argument_widths[0];
        let a = argument(0);
        let b = if count > 1 { argument(1) } else { 0 };
        let c = if count > 2 { argument(2) } else { 0 };
        let (signed_a, signed_b) = (signed(a, width), signed(b, width));
        match op {
            Op::Not => a ^ 1,
            Op::And => u64::from((0..count).all(|at| argument(at) == 1)),
            Op::Or => u64::from((0..count).any(|at| argument(at) == 1)),
            Op::Eq => u64::from(a == b),
            Op::Ite if a == 1 => b,
            Op::Ite => c,
            Op::BvNot => !a,
            Op::BvNeg => a.wrapping_neg(),
            Op::BvAdd => a.wrapping_add(b),
            Op::BvMul => a.wrapping_mul(b),
            Op::BvUdiv => a.checked_div(b).unwrap_or(u64::MAX),
            Op::BvUrem => a.checked_rem(b).unwrap_or(a),
            Op::BvSdiv if b == 0 => {
                if signed_a < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            Op::BvSdiv => signed_a.wrapping_div(signed_b) as u64,
            Op::BvSrem if b == 0 => a,
            Op::BvSrem => signed_a.wrapping_rem(signed_b) as u64,
            Op::BvShl => {
                if b < u64::from(width) {
                    a << b
                } else {
                    0
                }
            }
            Op::BvLshr => {
                if b < u64::from(width) {
                    a >> b
                } else {
                    0
                }
            }
            Op::BvAshr => (signed_a >> b.min(63)) as u64,
            Op::BvAnd => a & b,
            Op::BvOr => a | b,
            Op::BvXor => a ^ b,
            Op::Concat => a << self.argument_widths[1] | b,
            Op::Extract { low, .. } => a >> low,
            Op::ZeroExtend => a,
            Op::SignExtend => signed_a as u64,
            Op::BvUlt => u64::from(a < b),
            Op::BvUle => u64::from(a <= b),
            Op::BvSlt => u64::from(signed_a < signed_b),
            Op::BvSle => u64::from(signed_a <= signed_b),
            Op::Select => a >> (b * u64::from(self.width)),
            Op::Store => {
                let element = self.argument_widths[2];
                let shift = b * u64::from(element);
                a & !(mask(element) << shift) | c << shift
            }
            Op::ConstArray => (0..self.width / width).fold(0, |array, at| array | a << (at * width)),
            other => unreachable!("{other:?} is not an operation here"),
        }
    }
}
