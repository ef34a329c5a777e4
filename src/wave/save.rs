// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a wave opens: a save file for GTKWave beside it, with the ports in groups, the model's signals at their ports, and the
//! divergence marked and in view.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use super::{Annotations, Divergence, PERIOD, WaveError};
use crate::output::Output;

/// The first line of what is ours: a layout that somebody saved has GTKWave's own.
const OURS: &str = "[*] gpu-lsu";
/// 640 time units in a window of 1000 pixels.
const ZOOM: f32 = -6.0;
/// So much of the past is in view, left of the divergence.
const BEFORE: u64 = 40 * PERIOD;

/// The channels, as a reader follows an operation: prefix of its ports, scope of the model's signals, the ports' clause.
const CHANNELS: [(&str, Option<&str>, &str); 6] = [
    ("op_", Some("op"), "PORT-OP"),
    ("data_", None, "PORT-DATA"),
    ("mem_req_", Some("req"), "PORT-REQ"),
    ("mem_rsp_", None, "PORT-RSP"),
    ("wb_", Some("wb"), "PORT-WB"),
    ("done_", Some("done"), "PORT-DONE"),
];

/// A signal of the wave.
struct Signal {
    /// With its scopes and its range, as GTKWave calls it.
    path: String,
    bits: u32,
    is_text: bool,
}

impl Signal {
    fn flag(&self) -> &'static str {
        match (self.is_text, self.bits) {
            (true, _) => "@820", // text
            (_, 1) => "@28",     // binary
            _ => "@22",          // hexadecimal
        }
    }

    /// One lane's part of a port, or the model's for one lane.
    fn lane(&self) -> Option<usize> {
        let number = match self.path.split_once("_lane") {
            Some((_, rest)) => rest.get(..2),
            None => self.path.split_once("[").and_then(|(_, rest)| rest.split(']').next()),
        };
        number.and_then(|digits| digits.parse().ok())
    }

    fn is_handshake(&self) -> bool {
        self.path.ends_with("_valid_i")
            || self.path.ends_with("_valid_o")
            || self.path.ends_with("_ready_i")
            || self.path.ends_with("_ready_o")
    }
}

/// The place of a wave's save file.
pub fn path(wave: &Path) -> PathBuf {
    wave.with_extension("gtkw")
}

/// Writes the save file beside a wave that [`annotate`](super::annotate) wrote. One that somebody made himself stays.
///
/// # Errors
///
/// When the wave cannot be read, or the file not be written.
pub fn save(wave: &Path, annotations: &Annotations) -> Result<(), WaveError> {
    let to = path(wave);
    if is_somebodys(&to) {
        return Ok(());
    }
    let signals = signals(wave).map_err(|error| WaveError::Read { path: wave.to_owned(), error })?;
    let text = text(wave, &signals, annotations);
    let written = Output::create(&to).and_then(|mut output| {
        output.write_all(text.as_bytes())?;
        output.finish()
    });
    written.map_err(|error| WaveError::Write { path: to, error })
}

fn is_somebodys(path: &Path) -> bool {
    let mut first = [0; OURS.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_err() || first != *OURS.as_bytes())
}

/// The signals of a VCD's header.
fn signals(wave: &Path) -> io::Result<Vec<Signal>> {
    let (mut scopes, mut signals) = (Vec::new(), Vec::new());
    for line in BufReader::new(File::open(wave)?).lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name.to_owned()),
            ["$upscope", ..] => drop(scopes.pop()),
            ["$var", kind, bits, _, name, ref rest @ ..] => {
                let range = rest.first().filter(|range| range.starts_with('[')).unwrap_or(&"");
                let path = format!("{}.{name}{range}", scopes.join("."));
                signals.push(Signal { path, bits: bits.parse().unwrap_or(1), is_text: kind == "string" });
            }
            ["$enddefinitions", ..] => break,
            _ => {}
        }
    }
    Ok(signals)
}

/// The save file, group by group.
struct Sheet {
    text: String,
}

impl Sheet {
    fn group(&mut self, name: &str, open: bool, fill: impl FnOnce(&mut Self)) {
        let (begin, end) = if open { ("@800200", "@1000200") } else { ("@c00200", "@1401200") };
        let length = self.text.len();
        let _ = writeln!(self.text, "{begin}\n-{name}"); // a String takes everything
        let begun = self.text.len();
        fill(self);
        match self.text.len() == begun {
            true => self.text.truncate(length), // a group of nothing
            false => drop(writeln!(self.text, "{end}\n-{name}")),
        }
    }

    fn signals<'a>(&mut self, signals: impl IntoIterator<Item = &'a Signal>) {
        for signal in signals {
            let _ = writeln!(self.text, "{}\n{}", signal.flag(), signal.path);
        }
    }
}

fn text(wave: &Path, signals: &[Signal], annotations: &Annotations) -> String {
    let marked = annotations.expects.iter().find_map(|expect| Some((expect.time, expect.mismatch.as_ref()?)));
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    let time = marked.map_or(0, |(time, _)| time);
    let marker = marked.map_or("-1".to_owned(), |(time, _)| time.to_string());
    let mut sheet = Sheet { text: format!("{OURS}: opens with `gtkwave {}`\n", path(wave).display()) };
    let head = [
        format!("[dumpfile] \"{}\"", absolute(wave)),
        format!("[savefile] \"{}\"", absolute(&path(wave))),
        format!("[timestart] {}", time.saturating_sub(BEFORE)),
        "[size] 1600 1000".to_owned(),
        "[pos] -1 -1".to_owned(),
        format!("*{ZOOM:.6} {marker}{}", " -1".repeat(27)),
        "[sst_width] 200".to_owned(),
        "[signals_width] 400".to_owned(),
        "[sst_expanded] 0".to_owned(),
    ];
    sheet.text += &(head.join("\n") + "\n");

    let of = |prefix: String| signals.iter().filter(move |signal| signal.path.starts_with(&prefix));
    let name = marked.map_or("diff".to_owned(), |(_, divergence)| format!("diff: {}", divergence.clause));
    sheet.group(&name, marked.is_some(), |sheet| sheet.signals(of("diff.".to_owned())));
    sheet.signals(of("top.clk_i".to_owned()).chain(of("top.rst_ni".to_owned())));
    for (prefix, model, clause) in CHANNELS {
        let here = marked.map(|(_, divergence)| divergence).filter(|divergence| divergence.field.starts_with(prefix));
        let name = format!("{}: {clause}", prefix.trim_end_matches('_'));
        sheet.group(&name, true, |sheet| port(sheet, prefix, model, here, &of));
    }
    sheet.group("ctrl_i", false, |sheet| sheet.signals(of("top.ctrl_i".to_owned())));
    sheet.text
}

/// A port: its handshake, what it carries, and what the model expects there; open where they part.
fn port<'a, I: Iterator<Item = &'a Signal>>(
    sheet: &mut Sheet,
    prefix: &str,
    model: Option<&str>,
    here: Option<&Divergence>,
    of: &impl Fn(String) -> I,
) {
    let open = here.is_some();
    let lane = here.and_then(|divergence| divergence.lane).map(usize::from);
    let unit: Vec<_> = of(format!("top.{prefix}")).collect();
    let model: Vec<_> = model.map(|scope| of(format!("ref.{scope}.")).collect()).unwrap_or_default();
    sheet.signals(unit.iter().copied().filter(|signal| signal.is_handshake()));
    // The lane at fault, unit and model side by side.
    let at_fault = |signal: &&&Signal| lane.is_some() && signal.lane() == lane;
    sheet.signals(unit.iter().chain(&model).filter(at_fault).copied());
    let telling = ["valid", "text"].map(|name| format!(".{name}"));
    sheet.signals(model.iter().copied().filter(|signal| telling.iter().any(|end| signal.path.ends_with(end.as_str()))));
    let plain = |signal: &&Signal| signal.lane().is_none() && !signal.is_handshake();
    sheet.group("unit", open, |sheet| sheet.signals(unit.iter().copied().filter(plain)));
    sheet.group("unit, lanes", false, |sheet| sheet.signals(unit.iter().copied().filter(|s| s.lane().is_some())));
    sheet.group("ref: the model", open, |sheet| sheet.signals(model.iter().copied().filter(plain)));
    sheet.group("ref, lanes", false, |sheet| sheet.signals(model.iter().copied().filter(|s| s.lane().is_some())));
}
