// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the unit's ports are among the signals of a wave.
//!
//! A port is one signal of its width, or one for each part of what it holds: `--trace-structs` and some simulators write
//! structs and packed arrays so. Either may be in slices, down to a signal a bit, as logic analysers have them; those have
//! paths with slashes, too, all in one scope. What the design ties is in no wave of a board: then its value is given.

use std::{cmp::Reverse, path::Path};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use wellen::{Hierarchy, ScopeRef, SignalRef};

use super::{super::lines, Cycles, Names, WaveError};
use crate::{
    op::{Shape, layout::Content},
    ports::{Channel, Direction, PORTS, Port, Ports},
};

/// In a map: each port, and its own name.
const ANY: &str = "*";
/// Scopes that an error lists.
const LISTED: usize = 4;

/// Some bits of a port.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub source: Source,
    /// The lowest, from the port's lowest.
    pub offset: usize,
    /// How many: those of the signal.
    pub width: usize,
}

/// Where bits come from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The place of their signal in [`Found::signals`].
    Signal(usize),
    /// They are always this.
    Tied(u64),
}

/// A unit's ports in a wave.
#[derive(Debug)]
pub struct Found {
    pub scope: String,
    pub shape: Shape,
    /// Those that are missing have no parts.
    pub parts: Ports<Vec<Part>>,
    /// Each once.
    pub signals: Vec<SignalRef>,
    pub missing: Vec<&'static str>,
}

/// The signals of a port, by where in the port they are. The whole port is at the empty path.
type Table = FxHashMap<String, Vec<Slice>>;

/// A signal of a name, or some of its bits.
#[derive(Clone, Copy)]
struct Slice {
    signal: SignalRef,
    width: usize,
    /// The lowest, if the wave says so.
    lowest: Option<i64>,
}

/// Finds the ports.
///
/// # Errors
///
/// When there is no unit, more than one, or one whose ports do not fit each other.
pub fn find(hierarchy: &Hierarchy, names: &Names, path: &Path) -> Result<Found, WaveError> {
    let Called { all, mapped, tied } = Called::of(names)?;
    let scopes = candidates(hierarchy, &all.values().map(String::as_str).collect());
    let scope = match &names.scope {
        Some(scope) => named(hierarchy, scope, &scopes, path)?,
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
            return Err(WaveError::Tied { port: port.name, value, why });
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
                return Err(WaveError::Tied { port: port.name, value, why });
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

/// Without these ports the rest can still be judged.
fn is_optional(port: &Port) -> bool {
    matches!(port.channel, Channel::Data | Channel::WriteBack) || port.name == PORTS.ctrl.name
}

/// What the ports are called.
struct Called<'a> {
    all: FxHashMap<&'static str, String>,
    /// Those of which it was said, each for itself.
    mapped: FxHashSet<&'a str>,
    /// Those that the design ties.
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
            // No signal has such a name.
            if let Ok(value) = lines::number(&Value::from(signal.as_str())) {
                tied.insert(port.as_str(), value);
            } else {
                name.clone_from(signal);
                mapped.insert(port.as_str());
            }
        }
        Ok(Called { all, mapped, tied })
    }
}

/// Every scope with a port, and how many it has; those with most first, and of these the outer ones.
fn candidates(hierarchy: &Hierarchy, called: &FxHashSet<&str>) -> Vec<(String, usize)> {
    let vars = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy));
    // A port of several dimensions may be a scope.
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

/// The scope with most ports. A simulator's top holds the ports of its only instance again: of scopes inside each other it
/// is the outermost.
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

/// A name with its indices where SystemVerilog has them, as a reader may take an array for a scope; and all of its path
/// with dots.
fn flat(name: &str) -> String {
    name.replace('/', ".").replace(".[", "[")
}

/// The signals of each port that has some.
fn tables(
    hierarchy: &Hierarchy,
    scope: &str,
    called: &FxHashMap<&'static str, String>,
) -> FxHashMap<&'static str, Table> {
    // In the scope, and else from the top: two ports may be one signal.
    let mut bases: FxHashMap<String, Vec<(&'static str, usize)>> = FxHashMap::default();
    for (port, _) in PORTS.iter() {
        let name = &called[port.name];
        let scoped = if scope.is_empty() { name.clone() } else { format!("{scope}.{}", flat(name)) };
        bases.entry(scoped).or_default().push((port.name, 0));
        if name != port.name {
            bases.entry(flat(name)).or_default().push((port.name, 1));
        }
    }
    let mut found: [FxHashMap<&'static str, Table>; 2] = Default::default();
    for var in hierarchy.all_vars() {
        let var = &hierarchy[var];
        // Reals and texts are no ports.
        let (true, Some(width)) = (var.is_bit_vector(hierarchy), var.length(hierarchy)) else {
            continue;
        };
        let name = flat(&var.full_name(hierarchy));
        let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
        for (base, rest) in ends.map(|at| name.split_at(at)) {
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

/// The width of a port that says how large the unit is.
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

/// The signals of one name that together are all bits of it, the lowest first. One that is there twice counts once.
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
    /// The signals that make up a part of a port, from outside in.
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

/// A part of a port, with the port.
pub fn joined(port: &str, part: &str) -> String {
    let dot = if part.is_empty() || part.starts_with('[') { "" } else { "." };
    format!("{port}{dot}{part}")
}
