// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bits of a port as JSON, and back.

use serde_json::{Map, Value};

use crate::op::{
    Bits, Packed,
    layout::{Code, Content},
};

/// The widest number that is written as a JSON number; JSON guarantees no more than 53 bits.
const PLAIN: usize = 32;

/// An error in a value, and its place there.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", if path.is_empty() { String::new() } else { format!("`{path}`: ") })]
pub struct ValueError {
    /// Names and indices from outside in; empty for the value itself.
    pub path: String,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl ValueError {
    pub fn new(what: impl Into<String>) -> Self {
        ValueError { path: String::new(), what: what.into() }
    }

    /// The same error within something called `name`.
    pub fn within(mut self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{dot}{}", self.path);
        self
    }
}

/// All bits as one number.
pub fn hex(bits: &Bits) -> Value {
    let digit = |nibble: &Bits| char::from_digit(u32::unpack(nibble), 16).unwrap_or('?');
    let digits: String = bits.chunks(4).map(digit).collect();
    let digits: String = digits.trim_end_matches('0').chars().rev().collect();
    Value::String(format!("0x{}", if digits.is_empty() { "0" } else { &digits }))
}

/// Writes bits of this content. Fields of a struct that are 0 are left out.
pub fn write(content: &Content, bits: &Bits) -> Value {
    match *content {
        Content::Number(codes) if bits.len() <= PLAIN => {
            let value = u32::unpack(bits);
            match codes.iter().find(|code| u32::from(code.value) == value) {
                Some(code) => Value::from(code.name),
                None => Value::from(value),
            }
        }
        Content::Number(_) => hex(bits),
        Content::Struct(whole) => {
            let mut object = Map::new();
            for member in whole.members {
                let part = &bits[member.offset..][..member.width];
                if part.any() {
                    object.insert(member.name.to_owned(), write(&member.content, part));
                }
            }
            Value::Object(object)
        }
        Content::Array(_, Content::Number([])) if bits.not_any() => Value::from("0x0"),
        Content::Array(count, each) => bits.chunks(bits.len() / count).map(|part| write(each, part)).collect(),
    }
}

/// Reads a value into bits that are 0 before.
pub fn read(content: &Content, value: &Value, bits: &mut Bits) -> Result<(), ValueError> {
    match (value, content) {
        (Value::Object(object), Content::Struct(whole)) => {
            for (name, value) in object {
                let Some(member) = whole.members.iter().find(|member| member.name == name) else {
                    let names: Vec<_> = whole.members.iter().map(|member| member.name).collect();
                    let bits =
                        if name == "bits" { "; all its bits at once are \"0x...\", without an object" } else { "" };
                    let what = format!("no field of {}, which has {}{bits}", whole.name, names.join(", "));
                    return Err(ValueError::new(what).within(name));
                };
                let part = &mut bits[member.offset..][..member.width];
                read(&member.content, value, part).map_err(|error| error.within(name))?;
            }
            Ok(())
        }
        (Value::Array(values), &Content::Array(count, each)) => {
            if values.len() > count {
                return Err(ValueError::new(format!("{} values, and there is room for {count}", values.len())));
            }
            let width = bits.len() / count;
            for (index, value) in values.iter().enumerate() {
                let part = &mut bits[index * width..][..width];
                read(each, value, part).map_err(|error| error.within(&format!("[{index}]")))?;
            }
            Ok(())
        }
        (Value::Bool(value), _) if bits.len() == 1 => {
            bits.set(0, *value);
            Ok(())
        }
        (Value::Number(number), _) => match number.as_u64() {
            Some(number) => fit(number, bits),
            // JSON has no whole numbers of more than 64 bits.
            None if number.as_f64().is_some_and(|number| number >= 2_f64.powi(64)) => Err(ValueError::new(format!(
                "{number} is too large for a number: a value of more bits is a text, \"0x...\""
            ))),
            None => Err(ValueError::new(format!("{number} is no number of a port: these are whole, and not negative"))),
        },
        (Value::String(text), Content::Number(codes))
            if !codes.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            match codes.iter().find(|code| code.name.eq_ignore_ascii_case(text)) {
                Some(code) => fit(code.value.into(), bits),
                None => Err(ValueError::new(format!("`{}` is none of {}", cut(text), names(codes)))),
            }
        }
        (Value::String(text), _) => digits(text, bits),
        (_, content) => Err(ValueError::new(format!("{}, not {}", kind(value), wanted(content)))),
    }
}

/// Reads a number that belongs to no port, in any form that a port's number may have.
pub fn number(value: &Value) -> Result<u64, ValueError> {
    let mut words = [0; 2];
    let bits = Bits::from_slice_mut(&mut words);
    read(&Content::Number(&[]), value, bits)?;
    Ok(u64::unpack(bits))
}

fn names(codes: &[Code]) -> String {
    codes.iter().map(|code| code.name).collect::<Vec<_>>().join(", ")
}

/// The kind of a value, for messages.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wanted(content: &Content) -> String {
    match content {
        Content::Number([]) => "a number, such as 5 or \"0x1f\"".to_owned(),
        Content::Number(codes) => format!("a number, or one of {}", names(codes)),
        Content::Struct(whole) => format!("an object of fields of {}, or \"0x...\"", whole.name),
        Content::Array(count, _) => format!("an array of at most {count}, or \"0x...\""),
    }
}

/// The beginning of a text, as long as a message needs.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

fn too_wide(what: &str, bits: &Bits) -> ValueError {
    ValueError::new(format!("{} does not fit in {} bits", cut(what), bits.len()))
}

fn fit(number: u64, bits: &mut Bits) -> Result<(), ValueError> {
    if bits.len() < 64 && number >> bits.len() != 0 {
        return Err(too_wide(&number.to_string(), bits));
    }
    number.pack(bits);
    Ok(())
}

/// Reads a number in hexadecimal, binary or decimal; `_` may separate digits.
fn digits(text: &str, bits: &mut Bits) -> Result<(), ValueError> {
    let lower = text.to_ascii_lowercase().replace('_', "");
    let (digits, each) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 4),
        (_, Some(digits)) => (digits, 1),
        // As simulators print hexadecimal and binary numbers, too.
        _ if lower.len() > 1 && lower.starts_with('0') && lower.bytes().all(|digit| digit.is_ascii_digit()) => {
            let what =
                format!("`{}` may be in any base: a decimal number has no leading zeros, others 0x or 0b", cut(text));
            return Err(ValueError::new(what));
        }
        _ => match lower.parse() {
            Ok(number) => return fit(number, bits),
            Err(_) => return Err(ValueError::new(format!("`{}` is no number, such as 5 or 0x1f", cut(text)))),
        },
    };
    if digits.is_empty() {
        return Err(ValueError::new(format!("`{}` has no digits", cut(text))));
    }
    for (place, digit) in digits.chars().rev().enumerate() {
        let Some(digit) = digit.to_digit(1 << each) else {
            let unknown = if ['x', 'z'].contains(&digit) { ": an unknown bit cannot be judged" } else { "" };
            return Err(ValueError::new(format!("`{digit}` in `{}` is no digit{unknown}", cut(text))));
        };
        for bit in (0..each).filter(|bit| digit >> bit & 1 == 1).map(|bit| place * each + bit) {
            if bit >= bits.len() {
                return Err(too_wide(&format!("`{text}`"), bits));
            }
            bits.set(bit, true);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use serde_json::json;

    use super::*;
    use crate::{op::Shape, ports::PORTS};

    proptest! {
        /// What is written is read as it was, for every port. So is the single number.
        #[test]
        fn round_trip(noise in vec(any::<u32>(), 150), sparse in any::<bool>()) {
            let shape = Shape::with_lanes(8);
            for (port, _) in PORTS.iter() {
                let (width, content) = (port.width(&shape), port.content(&shape));
                let words: Vec<u32> = noise.iter().map(|word| if sparse { word & word >> 7 & word >> 15 } else { *word }).collect();
                let bits: &Bits = &Bits::from_slice(&words)[..width];
                for value in [write(&content, bits), hex(bits)] {
                    let mut back = vec![0; width.div_ceil(32)];
                    let back = &mut Bits::from_slice_mut(&mut back)[..width];
                    prop_assert_eq!(read(&content, &value, back), Ok(()), "{}", port.name);
                    prop_assert_eq!(&*back, bits, "{}: {}", port.name, value);
                }
            }
        }
    }

    #[test]
    fn a_decimal_number_has_no_leading_zeros() {
        let read = |text: &str| number(&json!(text)).map_err(|error| error.to_string());
        assert_eq!(["0", "10", "0x0010", "0b0010"].map(read), [0, 10, 16, 2].map(Ok));
        assert!(["00", "0_1", "00001000"].into_iter().all(|text| read(text).is_err()));
    }

    #[test]
    fn wrong_values_say_what_and_where() {
        let shape = Shape::with_lanes(4);
        let told = |name: &str, value: Value| {
            let (port, _) = PORTS.iter().find(|(port, _)| port.name == name).unwrap();
            let mut words = vec![0; port.width(&shape).div_ceil(32)];
            let bits = &mut Bits::from_slice_mut(&mut words)[..port.width(&shape)];
            read(&port.content(&shape), &value, bits).unwrap_err().to_string()
        };
        insta::assert_snapshot!(
            [
                told("op_i", json!({ "attr": { "scope": "Galaxy" } })),
                told("op_i", json!({ "knid": "Load" })).split(',').next().unwrap().to_owned(),
                told("op_i", json!([1])),
                told("op_addr_i", json!([[1, 2, 3], [4, 5, 6, 7]])),
                told("data_i", json!([1, 2, 3, 4, 5])),
                told("data_i", json!([1, -2])),
                told("wb_tag_o", json!(256)),
                told("wb_tag_o", json!("0x1z")),
                told("mem_req_addr_o", json!("0x1_0000_000000_0")),
                told("wb_tag_o", json!("")),
                told("mem_req_addr_o", json!("00001000")),
                told("wb_tag_o", json!(null)),
                told("mem_req_kind_o", json!("x".repeat(1000))),
            ]
            .join("\n")
        );
    }
}
