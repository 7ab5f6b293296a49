//! Sealed codes: not readable at a glance, and still exact.
//!
//! The colors are mixed with a stream of numbers that depends on the rules and on a checksum of the code, and written
//! in hexadecimal with the checksum before them. So equal codes of equal rules have equal seals, similar codes have
//! seals that share nothing, and a seal that was cut or changed does not open.

use std::fmt::Write as _;

use pegwise_game::{Code, Color, Rules};
use pegwise_solve::Rng;

/// Names the stream, so that no other use of the generator can give the same numbers.
const STREAM: u64 = 0x5EA1;

/// Seals a code of these rules.
///
/// ```
/// use pegwise_coach::{open, seal};
/// use pegwise_game::Rules;
/// let rules: Rules = "4x6".parse()?;
/// let code = rules.parse_code("3632")?;
/// let sealed = seal(&rules, &code);
/// assert_eq!(open(&rules, &sealed), Some(code));
/// assert_eq!(open(&rules, &sealed[1..]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn seal(rules: &Rules, code: &Code) -> String {
    let mut bytes: Vec<u8> = code.iter().flat_map(|color| (color.index() as u16).to_be_bytes()).collect();
    if narrow(rules) {
        bytes = bytes.into_iter().skip(1).step_by(2).collect();
    }
    let check = checksum(rules, &bytes);
    mix(rules, check, &mut bytes);
    let mut text = String::new();
    for byte in check.iter().chain(&bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Opens a seal; `None` when it is not one of these rules, or damaged.
#[must_use]
pub fn open(rules: &Rules, text: &str) -> Option<Code> {
    let digits: Vec<u8> = text.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    let (&check, mixed) = bytes.split_first_chunk::<2>()?;
    let mut bytes = mixed.to_vec();
    mix(rules, check, &mut bytes);
    if checksum(rules, &bytes) != check {
        return None;
    }
    let code = if narrow(rules) {
        Code::from_indices(bytes)
    } else {
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        Code::new(pairs.iter().map(|&pair| Color::new(u16::from_be_bytes(pair))).collect::<Vec<_>>())
    };
    rules.check_code(&code).ok().map(|()| code)
}

/// Whether a color fits a byte.
fn narrow(rules: &Rules) -> bool {
    rules.colors() <= 256
}

/// Adds or takes away the stream: both are the same.
fn mix(rules: &Rules, check: [u8; 2], bytes: &mut [u8]) {
    let mut stream = Rng::for_path(STREAM, [rules.to_string().as_bytes(), &check]);
    for chunk in bytes.chunks_mut(8) {
        for (byte, mask) in chunk.iter_mut().zip(stream.word().to_be_bytes()) {
            *byte ^= mask;
        }
    }
}

fn checksum(rules: &Rules, bytes: &[u8]) -> [u8; 2] {
    let word = Rng::for_path(STREAM, [rules.to_string().as_bytes(), bytes]).word();
    [(word >> 8) as u8, word as u8]
}
