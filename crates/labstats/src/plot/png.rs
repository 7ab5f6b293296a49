//! Plots as PNG.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Error of [`png`].
#[derive(Debug)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot draw the plot as PNG: {}", self.0)
    }
}

impl std::error::Error for PngError {}

/// Renders a plot as a PNG file, `scale` times the size of the SVG, in light mode.
///
/// The font is embedded in the crate, so the result does not depend on the machine.
///
/// ```
/// use pegwise_labstats::plot::{Axis, HistogramPlot, Series, png};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0])];
/// let svg = HistogramPlot { title: "Guesses".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(png(&svg, 2.0)?.starts_with(b"\x89PNG"));
/// # Ok::<(), pegwise_labstats::plot::PngError>(())
/// ```
///
/// # Errors
/// Fails if the text is not SVG or the image is too large.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = usvg::fontdb::Database::new();
    for font in [&include_bytes!("../../fonts/DejaVuSans.ttf")[..], include_bytes!("../../fonts/DejaVuSans-Bold.ttf")] {
        fonts.load_font_data(font.to_vec());
    }
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or_else(|| PngError("invalid scale".into()))?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).ok_or_else(|| PngError("the image is too large".into()))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}
