//! Parsing of scripts and terms: the second half, from S-expressions to commands and terms.
//!
//! Quantifiers (but for one in front of a formula, [`parse_closed`]), sorts other than those of [`Sort`], nonlinear
//! integers and recursive definitions are reported as errors. Every error has its place; no text makes the parser panic, and no nesting is
//! too deep, because the walk over a term keeps its own stack.

use std::collections::HashMap;
use std::fmt;

use crate::pool::{Term, TermPool};
use crate::smtlib::name::{Meaning, decode};
use crate::smtlib::operation::{self, Head};
use crate::smtlib::sexp::{Place, SexpId, Sexps};
use crate::sort::Sort;

/// The widest bit-vector that is read: wider ones are mistakes, and would take all memory.
pub(super) const MAX_WIDTH: u32 = 1 << 16;

/// Why and where a text is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A command that concerns the assertions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `assert`
    Assert(Term),
    /// `check-sat`
    CheckSat,
    /// `push`, with the number of levels.
    Push(u32),
    /// `pop`, with the number of levels.
    Pop(u32),
}

/// A script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The argument of `set-logic`.
    pub logic: Option<String>,
    /// The commands that concern the assertions, in order.
    pub commands: Vec<Command>,
}

impl Script {
    /// All assertions, whether popped later or not.
    pub fn assertions(&self) -> Vec<Term> {
        let assertion = |command: &Command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        };
        self.commands.iter().filter_map(assertion).collect()
    }

    /// The assertions that are live at each `check-sat`.
    pub fn queries(&self) -> Vec<Vec<Term>> {
        let mut levels = vec![Vec::new()];
        let mut queries = Vec::new();
        for command in &self.commands {
            match command {
                Command::Assert(term) => levels.last_mut().expect("the lowest level stays").push(*term),
                Command::CheckSat => queries.push(levels.concat()),
                Command::Push(count) => levels.extend((0..*count).map(|_| Vec::new())),
                Command::Pop(count) => levels.truncate(levels.len().saturating_sub(*count as usize).max(1)),
            }
        }
        queries
    }
}

/// Reads a script. Its declarations become symbols and functions of the pool.
pub fn parse_script(pool: &mut TermPool, text: &str) -> Result<Script, ParseError> {
    let (sexps, commands) = Sexps::read(text)?;
    let mut parser = Parser::new(pool, &sexps);
    let mut script = Script::default();
    for command in commands {
        if parser.command(command, &mut script)? == Flow::Stop {
            break;
        }
    }
    Ok(script)
}

/// Reads one term over the symbols and functions that the pool has already.
pub fn parse_term(pool: &mut TermPool, text: &str) -> Result<Term, ParseError> {
    let (sexps, terms) = Sexps::read(text)?;
    let term = only(&sexps, &terms)?;
    Parser::new(pool, &sexps).term(term)
}

/// Reads one term that may be `(forall ((x S)…) body)`: the bound variables, as fresh symbols, and the body.
pub fn parse_closed(pool: &mut TermPool, text: &str) -> Result<(Vec<Term>, Term), ParseError> {
    let (sexps, terms) = Sexps::read(text)?;
    let term = only(&sexps, &terms)?;
    Parser::new(pool, &sexps).closed(term)
}

fn only(sexps: &Sexps, terms: &[SexpId]) -> Result<SexpId, ParseError> {
    match *terms {
        [term] => Ok(term),
        [] => Err(Place { line: 1, column: 1 }.error("a term is missing")),
        [_, second, ..] => Err(sexps.place(second).error("only one term is expected")),
    }
}

#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Stop,
}

/// A `define-fun`: the body over symbols that stand for the parameters.
#[derive(Clone)]
struct Definition {
    parameters: Vec<Term>,
    body: Term,
}

struct Parser<'a> {
    pool: &'a mut TermPool,
    sexps: &'a Sexps,
    definitions: HashMap<String, Definition>,
    /// The terms a name is bound to by `let`, the innermost last.
    bound: HashMap<String, Vec<Term>>,
}

/// What is left to do for a term.
enum Task {
    Term(SexpId),
    /// Apply the head of this list to the latest values.
    Apply(SexpId),
    /// Bind the names of this `let` to the latest values.
    Bind(SexpId),
    Unbind(SexpId),
}

impl<'a> Parser<'a> {
    fn new(pool: &'a mut TermPool, sexps: &'a Sexps) -> Parser<'a> {
        Parser { pool, sexps, definitions: HashMap::new(), bound: HashMap::new() }
    }

    fn command(&mut self, id: SexpId, script: &mut Script) -> Result<Flow, ParseError> {
        let sexps = self.sexps;
        let place = sexps.place(id);
        let items = sexps.list(id).ok_or_else(|| place.error("a command is expected"))?;
        let name = items.first().and_then(|&first| sexps.symbol(first));
        let name = name.ok_or_else(|| place.error("a command is expected"))?;
        match (name, &items[1..]) {
            ("set-logic", &[logic]) => {
                let logic = sexps.symbol(logic).ok_or_else(|| place.error("a logic is expected"))?;
                script.logic = Some(logic.to_owned());
            }
            ("declare-fun", &[name, parameters, result]) => self.declare(name, Some(parameters), result)?,
            ("declare-const", &[name, result]) => self.declare(name, None, result)?,
            ("define-fun", &[name, parameters, result, body]) => {
                self.define(name, Some(parameters), result, body)?;
            }
            ("define-const", &[name, result, body]) => self.define(name, None, result, body)?,
            ("assert", &[formula]) => {
                let term = self.term(formula)?;
                if self.pool.sort(term) != Sort::Bool {
                    return Err(sexps.place(formula).error("an assertion is Boolean"));
                }
                script.commands.push(Command::Assert(term));
            }
            ("check-sat", []) => script.commands.push(Command::CheckSat),
            ("push", levels) => script.commands.push(Command::Push(self.levels(levels, place)?)),
            ("pop", levels) => script.commands.push(Command::Pop(self.levels(levels, place)?)),
            ("exit", []) => return Ok(Flow::Stop),
            (
                "set-info" | "set-option" | "get-model" | "get-info" | "get-unsat-core" | "get-value"
                | "echo",
                _,
            ) => {}
            (name, _) => return Err(place.error(format!("`{name}` with these arguments is not supported"))),
        }
        Ok(Flow::Continue)
    }

    fn levels(&self, arguments: &[SexpId], place: Place) -> Result<u32, ParseError> {
        match arguments {
            [] => Ok(1),
            // More levels than this are a mistake, and would take all memory.
            &[count] => match operation::number(self.sexps, count) {
                Some(count) if count <= 1 << 16 => Ok(count),
                _ => Err(place.error("a number of levels is expected")),
            },
            _ => Err(place.error("one number of levels is expected")),
        }
    }

    fn declare(
        &mut self,
        name: SexpId,
        parameters: Option<SexpId>,
        result: SexpId,
    ) -> Result<(), ParseError> {
        let place = self.sexps.place(name);
        let text = self.sexps.symbol(name).ok_or_else(|| place.error("a name is expected"))?;
        let result = operation::sort(self.sexps, result)?;
        let mut sorts = Vec::new();
        if let Some(parameters) = parameters {
            let list = self.sexps.list(parameters);
            let list =
                list.ok_or_else(|| self.sexps.place(parameters).error("a list of sorts is expected"))?;
            for &parameter in list {
                sorts.push(operation::sort(self.sexps, parameter)?);
            }
        }
        let conflict = || place.error(format!("`{text}` is declared with another sort"));
        let (name, is_function) = match decode(text) {
            Meaning::Plain(name) => (name, !sorts.is_empty()),
            Meaning::Function(name) => (name, true),
        };
        if is_function {
            if let Some(known) = self.pool.find_function(&name) {
                let (_, parameters, known_result) = self.pool.signature(known);
                if parameters != sorts || known_result != result {
                    return Err(conflict());
                }
            }
            self.pool.function(&name, &sorts, result);
            return Ok(());
        }
        if let Some(known) = self.pool.find_symbol(&name)
            && self.pool.sort(known) != result
        {
            return Err(conflict());
        }
        self.pool.symbol(&name, result);
        Ok(())
    }

    fn define(
        &mut self,
        name: SexpId,
        parameters: Option<SexpId>,
        result: SexpId,
        body: SexpId,
    ) -> Result<(), ParseError> {
        let sexps = self.sexps;
        let place = sexps.place(name);
        let name = sexps.symbol(name).ok_or_else(|| place.error("a name is expected"))?;
        let result = operation::sort(sexps, result)?;
        let (symbols, term) =
            self.scoped(parameters.and_then(|parameters| sexps.list(parameters)).unwrap_or(&[]), body)?;
        if self.pool.sort(term) != result {
            return Err(sexps.place(body).error("the body has another sort"));
        }
        self.definitions.insert(name.to_owned(), Definition { parameters: symbols, body: term });
        Ok(())
    }

    /// A body with names for fresh symbols, each with its sort: the symbols and the body.
    fn scoped(&mut self, parameters: &[SexpId], body: SexpId) -> Result<(Vec<Term>, Term), ParseError> {
        let sexps = self.sexps;
        let mut names = Vec::new();
        let mut symbols = Vec::new();
        for &parameter in parameters {
            let place = sexps.place(parameter);
            let Some(&[parameter, sort]) = sexps.list(parameter) else {
                return Err(place.error("a parameter and its sort are expected"));
            };
            let parameter = sexps.symbol(parameter).ok_or_else(|| place.error("a name is expected"))?;
            let sort = operation::sort(sexps, sort)?;
            // What `!` starts was added to a name to make it fresh before.
            let hint = parameter.split('!').next().unwrap_or(parameter);
            let symbol = self.pool.fresh_symbol(hint, sort);
            self.bound.entry(parameter.to_owned()).or_default().push(symbol);
            names.push(parameter);
            symbols.push(symbol);
        }
        let term = self.term(body)?;
        for name in names {
            self.bound.entry(name.to_owned()).or_default().pop();
        }
        Ok((symbols, term))
    }

    /// A term with a quantifier in front, or without.
    fn closed(&mut self, id: SexpId) -> Result<(Vec<Term>, Term), ParseError> {
        let sexps = self.sexps;
        match sexps.list(id) {
            Some(&[forall, parameters, body]) if sexps.symbol(forall) == Some("forall") => {
                let list = sexps.list(parameters).filter(|list| !list.is_empty());
                let place = sexps.place(parameters);
                let list =
                    list.ok_or_else(|| place.error("bound variables with their sorts are expected"))?;
                self.scoped(list, body)
            }
            _ => Ok((Vec::new(), self.term(id)?)),
        }
    }

    fn term(&mut self, root: SexpId) -> Result<Term, ParseError> {
        let mut tasks = vec![Task::Term(root)];
        let mut values = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Term(id) => match self.sexps.list(id) {
                    Some(items) if !self.is_indexed(items) => self.list(id, items, &mut tasks)?,
                    _ => values.push(self.atom(id)?),
                },
                Task::Apply(id) => {
                    let items = self.sexps.list(id).unwrap_or(&[]);
                    let arguments = values.split_off(values.len() - (items.len() - 1));
                    values.push(self.application(items[0], &arguments)?);
                }
                Task::Bind(id) => {
                    let names = self.binders(id)?;
                    let terms = values.split_off(values.len() - names.len());
                    for ((name, _), term) in names.into_iter().zip(terms) {
                        self.bound.entry(name.to_owned()).or_default().push(term);
                    }
                }
                Task::Unbind(id) => {
                    for (name, _) in self.binders(id)? {
                        self.bound.entry(name.to_owned()).or_default().pop();
                    }
                }
            }
        }
        values.pop().ok_or_else(|| self.sexps.place(root).error("a term is expected"))
    }

    /// Whether the list is `(_ …)`: as a term, a constant such as `(_ bv7 32)`.
    fn is_indexed(&self, items: &[SexpId]) -> bool {
        items.first().is_some_and(|&first| self.sexps.symbol(first) == Some("_"))
    }

    /// Names and terms of a list of bindings.
    fn binders(&self, id: SexpId) -> Result<Vec<(&'a str, SexpId)>, ParseError> {
        let sexps = self.sexps;
        let bindings = sexps.list(id).ok_or_else(|| sexps.place(id).error("bindings are expected"))?;
        let mut binders = Vec::with_capacity(bindings.len());
        for &binding in bindings {
            match sexps.list(binding) {
                Some(&[name, term]) if sexps.symbol(name).is_some() => {
                    binders.push((sexps.symbol(name).unwrap_or_default(), term));
                }
                _ => return Err(sexps.place(binding).error("a name and a term are expected")),
            }
        }
        Ok(binders)
    }

    /// Plans the work for a list.
    fn list(&mut self, id: SexpId, items: &'a [SexpId], tasks: &mut Vec<Task>) -> Result<(), ParseError> {
        let place = self.sexps.place(id);
        let Some(&first) = items.first() else { return Err(place.error("a term is expected, not `()`")) };
        match (self.sexps.symbol(first), &items[1..]) {
            (Some("let"), &[bindings, body]) => {
                tasks.extend([Task::Unbind(bindings), Task::Term(body), Task::Bind(bindings)]);
                let binders = self.binders(bindings)?;
                tasks.extend(binders.into_iter().rev().map(|(_, term)| Task::Term(term)));
            }
            // The attributes of a term say nothing about its meaning.
            (Some("!"), &[term, ..]) => tasks.push(Task::Term(term)),
            (Some("let" | "!"), _) => return Err(place.error("a body is missing or too much")),
            (Some("forall" | "exists" | "match" | "lambda"), _) => {
                return Err(place.error("quantifiers and binders other than `let` are not supported"));
            }
            _ if items.len() == 1 => return Err(place.error("an application needs arguments")),
            _ => {
                tasks.push(Task::Apply(id));
                tasks.extend(items[1..].iter().rev().map(|&argument| Task::Term(argument)));
            }
        }
        Ok(())
    }

    fn atom(&mut self, id: SexpId) -> Result<Term, ParseError> {
        let place = self.sexps.place(id);
        let Some(name) = self.sexps.symbol(id) else { return operation::literal(self.pool, self.sexps, id) };
        if let Some(&term) = self.bound.get(name).and_then(|terms| terms.last()) {
            return Ok(term);
        }
        if let Some(definition) = self.definitions.get(name)
            && definition.parameters.is_empty()
        {
            return Ok(definition.body);
        }
        match name {
            "true" => return Ok(self.pool.top()),
            "false" => return Ok(self.pool.bottom()),
            _ => {}
        }
        let known = match decode(name) {
            Meaning::Plain(name) => self.pool.find_symbol(&name),
            Meaning::Function(name) => {
                let function = self.pool.find_function(&name);
                let function = function.filter(|&function| self.pool.signature(function).1.is_empty());
                function.map(|function| self.pool.apply(function, &[]))
            }
        };
        known.ok_or_else(|| place.error(format!("`{name}` is not declared")))
    }

    fn application(&mut self, head: SexpId, arguments: &[Term]) -> Result<Term, ParseError> {
        let sexps = self.sexps;
        let place = sexps.place(head);
        let Some(name) = sexps.symbol(head) else {
            let head = Head::read(sexps, head)?;
            return operation::indexed(self.pool, &head, arguments).map_err(|message| place.error(message));
        };
        if let Some(definition) = self.definitions.get(name).cloned() {
            return self
                .expansion(&definition, arguments)
                .ok_or_else(|| place.error(format!("the arguments do not fit the definition of `{name}`")));
        }
        let (Meaning::Plain(plain) | Meaning::Function(plain)) = decode(name);
        if let Some(function) = self.pool.find_function(&plain)
            && !operation::is_known(name)
        {
            let sorts: Vec<Sort> = arguments.iter().map(|&argument| self.pool.sort(argument)).collect();
            if self.pool.signature(function).1 != sorts {
                return Err(place.error(format!("the arguments do not fit the declaration of `{name}`")));
            }
            return Ok(self.pool.apply(function, arguments));
        }
        operation::named(self.pool, name, arguments).map_err(|message| place.error(message))
    }

    fn expansion(&mut self, definition: &Definition, arguments: &[Term]) -> Option<Term> {
        let sorts = |pool: &TermPool, terms: &[Term]| -> Vec<Sort> {
            terms.iter().map(|&term| pool.sort(term)).collect()
        };
        if sorts(self.pool, &definition.parameters) != sorts(self.pool, arguments) {
            return None;
        }
        let replacements =
            definition.parameters.iter().copied().zip(arguments.iter().copied()).collect::<HashMap<_, _>>();
        Some(self.pool.substitute(definition.body, &replacements))
    }
}
