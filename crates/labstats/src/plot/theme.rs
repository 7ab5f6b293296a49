//! Colors, type and marks that every plot shares.
//!
//! Each element names its color for a light page, and a class by which the style sheet darkens it for a dark one. So
//! programs that know no style sheets, or no dark pages, still draw the light picture.

use super::svg::Svg;

pub(crate) const FONT: &str = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
pub(crate) const FONT_SIZE: f64 = 13.0;
pub(crate) const TITLE_SIZE: f64 = 15.0;

pub(crate) const PAGE: &str = "#ffffff";
pub(crate) const INK: &str = "#24292f";

/// A line of the grid, a line of an axis, and the frame of a mark that must stand out from a bar of its own color.
pub(crate) const GRID: &str = "class=\"pw-grid\" stroke=\"#e3e6ea\"";
pub(crate) const AXIS: &str = "class=\"pw-axis\" stroke=\"#8b949e\"";
pub(crate) const CONTRAST: &str = "class=\"pw-page pw-rim\" fill=\"#ffffff\" stroke=\"#24292f\" stroke-width=\"1.5\"";

pub(crate) const STYLE: &str = "@media (prefers-color-scheme: dark) { .pw-page { fill: #161b22 } .pw-ink { fill: #e6edf3 } \
     .pw-grid { stroke: #30363d } .pw-axis { stroke: #768390 } .pw-rim { stroke: #e6edf3 } }";

/// Colors of the series, told apart by people who confuse red and green, and legible on white and on near black.
const SERIES: [&str; 8] = ["#3a7fd5", "#e07a1f", "#2a9d70", "#c2477f", "#8a63d2", "#a38400", "#2a9fb8", "#9a6a52"];

/// The color of a series, by its place.
pub(crate) fn color(series: usize) -> &'static str {
    SERIES[series % SERIES.len()]
}

/// How the line of a series is dashed: the second eight must differ from the first.
pub(crate) fn dash(series: usize) -> &'static str {
    match series / SERIES.len() % 3 {
        0 => "",
        1 => "stroke-dasharray=\"7 4\"",
        _ => "stroke-dasharray=\"2 3\"",
    }
}

/// Draws the mark of a series: neighbors differ in shape as well as in color.
pub(crate) fn mark(svg: &mut Svg, series: usize, (x, y): (f64, f64), size: f64) {
    let look = format!("fill=\"{}\"", color(series));
    let around =
        |corners: &[(f64, f64)]| corners.iter().map(|(dx, dy)| (x + dx * size, y + dy * size)).collect::<Vec<_>>();
    match (series + series / SERIES.len()) % 4 {
        0 => svg.circle((x, y), size, &look),
        1 => svg.polygon(around(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]), &look),
        2 => svg.polygon(around(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), &look),
        _ => svg.polygon(around(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]), &look),
    }
}
