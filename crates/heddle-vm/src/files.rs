//! Open files and the overlay that keeps writes inside the VM while marks live.

/// Files as the program sees them. Cloned when a mark must remember them.
#[derive(Clone, Default)]
pub struct Files {}
