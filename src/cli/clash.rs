// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that would take each other's place: told before anything is written.

use std::{
    collections::HashMap,
    fs,
    path::{self, Path, PathBuf},
};

use super::Error;

/// A file that is to be written, and the option that asks for it.
pub type Written = (&'static str, PathBuf);

/// Of options that may name a file, those that do.
pub fn given<'a>(
    options: impl IntoIterator<Item = (&'static str, Option<&'a PathBuf>)>,
) -> impl Iterator<Item = Written> {
    options.into_iter().filter_map(|(option, path)| Some((option, path?.clone())))
}

/// What an option leaves is a file: `what`, for the message.
///
/// # Errors
///
/// When it is `-`.
pub fn not_standard(what: &str, option: &str, path: &Path) -> Result<(), Error> {
    if path == Path::new("-") {
        return Err(Error::Usage(format!("{what} is a file: `{option}` takes a path, and not `-`")));
    }
    Ok(())
}

/// What an option leaves is a folder.
///
/// # Errors
///
/// When it is a file.
pub fn folder(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => {
            Err(Error::Usage(format!("`{}` is a file: give a folder, or one that is not there yet", path.display())))
        }
        _ => Ok(()),
    }
}

/// There is one standard input, for one of the files that are read.
///
/// # Errors
///
/// When more than one is `-`.
pub fn one_input<'a>(read: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
    match read.into_iter().filter(|path| *path == Path::new("-")).count() {
        0 | 1 => Ok(()),
        _ => Err(Error::Usage("standard input is one file: only one of those that are read can be `-`".to_owned())),
    }
}

/// Holds what is written to files of their own: none is read, none is written twice, and none is where standard output or
/// standard error goes. `-` is read from standard input, whatever that is.
///
/// # Errors
///
/// When one is.
pub fn check<'a>(
    read: impl IntoIterator<Item = &'a Path>,
    written: impl IntoIterator<Item = Written>,
) -> Result<(), Error> {
    let read: Vec<&Path> = read.into_iter().collect();
    one_input(read.iter().copied())?;
    let streams = streams();
    let input = |path: &Path| file(if path == Path::new("-") { Path::new("/dev/stdin") } else { path });
    let mut taken: HashMap<File, Option<&str>> = read.into_iter().filter_map(input).map(|file| (file, None)).collect();
    for (option, path) in written {
        let Some(file) = file(&path) else { continue };
        let name = path.display();
        if let Some((_, stream)) = streams.iter().find(|(other, _)| *other == file) {
            return Err(Error::Usage(format!("`{name}` is {stream}: {option} needs a file of its own")));
        }
        match taken.insert(file, Some(option)) {
            None => {}
            Some(None) => {
                return Err(Error::Usage(format!("`{name}` is what is read: {option} needs a file of its own")));
            }
            Some(Some(other)) => {
                return Err(Error::Usage(format!(
                    "`{name}` is for {other} and {option}: each needs a file of its own"
                )));
            }
        }
    }
    Ok(())
}

/// A file, whatever it is called.
#[derive(PartialEq, Eq, Hash)]
enum File {
    /// Device and number.
    #[cfg(unix)]
    Node(u64, u64),
    /// Where it is, or will be.
    Path(PathBuf),
}

/// The files that standard output and standard error go to.
#[cfg(unix)]
fn streams() -> Vec<(File, &'static str)> {
    use std::os::{fd::AsFd, unix::fs::MetadataExt};
    let (output, error) = (std::io::stdout(), std::io::stderr());
    let streams = [(output.as_fd(), "standard output"), (error.as_fd(), "standard error")];
    let found = streams.into_iter().filter_map(|(stream, name)| {
        let found = fs::File::from(stream.try_clone_to_owned().ok()?).metadata().ok()?;
        found.is_file().then(|| (File::Node(found.dev(), found.ino()), name))
    });
    found.collect()
}

#[cfg(not(unix))]
fn streams() -> Vec<(File, &'static str)> {
    Vec::new()
}

/// The file of this name; none, if it is a pipe, a device or a folder, in which nothing takes another's place.
fn file(path: &Path) -> Option<File> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => None,
        #[cfg(unix)]
        Ok(found) => {
            Some(File::Node(std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found)))
        }
        #[cfg(not(unix))]
        Ok(_) => Some(File::Path(fs::canonicalize(path).ok()?)),
        Err(_) => {
            let whole = path::absolute(path).ok()?;
            let (folder, name) = (whole.parent()?, whole.file_name()?);
            Some(File::Path(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(name)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let refused = |read: &str, written: &[&str]| {
            let written: Vec<Written> = written.iter().map(|name| ("--log", at(name))).collect();
            check([&*at(read)], written).is_err()
        };
        fs::write(at("a"), "").unwrap();
        fs::create_dir(at("sub")).unwrap();
        assert!(refused("a", &["a"]) && refused("a", &["./a"]) && refused("a", &["sub/../a"]));
        assert!(!refused("a", &["b", "c", "sub/b"]) && refused("a", &["b", "sub/../b"]), "not there yet");
        assert!(refused("none", &["sub/../none"]));
        assert!(!refused("a", &["none/b", "none/c"]) && refused("a", &["none/b", "none/b"]), "no such folder");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            std::os::unix::fs::symlink("sub", at("there")).unwrap();
            fs::hard_link(at("a"), at("hard")).unwrap();
            assert!(refused("a", &["link"]) && refused("hard", &["link"]) && refused("a", &["b", "hard"]));
            assert!(refused("a", &["sub/b", "there/b"]));
            let null = || ("--log", PathBuf::from("/dev/null"));
            assert!(check([Path::new("/dev/null")], [null(), null()]).is_ok(), "a device takes everything");
        }
    }
}
