//! Property: bytes that read as a tree write back to bytes that read as the same tree; other bytes are an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_solve::tree::{TreeFile, verify};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = TreeFile::read(bytes) {
        let mut written = Vec::new();
        file.write(&mut written).expect("a tree that was read can be written");
        assert_eq!(TreeFile::read(&written[..]).expect("a tree that was written can be read"), file);
        let _ = verify(&file);
    }
});
