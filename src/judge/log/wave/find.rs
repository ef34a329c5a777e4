// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the unit's ports are among the signals of a wave.
//!
//! A port is one signal of its width, or one for each part of what it holds: `--trace-structs` and some simulators write
//! structs and packed arrays so.

use std::{cmp::Reverse, path::Path};

use rustc_hash::{FxHashMap, FxHashSet};
use wellen::{Hierarchy, SignalRef};

use super::{Names, WaveError};
use crate::{
    op::{Shape, layout::Content},
    ports::{Channel, PORTS, Port, Ports},
};

/// Scopes that an error lists.
const LISTED: usize = 4;

/// Some bits of a port.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The place of their signal in [`Found::signals`].
    pub signal: usize,
    /// The lowest, from the port's lowest.
    pub offset: usize,
    /// How many: those of the signal.
    pub width: usize,
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

/// The signals of a port, by where in the port they are, and their widths. The whole port is at the empty path.
type Table = FxHashMap<String, (SignalRef, usize)>;

/// Finds the ports.
///
/// # Errors
///
/// When there is no unit, more than one, or one whose ports do not fit each other.
pub fn find(hierarchy: &Hierarchy, names: &Names, path: &Path) -> Result<Found, WaveError> {
    let mapped = mapped(names)?;
    let called = |port: &Port| mapped.get(port.name).copied().unwrap_or(port.name);
    let scopes = candidates(hierarchy, &PORTS.iter().map(|(port, _)| called(port)).collect());
    let scope = match &names.scope {
        Some(scope) => named(hierarchy, scope, &scopes, path)?,
        None => best(&scopes, path)?,
    };

    let tables = tables(hierarchy, &scope, &called);
    for (port, signal) in &names.map {
        if let Some((port, _)) = PORTS.iter().find(|(known, _)| known.name == port && !tables.contains_key(known.name))
        {
            let (signal, port) = (signal.clone(), port.name);
            return Err(WaveError::NoSignal { path: path.to_owned(), port, signal, scope });
        }
    }
    let missing: Vec<_> = PORTS.iter().map(|(port, _)| port).filter(|port| !tables.contains_key(port.name)).collect();
    let lacks: Vec<_> = missing.iter().filter(|port| !is_optional(port)).map(|port| port.name).collect();
    if !lacks.is_empty() {
        let (ports, scopes) = (lacks.join(", "), listed(scopes));
        return Err(WaveError::Missing { path: path.to_owned(), scope, ports, scopes });
    }

    let lanes = measure(&tables, &PORTS.op_active, &[4, 8, 16, 32], path)?;
    let line_bytes = measure(&tables, &PORTS.req_be, &[32, 64, 128], path)?;
    let shape = Shape { line_bytes, ..Shape::with_lanes(lanes) };
    let mut finder = Finder { path, signals: Vec::new(), places: FxHashMap::default() };
    let parts = Ports::make(|port| {
        let mut parts = Vec::new();
        if let Some(table) = tables.get(port.name) {
            let whole = (String::new(), 0, port.width(&shape));
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

/// What the ports are called that have another name.
fn mapped(names: &Names) -> Result<FxHashMap<&str, &str>, WaveError> {
    let mut mapped = FxHashMap::default();
    for (port, signal) in &names.map {
        if !PORTS.iter().any(|(known, _)| known.name == port) {
            let ports = PORTS.iter().map(|(port, _)| port.name).collect::<Vec<_>>().join(", ");
            return Err(WaveError::NoPort { port: port.clone(), signal: signal.clone(), ports });
        }
        mapped.insert(port.as_str(), signal.as_str());
    }
    Ok(mapped)
}

/// Every scope with a port, and how many it has; those with most first, and of these the outer ones.
fn candidates(hierarchy: &Hierarchy, called: &FxHashSet<&str>) -> Vec<(String, usize)> {
    let count = |names: &mut dyn Iterator<Item = &str>| {
        names.filter(|name| called.contains(name)).collect::<FxHashSet<_>>().len()
    };
    let bare = count(&mut hierarchy.items().map(|item| item.name(hierarchy)));
    let scopes = hierarchy.all_scopes().map(|scope| {
        let scope = &hierarchy[scope];
        (scope, count(&mut scope.items(hierarchy).map(|item| item.name(hierarchy))))
    });
    let scopes = scopes.filter(|(_, ports)| *ports > 0);
    let mut all = vec![(String::new(), bare)];
    all.extend(scopes.map(|(scope, ports)| (flat(&scope.full_name(hierarchy)), ports)));
    all.retain(|(_, ports)| *ports > 0);
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
    match hierarchy.all_scopes().any(|scope| flat(&hierarchy[scope].full_name(hierarchy)) == wanted) {
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

/// A name with its indices where SystemVerilog has them: a reader may take an array for a scope.
fn flat(name: &str) -> String {
    name.replace(".[", "[")
}

/// The signals of each port that has some.
fn tables<'a>(
    hierarchy: &Hierarchy,
    scope: &str,
    called: &impl Fn(&'static Port) -> &'a str,
) -> FxHashMap<&'static str, Table> {
    // In the scope, and else from the top: two ports may be one signal.
    let mut bases: FxHashMap<String, Vec<(&'static str, usize)>> = FxHashMap::default();
    for (port, _) in PORTS.iter() {
        let name = called(port);
        let scoped = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{}", flat(name)) };
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
                found[rank].entry(port).or_default().entry(part).or_insert((var.signal_ref(), width as usize));
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
    let found = tables.get(port.name).and_then(|table| table.get("")).map_or(0, |(_, width)| *width);
    match allowed.contains(&found) {
        true => Ok(found),
        false => {
            let expected = allowed.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
            Err(WaveError::Width { path: path.to_owned(), port: port.name.to_owned(), found, expected })
        }
    }
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
        if let Some(&(signal, found)) = table.get(&part) {
            if found != width {
                let (port, expected) = (joined(port.name, &part), width.to_string());
                return Err(WaveError::Width { path: self.path.to_owned(), port, found, expected });
            }
            let signals = &mut self.signals;
            let place = *self.places.entry(signal).or_insert_with(|| {
                signals.push(signal);
                signals.len() - 1
            });
            parts.push(Part { signal: place, offset, width });
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
