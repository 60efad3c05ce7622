//! Linking of constants and call sites (placeholder: strings and classes only).

use crate::class::{ClassPtr, MethodPtr};
use crate::heap::Ref;
use crate::native::{Res, unsupported};
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_classfile::Constant;

impl Vm {
    pub fn resolve_constant(&mut self, class: ClassPtr, index: u16) -> Res<u64> {
        let file = class.file.as_ref().expect("heddle internal error: class without file");
        match file.pool.get(index) {
            Constant::String { utf8 } => {
                let symbol = self.symbols.intern(file.pool.utf8(utf8));
                Ok(self.intern_symbol(symbol)?.0 as u64)
            }
            Constant::Class { .. } => {
                let class = self.resolve_class(class, index)?;
                Ok(class.mirror.get().0 as u64)
            }
            other => unsupported(format!("the constant {other:?}")),
        }
    }

    pub fn resolve_call_site(
        &mut self,
        _class: ClassPtr,
        _index: u16,
        _site: u32,
        _method: MethodPtr,
    ) -> Res<(MethodPtr, Ref)> {
        unsupported("invokedynamic")
    }

    pub fn resolve_handle_call(&mut self, _class: ClassPtr, _index: u16) -> Res<(MethodPtr, Ref)> {
        unsupported("method handles")
    }

    pub fn polymorphic_method(&mut self, _name: Symbol, _desc: Symbol) -> MethodPtr {
        self.stubs().throw
    }

    pub fn member_target(&self, _member: Ref) -> MethodPtr {
        self.stubs().throw
    }

    pub fn handle_target(&self, _handle: Ref) -> MethodPtr {
        self.stubs().throw
    }
}
