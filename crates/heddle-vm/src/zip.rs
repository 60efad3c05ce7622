//! placeholder
#[derive(Clone, Default)]
pub struct Streams {}
