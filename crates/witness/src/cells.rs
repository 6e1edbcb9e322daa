//! Scalars inside of variables, between the offsets that executions count and the paths that C writes.

use rorqual_cfa::{Field, Program, RecordKind, Type, TypeId, TypeTable, VariableId};

/// A scalar inside of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Where it starts, in bits from the start of the variable.
    pub(crate) bit_offset: u64,
    /// How many bits it has.
    pub(crate) width: u32,
}

/// The name of a variable in the source.
pub(crate) fn source_name(program: &Program, variable: VariableId) -> &str {
    let name = &program.variables[variable].name;
    name.split('#').next().unwrap_or(name)
}

/// How C writes the scalar of a variable that starts at a bit: `x`, `s.a`, `a[2].b`. `None` if no scalar
/// starts there.
pub(crate) fn lvalue(program: &Program, variable: VariableId, bit_offset: u64) -> Option<String> {
    let mut text = source_name(program, variable).to_owned();
    let path = path_at(&program.types, program.variables[variable].ty, bit_offset)?;
    text.push_str(&path);
    Some(text)
}

fn path_at(types: &TypeTable, ty: TypeId, bit: u64) -> Option<String> {
    match types.get(ty) {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => (bit == 0).then(String::new),
        Type::Array { element, length } => {
            let size = types.size_of(*element)?.checked_mul(8).filter(|&size| size > 0)?;
            let index = bit / size;
            (index < (*length)?).then_some(())?;
            Some(format!("[{index}]{}", path_at(types, *element, bit % size)?))
        }
        Type::Record(record) => {
            let record = types.record(*record);
            let holds = |field: &&Field| {
                let (start, width) = extent(types, field);
                start <= bit && bit - start < width
            };
            let candidates = record.fields.iter().filter(holds);
            // Of the members of a union that start here, the first one that has a scalar there.
            candidates.take(if record.kind == RecordKind::Union { usize::MAX } else { 1 }).find_map(|field| {
                let inner = bit - extent(types, field).0;
                let path = match field.bits {
                    Some(_) => (inner == 0).then(String::new)?,
                    None => path_at(types, field.ty, inner)?,
                };
                Some(field.name.as_ref().map_or(path.clone(), |name| format!(".{name}{path}")))
            })
        }
        Type::Void | Type::Function { .. } | Type::Opaque { .. } => None,
    }
}

/// Where a member starts and how many bits it has.
fn extent(types: &TypeTable, field: &Field) -> (u64, u64) {
    match field.bits {
        Some(bits) => (field.offset * 8 + u64::from(bits.start), u64::from(bits.width)),
        None => (field.offset * 8, types.size_of(field.ty).unwrap_or(0) * 8),
    }
}

/// The scalar that a path such as `.a[2].b` leads to from a value of type `ty`.
pub(crate) fn find(types: &TypeTable, ty: TypeId, path: &str) -> Option<Cell> {
    let path = path.trim();
    if path.is_empty() {
        let width = match types.get(ty) {
            Type::Int(_) | Type::Pointer(_) => types.width(ty),
            Type::Float(kind) => kind.value_bits(),
            _ => return None,
        };
        return Some(Cell { bit_offset: 0, width });
    }
    if let Some(rest) = path.strip_prefix('[') {
        let (index, rest) = rest.split_once(']')?;
        let Type::Array { element, length } = types.get(ty) else { return None };
        let index: u64 =
            index.trim().parse().ok().filter(|index| length.is_some_and(|length| *index < length))?;
        let size = types.size_of(*element)? * 8;
        let cell = find(types, *element, rest)?;
        return Some(Cell { bit_offset: cell.bit_offset + index * size, ..cell });
    }
    let rest = path.strip_prefix('.')?;
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    member(types, ty, rest[..end].trim(), &rest[end..])
}

/// Members of anonymous structures and unions are named as if they were members of the outer one.
fn member(types: &TypeTable, ty: TypeId, name: &str, rest: &str) -> Option<Cell> {
    let record = types.record(types.as_record(ty)?);
    record.fields.iter().find_map(|field| {
        let (start, width) = extent(types, field);
        let cell = match (&field.name, field.bits) {
            (Some(known), Some(_)) if known == name && rest.trim().is_empty() => {
                Cell { bit_offset: 0, width: width as u32 }
            }
            (Some(known), None) if known == name => find(types, field.ty, rest)?,
            (None, None) => member(types, field.ty, name, rest)?,
            _ => return None,
        };
        Some(Cell { bit_offset: start + cell.bit_offset, ..cell })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_offsets_agree() {
        let program = rorqual_testkit::program(
            "int main(void) { struct { char c; union { int u; short w[2]; }; struct { unsigned f : 3, g : 7; } b[2]; } s;
             s.c = 1; return 0; }",
        );
        let found = program.variables.iter().find(|(_, variable)| variable.name == "s");
        let (variable, declared) = found.expect("it is declared");
        for (path, bit_offset) in [(".c", 0), (".u", 32), (".b[0].f", 64), (".b[1].g", 99)] {
            let cell = find(&program.types, declared.ty, path).expect(path);
            assert_eq!(cell.bit_offset, bit_offset, "{path}");
            assert_eq!(lvalue(&program, variable, bit_offset), Some(format!("s{path}")));
        }
        assert_eq!(find(&program.types, declared.ty, ".w[1]").map(|cell| cell.bit_offset), Some(48));
        for path in ["", ".x", ".b[2].f", ".b", "[0]", ".c.d"] {
            assert_eq!(find(&program.types, declared.ty, path), None, "{path}");
        }
        assert_eq!(lvalue(&program, variable, 8), None, "padding");
    }
}
