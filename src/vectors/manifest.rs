// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a folder of vectors says of itself: where they come from, which files hold what, what each vector is about.

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

/// Its name in the folder.
pub const NAME: &str = "manifest.json";
/// Another number for whatever a reader of the last one would not take, or take for something else.
const FORMAT: u32 = 1;
const VERSION: &str = env!("CARGO_PKG_VERSION");
const BYTE_ORDER: &str = "bit 0 of a table's first column is bit 0 of its word; files write a word's most significant \
                          digit first; byte 0 of a line, lane 0 and register 0 are the lowest bits of theirs";

/// All of it but the checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    #[serde(rename = "gpu_lsu_vectors")]
    pub format: u32,
    /// Of the program that wrote it.
    pub version: String,
    pub source: Source,
    /// The parameters of the unit that they are for.
    pub unit: Shape,
    pub byte_order: String,
    /// Vectors that are there for themselves; the rest fill the scratchpad for them.
    pub operations: usize,
    pub coverage: Vec<Covered>,
    /// What the numbers in table `clause` mean.
    pub clauses: Vec<String>,
    pub tables: Vec<Stored>,
    pub vectors: Vec<About>,
}

/// Where vectors come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// In words.
    pub about: String,
    /// Of a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<Isa>,
    /// Of a campaign.
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

/// Bins of one clause's that the vectors have by themselves, whoever plays them.
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
    /// Bits of a word.
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
    /// Words, of which those past the table's rows are 0.
    pub depth: usize,
    pub sha256: String,
}

/// A vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub vector: usize,
    /// The instruction, where it comes from one.
    pub text: String,
    /// Those that its lanes exercise.
    pub clauses: Vec<String>,
}

/// Why a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Not this kind of file.
    #[error("this is no manifest of vectors: it has no checksum at its end")]
    Title,
    /// Its text is not what was written.
    #[error("the manifest was changed or cut after it was written: its checksum is {found}, not {written}")]
    Checksum {
        /// In the file.
        written: String,
        /// Of its text.
        found: String,
    },
    /// Another version of this program wrote it.
    #[error("the manifest is of format {format}; this is {VERSION}, and reads format {FORMAT}")]
    Format {
        /// Of the file.
        format: u32,
    },
    /// It is not well-formed.
    #[error("{0}")]
    Syntax(#[from] serde_json::Error),
}

/// SHA-256, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

const CHECKSUM: &str = "\"checksum\": \"";

impl Manifest {
    /// Of a set; the tables' files are still to come.
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

    /// The files of the folder `dir` that a set is read from.
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

    /// The text: an entry a line, the checksum of what stands before it last.
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

    /// The manifest of a text.
    ///
    /// # Errors
    ///
    /// When it is none, was changed, or is another version's.
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
