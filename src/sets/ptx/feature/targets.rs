// SPDX-License-Identifier: MIT OR Apache-2.0
//! The versions of PTX, and the targets of each, as far as two of the vendor's assemblers know them. Nothing is assumed
//! about the others.

use super::{Target, Version};

const fn version(major: u16, minor: u16) -> Version {
    Version { major, minor }
}

/// The first and the last version of each major number.
const VERSIONS: &[(Version, Version)] = &[
    (version(4, 0), version(4, 3)),
    (version(5, 0), version(5, 1)),
    (version(6, 0), version(6, 5)),
    (version(7, 0), version(7, 8)),
    (version(8, 0), version(8, 8)),
    (version(9, 0), version(9, 5)),
];

/// The last version of the older assembler. The newer one no longer has all targets.
const OLDER: Version = version(8, 8);
const NEWER: Version = version(9, 5);

/// A target: its number, the first version that has it, the first version for each of its letters `a` and `f` if it has
/// them, and the last version.
struct Row {
    sm: u16,
    first: Version,
    letters: [Option<Version>; 2],
    last: Version,
}

const fn row(sm: u16, (major, minor): (u16, u16), last: Version) -> Row {
    Row { sm, first: version(major, minor), letters: [None, None], last }
}

const fn lettered(row: Row, a: (u16, u16), f: Option<(u16, u16)>) -> Row {
    let f = match f {
        Some((major, minor)) => Some(version(major, minor)),
        None => None,
    };
    Row { letters: [Some(version(a.0, a.1)), f], ..row }
}

const TARGETS: &[Row] = &[
    row(50, (4, 0), OLDER),
    row(52, (4, 1), OLDER),
    row(53, (4, 2), OLDER),
    row(60, (5, 0), OLDER),
    row(61, (5, 0), OLDER),
    row(62, (5, 0), OLDER),
    row(70, (5, 1), OLDER), // The source says 6.0, but the vendor's assembler accepts 5.1.
    row(72, (6, 1), OLDER),
    row(75, (6, 3), NEWER),
    row(80, (7, 0), NEWER),
    row(86, (7, 1), NEWER),
    row(87, (7, 4), NEWER),
    row(88, (9, 0), NEWER),
    row(89, (7, 8), NEWER),
    lettered(row(90, (7, 8), NEWER), (8, 0), None),
    lettered(row(100, (8, 6), NEWER), (8, 6), Some((8, 8))),
    lettered(row(101, (8, 6), OLDER), (8, 6), Some((8, 8))),
    lettered(row(103, (8, 8), NEWER), (8, 8), Some((8, 8))),
    lettered(row(110, (9, 0), NEWER), (9, 0), Some((9, 0))),
    lettered(row(120, (8, 7), NEWER), (8, 7), Some((8, 8))),
    lettered(row(121, (8, 8), NEWER), (8, 8), Some((8, 8))),
];

/// Checks that a version has a target. Otherwise returns what is wrong, and what is known.
pub(crate) fn exists(target: Target, version: Version) -> Result<(), (String, String)> {
    if !VERSIONS.iter().any(|(first, last)| (*first..=*last).contains(&version)) {
        let known: Vec<_> = VERSIONS.iter().map(|(first, last)| format!("{first} to {last}")).collect();
        return Err((format!("nothing is known of PTX {version}"), format!("known are PTX {}", known.join(", "))));
    }
    let row = TARGETS.iter().find(|row| row.sm == target.sm);
    let first = row.and_then(|row| match target.letter {
        None => Some(row.first),
        Some('a') => row.letters[0],
        Some(_) => row.letters[1],
    });
    let (Some(row), Some(first)) = (row, first) else {
        return Err((format!("nothing is known of the target {target}"), format!("known are {}", known())));
    };
    if version < first {
        Err((format!("PTX {version} does not know {target}"), format!("PTX {first} and newer know it")))
    } else if version > row.last {
        let help = format!("PTX {first} to {} know it; of the newer ones only sm_75 and up are known", row.last);
        Err((format!("PTX {version} does not know {target}"), help))
    } else {
        Ok(())
    }
}

/// The newest version that has a target; for an unknown target, the newest of all.
pub fn newest(target: Target) -> Version {
    TARGETS.iter().find(|row| row.sm == target.sm).map_or(NEWER, |row| row.last)
}

fn known() -> String {
    let names = TARGETS.iter().map(|row| match row.letters {
        [None, _] => format!("sm_{}", row.sm),
        [_, None] => format!("sm_{} (a)", row.sm),
        [_, _] => format!("sm_{} (a, f)", row.sm),
    });
    names.collect::<Vec<_>>().join(", ")
}
