// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manifest of a folder of vectors: their source, the contents of the files, and a description of each vector.

use std::path::{Path, PathBuf};

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};

use super::{
    Set,
    clauses::{lane_clauses, used},
    format::Format,
    table::{Column, Table},
};
use crate::{
    judge::{coverage::Row, log::text},
    op::{Shape, hex},
    sets::Isa,
};

/// The name of the manifest in its folder.
pub const NAME: &str = "manifest.json";
/// The version of the format. It grows with every change that a reader of the last version would reject or misread.
const FORMAT: u32 = 1;
const VERSION: &str = env!("CARGO_PKG_VERSION");
const BYTE_ORDER: &str = "bit 0 of a table's first column is bit 0 of its word; files write a word's most significant \
                          digit first; byte 0 of a line, lane 0 and register 0 are the lowest bits of theirs";

/// The manifest without its checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    #[serde(rename = "gpu_lsu_vectors")]
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    pub source: Source,
    /// The parameters of the unit that the vectors are for.
    pub unit: Shape,
    pub byte_order: String,
    /// The number of vectors that do not merely fill the scratchpad for others.
    pub operations: usize,
    pub coverage: Vec<Covered>,
    /// The clauses that the numbers in table `clause` stand for.
    pub clauses: Vec<String>,
    pub tables: Vec<Stored>,
    pub vectors: Vec<About>,
}

/// The source of the vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// A description.
    pub about: String,
    /// The instruction set of a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<Isa>,
    /// The seed of a campaign.
    #[serde(default, with = "optional", skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

mod optional {
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(serde::Serialize, Deserialize)]
    struct Hex(#[serde(with = "super::hex")] u64);

    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&value.map(Hex), serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Hex>::deserialize(deserializer)?.map(|hex| hex.0))
    }
}

/// The bins of one clause that the vectors hit by themselves, whoever plays them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// The address rule.
    pub isa: String,
    pub clause: String,
    pub bins: usize,
    pub hit: usize,
}

/// A table, and the files that hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    pub name: String,
    /// The width of a word in bits.
    pub width: usize,
    pub rows: usize,
    pub columns: Vec<Column>,
    pub files: Vec<Bank>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    pub name: String,
    pub format: Format,
    /// The first row that it holds.
    pub first: usize,
    /// The number of words; those past the table's rows are 0.
    pub depth: usize,
    pub sha256: String,
}

/// A vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub vector: usize,
    /// The instruction, if the vector comes from one.
    pub text: String,
    /// The ids of the clauses that apply to its lanes.
    pub clauses: Vec<String>,
}

/// Why a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file is not a manifest.
    #[error("this is no manifest of vectors: it has no checksum at its end")]
    Title,
    /// The text is not the one that was written.
    #[error("the manifest was changed or cut after it was written: its checksum is {found}, not {written}")]
    Checksum {
        /// The checksum in the file.
        written: String,
        /// The checksum of its text.
        found: String,
    },
    /// Another version of this program wrote it, in another format.
    #[error("the manifest is of format {format}; this is {VERSION}, and reads format {FORMAT}")]
    Format {
        /// The format of the file.
        format: u32,
    },
    /// The text is not well-formed.
    #[error("{0}")]
    Syntax(#[from] serde_json::Error),
}

/// SHA-256, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CHECKSUM: &str = "\"checksum\": \"";

impl Manifest {
    /// Creates the manifest of a set; tables and files are added later.
    pub fn new(set: &Set, source: Source, rows: &[Row]) -> Self {
        let covered =
            |row: &Row| Covered { isa: row.rule.to_string(), clause: row.clause.clone(), bins: row.bins, hit: row.hit };
        let about = |(vector, of): (usize, &super::Vector)| About {
            vector,
            text: text(&of.issue),
            clauses: lane_clauses(set, of).into_iter().map(|clause| clause.id().to_owned()).collect(),
        };
        Manifest {
            format: FORMAT,
            version: VERSION.to_owned(),
            source,
            unit: set.shape,
            byte_order: BYTE_ORDER.to_owned(),
            operations: set.operations(),
            coverage: rows.iter().filter(|row| row.hit > 0).map(covered).collect(),
            clauses: used(set).into_iter().map(|clause| clause.id().to_owned()).collect(),
            tables: Vec::new(),
            vectors: set.vectors.iter().enumerate().map(|(number, of)| about((number, of))).collect(),
        }
    }

    /// The files in the folder `dir` from which a set is read.
    pub fn files(&self, dir: &Path) -> Vec<PathBuf> {
        let tables = self.tables.iter().flat_map(|table| &table.files).map(|file| file.name.as_str());
        [NAME].into_iter().chain(tables).map(|name| dir.join(name)).collect()
    }

    /// Adds a table and its files.
    pub fn add(&mut self, table: &Table, files: Vec<Bank>) {
        let Table { name, columns, rows } = table;
        let (name, columns) = ((*name).to_owned(), columns.clone());
        self.tables.push(Stored { name, width: table.width(), rows: rows.len(), columns, files });
    }

    /// Returns the text: one entry per line, and at the end the checksum of all that comes before it.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let list = |entries: Vec<String>| format!("[\n  {}\n]", entries.join(",\n  "));
        let each = |entries: serde_json::Result<Vec<String>>| entries.map(list);
        let fields = [
            ("gpu_lsu_vectors", serde_json::to_string(&self.format)?),
            ("version", serde_json::to_string(&self.version)?),
            ("source", serde_json::to_string(&self.source)?),
            ("unit", serde_json::to_string(&self.unit)?),
            ("byte_order", serde_json::to_string(&self.byte_order)?),
            ("operations", serde_json::to_string(&self.operations)?),
            ("coverage", each(self.coverage.iter().map(serde_json::to_string).collect())?),
            ("clauses", serde_json::to_string(&self.clauses)?),
            ("tables", each(self.tables.iter().map(serde_json::to_string).collect())?),
            ("vectors", each(self.vectors.iter().map(serde_json::to_string).collect())?),
        ];
        let mut text = "{\n".to_owned();
        fields.iter().for_each(|(name, value)| text += &format!("\"{name}\": {value},\n"));
        let sum = sha256(text.as_bytes());
        Ok(text + CHECKSUM + &sum + "\"\n}\n")
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    ///
    /// When the text is not a manifest, was changed, or has another format.
    pub fn from_text(text: &str) -> Result<Self, ManifestError> {
        let (before, rest) = text.rsplit_once(CHECKSUM).ok_or(ManifestError::Title)?;
        let written = rest.split('"').next().unwrap_or_default().to_owned();
        let found = sha256(before.as_bytes());
        if written != found {
            return Err(ManifestError::Checksum { written, found });
        }
        let whole = before.trim_end().trim_end_matches(',').to_owned() + "\n}";
        let format = serde_json::from_str::<serde_json::Value>(&whole)?["gpu_lsu_vectors"].as_u64().unwrap_or(0);
        if format != u64::from(FORMAT) {
            return Err(ManifestError::Format { format: format as u32 });
        }
        Ok(serde_json::from_str(&whole)?)
    }
}
