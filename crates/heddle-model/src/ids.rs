//! Names for things in an execution: a newtype each.

/// Dense number of a thread in one execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadId(pub u32);

/// Which child of which child of the initial thread: the same in every
/// interleaving and on every JVM.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ThreadPath(pub Box<[u32]>);

/// An object. Depends on what its thread did before, not on the interleaving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// A method of the machine; [`crate::View::frame`] gives its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId(pub u32);

/// A place in the program: a method and a bytecode index (-1 in natives).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    pub method: MethodId,
    pub bci: i32,
}

/// A class name as Java writes it (`java.lang.String`).
pub type ClassName = String;
