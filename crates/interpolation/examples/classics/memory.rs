//! Paths through memory: arrays in versions, as programs write them, and functions.

use rorqual_logic::{Sort, Term, TermPool};

use super::{Case, number, symbol};

fn array(pool: &mut TermPool, name: &str) -> Term {
    pool.symbol(name, Sort::Array { index: 32, element: 32 })
}

/// `M[i] = v`, in versions.
fn write(pool: &mut TermPool, from: Term, to: Term, index: Term, value: Term) -> Term {
    let written = pool.store(from, index, value);
    pool.eq(to, written)
}

/// `M[i] = 7; j = i; assert(M[j] == 7)`
pub(crate) fn written_then_read(pool: &mut TermPool) -> Case {
    let [m0, m1] = ["M0", "M1"].map(|name| array(pool, name));
    let [i, j] = ["i", "j"].map(|name| symbol(pool, name));
    let seven = number(pool, 7);
    let read = pool.select(m1, j);
    let parts = vec![write(pool, m0, m1, i, seven), pool.eq(i, j), pool.ne(read, seven)];
    Case { name: "M[i] = 7; j = i; M[j] != 7".to_owned(), parts }
}

/// `M[p] > 3; q != p; M[q] = 0; assert(M[p] > 2)`
pub(crate) fn read_past_a_write(pool: &mut TermPool) -> Case {
    let [m0, m1] = ["M0", "M1"].map(|name| array(pool, name));
    let [p, q] = ["p", "q"].map(|name| symbol(pool, name));
    let (zero, two, three) = (number(pool, 0), number(pool, 2), number(pool, 3));
    let (before, after) = (pool.select(m0, p), pool.select(m1, p));
    let parts = vec![
        pool.bv_slt(three, before),
        pool.ne(p, q),
        write(pool, m0, m1, q, zero),
        pool.bv_sle(after, two),
    ];
    Case { name: "M[p] > 3; q != p; M[q] = 0; M[p] <= 2".to_owned(), parts }
}

/// `M[n + 1] = 7` where `i = n + 1` is gone, read where `j = n + 1` is new: the index is `n + 1`.
pub(crate) fn index_known_to_one_side(pool: &mut TermPool) -> Case {
    let [m0, m1] = ["M0", "M1"].map(|name| array(pool, name));
    let [i, j, n] = ["i", "j", "n"].map(|name| symbol(pool, name));
    let (one, seven) = (number(pool, 1), number(pool, 7));
    let next = pool.bv_add(n, one);
    let (first_index, written) = (pool.eq(i, next), write(pool, m0, m1, i, seven));
    let read = pool.select(m1, j);
    let (last_index, differs) = (pool.eq(j, next), pool.ne(read, seven));
    let parts = vec![pool.and2(first_index, written), pool.and2(last_index, differs)];
    Case { name: "i = n + 1, M[i] = 7; j = n + 1, M[j] != 7".to_owned(), parts }
}

/// `i = 0; k × { a[i] = i; i++; } assert(a[0] == 0)`
pub(crate) fn filled(pool: &mut TermPool, rounds: u32) -> Case {
    let (zero, one) = (number(pool, 0), number(pool, 1));
    let (mut i, mut a) = (symbol(pool, "i0"), array(pool, "a0"));
    let mut parts = vec![pool.eq(i, zero)];
    for round in 1..=rounds {
        let (next_i, next_a) = (symbol(pool, &format!("i{round}")), array(pool, &format!("a{round}")));
        let increased = pool.bv_add(i, one);
        let step = [write(pool, a, next_a, i, i), pool.eq(next_i, increased)];
        parts.push(pool.and(&step));
        (i, a) = (next_i, next_a);
    }
    let first = pool.select(a, zero);
    parts.push(pool.ne(first, zero));
    Case { name: format!("i = 0; {rounds} times {{ a[i] = i; i++; }} a[0] != 0"), parts }
}

/// `x = f(a); b + 1 = a + 1; y = f(b); assert(x == y)`
pub(crate) fn one_function_of_equal_numbers(pool: &mut TermPool) -> Case {
    let [a, b, c] = ["a", "b", "c"].map(|name| symbol(pool, name));
    let [first, second] = ["x", "y"].map(|name| symbol(pool, name));
    let function = pool.function("f", &[Sort::BitVec(32)], Sort::BitVec(32));
    let one = number(pool, 1);
    let (of_a, of_b) = (pool.apply(function, &[a]), pool.apply(function, &[b]));
    let next = pool.bv_add(a, one);
    let (result, sum) = (pool.eq(first, of_a), pool.eq(c, next));
    let back = pool.bv_sub(c, one);
    let (other_result, same) = (pool.eq(second, of_b), pool.eq(b, back));
    let parts = vec![pool.and2(result, sum), pool.and2(same, other_result), pool.ne(first, second)];
    Case { name: "x = f(a), c = a + 1; b = c - 1, y = f(b); x != y".to_owned(), parts }
}
