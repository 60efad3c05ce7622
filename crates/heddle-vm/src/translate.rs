//! Placeholder until the translator lands.
use crate::isa::Body;
use heddle_classfile::ClassFile;

#[derive(Default)]
pub struct Translator {}

#[derive(Debug)]
pub struct TranslateError {
    pub message: String,
}

impl Translator {
    pub fn new() -> Translator {
        Translator {}
    }
    pub fn translate(
        &mut self,
        _class: &ClassFile,
        _method: &heddle_classfile::Method,
    ) -> Result<Body, TranslateError> {
        Err(TranslateError { message: "no translator".into() })
    }
}
