//! WebAssembly engine of the page. Text is exchanged through the memory of the module, without generated bindings.

use std::{cell::Cell, ptr};

use pegwise_web::{ServerLimits, answer};

// Since Rust 1.96 the linker refuses a symbol that is neither defined nor a declared import.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Receives a line of JSON, valid during the call: intermediate results, then the answer or the error.
    fn tell(line: *const u8, bytes: usize);
}

fn send(line: &str) {
    // SAFETY: the line outlives the call, and the host only reads it.
    unsafe { tell(line.as_ptr(), line.len()) }
}

thread_local! {
    /// The question, until [`ask`] takes it.
    static QUESTION: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reserves memory for a question of `bytes` bytes: its name, a line break, and its JSON body.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut question = vec![0; bytes];
    let place = question.as_mut_ptr();
    // Moving the vector does not move its bytes.
    QUESTION.set(question);
    if bytes == 0 { ptr::null_mut() } else { place }
}

/// Answers the question in the reserved memory.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = QUESTION.take();
    let text = String::from_utf8_lossy(&question);
    let (name, body) = text.split_once('\n').unwrap_or((&text, "null"));
    send(&answer(name, body, &ServerLimits::default(), |line| send(&line)));
}
