//! Instruction sets of the processor: the only module that detects them.
//!
//! A value of [`Avx2`] or [`Avx512`] exists only where the processor has the instructions. The environment variable
//! `PEGWISE_SIMD=off` hides all of them: everything then runs on portable code, with the same results.

#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

/// Proof that the processor has AVX2 and POPCNT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Avx2(());

/// Proof that the processor has AVX-512 with byte permutes (VBMI) and population counts of bytes and words (BITALG, VPOPCNTDQ).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Avx512(());

impl Avx2 {
    /// The token, if the processor has these instructions.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        detected().0
    }
}

impl Avx512 {
    /// The token, if the processor has these instructions.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        detected().1
    }
}

#[cfg(target_arch = "x86_64")]
fn detected() -> (Option<Avx2>, Option<Avx512>) {
    static DETECTED: OnceLock<(Option<Avx2>, Option<Avx512>)> = OnceLock::new();
    *DETECTED.get_or_init(|| {
        let on = std::env::var_os("PEGWISE_SIMD").is_none_or(|value| value != "off");
        let avx2 = on && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vpopcntdq");
        (avx2.then_some(Avx2(())), avx512.then_some(Avx512(())))
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> (Option<Avx2>, Option<Avx512>) {
    (None, None)
}
