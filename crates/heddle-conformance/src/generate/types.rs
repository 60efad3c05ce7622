//! The types that variables and expressions of generated programs have, and their literals:
//! the values at which arithmetic goes wrong.

/// The types that variables and expressions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Long,
    Float,
    Double,
    Bool,
    Str,
    Byte,
    Short,
    Char,
}

pub const VALUES: [Ty; 6] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Bool, Ty::Str];
pub const ALL: [Ty; 9] = [
    Ty::Int,
    Ty::Long,
    Ty::Float,
    Ty::Double,
    Ty::Bool,
    Ty::Str,
    Ty::Byte,
    Ty::Short,
    Ty::Char,
];

impl Ty {
    pub fn java(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Bool => "boolean",
            Ty::Str => "String",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Char => "char",
        }
    }

    pub fn prefix(self) -> &'static str {
        match self {
            Ty::Int => "i",
            Ty::Long => "l",
            Ty::Float => "f",
            Ty::Double => "d",
            Ty::Bool => "z",
            Ty::Str => "s",
            Ty::Byte => "b",
            Ty::Short => "h",
            Ty::Char => "c",
        }
    }
}

pub const INTS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "100",
    "65536",
    "(-1)",
    "(-2)",
    "1000003",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];
pub const LONGS: [&str; 9] = [
    "0L",
    "1L",
    "(-1L)",
    "63L",
    "4294967296L",
    "1234567890123L",
    "Long.MAX_VALUE",
    "Long.MIN_VALUE",
    "0x5555555555555555L",
];
pub const DOUBLES: [&str; 11] = [
    "0.0",
    "(-0.0)",
    "1.0",
    "0.1",
    "(-2.5)",
    "1e10",
    "1e300",
    "4.9e-324",
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
    "3.141592653589793",
];
pub const FLOATS: [&str; 8] = [
    "0f",
    "1f",
    "0.1f",
    "(-2.5f)",
    "1e30f",
    "Float.NaN",
    "Float.NEGATIVE_INFINITY",
    "16777217f",
];
pub const STRINGS: [&str; 9] = [
    "\"\"",
    "\"a\"",
    "\"hello\"",
    "\"42\"",
    "\"-7\"",
    "\"Aa\"",
    "\"BB\"",
    "\"x,y,,z\"",
    "\"caf\\u00e9 \\u20ac\"",
];
