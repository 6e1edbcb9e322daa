//! Declarations: functions, variables, and their initialisers.

use rorqual_cfa::{BitRange, FunctionId, Type, Variable, VariableId, VariableKind};
use rorqual_source::Span;
use rucc_sema::{DeclFlags, DeclId, DeclKind, Definition, Emission, Linkage, Priority, StorageDuration};
use rucc_types::{Qualifiers, TypeKind};

use super::Adapter;
use crate::link::{self, Alias, Declaration, Strength, Symbol};
use crate::options::Declarations;
use crate::typed::{ExprId, InitialValue, Initializer, Stmt, StmtId, StmtKind};

/// What a declaration of rucc's is for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    Function(FunctionId),
    Variable(VariableId),
}

impl Entity {
    fn symbol(self) -> Symbol {
        match self {
            Entity::Function(function) => Symbol::Function(function),
            Entity::Variable(variable) => Symbol::Variable(variable),
        }
    }
}

impl Adapter<'_> {
    /// A declaration of file scope. What is only declared is entered when it is used, unless all is wanted.
    pub(super) fn top_level(&mut self, id: DeclId) {
        let decl = &self.checked.tast[id];
        let is_kept = decl.kind == DeclKind::Function && self.linker.declarations == Declarations::All;
        if decl.state == Definition::Declared && decl.alias.is_none() && !is_kept {
            return;
        }
        let entity = self.entity(id);
        self.refuse_starting_section(id);
        if let Entity::Function(function) = entity {
            self.define_function(id, function);
        }
    }

    /// The function or variable that a declaration declares.
    pub(super) fn entity(&mut self, id: DeclId) -> Entity {
        if let Some(&known) = self.decls.get(&id) {
            return known;
        }
        match self.checked.tast[id].kind {
            DeclKind::Function => self.function(id),
            DeclKind::Object | DeclKind::Type => self.object(id),
        }
    }

    fn declaration(&mut self, id: DeclId) -> Declaration {
        let decl = self.checked.tast[id].clone();
        let name = self.symbol_name(id);
        let is_weak = decl.flags.contains(DeclFlags::WEAK)
            || decl.kind == DeclKind::Function && decl.inline == Emission::Inline;
        let strength = match decl.state {
            // An alias defines its name.
            Definition::Declared if decl.alias.is_some() && is_weak => Strength::Weak,
            Definition::Declared if decl.alias.is_some() => Strength::Defined,
            Definition::Declared => Strength::Declared,
            Definition::Tentative => Strength::Tentative,
            Definition::Defined if is_weak => Strength::Weak,
            Definition::Defined => Strength::Defined,
        };
        let ty = self.ty(decl.ty);
        let span = self.span(self.checked.tast.definition_span(id));
        let span = span.or(self.span(self.checked.tast.decl_span(id)));
        let align = u64::from(decl.alignment.unwrap_or(1)).max(self.program.types.align_of(ty));
        let noreturn = decl.flags.contains(DeclFlags::NORETURN);
        let read_only = self.read_only(decl.ty);
        let weak = decl.flags.contains(DeclFlags::WEAK) || decl.flags.contains(DeclFlags::WEAKREF);
        Declaration { name, ty, strength, span, align, noreturn, read_only, weak }
    }

    /// The parameters of a function type that are pointers to `const`.
    fn read_only(&self, ty: rucc_types::TypeId) -> Vec<usize> {
        let types = &self.checked.types;
        let TypeKind::Function(function) = types.kind(types.canonical(ty)) else { return Vec::new() };
        let is_read_only = |parameter: rucc_types::TypeId| match types.kind(types.canonical(parameter)) {
            TypeKind::Pointer(pointee) => types.quals(types.canonical(pointee)).has(Qualifiers::CONST),
            _ => false,
        };
        let parameters = types.signature(function).params.iter().enumerate();
        parameters.filter(|(_, parameter)| is_read_only(**parameter)).map(|(position, _)| position).collect()
    }

    /// The name that the linker sees: glibc redirects `sscanf` to `__isoc99_sscanf` so.
    pub(super) fn symbol_name(&self, id: DeclId) -> String {
        let decl = &self.checked.tast[id];
        match decl.asm_label {
            Some(label) => String::from_utf8_lossy(&self.string_bytes(label)).into_owned(),
            None => decl.name.map_or_else(|| "<unnamed>".to_owned(), |name| self.name(name)),
        }
    }

    /// The linkage of the symbol that a name stands for; the name itself may be `static` all the same.
    fn linkage(decl: &rucc_sema::Decl) -> Linkage {
        if decl.flags.contains(DeclFlags::WEAKREF) { Linkage::External } else { decl.linkage }
    }

    /// The other declaration of this file whose `static` symbol a declaration with an assembler name means.
    fn internal_target(&self, id: DeclId) -> Option<DeclId> {
        let decl = &self.checked.tast[id];
        if Self::linkage(decl) != Linkage::External || decl.state != Definition::Declared {
            return None;
        }
        let target = *self.internal_symbols.get(&self.symbol_name(id))?;
        (target != id).then_some(target)
    }

    /// Notes that a name means what another declaration of this file declares.
    fn alias(&mut self, name: Entity, target: DeclId) {
        let means = self.entity(target).symbol();
        self.program.aliases.push(Alias { name: name.symbol(), means });
    }

    /// Makes an alias mean its target, once all of the file is known.
    pub(super) fn resolve_alias(&mut self, id: DeclId) {
        if self.checked.tast[id].alias.is_none() {
            return;
        }
        let (decl, declared) = (self.checked.tast[id].clone(), self.declaration(id));
        let (Some(target), entity) = (decl.alias, self.entity(id)) else { return };
        if !self.is_chosen(entity, &declared) {
            return;
        }
        let target = String::from_utf8_lossy(&self.string_bytes(target)).into_owned();
        let is_target = |&other: &DeclId| other != id && self.symbol_name(other) == target;
        let found = self.checked.tast.top_level().iter().copied().find(is_target);
        match (found, entity) {
            (Some(found), _) if !self.checked.tast.is_ifunc(id) && self.same_kind(found, entity) => {
                self.alias(entity, found);
            }
            (_, Entity::Function(function)) => {
                let construct = format!("the alias `{}`", declared.name);
                self.refused_function(function, construct, declared.span);
            }
            (_, Entity::Variable(variable)) => {
                self.program.refused.insert(variable, format!("the alias `{}`", declared.name));
            }
        }
    }

    fn same_kind(&self, decl: DeclId, entity: Entity) -> bool {
        let is_function = self.checked.tast[decl].kind == DeclKind::Function;
        is_function == matches!(entity, Entity::Function(_))
    }

    /// Whether the declaration is the one of its name that counts.
    fn is_chosen(&self, entity: Entity, declared: &Declaration) -> bool {
        let span = match entity {
            Entity::Function(function) => self.program.functions[function].function.span,
            Entity::Variable(variable) => self.program.variables[variable].span,
        };
        span == declared.span
    }

    /// A function whose calls are not supported.
    pub(super) fn refused_function(&mut self, function: FunctionId, construct: String, span: Span) {
        let body = self.program.stmts.push(Stmt { kind: StmtKind::Unsupported(construct), span });
        self.program.functions[function].body = Some(body);
    }

    fn function(&mut self, id: DeclId) -> Entity {
        let decl = self.checked.tast[id].clone();
        let declared = self.declaration(id);
        let internal = self.internal_target(id);
        let function = match Self::linkage(&decl) {
            Linkage::External if internal.is_some() => link::new_function(self.program, &declared),
            Linkage::External => self.linker.function(self.program, &declared).0,
            Linkage::Internal | Linkage::None => link::new_function(self.program, &declared),
        };
        let entity = Entity::Function(function);
        self.decls.insert(id, entity);
        if let Some(target) = internal {
            self.alias(entity, target);
        }
        entity
    }

    pub(super) fn define_function(&mut self, id: DeclId, function: FunctionId) {
        let decl = self.checked.tast[id].clone();
        let declared = self.declaration(id);
        let is_chosen = self.is_chosen(Entity::Function(function), &declared);
        let Some(body) = decl.body.filter(|_| is_chosen) else {
            return;
        };
        // The definition decides the type: `int f() { … }` takes no arguments.
        self.program.functions[function].function.ty = declared.ty;
        self.program.functions[function].constructor = decl.startup.before.map(priority);
        self.program.functions[function].destructor = decl.startup.after.map(priority);
        self.function = Some(function);
        self.scope = self.span(self.checked.tast.stmt_span(body));
        self.labels.clear();
        let mut parameters = Vec::new();
        let mut prologue = Vec::new();
        for (position, &parameter) in self.checked.tast[decl.params].iter().enumerate() {
            let variable = self.local(parameter, VariableKind::Parameter);
            self.decls.insert(parameter, Entity::Variable(variable));
            match self.promoted_parameter(function, position, variable) {
                Some((promoted, conversion)) => {
                    parameters.push(promoted);
                    prologue.push(conversion);
                }
                None => parameters.push(variable),
            }
        }
        self.program.functions[function].function.parameters = parameters;
        prologue.extend(self.parameter_lengths(decl.params));
        let mut body = self.stmt(body);
        if !prologue.is_empty() {
            let span = self.program.stmts[body].span;
            prologue.push(body);
            body = self.program.stmts.push(Stmt { kind: StmtKind::Block(prologue), span });
        }
        self.program.functions[function].body = Some(body);
        self.function = None;
        self.scope = Span::NONE;
    }

    /// Evaluates the lengths in the types of parameters: first those that the types keep, and then, as gcc does, those of
    /// arrays that have become pointers.
    fn parameter_lengths(&mut self, parameters: rucc_sema::DeclList) -> Vec<StmtId> {
        let parameters = &self.checked.tast[parameters];
        let kept = parameters.iter().map(|&parameter| self.checked.tast[parameter].ty);
        let written = parameters.iter().filter_map(|&parameter| self.checked.tast.adjusted_from(parameter));
        let types: Vec<_> = kept.chain(written).collect();
        types.into_iter().flat_map(|ty| self.bind_lengths(ty)).collect()
    }

    /// A parameter of an old-style definition is passed promoted and converted on entry: the
    /// hidden parameter, and the statement that converts.
    fn promoted_parameter(
        &mut self,
        function: FunctionId,
        position: usize,
        variable: VariableId,
    ) -> Option<(VariableId, StmtId)> {
        let ty = self.program.functions[function].function.ty;
        let Type::Function { parameters, .. } = self.program.types.get(ty) else { return None };
        let passed = *parameters.get(position)?;
        let Variable { ty, span, .. } = self.program.variables[variable];
        if passed == ty || !self.program.types.is_scalar(passed) || !self.program.types.is_scalar(ty) {
            return None;
        }
        self.program.variables[variable].kind = VariableKind::Local;
        let promoted = self.hidden_variable("promoted", passed, VariableKind::Parameter, span);
        let value = self.load_variable(promoted);
        let value = self.convert(value, ty);
        let initializer = Initializer { entries: vec![InitialValue { offset: 0, bits: None, value }] };
        let kind = StmtKind::Declare { variable, initializer: Some(initializer) };
        Some((promoted, self.program.stmts.push(Stmt { kind, span })))
    }

    fn object(&mut self, id: DeclId) -> Entity {
        let decl = self.checked.tast[id].clone();
        let is_static = decl.duration != StorageDuration::Automatic;
        if !is_static {
            let variable = self.local(id, VariableKind::Local);
            self.decls.insert(id, Entity::Variable(variable));
            return Entity::Variable(variable);
        }
        let mut declared = self.declaration(id);
        let internal = self.internal_target(id);
        let (variable, is_chosen) = if internal.is_some() {
            (link::new_variable(self.program, &declared), false)
        } else if Self::linkage(&decl) == Linkage::External {
            self.linker.variable(self.program, &declared)
        } else {
            declared.strength = declared.strength.max(Strength::Tentative);
            (link::new_variable(self.program, &declared), true)
        };
        self.program.variables[variable].constant |= self.is_constant(decl.ty);
        let entity = Entity::Variable(variable);
        // Entered before the initialiser is translated, because that may take its address.
        self.decls.insert(id, entity);
        if let Some(target) = internal {
            self.alias(entity, target);
        }
        if decl.linkage == Linkage::None {
            self.program.variables[variable].scope = self.scope;
            self.program.variables[variable].function = self.function;
        }
        if is_chosen && declared.strength > Strength::Declared && decl.alias.is_none() {
            let size = self.program.types.size_of(declared.ty).unwrap_or(0);
            let extent = self.checked.tast.extent(id);
            if extent > 0 {
                self.program.variables[variable].size = Some(size.max(extent));
            }
            let initializer = self.initializer(&decl);
            self.program.static_initializers.retain(|(other, _)| *other != variable);
            self.program.static_initializers.push((variable, initializer.unwrap_or_default()));
        }
        entity
    }

    /// A new parameter or variable of a block.
    pub(super) fn local(&mut self, id: DeclId, kind: VariableKind) -> VariableId {
        let decl = self.checked.tast[id].clone();
        let ty = self.ty(decl.ty);
        let span = self.span(self.checked.tast.decl_span(id));
        let align = u64::from(decl.alignment.unwrap_or(1)).max(self.program.types.align_of(ty));
        let name = decl.name.map_or_else(|| "<unnamed>".to_owned(), |name| self.name(name));
        let variable = Variable::new(name, ty, kind, &self.program.types, span);
        self.program.variables.push(Variable {
            function: self.function,
            scope: self.scope,
            constant: self.is_constant(decl.ty),
            align,
            ..variable
        })
    }

    /// Whether objects of a type must not be written, as a whole.
    fn is_constant(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.checked.types;
        types.object_quals(types.canonical(ty)).has(rucc_types::Qualifiers::CONST)
    }

    fn initial_value(&mut self, value: rucc_sema::ExprId, is_reverse: bool) -> ExprId {
        let place = self.checked.tast.expr_span(value);
        if is_reverse {
            let (ty, span) = (self.ty(self.checked.tast[value].ty), self.span(place));
            return self.unsupported("an initialiser in the other order of bytes", ty, span);
        }
        let ty = self.ty(self.checked.tast[value].ty);
        let is_in = |spans: &[rucc_diag::Span]| spans.iter().any(|span| span.contains(place.lo));
        let is_aggregate = !self.program.types.is_scalar(ty);
        let findings = &self.unit.findings;
        if is_in(&findings.replaced) || is_aggregate && is_in(&findings.replaced_by_aggregates) {
            let span = self.span(place);
            return self.unsupported("an initialiser that replaces an earlier one", ty, span);
        }
        self.expr(value)
    }

    pub(super) fn initializer(&mut self, decl: &rucc_sema::Decl) -> Option<Initializer> {
        let entries = &self.checked.tast[decl.init?];
        let is_reverse = self.has_reverse_order(decl.ty);
        let entries = entries.iter().map(|entry| {
            let start = entry.bit_offset;
            InitialValue {
                offset: entry.offset + u64::from(start / 8),
                bits: entry.is_bit_field().then_some(BitRange { start: start % 8, width: entry.bit_width }),
                value: self.initial_value(entry.value, is_reverse),
            }
        });
        Some(Initializer { entries: entries.collect() })
    }
}

/// Smaller numbers run first before `main` and last after it; those without a number are the closest to it.
fn priority(priority: Priority) -> u32 {
    match priority {
        Priority::Numbered(number) => u32::from(number),
        Priority::Unnumbered => u32::MAX,
    }
}
