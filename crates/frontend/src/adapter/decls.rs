//! Declarations: functions, variables, and their initialisers.

use rorqual_cfa::{BitRange, FunctionId, Type, Variable, VariableId, VariableKind};
use rorqual_source::Span;
use rucc_sema::{DeclFlags, DeclId, DeclKind, Definition, Emission, Linkage, Priority, StorageDuration};

use super::Adapter;
use crate::link::{self, Declaration, Strength};
use crate::typed::{ExprId, InitialValue, Initializer, Stmt, StmtId, StmtKind};

/// What a declaration of rucc's is for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    Function(FunctionId),
    Variable(VariableId),
}

impl Adapter<'_> {
    /// A declaration of file scope. What is only declared is entered when it is used, so that
    /// the many declarations of headers leave no trace.
    pub(super) fn top_level(&mut self, id: DeclId) {
        let decl = &self.checked.tast[id];
        if decl.state == Definition::Declared && decl.alias.is_none() {
            return;
        }
        let entity = self.entity(id);
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
        let name = match decl.asm_label {
            // The name that the linker sees: glibc redirects `sscanf` to `__isoc99_sscanf` so.
            Some(label) => String::from_utf8_lossy(&self.string_bytes(label)).into_owned(),
            None => decl.name.map_or_else(|| "<unnamed>".to_owned(), |name| self.name(name)),
        };
        let is_weak = decl.flags.contains(DeclFlags::WEAK)
            || decl.kind == DeclKind::Function && decl.inline == Emission::Inline;
        let strength = match decl.state {
            Definition::Declared => Strength::Declared,
            Definition::Tentative => Strength::Tentative,
            Definition::Defined if is_weak => Strength::Weak,
            Definition::Defined => Strength::Defined,
        };
        let ty = self.ty(decl.ty);
        let span = self.span(self.checked.tast.definition_span(id));
        let span = span.or(self.span(self.checked.tast.decl_span(id)));
        let align = u64::from(decl.alignment.unwrap_or(1)).max(self.program.types.align_of(ty));
        Declaration { name, ty, strength, span, align, noreturn: decl.flags.contains(DeclFlags::NORETURN) }
    }

    fn function(&mut self, id: DeclId) -> Entity {
        let decl = self.checked.tast[id].clone();
        let declared = self.declaration(id);
        let function = match decl.linkage {
            Linkage::External => self.linker.function(self.program, &declared).0,
            Linkage::Internal | Linkage::None => link::new_function(self.program, &declared),
        };
        let entity = Entity::Function(function);
        self.decls.insert(id, entity);
        entity
    }

    fn define_function(&mut self, id: DeclId, function: FunctionId) {
        let decl = self.checked.tast[id].clone();
        let declared = self.declaration(id);
        let is_chosen = self.program.functions[function].function.span == declared.span;
        if decl.alias.is_some() {
            let construct = format!("the alias `{}`", declared.name);
            let kind = StmtKind::Unsupported(construct);
            let body = self.program.stmts.push(Stmt { kind, span: declared.span });
            self.program.functions[function].body = Some(body);
            return;
        }
        let Some(body) = decl.body.filter(|_| is_chosen) else {
            return;
        };
        // The definition decides the type: `int f() { … }` takes no arguments.
        self.program.functions[function].function.ty = declared.ty;
        self.program.functions[function].constructor = decl.startup.before.map(|priority| match priority {
            Priority::Numbered(number) => u32::from(number),
            Priority::Unnumbered => u32::MAX,
        });
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
            prologue.extend(self.bind_lengths(self.checked.tast[parameter].ty));
        }
        self.program.functions[function].function.parameters = parameters;
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
        let (variable, is_chosen) = if decl.linkage == Linkage::External {
            self.linker.variable(self.program, &declared)
        } else {
            declared.strength = declared.strength.max(Strength::Tentative);
            (link::new_variable(self.program, &declared), true)
        };
        let entity = Entity::Variable(variable);
        // Entered before the initialiser is translated, because that may take its address.
        self.decls.insert(id, entity);
        if decl.linkage == Linkage::None {
            self.program.variables[variable].scope = self.scope;
            self.program.variables[variable].function = self.function;
        }
        if is_chosen && declared.strength > Strength::Declared {
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
            align,
            ..variable
        })
    }

    fn initial_value(&mut self, value: rucc_sema::ExprId) -> ExprId {
        let place = self.checked.tast.expr_span(value);
        if self.replaced.iter().any(|replaced| replaced.contains(place.lo)) {
            let (ty, span) = (self.ty(self.checked.tast[value].ty), self.span(place));
            return self.unsupported("an initialiser that replaces an earlier one", ty, span);
        }
        self.expr(value)
    }

    pub(super) fn initializer(&mut self, decl: &rucc_sema::Decl) -> Option<Initializer> {
        let entries = &self.checked.tast[decl.init?];
        let entries = entries.iter().map(|entry| {
            let start = entry.bit_offset;
            InitialValue {
                offset: entry.offset + u64::from(start / 8),
                bits: entry.is_bit_field().then_some(BitRange { start: start % 8, width: entry.bit_width }),
                value: self.initial_value(entry.value),
            }
        });
        Some(Initializer { entries: entries.collect() })
    }
}
