// SPDX-License-Identifier: MIT OR Apache-2.0
//! How viewers open a wave: a save file for GTKWave and a command file for Surfer beside it, with the divergence marked
//! and in view.

use std::{
    fmt::Write as _,
    io::Write,
    path::{Path, PathBuf},
};

use super::{
    PERIOD, WaveError,
    layout::{self, Opens, Row},
    signal::Listed,
};
use crate::output::{Output, is_somebodys};

/// How the first lines of our files begin; a layout that a user saved begins with GTKWave's own line.
const OURS: [(&str, &str); 2] = [("gtkw", "[*] gpu-lsu"), ("sucl", "# gpu-lsu")];
/// 640 time units in a window of 1000 pixels.
const ZOOM: f32 = -6.0;
/// How much of the past is in view, left of the divergence.
const BEFORE: u64 = 40 * PERIOD;

/// The path of a wave's save file for GTKWave.
pub fn path(wave: &Path) -> PathBuf {
    wave.with_extension("gtkw")
}

/// The save file for GTKWave beside a wave, unless a user made it.
pub fn ours(wave: &Path) -> Option<PathBuf> {
    let [(_, ours), _] = OURS;
    Some(path(wave)).filter(|path| path.is_file() && !is_somebodys(path, ours))
}

/// The path of a wave's command file for Surfer.
pub fn commands(wave: &Path) -> PathBuf {
    wave.with_extension("sucl")
}

/// Writes both files beside a wave that contains `signals`. Keeps a file that a user made.
///
/// # Errors
///
/// When a file cannot be written.
pub(crate) fn save(wave: &Path, signals: &[Listed], opens: Opens<'_>) -> Result<(), WaveError> {
    for (extension, ours) in OURS {
        let to = wave.with_extension(extension);
        if is_somebodys(&to, ours) {
            continue;
        }
        let text = match extension {
            "gtkw" => gtkwave(wave, signals, opens),
            _ => surfer(wave, signals, opens),
        };
        let written = Output::create(&to).and_then(|mut output| {
            output.write_all(format!("{ours}{text}").as_bytes())?;
            output.finish()
        });
        written.map_err(|error| WaveError::Write { path: to, error })?;
    }
    Ok(())
}

fn gtkwave(wave: &Path, signals: &[Listed], Opens { time, divergence }: Opens<'_>) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
    let marker = divergence.map_or("-1".to_owned(), |_| time.to_string());
    let head = [
        format!(": opens with `gtkwave {}`", path(wave).display()),
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
    let mut text = head.join("\n") + "\n";
    let rows = layout::rows(signals, divergence);
    rows.iter().for_each(|row| gtkwave_row(&mut text, row));
    text
}

fn gtkwave_row(text: &mut String, row: &Row<'_>) {
    // Writing to a string does not fail.
    let _ = match row {
        Row::Signal(signal) => {
            // GTKWave shows only the last part of a dotted name.
            let flag = match (signal.is_text, signal.bits) {
                (true, _) => "@820",                                                           // text
                (_, 1) => "@28",                                                               // binary
                _ if ["cycle", "index"].iter().any(|end| signal.path.ends_with(end)) => "@24", // decimal
                _ => "@22",                                                                    // hexadecimal
            };
            writeln!(text, "{flag}\n+{{{}}} {}", signal.name().replace('.', " "), signal.path)
        }
        Row::Group { name, open, rows } => {
            let (begin, end) = if *open { ("@800200", "@1000200") } else { ("@c00200", "@1401200") };
            let _ = writeln!(text, "{begin}\n-{name}");
            rows.iter().for_each(|row| gtkwave_row(text, row));
            writeln!(text, "{end}\n-{name}")
        }
    };
}

/// Surfer's commands can group only what is marked by hand: dividers stand for the open groups, and the rest is in its
/// list of variables.
fn surfer(wave: &Path, signals: &[Listed], Opens { time, divergence }: Opens<'_>) -> String {
    let [commands, wave] = [commands(wave), wave.to_owned()].map(|path| path.display().to_string());
    let mut text = format!(": opens with `surfer --command-file {commands} {wave}`\n");
    let rows = layout::rows(signals, divergence);
    rows.iter().for_each(|row| surfer_row(&mut text, row));
    if let Some(divergence) = divergence {
        let _ = writeln!(text, "cursor_set {time}\nmarker_set {}\ngoto_cursor", divergence.clause);
    }
    text
}

fn surfer_row(text: &mut String, row: &Row<'_>) {
    match row {
        Row::Signal(signal) => {
            // Without the range, but with the index of an array's element.
            let path = match signal.path.rfind('[') {
                Some(at) if signal.path[at..].contains(':') => &signal.path[..at],
                _ => &signal.path,
            };
            let _ = writeln!(text, "variable_add {path}"); // writing to a string does not fail
        }
        Row::Group { open: false, .. } => {}
        Row::Group { name, rows, .. } => {
            let _ = writeln!(text, "divider_add {name}");
            rows.iter().for_each(|row| surfer_row(text, row));
        }
    }
}
