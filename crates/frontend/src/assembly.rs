//! The names in the text of assembly: it may read, write, call or define what the program knows by them.

use std::collections::BTreeSet;

/// Directives that only say something about a symbol, or hold text.
const HARMLESS: [&str; 34] = [
    ".globl",
    ".global",
    ".weak",
    ".hidden",
    ".protected",
    ".internal",
    ".local",
    ".type",
    ".size",
    ".symver",
    ".ident",
    ".section",
    ".text",
    ".data",
    ".bss",
    ".previous",
    ".pushsection",
    ".popsection",
    ".subsection",
    ".file",
    ".loc",
    ".align",
    ".balign",
    ".p2align",
    ".ascii",
    ".asciz",
    ".string",
    ".code32",
    ".code64",
    ".arch",
    ".intel_syntax",
    ".att_syntax",
    ".cfi_startproc",
    ".cfi_endproc",
];

/// Prefixes stand before the name of an instruction.
const PREFIXES: [&str; 7] = ["lock", "rep", "repe", "repne", "repz", "repnz", "notrack"];

/// Sections of functions that run before or after `main`.
const STARTING_SECTIONS: [&str; 7] =
    [".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

/// The words that may be symbols: neither names of instructions nor registers nor operands.
pub(crate) fn symbols(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in text.split(['\n', ';']) {
        add_symbols(statement.split('#').next().unwrap_or(statement), &mut found);
    }
    found
}

/// Whether functions are put among those that run before or after `main`.
pub(crate) fn adds_to_start(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | ';')).any(is_starting_section)
}

/// Whether the functions in a section run before or after `main`.
pub(crate) fn is_starting_section(name: &str) -> bool {
    // Behind a dot is a priority: `.init.text` of kernels is another section.
    STARTING_SECTIONS.iter().any(|section| {
        let rest = name.strip_prefix(section);
        let is_priority = |rest: &str| {
            rest.strip_prefix('.').is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
        };
        rest.is_some_and(|rest| rest.is_empty() || is_priority(rest))
    })
}

fn add_symbols(statement: &str, found: &mut BTreeSet<String>) {
    let mut rest = statement.trim();
    while let Some((label, behind)) = rest.split_once(':') {
        if label.is_empty() || !label.chars().all(is_in_name) {
            break;
        }
        found.insert(label.to_owned());
        rest = behind.trim_start();
    }
    let mut words = rest.split_whitespace();
    let mut first = words.next().unwrap_or_default();
    if HARMLESS.contains(&first) {
        return;
    }
    if PREFIXES.contains(&first) {
        rest = rest[first.len()..].trim_start();
        first = words.next().unwrap_or_default();
    }
    let defines = words.next() == Some("=") || first.contains('=');
    let operands = if defines { rest } else { rest.get(first.len()..).unwrap_or_default() };
    found.extend(names(operands));
}

/// The names in the operands of an instruction. What stands behind `%` is a register or an operand of the statement.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut name, mut is_operand, mut in_brackets) = (String::new(), false, false);
    for c in text.chars().chain([' ']) {
        if in_brackets {
            in_brackets = c != ']';
            continue;
        }
        if is_in_name(c) {
            name.push(c);
            continue;
        }
        in_brackets = is_operand && c == '[';
        let starts = name.chars().next().is_some_and(|first| !first.is_ascii_digit());
        if starts && !is_operand {
            names.push(std::mem::take(&mut name));
        }
        name.clear();
        is_operand = c == '%';
    }
    names
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        symbols(text).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operands_and_registers_are_no_symbols() {
        assert_eq!(found("movl %1, %%eax\n\tlock; addl %[delta], (%0)"), "");
        assert_eq!(found("lock xaddl %0, %1 # counter"), "");
        assert_eq!(found("cpuid"), "");
    }

    #[test]
    fn names_are_symbols() {
        assert_eq!(found("incl counter"), "counter");
        assert_eq!(found("movl counter(%%rip), %0; call f@PLT"), "PLT counter f");
        assert_eq!(found("mov $table, %0"), "table");
        assert_eq!(found("lock incl counter"), "counter");
    }

    #[test]
    fn labels_and_assignments_define() {
        assert_eq!(found(".globl f\n f: ret"), "f");
        assert_eq!(found(".set alias, target"), "alias target");
        assert_eq!(found("alias = target"), "alias target");
    }

    #[test]
    fn sections_that_start() {
        assert!(adds_to_start(".section .init_array,\"aw\"\n.quad f"));
        assert!(adds_to_start(".pushsection .fini_array.100"));
        assert!(!adds_to_start(".section .initial"));
    }
}
