// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory files of simulators and FPGA tools: one word after the other.

use std::io::{self, Write};

use super::{FormatError, Part, about, hex, word};
use crate::vectors::table::Row;

/// The words of a part, filled up with zeros.
fn words<'a>(part: &'a Part<'_>) -> impl Iterator<Item = String> + 'a {
    let none = "0".repeat(part.table.width().div_ceil(4));
    (0..part.depth).map(move |at| part.rows.get(at).map_or_else(|| none.clone(), hex))
}

pub fn mem(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    about(part).iter().try_for_each(|line| writeln!(out, "// {line}"))?;
    words(part).try_for_each(|word| writeln!(out, "{word}"))
}

pub fn coe(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    about(part).iter().try_for_each(|line| writeln!(out, "; {line}"))?;
    write!(out, "memory_initialization_radix=16;\nmemory_initialization_vector=")?;
    for (number, word) in words(part).enumerate() {
        write!(out, "{}\n{word}", if number > 0 { "," } else { "" })?;
    }
    writeln!(out, ";")
}

pub fn mif(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    about(part).iter().try_for_each(|line| writeln!(out, "-- {line}"))?;
    writeln!(out, "WIDTH={};\nDEPTH={};\n", part.table.width(), part.depth)?;
    writeln!(out, "ADDRESS_RADIX=HEX;\nDATA_RADIX=HEX;\n\nCONTENT BEGIN")?;
    for (number, word) in words(part).enumerate() {
        writeln!(out, "  {number:x} : {word};")?;
    }
    writeln!(out, "END;")
}

/// The lines that are not empty once comments, which begin with `mark`, are removed.
fn lines<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let bare = move |(number, line): (usize, &'a str)| {
        let line = line.split(mark).next().unwrap_or_default().trim();
        (!line.is_empty()).then_some((number + 1, line))
    };
    text.lines().enumerate().filter_map(bare)
}

pub fn read_mem(text: &str, width: usize) -> Result<Vec<Row>, FormatError> {
    lines(text, "//").map(|(number, line)| word(line, width, number)).collect()
}

pub fn read_coe(text: &str, width: usize) -> Result<Vec<Row>, FormatError> {
    let mut rows = Vec::new();
    // Comments are lines of their own: elsewhere `;` ends a statement.
    let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.trim())).filter(|(_, l)| !l.starts_with(';'));
    for expected in ["memory_initialization_radix=16;", "memory_initialization_vector="] {
        match lines.next() {
            Some((_, line)) if line == expected => {}
            other => return Err(FormatError::new(other.map_or(1, |(n, _)| n), format!("expected `{expected}`"))),
        }
    }
    let mut over = false;
    for (number, line) in lines {
        if over {
            return Err(FormatError::new(number, "something follows the `;` that ends the words"));
        }
        over = line.ends_with(';');
        rows.push(word(line.trim_end_matches([',', ';']), width, number)?);
    }
    if over { Ok(rows) } else { Err(FormatError::new(text.lines().count(), "no `;` ends the words: it was cut")) }
}

pub fn read_mif(text: &str, width: usize) -> Result<Vec<Row>, FormatError> {
    let (mut rows, mut depth, mut begun, mut last) = (Vec::new(), None, false, 1);
    for (number, line) in lines(text, "--") {
        last = number;
        if let Some(value) = line.strip_prefix("WIDTH=") {
            if value.trim_end_matches(';') != width.to_string() {
                return Err(FormatError::new(number, format!("the table's words have {width} bits")));
            }
        } else if let Some(value) = line.strip_prefix("DEPTH=") {
            depth = value.trim_end_matches(';').parse().ok();
        } else if line.starts_with("CONTENT") {
            begun = true;
        } else if line == "END;" {
            let whole = depth == Some(rows.len());
            return if whole { Ok(rows) } else { Err(FormatError::new(number, "there are not DEPTH words")) };
        } else if begun {
            let (address, value) = line.split_once(" : ").ok_or_else(|| FormatError::new(number, "expected ` : `"))?;
            if usize::from_str_radix(address, 16) != Ok(rows.len()) {
                return Err(FormatError::new(number, format!("expected the word at {:x}", rows.len())));
            }
            rows.push(word(value.trim_end_matches(';'), width, number)?);
        }
    }
    Err(FormatError::new(last, "no `END;`: it was cut"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        op::Shape,
        vectors::{format::Format, table::Table},
    };

    #[test]
    fn what_is_cut_or_changed_is_no_file() {
        let shape = Shape::with_lanes(4);
        let mut table = Table::empty("data", &shape);
        table.rows = (0..3).map(|at| Row::repeat(at == 1, table.width())).collect();
        for format in [Format::Mem, Format::Coe, Format::Mif] {
            let part = Part { table: &table, first: 0, rows: &table.rows, depth: 4 };
            let mut text = Vec::new();
            format.write(&part, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let read = format.read(&text, &table).unwrap();
            assert_eq!(read[..3], table.rows, "{format:?}");
            assert!(read[3].not_any(), "{format:?}");
            assert!(format.read(&text.replace("ffff", "fff"), &table).is_err(), "{format:?}");
            assert!(format.read(&text.replace("0000", "000x"), &table).is_err(), "{format:?}");
            if format != Format::Mem {
                assert!(format.read(&text[..text.len() - 4], &table).is_err(), "{format:?}");
            }
        }
    }
}
