//! Plots as SVG.
//!
//! Each plot is a struct with a method `svg`. The images need no scripts, fonts or other files, scale to any size, and follow
//! the reader's light or dark mode.
//!
//! ```
//! use pegwise_labstats::plot::{Axis, HistogramPlot, Series};
//! let knuth = Series::new("knuth", [4.0, 5.0, 4.0, 5.0, 5.0, 3.0]);
//! let plot = HistogramPlot { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series: vec![knuth] };
//! assert!(plot.svg().starts_with("<svg "));
//! ```
//!
//! No plotting library is used: the closest candidate writes fixed colors, which do not work on dark pages, and no
//! `viewBox`.

mod axis;
mod canvas;
mod curves;
mod distribution;
mod pdf;
#[cfg(feature = "png")]
mod png;

pub use axis::{Axis, AxisUnit, Scale};
pub(crate) use canvas::{escape, escaped};
pub use curves::{Curve, CurvePoint, IntervalStyle, LinePlot, ScatterPlot, ScatterPoint};
pub use distribution::{BoxPlot, HistogramPlot};
pub use pdf::pdf;
#[cfg(feature = "png")]
pub use png::{PngError, png};

/// A named sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Values, one per game.
    pub values: Vec<f64>,
}

impl Series {
    /// Creates a named sample.
    pub fn new(name: impl Into<String>, values: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), values: values.into() }
    }
}
