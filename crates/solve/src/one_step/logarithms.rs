//! Logarithms as whole numbers, so that equal products have equal sums.
//!
//! The logarithm of a prime is computed bit by bit in integers; that of any other number is the sum over its prime factors.
//! So `2 log 2 + 2 log 2 = 4 log 2 = 2 log 4` holds exactly, on every machine.

use std::sync::Arc;

/// Binary logarithms in units of `1 / ONE`, for numbers from one up.
#[derive(Debug, Clone)]
pub(crate) struct Logarithms {
    /// `n * log2(n)` for each n.
    weighted: Arc<Vec<u64>>,
}

impl Logarithms {
    /// The logarithm of two. Sums over 2^25 codes stay below 64 bits.
    pub(crate) const ONE: u64 = 1 << 32;

    pub(crate) fn up_to(largest: usize) -> Self {
        let mut logarithms = Self { weighted: Arc::new(Vec::new()) };
        logarithms.extend(largest);
        logarithms
    }

    pub(crate) fn extend(&mut self, largest: usize) {
        if largest < self.weighted.len() {
            return;
        }
        let size = (largest + 1).next_power_of_two();
        let mut logs = vec![0u64; size];
        // Each prime adds its logarithm to the multiples of each of its powers.
        for prime in 2..size {
            if logs[prime] != 0 {
                continue;
            }
            let log = log2(prime as u64);
            let mut power = prime;
            while power < size {
                for multiple in (power..size).step_by(power) {
                    logs[multiple] += log;
                }
                power *= prime;
            }
        }
        for (number, log) in logs.iter_mut().enumerate() {
            *log *= number as u64;
        }
        self.weighted = Arc::new(logs);
    }

    /// `n * log2(n)`, and zero for zero.
    #[inline]
    pub(crate) fn weighted(&self, number: usize) -> u64 {
        self.weighted[number]
    }
}

/// The binary logarithm in units of `1 / ONE`, rounded down, one bit at a time: squaring doubles a logarithm.
fn log2(number: u64) -> u64 {
    let whole = u64::from(number.ilog2());
    // The number scaled to [1, 2), with 63 bits after the point.
    let mut scaled = u128::from(number) << (63 - whole);
    let mut log = whole;
    for _ in 0..Logarithms::ONE.ilog2() {
        scaled = (scaled * scaled) >> 63;
        log <<= 1;
        if scaled >> 64 != 0 {
            scaled >>= 1;
            log |= 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Logarithms {
        /// `log2(n)` for n from one up.
        fn of(&self, number: usize) -> u64 {
            self.weighted[number] / number as u64
        }
    }

    #[test]
    fn logarithms_are_those_of_mathematics() {
        let logarithms = Logarithms::up_to(1000);
        for number in 1..=1000 {
            let log = logarithms.of(number) as f64 / Logarithms::ONE as f64;
            assert!((log - (number as f64).log2()).abs() < 1e-8, "{number}: {log}");
        }
    }

    #[test]
    fn products_are_sums() {
        let logarithms = Logarithms::up_to(1000);
        for (one, other) in [(2, 2), (6, 35), (12, 18), (31, 32)] {
            assert_eq!(logarithms.of(one * other), logarithms.of(one) + logarithms.of(other));
        }
    }
}
