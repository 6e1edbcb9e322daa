//! What automatic checks ask of memory. Where a pointer cannot be followed, an access may be undefined in every way.

use std::collections::BTreeMap;

use rorqual_cfa::{ExprId, Fault, PlaceId, VariableKind};
use rorqual_logic::{Sort, Term};

use super::addresses::{Case, Kind, Pointee};
use super::machine::Machine;
use super::place::Access;
use super::state::ObjectId;

/// Chains of pointers are followed so far for what they keep from being lost.
const LONGEST_CHAIN: usize = 256;

impl Machine<'_> {
    /// Whether an access to a place may be undefined in a way.
    pub(super) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Term {
        let path = self.path(place);
        self.refuse_mixed(place, path);
        if let Some(slot) = path.slot() {
            let is_unset = match self.state.slots.get(slot) {
                Some(&Some(value)) => self.store.pool.not(value.set),
                _ => self.store.pool.top(),
            };
            let never = self.store.pool.bottom();
            return if fault == Fault::Uninitialized { is_unset } else { never };
        }
        let (cases, bytes) = (self.cases_of(path), self.bytes_of(path));
        let is_scalar = self.program.types.is_scalar(self.program.places[place].ty);
        let span = self.number(bytes);
        let is_rooted = match self.program.root_pointer(place) {
            Some(pointer) => self.truth(pointer),
            None => self.store.pool.top(),
        };
        let valid = self.is_valid(&cases, span, Access::Read);
        match fault {
            Fault::Uninitialized if !is_scalar => self.store.pool.bottom(),
            Fault::Uninitialized => {
                let set = self.read(&cases, bytes, false).set;
                let is_unset = self.store.pool.not(set);
                let open = self.is_unknown(&cases);
                let unset = self.store.pool.and2(valid, is_unset);
                self.store.pool.or2(unset, open)
            }
            Fault::Constant => self.is_constant(&cases, valid),
            Fault::Bounds | Fault::Life => {
                let bad = self.bad_access(&cases, span, fault);
                self.store.pool.and2(bad, is_rooted)
            }
        }
    }

    /// Whether an access to so many bytes behind a pointer may be undefined in a way.
    pub(super) fn faulty_block(&mut self, pointer: ExprId, length: ExprId, fault: Fault) -> Term {
        let (address, bytes) = (self.eval(pointer), self.index(length));
        let (cases, none) = (self.cases(address), self.number(0));
        let bad = if fault == Fault::Constant {
            let valid = self.is_valid(&cases, bytes, Access::Read);
            self.is_constant(&cases, valid)
        } else {
            let is_rooted = self.truth(pointer);
            let bad = self.bad_access(&cases, bytes, fault);
            self.store.pool.and2(bad, is_rooted)
        };
        let is_access = self.store.pool.ne(bytes, none);
        self.store.pool.and2(bad, is_access)
    }

    /// A Boolean that may be either if a pointer cannot be followed, and false otherwise.
    fn is_unknown(&mut self, cases: &[Case]) -> Term {
        let mut unknown = Vec::new();
        for &case in cases {
            let is_open = match case.pointee {
                Pointee::Unknown => true,
                Pointee::Object(object) => {
                    matches!(self.objects.get(object).kind, Kind::Outside)
                        || self.objects.get(object).size.is_none()
                }
                Pointee::Nothing => false,
            };
            if is_open {
                let choice = self.store.pool.fresh_symbol("fault", Sort::Bool);
                unknown.push(self.store.pool.and2(case.guard, choice));
            }
        }
        self.store.pool.or(&unknown)
    }

    /// Whether an access ends in an object that is over, or else beyond one. Null pointers are the business of another check.
    fn bad_access(&mut self, cases: &[Case], bytes: Term, fault: Fault) -> Term {
        let mut bad = vec![self.is_unknown(cases)];
        for &case in cases {
            let way = match case.pointee {
                Pointee::Nothing if fault == Fault::Bounds => case.guard,
                Pointee::Unknown | Pointee::Nothing => continue,
                Pointee::Object(object) => {
                    if matches!(self.objects.get(object).kind, Kind::Outside) {
                        continue;
                    }
                    let alive = self.is_alive(object);
                    let way = if fault == Fault::Life {
                        self.store.pool.not(alive)
                    } else {
                        let has_bytes =
                            !matches!(self.objects.get(object).kind, Kind::Function(_) | Kind::Label(..));
                        let has_bytes = self.store.pool.bool(has_bytes);
                        let inside = self.is_inside(object, case.offset, bytes);
                        let good = self.store.pool.and2(has_bytes, inside);
                        let beyond = self.store.pool.not(good);
                        self.store.pool.and2(alive, beyond)
                    };
                    self.store.pool.and2(case.guard, way)
                }
            };
            bad.push(way);
        }
        self.store.pool.or(&bad)
    }

    /// Whether what is accessed must not be written.
    fn is_constant(&mut self, cases: &[Case], valid: Term) -> Term {
        let mut bad = vec![];
        for &case in cases {
            let Pointee::Object(object) = case.pointee else { continue };
            let is_constant = match self.objects.get(object).kind {
                Kind::Text(_) => true,
                Kind::Variable(variable) => self.program.variables[variable].constant,
                _ => false,
            };
            if is_constant {
                bad.push(case.guard);
            }
        }
        let bad = self.store.pool.or(&bad);
        let bad = self.store.pool.and2(valid, bad);
        let open = self.is_unknown(cases);
        self.store.pool.or2(bad, open)
    }

    /// Whether a pointer may be one that must not be given to `free`.
    pub(super) fn bad_free(&mut self, pointer: ExprId) -> Term {
        let address = self.eval(pointer);
        let cases = self.cases(address);
        let good = self.can_be_freed(&cases);
        let is_unknown = self.is_unknown(&cases);
        let bad = self.store.pool.not(good);
        let mut is_open = self.store.pool.bottom();
        for case in cases.iter().filter(|case| case.pointee == Pointee::Unknown) {
            is_open = self.store.pool.or2(is_open, case.guard);
        }
        // Nobody knows of a pointer that cannot be followed.
        self.store.pool.ite(is_open, is_unknown, bad)
    }

    /// Whether there may be heap memory that nothing points to.
    pub(super) fn leaks(&mut self) -> Term {
        let heap: Vec<ObjectId> =
            self.objects.ids().filter(|&id| self.objects.get(id).kind == Kind::Heap).collect();
        let mut alive = BTreeMap::new();
        for object in heap {
            let life = self.is_alive(object);
            if self.store.pool.as_bool(life) != Some(false) {
                alive.insert(object, life);
            }
        }
        let bottom = self.store.pool.bottom();
        let mut found: BTreeMap<ObjectId, Term> = alive.keys().map(|&object| (object, bottom)).collect();
        let top = self.store.pool.top();
        for value in self.root_values() {
            self.find_behind(value, top, &mut found);
        }
        for _ in 0..LONGEST_CHAIN {
            let before = found.clone();
            for (&object, &condition) in &before {
                if self.store.pool.as_bool(condition) == Some(false) {
                    continue;
                }
                let condition = self.store.pool.and2(condition, alive[&object]);
                for value in self.pointers_in(object) {
                    self.find_behind(value, condition, &mut found);
                }
            }
            if found == before {
                break;
            }
        }
        let mut lost = Vec::new();
        for (object, life) in alive {
            let is_lost = self.store.pool.not(found[&object]);
            lost.push(self.store.pool.and2(life, is_lost));
        }
        self.store.pool.or(&lost)
    }

    /// The pointers in an object, if it is surely alive or found to be.
    fn pointers_in(&self, object: ObjectId) -> Vec<Term> {
        let bytes = u64::from(self.pointer_width / 8);
        self.state.object(object).map_or(Vec::new(), |object| object.content.values(Some(bytes)).collect())
    }

    /// What variables contain, but for temporaries, which keep nothing.
    fn root_values(&mut self) -> Vec<Term> {
        let mut values = Vec::new();
        let mut kept = vec![true; self.state.slots.len()];
        for frame in &self.frames {
            for (at, &variable) in frame.plan.slots.iter().enumerate() {
                kept[frame.slots + at] = self.program.variables[variable].kind != VariableKind::Temporary;
            }
        }
        for (slot, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            if let Some(&Some(value)) = self.state.slots.get(slot)
                && self.store.pool.sort(value.term) == Sort::BitVec(self.pointer_width)
            {
                values.push(value.term);
            }
        }
        for object in self.objects.ids() {
            let is_root = matches!(self.objects.get(object).kind, Kind::Variable(_) | Kind::Stack);
            let life = self.is_alive(object);
            if is_root && self.store.pool.as_bool(life) == Some(true) {
                values.extend(self.pointers_in(object));
            }
        }
        values
    }

    fn find_behind(&mut self, value: Term, condition: Term, found: &mut BTreeMap<ObjectId, Term>) {
        for &case in self.cases(value).iter() {
            if let Pointee::Object(object) = case.pointee
                && let Some(known) = found.get(&object).copied()
            {
                let way = self.store.pool.and2(condition, case.guard);
                found.insert(object, self.store.pool.or2(known, way));
            }
        }
    }
}
