// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the subcommands that drive the unit have in common.

use std::{
    fs::{self, File},
    io::{self, IsTerminal, Read, Write},
    path::Path,
};

use super::{Error, manners};
use crate::{explain::words::wrap, sets::text::MARK};

/// Says something to whoever watches.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes()); // nowhere else to say it
}

/// Something that nobody misses who does not want to know: a note, a hint.
pub fn note(text: &str) {
    if !manners::quiet() {
        tell(text);
    }
}

/// Why something is refused, and what to do about it.
pub fn refused(text: &str, hint: &str) {
    tell(&wrap(&format!("error: {text}"), 0));
    note(&format!("\n{}", wrap(&format!("hint: {hint}"), 6)));
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path for a shell.
pub fn named(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// An error, and what can be done about it.
pub fn say(error: &Error) {
    let hint = error.hint().filter(|_| !manners::quiet());
    let hint = hint.map_or(String::new(), |hint| format!("\n{}", wrap(&format!("hint: {hint}"), 6)));
    let text = format!("error: {error}");
    let error = match error {
        #[cfg(feature = "rtl")]
        Error::Dut(_) => wrap(&text, 2),
        // What another program said has lines of its own.
        Error::Usage(_) if !text.contains('\n') => wrap(&text, 2),
        _ => text + "\n",
    };
    tell(&format!("{error}{hint}"));
}

/// Opens a file that is read to its end, which a device such as /dev/zero does not have.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let this = file.metadata()?;
        let is_null = || fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == this.rdev());
        if this.file_type().is_char_device() && !file.is_terminal() && !is_null() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device, which may have no end"));
        }
    }
    Ok(file)
}

/// A whole file, or standard input.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map(drop)
    };
    let name = || format!("`{}`", path.display());
    result.map_err(|error| Error::Read { name: name(), error })?;
    if bytes.starts_with(MARK.as_bytes()) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let text = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let text = String::from_utf8_lossy(text);
        let (line, last) = (text.matches('\n').count() + 1, text.rsplit('\n').next().unwrap_or_default());
        Error::NoText { name: name(), line, column: last.chars().count() + 1 }
    })
}

/// One JSON object, on a line.
pub fn json_line(output: &mut impl Write, value: &impl serde::Serialize) -> Result<(), Error> {
    serde_json::to_writer(&mut *output, value).map_err(io::Error::from)?;
    writeln!(output)?;
    Ok(())
}
