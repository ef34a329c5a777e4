// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of this machine, as many at a time as it has cores.

use std::{
    collections::{BTreeSet, VecDeque},
    num::NonZero,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{
    Error,
    engine::{Active, Engine},
    plan::Plan,
    script,
};

/// How long elements have for what they write when they are ended.
const GRACE: Duration = Duration::from_secs(3);

/// Elements here.
pub struct Local<'a> {
    plan: &'a Plan,
    jobs: NonZero<usize>,
    waiting: VecDeque<u64>,
    running: Vec<(u64, Child)>,
}

impl<'a> Local<'a> {
    pub fn new(plan: &'a Plan, jobs: NonZero<usize>) -> Self {
        Local { plan, jobs, waiting: VecDeque::new(), running: Vec::new() }
    }

    fn start(&self, shard: u64) -> Result<Child, Error> {
        let mut command = Command::new("sh");
        command.arg(self.plan.dir.join(script::ELEMENT)).arg(shard.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal of the terminal is for the farm, which ends its elements with all that they started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(|error| Error::Usage(format!("`sh` does not start: {error}")))
    }
}

impl Engine for Local<'_> {
    fn active(&mut self) -> Result<Option<Active>, Error> {
        self.running.retain_mut(|(_, child)| !matches!(child.try_wait(), Ok(Some(_))));
        while self.running.len() < self.jobs.get()
            && let Some(shard) = self.waiting.pop_front()
        {
            self.running.push((shard, self.start(shard)?));
        }
        let running: BTreeSet<u64> = self.running.iter().map(|(shard, _)| *shard).collect();
        Ok(Some(Active { running, waiting: self.waiting.iter().copied().collect() }))
    }

    fn submit(&mut self, shards: &[u64]) -> Result<usize, Error> {
        self.waiting.extend(shards);
        Ok(shards.len())
    }

    fn leave(&mut self) -> String {
        let start = Instant::now();
        self.running.iter().for_each(|(_, child)| signal(child, "-TERM"));
        while self.running.iter_mut().any(|(_, child)| matches!(child.try_wait(), Ok(None))) && start.elapsed() < GRACE
        {
            thread::sleep(Duration::from_millis(20));
        }
        for (_, child) in &mut self.running {
            signal(child, "-KILL");
            let _ = child.wait(); // it is gone
        }
        "the shards that ran are ended; ".to_owned()
    }
}

impl Drop for Local<'_> {
    /// A farm that ends by an error leaves no processes.
    fn drop(&mut self) {
        if !self.running.is_empty() {
            self.leave();
        }
    }
}

/// To the element and all that it started.
fn signal(child: &Child, name: &str) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args([name, "--", &group]).stderr(Stdio::null()).status(); // it may have ended
}
