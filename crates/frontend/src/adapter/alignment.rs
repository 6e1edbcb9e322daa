//! GNU's `__alignof__`, which gives the alignment that gcc prefers for a type. For 32-bit x86 that of `double` and `long long`
//! is 8, while members of structures and `_Alignof` have 4. rucc takes both for one operator, so the operator is
//! written with the difference before the text is read.

use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_session::Session;

use super::repairs::spelled;

/// The types whose preferred alignment is larger than their least one; arrays have that of their elements.
const PREFERRED: [&str; 7] = [
    "double",
    "long long",
    "unsigned long long",
    "_Complex double",
    "double [ ]",
    "long long [ ]",
    "unsigned long long [ ]",
];

/// Replaces `__alignof__ (operand)` where types may have two alignments. Members have the least one.
pub(super) fn prefer_alignments(tokens: &mut Vec<PpToken>, session: &mut Session) {
    let names = ["__alignof__", "__alignof"].map(|name| session.interner.find(name));
    if session.target.pointer_width != 32 || names == [None, None] {
        return;
    }
    // From the end, so that operators in operands are replaced first.
    for at in (0..tokens.len()).rev() {
        let is_operator = tokens[at].value.is_some() && names.contains(&tokens[at].value);
        if is_operator && let Some(end) = operand_end(tokens, at + 1) {
            let (operator, mut operand) = (tokens[at], tokens[at + 1..end].to_vec());
            if operand[0].kind == PpTokenKind::Ident {
                operand.splice(0..0, spelled("(", operator.span, session));
                operand.extend(spelled(")", operator.span, session));
            }
            let preferred = preferred(operator, &operand, session);
            tokens.splice(at..end, preferred);
        }
    }
}

/// Where the operand of the operator ends: a name, or what is in parentheses. Other operands are left as they are, and so
/// are members.
fn operand_end(tokens: &[PpToken], start: usize) -> Option<usize> {
    let punct = |at: usize| tokens.get(at).and_then(|token| token.punct());
    let end = match (tokens.get(start)?.kind, punct(start)) {
        (PpTokenKind::Ident, _) => start + 1,
        (_, Some(Punct::LParen)) => {
            let mut depth = 0usize;
            let close = (start..tokens.len()).find(|&at| {
                match punct(at) {
                    Some(Punct::LParen) => depth += 1,
                    Some(Punct::RParen) => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
            let is_member = matches!(punct(close.checked_sub(2)?), Some(Punct::Dot | Punct::Arrow));
            (!is_member).then_some(close + 1)?
        }
        _ => return None,
    };
    let goes_on = matches!(
        punct(end),
        Some(
            Punct::LBracket
                | Punct::LParen
                | Punct::LBrace
                | Punct::Dot
                | Punct::Arrow
                | Punct::PlusPlus
                | Punct::MinusMinus
        )
    );
    (!goes_on).then_some(end)
}

/// `(IS_PREFERRED(operand) && __alignof__ operand < 8 ? 8U : __alignof__ operand)`
fn preferred(operator: PpToken, operand: &[PpToken], session: &mut Session) -> Vec<PpToken> {
    let span = operator.span;
    let mut all = spelled("( (", span, session);
    for (number, ty) in PREFERRED.iter().enumerate() {
        let start = if number == 0 { "" } else { "||" };
        all.extend(spelled(&format!("{start} __builtin_types_compatible_p ( __typeof__"), span, session));
        all.extend_from_slice(operand);
        all.extend(spelled(&format!(", {ty} )"), span, session));
    }
    all.extend(spelled(") &&", span, session));
    all.push(operator);
    all.extend_from_slice(operand);
    all.extend(spelled("< 8U ? 8U :", span, session));
    all.push(operator);
    all.extend_from_slice(operand);
    all.extend(spelled(")", span, session));
    all
}
