//! Logarithm and exponential with bit-identical results on every platform.
//!
//! The functions of the standard library call the system's math library, whose rounding differs between platforms.
//! These use only addition, subtraction, multiplication and division, which IEEE 754 defines exactly.

const LN_2: f64 = std::f64::consts::LN_2;
const PER_LN_2: f64 = std::f64::consts::LOG2_E;

/// Coefficients of artanh: one over the odd numbers.
const ARTANH: [f64; 10] = {
    let mut coefficients = [1.0; 10];
    let mut term = 1;
    while term < 10 {
        coefficients[term] = 1.0 / (2 * term + 1) as f64;
        term += 1;
    }
    coefficients
};

/// Coefficients of the exponential: one over the factorials.
const EXP: [f64; 14] = {
    let mut coefficients = [1.0; 14];
    let mut term = 1;
    while term < 14 {
        coefficients[term] = coefficients[term - 1] / term as f64;
        term += 1;
    }
    coefficients
};

/// Returns the natural logarithm of a positive, finite, normal number.
pub fn ln(x: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7FF;
    const ONE: u64 = 1023;
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & EXPONENT_BITS) as i64 - ONE as i64;
    let mut mantissa = f64::from_bits((bits & !(EXPONENT_BITS << 52)) | (ONE << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), and the argument of artanh is below 0.172.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = ARTANH.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient);
    2.0 * s * series + exponent as f64 * LN_2
}

/// Returns the exponential; zero below -700, and constant from 700 on.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    let whole = (x * PER_LN_2 + 0.5).floor();
    let rest = x - whole * LN_2;
    let series = EXP.iter().rev().fold(0.0, |sum, coefficient| sum * rest + coefficient);
    series * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agree_with_the_standard_library() {
        for step in 1..4000 {
            let x = f64::from(step) * 0.017;
            assert!((ln(x) - x.ln()).abs() < 1e-14 * x.ln().abs().max(1.0), "ln {x}");
            for x in [x, -x] {
                assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "exp {x}");
            }
        }
        assert_eq!(exp(-1e9), 0.0);
        assert!(exp(1e9).is_finite());
        assert!((ln(1e-300) - 1e-300f64.ln()).abs() < 1e-12);
    }
}
