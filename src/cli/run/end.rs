// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memory and scratchpad hold in the end, where the program stored to them.

use std::{collections::BTreeSet, io::Write};

use serde::Serialize;

use crate::{
    cli::Error,
    explain::{explanation::Hex, words::wrap},
    op::Kind,
    program::{Executed, Session},
};

/// Bytes of a row.
const ROW: u64 = 16;

/// What was stored to, in rows.
#[derive(Debug, Default, Serialize)]
pub struct End {
    memory: Vec<Row>,
    shared: Vec<Row>,
}

/// Rows that steps stored to, by their first bytes.
#[derive(Default)]
pub struct Stores {
    memory: BTreeSet<u64>,
    shared: BTreeSet<u64>,
}

impl Stores {
    /// Another step was executed.
    pub fn add(&mut self, executed: &Executed) {
        for &(line, byte_enable) in &executed.written {
            let rows = (0..8).filter(|row| byte_enable >> (16 * row) & 0xffff != 0);
            self.memory.extend(rows.map(|row| line + ROW * row));
        }
        self.shared.extend(stored(executed));
    }
}

#[derive(Debug, Serialize)]
struct Row {
    /// Of the first byte, at the memory port or in the scratchpad.
    address: Hex<u64>,
    /// Two digits each.
    bytes: String,
    /// What holds it is undefined by the source (SM5-WILD).
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
}

impl End {
    /// Of a program, by the model as it is in the end.
    pub fn of(session: &Session<'_>, stores: Stores) -> Self {
        let Stores { memory, shared } = stores;
        let row = |address: u64, of_shared: bool| {
            let byte = |i: u64| match of_shared {
                true => session.scratchpad.read(address + i),
                false => session.memory.byte(address + i),
            };
            let bytes: Vec<String> = (0..ROW).map(|i| format!("{:02x}", byte(i))).collect();
            let undefined = (0..ROW).find_map(|i| session.undefined_at(of_shared, address + i));
            let undefined = undefined.map(|undefined| format!("{} since line {}", undefined.what, undefined.line));
            Row { address: Hex(address), bytes: bytes.join(" "), undefined }
        };
        End {
            memory: memory.into_iter().map(|address| row(address, false)).collect(),
            shared: shared.into_iter().map(|address| row(address, true)).collect(),
        }
    }

    /// For people.
    pub fn text(&self, output: &mut impl Write) -> Result<(), Error> {
        table("Memory that was stored to:", &self.memory, output)?;
        table("Shared memory that was stored to:", &self.shared, output)?;
        let rows = self.memory.iter().chain(&self.shared);
        let undefined: BTreeSet<&str> = rows.filter_map(|row| row.undefined.as_deref()).collect();
        for what in undefined {
            let (name, line) = what.split_once(" since ").unwrap_or((what, "then"));
            let what = format!("{name} is undefined since {line}: its bytes are this unit's choice (SM5-WILD)");
            write!(output, "{}", wrap(&what, 2))?;
        }
        Ok(())
    }
}

/// Rows of the scratchpad that an operation stored to.
fn stored(executed: &Executed) -> BTreeSet<u64> {
    let Executed { op, plan, pairs, .. } = executed;
    let stores = |lane: &usize| match op.kind == Kind::CmpStore as u8 {
        true => pairs[*lane].is_some_and(|pair| pair.matched()),
        false => op.kind == Kind::Store as u8,
    };
    let rows = |lane: usize| {
        let (first, bytes) = (plan.addr[lane], u64::from(op.access_bytes()).max(1));
        (first / ROW..=(first + bytes - 1) / ROW).map(|row| row * ROW)
    };
    plan.shared.iter().filter(stores).flat_map(rows).collect()
}

fn table(title: &str, rows: &[Row], output: &mut impl Write) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{title}")?;
    for Row { address, bytes, undefined } in rows {
        // A wider gap in the middle.
        let (low, high) = bytes.split_at(bytes.len() / 2);
        let undefined = if undefined.is_some() { "  undefined" } else { "" };
        writeln!(output, "  {:#012x}  {} {high}{undefined}", address.0, low.trim_end())?;
    }
    Ok(())
}
