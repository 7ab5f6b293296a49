//! Hints in WebAssembly, without any glue: text in, text out, through the module's memory.

use pegwise_coach::{Notes, hint};
use pegwise_game::Rules;
use pegwise_solve::{Search, catalog};

/// Memory for a question of so many bytes. [`ask`] gives it back.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; bytes].into_boxed_slice()).cast()
}

/// Answers a question: rules, strategy and turns, a line each. The answer begins with its length, four bytes, and stays
/// where it is: whoever asks asks a few times, then drops the module.
///
/// # Safety
/// The bytes are those of one call of [`reserve`] with the same length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(question: *mut u8, bytes: usize) -> *const u8 {
    // SAFETY: as the caller promises, it is a boxed slice of this length that nobody else owns.
    let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(question, bytes)) };
    let answer = answer(&String::from_utf8_lossy(&question)).unwrap_or_else(|error| format!("error: {error}"));
    let sized = [&(answer.len() as u32).to_le_bytes(), answer.as_bytes()].concat();
    sized.leak().as_ptr()
}

fn answer(question: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut lines = question.lines();
    let rules: Rules = lines.next().unwrap_or_default().parse()?;
    let mut strategy = catalog::strategy(lines.next().unwrap_or_default(), &rules)?;
    let notes = Notes::parse(&rules, lines)?;
    let hint = hint(&notes, &mut *strategy, &mut Search::new(1))?;
    let remaining = hint.remaining.exact().map_or("null".to_owned(), |count| count.to_string());
    Ok(format!("{} {remaining} {}", hint.guess.notation(rules.colors()), hint.basis))
}
