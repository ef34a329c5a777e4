// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distance of every drive from a signal, against the flow.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use super::{
    design::{Design, Kind, Symbol},
    uses::{Use, uses},
};

/// The cost of an edge: a connection or an argument, a wire, a register, a condition or an index. Connections are free
/// because the nesting of modules says nothing.
const BIND: u32 = 0;
const WIRE: u32 = 2;
const REGISTER: u32 = 3;
const CHOICE: u32 = 4;

/// How a line is reached.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The way's cost.
    pub cost: u32,
    /// Registers on the way.
    pub registers: u32,
    /// What the line drives, or what its condition decides on.
    pub drives: String,
    /// The index of the condition; `None` for a drive.
    pub guard: Option<usize>,
    /// The index of the drive.
    pub drive: usize,
}

/// A start: a signal, a field of it if only that is wrong, and the cost of starting there.
pub type Start = (Symbol, Option<String>, u32);

/// The ways to each line, by file and line; a signal is passed only on the cheapest way to it.
pub fn lines(design: &Design, starts: &[Start]) -> HashMap<(usize, usize), Vec<Reached>> {
    let mut by_target: HashMap<&Symbol, Vec<usize>> = HashMap::new();
    for (number, drive) in design.drives.iter().enumerate() {
        by_target.entry(&drive.target).or_default().push(number);
    }
    let reads: Vec<Vec<Use>> = design.drives.iter().map(|drive| uses(&drive.value)).collect();
    let asks: Vec<Vec<Use>> = design.guards.iter().map(|guard| uses(&guard.asks)).collect();

    let mut found: HashMap<(usize, usize), Vec<Reached>> = HashMap::new();
    let mut seen: HashSet<(Symbol, Option<String>)> = HashSet::new();
    let mut asked: HashSet<usize> = HashSet::new();
    let mut queue = BinaryHeap::new();
    for (symbol, field, cost) in starts {
        queue.push(Reverse((*cost, 0, symbol.clone(), field.clone())));
    }
    while let Some(Reverse((cost, registers, symbol, field))) = queue.pop() {
        if !seen.insert((symbol.clone(), field.clone())) {
            continue;
        }
        for &number in by_target.get(&symbol).into_iter().flatten() {
            let drive = &design.drives[number];
            if let (Some(asked), Some(driven)) = (&field, &drive.field)
                && asked != driven
            {
                continue;
            }
            let rest = field.clone().filter(|_| drive.field.is_none());
            let passes = registers + u32::from(drive.kind == Kind::Register);
            let next = cost
                + match drive.kind {
                    Kind::Bind => BIND,
                    Kind::Wire => WIRE,
                    Kind::Register => REGISTER,
                };
            let reached = Reached { cost, registers, drives: symbol.1.clone(), guard: None, drive: number };
            let keyed = rest.is_some() && reads[number].iter().any(|read| read.key.is_some());
            let mut lines: HashSet<usize> = HashSet::new();
            for read in &reads[number] {
                let key_of = |key: &String| Some(key) == rest.as_ref();
                if keyed && !read.key.as_ref().is_some_and(key_of) {
                    continue;
                }
                lines.insert(read.line);
                let passed = rest.clone().filter(|_| read.whole && read.key.is_none());
                let source = source(design, drive.scope, read);
                let more = if read.index { CHOICE } else { 0 };
                let wanted = read.field.clone().or(passed);
                queue.push(Reverse((next + more, passes, source, wanted)));
            }
            if !keyed {
                lines.extend(drive.line..=drive.end);
            }
            for line in lines {
                found.entry((drive.file, line)).or_default().push(reached.clone());
            }
            for (depth, &(guard, _)) in drive.guards.iter().rev().enumerate() {
                let cost = cost + CHOICE + depth as u32;
                let of = &design.guards[guard];
                if asked.insert(guard) {
                    let reached =
                        Reached { cost, registers, drives: symbol.1.clone(), guard: Some(guard), drive: number };
                    for line in of.asks.iter().map(|token| token.line).collect::<HashSet<_>>() {
                        found.entry((of.file, line)).or_default().push(reached.clone());
                    }
                }
                if !of.is_loop {
                    for read in &asks[guard] {
                        let source = source(design, of.scope, read);
                        queue.push(Reverse((cost + CHOICE, registers, source, read.field.clone())));
                    }
                }
            }
        }
    }
    found
}

/// The symbol that a name is read from: for a call, the function's result.
fn source(design: &Design, scope: usize, read: &Use) -> Symbol {
    let function = read.arguments.as_ref().and_then(|_| design.function(scope, &read.name));
    function.map_or_else(|| design.resolve(scope, &read.name), |function| (function, read.name.clone()))
}
