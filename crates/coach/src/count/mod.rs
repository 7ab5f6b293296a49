//! How many codes fit: counted where they can be, else estimated with an interval, else bounded.

pub(crate) mod probe;
pub(crate) mod transfer;
