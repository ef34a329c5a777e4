// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ends a long command early: SIGINT, SIGTERM, SIGHUP. The first asks for the report of what there is.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU8, Ordering, fence},
};

/// Listens from its making on.
pub struct Signals {
    stop: Arc<AtomicBool>,
    first: Arc<AtomicU8>,
}

impl Signals {
    /// The first signal sets [`Signals::stop`]. After a second one the command has [`GRACE`] to end with its report; one
    /// that hangs, say in a pipe that nobody reads, is ended with `last_words`: a text for standard error, and an exit code
    /// in place of the signal's, which it is given. No part of a file is left then.
    ///
    /// A signal that the command was started to ignore (`nohup`) stays ignored.
    pub fn listen(last_words: impl Fn(u8) -> (String, u8) + Send + 'static) -> Self {
        let signals = Signals { stop: Arc::default(), first: Arc::default() };
        #[cfg(unix)]
        unix::listen(Arc::clone(&signals.stop), Arc::clone(&signals.first), last_words);
        #[cfg(not(unix))]
        drop(last_words);
        signals
    }

    /// Set by the first signal.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// What a shell says of a process that the first signal ended: 130, 143 or 129.
    pub fn code(&self) -> u8 {
        fence(Ordering::Acquire); // who has seen `stop` sees which signal set it
        128 + self.first.load(Ordering::Relaxed)
    }
}

/// A file that grows beyond the limit of its size is an error like a full disk, and ends no process.
pub fn limits_are_errors() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()); // else it ends here
}

/// A command that a signal just ends leaves no part of a file behind.
pub fn clean_up() {
    #[cfg(unix)]
    unix::clean_up();
}

#[cfg(unix)]
mod unix {
    use std::{fs, process, thread, time::Duration};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    use super::{Arc, AtomicBool, AtomicU8, Ordering};

    /// How long a command may go on after the second signal.
    const GRACE: Duration = Duration::from_secs(2);

    pub fn listen(
        stop: Arc<AtomicBool>,
        first: Arc<AtomicU8>,
        last_words: impl Fn(u8) -> (String, u8) + Send + 'static,
    ) {
        // Without a listener a signal ends the run without its report: no reason to refuse to run.
        let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted()) else { return };
        let listener = move || {
            for signal in signals.forever() {
                if !stop.load(Ordering::Relaxed) {
                    // Three small numbers.
                    first.store(signal as u8, Ordering::Relaxed);
                    stop.store(true, Ordering::Release);
                    continue;
                }
                thread::sleep(GRACE);
                crate::output::abandon();
                let (text, code) = last_words(128 + first.load(Ordering::Relaxed));
                crate::cli::tell(&text);
                process::exit(code.into());
            }
        };
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(listener);
    }

    pub fn clean_up() {
        let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted()) else { return };
        let listener = move || {
            for signal in signals.forever() {
                crate::output::abandon();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        };
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(listener);
    }

    /// Those that end a command, but for what it was started to ignore.
    fn wanted() -> impl Iterator<Item = i32> {
        let ignored = ignored();
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
    }

    /// The signals that this process was started to ignore, number 1 lowest, where the system says so.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}
