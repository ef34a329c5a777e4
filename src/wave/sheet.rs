// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scopes `ref` and `diff`: their variables, and what an [`Expect`] writes into them.

use std::io;

use super::{
    Divergence, Expect, ExpectBeat, ExpectBurst, ExpectDone, ExpectOp, ExpectRequest, PERIOD,
    ink::{Ink, Kind},
    signal::{Declarer, Signal},
    value::{Value, bytes, number},
};
use crate::{
    model::address::DWORD,
    op::{
        self, ADDR_WIDTH, Attr, FAULT_WIDTH, Fault, GROUP_REGISTERS, LaneMask, MAX_LANES, MAX_REGISTERS, Packed, Shape,
        layout::Field,
    },
    ports::{PORTS, Port},
};

/// Variables that change together. The first is the flag that announces the change.
struct Scope {
    signals: Vec<Signal>,
    /// The time at which the flag falls.
    until: Option<u64>,
    /// The values to restore at that time; the flag then stays up.
    owed: Option<Vec<Value>>,
}

impl Scope {
    /// Raises the flag and writes the other values, in the order of their declaration.
    fn show(&mut self, ink: &mut dyn Ink, time: u64, values: impl IntoIterator<Item = Value>) -> io::Result<()> {
        self.until = Some(time.saturating_add(PERIOD));
        let values = [number(1)].into_iter().chain(values);
        self.signals.iter_mut().zip(values).try_for_each(|(signal, value)| signal.set(ink, value))
    }

    /// Makes what is shown now owed: it is shown again whenever the flag would fall.
    fn stays(&mut self) {
        self.owed = Some(self.signals.iter().map(|signal| signal.value().clone()).collect());
    }

    /// Lowers the flag if its time has come.
    fn fall(&mut self, ink: &mut dyn Ink, time: u64) -> io::Result<()> {
        if self.until.take_if(|until| *until <= time).is_none() {
            return Ok(());
        }
        match self.owed.clone() {
            Some(values) => self.signals.iter_mut().zip(values).try_for_each(|(signal, value)| signal.set(ink, value)),
            None => self.signals[0].set(ink, number(0)),
        }
    }
}

/// The variables of `ref` and `diff`.
pub(super) struct Sheet {
    lanes: usize,
    line_bytes: usize,
    /// The attribute fields of a request.
    attributes: Vec<Field>,
    op: Scope,
    burst: Scope,
    request: Scope,
    beat: Scope,
    done: Scope,
    diff: Scope,
    owed: Scope,
}

impl Sheet {
    /// Declares the scopes, in the order of [`super`].
    pub(super) fn declare(declarer: &mut Declarer<'_>, width: usize, line_bytes: usize) -> io::Result<Self> {
        let (lanes, line) = (width as u32, line_bytes as u32);
        // The fields as the port's description has them.
        let attributes = Attr::CONTENT.fields(Attr::LAYOUT.width);
        let scope = |name: &str, declarer: &mut Declarer<'_>, fields: &[(Kind, &str)], each: &[(u32, &str)]| {
            declarer.scope(name, |declarer| {
                let mut signals = Vec::new();
                for (kind, name) in fields {
                    signals.push(declarer.signal(*kind, name)?);
                }
                for (width, name) in each {
                    for lane in 0..lanes {
                        signals.push(declarer.signal(Kind::Bits(*width), &format!("{name}_lane{lane:02}"))?);
                    }
                }
                Ok(Scope { signals, until: None, owed: None })
            })
        };
        use Kind::{Bits, Flag, Number, Text};
        let (op, burst, request, beat, done) = declarer.scope("ref", |of| {
            let fields =
                [(Flag, "valid"), (Number, "index"), (Text, "text"), (Text, "clauses"), (Bits(lanes), "active")];
            let op = scope("op", of, &fields, &[(64, "ea")])?;
            let fields = [(Flag, "valid"), (Text, "text"), (Bits(DWORD), "limit_dw")];
            let burst = scope("burst", of, &fields, &[(DWORD, "first_dw"), (MAX_REGISTERS as u32, "moved")])?;
            let shape = Shape { line_bytes: line as usize, ..Shape::with_lanes(lanes as usize) };
            let bits = |port: &Port| port.width(&shape) as u32;
            let named: Vec<_> = attributes.iter().map(|field| (field.width as u32, attribute_name(field))).collect();
            let fields = [
                (Flag, "valid"),
                (Text, "text"),
                (Bits(1), "write"),
                (Bits(ADDR_WIDTH), "addr"),
                (Bits(line), "be"),
                (Bits(line * 8), "data"),
                (Bits(lanes), "lanes"),
                (Bits(bits(&PORTS.req_group)), "group"),
                // One hexadecimal digit per lane.
                (Bits(GROUP_REGISTERS as u32 * lanes), "words"),
            ];
            let named = named.iter().map(|(width, name)| (Bits(*width), name.as_str()));
            let fields: Vec<_> = fields.into_iter().chain(named).collect();
            let request = scope("req", of, &fields, &[])?;
            let fields = [(Flag, "valid"), (Text, "text"), (Bits(bits(&PORTS.wb_reg)), "reg"), (Bits(lanes), "mask")];
            let beat = scope("wb", of, &fields, &[(32, "data")])?;
            let fields = [(Flag, "valid"), (Text, "text"), (Text, "faults")];
            let done = scope("done", of, &fields, &[(FAULT_WIDTH as u32, "fault")])?;
            Ok((op, burst, request, beat, done))
        })?;
        let fields =
            [(Flag, "mismatch"), (Text, "clause"), (Text, "rule"), (Text, "text"), (Text, "field"), (Number, "lane")];
        let owed = [(Flag, "owed"), (Text, "owed_text")];
        let mut diff = scope("diff", declarer, &[&fields[..], &owed].concat(), &[])?;
        let owed = Scope { signals: diff.signals.split_off(fields.len()), until: None, owed: None };
        Ok(Sheet { lanes: width, line_bytes, attributes, op, burst, request, beat, done, diff, owed })
    }

    /// Writes the initial values.
    pub(super) fn write_all(&self, ink: &mut dyn Ink) -> io::Result<()> {
        let Sheet { op, burst, request, beat, done, diff, owed, .. } = self;
        [op, burst, request, beat, done, diff, owed]
            .iter()
            .flat_map(|scope| &scope.signals)
            .try_for_each(|signal| signal.write(ink))
    }

    /// The next time at which a flag falls. The flag of `diff` stays up, but the wave goes on until its time, so that
    /// it can be seen.
    pub(super) fn next_fall(&self) -> Option<u64> {
        [&self.op, &self.burst, &self.request, &self.beat, &self.done, &self.diff]
            .iter()
            .filter_map(|scope| scope.until)
            .min()
    }

    /// Lowers the flags whose time has come.
    pub(super) fn fall(&mut self, ink: &mut dyn Ink, time: u64) -> io::Result<()> {
        for scope in [&mut self.op, &mut self.burst, &mut self.request, &mut self.beat, &mut self.done] {
            scope.fall(ink, time)?;
        }
        self.diff.until.take_if(|until| *until <= time);
        Ok(())
    }

    /// Raises the flags of what is expected, and writes the values.
    pub(super) fn show(&mut self, ink: &mut dyn Ink, expect: &Expect) -> io::Result<()> {
        let Expect { time, op, request, beat, done, owed, mismatch } = expect;
        let all = LaneMask::lowest(self.lanes);
        if let Some(op) = op {
            self.op.show(ink, *time, op_values(op, self.lanes, all))?;
            if let Some(burst) = &op.burst {
                self.burst.show(ink, *time, burst_values(op, burst, self.lanes))?;
            }
        }
        if let Some(request) = request {
            self.request.show(
                ink,
                *time,
                request_values(request, &self.attributes, self.line_bytes, self.lanes, all),
            )?;
        }
        if let Some(beat) = beat {
            self.beat.show(ink, *time, beat_values(beat, self.lanes, all))?;
        }
        if let Some(done) = done {
            self.done.show(ink, *time, done_values(done, self.lanes))?;
        }
        if let Some(owed) = owed {
            self.owed.show(ink, *time, [owed.clone().into()])?;
            let ports = [
                (&mut self.request, request.is_some()),
                (&mut self.beat, beat.is_some()),
                (&mut self.done, done.is_some()),
            ];
            ports.into_iter().filter(|(_, shown)| *shown).for_each(|(scope, _)| scope.stays());
        }
        match mismatch {
            Some(mismatch) if !self.diff.signals[0].is_set() => self.diff.show(ink, *time, diff_values(mismatch)),
            _ => Ok(()),
        }
    }
}

fn op_values(op: &ExpectOp, lanes: usize, all: LaneMask) -> impl Iterator<Item = Value> {
    let fields = [
        number(u128::from(op.index)),
        op.text.clone().into(),
        op.clauses.clone().into(),
        number(u128::from((op.active & all).bits())),
    ];
    let (ea, active) = (op.ea, op.active);
    fields.into_iter().chain((0..lanes).map(move |lane| number(active.contains(lane).then_some(ea[lane].into()))))
}

fn burst_values(op: &ExpectOp, burst: &ExpectBurst, lanes: usize) -> impl Iterator<Item = Value> {
    let (active, first, moved) = (op.active, burst.first, burst.moved);
    let each = move |values: [u64; MAX_LANES]| {
        (0..lanes).map(move |lane| number(active.contains(lane).then_some(values[lane].into())))
    };
    [op.text.clone().into(), number(burst.limit.map(u128::from))].into_iter().chain(each(first)).chain(each(moved))
}

fn request_values(
    request: &ExpectRequest,
    attributes: &[Field],
    line_bytes: usize,
    width: usize,
    all: LaneMask,
) -> impl Iterator<Item = Value> {
    let bits = u128::MAX >> (128 - line_bytes);
    let line = u128::from(request.line & ((1 << ADDR_WIDTH) - 1));
    let data = if request.write { bytes(&request.data[..line_bytes]) } else { number(None) };
    let lanes = number(u128::from((request.lanes & all).bits()));
    let of_lane =
        |lane: usize| (0..GROUP_REGISTERS).map(|w| u128::from(request.served[w].contains(lane)) << w).sum::<u128>();
    let words: u128 = (0..width).map(|lane| of_lane(lane) << (GROUP_REGISTERS * lane)).sum();
    let fields = [
        request.text.clone().into(),
        number(u128::from(request.write)),
        number(line),
        number(request.byte_enable & bits),
        data,
        lanes,
        number(u128::from(request.group)),
        number(words),
    ];
    let attr = request.attr;
    let value = move |field: &Field| number(u128::unpack(&op::Bits::from_slice(&attr)[field.offset..][..field.width]));
    fields.into_iter().chain(attributes.iter().map(value))
}

/// The name of an attribute's variable; a dot would stand for a scope.
fn attribute_name(field: &Field) -> String {
    format!("attr_{}", field.path.replace(['.', '['], "_").replace(']', ""))
}

fn beat_values(beat: &ExpectBeat, lanes: usize, all: LaneMask) -> impl Iterator<Item = Value> {
    let fields = [
        beat.text.clone().into(),
        number(u128::from(beat.register % MAX_REGISTERS as u8)),
        number(u128::from((beat.mask & all).bits())),
    ];
    let (data, mask) = (beat.data, beat.mask);
    fields.into_iter().chain((0..lanes).map(move |lane| number(mask.contains(lane).then_some(data[lane].into()))))
}

fn done_values(done: &ExpectDone, lanes: usize) -> impl Iterator<Item = Value> {
    let fields = [done.text.clone().into(), outcomes(&done.faults[..lanes]).into()];
    let faults = done.faults;
    fields.into_iter().chain((0..lanes).map(move |lane| number(faults[lane] as u128)))
}

fn diff_values(diff: &Divergence) -> impl Iterator<Item = Value> {
    let fields =
        [diff.clause.id().into(), diff.clause.text().into(), diff.text.clone().into(), diff.field.clone().into()];
    fields.into_iter().chain([number(diff.lane.map(u128::from))])
}

/// `ok`, or each fault with its lanes: `out of window: 0-3, 7; misaligned: 5`.
fn outcomes(faults: &[Fault]) -> String {
    let of = |fault: Fault| {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for lane in (0..faults.len()).filter(|&lane| faults[lane] == fault) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == lane => *last = lane,
                _ => runs.push((lane, lane)),
            }
        }
        let run = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
        let runs: Vec<String> = runs.into_iter().map(run).collect();
        (!runs.is_empty()).then(|| format!("{}: {}", fault.name(), runs.join(", ")))
    };
    let parts: Vec<String> =
        Fault::ALL.iter().filter(|&&fault| fault != Fault::None).filter_map(|&fault| of(fault)).collect();
    if parts.is_empty() { Fault::None.name().to_owned() } else { parts.join("; ") }
}
