//! Plots as SVG.
//!
//! Every plot is a struct that says what to show, with a method `svg` that draws it. The pictures need no scripts, fonts
//! or other files; they scale, and follow the light or dark mode of their reader.
//!
//! ```
//! use pegwise_labstats::plot::{Axis, Histogram, Series};
//! let knuth = Series::new("knuth", [4.0, 5.0, 4.0, 5.0, 5.0, 3.0]);
//! let plot = Histogram { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series: vec![knuth] };
//! assert!(plot.svg().starts_with("<svg "));
//! ```
//!
//! They are drawn here rather than by a library: the one that came closest writes fixed colors without classes, which
//! are lost on a dark page, and no `viewBox`.

mod axis;
mod box_plot;
mod frame;
mod histogram;
mod lines;
mod panels;
mod pdf;
#[cfg(feature = "png")]
mod png;
mod scatter;
pub(crate) mod svg;
mod theme;
mod tick;

pub use axis::{Axis, Scale};
pub use box_plot::BoxPlot;
pub use histogram::Histogram;
pub use lines::{Curve, CurvePoint, Lines, Spread};
pub use pdf::pdf;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use scatter::{Scatter, ScatterPoint};
pub use tick::Unit;

/// A named sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What the legend calls it: a strategy.
    pub name: String,
    /// Its values, one a game.
    pub values: Vec<f64>,
}

impl Series {
    /// A named sample.
    ///
    /// ```
    /// use pegwise_labstats::plot::Series;
    /// assert_eq!(Series::new("knuth", [4.0, 5.0]).values.len(), 2);
    /// ```
    pub fn new(name: impl Into<String>, values: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), values: values.into() }
    }
}
