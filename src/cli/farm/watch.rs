// SPDX-License-Identifier: MIT OR Apache-2.0
//! Has every shard run until it has left a result, or there is no hope of one.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal},
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Error,
    engine::{Active, Engine},
    manners, note,
    plan::Plan,
    remove,
    shards::{self, Left},
    signals::Signals,
};

/// Between lines where nobody looks at a bar.
const CALM: Duration = Duration::from_secs(30);

/// What came of a farm.
#[derive(Default)]
pub struct Watched {
    /// A signal ended it.
    pub stopped: bool,
    /// Shards that left a result.
    pub done: u64,
    /// Shards that left none, and why.
    pub lost: BTreeMap<u64, String>,
    /// How often elements ran again.
    pub again: u64,
}

/// A shard on its way.
#[derive(Default)]
struct Way {
    tries: u32,
    /// It has no result, and nobody has worked at it since that was found: there is nothing to look for.
    fresh: bool,
    /// It was gone without a result in the last look: a file may be seen a little after its writer has ended.
    gone: bool,
}

/// Watches until all shards are done or lost, or a signal comes.
pub fn watch(plan: &Plan, engine: &mut dyn Engine, retries: u32, signals: &Signals) -> Result<Watched, Error> {
    let begun = shards::begun(plan)?;
    let way = |shard: &u64| Way { fresh: !begun.contains(shard), ..Way::default() };
    let mut ways: BTreeMap<u64, Way> = (1..=plan.shards).map(|shard| (shard, way(&shard))).collect();
    let mut watched = Watched::default();
    let mut show = Show::new(plan.shards);
    let (mut away, mut full) = (false, false);
    loop {
        if signals.stop().load(Ordering::Relaxed) {
            watched.stopped = true;
            break;
        }
        let active = engine.active()?;
        if active.is_none() != away {
            away = active.is_none();
            show.say(if away { "the scheduler does not answer: waiting\n" } else { "the scheduler answers again\n" });
        }
        let Some(active) = active else {
            pause(engine, signals);
            continue;
        };
        let mut wanted = Vec::new();
        ways.retain(|&shard, way| match step(plan, shard, way, &active, retries) {
            Step::Wait => true,
            Step::Run(why) => {
                if let Some(why) = why {
                    show.say(&format!("shard {shard} runs again: {why}\n"));
                }
                wanted.push(shard);
                true
            }
            Step::Done(operations) => {
                watched.done += 1;
                show.operations += operations;
                false
            }
            Step::Lost(why) => {
                watched.lost.insert(shard, why);
                false
            }
        });
        if !wanted.is_empty() {
            let taken = engine.submit(&wanted)?;
            if taken < wanted.len() && !full {
                show.say(&format!("the scheduler takes no more now: {} shards wait\n", wanted.len() - taken));
            }
            full = taken < wanted.len();
            for shard in &wanted[..taken] {
                let way = ways.entry(*shard).or_default();
                watched.again += u64::from(way.tries > 0);
                *way = Way { tries: way.tries + 1, ..Way::default() };
            }
        }
        show.state(watched.done, active.running.len(), watched.lost.len());
        if ways.is_empty() {
            break;
        }
        pause(engine, signals);
    }
    show.end();
    Ok(watched)
}

/// What becomes of a shard in a look.
enum Step {
    Wait,
    /// It is to run; why again, if it did.
    Run(Option<String>),
    /// Operations.
    Done(u64),
    Lost(String),
}

fn step(plan: &Plan, shard: u64, way: &mut Way, active: &Active, retries: u32) -> Step {
    // Of many shards that are on their way, no file is looked for in vain. One whose result is there may still be writing its
    // capsule, and the end of the farm would end it.
    // A scheduler that lost what it knew last may take one for running that has said how it ended.
    let ended = active.running.contains(&shard) && plan.file(shard, "exit").exists();
    if !active.lacks(shard) && !ended {
        *way = Way { tries: way.tries.max(1), ..Way::default() }; // perhaps one of a farm before this one
        return Step::Wait;
    }
    if way.fresh {
        return Step::Run(None);
    }
    match shards::result(plan, shard) {
        Some(Left::Result { operations, .. }) => return Step::Done(operations),
        // Nobody of this farm wrote it, and an element would write over it.
        Some(Left::Refused(why)) => return Step::Lost(why),
        _ if way.tries == 0 => {
            way.fresh = true;
            return again(plan, shard, None);
        }
        _ if !way.gone => {
            way.gone = true;
            return Step::Wait;
        }
        _ => {}
    }
    match shards::look(plan, shard) {
        Left::Result { operations, .. } => Step::Done(operations),
        Left::Refused(why) => Step::Lost(why),
        Left::Nothing(why) => {
            let why = why.unwrap_or_else(|| "it was killed, or its machine was".to_owned());
            match way.tries > retries {
                true => Step::Lost(format!("{why}; tries: {}", way.tries)),
                false => again(plan, shard, Some(why)),
            }
        }
    }
}

/// What an element said of its end is not for the next one.
fn again(plan: &Plan, shard: u64, why: Option<String>) -> Step {
    remove(&plan.file(shard, "exit"));
    Step::Run(why)
}

/// Until the next look, or a signal.
fn pause(engine: &dyn Engine, signals: &Signals) {
    let (start, long) = (Instant::now(), engine.pause());
    while start.elapsed() < long && !signals.stop().load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50).min(long));
    }
}

/// Who watches sees a bar, or a line now and then.
struct Show {
    bar: ProgressBar,
    shards: u64,
    operations: u64,
    start: Instant,
    told: Instant,
    is_terminal: bool,
}

impl Show {
    fn new(shards: u64) -> Self {
        let bar = ProgressBar::new(shards);
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} shards, {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let is_terminal = io::stderr().is_terminal() && !manners::quiet();
        if !is_terminal {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let now = Instant::now();
        Show { bar, shards, operations: 0, start: now, told: now, is_terminal }
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| note(text));
    }

    fn state(&mut self, done: u64, running: usize, lost: usize) {
        let rate = self.operations as f64 / self.start.elapsed().as_secs_f64().max(1.0);
        let lost = if lost > 0 { format!(", {lost} lost") } else { String::new() };
        self.bar.set_position(done);
        self.bar.set_message(format!("{running} running{lost}, {rate:.0} operations/s"));
        if !self.is_terminal && self.told.elapsed() >= CALM {
            self.told = Instant::now();
            note(&format!("{done} of {} shards done, {running} running{lost}, {rate:.0} operations/s\n", self.shards));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
