//! Detection of the instruction sets of the processor; no other module does this.
//!
//! A value of [`Avx2`] or [`Avx512`] is a token that exists only if the processor has the instructions, so code that has one may
//! call functions compiled for them. The environment variable `PEGWISE_SIMD=off` hides all of them: everything then
//! runs on portable code, with the same results.

#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

/// Proof that the processor has AVX2 and POPCNT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Avx2(());

/// Proof that the processor has AVX-512 with byte permutes (VBMI) and population counts of bytes and words (BITALG, VPOPCNTDQ).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Avx512(());

impl Avx2 {
    /// Returns the token if the processor has these instructions.
    #[inline]
    pub fn detect() -> Option<Self> {
        detected().0
    }
}

impl Avx512 {
    /// Returns the token if the processor has these instructions.
    #[inline]
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
