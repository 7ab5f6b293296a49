//! The engine of the page as a module of WebAssembly, without any glue: text in, lines of text out, through its memory.

use std::{cell::Cell, ptr};

use pegwise_web::{Limits, answer};

// Since Rust 1.96 the linker refuses a symbol that is neither defined nor a declared import.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Takes a line of JSON, which is gone when it returns: what is found on the way, and last the answer or the error.
    fn tell(line: *const u8, bytes: usize);
}

fn say(line: &str) {
    // SAFETY: the line outlives the call, and the host only reads it.
    unsafe { tell(line.as_ptr(), line.len()) }
}

thread_local! {
    /// The question, until it is asked.
    static QUESTION: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory for a question of so many bytes, until it is asked: its name, a line break, and its body as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut question = vec![0; bytes];
    let place = question.as_mut_ptr();
    // The bytes of a vector stay where they are when it moves.
    QUESTION.set(question);
    if bytes == 0 { ptr::null_mut() } else { place }
}

/// Answers the question that was written into the memory that was reserved.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = QUESTION.take();
    let text = String::from_utf8_lossy(&question);
    let (name, body) = text.split_once('\n').unwrap_or((&text, "null"));
    let line = answer(name, body, &Limits::default(), |line| say(&line.to_string()));
    say(&line.to_string());
}
