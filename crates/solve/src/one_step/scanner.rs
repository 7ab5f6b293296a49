//! Many guesses against the codes of one position, by columns or by masks, whichever is quicker.

use pegwise_game::{
    Table,
    partition::{BatchKernel, BitPlaneBatch, BitPlanes, CodeBatch, GUESS_GROUP, LANES_PER_PLANE, Tally},
};

/// Guesses that are priced at a time.
pub(crate) const STEP: usize = LANES_PER_PLANE;
const BUNDLES: usize = STEP / GUESS_GROUP;
const _: () = assert!(STEP.is_multiple_of(GUESS_GROUP));

/// Prices the guesses of a pool against codes, [`STEP`] at a time. A clone shares the codes, and has working space of its own.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    lanes: &'a BatchKernel,
    pool: &'a Table,
    way: Way<'a>,
}

#[derive(Clone)]
enum Way<'a> {
    Columns(CodeBatch, Vec<[u32; GUESS_GROUP]>),
    Masks(BitPlaneBatch, &'a BitPlanes),
}

impl<'a> Scanner<'a> {
    /// A scanner of a pool, by masks where there are some.
    pub(crate) fn new(lanes: &'a BatchKernel, codes: &Table, pool: &'a Table, slices: Option<&'a BitPlanes>) -> Self {
        let way = match slices {
            Some(slices) => Way::Masks(lanes.bit_plane_batch(codes), slices),
            None => Way::Columns(lanes.code_batch(codes), Vec::new()),
        };
        Self { lanes, pool, way }
    }

    /// For the guesses `STEP * step ..`, one number that sums up how each splits the codes. Numbers past the end of the pool
    /// mean nothing.
    pub(crate) fn tally(&mut self, step: usize, tally: &Tally, out: &mut [u16; STEP]) {
        match &mut self.way {
            Way::Columns(crowd, _) => {
                for (bundle, out) in (step * BUNDLES..bundles(self.pool)).zip(out.as_chunks_mut().0) {
                    self.lanes.tally(crowd, self.pool, bundle, tally, out);
                }
            }
            Way::Masks(crowd, slices) => self.lanes.bit_plane_tally(crowd, slices, step, tally, out),
        }
    }

    /// For the guesses `STEP * step ..`, the sizes of the parts that each makes of the codes. Numbers past the end of the
    /// pool mean nothing.
    pub(crate) fn histograms(&mut self, step: usize, out: &mut Vec<[u32; STEP]>) {
        match &mut self.way {
            Way::Columns(crowd, counts) => {
                for (at, bundle) in (step * BUNDLES..bundles(self.pool)).take(BUNDLES).enumerate() {
                    self.lanes.histograms(crowd, self.pool, bundle, counts);
                    out.resize(counts.len(), [0; STEP]);
                    for (out, counts) in out.iter_mut().zip(&*counts) {
                        out.as_chunks_mut::<GUESS_GROUP>().0[at] = *counts;
                    }
                }
            }
            Way::Masks(crowd, slices) => self.lanes.bit_plane_histograms(crowd, slices, step, out),
        }
    }
}

fn bundles(pool: &Table) -> usize {
    pool.len().div_ceil(GUESS_GROUP)
}
