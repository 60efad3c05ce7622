//! The state between two instructions: types of locals and operand stack.
//!
//! The stack is an array of `max_stack` entries and a height. Popped entries
//! stay in place until they are overwritten, since error messages show the
//! stack as it was before the instruction.

use super::types::Type;
use super::{Checked, Hierarchy};

#[derive(Default)]
pub(super) struct Frame<'a> {
    /// Where in the code.
    pub offset: u32,
    /// `this` is not initialized yet.
    pub this_uninitialized: bool,
    /// `max_locals` entries; those from `locals_size` on are Top.
    pub locals: Vec<Type<'a>>,
    /// One past the last local that was ever used; only shown in messages.
    pub locals_size: usize,
    pub stack: Vec<Type<'a>>,
    pub height: usize,
    /// The height before the current instruction.
    pub mark: usize,
}

/// A frame to look at: the current one, one for a handler, or one of the map.
#[derive(Clone, Copy)]
pub(crate) struct View<'f, 'a> {
    pub offset: u32,
    pub this_uninitialized: bool,
    pub locals: &'f [Type<'a>],
    pub stack: &'f [Type<'a>],
}

/// Why a frame does not fit a stack map.
pub(super) enum Mismatch {
    Height,
    Local(usize),
    Stack(usize),
    Flags,
}

/// Why an access to a frame failed.
pub(super) enum Access<'a> {
    Underflow,
    Overflow,
    /// Where on the stack, and what was expected there.
    Operand(usize, Type<'a>),
    Local(usize, Type<'a>),
    /// The index and the complaint.
    Index(u16, &'static str),
    Reject(super::Reject),
}

impl From<super::Reject> for Access<'_> {
    fn from(reject: super::Reject) -> Self {
        Access::Reject(reject)
    }
}

const OVERFLOW: &str = "Local variable table overflow";

impl<'a> Frame<'a> {
    /// Empties the frame for another method.
    pub fn reset(&mut self, max_locals: u16, max_stack: u16) {
        self.offset = 0;
        self.this_uninitialized = false;
        self.locals.clear();
        self.locals.resize(usize::from(max_locals), Type::Top);
        self.locals_size = 0;
        self.stack.clear();
        self.stack.resize(usize::from(max_stack), Type::Top);
        self.height = 0;
        self.mark = 0;
    }

    /// As the current instruction found it.
    pub fn view(&self) -> View<'_, 'a> {
        View {
            offset: self.offset,
            this_uninitialized: self.this_uninitialized,
            locals: &self.locals[..self.locals_size],
            stack: &self.stack[..self.mark],
        }
    }

    pub fn push(&mut self, ty: Type<'a>) -> Result<(), Access<'a>> {
        if self.height >= self.stack.len() {
            return Err(Access::Overflow);
        }
        self.stack[self.height] = ty;
        self.height += 1;
        Ok(())
    }

    /// Pushes a value of one or two words.
    pub fn push_value(&mut self, ty: Type<'a>) -> Result<(), Access<'a>> {
        let Some(second) = ty.second() else {
            return self.push(ty);
        };
        if self.height + 1 >= self.stack.len() {
            return Err(Access::Overflow);
        }
        self.stack[self.height] = ty;
        self.stack[self.height + 1] = second;
        self.height += 2;
        Ok(())
    }

    /// Pops whatever there is.
    pub fn pop_any(&mut self) -> Result<Type<'a>, Access<'a>> {
        self.height = self.height.checked_sub(1).ok_or(Access::Underflow)?;
        Ok(self.stack[self.height])
    }

    pub fn pop(&mut self, wanted: Type<'a>, env: &dyn Hierarchy) -> Result<Type<'a>, Access<'a>> {
        let found = self.pop_any()?;
        if !wanted.accepts(found, env)? {
            return Err(Access::Operand(self.height, wanted));
        }
        Ok(found)
    }

    /// Pops a value of one or two words; gives its first word. Both words are
    /// looked at, and HotSpot reports the last that is wrong.
    pub fn pop_value(
        &mut self,
        wanted: Type<'a>,
        env: &dyn Hierarchy,
    ) -> Result<Type<'a>, Access<'a>> {
        let Some(second) = wanted.second() else {
            return self.pop(wanted, env);
        };
        let upper = self.pop(second, env);
        let lower = self.pop(wanted, env)?;
        upper?;
        Ok(lower)
    }

    pub fn local(
        &mut self,
        index: u16,
        wanted: Type<'a>,
        env: &dyn Hierarchy,
    ) -> Result<Type<'a>, Access<'a>> {
        let at = usize::from(index);
        if wanted.second().is_some() {
            return self.wide_local(index, wanted, env);
        }
        let Some(&found) = self.locals.get(at) else {
            return Err(Access::Index(index, OVERFLOW));
        };
        if !wanted.accepts(found, env)? {
            return Err(Access::Local(at, wanted));
        }
        self.locals_size = self.locals_size.max(at + 1);
        Ok(found)
    }

    fn wide_local(
        &mut self,
        index: u16,
        wanted: Type<'a>,
        env: &dyn Hierarchy,
    ) -> Result<Type<'a>, Access<'a>> {
        let at = usize::from(index);
        if at + 1 >= self.locals_size {
            return Err(Access::Index(index, "get long/double overflows locals"));
        }
        let words = [Some(wanted), wanted.second()];
        for (i, wanted) in words.into_iter().flatten().enumerate() {
            if !wanted.accepts(self.locals[at + i], env)? {
                return Err(Access::Local(at + i, wanted));
            }
        }
        Ok(self.locals[at])
    }

    /// Sets one local or a pair and spoils what it overlaps.
    pub fn set_local(&mut self, index: u16, ty: Type<'a>) -> Result<(), Access<'a>> {
        let first = usize::from(index);
        let last = first + usize::from(ty.second().is_some());
        if last >= self.locals.len() {
            return Err(Access::Index(index, OVERFLOW));
        }
        if self.locals[last].is_wide() && last + 1 < self.locals.len() {
            self.locals[last + 1] = Type::Top;
        }
        if self.locals[first].is_second() && first > 0 {
            self.locals[first - 1] = Type::Top;
        }
        self.locals[first] = ty;
        if let Some(second) = ty.second() {
            self.locals[last] = second;
        }
        self.locals_size = self.locals_size.max(last + 1);
        Ok(())
    }

    /// Every copy of an uninitialized object becomes an object.
    pub fn initialize(&mut self, old: Type<'a>, new: Type<'a>) {
        let locals = self.locals[..self.locals_size].iter_mut();
        for ty in locals.chain(&mut self.stack[..self.height]) {
            if *ty == old {
                *ty = new;
            }
        }
        if old == Type::UninitializedThis {
            self.this_uninitialized = false;
        }
    }

    /// Takes over a frame of the map.
    pub fn become_view(&mut self, map: View<'_, 'a>) {
        let count = map.locals.len();
        if self.locals_size > count {
            self.locals[count..self.locals_size].fill(Type::Top);
        }
        self.locals[..count].copy_from_slice(map.locals);
        self.locals_size = count;
        let height = map.stack.len();
        self.stack[..height].copy_from_slice(map.stack);
        self.height = height;
        self.this_uninitialized = map.this_uninitialized;
    }
}

/// Does a frame of these locals, padded with Top, fit the frame of the map?
pub(super) fn fits<'a>(
    locals: &[Type<'a>],
    stack: &[Type<'a>],
    this_uninitialized: bool,
    map: View<'_, 'a>,
    env: &dyn Hierarchy,
) -> Checked<Option<Mismatch>> {
    if stack.len() != map.stack.len() {
        return Ok(Some(Mismatch::Height));
    }
    for (i, wanted) in map.locals.iter().enumerate() {
        let found = locals.get(i).copied().unwrap_or(Type::Top);
        if !wanted.accepts(found, env)? {
            return Ok(Some(Mismatch::Local(i)));
        }
    }
    for (i, (wanted, &found)) in map.stack.iter().zip(stack).enumerate() {
        if !wanted.accepts(found, env)? {
            return Ok(Some(Mismatch::Stack(i)));
        }
    }
    let flags = this_uninitialized && !map.this_uninitialized;
    Ok(flags.then_some(Mismatch::Flags))
}
