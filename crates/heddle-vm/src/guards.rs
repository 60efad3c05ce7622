//! Calls of VarHandles from the library, past the guards.
//!
//! `VarHandle.getVolatile` and the like are linked to a method of `VarHandleGuards` that gets an
//! `AccessDescriptor` as well: it compares the types of the call with those of the handle and
//! calls the method that does the access (JDK 17):
//!
//! ```java
//! handle.checkExactAccessMode(ad);
//! if (handle.isDirect() && handle.vform.methodType_table[ad.type] == ad.symbolicMethodTypeErased)
//!     return MethodHandle.linkToStatic(handle, args..., handle.vform.getMemberName(ad.mode));
//! ```
//!
//! That is more than what the method does itself, and the atomics of `java.util.concurrent` do
//! hardly anything else. So for calls from trusted code the same fields are looked at here, and
//! the method is called at once. Nothing is remembered from call to call, so there is nothing to
//! rewind. Whatever is unusual is left to the guard. Frames of guards are hidden from
//! programs anyway.

use crate::class::MethodPtr;
use crate::heap::Ref;
use crate::vm::Vm;

/// Where what guards look at is.
pub struct Guards {
    exact: u64,
    form: u64,
    types: u64,
    members: u64,
    access_type: u64,
    mode: u64,
    erased: u64,
    is_direct: MethodPtr,
}

impl Vm {
    /// Whether a call from `caller` that was linked to this method goes through a guard which it
    /// can do without.
    pub fn is_guarded(&mut self, caller: MethodPtr, target: MethodPtr, appendix: Ref) -> bool {
        let guards = self.symbols.bytes(target.class.name) == b"java/lang/invoke/VarHandleGuards";
        if !guards || appendix.is_null() || !(caller.flags.trusted && target.flags.trusted) {
            return false;
        }
        if self.guards.is_none() {
            let Ok(form) = self.load_boot("java/lang/invoke/VarForm") else {
                return false;
            };
            let (handle, descriptor) = (self.known.var_handle, self.class_of(appendix));
            self.guards = Some(Guards {
                exact: self.offset(handle, "exact"),
                form: self.offset(handle, "vform"),
                types: self.offset(form, "methodType_table"),
                members: self.offset(form, "memberName_table"),
                access_type: self.offset(descriptor, "type"),
                mode: self.offset(descriptor, "mode"),
                erased: self.offset(descriptor, "symbolicMethodTypeErased"),
                is_direct: self.method(handle, "isDirect", "()Z"),
            });
        }
        true
    }

    /// The method that a guard would call for a handle; `None` if it has to be asked.
    pub fn behind_guard(&self, handle: Ref, descriptor: Ref) -> Option<MethodPtr> {
        let (heap, at) = (&self.heap, self.guards.as_ref()?);
        let is_direct = at.is_direct.vtable_index.get() as usize;
        let direct = self.class_of(handle).vtable().get(is_direct) == Some(&at.is_direct);
        let form = heap.get_ref(handle, at.form);
        if !direct || heap.get::<u8>(handle, at.exact) != 0 || form.is_null() {
            return None;
        }
        let access_type = heap.get(descriptor, at.access_type);
        let declared = heap.element(heap.get_ref(form, at.types), access_type);
        let mode = heap.get(descriptor, at.mode);
        let member = heap.element(heap.get_ref(form, at.members), mode);
        if declared != heap.get_ref(descriptor, at.erased) || member.is_null() {
            return None;
        }
        let target = self.member_target(member);
        target.class.is_initialized().then_some(target)
    }
}
