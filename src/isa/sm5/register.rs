// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers that a program's lanes have: what stands behind a source's name.

use std::fmt;

use super::{File, print::LETTERS};

/// The files that a program has, how many registers, and of an array's file how many in each array.
const FILES: [(File, u16, Option<u16>); 16] = [
    (File::Temp, 4096, None),
    (File::ConstantBuffer, 14 * 512, Some(512)),
    (File::IndexableTemp, 16 * 256, Some(256)),
    (File::ImmediateConstantBuffer, 512, None),
    (File::Input, 32, None),
    (File::ThreadId, 1, None),
    (File::ThreadGroupId, 1, None),
    (File::ThreadIdInGroup, 1, None),
    (File::ThreadIdInGroupFlattened, 1, None),
    (File::Coverage, 1, None),
    (File::PrimitiveId, 1, None),
    (File::OutputControlPointId, 1, None),
    (File::ForkInstanceId, 1, None),
    (File::JoinInstanceId, 1, None),
    (File::DomainLocation, 1, None),
    (File::GsInstanceId, 1, None),
];

/// A register of four components. Of an instruction's operands it is what an immediate index names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    file: File,
    /// Among all registers of a program.
    place: u16,
}

impl Register {
    /// The register of a file with these indices, if a program has it.
    ///
    /// ```
    /// use gpu_lsu::isa::sm5::{File, Register};
    ///
    /// assert_eq!(Register::new(File::ConstantBuffer, [Some(0), Some(3), None]).unwrap().to_string(), "cb0[3]");
    /// assert_eq!(Register::new(File::Temp, [Some(4096), None, None]), None);
    /// ```
    pub fn new(file: File, indices: [Option<u32>; 3]) -> Option<Self> {
        let mut first = 0;
        for (other, count, each) in FILES {
            if other == file {
                let place = match (indices, each, count) {
                    ([None, ..], None, 1) => 0,
                    ([Some(array), Some(element), None], Some(each), _) if element < each.into() => {
                        array.checked_mul(each.into())?.checked_add(element)?
                    }
                    ([Some(number), None, _], None, 2..) => number,
                    _ => return None,
                };
                return (place < count.into()).then(|| Register { file, place: first + place as u16 });
            }
            first += count;
        }
        None
    }

    /// The register of a name without component, such as `r0`, `cb0[3]` or `vThreadID`.
    pub fn parse(name: &str) -> Option<Self> {
        let end = name.find(|c: char| c.is_ascii_digit() || c == '[').unwrap_or(name.len());
        let (file, mut rest) = (File::from_name(&name[..end])?, &name[end..]);
        let mut indices = [None; 3];
        for index in &mut indices {
            let digits = rest.trim_start_matches('[');
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let Ok(number) = digits[..end].parse() else { break };
            (*index, rest) = (Some(number), digits[end..].trim_start_matches(']'));
        }
        Register::new(file, indices).filter(|register| register.to_string() == name)
    }

    /// The number that a [`Lowered`](crate::isa::Lowered) calls its component by, X being 0.
    pub fn slot(self, component: u8) -> u16 {
        4 * self.place + u16::from(component & 3)
    }

    /// The register and component of a number, if there is one.
    pub fn of_slot(slot: u16) -> Option<(Self, u8)> {
        let (place, mut first) = (slot / 4, 0);
        for (file, count, _) in FILES {
            if place < first + count {
                return Some((Register { file, place }, (slot % 4) as u8));
            }
            first += count;
        }
        None
    }

    /// Its number in its file.
    fn number(self) -> (u16, Option<u16>) {
        let mut first = 0;
        for (file, count, each) in FILES {
            if file == self.file {
                return (self.place - first, each.or((count == 1).then_some(0)));
            }
            first += count;
        }
        (0, None)
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.name();
        match self.number() {
            (number, None) if self.file.is_bracketed() => write!(f, "{name}[{number}]"),
            (number, None) => write!(f, "{name}{number}"),
            (_, Some(0)) => f.write_str(name),
            (number, Some(each)) => write!(f, "{name}{}[{}]", number / each, number % each),
        }
    }
}

/// The name of a number: `r0.x`.
pub fn slot_name(slot: u16) -> String {
    match Register::of_slot(slot) {
        Some((register, component)) => format!("{register}.{}", LETTERS[usize::from(component & 3)]),
        None => "none".to_owned(),
    }
}
