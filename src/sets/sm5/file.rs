// SPDX-License-Identifier: MIT OR Apache-2.0
//! Register files, by the codes of operand tokens and the names of the text.

macro_rules! files {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal,)*) => {
        /// A register file, in which an operand's indices count.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum File { $($(#[$doc])* $variant = $code,)* }

        impl File {
            /// Every file.
            pub const ALL: &'static [File] = &[$(File::$variant),*];

            /// The file of a code, bits 19:12 of an operand token.
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(File::$variant),)* _ => None }
            }

            /// The name in the text, before the first index.
            pub fn name(self) -> &'static str {
                match self { $(File::$variant => $name,)* }
            }
        }
    };
}

files! {
    /// Temporaries, four components each.
    Temp = 0 "r",
    /// The stage's inputs.
    Input = 1 "v",
    /// The stage's outputs.
    Output = 2 "o",
    /// Arrays of temporaries: `x0[1]`.
    IndexableTemp = 3 "x",
    /// Samplers.
    Sampler = 6 "s",
    /// Resources that are only read.
    Resource = 7 "t",
    /// Constant buffers: `cb0[1]`.
    ConstantBuffer = 8 "cb",
    /// The immediate constant buffer: `icb[1]`.
    ImmediateConstantBuffer = 9 "icb",
    /// The primitive's number.
    PrimitiveId = 11 "primID",
    /// The pixel's depth.
    Depth = 12 "oDepth",
    /// Nothing.
    Null = 13 "null",
    /// The rasterizer.
    Rasterizer = 14 "rasterizer",
    /// The samples that a pixel shader covers.
    CoverageMask = 15 "oMask",
    /// A hull shader's control point.
    OutputControlPointId = 22 "vOutputControlPointID",
    /// A hull shader's fork phase.
    ForkInstanceId = 23 "vForkInstanceId",
    /// A hull shader's join phase.
    JoinInstanceId = 24 "vJoinInstanceId",
    /// A patch's control points.
    InputControlPoint = 25 "vicp",
    /// The control points that a hull shader made.
    OutputControlPoint = 26 "vocp",
    /// A patch's constants.
    PatchConstant = 27 "vpc",
    /// The place in the patch.
    DomainLocation = 28 "vDomainLocation",
    /// Unordered access views (SM5-KIND).
    Uav = 30 "u",
    /// Thread-group shared memory (SM5-KIND).
    Tgsm = 31 "g",
    /// The thread in the dispatch.
    ThreadId = 32 "vThreadID",
    /// The group in the dispatch.
    ThreadGroupId = 33 "vThreadGroupID",
    /// The thread in its group.
    ThreadIdInGroup = 34 "vThreadIDInGroup",
    /// The samples that the rasterizer covered.
    Coverage = 35 "vCoverage",
    /// The thread in its group, as one number.
    ThreadIdInGroupFlattened = 36 "vThreadIDInGroupFlattened",
    /// A geometry shader's instance.
    GsInstanceId = 37 "vGSInstanceID",
    /// The pixel's depth, not less than the rasterizer's.
    DepthGreaterEqual = 38 "oDepthGE",
    /// The pixel's depth, not greater than the rasterizer's.
    DepthLessEqual = 39 "oDepthLE",
    /// The pixel's stencil.
    StencilRef = 41 "oStencilRef",
}

impl File {
    /// The file of a name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        File::ALL.iter().copied().find(|file| file.name().eq_ignore_ascii_case(name))
    }

    /// Whether the text has all of its indices in brackets: `icb[1]`, `vicp[0][1]`.
    pub(crate) fn is_bracketed(self) -> bool {
        matches!(self, File::ImmediateConstantBuffer | File::InputControlPoint | File::OutputControlPoint)
    }

    /// Whether its registers are whole resources, without components to take.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, File::Uav | File::Tgsm | File::Resource | File::Sampler | File::Null | File::Rasterizer)
    }
}
