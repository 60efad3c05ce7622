//! The data-flow verifier (JVMS 4.10.2). Not written yet: it accepts all.

use super::{Checked, Hierarchy};
use crate::class::ClassFile;

pub(super) fn verify(_class: &ClassFile, _env: &dyn Hierarchy) -> Checked<()> {
    Ok(())
}
