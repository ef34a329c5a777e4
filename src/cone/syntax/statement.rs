// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements, told apart by the word that they begin with.

use super::{Context, Reader, Source, declare::DECLARES};

impl Reader {
    /// Skips what precedes a statement: attributes, names, delays, `unique`.
    pub(super) fn labels(&mut self, source: &Source) {
        loop {
            let at = source.bare(self.at);
            let after = match source.text(at) {
                "@" | "#" | "wait" => source.past_delay(at),
                "unique" | "unique0" | "priority" => at + 1,
                "virtual" | "interface" if source.text(at + 1) == "class" => at + 1,
                _ if source.is_label(at) => at + 2,
                _ => return self.at = at,
            };
            self.at = after;
        }
    }

    /// Reads the statement that begins here; nothing if a block ends.
    pub(super) fn statement(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        match source.text(from) {
            "module" | "macromodule" | "package" => self.module(context),
            "function" | "task" => self.function(context),
            "begin" | "fork" | "generate" => {
                self.at = from + 1;
                self.block(from, context);
            }
            "always" | "always_comb" | "always_ff" | "always_latch" => self.process(context),
            "if" => self.condition(context),
            "case" | "casex" | "casez" => self.case(context),
            "for" | "foreach" | "while" | "repeat" | "forever" | "do" => self.repeat(context),
            "assign" | "force" => self.assigns(context),
            "return" => self.answer(context),
            "input" | "output" | "inout" => self.late_ports(context),
            // No hardware, or lines that drive nothing.
            "initial" | "final" => self.at = source.past_statement(from + 1),
            "assert" | "assume" | "cover" | "restrict" | "expect" => self.at = source.past_statement(from),
            "interface" | "program" | "class" | "covergroup" | "property" | "sequence" | "randsequence"
            | "randcase" | "checker" | "specify" | "primitive" | "config" | "clocking" => {
                self.at = source.past_block(from)
            }
            "typedef" | "import" | "export" | "timeunit" | "timeprecision" | "parameter" | "localparam"
            | "defparam" | "specparam" | "genvar" | "bind" | "alias" | "let" | "nettype" | "modport" | "break"
            | "continue" | "release" | "deassign" => self.at = source.past_semicolon(from),
            // What follows is only named: `extern module`, `disable fork`, `default disable iff`.
            "extern" | "disable" => self.at = source.past_semicolon(source.past_word(from + 1)),
            "default" | "global" => {
                let has_body = source.text(from + 1) == "clocking" && source.text(from + 3) != ";";
                self.at = if has_body { source.past_block(from + 1) } else { source.past_semicolon(from) };
            }
            "else" | ";" => self.at = from + 1,
            _ => self.other(context),
        }
    }

    /// Reads a statement that begins with a name: a declaration, an instance, an assignment, a call.
    fn other(&mut self, context: &Context) {
        let (source, from) = (context.source, self.at);
        if source.text(from).starts_with('`') {
            let after = if source.text(from + 1) == "(" { source.past(from + 1) } else { from + 1 };
            // A macro on a line of its own needs no semicolon.
            if source.line(after) != source.line(after - 1) {
                return self.at = after;
            }
        }
        let statement = self.rest(source);
        let second = source.past_path(from);
        if DECLARES.contains(&source.text(from)) {
            self.declare(statement, context);
        } else if second < statement.end && source.is_name(second) {
            let is_instance = source.text(source.until(second + 1, &["(", "=", ","])) == "(";
            if is_instance {
                self.instance(from, second..statement.end, context);
            } else {
                self.declare(statement, context);
            }
        } else {
            self.assign(statement, context);
        }
    }
}
