//! Types and their declarations. Records have names by their numbers: tags may be shared, or missing.

use std::fmt::Write;

use rorqual_cfa::{FloatKind, Id, IntKind, RecordId, RecordKind, Type, TypeId};

use super::Writer;

impl Writer<'_> {
    /// The declaration of something with a type.
    pub(super) fn declaration(&self, ty: TypeId, name: &str) -> String {
        let types = &self.program.types;
        let spaced = |base: String| if name.is_empty() { base } else { format!("{base} {name}") };
        match types.get(ty) {
            Type::Void => spaced("void".to_owned()),
            Type::Int(kind) => spaced(int_name(*kind)),
            Type::Float(kind) => spaced(float_name(*kind).to_owned()),
            Type::Pointer(pointee) => match types.get(*pointee) {
                Type::Array { .. } | Type::Function { .. } => {
                    self.declaration(*pointee, &format!("(*{name})"))
                }
                _ => self.declaration(*pointee, &format!("*{name}")),
            },
            Type::Array { element, length } => {
                let length = length.map_or_else(String::new, |length| length.to_string());
                self.declaration(*element, &format!("{name}[{length}]"))
            }
            Type::Record(record) => spaced(self.record_name(*record)),
            Type::Function { result, parameters, variadic, prototyped } => {
                let mut all: Vec<String> = parameters.iter().map(|&one| self.declaration(one, "")).collect();
                all.extend(variadic.then(|| "...".to_owned()));
                if all.is_empty() && *prototyped {
                    all.push("void".to_owned());
                }
                self.declaration(*result, &format!("{name}({})", all.join(", ")))
            }
            Type::Opaque { size, align, .. } => {
                spaced(format!("struct {{ _Alignas({align}) char bytes[{size}]; }}"))
            }
        }
    }

    fn record_name(&self, record: RecordId) -> String {
        let kind = match self.program.types.record(record).kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        format!("{kind} record_{}", record.index())
    }

    /// The definitions of all records, each behind those that it contains.
    pub(super) fn records(&mut self) {
        let mut done = std::collections::BTreeSet::new();
        let all: Vec<RecordId> = self.program.types.records().map(|(id, _)| id).collect();
        for id in all {
            self.record(id, &mut done);
        }
    }

    fn record(&mut self, id: RecordId, done: &mut std::collections::BTreeSet<RecordId>) {
        let record = self.program.types.record(id);
        if !record.complete || !done.insert(id) {
            return;
        }
        for field in &record.fields {
            if let Some(inner) = self.contained(field.ty) {
                self.record(inner, done);
            }
        }
        let mut text = format!("{} {{\n", self.record_name(id));
        for (number, field) in record.fields.iter().enumerate() {
            let width = field.bits.map_or_else(String::new, |bits| format!(" : {}", bits.width));
            let _ = writeln!(text, "  {}{width};", self.declaration(field.ty, &format!("f{number}")));
        }
        let packed = if record.align == 1 { " __attribute__((packed))" } else { "" };
        let _ = writeln!(text, "}}{packed};");
        self.text.push_str(&text);
    }

    /// The record that a member is made of.
    fn contained(&self, ty: TypeId) -> Option<RecordId> {
        match self.program.types.get(ty) {
            Type::Record(record) => Some(*record),
            Type::Array { element, .. } => self.contained(*element),
            _ => None,
        }
    }

    /// The function that gives inputs of a type, and what it is declared to return.
    pub(super) fn input_function(&self, ty: TypeId) -> Option<(String, String)> {
        let (name, declared) = match self.program.types.get(ty) {
            Type::Int(kind) => {
                let name = match kind {
                    IntKind::Bool => "bool",
                    IntKind::Char | IntKind::SignedChar => "char",
                    IntKind::UnsignedChar => "uchar",
                    IntKind::Short => "short",
                    IntKind::UnsignedShort => "ushort",
                    IntKind::Int => "int",
                    IntKind::UnsignedInt => "uint",
                    IntKind::Long => "long",
                    IntKind::UnsignedLong => "ulong",
                    IntKind::LongLong => "longlong",
                    IntKind::UnsignedLongLong => "ulonglong",
                    IntKind::Int128 => "int128",
                    IntKind::UnsignedInt128 => "uint128",
                    IntKind::BitField { .. } => return None,
                };
                (name, int_name(if *kind == IntKind::SignedChar { IntKind::Char } else { *kind }))
            }
            Type::Float(FloatKind::Float) => ("float", "float".to_owned()),
            Type::Float(FloatKind::Double) => ("double", "double".to_owned()),
            Type::Pointer(_) => ("pointer", "void *".to_owned()),
            _ => return None,
        };
        Some((format!("__VERIFIER_nondet_{name}"), declared))
    }
}

fn int_name(kind: IntKind) -> String {
    match kind {
        // Computing in a wider type gives the same, as every result is cut where it is stored.
        IntKind::BitField { width, signed } => {
            let (wide, sign) =
                (if width > 64 { "__int128" } else { "long long" }, if signed { "" } else { "unsigned " });
            format!("{sign}{wide}")
        }
        kind => kind.name().into_owned(),
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Quad => "__float128",
    }
}
