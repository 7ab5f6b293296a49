//! Zstandard, in and out. Reading is pure Rust, so that trees are read wherever this crate builds. Writing uses the C
//! library behind the feature `files`, which makes them smaller than the encoder in Rust that stands in without.

use std::io::{self, BufReader, Read};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The largest window, as a power of two.
const WINDOW_LOG: u32 = 23;

/// Bytes on their way out of one frame.
pub(super) struct Expanded<'a>(BufReader<StreamingDecoder<&'a [u8], FrameDecoder>>);

impl<'a> Expanded<'a> {
    /// Begins to expand a frame. Memory is bounded by the largest window.
    pub(super) fn new(bytes: &'a [u8]) -> io::Result<Self> {
        let decoder = StreamingDecoder::new_with_max_window_size(bytes, 1 << WINDOW_LOG).map_err(io::Error::other)?;
        Ok(Self(BufReader::with_capacity(1 << 16, decoder)))
    }

    /// The next byte; none at the end of the frame.
    #[inline]
    pub(super) fn byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        match self.0.read_exact(&mut byte) {
            Ok(()) => Ok(Some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether bytes follow the frame, once its end is reached.
    pub(super) fn has_more(&self) -> bool {
        !self.0.get_ref().get_ref().is_empty()
    }
}

/// One frame of these bytes.
#[cfg(feature = "files")]
pub(super) fn compress(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(level)?;
    // Few bytes get a smaller window by themselves.
    if bytes.len() > 1 << WINDOW_LOG {
        compressor.set_parameter(zstd::zstd_safe::CParameter::WindowLog(WINDOW_LOG))?;
    }
    compressor.compress(bytes)
}

/// One frame of these bytes. There is one level.
#[cfg(not(feature = "files"))]
pub(super) fn compress(bytes: &[u8], _level: i32) -> io::Result<Vec<u8>> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expand(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut expanded = Expanded::new(bytes)?;
        std::iter::from_fn(|| expanded.byte().transpose()).collect()
    }

    #[test]
    fn long_bytes_come_back() {
        // Past the largest window, with repetitions near and far.
        let bytes: Vec<u8> = (0..9_000_000u32).map(|at| ((at / 7) ^ (at >> 11)) as u8).collect();
        for level in [1, 9] {
            assert!(expand(&compress(&bytes, level).unwrap()).unwrap() == bytes, "level {level}");
        }
    }

    #[test]
    fn windows_are_bounded_before_memory_is_taken() {
        // Magic, a descriptor without a size, a window of 2^(10 + 20) bytes.
        let error = Expanded::new(&[0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3]).err().unwrap();
        assert!(error.to_string().contains("too big"), "{error}");
    }

    #[test]
    fn what_follows_a_frame_is_seen() {
        let mut bytes = compress(b"pegs", 1).unwrap();
        for more in [false, true] {
            let mut expanded = Expanded::new(&bytes).unwrap();
            while expanded.byte().unwrap().is_some() {}
            assert_eq!(expanded.has_more(), more);
            bytes.push(0);
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(0u8..4, 0..5000), level in 1..20) {
            prop_assert_eq!(expand(&compress(&bytes, level).unwrap()).unwrap(), bytes);
        }

        #[test]
        fn any_bytes_are_expanded_or_refused(noise in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..40) {
            let mut bytes = compress(b"the same again, the same again", 1).unwrap();
            bytes.truncate(at.min(bytes.len()));
            bytes.extend(noise);
            let _ = expand(&bytes);
        }
    }
}
