// SPDX-License-Identifier: MIT OR Apache-2.0
//! The declarations of a trace: its scopes and variables, in their order there.

use std::rc::Rc;

use vcd::IdCode;

/// The outermost scopes of the annotations.
pub(super) const OURS: [&str; 4] = ["axis", "diff", "names", "ref"];
/// The length of the longest id in a trace: more than any trace needs, and short enough that free ids are left.
const MAX_ID: usize = 4;
/// The number of printing characters of which an id consists, from `!` on.
const DIGITS: usize = 94;

/// A parsed header.
pub(super) struct Header {
    /// Its text, up to `$enddefinitions`.
    pub(super) text: Vec<u8>,
    pub(super) items: Vec<Item>,
    /// An id above every id of the trace.
    pub(super) free: IdCode,
    /// By id: the width in bits; 0 if it is not declared.
    widths: Vec<u32>,
}

/// A line of a header.
pub(super) enum Item {
    /// `$scope`: `module`, `struct` or whatever, and its name.
    Scope(String, String),
    Upscope,
    Var(Var),
}

/// A variable.
#[derive(Clone)]
pub(super) struct Var {
    /// `wire`, `real`, `string` or whatever.
    pub(super) kind: Rc<str>,
    pub(super) width: u32,
    /// Its id as a number; several variables may share one.
    pub(super) id: usize,
    pub(super) name: String,
    /// Such as `[7:0]`, or nothing.
    pub(super) range: Rc<str>,
    /// Its scopes, from the outermost in, joined by dots.
    pub(super) scope: Rc<str>,
}

impl Default for Header {
    fn default() -> Self {
        Header { text: Vec::new(), items: Vec::new(), free: IdCode::FIRST, widths: Vec::new() }
    }
}

impl Header {
    /// Whether a variable has this id.
    pub(super) fn declares(&self, id: usize) -> bool {
        self.widths.get(id).is_some_and(|&width| width > 0)
    }

    /// The number of words that hold a variable with this id; 0 if there is none.
    pub(super) fn words(&self, id: usize) -> usize {
        self.widths[id].div_ceil(u32::BITS) as usize
    }

    /// Finds a variable by its scopes and its name.
    pub(super) fn find(&self, scope: &str, name: &str) -> Option<&Var> {
        self.variables().find(|var| var.name == name && *var.scope == *scope)
    }

    /// All variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &Var> {
        self.items.iter().filter_map(|item| if let Item::Var(var) = item { Some(var) } else { None })
    }

    /// The time unit as a power of ten, in seconds; Verilator's unit if the header does not state one.
    pub(super) fn timescale(&self) -> i8 {
        let text = String::from_utf8_lossy(&self.text);
        let rest = text.split_once("$timescale").map_or("", |(_, rest)| rest);
        let unit: String = rest.split("$end").next().unwrap_or_default().split_whitespace().collect();
        let digits = unit.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(unit.len());
        let (number, unit) = unit.split_at(digits);
        let exponent = match unit {
            "s" => 0,
            "ms" => -3,
            "us" => -6,
            "ns" => -9,
            "fs" => -15,
            _ => -12,
        };
        exponent + (number.len().clamp(1, 3) as i8 - 1)
    }

    /// One more than the highest id.
    pub(super) fn ids(&self) -> usize {
        self.widths.len()
    }

    fn declare(&mut self, id: &[u8], width: &[u8]) -> Result<(usize, u32), String> {
        let Some(number) = number(id) else {
            return Err(format!("`{}` is no id of a variable", String::from_utf8_lossy(id)));
        };
        let digits = String::from_utf8_lossy(width);
        let width: u32 = digits.parse().ok().filter(|&width| width > 0).ok_or("a width that is no number")?;
        self.widths.resize(self.widths.len().max(number + 1), 0);
        self.widths[number] = width;
        Ok((number, width))
    }
}

/// An id as a number: a unique one, and a small one if the id is short.
pub(super) fn number(id: &[u8]) -> Option<usize> {
    if id.is_empty() || id.len() > MAX_ID {
        return None;
    }
    id.iter().rev().try_fold(0, |number: usize, &byte| match byte {
        b'!'..=b'~' => Some(number * DIGITS + usize::from(byte - b'!') + 1),
        _ => None,
    })
}

/// The id with this number.
pub(super) fn code(number: usize) -> String {
    let mut rest = number;
    let mut code = String::new();
    while rest > 0 {
        rest -= 1;
        code.push((b'!' + (rest % DIGITS) as u8) as char);
        rest /= DIGITS;
    }
    code
}

/// Returns `text`, shared with the last one if both are equal, as they mostly are.
fn again(last: &mut Rc<str>, text: &str) -> Rc<str> {
    if **last != *text {
        *last = text.into();
    }
    Rc::clone(last)
}

/// Parses a header of `lines` lines. An error is the line and what is wrong with it.
pub(super) fn parse(text: Vec<u8>, lines: u64) -> Result<Header, (u64, String)> {
    let mut header = Header::default();
    // From the outermost in, each as its full path.
    let mut scopes: Vec<Rc<str>> = Vec::new();
    let (outside, mut kinds, mut ranges): (Rc<str>, Rc<str>, Rc<str>) = Default::default();
    let mut arguments = Vec::new();
    let numbered = text.split(|&byte| byte == b'\n').zip(1..);
    let words = numbered.flat_map(|(line, number)| line.split(u8::is_ascii_whitespace).map(move |word| (word, number)));
    let mut words = words.filter(|(word, _)| !word.is_empty());
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    while let Some((command, line)) = words.next() {
        arguments.clear();
        arguments.extend(words.by_ref().map(|(word, _)| word).take_while(|word| word != b"$end"));
        match (command, arguments.as_slice()) {
            (b"$var", [kind, width, id, name, range @ ..]) => {
                let (id, width) = header.declare(id, width).map_err(|message| (line, message))?;
                let range = again(&mut ranges, &String::from_utf8_lossy(&range.concat()));
                let kind = again(&mut kinds, &String::from_utf8_lossy(kind));
                let (name, scope) = (lossy(name), Rc::clone(scopes.last().unwrap_or(&outside)));
                header.items.push(Item::Var(Var { kind, width, id, name, range, scope }));
            }
            (b"$scope", [kind, name]) => {
                let name = lossy(name);
                if scopes.is_empty() && OURS.contains(&name.as_str()) {
                    return Err((line, format!("the scope `{name}` is taken: already annotated?")));
                }
                scopes
                    .push(scopes.last().map_or_else(|| name.as_str().into(), |outer| format!("{outer}.{name}").into()));
                header.items.push(Item::Scope(lossy(kind), name));
            }
            (b"$upscope", []) if scopes.pop().is_some() => header.items.push(Item::Upscope),
            (b"$var" | b"$scope" | b"$upscope", _) => {
                return Err((line, format!("a `{}` that is not understood", lossy(command))));
            }
            ([b'$', ..], _) => {}
            _ => return Err((line, "this is not a VCD: expected a command such as `$scope`".to_owned())),
        }
    }
    if !scopes.is_empty() {
        return Err((lines, format!("{} scopes are left open", scopes.len())));
    }
    header.free = code(header.ids().max(1)).parse().map_err(|_| (lines, "an id too many".to_owned()))?;
    header.text = text;
    Ok(header)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{code, number};

    proptest! {
        #[test]
        fn a_number_is_its_code(value in 1usize..94 * 94 * 94 * 94) {
            prop_assert_eq!(number(code(value).as_bytes()), Some(value));
        }
    }
}
