//! Options with one dash and many letters, as gcc spells them.

use std::ffi::OsString;

/// The options of gcc that are accepted in its spelling.
const GCC_OPTIONS: &[&str] = &["include", "isystem", "iquote"];

/// Rewrites `-include X` and `-includeX` to `--include X` and `--include=X`, and the same for
/// the other such options. Arguments behind `--` belong to the program and stay as they are.
pub(crate) fn spell_as_gcc_does(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut ours = true;
    arguments
        .map(|argument| {
            ours &= argument != "--";
            if ours { rewrite(argument) } else { argument }
        })
        .collect()
}

fn rewrite(argument: OsString) -> OsString {
    let Some(text) = argument.to_str().and_then(|text| text.strip_prefix('-')) else {
        return argument;
    };
    let Some(name) = GCC_OPTIONS.iter().find(|name| text.starts_with(**name)) else {
        return argument;
    };
    let separator = if text == *name { "" } else { "=" };
    format!("--{name}{separator}{}", &text[name.len()..]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str) -> String {
        let arguments = spell_as_gcc_does(line.split(' ').map(OsString::from));
        arguments.iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn gcc_spellings_become_long_options() {
        assert_eq!(rewritten("r -include a.h x.c"), "r --include a.h x.c");
        assert_eq!(rewritten("r -isystem/usr/x -iquotey"), "r --isystem=/usr/x --iquote=y");
        assert_eq!(rewritten("r --include a.h -Iinclude"), "r --include a.h -Iinclude");
    }

    #[test]
    fn arguments_of_the_program_stay() {
        assert_eq!(rewritten("r x.c -- -include"), "r x.c -- -include");
    }
}
