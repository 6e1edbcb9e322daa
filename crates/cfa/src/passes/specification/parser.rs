//! From text to a specification automaton.

use rorqual_source::{Diagnostic, FileId, Span};

use super::lexer::{Word, words};
use super::{Calls, Event, Formula, Ghost, Goal, Kind, Node, Pattern, Rule, Specification, Trigger};
use crate::expr::BinaryOp;

/// Reads a specification. The file is one of the source map that the program will have.
///
/// # Errors
/// The first mistake, with its place.
pub fn parse_specification(file: FileId, text: &str) -> Result<Specification, Diagnostic> {
    let words = words(file, text)?;
    let name = Specification {
        name: String::new(),
        states: Vec::new(),
        ghosts: Vec::new(),
        events: Vec::new(),
        span: words[0].1,
    };
    Parser { words, at: 0, operands: 0, found: name, parameters: Vec::new() }.specification()
}

/// At most so many operands are in one rule: whatever looks at formulas calls itself for each that is inside of another one.
const MOST_OPERANDS: usize = 1000;

struct Parser {
    words: Vec<(Word, Span)>,
    at: usize,
    found: Specification,
    /// How many operands the rule at hand has so far.
    operands: usize,
    /// What the event at hand binds.
    parameters: Vec<(String, Kind)>,
}

type Parsed<T> = Result<T, Diagnostic>;

impl Parser {
    /// `spec NAME; state …; ghost …; on … { … }`
    fn specification(mut self) -> Parsed<Specification> {
        self.keyword("spec")?;
        (self.found.name, self.found.span) = self.name("the name of the specification")?;
        self.sign(";")?;
        let ghost = Ghost { name: "state".to_owned(), kind: Kind::Int, first: 0, span: self.found.span };
        self.found.ghosts.push(ghost);
        while *self.peek() != Word::End {
            let (word, span) = self.name("`state`, `ghost` or `on`")?;
            match word.as_str() {
                "state" => self.states()?,
                "ghost" => self.ghost()?,
                "on" => self.event(span)?,
                _ => return Err(expected("`state`, `ghost` or `on`", &Word::Name(word), span)),
            }
        }
        if self.found.events.is_empty() {
            return Err(Diagnostic::error("the specification has no event", self.found.span)
                .with_help("say when something happens: `on call lock(_) { … }`"));
        }
        Ok(self.found)
    }

    fn peek(&self) -> &Word {
        &self.words[self.at].0
    }

    fn span(&self) -> Span {
        self.words[self.at].1
    }

    fn next(&mut self) -> (Word, Span) {
        let word = self.words[self.at].clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    /// Takes a sign, if it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Word::Sign(next) if *next == sign);
        if is_next {
            self.next();
        }
        is_next
    }

    fn takes_keyword(&mut self, keyword: &str) -> bool {
        let is_next = matches!(self.peek(), Word::Name(next) if next == keyword);
        if is_next {
            self.next();
        }
        is_next
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(expected(&format!("`{sign}`"), self.peek(), self.span())) }
    }

    fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        let is_next = self.takes_keyword(keyword);
        if is_next { Ok(()) } else { Err(expected(&format!("`{keyword}`"), self.peek(), self.span())) }
    }

    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        match self.next() {
            (Word::Name(name), span) => Ok((name, span)),
            (word, span) => Err(expected(what, &word, span)),
        }
    }

    fn number(&mut self) -> Parsed<i128> {
        let is_negative = self.takes("-");
        match self.next() {
            (Word::Number(number), _) => Ok(if is_negative { -number } else { number }),
            (word, span) => Err(expected("a number", &word, span)),
        }
    }

    /// `state NAME, NAME;`
    fn states(&mut self) -> Parsed<()> {
        loop {
            let (name, span) = self.name("the name of a state")?;
            if self.found.states.contains(&name) || name == "error" {
                return Err(Diagnostic::error(format!("there is a state `{name}` already"), span));
            }
            self.found.states.push(name);
            if !self.takes(",") {
                return self.sign(";");
            }
        }
    }

    /// `ghost int NAME = 0;` or `ghost pointer NAME = null;`
    fn ghost(&mut self) -> Parsed<()> {
        let kind = self.kind()?;
        let (name, span) = self.name("the name of a variable")?;
        if self.found.ghosts.iter().any(|ghost| ghost.name == name) {
            return Err(Diagnostic::error(format!("there is a variable `{name}` already"), span));
        }
        self.sign("=")?;
        let first = match kind {
            Kind::Int => self.number()?,
            Kind::Pointer => self.keyword("null").map(|()| 0)?,
        };
        self.found.ghosts.push(Ghost { name, kind, first, span });
        self.sign(";")
    }

    fn kind(&mut self) -> Parsed<Kind> {
        match self.name("`int` or `pointer`")? {
            (word, _) if word == "int" => Ok(Kind::Int),
            (word, _) if word == "pointer" => Ok(Kind::Pointer),
            (word, span) => Err(expected("`int` or `pointer`", &Word::Name(word), span)),
        }
    }

    /// `on call f, g(PATTERN, …) { RULE … }`, `on return f(…) = int r { … }` or `on exit { … }`
    fn event(&mut self, span: Span) -> Parsed<()> {
        self.parameters = Vec::new();
        let (word, at) = self.name("`call`, `return` or `exit`")?;
        let trigger = match word.as_str() {
            "call" => Trigger::Call(self.calls()?),
            "return" => {
                let calls = self.calls()?;
                let result = if self.takes("=") { Some(self.bound()?) } else { None };
                Trigger::Return(calls, result)
            }
            "exit" => Trigger::Exit,
            _ => return Err(expected("`call`, `return` or `exit`", &Word::Name(word), at)),
        };
        self.sign("{")?;
        let mut rules = Vec::new();
        while !self.takes("}") {
            rules.push(self.rule()?);
        }
        let parameters = std::mem::take(&mut self.parameters);
        self.found.events.push(Event { trigger, parameters, rules, span });
        Ok(())
    }

    fn calls(&mut self) -> Parsed<Calls> {
        let mut calls = Calls { functions: Vec::new(), arguments: Vec::new(), is_open: false };
        loop {
            calls.functions.push(self.name("the name of a function")?);
            if !self.takes(",") {
                break;
            }
        }
        self.sign("(")?;
        while !self.takes(")") {
            if self.takes("...") {
                calls.is_open = true;
                self.sign(")")?;
                break;
            }
            calls.arguments.push(self.pattern()?);
            if !matches!(self.peek(), Word::Sign(")")) {
                self.sign(",")?;
            }
        }
        Ok(calls)
    }

    /// `_`, a number, or `int NAME` and `pointer NAME`.
    fn pattern(&mut self) -> Parsed<Pattern> {
        if self.takes("_") {
            return Ok(Pattern::Any);
        }
        if matches!(self.peek(), Word::Number(_) | Word::Sign("-")) {
            let number = self.number()?;
            self.parameters.push((String::new(), Kind::Int));
            return Ok(Pattern::Number(self.parameters.len() - 1, number));
        }
        self.bound().map(Pattern::Bound)
    }

    fn bound(&mut self) -> Parsed<usize> {
        let kind = self.kind()?;
        let (name, span) = self.name("a name for the value")?;
        if self.parameters.iter().any(|(known, _)| *known == name) {
            return Err(Diagnostic::error(format!("`{name}` has a value already"), span));
        }
        self.parameters.push((name, kind));
        Ok(self.parameters.len() - 1)
    }

    /// `STATES [if FORMULA] [-> STATE | -> error "…"] [{ NAME = FORMULA; … }];`
    fn rule(&mut self) -> Parsed<Rule> {
        self.operands = 0;
        let span = self.span();
        let mut from = Vec::new();
        if !self.takes("*") {
            loop {
                from.push(self.state()?);
                if !self.takes("|") {
                    break;
                }
            }
        }
        let guard = if self.takes_keyword("if") { Some(self.claim()?) } else { None };
        let to = if self.takes("->") { Some(self.goal()?) } else { None };
        let mut actions = Vec::new();
        if self.takes("{") {
            while !self.takes("}") {
                actions.push(self.action()?);
            }
            self.takes(";");
        } else {
            self.sign(";")?;
        }
        Ok(Rule { from, guard, actions, to, span })
    }

    fn state(&mut self) -> Parsed<usize> {
        let (name, span) = self.name("a state or `*`")?;
        let found = self.found.states.iter().position(|state| *state == name);
        found.ok_or_else(|| Diagnostic::error(format!("there is no state `{name}`"), span))
    }

    fn goal(&mut self) -> Parsed<Goal> {
        if !self.takes_keyword("error") {
            return self.state().map(Goal::State);
        }
        match self.next() {
            (Word::Text(text), _) => Ok(Goal::Error(text)),
            (word, span) => Err(expected("a text that says what is wrong", &word, span)),
        }
    }

    fn action(&mut self) -> Parsed<(usize, Formula)> {
        let (name, span) = self.name("a ghost variable")?;
        let ghosts = self.found.ghosts.iter().enumerate().skip(1);
        let found =
            ghosts.into_iter().find(|(_, ghost)| ghost.name == name).map(|(at, ghost)| (at, ghost.kind));
        let (at, kind) =
            found.ok_or_else(|| Diagnostic::error(format!("there is no ghost variable `{name}`"), span))?;
        self.sign("=")?;
        let value = self.formula(0)?;
        of_kind(&value, kind)?;
        self.sign(";")?;
        Ok((at, value))
    }

    fn claim(&mut self) -> Parsed<Formula> {
        let formula = self.formula(0)?;
        of_kind(&formula, Kind::Int)?;
        Ok(formula)
    }

    /// A formula whose operators bind at least as strongly as given.
    fn formula(&mut self, strength: u8) -> Parsed<Formula> {
        let mut left = self.operand()?;
        while let Some((operator, own)) = operator(self.peek()).filter(|&(_, own)| own >= strength) {
            self.next();
            let right = self.formula(own + 1)?;
            left = combined(operator, left, right)?;
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Formula> {
        self.operands += 1;
        let span = self.span();
        if self.operands > MOST_OPERANDS {
            return Err(Diagnostic::error(format!("a rule has at most {MOST_OPERANDS} operands"), span));
        }
        if self.takes("(") {
            let inner = self.formula(0)?;
            self.sign(")")?;
            return Ok(inner);
        }
        if self.takes("!") {
            let inner = self.operand()?;
            return Ok(Formula { node: Node::Not(Box::new(inner)), kind: Kind::Int, span });
        }
        if matches!(self.peek(), Word::Number(_) | Word::Sign("-")) {
            return Ok(Formula { node: Node::Constant(self.number()?), kind: Kind::Int, span });
        }
        let (name, span) = self.name("a value")?;
        if name == "null" {
            return Ok(Formula { node: Node::Constant(0), kind: Kind::Pointer, span });
        }
        self.value(&name, span)
    }

    fn value(&self, name: &str, span: Span) -> Parsed<Formula> {
        if let Some(at) = self.parameters.iter().position(|(known, _)| known == name) {
            return Ok(Formula { node: Node::Parameter(at), kind: self.parameters[at].1, span });
        }
        let ghosts = &self.found.ghosts;
        let found = (1..ghosts.len()).find(|&at| ghosts[at].name == name);
        let at = found.ok_or_else(|| {
            let help = "values are ghost variables and what the event binds, as in `on call f(int x)`";
            Diagnostic::error(format!("there is no value `{name}`"), span).with_help(help)
        })?;
        Ok(Formula { node: Node::Ghost(at), kind: ghosts[at].kind, span })
    }
}

fn expected(what: &str, found: &Word, span: Span) -> Diagnostic {
    let found = match found {
        Word::Name(name) => format!("`{name}`"),
        Word::Number(number) => format!("`{number}`"),
        Word::Text(text) => format!("`\"{text}\"`"),
        Word::Sign(sign) => format!("`{sign}`"),
        Word::End => "the end".to_owned(),
    };
    Diagnostic::error(format!("{what} is expected, but found {found}"), span)
}

/// How two values are combined.
#[derive(Clone, Copy)]
enum Operator {
    Or,
    And,
    Binary(BinaryOp),
}

/// An operator, and how strongly it binds.
fn operator(word: &Word) -> Option<(Operator, u8)> {
    let Word::Sign(sign) = word else { return None };
    Some(match *sign {
        "||" => (Operator::Or, 1),
        "&&" => (Operator::And, 2),
        "==" => (Operator::Binary(BinaryOp::Eq), 3),
        "!=" => (Operator::Binary(BinaryOp::Ne), 3),
        "<" => (Operator::Binary(BinaryOp::Lt), 4),
        "<=" => (Operator::Binary(BinaryOp::Le), 4),
        ">" => (Operator::Binary(BinaryOp::Gt), 4),
        ">=" => (Operator::Binary(BinaryOp::Ge), 4),
        "+" => (Operator::Binary(BinaryOp::Add), 5),
        "-" => (Operator::Binary(BinaryOp::Sub), 5),
        _ => return None,
    })
}

fn combined(operator: Operator, left: Formula, right: Formula) -> Parsed<Formula> {
    let span = left.span;
    let is_equation = matches!(operator, Operator::Binary(BinaryOp::Eq | BinaryOp::Ne));
    of_kind(&right, if is_equation { left.kind } else { Kind::Int })?;
    if !is_equation {
        of_kind(&left, Kind::Int)?;
    }
    let (left, right) = (Box::new(left), Box::new(right));
    let node = match operator {
        Operator::Or => Node::Either(left, right),
        Operator::And => Node::Both(left, right),
        Operator::Binary(op) => Node::Binary(op, left, right),
    };
    Ok(Formula { node, kind: Kind::Int, span })
}

fn of_kind(formula: &Formula, kind: Kind) -> Parsed<()> {
    if formula.kind == kind {
        return Ok(());
    }
    let message = format!("{} is expected, but this is {}", kind.text(), formula.kind.text());
    Err(Diagnostic::error(message, formula.span))
}
