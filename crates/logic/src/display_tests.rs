//! Terms as people read them.

use crate::pool::TermPool;
use crate::smtlib::parse_term;
use crate::sort::Sort;

fn shown(text: &str) -> String {
    let mut pool = TermPool::new();
    for name in ["x", "y", "z"] {
        pool.symbol(name, Sort::BitVec(32));
    }
    pool.symbol("l", Sort::BitVec(64));
    pool.symbol("c", Sort::BitVec(8));
    pool.symbol("p", Sort::Bool);
    pool.symbol("q", Sort::Bool);
    pool.symbol("r", Sort::Bool);
    pool.symbol("m", Sort::Int);
    pool.symbol("n", Sort::Int);
    pool.symbol("a", Sort::Array { index: 32, element: 8 });
    pool.function("f", &[Sort::BitVec(32), Sort::Bool], Sort::BitVec(32));
    let term = parse_term(&mut pool, text).expect("the test's formula is well-formed");
    pool.display(term).to_string()
}

#[test]
fn terms_read_like_c() {
    let cases = [
        ("(bvsle (bvadd x #x00000001) y)", "x + 1 <= y"),
        ("(bvult x #x00000008)", "x <u 8"),
        ("(bvult x #xffffffff)", "x <u 4294967295"),
        ("(bvslt #xffffffff x)", "x > -1"),
        ("(= x #xffffffff)", "x == -1"),
        ("(= x #x80000000)", "x == 0x80000000"),
        ("(not (= x y))", "x != y"),
        ("(bvadd x #xffffffff)", "x - 1"),
        ("(bvsub x (bvadd y z))", "x - y - z"),
        ("(bvmul (bvadd x y) z)", "z * (x + y)"),
        ("(= (bvand x #x0000000f) #x00000000)", "(x & 0xf) == 0"),
        ("(or (and p q) r)", "r || (p && q)"),
        ("(and p (or q r))", "p && (q || r)"),
        ("(not (and p q))", "!(p && q)"),
        ("(ite p x y)", "p ? x : y"),
        ("(bvmul z (ite p x y))", "z * (p ? x : y)"),
        ("((_ extract 7 0) x)", "(u8)x"),
        ("((_ extract 15 4) (bvmul x y))", "(x * y)[15:4]"),
        ("((_ zero_extend 32) x)", "(u64)x"),
        ("((_ sign_extend 32) ((_ extract 31 0) l))", "(i64)(i32)l"),
        ("(concat c #x05)", "{c, #x05}"),
        ("(select a x)", "a[x]"),
        ("(store (store a x c) y #x01)", "a[x := c][y := 1]"),
        ("(f (bvudiv x y) p)", "f(x /u y, p)"),
        ("(bvlshr x (bvashr y z))", "x >>u (y >> z)"),
        ("(bvneg (bvudiv x y))", "-(x /u y)"),
        ("(<= (+ m (* (- 2) n)) (- 3))", "m - 2 * n <= -3"),
        ("(< m n)", "n > m"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn long_terms_are_cut() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let mut term = x;
    for _ in 0..50_000 {
        let product = pool.bv_udiv(term, term);
        term = pool.bv_xor(product, y);
    }
    assert_eq!(pool.display_within(term, 4).to_string(), "y ^ (… ^ …) /u …");
    assert!(pool.display(term).to_string().chars().count() < 10_000);
}
