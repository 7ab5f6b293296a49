//! Histograms of many strategies: a small panel each, all on the same scales.

use super::axis::FittedAxis;
use super::frame::Frame;
use super::svg::{Anchor, Svg, shorten, text_width};
use super::theme::{self, AXIS, FONT_SIZE, GRID, TITLE_SIZE};
use crate::histogram::Bin;

const MARGIN: f64 = 16.0;
/// Room between panels, and left of the first for the numbers of y.
const GAP: f64 = 20.0;
const LEFT: f64 = 62.0;
/// The name of a panel, its field, and the numbers below it.
const NAME: f64 = 26.0;
const FIELD: f64 = 96.0;
const NUMBERS: f64 = 24.0;

/// What the panels share.
#[derive(Debug)]
pub(super) struct Panels<'a> {
    pub(super) title: &'a str,
    pub(super) label: &'a str,
    pub(super) names: &'a [&'a str],
    pub(super) bins: &'a [Bin],
    pub(super) x: FittedAxis,
    pub(super) y: FittedAxis,
}

impl Panels<'_> {
    /// Draws a panel for each list of shares.
    pub(super) fn svg(&self, shares: &[Vec<f64>]) -> String {
        let mut svg = Svg::new();
        let title = format!("font-size=\"{TITLE_SIZE}\" font-weight=\"600\"");
        svg.text((MARGIN, MARGIN + TITLE_SIZE - 2.0), Anchor::Start, &title, self.title);
        let (columns, width) = self.columns();
        let first = MARGIN + TITLE_SIZE + 6.0;
        for (series, shares) in shares.iter().enumerate() {
            let (row, column) = (series / columns, series % columns);
            let left = LEFT + (width + GAP) * column as f64;
            let top = first + NAME + (NAME + FIELD + NUMBERS) * row as f64;
            self.draw(&mut svg, series, shares, (left, top), width);
        }
        let end = first + (NAME + FIELD + NUMBERS) * shares.len().div_ceil(columns) as f64;
        let middle = (LEFT + Frame::WIDTH - MARGIN) / 2.0;
        svg.text((middle, end + FONT_SIZE + 2.0), Anchor::Middle, "", self.label);
        svg.upward_text((MARGIN, (first + NAME + end) / 2.0), "share of games");
        svg.finish(self.title, Frame::WIDTH, end + FONT_SIZE + 2.0 + MARGIN)
    }

    /// How many panels stand side by side, and how wide each is: three, or two if that spares a name its end.
    fn columns(&self) -> (usize, f64) {
        let width = |columns: usize| (Frame::WIDTH - LEFT - MARGIN - GAP * (columns - 1) as f64) / columns as f64;
        let widest = self.names.iter().map(|name| text_width(name, FONT_SIZE)).fold(0.0, f64::max);
        let columns = if widest <= width(3) { 3 } else { 2 };
        (columns, width(columns))
    }

    fn draw(&self, svg: &mut Svg, series: usize, shares: &[f64], (left, top): (f64, f64), width: f64) {
        let bottom = top + FIELD;
        let x = |value: f64| left + width * self.x.place(value);
        let y = |value: f64| bottom - FIELD * self.y.place(value);
        let fitting = (width / text_width("m", FONT_SIZE)) as usize;
        svg.text((left, top - 8.0), Anchor::Start, "", &shorten(self.names[series], fitting));
        // Every second line is enough at this size.
        for (value, name) in self.y.ticks.iter().step_by(2) {
            svg.line((left, y(*value)), (left + width, y(*value)), GRID);
            if left == LEFT {
                svg.text((left - 6.0, y(*value) + FONT_SIZE * 0.35), Anchor::End, "", name);
            }
        }
        let look = format!("fill=\"{}\"", theme::color(series));
        for (bin, &share) in self.bins.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
            let room = (x(bin.to) - x(bin.from)) * 0.08;
            svg.rect((x(bin.from) + room, y(share).min(bottom - 1.0)), (x(bin.to) - room, bottom), &look);
        }
        svg.line((left, bottom), (left + width, bottom), AXIS);
        let mut free_from = f64::NEG_INFINITY;
        for (value, name) in &self.x.ticks {
            let half = text_width(name, FONT_SIZE) / 2.0;
            if x(*value) - half >= free_from {
                svg.text((x(*value), bottom + FONT_SIZE + 3.0), Anchor::Middle, "", name);
                free_from = x(*value) + half + 6.0;
            }
        }
    }
}
