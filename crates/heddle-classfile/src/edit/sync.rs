//! Synchronized methods without the flag: their bodies lock by themselves.

use super::ClassEdit;
use super::code::{Guarded, Nesting};
use super::error::{EditError, EditErrorKind};
use super::snippet::{Kind, Snippet};
use crate::class::access;
use crate::code::{Insn, Operand, implicit_local};
use crate::mutf8::to_string_lossy as text;
use crate::opcode::*;

impl ClassEdit<'_> {
    /// Takes `synchronized` off a method and lets its body do the same by
    /// itself: `enter` runs first, with the lock (`this` or the class object)
    /// on the stack, and consumes it, as `monitorenter` does; `exit` runs in
    /// the same way as the last thing before each return, and when the body
    /// throws. With snippets of `monitorenter` and `monitorexit` alone the
    /// method does what it did.
    ///
    /// Only what runs between `enter` and `exit` is guarded, so that what
    /// these throw themselves leaves the method at once. Code that was or
    /// will be inserted at the entry in other ways runs without the lock if
    /// that happens before this call, else with it but unguarded.
    pub fn desynchronize(
        &mut self,
        method: usize,
        enter: &Snippet,
        exit: &Snippet,
    ) -> Result<(), EditError> {
        self.code(method)?;
        let class = self.class;
        let m = &class.methods[method];
        let lock = if m.is_static() {
            self.class_lock()
        } else {
            let code = self.code(method)?;
            let overwritten = code
                .instructions()
                .iter()
                .any(|(_, insn)| writes_this(insn));
            let local = match overwritten {
                true => code.kept_local(class.name()),
                false => 0,
            };
            if local != 0 {
                let mut keep = self.snippet();
                let keep = keep
                    .load(Kind::Reference, 0)
                    .store(Kind::Reference, local)
                    .done();
                self.code(method)?.at_entry(&keep);
            }
            self.snippet().load(Kind::Reference, local).done()
        };
        let enter = self.snippet().append(&lock).append(enter).done();
        let exit = self.snippet().append(&lock).append(exit).done();
        if !enter.falls_through() || !exit.falls_through() {
            let why = "code to lock or unlock does not end";
            return Err(EditErrorKind::BadSnippet(why).of_method(class, m));
        }
        let on_throw = self.snippet().append(&exit).op(ATHROW).done();

        let code = self.code(method)?;
        code.at_entry(&enter);
        code.exit = Some(exit);
        let mut ranges = Vec::new();
        let mut start = 0;
        for (pc, insn) in code.instructions() {
            if matches!(insn.opcode, IRETURN..=RETURN) {
                ranges.push(Guarded {
                    start,
                    end: *pc,
                    up_to_core: true,
                });
                start = pc + insn.length;
            }
        }
        let end = code.code.map_or(0, |code| code.bytes.len() as u32);
        if start < end {
            ranges.push(Guarded {
                start,
                end,
                up_to_core: false,
            });
        }
        code.add_guard(ranges, 0, Nesting::Outermost, &on_throw);
        self.change(method).cleared |= access::SYNCHRONIZED;
        Ok(())
    }

    /// Pushes the class object, which before version 49 no instruction does.
    /// The class is being initialized when its methods run, so asking for it
    /// by name finds the same one.
    fn class_lock(&mut self) -> Snippet {
        let class = self.class;
        let mut lock = self.snippet();
        if class.major >= 49 {
            return lock.class_object(class.name()).done();
        }
        let name = text(class.name()).replace('/', ".");
        let desc = "(Ljava/lang/String;)Ljava/lang/Class;";
        lock.string(&name)
            .invoke_static("java/lang/Class", "forName", desc)
            .done()
    }
}

/// Whether local 0 may hold something else behind the instruction.
fn writes_this(insn: &Insn<'_>) -> bool {
    match (insn.opcode, insn.operand) {
        (ISTORE..=ASTORE, Operand::Local(local)) => local == 0,
        (ISTORE_0..=ASTORE_3, _) => implicit_local(insn.opcode) == Some(0),
        _ => false,
    }
}
