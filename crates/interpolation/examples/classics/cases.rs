//! Classic unsatisfiable paths, with the interpolants that people expect of them.

use rorqual_logic::{Sort, Term, TermPool};

#[path = "memory.rs"]
mod memory;

/// A path: what it is about, and its parts.
pub(crate) struct Case {
    /// The path in words.
    pub(crate) name: String,
    /// What each step says.
    pub(crate) parts: Vec<Term>,
}

/// All of them.
pub(crate) fn all(pool: &mut TermPool) -> Vec<Case> {
    let mut cases = Vec::new();
    for rounds in [1, 2, 3, 5, 10] {
        cases.push(counters(pool, rounds));
    }
    cases.push(differences(pool));
    cases.push(sums(pool));
    cases.push(mc91(pool));
    cases.push(unsigned_bounds(pool));
    cases.push(unsigned_counter(pool));
    cases.push(memory::written_then_read(pool));
    cases.push(memory::read_past_a_write(pool));
    cases.push(memory::index_known_to_one_side(pool));
    for rounds in [1, 3] {
        cases.push(memory::filled(pool, rounds));
    }
    cases.push(memory::one_function_of_equal_numbers(pool));
    cases
}

fn symbol(pool: &mut TermPool, name: &str) -> Term {
    pool.symbol(name, Sort::BitVec(32))
}

fn number(pool: &mut TermPool, value: u32) -> Term {
    pool.bv(value, 32)
}

/// `x = 0; y = 0; n × { x++; y += 2; } assert(y == 2x)`
pub(crate) fn counters(pool: &mut TermPool, rounds: u32) -> Case {
    let (zero, one, two) = (number(pool, 0), number(pool, 1), number(pool, 2));
    let (mut x, mut y) = (symbol(pool, "x0"), symbol(pool, "y0"));
    let start = [pool.eq(x, zero), pool.eq(y, zero)];
    let mut parts = vec![pool.and(&start)];
    for round in 1..=rounds {
        let (next_x, next_y) = (symbol(pool, &format!("x{round}")), symbol(pool, &format!("y{round}")));
        let (x_plus_one, y_plus_two) = (pool.bv_add(x, one), pool.bv_add(y, two));
        let step = [pool.eq(next_x, x_plus_one), pool.eq(next_y, y_plus_two)];
        parts.push(pool.and(&step));
        (x, y) = (next_x, next_y);
    }
    let double = pool.bv_mul(two, x);
    parts.push(pool.ne(y, double));
    Case { name: format!("x = y = 0; {rounds} times {{ x++; y += 2; }} y != 2x"), parts }
}

/// `x < y; y < z; z < w; w <= x`
pub(crate) fn differences(pool: &mut TermPool) -> Case {
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| symbol(pool, name));
    let parts = vec![pool.bv_slt(x, y), pool.bv_slt(y, z), pool.bv_slt(z, w), pool.bv_sle(w, x)];
    Case { name: "x < y; y < z; z < w; w <= x".to_owned(), parts }
}

/// `x + y = 10; x++; y--; x + y != 10`
pub(crate) fn sums(pool: &mut TermPool) -> Case {
    let [x, y, next_x, next_y] = ["x", "y", "x'", "y'"].map(|name| symbol(pool, name));
    let (ten, one) = (number(pool, 10), number(pool, 1));
    let (sum, next_sum) = (pool.bv_add(x, y), pool.bv_add(next_x, next_y));
    let (x_plus_one, y_minus_one) = (pool.bv_add(x, one), pool.bv_sub(y, one));
    let (move_x, move_y) = (pool.eq(next_x, x_plus_one), pool.eq(next_y, y_minus_one));
    let parts = vec![pool.eq(sum, ten), move_x, move_y, pool.ne(next_sum, ten)];
    Case { name: "x + y = 10; x' = x + 1; y' = y - 1; x' + y' != 10".to_owned(), parts }
}

/// A path of the function mc91 whose inner call takes the first branch.
pub(crate) fn mc91(pool: &mut TermPool) -> Case {
    let [n, argument, inner, result] = ["n", "argument", "inner", "result"].map(|name| symbol(pool, name));
    let (limit, eleven, ten, bound) =
        (number(pool, 100), number(pool, 11), number(pool, 10), number(pool, 91));
    let guard = pool.bv_sle(n, limit);
    let n_plus = pool.bv_add(n, eleven);
    let call = pool.eq(argument, n_plus);
    let large = pool.bv_slt(limit, argument);
    let argument_minus = pool.bv_sub(argument, ten);
    let first = pool.eq(inner, argument_minus);
    let small = pool.bv_slt(inner, bound);
    let (returned, wrong) = (pool.eq(result, inner), pool.ne(result, bound));
    let at_most = pool.bv_sle(inner, bound);
    let parts =
        vec![guard, call, pool.and2(large, first), pool.or2(small, returned), pool.and(&[wrong, at_most])];
    Case { name: "mc91: n <= 100, mc91(n + 11) by its first branch, result != 91".to_owned(), parts }
}

/// `i <u n; n <=u 100; i >=u 100`
pub(crate) fn unsigned_bounds(pool: &mut TermPool) -> Case {
    let [i, n] = ["i", "n"].map(|name| symbol(pool, name));
    let hundred = number(pool, 100);
    let parts = vec![pool.bv_ult(i, n), pool.bv_ule(n, hundred), pool.bv_ule(hundred, i)];
    Case { name: "i < n; n <= 100; i >= 100, unsigned".to_owned(), parts }
}

/// `i = 0; i < n; i++; i > n`, unsigned
pub(crate) fn unsigned_counter(pool: &mut TermPool) -> Case {
    let [i, n, next] = ["i", "n", "i'"].map(|name| symbol(pool, name));
    let (zero, one) = (number(pool, 0), number(pool, 1));
    let incremented = pool.bv_add(i, one);
    let parts = vec![pool.eq(i, zero), pool.bv_ult(i, n), pool.eq(next, incremented), pool.bv_ult(n, next)];
    Case { name: "i = 0; i < n; i++; i > n, unsigned".to_owned(), parts }
}
