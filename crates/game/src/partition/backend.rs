//! Which instructions do the work.

use std::{fmt, ops::Range};

use super::{Block, coding::MarkEncoding, portable, prepared::Prepared, scalar, tally::Tally};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
#[cfg(target_arch = "x86_64")]
use crate::feedback::{CellTerm, FeedbackModel};
use crate::{
    cpu::{Avx2, Avx512},
    table::{BLOCK, Table},
};

/// An implementation of the kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// One code at a time. The twin that shows what the lanes are worth.
    Scalar,
    /// Blocks of bytes in plain Rust, for any machine.
    Portable,
    /// 256-bit registers.
    Avx2,
    /// 512-bit registers, with the byte permutes of VBMI and population counts.
    Avx512,
}

impl Backend {
    /// Every backend, slowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar | Self::Portable => true,
            Self::Avx2 => Avx2::detect().is_some(),
            Self::Avx512 => Avx512::detect().is_some(),
        }
    }

    /// The fastest one of this machine.
    #[must_use]
    pub fn best() -> Self {
        let fastest = Self::ALL.into_iter().rev().find(|backend| backend.is_available());
        fastest.unwrap_or(Self::Portable)
    }

    /// The packed marks of consecutive blocks of a table.
    #[inline]
    pub(crate) fn marks(self, coding: &MarkEncoding, plan: &Prepared, table: &Table, first: usize, out: &mut [Block]) {
        #[cfg(target_arch = "x86_64")]
        let colors_only = has_registers(coding.model());
        match self {
            Self::Scalar => scalar::marks(coding, plan, table, first, out),
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if colors_only => unsafe { avx2::marks(coding, plan, table, first, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if colors_only => unsafe { avx512::marks(coding, plan, table, first, out) },
            _ => portable::marks(coding, plan, table, first, out),
        }
    }

    /// The packed marks of some blocks of a table for each of some guesses: all guesses for the first block, then all for
    /// the next.
    #[inline]
    pub(crate) fn marks_of_each(
        self,
        coding: &MarkEncoding,
        plans: &[Prepared],
        table: &Table,
        blocks: Range<usize>,
        out: &mut [Block],
    ) {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx512 && has_registers(coding.model()) {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            return unsafe { avx512::marks_of_each(coding, plans, table, blocks, out) };
        }
        for (block, out) in blocks.zip(out.chunks_mut(plans.len().max(1))) {
            for (plan, out) in plans.iter().zip(out) {
                self.marks(coding, plan, table, block, std::slice::from_mut(out));
            }
        }
    }

    /// Adds to each count how many marks of the blocks equal the possible byte at its index.
    #[inline]
    pub(crate) fn count(self, blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
        // Comparing a block with each byte costs a step a byte; past this many, one step a mark is cheaper.
        #[cfg(target_arch = "x86_64")]
        const MOST_COMPARED: usize = 54;
        match self {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if possible.len() <= MOST_COMPARED => unsafe { avx2::count(blocks, possible, counts) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if possible.len() <= MOST_COMPARED => unsafe { avx512::count(blocks, possible, counts) },
            _ => portable::count(blocks, possible, counts),
        }
    }

    /// In each lane, how many of the marks equal each possible byte; at most 255 marks.
    #[inline]
    pub(crate) fn count_lanes(self, marks: &[Block], possible: &[u8], counts: &mut [Block]) {
        match self {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2::count_lanes(marks, possible, counts) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512::count_lanes(marks, possible, counts) },
            _ => portable::count_lanes(marks, possible, counts),
        }
    }

    /// Sums up the counts of each lane.
    #[inline]
    pub(crate) fn tally(self, counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
        match self {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512::tally(counts, tally, out) },
            _ => portable::tally(counts, tally, out),
        }
    }
}

/// Whether the kernels written for registers compute these marks; the others are rare enough for plain Rust.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_registers(terms: &FeedbackModel) -> bool {
    terms.cell != CellTerm::Ordered && !terms.per_cell
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}
