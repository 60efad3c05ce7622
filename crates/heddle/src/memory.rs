//! How much memory there is, and how much of it this process has.

use std::fs::read_to_string;

/// The memory of the machine, or of the container if that is given less.
pub fn available() -> u64 {
    let container = read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    let machine = entry("/proc/meminfo", "MemTotal:").unwrap_or(2 << 30);
    container.unwrap_or(u64::MAX).min(machine)
}

/// What the process uses now, swapped memory left out; 0 if the system does not tell.
pub fn used() -> u64 {
    entry("/proc/self/status", "VmRSS:").unwrap_or(0)
}

/// `MemTotal:       24623112 kB`, in bytes.
fn entry(file: &str, key: &str) -> Option<u64> {
    let text = read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = value.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::{available, used};

    #[test]
    fn memory_is_counted() {
        let before = used();
        let much = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = used();
        assert!(before > 0 && after >= before + (much.len() as u64) / 2);
        assert!(after < available());
    }
}
