//! Plots as PNG.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Why a plot could not be turned into pixels.
#[derive(Debug)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot draw the plot as PNG: {}", self.0)
    }
}

impl std::error::Error for PngError {}

/// The plot as a PNG file, `scale` times as large as the SVG says, as on a light page.
///
/// The letters are drawn with a font that comes with the program, so the picture is the same on every machine.
///
/// ```
/// use pegwise_labstats::plot::{Axis, Histogram, Series, png};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0])];
/// let svg = Histogram { title: "Guesses".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(png(&svg, 2.0)?.starts_with(b"\x89PNG"));
/// # Ok::<(), pegwise_labstats::plot::PngError>(())
/// ```
///
/// # Errors
///
/// If the text is not SVG, or the picture is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = usvg::fontdb::Database::new();
    for font in [&include_bytes!("../../fonts/DejaVuSans.ttf")[..], include_bytes!("../../fonts/DejaVuSans-Bold.ttf")] {
        fonts.load_font_data(font.to_vec());
    }
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or_else(|| PngError("the scale is not usable".into()))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| PngError("the picture is too large".into()))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}
