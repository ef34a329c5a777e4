// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selects the signals of two waves that are compared.

use rustc_hash::{FxHashMap, FxHashSet};
use wellen::SignalRef;

use super::{
    CompareError, Options, Width,
    file::{File, Variable},
};

/// The number of names that are listed if the waves have none in common.
const LISTED: usize = 3;

/// Two signals to compare. They make one pair, however many names they have.
pub struct Pair {
    pub a: SignalRef,
    pub b: SignalRef,
    /// The path in the first wave, and in the second.
    pub name: String,
    pub other: String,
    /// The number of its names that both waves have.
    pub names: u64,
    one_bit: bool,
}

pub struct Matched {
    pub pairs: Vec<Pair>,
    pub only_a: Vec<String>,
    pub only_b: Vec<String>,
    pub ignored: u64,
    pub widths: Vec<Width>,
}

/// Whether a path matches a pattern, in which `*` stands for any characters and `?` for one.
///
/// ```
/// use gpu_lsu::wave::compare::matches;
///
/// assert!(matches("top.*.clk?i", "top.lsu.u_order.clk_i") && !matches("*.data", "top.data_o"));
/// ```
pub fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.as_bytes(), path.as_bytes());
    let (mut at, mut from, mut star) = (0, 0, None);
    while from < path.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(&byte) if byte == b'?' || byte == path[from] => (at, from) = (at + 1, from + 1),
            // The last star takes one more character.
            _ => match star {
                Some((place, taken)) => {
                    star = Some((place, taken + 1));
                    (at, from) = (place + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

/// The rest of a path after the name of a signal or scope, if the path is the name or lies below it.
fn below<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    path.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The name in the second wave of a path of the first: by the longest mapping that applies.
fn renamed(path: &str, map: &[(String, String)]) -> String {
    let found = map.iter().filter_map(|(from, to)| below(path, from).map(|rest| (from.len(), format!("{to}{rest}"))));
    found.max_by_key(|(length, _)| *length).map_or_else(|| path.to_owned(), |(_, name)| name)
}

/// How often each path has occurred so far.
#[derive(Default)]
struct Occurrences(FxHashMap<String, usize>);

impl Occurrences {
    /// The number of this occurrence, from 0.
    fn next(&mut self, path: &str) -> usize {
        let number = self.0.entry(path.to_owned()).or_default();
        *number += 1;
        *number - 1
    }
}

/// Finds the signals that both waves have.
pub fn matched(a: &File, b: &File, options: &Options) -> Result<Matched, CompareError> {
    let (a, variables_of_b) = (a.variables(), b.variables());
    for (from, to) in &options.map {
        let missing = [("first", &a, from), ("second", &variables_of_b, to)]
            .into_iter()
            .find(|(_, variables, name)| !variables.iter().any(|variable| below(&variable.path, name).is_some()));
        if let Some((which, _, name)) = missing {
            return Err(CompareError::Map { from: from.clone(), to: to.clone(), which, name: name.clone() });
        }
    }
    // A path may occur several times in a scope: the first of one wave is the first of the other, and so on.
    let (mut in_a, mut in_b) = (Occurrences::default(), Occurrences::default());
    let b: Vec<_> = variables_of_b.iter().map(|variable| (in_b.next(&variable.path), variable)).collect();
    let by_name: FxHashMap<_, _> = b.iter().map(|(number, variable)| ((&*variable.path, *number), *variable)).collect();
    let ignored = |path: &str| options.ignore.iter().any(|pattern| matches(pattern, path));
    let mut found =
        Matched { pairs: Vec::new(), only_a: Vec::new(), only_b: Vec::new(), ignored: 0, widths: Vec::new() };
    let (mut seen, mut paired) = (FxHashSet::default(), FxHashMap::default());
    let mut ignored_in_both = false;
    for variable in &a {
        let name = renamed(&variable.path, &options.map);
        let number = in_a.next(&variable.path);
        let other = by_name.get(&(&*name, number));
        if other.is_some() {
            seen.insert((name.clone(), number));
        }
        if ignored(&variable.path) || ignored(&name) {
            found.ignored += 1;
            ignored_in_both |= other.is_some();
            continue;
        }
        let Some(other) = other else {
            found.only_a.push(variable.path.clone());
            continue;
        };
        if let (Some(a), Some(b)) = (variable.width, other.width)
            && a != b
        {
            found.widths.push(Width { signal: variable.path.clone(), a, b });
        }
        let place = *paired.entry((variable.signal, other.signal)).or_insert(found.pairs.len());
        if let Some(pair) = found.pairs.get_mut(place) {
            pair.names += 1;
        } else {
            let (a, b, one_bit) = (variable.signal, other.signal, (variable.width, other.width) == (Some(1), Some(1)));
            found.pairs.push(Pair { a, b, name: variable.path.clone(), other: name, names: 1, one_bit });
        }
    }
    let rest = b.iter().map(|(number, variable)| (&variable.path, *number));
    let rest = rest.filter(|(path, number)| !seen.contains(&((*path).clone(), *number)) && !ignored(path));
    found.only_b = rest.map(|(path, _)| path.clone()).collect();
    if found.pairs.is_empty() && ignored_in_both {
        return Err(CompareError::Ignored { what: "signal" });
    }
    if found.pairs.is_empty() {
        let listed = |names: &[Variable]| match names {
            [] => "none at all".to_owned(),
            _ => {
                let first: Vec<_> = names.iter().take(LISTED).map(|variable| &*variable.path).collect();
                let more = names.len() - first.len();
                format!("{}{}", first.join(", "), if more > 0 { format!(" and {more} more") } else { String::new() })
            }
        };
        return Err(CompareError::Nothing { a: listed(&a), b: listed(&variables_of_b) });
    }
    Ok(found)
}

impl Matched {
    /// The unit's clock in both waves; of several the outermost.
    pub fn clock(&self) -> Option<(SignalRef, SignalRef)> {
        let clocks = self.pairs.iter().filter(|pair| pair.one_bit && pair.name.rsplit('.').next() == Some("clk_i"));
        clocks.min_by_key(|pair| pair.name.len()).map(|pair| (pair.a, pair.b))
    }
}
