// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program of docs/waves on the unit, and what its ports showed.

use gpu_lsu::{
    cosim::{
        Bench, Schedule, play,
        waves::{self, Window},
    },
    op::Shape,
    program::Program,
    wave::PERIOD,
};
use wellen::simple::{self, Waveform};

use crate::read;

/// The ports of a run, by cycle.
pub struct Run {
    wave: Waveform,
    scope: Vec<String>,
    pub cycles: std::ops::Range<u64>,
}

impl Run {
    pub fn of(name: &str, schedule: Schedule) -> Self {
        let shape = Shape::with_lanes(32);
        let program = Program::parse(name, &read(&format!("docs/waves/{name}.lsu")));
        let program = program.unwrap_or_else(|refused| panic!("{refused:?}"));
        let mut case = play::case(&program, &shape);
        (case.serial, case.schedule) = (false, schedule);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wave.vcd");
        waves::run(&mut Bench::of(&shape).unwrap(), &case, Window::default(), &path)
            .unwrap()
            .unwrap_or_else(|mismatch| panic!("{mismatch}"));
        let wave = simple::read(&path).unwrap();
        let hierarchy = wave.hierarchy();
        let names = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy));
        let port = names.filter(|name| name.ends_with("mem_req_addr_o")).min_by_key(String::len).unwrap();
        let scope: Vec<_> = port.split('.').map(str::to_owned).collect();
        let scope = scope[..scope.len() - 1].to_vec();
        let [first, end] = [wave.time_table().first(), wave.time_table().last()].map(|time| *time.unwrap() / PERIOD);
        let mut run = Run { wave, scope, cycles: first..end };
        let last = run.high("done_valid_o").pop().unwrap();
        run.cycles.end = run.cycles.start + last as u64 + 2;
        run
    }

    /// A port, or a field of one, in each cycle: as it is right before the edge that ends it.
    pub fn port(&mut self, path: &str) -> Vec<u64> {
        let mut scopes: Vec<_> = self.scope.iter().map(String::as_str).chain(path.split('.')).collect();
        let name = scopes.pop().unwrap();
        let var = self.wave.hierarchy().lookup_var(&scopes, name).unwrap_or_else(|| panic!("no {path}"));
        let signal = self.wave.hierarchy()[var].signal_ref();
        self.wave.load_signals(&[signal]);
        let times = self.wave.time_table();
        let changes: Vec<_> = self.wave.get_signal(signal).unwrap().iter_changes().collect();
        let value = |time: u64| {
            let at = changes.partition_point(|(at, _)| times[*at as usize] <= time) - 1;
            u64::from_str_radix(&changes[at].1.to_string(), 2).unwrap_or_else(|_| panic!("{path} is not known"))
        };
        self.cycles.clone().map(|cycle| value(cycle * PERIOD + PERIOD - 1)).collect()
    }

    /// Cycles in which a flag is high.
    pub fn high(&mut self, path: &str) -> Vec<usize> {
        let values = self.port(path);
        (0..values.len()).filter(|&cycle| values[cycle] == 1).collect()
    }

    /// Cycles in which a channel moves something.
    pub fn moves(&mut self, channel: &str, offers: char) -> Vec<usize> {
        let takes = if offers == 'i' { 'o' } else { 'i' };
        let ready = self.high(&format!("{channel}_ready_{takes}"));
        self.high(&format!("{channel}_valid_{offers}")).into_iter().filter(|cycle| ready.contains(cycle)).collect()
    }
}
