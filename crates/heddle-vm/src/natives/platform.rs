//! What the host tells programs about itself: the locale and its encoding, users
//! and groups, path text. No natives of its own.
//!
//! Follows the C code of the JDK's libjava: the locale comes from `LC_ALL`, the
//! category, `LANG`, and counts only if it is installed; without one the language
//! is English and the encoding ASCII. Users come from the files in `/etc`; name
//! services on the network are left out.

use crate::heap::Ref;
use crate::native::{Res, Trap};
use crate::vm::{Vm, trap};

/// A locale in the JDK's terms.
#[derive(Debug, PartialEq, Eq, Default, Clone)]
pub struct Locale {
    pub language: String,
    pub script: Option<String>,
    pub country: Option<String>,
    pub variant: Option<String>,
    pub encoding: String,
}

impl Vm {
    /// Value of an environment variable.
    pub fn environment(&self, name: &str) -> Option<&str> {
        let found = self.options.environment.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| &value[..])
    }

    /// The locale for a category (`LC_CTYPE`, `LC_MESSAGES`).
    pub fn locale(&self, category: &str) -> Locale {
        let names = ["LC_ALL", category, "LANG"];
        let name = names
            .iter()
            .find_map(|n| self.environment(n).filter(|v| !v.is_empty()));
        parse_locale(name.filter(|n| is_installed(n)).unwrap_or("C"))
    }

    /// The encoding of paths and messages; looked up once.
    fn platform_encoding(&self) -> String {
        let cell = &self.files.encoding;
        cell.get_or_init(|| self.locale("LC_CTYPE").encoding)
            .clone()
    }

    /// A String as bytes in the encoding of paths and messages.
    pub fn platform_bytes(&self, string: Ref) -> Vec<u8> {
        let units = self.utf16(string);
        match &self.platform_encoding()[..] {
            "UTF-8" => String::from_utf16_lossy(&units)
                .replace('\u{fffd}', "?")
                .into_bytes(),
            "ISO-8859-1" => one_byte(&units, 0xff),
            _ => one_byte(&units, 0x7f),
        }
    }

    /// A String from bytes in that encoding.
    pub fn platform_string(&mut self, bytes: &[u8]) -> Res<Ref> {
        match &self.platform_encoding()[..] {
            "UTF-8" => {
                let text = String::from_utf8_lossy(bytes);
                self.new_string(&text)
            }
            "ISO-8859-1" => {
                let units: Vec<u16> = bytes.iter().map(|&b| b as u16).collect();
                self.new_string_utf16(&units)
            }
            _ => {
                let decode = |&b: &u8| if b < 0x80 { b as u16 } else { b'?' as u16 };
                let units: Vec<u16> = bytes.iter().map(decode).collect();
                self.new_string_utf16(&units)
            }
        }
    }
}

/// `IOException` with the text of an error number.
pub fn throw_io<T>(error: crate::files::Errno) -> Res<T> {
    trap(Trap::ThrowNew {
        class: "java/io/IOException",
        message: Some(crate::files::describe(error)),
        cause: Ref::NULL,
    })
}

fn one_byte(units: &[u16], max: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut skip = false;
    for (i, &unit) in units.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let pair = (0xd800..0xdc00).contains(&unit)
            && units
                .get(i + 1)
                .is_some_and(|u| (0xdc00..0xe000).contains(u));
        skip = pair;
        bytes.push(if unit <= max { unit as u8 } else { b'?' });
    }
    bytes
}

/// Whether the C library would find a locale: the two that are built in, a directory of
/// its own, or an entry in the archive.
fn is_installed(name: &str) -> bool {
    if let "C" | "POSIX" | "C.UTF-8" | "C.utf8" = name {
        return true;
    }
    if name.contains('/') || name.len() > 64 {
        return false;
    }
    let (base, modifier) = split(name, '@');
    let (place, codeset) = split(base, '.');
    let normal: String = codeset
        .unwrap_or("")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let mut plain = place.to_string();
    if !normal.is_empty() {
        plain = format!("{plain}.{normal}");
    }
    if let Some(modifier) = modifier {
        plain = format!("{plain}@{modifier}");
    }
    let root = std::path::Path::new("/usr/lib/locale");
    if root.join(name).is_dir() || root.join(&plain).is_dir() {
        return true;
    }
    let Ok(archive) = std::fs::read(root.join("locale-archive")) else {
        return false;
    };
    let wanted = format!("{plain}\0");
    archive
        .windows(wanted.len())
        .any(|w| w == wanted.as_bytes())
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((a, b)) => (a, Some(b)),
        None => (text, None),
    }
}

fn parse_locale(name: &str) -> Locale {
    if let "C" | "POSIX" = name {
        return Locale {
            language: "en".to_string(),
            country: Some("US".to_string()),
            encoding: "ANSI_X3.4-1968".to_string(),
            ..Locale::default()
        };
    }
    let (base, modifier) = split(name, '@');
    let (place, codeset) = split(base, '.');
    let (language, country) = split(place, '_');
    let language = match language {
        "C" | "POSIX" | "english" => "en",
        other => other,
    };
    let (mut script, mut variant) = (None, None);
    match modifier {
        Some("euro") => {}
        Some("latin" | "Latn") => script = Some("Latn".to_string()),
        Some("cyrillic") => script = Some("Cyrl".to_string()),
        Some("devanagari") => script = Some("Deva".to_string()),
        Some("iqtelif") => script = Some("Latn".to_string()),
        Some("nynorsk") => variant = Some("NY".to_string()),
        Some(other) => variant = Some(other.to_string()),
        None => {}
    }
    let upper = codeset.map(|c| c.to_ascii_uppercase().replace(['-', '_'], ""));
    let encoding = match (upper.as_deref(), modifier) {
        (Some("UTF8"), _) => "UTF-8".to_string(),
        (Some("ISO88591"), _) => "ISO-8859-1".to_string(),
        (Some("ISO885915"), _) | (None, Some("euro")) => "ISO-8859-15".to_string(),
        (Some("EUCJP"), _) => "EUC-JP-LINUX".to_string(),
        (Some(_), _) => codeset.unwrap_or("").to_string(),
        (None, _) => "ISO-8859-1".to_string(),
    };
    Locale {
        language: language.to_string(),
        script,
        country: country.map(str::to_string),
        variant,
        encoding,
    }
}

/// A line of `/etc/passwd`.
pub struct User {
    pub name: String,
    pub id: u32,
    pub home: String,
}

/// Users by name and number.
pub fn users() -> impl Iterator<Item = User> {
    let text = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let users: Vec<User> = text
        .lines()
        .filter_map(|line| {
            let parts: Vec<&str> = line.split(':').collect();
            let (name, id, home) = (parts.first()?, parts.get(2)?, parts.get(5)?);
            Some(User {
                name: name.to_string(),
                id: id.parse().ok()?,
                home: home.to_string(),
            })
        })
        .collect();
    users.into_iter()
}

/// Groups: names and numbers.
pub fn groups() -> impl Iterator<Item = (String, u32)> {
    let text = std::fs::read_to_string("/etc/group").unwrap_or_default();
    let groups: Vec<_> = text
        .lines()
        .filter_map(|line| {
            let parts: Vec<&str> = line.split(':').collect();
            Some((parts.first()?.to_string(), parts.get(2)?.parse().ok()?))
        })
        .collect();
    groups.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_split_as_the_jdk_does() {
        let c = parse_locale("C");
        assert_eq!((&c.language[..], &c.encoding[..]), ("en", "ANSI_X3.4-1968"));
        assert_eq!(c.country.as_deref(), Some("US"));
        let german = parse_locale("de_CH.UTF-8");
        assert_eq!(
            (&german.language[..], german.country.as_deref()),
            ("de", Some("CH"))
        );
        assert_eq!(german.encoding, "UTF-8");
        assert_eq!(parse_locale("C.UTF-8").language, "en");
        assert_eq!(parse_locale("sr_RS@latin").script.as_deref(), Some("Latn"));
        assert_eq!(parse_locale("de_DE@euro").encoding, "ISO-8859-15");
    }
}
