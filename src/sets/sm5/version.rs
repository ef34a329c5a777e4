// SPDX-License-Identifier: MIT OR Apache-2.0
//! Version tokens, and which shaders may have the instruction: SM5-STAGE.

use std::fmt;

/// A shader's stage and shader model: `cs_5_0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Where in the pipeline it runs.
    pub stage: Stage,
    /// The shader model before the point.
    pub major: u8,
    /// The shader model after the point.
    pub minor: u8,
}

/// The stages, by the code of version tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// 0.
    Pixel,
    /// 1.
    Vertex,
    /// 2.
    Geometry,
    /// 3.
    Hull,
    /// 4.
    Domain,
    /// 5.
    Compute,
}

impl Version {
    /// Decodes a version token; `None` if it is not one.
    ///
    /// ```
    /// use gpu_lsu::sets::sm5::Version;
    ///
    /// assert_eq!(Version::from_token(0x00050050).unwrap().to_string(), "cs_5_0");
    /// assert_eq!(Version::from_token(0x090000ac), None);
    /// ```
    pub fn from_token(token: u32) -> Option<Self> {
        let stage = match token >> 16 {
            0 => Stage::Pixel,
            1 => Stage::Vertex,
            2 => Stage::Geometry,
            3 => Stage::Hull,
            4 => Stage::Domain,
            5 => Stage::Compute,
            _ => return None,
        };
        let (major, minor) = ((token >> 4 & 0xf) as u8, (token & 0xf) as u8);
        (token >> 8 & 0xff == 0 && major != 0).then_some(Version { stage, major, minor })
    }

    /// Whether a shader of this version may have the instruction (SM5-STAGE). `everywhere` says that it requests
    /// unordered access at every stage, as Direct3D 11.1 allows.
    pub fn has_atomics(&self, everywhere: bool) -> bool {
        let stage = matches!(self.stage, Stage::Pixel | Stage::Compute);
        self.major == 5 && (stage || self.minor > 0 || everywhere)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stage {
            Stage::Pixel => "ps",
            Stage::Vertex => "vs",
            Stage::Geometry => "gs",
            Stage::Hull => "hs",
            Stage::Domain => "ds",
            Stage::Compute => "cs",
        };
        write!(f, "{stage}_{}_{}", self.major, self.minor)
    }
}
