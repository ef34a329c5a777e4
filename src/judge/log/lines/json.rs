// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parses a line as JSON. Unlike serde_json's own reader, it refuses an object that has a name twice, because it is not
//! known which value is meant.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value, map::Entry};

use super::value::{cut, kind};

/// An example of a line, for messages.
const SUCH: &str = "a JSON object such as {\"cycle\":7,\"done\":{\"warp\":1,\"tag\":3}}";

/// Parses the object of a line. The error says what is wrong, and where.
pub fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let text = line.trim_ascii_end();
    let start = text.len() - text.trim_ascii_start().len();
    let column = |bytes: usize| String::from_utf8_lossy(&text[..bytes.min(text.len())]).chars().count();
    match serde_json::from_slice(&text[start..]) {
        Ok(Once(Value::Object(object))) => Ok(object),
        Ok(Once(other)) => Err(format!("column {}: {}, not {SUCH}", column(start) + 1, kind(&other))),
        Err(error) if error.is_eof() => Err("cut off: it is no whole JSON object".to_owned()),
        Err(error) => {
            let told = error.to_string();
            let what = told.rsplit_once(" at line ").map_or(&*told, |(what, _)| what);
            let no = if error.is_data() { "" } else { "no JSON: " };
            Err(format!("column {}: {no}{what}", column(start + error.column()).max(1)))
        }
    }
}

/// A value in which no object has a name twice.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whatever).map(Once)
    }
}

struct Whatever;

impl<'de> Visitor<'de> for Whatever {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SUCH)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Once(value)) = values.next_element()? {
            array.push(value);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(room) => drop(room.insert(members.next_value::<Once>()?.0)),
                Entry::Occupied(there) => {
                    return Err(A::Error::custom(format!("`{}` stands twice in one object", cut(there.key()))));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let refused = |text: &str| object(text.as_bytes()).unwrap_err();
        assert_eq!(refused("{\"cycle\":900,\"cycle\":3}"), "column 20: `cycle` stands twice in one object");
        assert_eq!(refused("  {\"é\":{\"a\":1,\"a\":2}}\n"), "column 17: `a` stands twice in one object");
        assert_eq!(refused("[1]"), format!("column 1: an array, not {SUCH}"));
        assert_eq!(refused(" 7"), format!("column 2: a number, not {SUCH}"));
        assert_eq!(refused("{\"a\":1,}"), "column 8: no JSON: trailing comma");
        assert_eq!(refused("x"), "column 1: no JSON: expected value");
        assert_eq!(refused("{\"a\":"), "cut off: it is no whole JSON object");
    }

    /// Everything else is read as by serde_json.
    #[test]
    fn a_line_is_read_as_it_is() {
        let text = r#"{"a":[1,-2,0.5,null,true,{"b":"\u00e9\n","c":{}}],"b":18446744073709551615}"#;
        assert_eq!(Value::Object(object(text.as_bytes()).unwrap()), text.parse::<Value>().unwrap());
    }
}
