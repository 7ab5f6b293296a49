//! How large a game may be, so that no input can ask for unbounded memory.

/// The most cells a board may have.
pub const MAX_CELLS: usize = 4096;

/// The most colors a game may have.
pub const MAX_COLORS: u16 = 4096;
