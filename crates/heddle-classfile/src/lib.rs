//! Class files: read and verify.
