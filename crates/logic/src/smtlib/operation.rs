//! Sorts, constants and operations by their SMT-LIB names.
//!
//! The constructors of the pool panic on arguments that do not fit; everything here looks first and
//! answers with a message instead.

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};

use crate::pool::{Term, TermPool};
use crate::smtlib::ParseError;
use crate::smtlib::parse::MAX_WIDTH;
use crate::smtlib::sexp::{Sexp, SexpId, Sexps};
use crate::sort::Sort;

type Answer = Result<Term, String>;

/// `distinct` of more terms than this is refused, because its meaning here is quadratic.
const MAX_DISTINCT: usize = 300;

/// A small number.
pub(super) fn number(sexps: &Sexps, id: SexpId) -> Option<u32> {
    match sexps.get(id) {
        Sexp::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// A sort.
pub(super) fn sort(sexps: &Sexps, id: SexpId) -> Result<Sort, ParseError> {
    let place = sexps.place(id);
    match (sexps.symbol(id), sexps.list(id)) {
        (Some("Bool"), _) => return Ok(Sort::Bool),
        (Some("Int"), _) => return Ok(Sort::Int),
        (_, Some(&[head, name, width])) if symbols(sexps, [head, name]) == ["_", "BitVec"] => {
            let width = number(sexps, width).filter(|width| (1..=MAX_WIDTH).contains(width));
            let message = || place.error(format!("a width from 1 to {MAX_WIDTH} is expected"));
            return Ok(Sort::BitVec(width.ok_or_else(message)?));
        }
        (_, Some(&[head, index, element])) if sexps.symbol(head) == Some("Array") => {
            let widths = (vector_width(sexps, index)?, vector_width(sexps, element)?);
            if let (Some(index), Some(element)) = widths {
                return Ok(Sort::Array { index, element });
            }
            return Err(place.error("arrays map bit-vectors to bit-vectors here"));
        }
        _ => {}
    }
    Err(place.error("this sort is not supported"))
}

/// The width of a bit-vector sort. It does not call [`sort`] for arrays, whose nesting is unbounded.
fn vector_width(sexps: &Sexps, id: SexpId) -> Result<Option<u32>, ParseError> {
    let first = sexps.list(id).and_then(|items| items.first());
    let is_vector = first.is_some_and(|&first| sexps.symbol(first) == Some("_"));
    if is_vector { sort(sexps, id).map(Sort::width) } else { Ok(None) }
}

fn symbols<const N: usize>(sexps: &Sexps, ids: [SexpId; N]) -> [&str; N] {
    ids.map(|id| sexps.symbol(id).unwrap_or_default())
}

/// A constant that is no name.
pub(super) fn literal(pool: &mut TermPool, sexps: &Sexps, id: SexpId) -> Result<Term, ParseError> {
    let place = sexps.place(id);
    let (value, width) = match sexps.get(id) {
        Sexp::Numeral(digits) => {
            let value: IBig = digits.parse().map_err(|_| place.error("a number is expected"))?;
            return Ok(pool.int(value));
        }
        Sexp::Binary(digits) => (UBig::from_str_radix(digits, 2).ok(), digits.len()),
        Sexp::Hexadecimal(digits) => (UBig::from_str_radix(digits, 16).ok(), digits.len().saturating_mul(4)),
        Sexp::List(items) => match **items {
            [_, name, width] => {
                let digits = sexps.symbol(name).and_then(|name| name.strip_prefix("bv"));
                let width = number(sexps, width).unwrap_or(0) as usize;
                (digits.and_then(|digits| digits.parse().ok()), width)
            }
            _ => (None, 0),
        },
        _ => (None, 0),
    };
    match value {
        Some(value) if (1..=MAX_WIDTH as usize).contains(&width) && value.bit_len() <= width => {
            Ok(pool.bv(value, width as u32))
        }
        _ => Err(place.error(format!("this is no constant of at most {MAX_WIDTH} bits"))),
    }
}

/// The head of an application that is a list.
pub(super) enum Head {
    Extract { high: u32, low: u32 },
    Indexed { name: String, index: u32 },
    ConstArray(Sort),
}

impl Head {
    /// `(_ extract 7 0)`, `(_ zero_extend 8)`, `(as const (Array …))` and the like.
    pub(super) fn read(sexps: &Sexps, id: SexpId) -> Result<Head, ParseError> {
        let unknown = || sexps.place(id).error("this operation is not supported");
        match sexps.list(id) {
            Some(&[head, name, high, low]) if symbols(sexps, [head, name]) == ["_", "extract"] => {
                let bits = number(sexps, high).zip(number(sexps, low));
                let (high, low) = bits.ok_or_else(unknown)?;
                Ok(Head::Extract { high, low })
            }
            Some(&[head, name, index]) if sexps.symbol(head) == Some("_") => {
                let indexed = sexps.symbol(name).zip(number(sexps, index));
                let (name, index) = indexed.ok_or_else(unknown)?;
                Ok(Head::Indexed { name: name.to_owned(), index })
            }
            Some(&[head, name, array]) if symbols(sexps, [head, name]) == ["as", "const"] => {
                Ok(Head::ConstArray(sort(sexps, array)?))
            }
            _ => Err(unknown()),
        }
    }
}

/// Applies an operation with indices.
pub(super) fn indexed(pool: &mut TermPool, head: &Head, arguments: &[Term]) -> Answer {
    let &[argument] = arguments else { return Err("one argument is expected".to_owned()) };
    let width = pool.sort(argument).width().ok_or("a bit-vector is expected")?;
    match head {
        Head::Extract { high, low } if low <= high && *high < width => {
            Ok(pool.bv_extract(argument, *high, *low))
        }
        Head::Extract { high, low } => Err(format!("bits {low} to {high} of {width} do not exist")),
        Head::ConstArray(Sort::Array { index, element }) if *element == width => {
            Ok(pool.const_array(*index, argument))
        }
        Head::ConstArray(_) => Err("the element does not fit the array".to_owned()),
        Head::Indexed { name, index } => match name.as_str() {
            "zero_extend" => Ok(pool.bv_zero_extend(argument, grown(width, *index)?)),
            "sign_extend" => Ok(pool.bv_sign_extend(argument, grown(width, *index)?)),
            "rotate_left" => Ok(pool.bv_rotate_left(argument, *index)),
            "rotate_right" => Ok(pool.bv_rotate_right(argument, *index)),
            "repeat" => repeat(pool, argument, *index),
            _ => Err(format!("the operation `{name}` is not supported")),
        },
    }
}

fn grown(width: u32, by: u32) -> Result<u32, String> {
    let grown = width.saturating_add(by);
    if grown <= MAX_WIDTH { Ok(grown) } else { Err(format!("more than {MAX_WIDTH} bits")) }
}

fn repeat(pool: &mut TermPool, argument: Term, count: u32) -> Answer {
    if count == 0 {
        return Err("nothing is repeated no times".to_owned());
    }
    grown(0, pool.width(argument).saturating_mul(count))?;
    Ok((1..count).fold(argument, |term, _| pool.bv_concat(argument, term)))
}

type Binary = fn(&mut TermPool, Term, Term) -> Term;

/// Operations that take two vectors of one width to a vector of that width; more arguments are
/// grouped to the left.
fn vector_operation(name: &str) -> Option<Binary> {
    Some(match name {
        "bvadd" => TermPool::bv_add,
        "bvsub" => TermPool::bv_sub,
        "bvmul" => TermPool::bv_mul,
        "bvudiv" => TermPool::bv_udiv,
        "bvurem" => TermPool::bv_urem,
        "bvsdiv" => TermPool::bv_sdiv,
        "bvsrem" => TermPool::bv_srem,
        "bvsmod" => TermPool::bv_smod,
        "bvshl" => TermPool::bv_shl,
        "bvlshr" => TermPool::bv_lshr,
        "bvashr" => TermPool::bv_ashr,
        "bvand" => TermPool::bv_and,
        "bvor" => TermPool::bv_or,
        "bvxor" => TermPool::bv_xor,
        "bvnand" => TermPool::bv_nand,
        "bvnor" => TermPool::bv_nor,
        "bvxnor" => TermPool::bv_xnor,
        "bvcomp" => TermPool::bv_comp,
        _ => return None,
    })
}

/// Operations that take two vectors of one width to a Boolean.
fn vector_claim(name: &str) -> Option<Binary> {
    Some(match name {
        "bvult" => TermPool::bv_ult,
        "bvule" => TermPool::bv_ule,
        "bvugt" => |pool, lhs, rhs| pool.bv_ult(rhs, lhs),
        "bvuge" => |pool, lhs, rhs| pool.bv_ule(rhs, lhs),
        "bvslt" => TermPool::bv_slt,
        "bvsle" => TermPool::bv_sle,
        "bvsgt" => |pool, lhs, rhs| pool.bv_slt(rhs, lhs),
        "bvsge" => |pool, lhs, rhs| pool.bv_sle(rhs, lhs),
        "bvuaddo" => |pool, lhs, rhs| pool.bv_add_overflows(lhs, rhs, false),
        "bvsaddo" => |pool, lhs, rhs| pool.bv_add_overflows(lhs, rhs, true),
        "bvusubo" => |pool, lhs, rhs| pool.bv_sub_overflows(lhs, rhs, false),
        "bvssubo" => |pool, lhs, rhs| pool.bv_sub_overflows(lhs, rhs, true),
        "bvumulo" => |pool, lhs, rhs| pool.bv_mul_overflows(lhs, rhs, false),
        "bvsmulo" => |pool, lhs, rhs| pool.bv_mul_overflows(lhs, rhs, true),
        "bvsdivo" => TermPool::bv_sdiv_overflows,
        _ => return None,
    })
}

const OTHERS: &[&str] = &[
    "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "bvnot", "bvneg", "bvnego", "concat", "select",
    "store", "+", "-", "*", "<=", "<", ">=", ">",
];

/// Whether the name belongs to an operation of a theory.
pub(super) fn is_known(name: &str) -> bool {
    OTHERS.contains(&name) || vector_operation(name).is_some() || vector_claim(name).is_some()
}

/// Applies an operation without indices.
pub(super) fn named(pool: &mut TermPool, name: &str, arguments: &[Term]) -> Answer {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| pool.sort(argument)).collect();
    let Some(&first) = sorts.first() else { return Err(format!("`{name}` needs arguments")) };
    let alike = sorts.iter().all(|&sort| sort == first);
    let wrong = || Err(format!("`{name}` does not take these arguments"));
    if let (Some(operation), Some(_)) = (vector_operation(name), first.width()) {
        let fits = alike && (arguments.len() == 2 || arguments.len() > 2 && name != "bvcomp");
        return if fits { Ok(left(pool, arguments, operation)) } else { wrong() };
    }
    if let (Some(claim), Some(_), [lhs, rhs]) = (vector_claim(name), first.width(), arguments) {
        return if alike { Ok(claim(pool, *lhs, *rhs)) } else { wrong() };
    }
    match (name, first, arguments) {
        ("=" | "distinct", ..) if alike && arguments.len() > 1 => equalities(pool, name, arguments),
        ("ite", Sort::Bool, &[condition, then, otherwise]) if sorts[1] == sorts[2] => {
            Ok(pool.ite(condition, then, otherwise))
        }
        (_, Sort::Bool, _) if alike => connective(pool, name, arguments),
        (_, Sort::Int, _) if alike => integer(pool, name, arguments),
        ("bvnot", Sort::BitVec(_), &[term]) => Ok(pool.bv_not(term)),
        ("bvneg", Sort::BitVec(_), &[term]) => Ok(pool.bv_neg(term)),
        ("bvnego", Sort::BitVec(_), &[term]) => Ok(pool.bv_neg_overflows(term)),
        ("concat", ..) if arguments.len() > 1 => concat(pool, &sorts, arguments),
        ("select", Sort::Array { index, .. }, &[array, at]) if sorts[1] == Sort::BitVec(index) => {
            Ok(pool.select(array, at))
        }
        ("store", Sort::Array { index, element }, &[array, at, value])
            if sorts[1..] == [Sort::BitVec(index), Sort::BitVec(element)] =>
        {
            Ok(pool.store(array, at, value))
        }
        _ if is_known(name) => wrong(),
        _ => Err(format!("`{name}` is not declared")),
    }
}

fn left(pool: &mut TermPool, arguments: &[Term], operation: Binary) -> Term {
    arguments[1..].iter().fold(arguments[0], |lhs, &rhs| operation(pool, lhs, rhs))
}

fn equalities(pool: &mut TermPool, name: &str, arguments: &[Term]) -> Answer {
    let mut parts = Vec::new();
    if name == "=" {
        for pair in arguments.windows(2) {
            parts.push(pool.eq(pair[0], pair[1]));
        }
        return Ok(pool.and(&parts));
    }
    if arguments.len() > MAX_DISTINCT {
        return Err(format!("`distinct` of more than {MAX_DISTINCT} terms is not supported"));
    }
    for (at, &lhs) in arguments.iter().enumerate() {
        for &rhs in &arguments[at + 1..] {
            parts.push(pool.ne(lhs, rhs));
        }
    }
    Ok(pool.and(&parts))
}

fn connective(pool: &mut TermPool, name: &str, arguments: &[Term]) -> Answer {
    match (name, arguments) {
        ("not", &[term]) => Ok(pool.not(term)),
        ("and", _) => Ok(pool.and(arguments)),
        ("or", _) => Ok(pool.or(arguments)),
        ("xor", [_, _, ..]) => Ok(left(pool, arguments, TermPool::ne)),
        ("=>", [premises @ .., conclusion]) if !premises.is_empty() => {
            Ok(premises.iter().rev().fold(*conclusion, |rhs, &lhs| pool.implies(lhs, rhs)))
        }
        _ if is_known(name) => Err(format!("`{name}` does not take these arguments")),
        _ => Err(format!("`{name}` is not declared")),
    }
}

fn concat(pool: &mut TermPool, sorts: &[Sort], arguments: &[Term]) -> Answer {
    let widths: Option<Vec<u32>> = sorts.iter().map(|sort| sort.width()).collect();
    let widths = widths.ok_or("`concat` takes bit-vectors")?;
    widths.iter().try_fold(0, |sum, &width| grown(sum, width))?;
    Ok(left(pool, arguments, TermPool::bv_concat))
}

fn integer(pool: &mut TermPool, name: &str, arguments: &[Term]) -> Answer {
    match (name, arguments) {
        ("+", _) => Ok(pool.int_add(arguments)),
        ("-", &[term]) => Ok(pool.int_scale(-1, term)),
        ("-", &[first, ref rest @ ..]) => {
            let mut summands = vec![first];
            for &term in rest {
                summands.push(pool.int_scale(-1, term));
            }
            Ok(pool.int_add(&summands))
        }
        ("*", _) => product(pool, arguments),
        ("<=" | "<" | ">=" | ">", [_, _, ..]) => {
            let mut parts = Vec::new();
            for pair in arguments.windows(2) {
                let (lhs, rhs) = (pair[0], pair[1]);
                parts.push(match name {
                    "<=" => pool.int_le(lhs, rhs),
                    ">=" => pool.int_le(rhs, lhs),
                    "<" => pool.int_lt(lhs, rhs),
                    _ => pool.int_lt(rhs, lhs),
                });
            }
            Ok(pool.and(&parts))
        }
        _ => Err(format!("`{name}` does not take integers here")),
    }
}

fn product(pool: &mut TermPool, arguments: &[Term]) -> Answer {
    let mut factor = IBig::ONE;
    let mut variable = None;
    for &argument in arguments {
        match pool.as_int(argument) {
            Some(value) => factor *= value,
            None if variable.is_none() => variable = Some(argument),
            None => return Err("only linear integer terms are supported".to_owned()),
        }
    }
    Ok(match variable {
        Some(variable) => pool.int_scale(factor, variable),
        None => pool.int(factor),
    })
}
