// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which lines of the RTL to look at first: said after the verdict, which it never changes.

use super::unit::Unit;
use crate::{
    cone::{self, Line},
    explain::words::wrap,
    judge::{Mismatch, log::Issue},
    op::Ctrl,
};

/// Lines that a report for people names; the rest is for machines.
const SHOWN: usize = 3;

/// The lines, or why there are none.
pub struct Look(Result<Vec<Line>, String>);

impl Look {
    /// Of a mismatch of this unit.
    pub fn new(unit: &Unit, ctrl: &Ctrl, issues: &[Issue], mismatch: &Mismatch) -> Self {
        Look(cone::look(&unit.rtl, ctrl, issues, mismatch).map_err(|error| error.to_string()))
    }

    /// For people: the first few.
    pub fn text(&self) -> String {
        match &self.0 {
            Ok(lines) => {
                let mut text = String::new();
                for (line, name) in lines.iter().take(SHOWN).zip(["look at", "", ""]) {
                    text += &wrap(&format!("  {name:<10}{}", line.row()), 12);
                }
                text
            }
            Err(why) => wrap(&format!("  {:<10}no line of the RTL is named: {why}", "look at"), 12),
        }
    }

    /// For machines: all of them.
    pub fn lines(self) -> Option<Vec<Line>> {
        self.0.ok()
    }
}
