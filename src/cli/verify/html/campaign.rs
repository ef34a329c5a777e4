// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of a campaign for the page of all: a file of JSON each.

use std::{
    fs, io,
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

/// How such a file's name ends.
pub const ENDING: &str = ".campaign.json";
/// Of the files. Another number for whatever a reader of the last one would not take, or take for something else.
pub const FORMAT: u32 = 1;
/// Points of a plot at most; and the time between two of them at first.
const POINTS: usize = 400;
const APART: Duration = Duration::from_millis(100);

/// A campaign that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    pub format: u32,
    /// When it ended, in UTC.
    pub ended: String,
    pub seed: String,
    /// `all` stands for every set, in turn and together.
    pub isa: String,
    pub lanes: usize,
    pub rtl: String,
    pub verdict: String,
    pub operations: u64,
    pub cycles: u64,
    pub comparisons: u64,
    pub seconds: f64,
    /// Seconds since the beginning, and operations until then.
    pub progress: Vec<(f64, u64)>,
    pub coverage: Vec<Clause>,
    pub not_judged: Vec<String>,
    pub failure: Option<Failure>,
}

/// The bins of a clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// The address rule.
    pub rule: String,
    pub id: String,
    /// Each bin, and its hits.
    pub bins: Vec<(String, u64)>,
}

/// What diverged, shrunk. Files are beside the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    pub clause: String,
    /// Clauses that would explain it as well.
    pub or: Vec<String>,
    pub text: String,
    pub block: u64,
    /// The instructions that are left.
    pub program: Vec<String>,
    /// Lines of RTL to look at first.
    pub look: Vec<String>,
    pub capsule: Option<String>,
    pub page: Option<String>,
    pub wave: Option<String>,
}

impl Campaign {
    /// What its files are called: the same campaign again takes the same place.
    pub fn name(&self) -> String {
        format!("{}-{}-{}lanes", self.isa, self.seed, self.lanes)
    }

    /// Those of a folder, by name.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or is none of these: its name, and why.
    pub fn all(dir: &Path) -> Result<Vec<Self>, (String, io::Error)> {
        let cannot = |error| (format!("`{}`", dir.display()), error);
        let mut paths = Vec::new();
        for entry in fs::read_dir(dir).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.to_string_lossy().ends_with(ENDING) {
                paths.push(path);
            }
        }
        paths.sort();
        let read = |path: &Path| -> io::Result<Self> {
            let campaign: Campaign = serde_json::from_slice(&fs::read(path)?)?;
            match campaign.format {
                FORMAT => Ok(campaign),
                format => Err(io::Error::other(format!("it is of format {format}, and this is {FORMAT}"))),
            }
        };
        paths.iter().map(|path| read(path).map_err(|error| (format!("`{}`", path.display()), error))).collect()
    }
}

/// Operations over time, as they come.
pub struct Clock {
    start: Instant,
    points: Mutex<Points>,
}

struct Points {
    operations: u64,
    at: Vec<(f64, u64)>,
    apart: Duration,
}

impl Clock {
    pub fn start() -> Self {
        let points = Points { operations: 0, at: vec![(0.0, 0)], apart: APART };
        Clock { start: Instant::now(), points: Mutex::new(points) }
    }

    /// So many more are done.
    pub fn heard(&self, operations: u64) {
        let now = self.start.elapsed();
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.operations += operations;
        let last = points.at.last().map_or(0.0, |point| point.0);
        if now.as_secs_f64() - last < points.apart.as_secs_f64() {
            return;
        }
        let point = (now.as_secs_f64(), points.operations);
        points.at.push(point);
        if points.at.len() > POINTS {
            let mut number = 0;
            points.at.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            points.apart *= 2;
        }
    }

    /// The points, and the last one.
    pub fn stop(self, seconds: f64) -> Vec<(f64, u64)> {
        let Points { operations, mut at, .. } = self.points.into_inner().unwrap_or_else(PoisonError::into_inner);
        at.retain(|point| point.0 < seconds);
        at.push((seconds, operations));
        at
    }
}
