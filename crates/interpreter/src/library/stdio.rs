//! Standard input, output and error. Other streams are not modelled.

use super::{Call, Native};
use crate::config::Stream;
use crate::machine::Machine;
use crate::outcome::{Run, Stop};
use crate::value::{Argument, Pointer, Scalar, Value};

const END_OF_FILE: i128 = -1;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "printf" => |machine, call| print(machine, call, 0),
        "fprintf" => |machine, call| print(machine, call, 1),
        "vprintf" => |machine, call| print_list(machine, call, 0),
        "vfprintf" => |machine, call| print_list(machine, call, 1),
        "sprintf" => |machine, call| print_to(machine, call, None, Source::Arguments(2)),
        "vsprintf" => |machine, call| print_to(machine, call, None, Source::List(2)),
        "snprintf" => |machine, call| print_to(machine, call, Some(call.size(1)?), Source::Arguments(3)),
        "vsnprintf" => |machine, call| print_to(machine, call, Some(call.size(1)?), Source::List(3)),
        "puts" => puts,
        "fputs" | "fputs_unlocked" => fputs,
        "putchar" | "putchar_unlocked" => |machine, call| put(machine, call, Stream::Output),
        "putc" | "fputc" | "_IO_putc" | "putc_unlocked" | "fputc_unlocked" => |machine, call| {
            let stream = machine.output(call, 1)?;
            put(machine, call, stream)
        },
        "fwrite" => fwrite,
        "fflush" => |_, _| Ok(Value::int(0)),
        "setvbuf" | "setbuf" => |_, _| Ok(Value::int(0)),
        "perror" => perror,
        "getchar" | "getchar_unlocked" => |machine, _| Ok(machine.get()),
        "getc" | "fgetc" | "_IO_getc" | "getc_unlocked" => |machine, call| {
            machine.check_input(call, 0)?;
            Ok(machine.get())
        },
        "ungetc" => ungetc,
        "fgets" => fgets,
        _ => return None,
    })
}

impl Machine<'_> {
    fn output(&self, call: &Call<'_>, index: usize) -> Run<Stream> {
        let stream = call.pointer(index)?.provenance;
        match self.library.streams {
            [_, output, _] if output.is_some() && output == stream => Ok(Stream::Output),
            [_, _, error] if error.is_some() && error == stream => Ok(Stream::Error),
            _ => Err(Stop::unsupported("a stream other than stdin, stdout and stderr")),
        }
    }

    fn check_input(&self, call: &Call<'_>, index: usize) -> Run<()> {
        let stream = call.pointer(index)?.provenance;
        let input = self.library.streams[0];
        if input.is_some() && input == stream {
            return Ok(());
        }
        Err(Stop::unsupported("a stream other than stdin, stdout and stderr"))
    }

    fn next_byte(&mut self) -> Option<u8> {
        self.library.put_back.pop().or_else(|| self.console.read())
    }

    fn get(&mut self) -> Value {
        Value::int(self.next_byte().map_or(END_OF_FILE, i128::from))
    }
}

/// `printf` and `fprintf`; the format is the argument at `index`, after a stream if that is 1.
fn print(machine: &mut Machine<'_>, call: &Call<'_>, index: usize) -> Run<Value> {
    let stream = if index == 0 { Stream::Output } else { machine.output(call, 0)? };
    let text = formatted(machine, call, index, Source::Arguments(index + 1))?;
    machine.console.write(stream, &text);
    Ok(Value::int(text.len() as i128))
}

fn print_list(machine: &mut Machine<'_>, call: &Call<'_>, index: usize) -> Run<Value> {
    let stream = if index == 0 { Stream::Output } else { machine.output(call, 0)? };
    let text = formatted(machine, call, index, Source::List(index + 1))?;
    machine.console.write(stream, &text);
    Ok(Value::int(text.len() as i128))
}

/// Where the values for a format come from.
#[derive(Clone, Copy)]
enum Source {
    /// The arguments of the call from this one on.
    Arguments(usize),
    /// The `va_list` in this argument.
    List(usize),
}

fn formatted(machine: &mut Machine<'_>, call: &Call<'_>, format: usize, source: Source) -> Run<Vec<u8>> {
    let format = call.pointer(format)?;
    match source {
        Source::Arguments(first) => {
            let values: &[Argument] = call.arguments.get(first..).unwrap_or(&[]);
            Ok(machine.format(format, values)?.0)
        }
        Source::List(index) => {
            let handle = machine.list_argument(call.scalar(index)?)?;
            let values = machine.list_rest(handle)?;
            let (text, used) = machine.format(format, &values)?;
            machine.list_advance(handle, used)?;
            Ok(text)
        }
    }
}

/// `sprintf` and `snprintf`: the format stands right before the values.
fn print_to(machine: &mut Machine<'_>, call: &Call<'_>, limit: Option<u64>, source: Source) -> Run<Value> {
    let (Source::Arguments(first) | Source::List(first)) = source;
    let text = formatted(machine, call, first - 1, source)?;
    let room = limit.unwrap_or(u64::MAX);
    if room > 0 {
        let shown = text.len().min(usize::try_from(room - 1).unwrap_or(usize::MAX));
        machine.write_string(call.pointer(0)?, &text[..shown])?;
    }
    Ok(Value::int(text.len() as i128))
}

fn puts(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let mut text = machine.string(call.pointer(0)?)?;
    text.push(b'\n');
    machine.console.write(Stream::Output, &text);
    Ok(Value::int(text.len() as i128))
}

fn fputs(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let stream = machine.output(call, 1)?;
    let text = machine.string(call.pointer(0)?)?;
    machine.console.write(stream, &text);
    Ok(Value::int(1))
}

fn put(machine: &mut Machine<'_>, call: &Call<'_>, stream: Stream) -> Run<Value> {
    let byte = call.int(0)? as u8;
    machine.console.write(stream, &[byte]);
    Ok(Value::int(i128::from(byte)))
}

fn fwrite(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let stream = machine.output(call, 3)?;
    let (pointer, size, count) = (call.pointer(0)?, call.size(1)?, call.size(2)?);
    let mut bytes = Vec::new();
    for offset in 0..size.saturating_mul(count) {
        let at = machine.memory.offset(pointer, i128::from(offset));
        bytes.push(machine.read_byte(at)?);
    }
    machine.console.write(stream, &bytes);
    Ok(Value::int(if size == 0 { 0 } else { i128::from(count) }))
}

/// The text of the error is that of no error in particular.
fn perror(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let prefix = call.pointer(0)?;
    let mut text = Vec::new();
    if !prefix.is_null() {
        text = machine.string(prefix)?;
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(b"error\n");
    machine.console.write(Stream::Error, &text);
    Ok(Value::Indeterminate)
}

fn ungetc(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.check_input(call, 1)?;
    let value = call.int(0)?;
    if value != END_OF_FILE {
        machine.library.put_back.push(value as u8);
    }
    Ok(Value::int(value))
}

fn fgets(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.check_input(call, 2)?;
    let (target, room) = (call.pointer(0)?, call.int(1)?);
    let mut line = Vec::new();
    while (line.len() as i128) < room - 1 {
        let Some(byte) = machine.next_byte() else { break };
        line.push(byte);
        if byte == b'\n' {
            break;
        }
    }
    if line.is_empty() {
        return Ok(Value::Scalar(Scalar::Pointer(Pointer::NULL)));
    }
    machine.write_string(target, &line)?;
    Ok(Value::pointer(target))
}
