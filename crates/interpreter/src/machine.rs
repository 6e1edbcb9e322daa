//! The machine: frames, the loop over edges, and the way of an execution to its end.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use rorqual_cfa::{Automaton, EdgeId, FunctionId, Id, LocationId, Operation, PlaceId, Program, Type};
use rorqual_source::Span;
use rustc_apfloat::Round;

use crate::config::{Config, Console};
use crate::float::TO_NEAREST;
use crate::guide::{Guide, Hidden, InputSource};
use crate::inputs::InputQueue;
use crate::library::{self, Native, State};
use crate::memory::{Life, Memory};
use crate::outcome::{Cause, Execution, Guessed, Limit, Run, StackEntry, Stop};
use crate::recording::Recording;
use crate::storage::Layout;
use crate::value::{Argument, ObjectId, Scalar, Shape, Value, is_true};
use crate::varargs::Lists;

/// The flag for cancellation is looked at once in so many steps.
const STEPS_BETWEEN_CHECKS: u64 = 4096;

/// Where the result of a function goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ReturnTo {
    /// To a place of the caller, if it wants it.
    Caller(Option<PlaceId>),
    /// To the machine: the function was called by the run-time system.
    Machine,
}

/// An active function.
#[derive(Debug)]
pub(crate) struct Frame<'p> {
    pub(crate) function: FunctionId,
    /// Tells this activation of the function apart from all others.
    pub(crate) serial: u64,
    automaton: &'p Automaton,
    pub(crate) location: LocationId,
    /// The edge that is being taken; while a callee is active, its call.
    span: Span,
    pub(crate) first_slot: usize,
    first_object: usize,
    /// What [`Operation::StackAllocate`] made.
    pub(crate) stack_objects: Vec<ObjectId>,
    /// The arguments behind `...`.
    pub(crate) further_arguments: Option<Rc<[Argument]>>,
    return_to: ReturnTo,
}

/// A running program.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: &'p Config,
    pub(crate) console: &'p mut dyn Console,
    pub(crate) layout: Layout,
    pub(crate) memory: Memory<'p>,
    pub(crate) frames: Vec<Frame<'p>>,
    /// The slots of the global variables, then those of each frame. `None` is indeterminate.
    pub(crate) slots: Vec<Option<Scalar>>,
    /// The objects of variables in the same order, made when they are first used.
    pub(crate) objects: Vec<Option<ObjectId>>,
    pub(crate) first_slot: usize,
    pub(crate) first_object: usize,
    pub(crate) inputs: InputQueue<'p>,
    pub(crate) guide: Option<&'p mut dyn Guide>,
    /// What the guide keeps for uninitialised variables.
    pub(crate) hidden: Hidden,
    /// What pointers from outside point to, by the numbers that were given for them.
    pub(crate) given: HashMap<u64, ObjectId>,
    pub(crate) recording: Option<&'p mut Recording>,
    pub(crate) lists: Lists,
    /// The library functions that stand in for functions without body.
    pub(crate) natives: Vec<Option<Native>>,
    pub(crate) library: State,
    /// How floating-point operations round: what `fesetround` set last.
    pub(crate) rounding: Round,
    /// The first call whose result is not certain to be the one that the program gets elsewhere.
    pub(crate) guessed: Option<Guessed>,
    result: Value,
    steps: u64,
    current_step: u64,
    /// How many functions were entered.
    entered: u64,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, config: &'p Config, console: &'p mut dyn Console) -> Machine<'p> {
        let layout = Layout::new(program);
        let natives = program.functions.values().map(library::find).collect();
        Machine {
            program,
            config,
            console,
            memory: Memory::new(program, config.memory_limit),
            frames: Vec::new(),
            slots: vec![None; layout.globals.slots as usize],
            objects: vec![None; layout.globals.objects as usize],
            first_slot: 0,
            first_object: 0,
            inputs: InputQueue::new(&config.inputs),
            guide: None,
            hidden: Hidden::default(),
            given: HashMap::new(),
            recording: None,
            lists: Lists::default(),
            natives,
            library: State::new(program),
            rounding: TO_NEAREST,
            guessed: None,
            layout,
            result: Value::Indeterminate,
            steps: 0,
            current_step: 0,
            entered: 0,
        }
    }

    /// The same machine with inputs from a guide.
    pub(crate) fn guided(mut self, guide: Option<&'p mut dyn Guide>) -> Machine<'p> {
        if guide.is_some() {
            self.inputs.offer(Vec::new());
        }
        self.guide = guide;
        self
    }

    /// The same machine with inputs that are made up as it runs.
    pub(crate) fn drawing(mut self, source: Option<&'p mut dyn InputSource>) -> Machine<'p> {
        if let Some(source) = source {
            self.inputs.draw_from(source);
        }
        self
    }

    /// The same machine with its steps recorded.
    pub(crate) fn recorded(mut self, recording: Option<&'p mut Recording>) -> Machine<'p> {
        self.recording = recording;
        self
    }

    /// The number of the edge that is being chosen or taken.
    pub(crate) fn current_step(&self) -> u64 {
        self.current_step
    }

    /// Runs the program to its end.
    pub(crate) fn execute(mut self) -> Execution {
        let stop = match self.start() {
            Ok(status) => Stop::new(Cause::Finished(status)),
            Err(stop) => stop,
        };
        // What a guess leads to may not happen with the right result.
        let stop = match self.guessed.take() {
            Some(guessed) if stop.is_wrong() => guessed.into(),
            _ => stop,
        };
        let stack = self.stack(stop.span());
        Execution {
            outcome: stop.into_outcome(),
            stack,
            steps: self.steps,
            inputs: self.inputs.into_records(),
        }
    }

    fn start(&mut self) -> Run<i32> {
        let result = self.call_and_run(self.program.start, &mut Vec::new())?;
        Ok(match result {
            Value::Scalar(value) => value.int() as i32,
            _ => 0,
        })
    }

    fn stack(&self, end: Span) -> Vec<StackEntry> {
        let entry = |(depth, frame): (usize, &Frame<'_>)| StackEntry {
            function: self.program.functions[frame.function].name.clone(),
            span: if depth == 0 { end } else { frame.span },
        };
        self.frames.iter().rev().enumerate().map(entry).collect()
    }

    /// Calls a function and runs it to its return, on behalf of the run-time system.
    pub(crate) fn call_and_run(&mut self, function: FunctionId, arguments: &mut Vec<Argument>) -> Run<Value> {
        let depth = self.frames.len();
        self.call(function, arguments, ReturnTo::Machine)?;
        while self.frames.len() > depth {
            self.step()?;
        }
        Ok(std::mem::replace(&mut self.result, Value::Indeterminate))
    }

    /// Takes one edge.
    fn step(&mut self) -> Run<()> {
        let frame = self.frame();
        let (automaton, location) = (frame.automaton, frame.location);
        self.current_step = self.steps + 1;
        if let Some(recording) = &mut self.recording {
            recording.open();
        }
        let Some(id) = self.choose(automaton, location)? else {
            return self.finish_call(Value::Indeterminate, None);
        };
        let edge = &automaton.edges()[id];
        self.record_step(id, &edge.operation);
        let frame = self.frame_mut();
        frame.location = edge.target;
        frame.span = edge.span;
        self.check_limits().map_err(|stop| stop.at(edge.span))?;
        self.steps += 1;
        self.perform(&edge.operation, edge.span).map_err(|stop| stop.at(edge.span))
    }

    fn check_limits(&self) -> Run<()> {
        if self.config.step_limit.is_some_and(|limit| self.steps >= limit) {
            return Err(Limit::Steps.into());
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS)
            && let Some(flag) = &self.config.cancelled
            && flag.load(Ordering::Relaxed)
        {
            return Err(Stop::new(Cause::Cancelled));
        }
        Ok(())
    }

    /// The edge that is taken next: the only one, or the first whose assumption holds. `None`
    /// at the exit.
    fn choose(&mut self, automaton: &'p Automaton, location: LocationId) -> Run<Option<EdgeId>> {
        let mut outgoing = automaton.outgoing(location);
        let Some(first) = outgoing.next() else {
            if location == automaton.exit() {
                return Ok(None);
            }
            return Err(Stop::new(Cause::AssumptionFailed).at(self.frame().span));
        };
        let edge = &automaton.edges()[first];
        let Operation::Assume { condition, holds } = edge.operation else {
            return Ok(Some(first));
        };
        let mut known = (condition, self.truth(condition, edge.span)?);
        if known.1 == holds {
            return Ok(Some(first));
        }
        for id in outgoing {
            let next = &automaton.edges()[id];
            let Operation::Assume { condition, holds } = next.operation else {
                return Ok(Some(id));
            };
            if condition != known.0 {
                known = (condition, self.truth(condition, next.span)?);
            }
            if known.1 == holds {
                return Ok(Some(id));
            }
        }
        Err(Stop::new(Cause::AssumptionFailed).at(edge.span))
    }

    fn truth(&mut self, condition: rorqual_cfa::ExprId, span: Span) -> Run<bool> {
        // An input that the condition takes is consumed here.
        self.frame_mut().span = span;
        let value = self.eval(condition).map_err(|stop| stop.at(span))?;
        Ok(is_true(value, self.layout.expr(condition)))
    }

    pub(crate) fn frame(&self) -> &Frame<'p> {
        self.frames.last().expect("steps are taken only while a function is active")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("steps are taken only while a function is active")
    }

    /// The edge that is being taken.
    pub(crate) fn span(&self) -> Span {
        self.frames.last().map_or(Span::NONE, |frame| frame.span)
    }

    /// Makes a function with a body active. Its parameters are still to be set.
    pub(crate) fn push_frame(
        &mut self,
        function: FunctionId,
        automaton: &'p Automaton,
        return_to: ReturnTo,
    ) -> Run<()> {
        if self.frames.len() >= self.config.call_depth_limit {
            return Err(Limit::CallDepth.into());
        }
        let needs = self.layout.needs(function);
        self.first_slot = self.slots.len();
        self.first_object = self.objects.len();
        self.slots.resize(self.first_slot + needs.slots as usize, None);
        self.objects.resize(self.first_object + needs.objects as usize, None);
        self.entered += 1;
        self.frames.push(Frame {
            function,
            serial: self.entered,
            automaton,
            location: automaton.entry(),
            span: Span::NONE,
            first_slot: self.first_slot,
            first_object: self.first_object,
            stack_objects: Vec::new(),
            further_arguments: None,
            return_to,
        });
        Ok(())
    }

    /// Leaves the active function, whose variables die, with a result of type `ty`.
    pub(crate) fn finish_call(&mut self, value: Value, ty: Option<rorqual_cfa::TypeId>) -> Run<()> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        for index in frame.first_object..self.objects.len() {
            if let Some(object) = self.objects[index] {
                self.memory.kill(object, Life::Ended);
            }
        }
        for &object in &frame.stack_objects {
            self.memory.kill(object, Life::Ended);
        }
        self.slots.truncate(frame.first_slot);
        self.objects.truncate(frame.first_object);
        self.hidden.truncate(frame.first_slot, frame.first_object);
        (self.first_slot, self.first_object) =
            self.frames.last().map_or((0, 0), |frame| (frame.first_slot, frame.first_object));
        match frame.return_to {
            ReturnTo::Machine => {
                self.result = value;
                Ok(())
            }
            ReturnTo::Caller(None) => Ok(()),
            ReturnTo::Caller(Some(target)) => {
                let span = self.span();
                self.store_result(target, value, ty).map_err(|stop| stop.at(span))
            }
        }
    }

    /// The result type of a function.
    pub(crate) fn result_type(&self, function: FunctionId) -> Option<rorqual_cfa::TypeId> {
        match self.program.types.get(self.program.functions[function].ty) {
            Type::Function { result, .. } => Some(*result),
            _ => None,
        }
    }

    /// Keeps the result of a function that the run-time system called.
    pub(crate) fn set_result(&mut self, value: Value) {
        self.result = value;
    }

    /// The shape of a type that is not that of an expression or place.
    pub(crate) fn shape(&self, ty: rorqual_cfa::TypeId) -> Shape {
        Shape::of(&self.program.types, ty)
    }

    /// The number of a function among all functions.
    pub(crate) fn native(&self, function: FunctionId) -> Option<Native> {
        self.natives[function.index()]
    }
}
