//! Valid C that rucc rejects or reads in another way than gcc. Its tokens are replaced by others that say
//! the same in a way that rucc understands; places stay those of the program.
//!
//! What is wrong is recognised by the codes of rucc's messages. After a repair the file is read again, because
//! errors have consequences.

use std::collections::HashSet;
use std::ops::Range;

use rucc_ast::{Ast, Expr};
use rucc_base::{Idx, Symbol};
use rucc_diag::{Diagnostic, Severity, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};
use rucc_session::Session;

use super::library;

/// A call of a function that was not declared.
const IMPLICIT_DECLARATION: &str = "E0521";
const EXPECTED_NAME: &str = "E0401";
const BAD_CAST: &str = "E0569";
const CONFLICTING_TYPES: &str = "E0586";
const BAD_STORAGE_CLASS: &str = "E0596";
const INCOMPLETE_OBJECT: &str = "E0601";
const STRING_FOR_OTHER_ARRAY: &str = "E0638";
const JUMP_OUT_OF_NESTED: &str = "E0796";

/// What the functions for inputs return that programs use without declaring them. What is not listed,
/// and `int`, is an `int` as in C89.
const INPUTS: [(&str, &str); 31] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("unsigned_char", "unsigned char"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("unsigned_long", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("charp", "char *"),
    ("size_t", "__SIZE_TYPE__"),
    ("sector_t", "unsigned long"),
    ("pthread_t", "unsigned long"),
    ("loff_t", "long long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("u128", "unsigned __int128"),
    ("uint128", "unsigned __int128"),
    ("int128", "__int128"),
];

/// Why a unit was rejected, and what repairs need to know of its syntax.
#[derive(Debug)]
pub(super) struct Rejection {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The string literals that initialise what rucc does not let them, with their characters.
    strings: Vec<(Span, Vec<u32>)>,
}

impl Rejection {
    /// A rejection that no repair can do anything about.
    pub(super) fn final_one(diagnostics: Vec<Diagnostic>) -> Rejection {
        Rejection { diagnostics, strings: Vec::new() }
    }

    pub(super) fn new(diagnostics: Vec<Diagnostic>, ast: &Ast) -> Rejection {
        let is_about_strings = |error: &&Diagnostic| error.code == Some(STRING_FOR_OTHER_ARRAY);
        let at: Vec<Span> = diagnostics.iter().filter(is_about_strings).map(|error| error.span).collect();
        let count = if at.is_empty() { 0 } else { ast.counts().exprs };
        let strings = (0..count).map(Idx::<Expr>::from_usize).filter_map(|id| {
            let (Expr::Str(string), span) = (ast[id], ast.expr_span(id)) else { return None };
            at.iter().any(|error| is_in(span, *error)).then(|| (span, ast[string].elements.clone()))
        });
        let strings = strings.collect();
        Rejection { diagnostics, strings }
    }
}

fn is_in(inner: Span, outer: Span) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

/// Tokens that take the place of others.
struct Edit {
    range: Range<usize>,
    tokens: Vec<PpToken>,
}

/// What was repaired so far.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    /// Each error is repaired once, so repairing ends.
    done: HashSet<(Option<&'static str>, Span)>,
    /// The functions that were declared.
    declared: HashSet<String>,
    /// Errors of rucc that gcc only warns about.
    pub(super) warnings: Vec<Diagnostic>,
    /// Casts that rucc rejects: they are refused where they are reached, if they are about vectors.
    pub(super) casts: Vec<Diagnostic>,
}

impl Repairs {
    /// Repairs what can be. Answers whether there was anything.
    pub(super) fn apply(
        &mut self,
        tokens: &mut Vec<PpToken>,
        rejection: &Rejection,
        session: &mut Session,
    ) -> bool {
        let mut edits = Vec::new();
        for error in rejection.diagnostics.iter().filter(|error| error.severity.is_fatal()) {
            if !self.done.insert((error.code, error.span)) {
                continue;
            }
            let mut repair = Repair { tokens, rejection, session, error };
            let Some(made) = repair.edits() else { continue };
            edits.extend(made);
            match error.code {
                Some(BAD_CAST) => self.casts.push(error.clone()),
                Some(CONFLICTING_TYPES) => {
                    self.warnings.push(Diagnostic { severity: Severity::Warning, ..error.clone() });
                }
                _ => {}
            }
        }
        // From the end, so that the positions of the others stay right.
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        edits.dedup_by(|a, b| a.range == b.range && a.tokens == b.tokens);
        for edit in edits.iter().rev() {
            tokens.splice(edit.range.clone(), edit.tokens.iter().copied());
        }
        !edits.is_empty()
    }

    /// Declares the inputs and the functions of the library that are used without a declaration. Answers whether there
    /// are any.
    pub(super) fn declare(
        &mut self,
        tokens: &mut Vec<PpToken>,
        warnings: &[Diagnostic],
        session: &mut Session,
    ) -> bool {
        let mut declarations = Vec::new();
        for warning in warnings.iter().filter(|warning| warning.code == Some(IMPLICIT_DECLARATION)) {
            // What a macro expands to is all at one place.
            let Some(name) = warning.message.split('\'').nth(1) else { continue };
            let text =
                input(name, session).or_else(|| library::declaration(name, session.target.pointer_width));
            let Some(text) = text.filter(|_| self.declared.insert(name.to_owned())) else { continue };
            declarations.extend(spelled(&text, warning.span, session));
        }
        let found = !declarations.is_empty();
        tokens.splice(0..0, declarations);
        found
    }
}

/// A declaration of a function for inputs.
fn input(name: &str, session: &Session) -> Option<String> {
    let kind = name.strip_prefix("__VERIFIER_nondet_")?;
    let (_, ty) = INPUTS.iter().find(|(known, _)| *known == kind)?;
    let is_small = session.target.pointer_width == 32;
    if is_small && ty.contains("__int128") {
        return None;
    }
    let size = if is_small { "unsigned int" } else { "unsigned long" };
    Some(format!("extern {} {name} ( void ) ;", ty.replace("__SIZE_TYPE__", size)))
}

/// The repair of one error.
struct Repair<'a> {
    tokens: &'a [PpToken],
    rejection: &'a Rejection,
    session: &'a mut Session,
    error: &'a Diagnostic,
}

impl Repair<'_> {
    fn edits(&mut self) -> Option<Vec<Edit>> {
        match self.error.code? {
            STRING_FOR_OTHER_ARRAY => self.string_in_nested_array(),
            INCOMPLETE_OBJECT => self.object_of_later_type(),
            CONFLICTING_TYPES => self.void_after_use().or_else(|| self.bogus_redeclaration()),
            BAD_CAST => self.vector_cast(),
            EXPECTED_NAME => self.name_in_parentheses(),
            BAD_STORAGE_CLASS => self.nested_function_before_use(),
            JUMP_OUT_OF_NESTED => self.jump_out_of_nested(),
            _ => None,
        }
    }

    /// The tokens of a part of the text.
    fn range(&self, span: Span) -> Option<Range<usize>> {
        let start = self.position(span)?;
        let length = self.tokens[start..].iter().position(|token| token.span.hi == span.hi)?;
        Some(start..start + length + 1)
    }

    /// The string literal at a place, in one or more pieces. What a macro expands to is all at one place, and there may be
    /// several.
    fn only_string(&self, span: Span) -> Option<Range<usize>> {
        let is_piece = |token: &PpToken| token.kind == PpTokenKind::StringLit && is_in(token.span, span);
        let start = self.tokens.iter().position(is_piece)?;
        let end = self.tokens.iter().rposition(is_piece)? + 1;
        self.tokens[start..end].iter().all(is_piece).then_some(start..end)
    }

    fn punct(&self, at: usize) -> Option<Punct> {
        self.tokens.get(at)?.punct()
    }

    fn position(&self, span: Span) -> Option<usize> {
        self.tokens.iter().position(|token| token.span.lo == span.lo)
    }

    /// `char s[1][1][5] = {"1234"}`: the string is written as five characters, which go where C puts a
    /// string whose braces are missing.
    fn string_in_nested_array(&mut self) -> Option<Vec<Edit>> {
        let length = innermost_length(&self.error.message)?;
        let mut strings = self.rejection.strings.iter();
        let (span, characters) = strings.rfind(|(span, _)| is_in(*span, self.error.span))?;
        let padded = characters.iter().copied().chain(std::iter::repeat(0)).take(length);
        let text: Vec<String> = padded.map(|character| character.to_string()).collect();
        let tokens = spelled(&text.join(" , "), *span, self.session);
        let mut range = self.only_string(*span)?;
        // Parentheses would make them operands of commas.
        while range.start > 0
            && self.punct(range.start - 1) == Some(Punct::LParen)
            && self.punct(range.end) == Some(Punct::RParen)
        {
            range = range.start - 1..range.end + 1;
        }
        Some(vec![Edit { range, tokens }])
    }

    /// `struct s x; struct s { int a; };`: the first declaration becomes one with `extern`, and is repeated
    /// at the end of the file.
    fn object_of_later_type(&mut self) -> Option<Vec<Edit>> {
        let declaration = self.declaration(self.position(self.error.span)?)?;
        let tokens = self.tokens[declaration.clone()].to_vec();
        let is_static = |token: &PpToken| self.is_word(token, "static");
        if self.depth(declaration.start) != 0 || tokens.iter().any(is_static) {
            return None;
        }
        let end = self.tokens.iter().rposition(|token| !token.is_eof())? + 1;
        let before = Edit {
            range: declaration.start..declaration.start,
            tokens: spelled("extern", tokens[0].span, self.session),
        };
        Some(vec![before, Edit { range: end..end, tokens }])
    }

    /// A function that returns nothing and was called before it is declared: gcc warns. It is declared at
    /// the start of the file.
    fn void_after_use(&mut self) -> Option<Vec<Edit>> {
        let at = self.position(self.error.span)?;
        let call = self.error.children.iter().map(|note| note.span).find(|place| {
            let is_it =
                |other: &&Diagnostic| other.code == Some(IMPLICIT_DECLARATION) && other.span == *place;
            self.rejection.diagnostics.iter().any(|other| is_it(&other))
        })?;
        let specifiers = &self.tokens[self.declaration_start(at)..at];
        let returns_void = specifiers.iter().any(|token| self.is_word(token, "void"))
            && !specifiers.iter().any(|token| token.punct() == Some(Punct::Star));
        if !returns_void {
            return None;
        }
        let name = self.session.interner.resolve(self.tokens[at].value?).to_owned();
        // The name may come from a macro, all of whose tokens are at one place.
        if !self.error.message.contains(&format!("'{name}'")) {
            return None;
        }
        let tokens = spelled(&format!("void {name} ( ) ;"), call, self.session);
        Some(vec![Edit { range: 0..0, tokens }])
    }

    /// Declarations like `extern int malloc();` after `malloc` was used without one. gcc gives the
    /// earlier uses the type of its built-in function and warns about the declaration; here the built-in
    /// type stands for all uses, which is the same where `int` and pointers are of one width.
    fn bogus_redeclaration(&mut self) -> Option<Vec<Edit>> {
        if self.session.target.pointer_width != 32 || !self.error.message.ends_with("have 'int()'") {
            return None;
        }
        let range = self.declaration(self.position(self.error.span)?)?;
        Some(vec![Edit { range, tokens: Vec::new() }])
    }

    /// `(vector)operand`, where the operand is not of a type that rucc lets become a vector, as is the result of
    /// a built-in function for vectors that it does not know: `(vector)(operand, (vector){0})`.
    fn vector_cast(&mut self) -> Option<Vec<Edit>> {
        let range = self.range(self.error.span)?;
        let cast = &self.tokens[range.clone()];
        let mut depth = 0;
        let close = cast.iter().position(|token| {
            match token.punct() {
                Some(Punct::LParen) => depth += 1,
                Some(Punct::RParen) => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let ty = cast.get(..=close).filter(|_| close > 0)?.to_vec();
        let operand_start = range.start + close + 1;
        let open = spelled("(", self.error.span, self.session);
        let mut rest = spelled(",", self.error.span, self.session);
        rest.extend(ty);
        rest.extend(spelled("{ 0 } )", self.error.span, self.session));
        Some(vec![
            Edit { range: operand_start..operand_start, tokens: open },
            Edit { range: range.end..range.end, tokens: rest },
        ])
    }

    /// `int (T) = 3;`, where `T` is the name of a type outside: the name is written without its parentheses.
    fn name_in_parentheses(&mut self) -> Option<Vec<Edit>> {
        let open = self.position(self.error.span)?;
        let close = open + 2;
        let is_name = self.tokens.get(open + 1)?.kind == PpTokenKind::Ident;
        let is_enclosed = self.punct(open) == Some(Punct::LParen) && self.punct(close) == Some(Punct::RParen);
        let removed = |at: usize| Edit { range: at..at + 1, tokens: Vec::new() };
        (is_name && is_enclosed).then(|| vec![removed(open), removed(close)])
    }

    /// `auto int f(int);`, where the nested function `f` is defined later: the definition is moved to the declaration,
    /// unless it uses a name that may be declared between the two.
    fn nested_function_before_use(&mut self) -> Option<Vec<Edit>> {
        let at = self.position(self.error.span)?;
        let name = self.tokens[at].value?;
        let declaration = self.declaration(at)?;
        let is_auto = |token: &PpToken| self.is_word(token, "auto");
        if !self.tokens[declaration.clone()].iter().any(is_auto) {
            return None;
        }
        let definition = self.nested_definition(declaration.end, name)?;
        let between: HashSet<_> = self.words(declaration.end..definition.start).collect();
        let is_free = |word| word == name || !between.contains(&word) || self.is_type_word(word);
        if !self.words(definition.clone()).all(is_free) {
            return None;
        }
        let tokens = self.tokens[definition.clone()].to_vec();
        Some(vec![Edit { range: declaration, tokens }, Edit { range: definition, tokens: Vec::new() }])
    }

    /// The definition of a function in the same block, behind a position.
    fn nested_definition(&self, from: usize, name: Symbol) -> Option<Range<usize>> {
        let mut depth = 0usize;
        for at in from..self.tokens.len() {
            match self.punct(at) {
                Some(Punct::LBrace) => depth += 1,
                Some(Punct::RBrace) => depth = depth.checked_sub(1)?,
                _ => {}
            }
            let is_named = depth == 0 && self.tokens[at].value == Some(name);
            if is_named && self.punct(at + 1) == Some(Punct::LParen) {
                let body = self.closing(at + 1)? + 1;
                if self.punct(body) == Some(Punct::LBrace) {
                    return Some(self.declaration_start(at)..self.closing(body)? + 1);
                }
            }
        }
        None
    }

    /// Where the parenthesis or brace at a position is closed.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        (open..self.tokens.len()).find(|&at| {
            match self.punct(at) {
                Some(Punct::LParen | Punct::LBrace) => depth += 1,
                Some(Punct::RParen | Punct::RBrace) => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    }

    fn words(&self, range: Range<usize>) -> impl Iterator<Item = Symbol> {
        self.tokens[range]
            .iter()
            .filter(|token| token.kind == PpTokenKind::Ident)
            .filter_map(|token| token.value)
    }

    /// Whether a word is part of the language and names nothing.
    fn is_type_word(&self, word: Symbol) -> bool {
        const WORDS: [&str; 16] = [
            "int", "char", "short", "long", "signed", "unsigned", "float", "double", "void", "const",
            "volatile", "return", "if", "else", "while", "for",
        ];
        WORDS.contains(&self.session.interner.resolve(word))
    }

    /// `goto out;`, where the label is in the function around a nested one: refused where it is reached, as is the built-in
    /// function that stands for it.
    fn jump_out_of_nested(&mut self) -> Option<Vec<Edit>> {
        let range = self.range(self.error.span)?;
        let is_goto = self.is_word(&self.tokens[range.start], "goto");
        let tokens = spelled("__builtin_longjmp ( 0 , 1 )", self.error.span, self.session);
        is_goto.then(|| vec![Edit { range: range.start..range.start + 2, tokens }])
    }

    /// The declaration around a token, if it ends in a semicolon.
    fn declaration(&self, at: usize) -> Option<Range<usize>> {
        let end = at + self.tokens[at..].iter().position(ends_declaration)?;
        (self.tokens[end].punct() == Some(Punct::Semi)).then(|| self.declaration_start(at)..end + 1)
    }

    fn declaration_start(&self, at: usize) -> usize {
        self.tokens[..at].iter().rposition(ends_declaration).map_or(0, |before| before + 1)
    }

    /// How many braces are open.
    fn depth(&self, at: usize) -> usize {
        self.tokens[..at].iter().fold(0, |depth: usize, token| match token.punct() {
            Some(Punct::LBrace) => depth + 1,
            Some(Punct::RBrace) => depth.saturating_sub(1),
            _ => depth,
        })
    }

    fn is_word(&self, token: &PpToken, word: &str) -> bool {
        token.value.is_some_and(|value| self.session.interner.resolve(value) == word)
    }
}

fn ends_declaration(token: &PpToken) -> bool {
    matches!(token.punct(), Some(Punct::Semi | Punct::LBrace | Punct::RBrace))
}

/// The length of the arrays of characters, of which the message names the type: 5 of `char[2][5]`.
fn innermost_length(message: &str) -> Option<usize> {
    let ty = message.split('\'').nth(1)?;
    let (_, length) = ty.strip_suffix(']')?.rsplit_once('[')?;
    length.parse().ok()
}

/// The tokens of a text of words, numbers and a few signs, at one place.
pub(super) fn spelled(text: &str, span: Span, session: &mut Session) -> Vec<PpToken> {
    let text = ["(", ")", "*", ",", ";"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, &format!(" {sign} ")));
    let words = text.split_whitespace().map(|word| {
        let kind = match word {
            "(" => PpTokenKind::Punct(Punct::LParen),
            ")" => PpTokenKind::Punct(Punct::RParen),
            "{" => PpTokenKind::Punct(Punct::LBrace),
            "}" => PpTokenKind::Punct(Punct::RBrace),
            "," => PpTokenKind::Punct(Punct::Comma),
            ";" => PpTokenKind::Punct(Punct::Semi),
            "*" => PpTokenKind::Punct(Punct::Star),
            "[" => PpTokenKind::Punct(Punct::LBracket),
            "]" => PpTokenKind::Punct(Punct::RBracket),
            "<" => PpTokenKind::Punct(Punct::Lt),
            "?" => PpTokenKind::Punct(Punct::Question),
            ":" => PpTokenKind::Punct(Punct::Colon),
            "&&" => PpTokenKind::Punct(Punct::AmpAmp),
            "||" => PpTokenKind::Punct(Punct::PipePipe),
            "..." => PpTokenKind::Punct(Punct::Ellipsis),
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => PpTokenKind::Number,
            _ => PpTokenKind::Ident,
        };
        let value = (!matches!(kind, PpTokenKind::Punct(_))).then(|| session.interner.intern(word));
        PpToken { kind, flags: TokenFlags::LEADING_SPACE, value, span }
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_length_is_the_last() {
        let message =
            |ty| format!("cannot initialize array of '{ty}' from a string literal with type array of 'char'");
        assert_eq!(innermost_length(&message("char[5]")), Some(5));
        assert_eq!(innermost_length(&message("char[2][7]")), Some(7));
        assert_eq!(innermost_length(&message("int")), None);
        assert_eq!(innermost_length(&message("char[]")), None);
    }
}
