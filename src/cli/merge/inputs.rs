// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that are merged: which they are, which of them count, and what is said of one that is refused.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::{
    cli::{Error, note, refusal, shared, tell},
    explain::words::wrap,
    program::{Problem, ProgramError},
    regress::{ENDING, Head, MergeError, ReadError, Results, Selection},
};

/// Results by their heads: the rest is read when it is added.
pub struct Inputs {
    files: Vec<PathBuf>,
    heads: Vec<Head>,
}

impl Inputs {
    /// Looks at every file, and at every one of a folder; none, if one is refused, which is said.
    ///
    /// # Errors
    ///
    /// When a file or a folder cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<Option<Self>, Error> {
        let mut inputs = Inputs { files: Vec::new(), heads: Vec::new() };
        let mut refused = false;
        if paths.iter().any(|path| path.as_os_str() == "-") {
            return Err(Error::Usage("`merge` takes no standard input: give results, or folders of them".to_owned()));
        }
        for path in paths {
            for file in files(path)? {
                match Head::read(&bytes(&file)?) {
                    Ok(head) => {
                        inputs.files.push(file);
                        inputs.heads.push(head);
                    }
                    Err(error) => {
                        refuse(&file, &error)?;
                        refused = true;
                    }
                }
            }
        }
        Ok((!refused).then_some(inputs))
    }

    /// The files, those of folders one by one.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Which of them count; none, if they do not go together, which is said.
    pub fn selection(&self) -> Option<Selection> {
        match Selection::of(&self.heads) {
            Ok(selection) => {
                for skipped in &selection.skipped {
                    let what = if skipped.same { "all of it is in" } else { "more of it is in" };
                    let text =
                        format!("note: {} is not counted: {what} {}", self.name(skipped.file), self.name(skipped.by));
                    note(&wrap(&text, 2));
                }
                Some(selection)
            }
            Err(error) => {
                tell(&wrap(&format!("error: {}", self.text(&error)), 2));
                None
            }
        }
    }

    /// How many shards the campaign was cut into, of which these count.
    pub fn shards(&self, selection: &Selection) -> u64 {
        selection.taken.iter().map(|&file| self.heads[file].shards.of).max().unwrap_or(1)
    }

    /// What a file holds; none, if it is refused, which is said.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn results(&self, file: usize) -> Result<Option<(Results, Head)>, Error> {
        let path = &self.files[file];
        match Results::read(&bytes(path)?) {
            // Between two looks somebody else may have written it again.
            Ok((results, head)) if head == self.heads[file] => Ok(Some((results, head))),
            Ok(_) => {
                tell(&format!("error: {} changed while it was read\n", path.display()));
                Ok(None)
            }
            Err(error) => {
                refuse(path, &error)?;
                Ok(None)
            }
        }
    }

    fn name(&self, file: usize) -> String {
        self.files[file].display().to_string()
    }

    fn text(&self, error: &MergeError) -> String {
        match error {
            MergeError::Mixed { file, what, theirs, ours } => format!(
                "{} is of another campaign than {}: its {what} is {theirs}, and not {ours}",
                self.name(*file),
                self.name(0)
            ),
            MergeError::Cut { files: [one, other], of: [ours, theirs] } => format!(
                "{} is of a campaign in {ours} shards, and {} of the same one in {theirs}: they do not add up",
                self.name(*one),
                self.name(*other)
            ),
            MergeError::Different { files: [one, other], shard } => format!(
                "{} and {} say different things of shard {shard}: the same blocks on the same unit never differ; was the \
                 program another one?",
                self.name(*one),
                self.name(*other)
            ),
            MergeError::Overlap { files: [several, other], shard } => format!(
                "{} has shard {shard} together with others, and {} has it as well: leave one of them out",
                self.name(*several),
                self.name(*other)
            ),
        }
    }
}

/// A file, or those of a folder by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let cannot = |error| unreadable(path, error);
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        if file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING)) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        note(&format!("note: there is no *{ENDING} in {}\n", path.display()));
    }
    Ok(files)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = shared::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    let hint = "give results, or folders of them, that can be read";
    Error::Given { name: format!("`{}`", path.display()), error, hint }
}

/// Says what is wrong with a file, and where.
fn refuse(path: &Path, error: &ReadError) -> Result<(), Error> {
    let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
    let ReadError { line, column, message, help } = error;
    let (message, help) = (message.clone(), (*help).to_owned());
    let problem = Problem { line: *line, column: *column, span: 0..1, message, clause: None, help };
    refusal::tell(&ProgramError { name: path.display().to_string(), text, problems: vec![problem] });
    Ok(())
}
