//! Linear equations between numbers that hold in all samples: the null space of a matrix.

use rorqual_encoding::Encoding;
use rorqual_logic::{Bits, Term, TermPool, Value};

use super::Budget;
use super::atoms::Number;
use crate::samples::State;

/// The equations, as atoms modulo the width of the numbers.
pub(crate) fn equations(
    encoding: &mut Encoding<'_>,
    numbers: &[Number],
    samples: &[State],
    budget: &Budget,
) -> Vec<Term> {
    let mut equations = Vec::new();
    let mut widths: Vec<u32> = numbers.iter().map(|number| number.width).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let same: Vec<Number> = numbers.iter().copied().filter(|number| number.width == width).collect();
        let changing = changing(&same, samples, budget.equation_numbers);
        if changing.len() < 2 || samples.len() < changing.len() + 3 {
            continue;
        }
        let rows: Vec<Vec<i128>> = samples.iter().map(|state| row(&changing, state)).collect();
        for solution in null_space(rows, changing.len() + 1) {
            equations.extend(equation(encoding, &changing, &solution, budget.coefficient));
        }
    }
    equations
}

/// The numbers that do not have one value only.
fn changing(numbers: &[Number], samples: &[State], most: usize) -> Vec<Number> {
    let value = |number: &Number, state: &State| state.get(&number.cell).cloned();
    let changes =
        |number: &&Number| samples.iter().any(|state| value(number, state) != value(number, &samples[0]));
    numbers.iter().filter(changes).copied().take(most).collect()
}

fn row(numbers: &[Number], state: &State) -> Vec<i128> {
    let value = |number: &Number| match state.get(&number.cell) {
        Some(Value::Bits(bits)) => i128::try_from(bits.signed()).unwrap_or(0),
        _ => 0,
    };
    let mut row: Vec<i128> = numbers.iter().map(value).collect();
    row.push(1);
    row
}

/// A basis of the vectors that all rows are orthogonal to, by elimination without fractions. Gives up on overflow.
pub(crate) fn null_space(mut rows: Vec<Vec<i128>>, columns: usize) -> Vec<Vec<i128>> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut done = 0;
    for column in 0..columns {
        let Some(found) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, found);
        let pivot = rows[done].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != done && row[column] != 0 && eliminate(row, &pivot, column).is_none() {
                return Vec::new();
            }
        }
        pivots.push(column);
        done += 1;
    }
    let free = (0..columns).filter(|column| !pivots.contains(column));
    free.filter_map(|free| solution(&rows, &pivots, free, columns)).collect()
}

/// Makes an entry of a row zero with the pivot row.
fn eliminate(row: &mut [i128], pivot: &[i128], column: usize) -> Option<()> {
    let (own, other) = (row[column], pivot[column]);
    for (entry, &from) in row.iter_mut().zip(pivot) {
        *entry = entry.checked_mul(other)?.checked_sub(from.checked_mul(own)?)?;
    }
    let divisor = row.iter().fold(0, |divisor, &entry| gcd(divisor, entry));
    if divisor > 1 {
        for entry in row.iter_mut() {
            *entry /= divisor;
        }
    }
    Some(())
}

/// The solution where one free column is not zero and the others are.
fn solution(rows: &[Vec<i128>], pivots: &[usize], free: usize, columns: usize) -> Option<Vec<i128>> {
    let mut scale: i128 = 1;
    for (row, &column) in rows.iter().zip(pivots) {
        let divisor = row[column] / gcd(row[column], row[free]).max(1);
        scale = scale.checked_mul((divisor / gcd(divisor, scale).max(1)).abs().max(1))?;
    }
    let mut solution = vec![0; columns];
    solution[free] = scale;
    for (row, &column) in rows.iter().zip(pivots) {
        solution[column] = -(row[free].checked_mul(scale)? / row[column]);
    }
    let divisor = solution.iter().fold(0, |divisor, &entry| gcd(divisor, entry)).max(1);
    for entry in &mut solution {
        *entry /= divisor;
    }
    Some(solution)
}

fn gcd(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    i128::try_from(one).unwrap_or(1)
}

fn equation(
    encoding: &mut Encoding<'_>,
    numbers: &[Number],
    solution: &[i128],
    largest: i128,
) -> Option<Term> {
    let width = numbers.first()?.width;
    let coefficients = || solution[..numbers.len()].iter();
    if coefficients().any(|entry| entry.abs() > largest) || coefficients().all(|&entry| entry == 0) {
        return None;
    }
    let pool = &mut encoding.pool;
    let summands = numbers.iter().zip(solution).map(|(number, &coefficient)| (number.symbol, coefficient));
    let (left, right) = (form(pool, summands, width), constant(pool, width, -solution[numbers.len()]));
    let equation = pool.eq(left, right);
    pool.as_bool(equation).is_none().then_some(equation)
}

/// The sum of numbers with coefficients.
pub(crate) fn form(pool: &mut TermPool, summands: impl Iterator<Item = (Term, i128)>, width: u32) -> Term {
    let mut sum = constant(pool, width, 0);
    for (number, coefficient) in summands {
        let factor = constant(pool, width, coefficient);
        let product = pool.bv_mul(number, factor);
        sum = pool.bv_add(sum, product);
    }
    sum
}

/// A constant modulo a width.
pub(crate) fn constant(pool: &mut TermPool, width: u32, value: i128) -> Term {
    pool.bits(Bits::from_signed(&value.into(), width))
}
