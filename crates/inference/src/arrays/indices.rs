//! Index symbols: a formula that mentions one holds for every number in its place.
//!
//! Such formulas are proved like others, with the symbol as a number of which nothing is known, and used for the numbers
//! that index arrays nearby, as in Flanagan and Qadeer, *Predicate Abstraction for Software Verification*, POPL 2002, and
//! Lahiri and Bryant, *Predicate Abstraction with Indexed Predicates*, ACM TOCL 2007.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_logic::{Assignment, Bits, Op, Sort, Term, TermPool, Value};

/// The widths of indices in programs: of `int` and of addresses.
const WIDTHS: [u32; 2] = [32, 64];
/// At most 40 numbers are put in the place of an index symbol: instances of two symbols grow with the square. Not a field
/// of a budget, because engines use facts about indices without any.
const MOST_VALUES: usize = 40;

/// Two symbols that stand for any numbers of a width, if indices may have it.
pub fn symbols(pool: &mut TermPool, width: u32) -> Option<[Term; 2]> {
    let mut named = |name: &str| pool.symbol(&format!("{name}!{width}"), Sort::BitVec(width));
    WIDTHS.contains(&width).then(|| [named("k"), named("l")])
}

/// The symbol that stands for any number of a width, if indices may have it.
pub fn symbol(pool: &mut TermPool, width: u32) -> Option<Term> {
    symbols(pool, width).map(|[first, _]| first)
}

/// All index symbols.
pub fn all(pool: &mut TermPool) -> Vec<Term> {
    WIDTHS.iter().filter_map(|&width| symbols(pool, width)).flatten().collect()
}

/// The index symbols that a formula mentions.
pub fn in_formula(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let mentioned = pool.free_variables(formula);
    all(pool).into_iter().filter(|symbol| mentioned.contains(symbol)).collect()
}

/// Copies the values of the index symbols.
pub fn copy(pool: &mut TermPool, from: &Assignment, to: &mut Assignment) {
    for any in all(pool) {
        if let Op::Symbol(id) = *pool.op(any)
            && let Some(value) = from.get(id)
        {
            to.set(id, value.clone());
        }
    }
}

/// Gives an index symbol of a number's width that number as a value.
pub fn set(pool: &mut TermPool, assignment: &mut Assignment, which: usize, number: &Bits) {
    if let Some(any) = symbols(pool, number.width())
        && let Op::Symbol(id) = *pool.op(any[which])
    {
        assignment.set(id, Value::Bits(number.clone()));
    }
}

/// Numbers that index arrays in formulas.
#[derive(Debug, Default)]
pub struct Values {
    of_width: BTreeMap<u32, BTreeSet<Term>>,
}

impl Values {
    /// The indices of arrays in formulas, and the numbers that they are computed from.
    pub fn of(pool: &mut TermPool, formulas: &[Term]) -> Values {
        let mut values = Values::default();
        let indices: BTreeSet<Term> = indices(pool, formulas).into_iter().collect();
        for index in indices {
            let own = pool.width(index);
            for width in WIDTHS.into_iter().filter(|&width| width < own) {
                // The index may be a number of that width, extended.
                let number = pool.bv_extract(index, width - 1, 0);
                values.add(pool, number);
            }
            values.add(pool, index);
            for part in parts(pool, index) {
                values.add(pool, part);
            }
        }
        values
    }

    /// These, and those in more formulas, but for index symbols: formulas speak of them as they are.
    #[must_use]
    pub fn with(&self, pool: &mut TermPool, formulas: &[Term]) -> Values {
        let mut all = Values::of(pool, formulas);
        let symbols = self::all(pool);
        for numbers in all.of_width.values_mut() {
            numbers.retain(|number| !symbols.contains(number));
        }
        for &number in self.of_width.values().flatten() {
            all.add(pool, number);
        }
        all
    }

    fn add(&mut self, pool: &TermPool, number: Term) {
        let width = pool.width(number);
        if WIDTHS.contains(&width) {
            let known = self.of_width.entry(width).or_default();
            if known.len() < MOST_VALUES {
                known.insert(number);
            }
        }
    }

    /// What formulas with index symbols say about these numbers. Of formulas with two symbols, one may stay.
    pub fn instances(&self, pool: &mut TermPool, formulas: &[Term]) -> Vec<Term> {
        self.known_instances(pool, formulas, &mut Instances::default())
    }

    /// The same for somebody who asks again and again.
    pub(crate) fn known_instances(
        &self,
        pool: &mut TermPool,
        formulas: &[Term],
        known: &mut Instances,
    ) -> Vec<Term> {
        let mut instances = BTreeSet::new();
        for &formula in formulas {
            let mut open = vec![formula];
            for any in in_formula(pool, formula) {
                let mut replaced = Vec::new();
                for &value in self.of_width.get(&pool.width(any)).into_iter().flatten() {
                    replaced.extend(open.iter().map(|&formula| known.get(pool, formula, any, value)));
                }
                open.extend(replaced);
            }
            instances.extend(open.into_iter().filter(|&instance| pool.as_bool(instance) != Some(true)));
        }
        instances.into_iter().collect()
    }
}

/// Formulas with numbers in the place of index symbols, as far as they were made.
#[derive(Debug, Default)]
pub(crate) struct Instances(HashMap<(Term, Term, Term), Term>);

impl Instances {
    fn get(&mut self, pool: &mut TermPool, formula: Term, any: Term, value: Term) -> Term {
        let known = self.0.entry((formula, any, value));
        *known.or_insert_with(|| pool.substitute(formula, &HashMap::from([(any, value)])))
    }
}

/// The indices at which formulas read and write arrays.
pub fn indices(pool: &TermPool, formulas: &[Term]) -> Vec<Term> {
    let index = |term: Term| match pool.op(term) {
        Op::Select | Op::Store => Some(pool.arguments(term)[1]),
        _ => None,
    };
    pool.subterms(formulas).into_iter().filter_map(index).collect()
}

/// The numbers that an index is computed from, but for constants. What is read from an array has indices of its own.
pub fn parts(pool: &TermPool, index: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![index];
    while let Some(term) = open.pop() {
        if pool.sort(term).width().is_none() || pool.as_bits(term).is_some() || found.contains(&term) {
            continue;
        }
        found.push(term);
        if !matches!(pool.op(term), Op::Select) {
            open.extend_from_slice(pool.arguments(term));
        }
    }
    found
}
