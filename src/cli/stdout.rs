// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard output, which hides no verdict: a reader that goes away or a full disk stops nobody on the way to it.

use std::{
    io::{self, BufWriter, StdoutLock, Write},
    process::ExitCode,
};

use super::{Error, say};

/// Takes everything; after the first error it keeps nothing but the error. Writing to it never fails.
pub struct Stdout {
    output: BufWriter<StdoutLock<'static>>,
    error: Option<io::Error>,
}

impl Stdout {
    pub fn new() -> Self {
        Stdout { output: BufWriter::with_capacity(1 << 16, io::stdout().lock()), error: None }
    }

    /// Whether anybody still gets what is written.
    pub fn is_open(&self) -> bool {
        self.error.is_none()
    }

    /// The exit code of a command whose verdict has this one. Only of one that went well (0) data that could not be
    /// delivered makes an error; a reader that went away wanted no more.
    pub fn finish(mut self, code: u8) -> Result<ExitCode, Error> {
        self.note(|output| output.flush());
        match self.error.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe && code == 0 => Err(Error::Write(error)),
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                say(&Error::Write(error));
                Ok(ExitCode::from(code))
            }
            _ => Ok(ExitCode::from(code)),
        }
    }

    fn note(&mut self, write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.output).err();
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(|output| output.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(|output| output.flush());
        Ok(())
    }
}
