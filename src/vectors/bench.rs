// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench for a set: plain Verilog with the names and sizes of the set.

use std::fmt::Write as _;

use super::{
    Set,
    clauses::{Fields, used},
    format::Format,
    manifest::{Bank, Manifest},
    table,
};
use crate::op::Op;

/// The part that is the same for all sets.
const BENCH: &str = include_str!("bench.v");
/// The place for the sizes.
const SIZES: &str = "  // Sizes\n  // -----\n";

/// The names and texts of the bench's files. The manifest must list the set's tables, including `.mem` files.
pub fn files(set: &Set, manifest: &Manifest) -> Vec<(&'static str, String)> {
    let (head, body) = BENCH.split_once(SIZES).unwrap_or((BENCH, ""));
    let text = head.to_owned() + SIZES + &sizes(set) + body + &load(manifest) + &names(set) + "endmodule\n";
    vec![("bench.v", text)]
}

/// Sizes and offsets of all tables and columns.
fn sizes(set: &Set) -> String {
    let mut text = String::new();
    let mut put = |name: &str, value: usize| {
        let _ = writeln!(text, "  localparam {name} = {value};"); // writing to a String does not fail
    };
    set.shape.parameters().into_iter().for_each(|(name, value)| put(name, value));
    let tables = table::tables(set);
    for table in &tables {
        let name = table.name.to_uppercase();
        put(&format!("{name}_BITS"), table.width());
        put(&format!("{name}_DEPTH"), table.rows.len().max(1));
        for column in &table.columns {
            let column_name = column.name.to_uppercase();
            put(&format!("{name}_{column_name}"), column.offset);
            put(&format!("{name}_{column_name}_W"), column.width);
        }
    }
    let rows = |name: &str| tables.iter().find(|table| table.name == name).map_or(0, |table| table.rows.len());
    put("VECTORS", rows("op"));
    put("BEATS", rows("data"));
    put("LINES", rows("memory"));
    for member in Op::LAYOUT.members.iter().filter(|member| ["warp", "tag", "attr"].contains(&member.name)) {
        let name = member.name.to_uppercase();
        put(&format!("OP_{name}"), member.offset);
        put(&format!("OP_{name}_W"), member.width);
    }
    Fields::NAMES.iter().enumerate().for_each(|(at, name)| put(&format!("FIELD_{}", name.to_uppercase()), at));
    text
}

/// Fills the memories from their files.
fn load(manifest: &Manifest) -> String {
    let mut text = "  task load;\n    begin\n".to_owned();
    for stored in &manifest.tables {
        let files = stored.files.iter().filter(|file| file.format == Format::Mem);
        for Bank { name, first, depth, .. } in files {
            let last = first + depth - 1;
            let _ = writeln!(text, "      $readmemh(\"{name}\", {}_mem, {first}, {last});", stored.name);
        }
    }
    text + "    end\n  endtask\n\n"
}

/// The ids of the clauses, by their numbers in the tables.
fn names(set: &Set) -> String {
    let mut text = "  function [8*16-1:0] clause_name;\n    input [7:0] number;\n    case (number)\n".to_owned();
    for (place, clause) in used(set).into_iter().enumerate() {
        let _ = writeln!(text, "      8'd{place}: clause_name = \"{}\";", clause.id());
    }
    text + "      default: clause_name = \"PORT-REQ\";\n    endcase\n  endfunction\n"
}
