//! Signals that end a Java program: HUP, INT (Ctrl-C) and TERM.
//!
//! As under `java`, the first one starts the shutdown hooks, or the handler that the
//! program installed. One that comes before the last was taken up (Heddle is busy, or
//! waits in the host) ends the process at once.

use std::sync::atomic::{AtomicI32, Ordering};

static PENDING: AtomicI32 = AtomicI32::new(0);

/// Starts to keep signals instead of being ended by them. Those that whoever started
/// Heddle ignores stay ignored, as with `nohup`.
pub fn watch() {
    for number in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
        // SAFETY: `keep` does only what a signal handler may do. No SA_RESTART: whoever
        // waits for input must learn of the signal.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(number, std::ptr::null(), &mut action);
            if action.sa_sigaction != libc::SIG_IGN {
                action.sa_sigaction = keep as *const () as usize;
                action.sa_flags = 0;
                libc::sigaction(number, &action, std::ptr::null_mut());
            }
        }
    }
}

/// Whether a signal came.
pub fn pending() -> bool {
    PENDING.load(Ordering::Relaxed) != 0
}

/// The signal that came since the last call.
pub fn take() -> Option<i32> {
    if PENDING.load(Ordering::Relaxed) == 0 {
        return None;
    }
    Some(PENDING.swap(0, Ordering::Relaxed))
}

extern "C" fn keep(number: i32) {
    if PENDING.swap(number, Ordering::Relaxed) != 0 {
        // SAFETY: allowed in a signal handler; nothing is left to be written, output
        // goes out after every slice.
        unsafe { libc::_exit(128 + number) }
    }
}
