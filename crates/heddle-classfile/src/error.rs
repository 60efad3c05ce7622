//! Why a class file was refused, in the words of HotSpot 17.

/// The Java error that HotSpot throws for the defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    ClassFormat,
    UnsupportedVersion,
    NoClassDefFound,
}

impl ErrorKind {
    /// The internal name of the Java error class.
    pub fn java_class(self) -> &'static str {
        match self {
            ErrorKind::ClassFormat => "java/lang/ClassFormatError",
            ErrorKind::UnsupportedVersion => "java/lang/UnsupportedClassVersionError",
            ErrorKind::NoClassDefFound => "java/lang/NoClassDefFoundError",
        }
    }
}

/// A class file that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFileError {
    pub kind: ErrorKind,
    /// The text of the Java error.
    pub message: String,
}

impl std::fmt::Display for ClassFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind.java_class(), self.message)
    }
}

impl std::error::Error for ClassFileError {}
