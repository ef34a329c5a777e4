// SPDX-License-Identifier: MIT OR Apache-2.0
//! DXBC containers, as compilers write them to `.dxbc` and `.cso` files.
//!
//! ```text
//! "DXBC"  16 bytes of checksum  version  size  chunks  an offset for each chunk
//! chunk: four letters  size  bytes
//! ```
//!
//! All numbers are 32-bit, little-endian. The checksum, a variant of MD5, is not checked: errors are reported where
//! they are, and anybody who edits a shader by hand would first have to sign it.

use winnow::{
    Parser,
    binary::le_u32,
    combinator::repeat,
    error::{ContextError, EmptyError},
    token::take,
};

use super::{Flaw, Shader};

/// The first bytes of a container.
pub const MAGIC: &[u8; 4] = b"DXBC";
/// Bytes before the offsets.
const HEADER: usize = 32;
/// Bytes before a chunk's contents.
const CHUNK_HEADER: usize = 8;
/// SFI0: unordered access at every stage.
const EVERY_STAGE: u32 = 4;

/// Why a file is not a container of a shader that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DxbcError {
    /// The file is something else.
    #[error("the file does not begin with `DXBC`")]
    Magic,
    /// The file ends too early.
    #[error("the file has {0} bytes, and a container at least 32")]
    Short(usize),
    /// A later format.
    #[error("container version {0} is not 1")]
    Version(u32),
    /// The file ends too early, or the container's size is impossible.
    #[error("the container's size is {says} bytes, and the file has {are}")]
    Size {
        /// The size in the header.
        says: u32,
        /// The size of the file.
        are: usize,
    },
    /// The offsets do not fit.
    #[error("{0} chunks do not fit in the container")]
    Count(u32),
    /// A chunk does not fit.
    #[error("chunk {index}, at byte {offset:#x}, does not fit in the container")]
    Chunk {
        /// Counted from 0.
        index: usize,
        /// The offset in the header.
        offset: u32,
    },
    /// There is no shader.
    #[error("no chunk is SHEX or SHDR, a shader's tokens")]
    NoShader,
    /// There are several shaders.
    #[error("a second chunk is SHEX or SHDR")]
    SecondShader,
    /// Shader model 6.
    #[error("the shader is DXIL, of shader model 6, which has no tokens")]
    Dxil,
    /// The bytes are not whole dwords.
    #[error("the shader's {0} bytes are no whole dwords")]
    Ragged(usize),
    /// The tokens do not begin as a shader does.
    #[error("{0}")]
    Tokens(Flaw),
}

/// A shader, and where its tokens are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contained {
    /// The shader.
    pub shader: Shader,
    /// `SHEX` or `SHDR`.
    pub chunk: &'static str,
    /// Bytes from the file's start to the version token.
    pub offset: usize,
}

/// A chunk's name and contents.
struct Chunk<'a> {
    name: &'a [u8],
    bytes: &'a [u8],
    /// The offset of the contents in the file.
    offset: usize,
}

/// Reads the shader of a container.
///
/// ```
/// use gpu_lsu::sets::sm5::{DxbcError, dxbc};
///
/// assert_eq!(dxbc::read(b"DXBC"), Err(DxbcError::Short(4)));
/// ```
pub fn read(file: &[u8]) -> Result<Contained, DxbcError> {
    let chunks = chunks(file)?;
    let mut shaders = chunks.iter().filter_map(|chunk| match chunk.name {
        b"SHEX" => Some((chunk, "SHEX")),
        b"SHDR" => Some((chunk, "SHDR")),
        _ => None,
    });
    let Some((chunk, name)) = shaders.next() else {
        let dxil = chunks.iter().any(|chunk| chunk.name == b"DXIL");
        return Err(if dxil { DxbcError::Dxil } else { DxbcError::NoShader });
    };
    if shaders.next().is_some() {
        return Err(DxbcError::SecondShader);
    }
    let features = chunks.iter().find(|chunk| chunk.name == b"SFI0").and_then(|chunk| first_dword(chunk.bytes));
    let everywhere = features.is_some_and(|features| features & EVERY_STAGE != 0);
    let tokens = dwords(chunk.bytes).ok_or(DxbcError::Ragged(chunk.bytes.len()))?;
    let shader = Shader::read(&tokens, everywhere).map_err(DxbcError::Tokens)?;
    Ok(Contained { shader, chunk: name, offset: chunk.offset })
}

/// The dwords of `bytes`, or `None` if the last one is not whole.
pub fn dwords(bytes: &[u8]) -> Option<Vec<u32>> {
    let dword = |four: &[u8]| four.try_into().map(u32::from_le_bytes).ok();
    bytes.chunks(4).map(dword).collect()
}

/// The dword at the start of `bytes`, if there is one.
fn first_dword(bytes: &[u8]) -> Option<u32> {
    le_u32::<_, EmptyError>.parse_peek(bytes).ok().map(|(_, number)| number)
}

/// Every chunk; each must lie within the container.
fn chunks(file: &[u8]) -> Result<Vec<Chunk<'_>>, DxbcError> {
    if !file.starts_with(MAGIC) {
        return Err(DxbcError::Magic);
    }
    let mut rest = file;
    let mut header = (take(20usize), le_u32, le_u32, le_u32).map(|(_, version, size, count)| (version, size, count));
    let (version, size, count) =
        header.parse_next(&mut rest).map_err(|_: ContextError| DxbcError::Short(file.len()))?;
    if version != 1 {
        return Err(DxbcError::Version(version));
    }
    let all = usize::try_from(size).ok().and_then(|size| file.get(..size)).filter(|all| all.len() >= HEADER);
    let all = all.ok_or(DxbcError::Size { says: size, are: file.len() })?;
    let number = usize::try_from(count).ok().filter(|count| *count <= (all.len() - HEADER) / 4);
    let number = number.ok_or(DxbcError::Count(count))?;
    let offsets: Vec<u32> =
        repeat(number, le_u32::<_, EmptyError>).parse_next(&mut rest).map_err(|_| DxbcError::Count(count))?;
    let chunk = |(index, &offset): (usize, &u32)| {
        let chunk = usize::try_from(offset).ok().and_then(|offset| chunk(all, offset));
        chunk.ok_or(DxbcError::Chunk { index, offset })
    };
    offsets.iter().enumerate().map(chunk).collect()
}

fn chunk(all: &[u8], offset: usize) -> Option<Chunk<'_>> {
    let rest = all.get(offset..).filter(|_| offset >= HEADER)?;
    let (name, bytes) = (rest.get(..4)?, rest.get(CHUNK_HEADER..)?);
    let size = usize::try_from(first_dword(&rest[4..])?).ok()?;
    Some(Chunk { name, bytes: bytes.get(..size)?, offset: offset + CHUNK_HEADER })
}
