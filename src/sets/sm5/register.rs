// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a program's lanes, which the names of sources stand for.

use std::fmt;

use super::{File, print::LETTERS};

/// How the registers of a file are indexed.
#[derive(Clone, Copy)]
enum Shape {
    /// One register, without an index.
    One,
    /// This many registers, by one index.
    Many(u16),
    /// This many arrays of this many registers each, by two indices.
    Arrays(u16, u16),
}

impl Shape {
    fn count(self) -> u16 {
        match self {
            Shape::One => 1,
            Shape::Many(count) => count,
            Shape::Arrays(arrays, each) => arrays * each,
        }
    }
}

/// The files that a program has. The components of all their registers together, four each, have numbers of 16 bits.
const FILES: [(File, Shape); 16] = [
    (File::Temp, Shape::Many(4096)),
    (File::ConstantBuffer, Shape::Arrays(14, 512)),
    (File::IndexableTemp, Shape::Arrays(16, 256)),
    (File::ImmediateConstantBuffer, Shape::Many(512)),
    (File::Input, Shape::Many(32)),
    (File::ThreadId, Shape::One),
    (File::ThreadGroupId, Shape::One),
    (File::ThreadIdInGroup, Shape::One),
    (File::ThreadIdInGroupFlattened, Shape::One),
    (File::Coverage, Shape::One),
    (File::PrimitiveId, Shape::One),
    (File::OutputControlPointId, Shape::One),
    (File::ForkInstanceId, Shape::One),
    (File::JoinInstanceId, Shape::One),
    (File::DomainLocation, Shape::One),
    (File::GsInstanceId, Shape::One),
];

/// The files with the number of their first register.
fn files() -> impl Iterator<Item = (File, Shape, u16)> {
    FILES.iter().scan(0, |next, &(file, shape)| {
        let first = *next;
        *next += shape.count();
        Some((file, shape, first))
    })
}

/// A register of four components, which an operand names by immediate indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Its place among all registers of a program.
    place: u16,
}

impl Register {
    /// The register of a file with these indices, if a program has it.
    ///
    /// ```
    /// use gpu_lsu::sets::sm5::{File, Register};
    ///
    /// assert_eq!(Register::new(File::ConstantBuffer, [Some(0), Some(3), None]).unwrap().to_string(), "cb0[3]");
    /// assert_eq!(Register::new(File::Temp, [Some(4096), None, None]), None);
    /// ```
    pub fn new(file: File, indices: [Option<u32>; 3]) -> Option<Self> {
        let (_, shape, first) = files().find(|(other, ..)| *other == file)?;
        let place = match (shape, indices) {
            (Shape::One, [None, None, None]) => 0,
            (Shape::Many(count), [Some(number), None, None]) if number < count.into() => number,
            (Shape::Arrays(arrays, each), [Some(array), Some(number), None])
                if array < arrays.into() && number < each.into() =>
            {
                array * u32::from(each) + number
            }
            _ => return None,
        };
        Some(Register { place: first + place as u16 })
    }

    /// The register of a name without component, such as `r0`, `cb0[3]` or `vThreadID`.
    pub fn parse(name: &str) -> Option<Self> {
        let end = name.find(|c: char| c.is_ascii_digit() || c == '[').unwrap_or(name.len());
        let (file, rest) = (File::from_name(&name[..end])?, &name[end..]);
        let mut indices = [None; 3];
        let numbers = rest.split(['[', ']']).filter(|part| !part.is_empty());
        for (index, number) in indices.iter_mut().zip(numbers) {
            *index = Some(number.parse().ok()?);
        }
        Register::new(file, indices).filter(|register| register.to_string().eq_ignore_ascii_case(name))
    }

    /// The number by which a [`Lowered`](crate::sets::Lowered) names the register's `component`; X is 0.
    pub fn slot(self, component: u8) -> u16 {
        4 * self.place + u16::from(component & 3)
    }

    /// The register and component of a number, if there is one.
    pub fn of_slot(slot: u16) -> Option<(Self, u8)> {
        let register = Register { place: slot / 4 };
        register.file().map(|_| (register, (slot % 4) as u8))
    }

    fn file(self) -> Option<(File, Shape, u16)> {
        files().find(|(_, shape, first)| (*first..first + shape.count()).contains(&self.place))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((file, shape, first)) = self.file() else { return f.write_str("none") };
        let (name, number) = (file.name(), self.place - first);
        match shape {
            Shape::One => f.write_str(name),
            Shape::Many(_) if file.is_bracketed() => write!(f, "{name}[{number}]"),
            Shape::Many(_) => write!(f, "{name}{number}"),
            Shape::Arrays(_, each) => write!(f, "{name}{}[{}]", number / each, number % each),
        }
    }
}

/// The name of a component by its number: `r0.x`.
pub fn slot_name(slot: u16) -> String {
    match Register::of_slot(slot) {
        Some((register, component)) => format!("{register}.{}", LETTERS[usize::from(component & 3)]),
        None => "none".to_owned(),
    }
}
