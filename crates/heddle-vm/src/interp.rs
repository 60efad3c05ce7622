//! The interpreter (placeholder).
