// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups many lanes into few rows: what is equal, or grows evenly from lane to lane, is stated once.

use std::fmt;

/// The entry of one lane. Within a row, `key` is equal and `values` grow evenly.
pub struct Item<K> {
    pub lane: usize,
    pub key: K,
    pub values: Vec<u64>,
}

/// Lanes whose entries form one row.
pub struct Row<K> {
    /// Ascending.
    pub lanes: Vec<usize>,
    pub key: K,
    pub values: Vec<Progression>,
}

/// A value for every lane of a row, printed as the program format would write it.
#[derive(Clone, Copy)]
pub struct Progression {
    first: usize,
    value: u64,
    step: i128,
    /// Whether the value is written relative to `first`, because lane 0 does not continue the progression.
    late: bool,
}

impl Progression {
    fn at(&self, lane: usize) -> i128 {
        i128::from(self.value) + self.step * (lane as i128 - self.first as i128)
    }

    /// Adds `offset` to every value.
    pub fn plus(self, offset: u64) -> Progression {
        Progression { value: self.value.wrapping_add(offset), ..self }
    }

    /// Formats in decimal the value, or the first and last of `count` consecutive values.
    pub fn decimal(&self, count: u64) -> String {
        let number = |value: i128| match count {
            0 | 1 => value.to_string(),
            _ => format!("{value}..{}", value + i128::from(count) - 1),
        };
        let times = |size: u128| if size == 1 { String::new() } else { format!("{size}*") };
        self.write(number, times, count < 2)
    }

    /// Formats the sum with `number` for numbers and `times` for factors. A base of 0 is left out if `may_go`.
    fn write(&self, number: impl Fn(i128) -> String, times: impl Fn(u128) -> String, may_go: bool) -> String {
        if self.step == 0 {
            return number(self.value.into());
        }
        let times = times(self.step.unsigned_abs());
        let sign = if self.step < 0 { '-' } else { '+' };
        // The value extrapolated to lane 0 is shown only if it lies in the range of the others: 32 bits, or 64.
        let limit = if self.value > u32::MAX.into() { u64::MAX } else { u32::MAX.into() };
        match self.at(0) {
            _ if self.late => format!("{} {sign} {times}(lane - {})", number(self.value.into()), self.first),
            0 if may_go => format!("{times}lane"),
            base if (0..=limit.into()).contains(&base) => format!("{} {sign} {times}lane", number(base)),
            _ => format!("{} {sign} {times}(lane - {})", number(self.value.into()), self.first),
        }
    }
}

impl fmt::Display for Progression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |size| match size {
            1 => String::new(),
            2..0x20 => format!("{size}*"),
            _ => format!("{size:#x}*"),
        };
        f.write_str(&self.write(|value| format!("{value:#x}"), times, true))
    }
}

/// Groups the items into rows, in the order of their first lanes. Two lanes alone do not make a progression.
pub fn group<K: PartialEq + Clone>(items: impl IntoIterator<Item = Item<K>>) -> Vec<Row<K>> {
    let mut classes: Vec<Vec<Item<K>>> = Vec::new();
    for item in items {
        match classes.iter_mut().find(|class| class[0].key == item.key) {
            Some(class) => class.push(item),
            None => classes.push(vec![item]),
        }
    }
    let mut rows = Vec::new();
    for class in &classes {
        let mut rest = &class[..];
        while let Some(first) = rest.first() {
            let (length, values) = run(rest);
            let (these, others) = rest.split_at(length);
            rows.push(Row { lanes: these.iter().map(|item| item.lane).collect(), key: first.key.clone(), values });
            rest = others;
        }
    }
    rows.sort_by_key(|row| row.lanes[0]);
    rows
}

/// Groups like [`group`], but shows no number that no lane has: a progression that lane 0 does not continue starts at
/// its own first lane.
pub fn exactly<K: PartialEq + Clone>(items: impl IntoIterator<Item = Item<K>>) -> Vec<Row<K>> {
    let items: Vec<Item<K>> = items.into_iter().collect();
    let zero = items.iter().find(|item| item.lane == 0).map(|item| item.values.clone()).unwrap_or_default();
    let mut rows = group(items);
    for (index, progression) in rows.iter_mut().flat_map(|row| row.values.iter_mut().enumerate()) {
        progression.late = zero.get(index).is_none_or(|value| i128::from(*value) != progression.at(0));
    }
    rows
}

/// The number of leading items that make one row, and the values of this row.
fn run<K>(items: &[Item<K>]) -> (usize, Vec<Progression>) {
    let constant = |item: &Item<K>| -> Vec<_> {
        item.values.iter().map(|&value| Progression { first: item.lane, value, step: 0, late: false }).collect()
    };
    let alone = (1, constant(&items[0]));
    let [first, second, ..] = items else { return alone };
    let mut values = alone.1.clone();
    let apart = second.lane as i128 - first.lane as i128;
    if apart == 0 {
        return alone; // Two requests of one lane.
    }
    for (progression, &value) in values.iter_mut().zip(&second.values) {
        let difference = i128::from(value) - i128::from(progression.value);
        if difference % apart != 0 {
            return alone;
        }
        progression.step = difference / apart;
    }
    let fits = |item: &&Item<K>| {
        values.iter().zip(&item.values).all(|(progression, &value)| progression.at(item.lane) == i128::from(value))
    };
    match items.iter().take_while(fits).count() {
        0..=2 if values.iter().any(|progression| progression.step != 0) => alone,
        length => (length, values),
    }
}

/// Formats lanes as `0..3, 8`, or as `1..31 odd`.
pub fn lanes(lanes: &[usize]) -> String {
    let apart = |distance| lanes.windows(2).all(|pair| pair[1] - pair[0] == distance);
    match (lanes, lanes.last()) {
        ([first, _, _, ..], Some(last)) if apart(2) => {
            format!("{first}..{last} {}", if first % 2 == 0 { "even" } else { "odd" })
        }
        _ => list(&ranges(lanes.iter().copied()), |lane| lane.to_string()),
    }
}

/// Formats the bytes of a mask as `0x18..0x1f`, or as `4 of every 8 in 0x0..0x7b`.
pub fn bytes(enable: u128) -> String {
    let ranges = ranges((0..128).filter(|byte| enable >> byte & 1 == 1));
    let shape = |pair: &[(usize, usize)]| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
    if let [first, second, .., last] = &ranges[..] {
        let (period, _) = shape(&[*first, *second]);
        if ranges.windows(2).all(|pair| shape(pair) == (period, period)) {
            let length = first.1 - first.0 + 1;
            return format!("{length} of every {period} in {:#x}..{:#x}", first.0, last.1);
        }
    }
    list(&ranges, |byte| format!("{byte:#x}"))
}

/// The first and last number of each run of consecutive numbers.
fn ranges(numbers: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(range) if range.1 + 1 == number => range.1 = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

fn list(ranges: &[(usize, usize)], number: impl Fn(usize) -> String) -> String {
    let range = |&(first, last): &(usize, usize)| match last - first {
        0 => number(first),
        _ => format!("{}..{}", number(first), number(last)),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}
