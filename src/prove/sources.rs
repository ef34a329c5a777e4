// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL as Yosys gets it: all files in one folder, and what a list says besides them.

use std::{fs, path::Path};

use super::{ProveError, check::PACKAGES, failed, no_room, parts::PARTS};
use crate::rtl::listing::{Listing, has_extension};

/// The sources in the folder of a proof.
pub(crate) struct Copy {
    /// The names of the packages.
    pub packages: Vec<String>,
    /// What read_slang is told besides: where included files are, and the macros of a list.
    pub options: String,
}

/// A file, by its name without folders.
struct Source {
    name: String,
    text: Vec<u8>,
    /// Whether it is one of those that are compiled, and not only included.
    compiled: bool,
}

/// Copies the sources, also those in subfolders, to the one folder where Yosys can read them.
///
/// # Errors
///
/// When they cannot be read, or would be others there than they are for Verilator.
pub(crate) fn copy(rtl: &Path, dir: &Path) -> Result<Copy, ProveError> {
    let listing = Listing::of(rtl).map_err(|error| failed(format!("cannot read `{}`", rtl.display()), error))?;
    let options = options(&listing.defines)?;
    let sources = read(&listing)?;
    if !sources.iter().any(|source| source.name == "lsu_pkg.sv") {
        return Err(ProveError::NoRtl(rtl.to_owned()));
    }
    by_themselves(&sources)?;
    for source in &sources {
        fs::write(dir.join(&source.name), &source.text).map_err(|error| failed(no_room(), error))?;
    }
    let packages = sources.into_iter().filter(|source| source.compiled && source.name.ends_with("_pkg.sv"));
    let mut packages: Vec<String> = packages.map(|source| source.name).collect();
    packages.sort();
    Ok(Copy { packages, options })
}

/// Macros as a list gives them to Verilator, for which one without a value is empty.
fn options(defines: &[String]) -> Result<String, ProveError> {
    let mut options = "-I .".to_owned();
    for define in defines.iter().filter(|define| !define.is_empty()) {
        // Yosys takes a command apart at spaces, quotes and semicolons.
        let plain = |c: char| c.is_ascii_alphanumeric() || "_='.~-*()[]{}:,".contains(c);
        if !define.chars().all(plain) {
            return Err(ProveError::Define(define.clone()));
        }
        options += &format!(" -D {define}{}", if define.contains('=') { "" } else { "=" });
    }
    Ok(options)
}

/// The files of a listing, each name once.
fn read(listing: &Listing) -> Result<Vec<Source>, ProveError> {
    let mut sources: Vec<Source> = Vec::new();
    let files = listing.files.iter().map(|path| (path, true)).chain(listing.others.iter().map(|path| (path, false)));
    for (path, compiled) in files.filter(|(path, _)| has_extension(path, &["sv", "v", "svh", "vh"])) {
        let text = fs::read(path).map_err(|error| failed(format!("cannot read `{}`", path.display()), error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match sources.iter().find(|source| source.name == name) {
            Some(other) if other.text != text => return Err(ProveError::Twice { name }),
            Some(_) => {}
            None => sources.push(Source { name, text, compiled }),
        }
    }
    Ok(sources)
}

/// Yosys reads each file by itself, and only some of them: what one defines, the next one does not know. Verilator reads
/// all of them in turn.
fn by_themselves(sources: &[Source]) -> Result<(), ProveError> {
    let texts: Vec<_> = sources.iter().map(|source| String::from_utf8_lossy(&source.text)).collect();
    for (source, text) in sources.iter().zip(&texts).filter(|(source, _)| source.compiled) {
        for macro_name in defined(text) {
            let asks = |text: &str| mentions(text, macro_name) && !defined(text).any(|name| name == macro_name);
            let includes = |text: &str| text.contains("`include") && text.contains(&source.name);
            let user = sources.iter().zip(&texts).find(|(_, text)| asks(text) && !includes(text));
            if let Some((user, _)) = user {
                let [name, definer, user] = [macro_name, &source.name, &user.name].map(str::to_owned);
                return Err(ProveError::Macro { name, definer, user });
            }
        }
    }
    Ok(())
}

/// The macros that a text defines.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("`define")?;
        rest.trim_start().split(|c| !is_of_name(c)).next().filter(|name| !name.is_empty())
    })
}

/// Whether a text uses a macro, or asks whether there is one.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let asked = ["`ifdef", "`ifndef", "`elsif"].iter().any(|word| before.trim_end().ends_with(word));
        (before.ends_with('`') || asked) && !after.starts_with(is_of_name)
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The files of which a simulator may read something else than what is proved: their texts depend on who reads, and no
/// block is about both readings. There is none in the RTL of this project.
///
/// # Errors
///
/// When the RTL cannot be read.
pub fn of_hardware_alone(rtl: &Path) -> Result<Vec<String>, ProveError> {
    let listing = Listing::of(rtl).map_err(|error| failed(format!("cannot read `{}`", rtl.display()), error))?;
    let both = |name: &str| {
        PACKAGES.contains(&name)
            || PARTS.iter().any(|part| part.twins.contains(&name) || part.simulated.contains(&name))
    };
    let is_read = |source: &Source| {
        let name = source.name.as_str();
        !source.compiled || name.ends_with("_pkg.sv") || PARTS.iter().any(|part| part.files.contains(&name))
    };
    let asks = |text: &str| ["SYNTHESIS", "VERILATOR"].iter().any(|name| mentions(text, name));
    let found = read(&listing)?.into_iter().filter(|source| is_read(source) && !both(&source.name));
    let found = found.filter(|source| asks(&String::from_utf8_lossy(&source.text)));
    Ok(found.map(|source| source.name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_given_as_verilator_reads_them() {
        let of = |defines: &[&str]| options(&defines.iter().map(|&define| define.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]).unwrap(), "-I .");
        assert_eq!(of(&["A", "", "B=4'd3"]).unwrap(), "-I . -D A= -D B=4'd3");
        for define in ["A=\"a\"", "A=1;x", "A=a|b"] {
            assert!(matches!(of(&[define]), Err(ProveError::Define(name)) if name == define), "{define}");
        }
    }

    #[test]
    fn a_file_that_needs_the_macro_of_another_is_not_read_alone() {
        let refused = |files: &[(&str, &str)]| {
            let source = |&(name, text): &(&str, &str)| Source {
                name: name.to_owned(),
                text: text.as_bytes().to_vec(),
                compiled: !name.ends_with(".svh"),
            };
            by_themselves(&files.iter().map(source).collect::<Vec<_>>()).is_err()
        };
        let of = |user: &str| refused(&[("a.sv", "  `define MINE 1\n"), ("b.sv", user)]);
        assert!(of("`ifdef MINE\n") && of("`elsif  MINE\n") && of("x = `MINE;"));
        assert!(
            !of("x = `MINE2;") && !of("x = MINE;") && !of("`define MINE 2\n`MINE") && !of("`include \"a.sv\"\n`MINE")
        );
        assert!(!refused(&[("a.svh", "`define MINE 1\n"), ("b.sv", "`include \"a.svh\"\n`MINE")]));
        assert!(!refused(&[("a.sv", "`define MINE 1\n`MINE")]));
    }

    /// Of this project's RTL everything is proved as both read it, so that nothing is said of it.
    #[test]
    fn nothing_of_this_rtl_is_of_the_hardware_alone() {
        let rtl = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rtl"));
        assert_eq!(of_hardware_alone(rtl).unwrap(), Vec::<String>::new());
    }
}
