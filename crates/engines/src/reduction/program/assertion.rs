//! Asserting a summary: a program that calls one function with any arguments in any state, and checks what it ensures.

use rorqual_cfa::{
    Arena, CellNames, Draft, ExprId, ExprKind, Function, FunctionId, IntKind, Operation, Program, Type,
    VariableId,
};
use rorqual_logic::Term;
use rorqual_memory::Object;
use rorqual_source::Span;

use super::recursion::Recursion;
use super::rewrite::{Frame, Passed, Rewriter, unwound_functions};
use super::{Deepest, Instances, Reduced};

/// What is asserted of a function.
#[derive(Debug, Clone, Copy)]
pub struct Asserted<'s> {
    /// The function.
    pub function: FunctionId,
    /// How the calls inside are summarised; what the function requires is assumed where it starts.
    pub instances: Instances<'s>,
    /// What holds where it ends, over the names of its contract.
    pub claims: &'s [Term],
}

/// The program that starts with a call of a recursive function whose own calls are summarised. Its errors are those of
/// the function, requirements of calls that do not hold, and claims that fail.
pub fn asserted(program: &Program, recursion: &Recursion, asserted: Asserted<'_>) -> Reduced {
    let mut rewriter = Rewriter::new(program, recursion, 1, Deepest::Summarised(asserted.instances));
    unwound_functions(&mut rewriter);
    let start = rewriter.declare_start();
    rewriter.assert(start, asserted);
    rewriter.reduced.program.start = start;
    let mut reduced = rewriter.finish();
    // Nobody asks what holds there.
    reduced.pairs.clear();
    reduced
}

impl Rewriter<'_> {
    fn declare_start(&mut self) -> FunctionId {
        let types = &mut self.reduced.program.types;
        let result = types.intern(Type::Void);
        let ty = types.intern(Type::Function {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototyped: true,
        });
        self.reduced.program.functions.push(Function {
            name: "check_summary".to_owned(),
            ty,
            parameters: Vec::new(),
            labels: Arena::default(),
            body: None,
            noreturn: false,
            read_only: Vec::new(),
            is_foreign: false,
            span: Span::NONE,
        })
    }

    fn assert(&mut self, start: FunctionId, asserted: Asserted<'_>) {
        let Asserted { function, instances: Instances { summaries, .. }, claims } = asserted;
        let span = self.original.functions[function].span;
        let interface = self.recursion.interface(function).expect("it is recursive").clone();
        let mut frame = Frame::empty(start);
        let [entry, exit] = std::array::from_fn(|_| frame.builder.location());
        let mut at = self.any_globals(&mut frame, entry, span);
        let mut arguments: Vec<ExprId> = Vec::new();
        let mut symbols = self.globals();
        for &parameter in &interface.parameters {
            let ty = self.original.variables[parameter].ty;
            let argument = self.variable(start, &self.original.variables[parameter].name.clone(), ty);
            self.reduced.argument_inputs.push(self.inputs);
            self.reduced.arguments.push(argument);
            at = self.any_argument(&mut frame, at, (parameter, argument), span);
            let value = self.load(argument);
            arguments.push(value);
            if self.is_number(argument) {
                symbols.insert(CellNames::old(self.recursion.names().variable(parameter)), value);
            }
        }
        for &written in &interface.written {
            let value = self.load(written);
            at = self.keep(&mut frame, at, (written, value), &mut symbols, span);
        }
        for condition in self.condition(&summaries.pool, &summaries.of(function).requires, &symbols) {
            at = frame.step(at, Operation::Assume { condition, holds: true }, span);
        }
        let result = interface.result.map(|ty| self.variable(start, "result", ty));
        let target = result.map(|result| self.place(result));
        let (callee, after) = (self.copy(function, 1), frame.builder.location());
        frame.call(at, after, callee, Passed { target, arguments: &arguments, span });
        for &written in
            interface.written.iter().filter(|&&written| self.is_number(written)).collect::<Vec<_>>()
        {
            symbols.insert(self.recursion.names().variable(written).to_owned(), self.load(written));
        }
        if let Some(result) = result {
            symbols.insert(CellNames::result(self.original, function), self.load(result));
        }
        let claims = self.condition(&summaries.pool, claims, &symbols);
        let last = frame.demand(after, &claims, span);
        frame.builder.edge(last, exit, Operation::Return { value: None }, span);
        let (automaton, _) = frame.builder.finish(entry, exit, &[]);
        self.reduced.program.functions[start].body = Some(automaton);
    }

    /// Global variables, and those of callers that calls may write, have any value.
    fn any_globals(&mut self, frame: &mut Frame, mut at: Draft, span: Span) -> Draft {
        let all: Vec<VariableId> = {
            let ids = self.original.variables.iter();
            let wanted = ids.filter(|(id, variable)| {
                (variable.kind.is_global() && !variable.constant) || self.recursion.is_written(*id)
            });
            wanted.map(|(id, _)| id).collect()
        };
        self.inputs = all.len();
        for variable in all {
            // Callers are not active: what they lend lives here.
            let details = &mut self.reduced.program.variables[variable];
            if !details.kind.is_global() {
                details.function = Some(frame.function);
            }
            at = self.havoc(frame, at, variable, span);
        }
        at
    }

    /// Any value, and for pointers also the address of any variable that the parameter may point to.
    fn any_argument(
        &mut self,
        frame: &mut Frame,
        mut at: Draft,
        (parameter, argument): (VariableId, VariableId),
        span: Span,
    ) -> Draft {
        let after = frame.builder.location();
        for variable in self.pointed_variables(parameter) {
            let int = self.reduced.program.types.int(IntKind::Int);
            let choice = self.variable(frame.function, "choice", int);
            at = self.havoc(frame, at, choice, span);
            self.inputs += 1;
            let condition = self.load(choice);
            let chosen = frame.step(at, Operation::Assume { condition, holds: true }, span);
            let address = self.address(variable);
            let ty = self.reduced.program.variables[argument].ty;
            let value = self.reduced.program.add_expr(ExprKind::Convert(address), ty, span);
            let target = self.place(argument);
            frame.builder.edge(chosen, after, Operation::Assign { target, value }, span);
            at = frame.step(at, Operation::Assume { condition, holds: false }, span);
        }
        at = self.havoc(frame, at, argument, span);
        self.inputs += 1;
        frame.builder.jump(at, after, span);
        after
    }

    /// The variables, of the program or of callers, that a parameter may point to the start of.
    fn pointed_variables(&mut self, parameter: VariableId) -> Vec<VariableId> {
        let value = self.load(parameter);
        let targets = self.recursion.memory().targets(&self.reduced.program, value);
        let variables = targets.objects().into_iter().filter_map(|object| match object {
            Object::Variable(variable) => Some(variable),
            _ => None,
        });
        let is_seen =
            |&id: &VariableId| self.original.variables[id].kind.is_global() || self.recursion.is_written(id);
        variables.filter(is_seen).collect()
    }

    fn havoc(&mut self, frame: &mut Frame, at: Draft, variable: VariableId, span: Span) -> Draft {
        let (target, origin) = (self.place(variable), "any value".to_owned());
        frame.step(at, Operation::Havoc { target, origin }, span)
    }
}
