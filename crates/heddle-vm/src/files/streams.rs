//! Bytes that come from outside once only: standard input, pipes, terminals.
//!
//! They are kept for ever, and readers have positions in what was kept, so a
//! rewind reads the same bytes again.

use super::host::{self, Answer, Errno, Stat};
use std::fs::File;
use std::os::fd::AsFd;
use std::rc::Rc;

/// A source and what it gave so far.
pub struct Input {
    source: Source,
    kept: Vec<u8>,
}

enum Source {
    Standard,
    File(Rc<File>),
    /// Nothing more comes.
    Ended,
}

impl Input {
    pub fn standard() -> Input {
        Input {
            source: Source::Standard,
            kept: Vec::new(),
        }
    }

    pub fn of(file: Rc<File>) -> Input {
        Input {
            source: Source::File(file),
            kept: Vec::new(),
        }
    }

    pub fn given(bytes: Vec<u8>) -> Input {
        Input {
            source: Source::Ended,
            kept: bytes,
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
                Source::Standard => read_standard(&mut fresh)?,
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

fn read_standard(buffer: &mut [u8]) -> Answer<usize> {
    loop {
        match rustix::io::read(std::io::stdin().as_fd(), &mut *buffer) {
            Err(Errno::INTR) => {}
            answer => return answer,
        }
    }
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
