//! FNV-1a: a number for some bytes, enough to notice that they are others, and the same on every machine.

/// Takes in bytes, and gives a number for all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    /// The number of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut fingerprint = Self::new();
        fingerprint.add(bytes);
        fingerprint.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_vectors() {
        // Fowler, Noll and Vo's test suite.
        assert_eq!(Fingerprint::of(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fingerprint::of(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(Fingerprint::of(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
