// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the unit's ports among the signals of a wave.
//!
//! A port is one signal of its width, or one for each part of its contents: `--trace-structs` and some simulators write
//! structs and packed arrays in this way. Either may be split into slices, down to one signal for each bit, as logic
//! analysers do; these also have paths with slashes, all in one scope. Inputs that the design ties are in no wave of a
//! board; their values are given.

use std::{cmp::Reverse, path::Path};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use wellen::{Hierarchy, ScopeRef, SignalRef};

use super::{super::lines, Cycles, Names, WaveError};
use crate::{
    op::{Shape, layout::Content},
    ports::{Channel, Direction, PORTS, Port, Ports},
};

/// In a map: every port, and in a name the port's own name.
const ANY: &str = "*";
/// The most scopes that an error lists.
const LISTED: usize = 4;

/// Some bits of a port.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub source: Source,
    /// The offset of the lowest bit in the port.
    pub offset: usize,
    /// The number of bits: the width of the signal.
    pub width: usize,
}

/// The origin of bits.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The index of a signal in [`Found::signals`].
    Signal(usize),
    /// A constant value.
    Tied(u64),
}

/// A unit's ports in a wave.
#[derive(Debug)]
pub struct Found {
    pub scope: String,
    pub shape: Shape,
    /// Missing ports have no parts.
    pub parts: Ports<Vec<Part>>,
    /// Each signal once.
    pub signals: Vec<SignalRef>,
    pub missing: Vec<&'static str>,
}

/// The signals of a port, by their path within the port. The whole port has the empty path.
type Table = FxHashMap<String, Vec<Slice>>;

/// A signal of some name, or some of its bits.
#[derive(Clone, Copy)]
struct Slice {
    signal: SignalRef,
    width: usize,
    /// The index of its lowest bit, if the wave gives it.
    lowest: Option<i64>,
}

/// Finds the ports.
///
/// # Errors
///
/// A wave with no unit, with more than one, or with one whose ports do not fit each other.
pub fn find(hierarchy: &Hierarchy, names: &Names, path: &Path) -> Result<Found, WaveError> {
    let Called { all, mapped, tied } = Called::of(names)?;
    let scopes = candidates(hierarchy, &all.values().map(String::as_str).collect());
    let scope = match &names.scope {
        Some(scope) => named(hierarchy, scope, &scopes, path)?,
        // Paths from the top need no scope.
        None if scopes.is_empty() && all.values().any(|name| flat(name).contains('.')) => String::new(),
        None => best(&scopes, path)?,
    };

    let tables = tables(hierarchy, &scope, &all);
    if let Some((port, _)) =
        PORTS.iter().find(|(port, _)| mapped.contains(port.name) && !tables.contains_key(port.name))
    {
        let (port, signal) = (port.name, all[port.name].clone());
        return Err(WaveError::NoSignal { path: path.to_owned(), port, signal, scope });
    }
    let is_there = |port: &Port| tables.contains_key(port.name) || tied.contains_key(port.name);
    let missing: Vec<_> = PORTS.iter().map(|(port, _)| port).filter(|port| !is_there(port)).collect();
    if names.cycles == Cycles::Samples && tables.contains_key(PORTS.clk.name) {
        return Err(WaveError::Clock { path: path.to_owned(), scope });
    }
    let needed = |port: &&Port| !is_optional(port) && (names.cycles == Cycles::Edges || port.name != PORTS.clk.name);
    let lacks: Vec<_> = missing.iter().copied().filter(needed).map(|port| port.name).collect();
    if lacks == [PORTS.clk.name] {
        return Err(WaveError::NoClock { path: path.to_owned(), scope });
    }
    if !lacks.is_empty() {
        let (ports, scopes) = (lacks.join(", "), listed(scopes));
        return Err(WaveError::Missing { path: path.to_owned(), scope, ports, scopes });
    }

    for port in [&PORTS.op_active, &PORTS.req_be] {
        if let (Some(&value), false) = (tied.get(port.name), tables.contains_key(port.name)) {
            let why = "is wanted as a signal: its width says how large the unit is".to_owned();
            return Err(WaveError::Tied { port: port.name.to_owned(), value: value.to_string(), why });
        }
    }
    let lanes = measure(&tables, &PORTS.op_active, &[4, 8, 16, 32], path)?;
    let line_bytes = measure(&tables, &PORTS.req_be, &[32, 64, 128], path)?;
    let shape = Shape { line_bytes, ..Shape::with_lanes(lanes) };
    let mut finder = Finder { path, signals: Vec::new(), places: FxHashMap::default() };
    let parts = Ports::make(|port| {
        let (mut parts, width) = (Vec::new(), port.width(&shape));
        if let Some(&value) = tied.get(port.name) {
            let why = match port.direction {
                Direction::Output => "is an output: what the unit says is read from the wave alone".to_owned(),
                Direction::Input if tables.contains_key(port.name) => {
                    "is in the wave, which says what it is".to_owned()
                }
                Direction::Input if width < 64 && value >> width != 0 => format!("has {width} bits"),
                Direction::Input => String::new(),
            };
            if !why.is_empty() {
                return Err(WaveError::Tied { port: port.name.to_owned(), value: value.to_string(), why });
            }
            parts.push(Part { source: Source::Tied(value), offset: 0, width });
        } else if let Some(table) = tables.get(port.name) {
            let whole = (String::new(), 0, width);
            finder.parts(port, table, whole, port.content(&shape), &mut parts)?;
        }
        Ok(parts)
    })?;
    let missing = missing.iter().map(|port| port.name).collect();
    Ok(Found { scope, shape, parts, signals: finder.signals, missing })
}

/// Whether everything else can be judged without this port.
fn is_optional(port: &Port) -> bool {
    matches!(port.channel, Channel::Data | Channel::WriteBack) || port.name == PORTS.ctrl.name
}

/// The names of the ports.
struct Called<'a> {
    all: FxHashMap<&'static str, String>,
    /// Ports that the map names one by one.
    mapped: FxHashSet<&'a str>,
    /// Ports that the design ties, with their values.
    tied: FxHashMap<&'a str, u64>,
}

impl<'a> Called<'a> {
    fn of(names: &'a Names) -> Result<Self, WaveError> {
        let pattern = names.map.iter().find(|(port, _)| port == ANY).map_or(ANY, |(_, pattern)| pattern);
        let all = PORTS.iter().map(|(port, _)| (port.name, pattern.replace(ANY, port.name)));
        let (mut all, mut mapped, mut tied) =
            (all.collect::<FxHashMap<_, _>>(), FxHashSet::default(), FxHashMap::default());
        for (port, signal) in names.map.iter().filter(|(port, _)| port != ANY) {
            let Some(name) = all.get_mut(port.as_str()) else {
                let ports = PORTS.iter().map(|(port, _)| port.name).collect::<Vec<_>>().join(", ");
                return Err(WaveError::NoPort { port: port.clone(), signal: signal.clone(), ports });
            };
            // No signal has a number as its name.
            match lines::number(&Value::from(signal.as_str())) {
                Ok(value) => _ = tied.insert(port.as_str(), value),
                Err(error) if is_number(signal) => {
                    let why = format!("cannot be tied to it: {error}");
                    return Err(WaveError::Tied { port: port.clone(), value: lines::cut(signal), why });
                }
                Err(_) => {
                    name.clone_from(signal);
                    mapped.insert(port.as_str());
                }
            }
        }
        Ok(Called { all, mapped, tied })
    }
}

/// Whether this is meant as a number, though it may not be a right one.
fn is_number(text: &str) -> bool {
    let all = |digits: &str, base| digits.chars().all(|digit| digit.is_digit(base) || digit == '_');
    match text.get(..2) {
        Some("0x" | "0X" | "0b" | "0B") => all(&text[2..], 16),
        _ => text.starts_with(|first: char| first.is_ascii_digit()) && all(text, 10),
    }
}

/// Every scope with a port, and the number of its ports: those with most ports first, and of these the outer ones.
fn candidates(hierarchy: &Hierarchy, called: &FxHashSet<&str>) -> Vec<(String, usize)> {
    let vars = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy));
    // A reader may take a port of several dimensions for a scope.
    let scopes = hierarchy.all_scopes().map(|scope| hierarchy[scope].full_name(hierarchy));
    let mut places = FxHashMap::default();
    let mut found: Vec<(String, FxHashSet<String>)> = Vec::new();
    for name in vars.chain(scopes).map(|name| flat(&name)) {
        let (scope, name) = name.rsplit_once('.').unwrap_or(("", &name));
        if called.contains(name) {
            let place = *places.entry(scope.to_owned()).or_insert(found.len());
            if place == found.len() {
                found.push((scope.to_owned(), FxHashSet::default()));
            }
            found[place].1.insert(name.to_owned());
        }
    }
    let mut all: Vec<_> = found.into_iter().map(|(scope, ports)| (scope, ports.len())).collect();
    all.sort_by_key(|(scope, ports)| (Reverse(*ports), scope.len()));
    all
}

/// The scope with most ports. A simulator's top repeats the ports of its only instance, so the outermost of nested
/// scopes is chosen.
fn best(scopes: &[(String, usize)], path: &Path) -> Result<String, WaveError> {
    let Some((outermost, most)) = scopes.first() else { return Err(WaveError::NoUnit { path: path.to_owned() }) };
    let ties: Vec<_> = scopes.iter().take_while(|(_, ports)| ports == most).collect();
    let nested = ties.windows(2).all(|pair| is_inside(&pair[1].0, &pair[0].0));
    match nested {
        true => Ok(outermost.clone()),
        false => {
            Err(WaveError::Ambiguous { path: path.to_owned(), scopes: listed(ties.into_iter().cloned().collect()) })
        }
    }
}

fn is_inside(inner: &str, outer: &str) -> bool {
    outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

fn named(hierarchy: &Hierarchy, scope: &str, scopes: &[(String, usize)], path: &Path) -> Result<String, WaveError> {
    let wanted = flat(scope);
    let is_scope = |scope: ScopeRef| flat(&hierarchy[scope].full_name(hierarchy)) == wanted;
    match scopes.iter().any(|(scope, _)| *scope == wanted) || hierarchy.all_scopes().any(is_scope) {
        true => Ok(wanted),
        false => {
            let scopes = listed(scopes.to_vec());
            Err(WaveError::NoScope { path: path.to_owned(), scope: scope.to_owned(), scopes })
        }
    }
}

fn listed(scopes: Vec<(String, usize)>) -> String {
    let all = PORTS.iter().count();
    let named = scopes.iter().take(LISTED).map(|(scope, ports)| format!("`{scope}` ({ports} of {all})"));
    match scopes.is_empty() {
        true => "no scope".to_owned(),
        false => named.collect::<Vec<_>>().join(", "),
    }
}

/// A path with dots, with indices where SystemVerilog has them, and without the marks of an escaped name (`\op_i[3] `).
/// A reader may take an array for a scope.
fn flat(name: &str) -> String {
    name.replace('/', ".").replace(['\\', ' '], "").replace(".[", "[")
}

/// The signals of each port that has some.
fn tables(
    hierarchy: &Hierarchy,
    scope: &str,
    called: &FxHashMap<&'static str, String>,
) -> FxHashMap<&'static str, Table> {
    // A name counts in the scope first, and else from the top. Two ports may be one signal.
    let mut bases: FxHashMap<String, Vec<(&'static str, usize)>> = FxHashMap::default();
    for (port, _) in PORTS.iter() {
        let name = &called[port.name];
        let scoped = if scope.is_empty() { name.clone() } else { format!("{scope}.{}", flat(name)) };
        bases.entry(scoped).or_default().push((port.name, 0));
        if name != port.name {
            bases.entry(flat(name)).or_default().push((port.name, 1));
        }
    }
    // Of a long path, only a part as long as some base can be one.
    let lengths: FxHashSet<usize> = bases.keys().map(String::len).collect();
    let mut found: [FxHashMap<&'static str, Table>; 2] = Default::default();
    for var in hierarchy.all_vars() {
        let var = &hierarchy[var];
        // Reals and strings are no ports.
        let (true, Some(width)) = (var.is_bit_vector(hierarchy), var.length(hierarchy)) else {
            continue;
        };
        let name = flat(&var.full_name(hierarchy));
        let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
        for (base, rest) in ends.filter(|at| lengths.contains(at)).map(|at| name.split_at(at)) {
            for &(port, rank) in bases.get(base).into_iter().flatten() {
                let part = rest.strip_prefix('.').unwrap_or(rest).to_owned();
                let (signal, lowest) = (var.signal_ref(), var.index().map(|index| index.lsb().min(index.msb())));
                let slices = found[rank].entry(port).or_default().entry(part).or_default();
                slices.push(Slice { signal, width: width as usize, lowest });
            }
        }
    }
    let [mut scoped, anywhere] = found;
    anywhere.into_iter().for_each(|(port, table)| {
        scoped.entry(port).or_insert(table);
    });
    scoped
}

/// The width of a port that determines the size of the unit.
fn measure(
    tables: &FxHashMap<&'static str, Table>,
    port: &'static Port,
    allowed: &[usize],
    path: &Path,
) -> Result<usize, WaveError> {
    let slices = tables.get(port.name).and_then(|table| table.get(""));
    let found = slices.map_or(0, |slices| joint(slices).iter().map(|slice| slice.width).sum());
    match allowed.contains(&found) {
        true => Ok(found),
        false => {
            let expected = allowed.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
            Err(WaveError::Width { path: path.to_owned(), port: port.name.to_owned(), found, expected })
        }
    }
}

/// The signals of one name that together have all of its bits, the lowest first. One that occurs twice counts once.
fn joint(slices: &[Slice]) -> Vec<Slice> {
    let mut joint = slices.to_vec();
    joint.sort_by_key(|slice| slice.lowest);
    joint.dedup_by_key(|slice| slice.lowest);
    let follows = |pair: &[Slice]| matches!(pair, [one, next] if one.lowest.map(|lowest| lowest + one.width as i64) == next.lowest);
    if joint.windows(2).all(follows) { joint } else { slices[..1].to_vec() }
}

struct Finder<'a> {
    path: &'a Path,
    signals: Vec<SignalRef>,
    places: FxHashMap<SignalRef, usize>,
}

impl Finder<'_> {
    /// Adds the signals that make up a part of a port, from outside in.
    fn parts(
        &mut self,
        port: &'static Port,
        table: &Table,
        (part, offset, width): (String, usize, usize),
        content: Content,
        parts: &mut Vec<Part>,
    ) -> Result<(), WaveError> {
        if let Some(slices) = table.get(&part) {
            let slices = joint(slices);
            let found = slices.iter().map(|slice| slice.width).sum();
            if found != width {
                let (port, expected) = (joined(port.name, &part), width.to_string());
                return Err(WaveError::Width { path: self.path.to_owned(), port, found, expected });
            }
            let mut offset = offset;
            for Slice { signal, width, .. } in slices {
                let signals = &mut self.signals;
                let place = *self.places.entry(signal).or_insert_with(|| {
                    signals.push(signal);
                    signals.len() - 1
                });
                parts.push(Part { source: Source::Signal(place), offset, width });
                offset += width;
            }
            return Ok(());
        }
        match content {
            Content::Number(_) => {
                let part = joined(port.name, &part);
                return Err(WaveError::Part { path: self.path.to_owned(), port: port.name, part });
            }
            Content::Struct(whole) => {
                for member in whole.members {
                    let part = if part.is_empty() { member.name.to_owned() } else { format!("{part}.{}", member.name) };
                    let at = (part, offset + member.offset, member.width);
                    self.parts(port, table, at, member.content, parts)?;
                }
            }
            Content::Array(count, &each) => {
                for index in 0..count {
                    let at = (format!("{part}[{index}]"), offset + index * (width / count), width / count);
                    self.parts(port, table, at, each, parts)?;
                }
            }
        }
        Ok(())
    }
}

/// The full name of a part of a port.
pub fn joined(port: &str, part: &str) -> String {
    let dot = if part.is_empty() || part.starts_with('[') { "" } else { "." };
    format!("{port}{dot}{part}")
}
