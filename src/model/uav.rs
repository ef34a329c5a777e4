// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the dword of an SM5 lane lies in a u# or a g# (SM5-KIND, SM5-RAW, SM5-STRUCT, SM5-TYPED, SM5-ALIGN), and which
//! lanes have none (SM5-OOB-UAV, SM5-OOB-OFFSET, SM5-OOB-TGSM, SM5-UNBOUND).
//!
//! A dword is placed by its distance from the resource's base, in arithmetic wide enough to be exact: neither 32 x 12
//! bits plus 32 bits nor the sum of two pitched indices wraps.

use super::word::{Truth, Word};
use crate::op::{ADDR_WIDTH, AddrMode, Dimension, Resource, Tgsm, Uav};

/// Widths, in bits, of the products: an index times a stride, and an index below its dimension times a pitch.
const ITEM: u32 = 32 + 12;
const PITCHED: u32 = 16 + 32;
/// Width, in bits, of a distance in bytes. The largest is 4x plus two products of `PITCHED` bits.
pub const DISTANCE: u32 = 50;

/// A u#'s control registers, in the widths that the ports have.
#[derive(Clone, Debug)]
pub struct View<W> {
    /// 2 bits: a [`Resource`] code.
    pub kind: W,
    /// 3 bits: a [`Dimension`] code.
    pub dimension: W,
    /// [`ADDR_WIDTH`] bits, as is `size`.
    pub base: W,
    pub size: W,
    /// 12 bits.
    pub stride: W,
    /// 32 bits.
    pub width: W,
    /// 16 bits, as is `depth`.
    pub height: W,
    pub depth: W,
    /// 32 bits, as is `slice_pitch`.
    pub row_pitch: W,
    pub slice_pitch: W,
}

impl From<&Uav> for View<u64> {
    fn from(uav: &Uav) -> Self {
        View {
            kind: u64::literal(2, uav.kind.into()),
            dimension: u64::literal(3, uav.dimension.into()),
            base: u64::literal(ADDR_WIDTH, uav.base),
            size: u64::literal(ADDR_WIDTH, uav.size),
            stride: u64::literal(12, uav.stride.into()),
            width: uav.width.into(),
            height: uav.height.into(),
            depth: uav.depth.into(),
            row_pitch: uav.row_pitch.into(),
            slice_pitch: uav.slice_pitch.into(),
        }
    }
}

/// A g#'s control registers, in the widths that the ports have.
#[derive(Clone, Debug)]
pub struct Group<W> {
    /// 2 bits: a [`Resource`] code.
    pub kind: W,
    /// 32 bits, as is `size`.
    pub base: W,
    pub size: W,
    /// 12 bits.
    pub stride: W,
}

impl From<&Tgsm> for Group<u64> {
    fn from(tgsm: &Tgsm) -> Self {
        Group {
            kind: u64::literal(2, tgsm.kind.into()),
            base: tgsm.base.into(),
            size: tgsm.size.into(),
            stride: u64::literal(12, tgsm.stride.into()),
        }
    }
}

/// Where a lane's dword lies. If several faults hold, the first in the order of COM-FAULT counts; `misaligned` is a
/// fault only if misalignment traps.
#[derive(Clone, Debug)]
pub struct Target<W: Word> {
    /// The slot holds the kind of resource that the instruction expects; if not, it counts as unbound (SM5-UNBOUND).
    pub bound: W::Truth,
    /// u#: unbound, or out of range.
    pub allocation: W::Truth,
    /// u#: past the stride of a structure that is in range. g#: unbound, or out of range in any way.
    pub undefined: W::Truth,
    /// The address was forced to a multiple of 4 (SM5-ALIGN).
    pub misaligned: W::Truth,
    /// Of [`ADDR_WIDTH`] bits: the byte address at the memory port, or the offset in the scratchpad.
    pub addr: W,
}

/// Where an address lies in a resource of `size` bytes, before the kind of the resource is checked.
struct Found<W: Word> {
    /// Bytes from the base, of [`DISTANCE`] bits.
    distance: W,
    /// It is in range, whether or not it is past the stride.
    inside: W::Truth,
    /// Structured: the second index is past the stride.
    past: W::Truth,
    misaligned: W::Truth,
}

/// A 32-bit address with its low two bits cleared, and whether that changed it.
fn forced<W: Word>(address: &W) -> (W, W::Truth) {
    (address.extract(31, 2, 32).concat(&W::literal(2, 0), 30, 2), address.extract(1, 0, 32).is(0, 2).not())
}

/// Whether `end` is at most `size`; both have [`DISTANCE`] bits.
fn within<W: Word>(end: &W, size: &W) -> W::Truth {
    size.less(end, DISTANCE).not()
}

/// SM5-RAW: a.x in bytes.
fn raw<W: Word>(size: &W, x: &W) -> Found<W> {
    let (offset, misaligned) = forced(x);
    let distance = offset.zero_extend(32, DISTANCE);
    let inside = within(&distance.add(&W::literal(DISTANCE, 4), DISTANCE), size);
    Found { distance, inside, past: W::Truth::constant(false), misaligned }
}

/// Bytes from the first structure to structure `x`, [`DISTANCE`] bits wide.
fn structure<W: Word>(stride: &W, x: &W) -> W {
    x.zero_extend(32, ITEM).mul(&stride.zero_extend(12, ITEM), ITEM).zero_extend(ITEM, DISTANCE)
}

/// SM5-STRUCT: a.y bytes into structure a.x, which is at distance `item`. The whole structure must lie in the resource.
fn structured<W: Word>(size: &W, stride: &W, item: &W, y: &W) -> Found<W> {
    let (offset, misaligned) = forced(y);
    let (stride, offset) = (stride.zero_extend(12, DISTANCE), offset.zero_extend(32, DISTANCE));
    Found {
        inside: within(&item.add(&stride, DISTANCE), size),
        past: offset.less(&stride, DISTANCE).not(),
        distance: item.add(&offset, DISTANCE),
        misaligned,
    }
}

/// The indices that a typed resource uses (SM5-TYPED).
struct Indices<W: Word> {
    /// a.y counts rows.
    rows: W::Truth,
    /// `slice` counts slices: a.y of a 1D array, otherwise a.z; it has 32 bits.
    slices: W::Truth,
    slice: W,
}

fn indices<W: Word>(dimension: &W, y: &W, z: &W) -> Indices<W> {
    let is = |code: Dimension| dimension.is(code as u64, 3);
    let array = is(Dimension::Texture1dArray);
    let layered = is(Dimension::Texture2dArray).or(&is(Dimension::Texture3d));
    Indices {
        rows: is(Dimension::Texture2d).or(&layered),
        slices: array.or(&layered),
        slice: W::choose(&array, y, z, 32),
    }
}

/// The low 16 bits of the row index and of the slice index; 0 where the resource has no such index.
///
/// They are the whole index if it is below its dimension; any other index is refused.
pub fn pitched<W: Word>(dimension: &W, y: &W, z: &W) -> [W; 2] {
    let Indices { rows, slices, slice } = indices(dimension, y, z);
    let low = |has, index: &W| W::choose(has, &index.extract(15, 0, 32), &W::literal(16, 0), 16);
    [low(&rows, y), low(&slices, &slice)]
}

/// A lane's indices, scaled by stride or pitch, in bytes, [`DISTANCE`] bits wide.
#[derive(Clone, Debug)]
pub struct Scaled<W> {
    /// The bytes of a.x structures, if the resource has structures.
    pub structures: W,
    /// The bytes of the rows and of the slices that [`pitched`] gives, if the resource is typed.
    pub rows: W,
    pub slices: W,
}

/// Scales a lane's indices by the stride and the pitches of a u#.
pub fn scaled<W: Word>(view: &View<W>, [x, y, z]: [&W; 3]) -> Scaled<W> {
    let [row, slice] = pitched(&view.dimension, y, z);
    let product = |index: &W, pitch: &W| {
        index.zero_extend(16, PITCHED).mul(&pitch.zero_extend(32, PITCHED), PITCHED).zero_extend(PITCHED, DISTANCE)
    };
    Scaled {
        structures: structure(&view.stride, x),
        rows: product(&row, &view.row_pitch),
        slices: product(&slice, &view.slice_pitch),
    }
}

/// SM5-TYPED: a dword for each element, plus rows and slices.
fn typed<W: Word>(view: &View<W>, size: &W, [x, y, z]: [&W; 3], scaled: &Scaled<W>) -> Found<W> {
    let below = |index: &W, limit: &W, width: u32| index.less(&limit.zero_extend(width, 32), 32);
    let has = indices(&view.dimension, y, z);
    let indices = below(x, &view.width, 32)
        .and(&has.rows.not().or(&below(y, &view.height, 16)))
        .and(&has.slices.not().or(&below(&has.slice, &view.depth, 16)));
    let element = x.zero_extend(32, DISTANCE).mul(&W::literal(DISTANCE, 4), DISTANCE);
    let distance = element.add(&scaled.rows, DISTANCE).add(&scaled.slices, DISTANCE);
    let bytes = within(&distance.add(&W::literal(DISTANCE, 4), DISTANCE), size);
    Found {
        distance,
        inside: indices.and(&bytes),
        past: W::Truth::constant(false),
        misaligned: W::Truth::constant(false),
    }
}

/// Whether the code is that of a dimension; 6 and 7 are not.
fn has_dimension<W: Word>(dimension: &W) -> W::Truth {
    dimension.less(&W::literal(3, Dimension::Texture3d as u64 + 1), 3)
}

/// Whether the resource has the kind that the instruction's `mode` (3 bits) expects (SM5-KIND).
fn matches<W: Word>(kind: &W, mode: &W) -> W::Truth {
    [(AddrMode::Raw, Resource::Raw), (AddrMode::Struct, Resource::Structured), (AddrMode::Typed, Resource::Typed)]
        .into_iter()
        .fold(W::Truth::constant(false), |found, (wanted, is)| {
            found.or(&mode.is(wanted as u64, 3).and(&kind.is(is as u64, 2)))
        })
}

/// Places a lane's access in a u#.
///
/// `mode` is the 3-bit [`AddrMode`] code, one of SM5's; `index` holds the lane's address words a.x, a.y and a.z (32
/// bits).
///
/// - SM5-UNBOUND, SM5-KIND: a resource of another kind than `mode` expects counts as unbound, and so does a typed one
///   of unknown dimension.
/// - SM5-RAW: the four bytes at a.x must lie below the size.
/// - SM5-STRUCT, SM5-OOB-OFFSET: the whole structure a.x must lie below the size; then a.y must be below the stride.
/// - SM5-TYPED: each index must be below its dimension; then the four bytes must lie below the size.
/// - SM5-ALIGN: a.x of a raw and a.y of a structured access are forced to a multiple of 4 beforehand.
///
/// ```
/// use gpu_lsu::{model::uav::place_uav, op::{AddrMode, Resource, Uav}};
///
/// let raw = Uav { kind: Resource::Raw as u8, base: 0x1000, size: 64, ..Uav::default() };
/// let place = |x: u64| place_uav::<u64>(&(&raw).into(), &(AddrMode::Raw as u64), [&x, &0, &0]);
/// assert_eq!((place(60).allocation, place(60).addr), (false, 0x103c));
/// assert_eq!((place(61).misaligned, place(61).addr), (true, 0x103c));
/// assert!(place(64).allocation && place(0xffff_fffc).allocation);
/// ```
#[inline]
pub fn place_uav<W: Word>(view: &View<W>, mode: &W, index: [&W; 3]) -> Target<W> {
    place_by(view, mode, index, &scaled(view, index))
}

/// Like [`place_uav`], where the scaled indices are known.
#[inline]
pub fn place_by<W: Word>(view: &View<W>, mode: &W, index: [&W; 3], scaled: &Scaled<W>) -> Target<W> {
    let size = view.size.zero_extend(ADDR_WIDTH, DISTANCE);
    let [x, y, _] = index;
    let (raw, typed) = (raw(&size, x), typed(view, &size, index, scaled));
    let structured = structured(&size, &view.stride, &scaled.structures, y);
    let (is_raw, is_struct) = (mode.is(AddrMode::Raw as u64, 3), mode.is(AddrMode::Struct as u64, 3));
    let is_typed = is_raw.or(&is_struct).not();
    let bound = matches(&view.kind, mode).and(&is_typed.not().or(&has_dimension(&view.dimension)));
    let inside =
        is_raw.and(&raw.inside).or(&is_struct.and(&structured.inside)).or(&is_typed.and(&typed.inside)).and(&bound);
    let other = W::choose(&is_struct, &structured.distance, &typed.distance, DISTANCE);
    let distance = W::choose(&is_raw, &raw.distance, &other, DISTANCE);
    let addr = view.base.zero_extend(ADDR_WIDTH, DISTANCE).add(&distance, DISTANCE);
    Target {
        bound,
        allocation: inside.not(),
        undefined: inside.and(&is_struct).and(&structured.past),
        misaligned: is_raw.and(&raw.misaligned).or(&is_struct.and(&structured.misaligned)),
        addr: addr.extract(ADDR_WIDTH - 1, 0, DISTANCE),
    }
}

/// Places a lane's access in a g#, by the same rules, except that out of it in any way is undefined (SM5-OOB-TGSM).
///
/// `mode` is raw or structured; there is no third index.
///
/// ```
/// use gpu_lsu::{model::uav::place_tgsm, op::{AddrMode, Resource, Tgsm}};
///
/// let g0 = Tgsm { kind: Resource::Structured as u8, base: 0x100, size: 64, stride: 16 };
/// let place = |x: u64, y: u64| place_tgsm::<u64>(&(&g0).into(), &(AddrMode::Struct as u64), &x, &y);
/// assert_eq!((place(3, 8).undefined, place(3, 8).addr), (false, 0x100 + 56));
/// assert!(place(4, 0).undefined && place(0, 16).undefined);
/// ```
#[inline]
pub fn place_tgsm<W: Word>(group: &Group<W>, mode: &W, x: &W, y: &W) -> Target<W> {
    place_tgsm_by(group, mode, x, y, &structure(&group.stride, x))
}

/// Like [`place_tgsm`], where the bytes of `x` structures are known: `structures`, [`DISTANCE`] bits wide.
#[inline]
pub fn place_tgsm_by<W: Word>(group: &Group<W>, mode: &W, x: &W, y: &W, structures: &W) -> Target<W> {
    let size = group.size.zero_extend(32, DISTANCE);
    let (raw, structured) = (raw(&size, x), structured(&size, &group.stride, structures, y));
    let is_raw = mode.is(AddrMode::Raw as u64, 3);
    let is_struct = is_raw.not();
    let inside = is_raw.and(&raw.inside).or(&is_struct.and(&structured.inside).and(&structured.past.not()));
    let distance = W::choose(&is_raw, &raw.distance, &structured.distance, DISTANCE);
    let addr = group.base.zero_extend(32, DISTANCE).add(&distance, DISTANCE);
    let bound = matches(&group.kind, mode);
    Target {
        allocation: W::Truth::constant(false),
        undefined: inside.and(&bound).not(),
        bound,
        misaligned: is_raw.and(&raw.misaligned).or(&is_struct.and(&structured.misaligned)),
        addr: addr.extract(ADDR_WIDTH - 1, 0, DISTANCE),
    }
}
