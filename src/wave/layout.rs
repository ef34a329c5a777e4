// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a viewer shows first: the ports in groups, the model's signals beside them, the RTL and the model for the lane
//! at fault side by side.

use super::{Annotations, Divergence, signal::Listed};

/// The channels in the order in which an operation uses them: prefix of its ports, scope of the model's signals, clause
/// of the ports.
const CHANNELS: [(&str, Option<&str>, &str); 6] = [
    ("op_", Some("op"), "PORT-OP"),
    ("data_", None, "PORT-DATA"),
    ("mem_req_", Some("req"), "PORT-REQ"),
    ("mem_rsp_", None, "PORT-RSP"),
    ("wb_", Some("wb"), "PORT-WB"),
    ("done_", Some("done"), "PORT-DONE"),
];

/// A row in a viewer, or a named group of rows.
pub(super) enum Row<'a> {
    Signal(&'a Listed),
    Group { name: String, open: bool, rows: Vec<Row<'a>> },
}

/// Where a wave opens: at the divergence, or else at the first annotation.
#[derive(Clone, Copy)]
pub(crate) struct Opens<'a> {
    pub time: u64,
    pub divergence: Option<&'a Divergence>,
}

impl<'a> Opens<'a> {
    pub fn of(annotations: &'a Annotations) -> Self {
        let mut expects = annotations.expects.iter();
        let first = expects.clone().next().map_or(0, |expect| expect.time);
        let divergence = expects.find_map(|expect| Some((expect.time, expect.mismatch.as_ref()?)));
        Opens { time: divergence.map_or(first, |(time, _)| time), divergence: divergence.map(|(_, what)| what) }
    }
}

/// The rows, from top to bottom. Empty groups are left out.
pub(super) fn rows<'a>(signals: &'a [Listed], marked: Option<&Divergence>) -> Vec<Row<'a>> {
    let of = |prefix: &str| {
        let prefix = prefix.to_owned();
        signals.iter().filter(move |signal| signal.path.starts_with(&prefix))
    };
    let name = marked.map_or("diff".to_owned(), |divergence| format!("diff: {}", divergence.clause));
    let mut rows: Vec<Row<'_>> = of("axis.").map(Row::Signal).collect();
    rows.extend(group(name, marked.is_some(), of("diff.")));
    rows.extend(["top.clk_i", "top.rst_ni"].into_iter().flat_map(of).map(Row::Signal));
    let here = |prefix: &str| marked.filter(|divergence| divergence.field.starts_with(prefix));
    let mut channels = CHANNELS;
    // The port of the divergence comes first, so that it is in view; the others keep their order.
    channels.sort_by_key(|(prefix, ..)| here(prefix).is_none());
    for (prefix, model, clause) in channels {
        let here = here(prefix);
        let name = format!("{}: {clause}", prefix.trim_end_matches('_'));
        let unit = of(&format!("top.{prefix}")).map(|signal| named(signals, signal)).collect();
        let model = model.map(|scope| of(&format!("ref.{scope}.")).collect()).unwrap_or_default();
        rows.extend(some(name, true, port(unit, model, here)));
    }
    rows.extend(group("ctrl_i".to_owned(), false, of("top.ctrl_i")));
    rows
}

/// A port: its handshake, its payload, and what the model expects there; open if the divergence is there.
fn port<'a>(unit: Vec<&'a Listed>, model: Vec<&'a Listed>, here: Option<&Divergence>) -> Vec<Row<'a>> {
    let open = here.is_some();
    let lane = here.and_then(|divergence| divergence.lane).map(usize::from);
    let of_lane = |signal: &&&Listed| lane.is_some() && signal.lane() == lane;
    let telling = |signal: &&&Listed| [".valid", ".text"].iter().any(|end| signal.path.ends_with(end));
    let plain = |signal: &&&Listed| signal.lane().is_none() && !signal.is_handshake();
    let lanes = |signal: &&&Listed| signal.lane().is_some();
    // The lane at fault, unit and model side by side.
    let first = unit.iter().filter(|signal| signal.is_handshake()).chain(unit.iter().chain(&model).filter(of_lane));
    let mut rows: Vec<Row<'a>> = first.chain(model.iter().filter(telling)).map(|&signal| Row::Signal(signal)).collect();
    rows.extend(group("unit".to_owned(), open, unit.iter().filter(plain).copied()));
    rows.extend(group("unit, lanes".to_owned(), false, unit.iter().filter(lanes).copied()));
    rows.extend(group("ref: the model".to_owned(), open, model.iter().filter(plain).copied()));
    rows.extend(group("ref, lanes".to_owned(), false, model.iter().filter(lanes).copied()));
    rows
}

/// The text that names a code if there is one, or else the signal itself.
fn named<'a>(signals: &'a [Listed], signal: &'a Listed) -> &'a Listed {
    let plain = signal.path.split('[').next().unwrap_or_default();
    let name = plain.strip_prefix("top.").and_then(|path| path.split_once('.'));
    let name = name.map(|(port, field)| format!("names.{port}.{}", field.replace('.', "_")));
    name.and_then(|name| signals.iter().find(|other| other.path == name)).unwrap_or(signal)
}

fn group<'a>(name: String, open: bool, signals: impl Iterator<Item = &'a Listed>) -> Option<Row<'a>> {
    some(name, open, signals.map(Row::Signal).collect())
}

fn some(name: String, open: bool, rows: Vec<Row<'_>>) -> Option<Row<'_>> {
    (!rows.is_empty()).then_some(Row::Group { name, open, rows })
}

impl Listed {
    /// The name to show where the scope is not shown: `op_i.tag`, `ref.op.valid`.
    pub(super) fn name(&self) -> &str {
        let plain = match self.path.rfind('[') {
            Some(at) if self.path[at..].contains(':') => &self.path[..at],
            _ => &self.path,
        };
        ["top.", "names."].iter().find_map(|scope| plain.strip_prefix(scope)).unwrap_or(plain)
    }

    /// The lane, if the signal is one lane's part of a port or of the model.
    fn lane(&self) -> Option<usize> {
        let number = match self.path.split_once("_lane") {
            Some((_, rest)) => rest.get(..2),
            None => self.path.split_once('[').and_then(|(_, rest)| rest.split(']').next()),
        };
        number.and_then(|digits| digits.parse().ok())
    }

    fn is_handshake(&self) -> bool {
        ["_valid_i", "_valid_o", "_ready_i", "_ready_o"].iter().any(|end| self.path.ends_with(end))
    }
}
