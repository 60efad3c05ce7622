//! Bytes that come from outside once only: standard input, pipes, terminals.
//!
//! They are kept for ever, and readers have positions in what was kept, so a
//! rewind reads the same bytes again.
//!
//! Waiting for standard input stops all threads, so that nothing depends on when the
//! input comes. Only once a signal has come (which nobody can repeat anyway) do the
//! others go on meanwhile: reads then answer `INTR` and are tried again.

use super::host::{self, Answer, Errno, Stat};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::os::fd::AsFd;
use std::sync::Arc;

/// A source and what it gave so far.
pub struct Input {
    source: Source,
    kept: Vec<u8>,
    /// A signal came while somebody waited for input.
    interrupted: bool,
}

enum Source {
    Standard,
    File(Arc<File>),
    /// Nothing more comes.
    Ended,
}

impl Input {
    pub fn standard() -> Input {
        Input {
            source: Source::Standard,
            kept: Vec::new(),
            interrupted: false,
        }
    }

    pub fn of(file: Arc<File>) -> Input {
        Input {
            source: Source::File(file),
            kept: Vec::new(),
            interrupted: false,
        }
    }

    pub fn given(bytes: Vec<u8>) -> Input {
        Input {
            source: Source::Ended,
            kept: bytes,
            interrupted: false,
        }
    }

    /// Reads at a position: what was kept, else what the source gives next (which may
    /// mean waiting). 0 at the end.
    pub fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> Answer<usize> {
        let at = at as usize;
        if at >= self.kept.len() && !buffer.is_empty() {
            let mut fresh = vec![0; buffer.len()];
            let count = match &self.source {
                Source::Ended => 0,
                Source::File(file) => host::read(file, &mut fresh)?,
                Source::Standard => read_standard(&mut fresh, &mut self.interrupted)?,
            };
            self.kept.extend_from_slice(&fresh[..count]);
        }
        let rest = self.kept.get(at..).unwrap_or(&[]);
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    /// Bytes that can be read without waiting. What the host has is taken now, so that
    /// the answer is the same after a rewind.
    pub fn available(&mut self, at: u64) -> Answer<u64> {
        let waiting = match &self.source {
            Source::Ended => 0,
            Source::File(file) => waiting(file.as_fd(), self.kept.len() as u64),
            Source::Standard => waiting(std::io::stdin().as_fd(), self.kept.len() as u64),
        };
        if waiting > 0 {
            let mut buffer = vec![0; waiting.min(1 << 20) as usize];
            let end = self.kept.len() as u64;
            self.read_at(end, &mut buffer)?;
        }
        Ok((self.kept.len() as u64).saturating_sub(at))
    }
}

fn read_standard(buffer: &mut [u8], interrupted: &mut bool) -> Answer<usize> {
    let input = std::io::stdin();
    if *interrupted {
        let mut ready = [PollFd::new(&input, PollFlags::IN)];
        let soon = Timespec {
            tv_sec: 0,
            tv_nsec: 10_000_000,
        };
        if poll(&mut ready, Some(&soon))? == 0 {
            return Err(Errno::INTR);
        }
    }
    let answer = rustix::io::read(input.as_fd(), buffer);
    *interrupted |= answer == Err(Errno::INTR);
    answer
}

fn waiting(fd: std::os::fd::BorrowedFd<'_>, taken: u64) -> u64 {
    match rustix::fs::fstat(fd) {
        Ok(stat) if stat.st_mode & super::TYPE == super::REGULAR => {
            (stat.st_size as u64).saturating_sub(taken)
        }
        _ => rustix::io::ioctl_fionread(fd).unwrap_or(0),
    }
}

/// Attributes of the host's standard streams.
pub fn standard_stat(fd: i32) -> Answer<Stat> {
    host::stat(std::path::Path::new(&format!("/proc/self/fd/{fd}")))
}
