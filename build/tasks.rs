// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks that run side by side.

use std::{
    env, panic,
    sync::{Mutex, PoisonError},
    thread,
};

/// A task.
pub type Task<'a> = Box<dyn FnOnce() -> Result<(), String> + Send + 'a>;

/// Starts tasks in order, as many at a time as cargo has jobs, until one fails. The jobserver limits the number of
/// compilers.
pub fn side_by_side<'a>(tasks: impl Iterator<Item = Task<'a>> + Send) -> Result<(), String> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let tasks = Mutex::new(tasks);
    let left = || tasks.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || left().next();
    let work = || {
        while let Some(task) = next() {
            task().inspect_err(|_| left().by_ref().for_each(drop))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}
