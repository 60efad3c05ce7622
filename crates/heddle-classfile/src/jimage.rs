//! The JDK's image file, `lib/modules` (the "jimage" format of `jlink`).
//!
//! There is no specification; this follows the format as the JDK's own reader
//! in `java.base/jdk.internal.jimage` uses it: a header, a perfect hash table
//! (redirects and offsets), attribute records of the locations, a string table
//! and the contents. The file is in the byte order of the machine that made
//! it; only little-endian files are read. Compressed contents (`jlink
//! --compress`) are reported, not read.

/// An opened image. The caller maps the file and never unmaps it.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    data: &'static [u8],
    table_length: u32,
    redirect: usize,
    offsets: usize,
    locations: usize,
    strings: usize,
    contents: usize,
}

/// A resource of the image: `/module/parent/base.extension`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    pub module: &'static str,
    pub parent: &'static str,
    pub base: &'static str,
    pub extension: &'static str,
    /// From the start of the contents.
    pub offset: u64,
    /// 0 when not compressed.
    pub compressed: u64,
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// Not an image, or damaged: what is wrong.
    Malformed(&'static str),
    /// The named resource is compressed.
    Compressed(String),
}

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

impl Image {
    /// Checks the header. An image made with `jlink --compress` is refused here.
    pub fn open(data: &'static [u8]) -> Result<Image, ImageError> {
        if data.len() < HEADER {
            return Err(ImageError::Malformed("too short for a header"));
        }
        let word = |i: usize| u4(data, i * 4);
        match word(0) {
            MAGIC => {}
            other if other.swap_bytes() == MAGIC => {
                return Err(ImageError::Malformed("made for a big-endian machine"));
            }
            _ => return Err(ImageError::Malformed("no image file (bad magic number)")),
        }
        if word(1) >> 16 != 1 {
            return Err(ImageError::Malformed("unknown version of the format"));
        }
        let table_length = word(4);
        let redirect = HEADER;
        let sizes = (|| {
            let table = (table_length as usize).checked_mul(4)?;
            let offsets = redirect.checked_add(table)?;
            let locations = offsets.checked_add(table)?;
            let strings = locations.checked_add(word(5) as usize)?;
            let contents = strings.checked_add(word(6) as usize)?;
            (contents <= data.len()).then_some((offsets, locations, strings, contents))
        })();
        let Some((offsets, locations, strings, contents)) = sizes else {
            return Err(ImageError::Malformed("tables exceed the file"));
        };
        let image = Image {
            data,
            table_length,
            redirect,
            offsets,
            locations,
            strings,
            contents,
        };
        // jlink compresses all or nearly all, so one sample tells.
        image.lookup("java.base", "java/lang/Object.class")?;
        Ok(image)
    }

    /// The contents of `/module/name`.
    pub fn find(&self, module: &str, name: &str) -> Option<&'static [u8]> {
        self.lookup(module, name).ok().flatten()
    }

    /// The same, telling a compressed resource from a missing one.
    pub fn lookup(&self, module: &str, name: &str) -> Result<Option<&'static [u8]>, ImageError> {
        let pieces = [b"/", module.as_bytes(), b"/", name.as_bytes()];
        match self.find_location(&pieces) {
            Some(location) => self.content(&location),
            None => Ok(None),
        }
    }

    /// The module that defines a package (`java/util`), empty packages aside.
    pub fn module_of_package(&self, package: &[u8]) -> Option<&'static str> {
        let dotted: Vec<u8> = package
            .iter()
            .map(|&b| if b == b'/' { b'.' } else { b })
            .collect();
        let location = self.find_location(&[b"/packages/", &dotted])?;
        let content = self.content(&location).ok()??;
        let entries = content.chunks_exact(8);
        let defining = entries.clone().find(|e| u4(e, 0) == 0);
        let entry = defining.or(entries.clone().next())?;
        Some(self.string(u4(entry, 4) as usize))
    }

    /// The names of all modules, sorted.
    pub fn modules(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self
            .locations()
            .map(|l| l.module)
            .filter(|m| !matches!(*m, "" | "modules" | "packages"))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All locations, in no useful order.
    pub fn locations(&self) -> impl Iterator<Item = Location> + '_ {
        (0..self.table_length).filter_map(|i| self.location_at(i))
    }

    /// The contents of a location; `None` if they lie outside of the file.
    pub fn content(&self, location: &Location) -> Result<Option<&'static [u8]>, ImageError> {
        if location.compressed != 0 {
            return Err(ImageError::Compressed(location.path()));
        }
        let range = (|| {
            let start = self
                .contents
                .checked_add(usize::try_from(location.offset).ok()?)?;
            let end = start.checked_add(usize::try_from(location.size).ok()?)?;
            Some(start..end)
        })();
        Ok(range.and_then(|r| self.data.get(r)))
    }

    fn find_location(&self, pieces: &[&[u8]]) -> Option<Location> {
        if self.table_length == 0 {
            return None;
        }
        let slot = hash(pieces, HASH_MULTIPLIER) % self.table_length;
        let redirect = u4(self.data, self.redirect + slot as usize * 4) as i32;
        let index = match redirect {
            0 => return None,
            1.. => hash(pieces, redirect as u32) % self.table_length,
            _ => (-1 - redirect) as u32,
        };
        if index >= self.table_length {
            return None;
        }
        let location = self.location_at(index)?;
        // The table is perfect for names that exist only.
        location.is(pieces).then_some(location)
    }

    fn location_at(&self, index: u32) -> Option<Location> {
        let offset = u4(self.data, self.offsets + index as usize * 4) as usize;
        let records = &self.data[self.locations..self.strings];
        let mut at = offset;
        let mut values = [0u64; 8];
        loop {
            let head = *records.get(at)?;
            let kind = (head >> 3) as usize;
            if kind == 0 {
                break;
            }
            let length = (head & 7) as usize + 1;
            let raw = records.get(at + 1..at + 1 + length)?;
            *values.get_mut(kind)? = raw.iter().fold(0, |v, &b| v << 8 | u64::from(b));
            at += 1 + length;
        }
        Some(Location {
            module: self.string(values[1] as usize),
            parent: self.string(values[2] as usize),
            base: self.string(values[3] as usize),
            extension: self.string(values[4] as usize),
            offset: values[5],
            compressed: values[6],
            size: values[7],
        })
    }

    /// A string of the table; empty if it is out of place or no UTF-8.
    fn string(&self, offset: usize) -> &'static str {
        let data: &'static [u8] = self.data;
        let table = &data[self.strings..self.contents];
        let tail = table.get(offset..).unwrap_or(&[]);
        let end = tail.iter().position(|&b| b == 0).unwrap_or(tail.len());
        std::str::from_utf8(&tail[..end]).unwrap_or("")
    }
}

impl Location {
    /// The path as the format spells it.
    pub fn path(&self) -> String {
        self.pieces().concat()
    }

    /// The path below the module, such as `java/lang/Object.class`.
    pub fn name(&self) -> String {
        self.pieces()[3..].concat()
    }

    fn pieces(&self) -> [&'static str; 8] {
        let mark = |piece: &str, mark| if piece.is_empty() { "" } else { mark };
        [
            mark(self.module, "/"),
            self.module,
            mark(self.module, "/"),
            self.parent,
            mark(self.parent, "/"),
            self.base,
            mark(self.extension, "."),
            self.extension,
        ]
    }

    fn is(&self, pieces: &[&[u8]]) -> bool {
        let own = self.pieces();
        let own = own.iter().flat_map(|p| p.bytes());
        own.eq(pieces.iter().flat_map(|p| p.iter().copied()))
    }
}

impl std::fmt::Display for ImageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ImageError::Malformed(what) => write!(f, "cannot read the JDK's image file: {what}"),
            ImageError::Compressed(path) => write!(
                f,
                "cannot read the JDK's image file: {path} is compressed; use a JDK \
                 whose image was made without jlink's --compress"
            ),
        }
    }
}

impl std::error::Error for ImageError {}

fn hash(pieces: &[&[u8]], seed: u32) -> u32 {
    let mut hash = seed;
    for &byte in pieces.iter().flat_map(|p| p.iter()) {
        hash = hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte);
    }
    hash & 0x7FFF_FFFF
}

fn u4(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]])
}
