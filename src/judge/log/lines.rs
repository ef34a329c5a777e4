// SPDX-License-Identifier: MIT OR Apache-2.0
//! A log as JSON Lines: a header, then one event a line, in a form that any bench can print. docs/log.md is the schema.
//!
//! A transfer is an object with the payload ports of its channel. Each value has whatever form is at hand: a number,
//! the name of a code, the fields of a struct or, for any port, all of its bits as one number `"0x..."`.

mod json;
mod read;
mod value;
mod write;

use serde::{Deserialize, Serialize};

pub use read::{ReadError, Reader, Record};
pub(crate) use value::{cut, number};
pub use write::Writer;

use super::{Foreign, Held, Unseen};
use crate::{judge::Promises, op::Shape, ports::Channel, rtl::Sources};

/// The version of the schema. It changes whenever a reader of the last version would refuse or misunderstand a log.
pub const FORMAT: u32 = 1;

/// The first line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    #[serde(rename = "gpu_lsu_log")]
    pub format: u32,
    /// The unit's parameters.
    pub unit: Shape,
    /// The RTL, if the writer of the log knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtl: Option<Sources>,
    /// The writer, and what was played, for human readers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The promises of the unit, if they differ from those of this project's unit.
    #[serde(default, skip_serializing_if = "Promises::are_ours")]
    pub contract: Promises,
    /// Memory as the log begins. Without it, and without `applied` events, histories are not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// Whether the log has everything that waited to be taken, even if nothing did.
    #[serde(default, skip_serializing_if = "is_false")]
    pub offers: bool,
    /// What is not in the log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<What>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The initial memory: a pseudo-random function of a seed, and bytes that replace it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The seed of all other bytes.
    #[serde(with = "number")]
    pub seed: u64,
    /// The bytes that replace the function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<Bytes>,
}

/// Bytes at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bytes {
    /// The address of the first byte.
    #[serde(with = "number")]
    pub addr: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Something that may be missing from a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// What was in flight before the log.
    Start,
    /// What came after the log.
    End,
    /// The data port.
    Data,
    /// The write-back port.
    Wb,
    /// Offers that waited to be taken.
    Offers,
}

impl Header {
    /// The header of a log that shows everything.
    pub fn new(shape: Shape) -> Self {
        Header {
            format: FORMAT,
            unit: shape,
            rtl: None,
            about: String::new(),
            contract: Promises::OURS,
            memory: None,
            offers: true,
            unseen: Vec::new(),
        }
    }

    /// What is not in the log.
    pub fn unseen(&self) -> Unseen {
        let has = |what| self.unseen.contains(&what);
        Unseen {
            start: has(What::Start),
            end: has(What::End),
            data: has(What::Data),
            write_back: has(What::Wb),
            offers: has(What::Offers),
        }
    }

    /// The header, with what is not in the log set.
    pub fn with_unseen(mut self, unseen: Unseen) -> Self {
        let Unseen { start, end, data, write_back, offers } = unseen;
        let all = [
            (start, What::Start),
            (end, What::End),
            (data, What::Data),
            (write_back, What::Wb),
            (offers, What::Offers),
        ];
        self.unseen = all.into_iter().filter(|(lacks, _)| *lacks).map(|(_, what)| what).collect();
        self
    }

    /// Memory as the log begins.
    pub fn start(&self) -> crate::model::Memory {
        let given = self.memory.clone().unwrap_or_default();
        let mut memory = crate::model::Memory::new(given.seed);
        given.bytes.iter().for_each(|bytes| memory.poke(bytes.addr, &bytes.bytes));
        memory
    }
}

/// A 64-bit number. It is written as `0x...`, and read in any form that a value may have.
mod number {
    use serde::{Deserialize, Deserializer, de::Error};
    use serde_json::Value;

    pub use crate::op::hex::serialize;

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        super::value::number(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    /// A 32-bit number that may be left out.
    pub fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
        let word = deserialize(deserializer)?;
        word.try_into().map(Some).map_err(|_| D::Error::custom(format_args!("{word:#x}: it has 32 bits")))
    }
}

/// The channels of a log, and the names of their events.
const CHANNELS: [(Channel, &str); 6] = [
    (Channel::Op, "op"),
    (Channel::Data, "data"),
    (Channel::WriteBack, "wb"),
    (Channel::Done, "done"),
    (Channel::Request, "req"),
    (Channel::Response, "rsp"),
];

/// The name of a payload port within its channel: `mem_req_be_o` is `be`. The only or main port of its channel has no
/// name.
fn short(name: &'static str) -> &'static str {
    let name = name.trim_end_matches("_i").trim_end_matches("_o").trim_start_matches("mem_");
    name.split_once('_').map_or("", |(_, rest)| rest)
}

/// Another master's access, in the form of the schema.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForeignLine {
    #[serde(with = "number")]
    addr: u64,
    bytes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::word")]
    compare: Option<u32>,
}

impl ForeignLine {
    fn at(self, cycle: u64) -> Foreign {
        Foreign { cycle, addr: self.addr, bytes: self.bytes, compare: self.compare }
    }
}

/// Memory came to a request, given by its index among the requests of the log.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AppliedLine {
    request: u32,
    made: bool,
}

/// The log ends.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EndLine {
    /// Whether something still waited for the unit to take it.
    offered: bool,
    /// What the parts of a unit hold that hangs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held: Vec<Held>,
}
