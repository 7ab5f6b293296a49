//! What surrounds the data: title, legend, axes and grid.

use super::axis::FittedAxis;
use super::svg::{Anchor, Svg, shorten, text_width};
use super::theme::{self, AXIS, FONT_SIZE, GRID, TITLE_SIZE};

const MARGIN: f64 = 16.0;
const LEGEND_LINE: f64 = 20.0;
/// Longer names are cut.
const LONGEST_NAME: usize = 44;

/// A plot being drawn: a picture with axes, into which values can be placed.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) svg: Svg,
    title: String,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: FittedAxis,
    y: FittedAxis,
}

/// What a frame is made from.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    pub(crate) title: &'a str,
    /// Series that the legend names; none for no legend.
    pub(crate) legend: &'a [&'a str],
    pub(crate) x: FittedAxis,
    pub(crate) x_label: &'a str,
    pub(crate) y: FittedAxis,
    pub(crate) y_label: &'a str,
    /// The height of the field that holds the data.
    pub(crate) field: f64,
    /// Whether values of y get lines through the field.
    pub(crate) y_grid: bool,
    /// Whether values of x do.
    pub(crate) x_grid: bool,
}

impl Frame {
    pub(crate) const WIDTH: f64 = 760.0;
    pub(crate) const FIELD: f64 = 320.0;

    pub(crate) fn new(layout: Layout<'_>) -> Self {
        let Layout { title, legend, x, x_label, y, y_label, field, y_grid, x_grid } = layout;
        let mut svg = Svg::new();
        let widest = y.ticks.iter().map(|(_, label)| text_width(&shorten(label, LONGEST_NAME), FONT_SIZE));
        let widest = widest.fold(0.0, f64::max);
        let y_label_room = if y_label.is_empty() { 0.0 } else { FONT_SIZE + 10.0 };
        let left = MARGIN + y_label_room + widest + 8.0;
        let right = Self::WIDTH - MARGIN - 8.0;
        let title_look = format!("font-size=\"{TITLE_SIZE}\" font-weight=\"600\"");
        let longest_title = ((Self::WIDTH - 2.0 * MARGIN) / (TITLE_SIZE * 0.6)) as usize;
        svg.text((MARGIN, MARGIN + TITLE_SIZE - 2.0), Anchor::Start, &title_look, &shorten(title, longest_title));
        let top = draw_legend(&mut svg, legend, MARGIN + TITLE_SIZE + 10.0) + 10.0;
        let bottom = top + field;
        let height = bottom + 2.0 * FONT_SIZE + 12.0 + MARGIN;
        let mut frame =
            Self { svg, title: title.to_owned(), width: Self::WIDTH, height, left, right, top, bottom, x, y };
        frame.draw_y(y_grid, y_label);
        frame.draw_x(x_grid, x_label);
        frame
    }

    /// Where a value of x stands.
    pub(crate) fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.place(value)
    }

    /// Where a value of y stands.
    pub(crate) fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.y.place(value)
    }

    pub(crate) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x(x), self.y(y))
    }

    pub(crate) fn finish(self) -> String {
        self.svg.finish(&self.title, self.width, self.height)
    }

    fn draw_y(&mut self, grid: bool, label: &str) {
        for (value, name) in self.y.ticks.clone() {
            let y = self.y(value);
            if grid {
                self.svg.line((self.left, y), (self.right, y), GRID);
            }
            let name = shorten(&name, LONGEST_NAME);
            self.svg.text((self.left - 8.0, y + FONT_SIZE * 0.35), Anchor::End, "", &name);
        }
        self.svg.line((self.left, self.top), (self.left, self.bottom), AXIS);
        if !label.is_empty() {
            self.svg.upward_text((MARGIN + FONT_SIZE * 0.7, (self.top + self.bottom) / 2.0), label);
        }
    }

    fn draw_x(&mut self, grid: bool, label: &str) {
        let mut free_from = f64::NEG_INFINITY;
        for (value, name) in self.x.ticks.clone() {
            let x = self.x(value);
            if grid {
                self.svg.line((x, self.top), (x, self.bottom), GRID);
            }
            self.svg.line((x, self.bottom), (x, self.bottom + 4.0), AXIS);
            // A name that would run into the one before it is left out; its mark stays.
            let half = text_width(&name, FONT_SIZE) / 2.0;
            if x - half >= free_from {
                self.svg.text((x, self.bottom + FONT_SIZE + 6.0), Anchor::Middle, "", &name);
                free_from = x + half + 6.0;
            }
        }
        self.svg.line((self.left, self.bottom), (self.right, self.bottom), AXIS);
        let middle = (self.left + self.right) / 2.0;
        self.svg.text((middle, self.bottom + 2.0 * FONT_SIZE + 14.0), Anchor::Middle, "", label);
    }
}

/// Draws the names of the series, as many a line as fit, and returns where the legend ends.
fn draw_legend(svg: &mut Svg, names: &[&str], top: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, top);
    for (series, name) in names.iter().enumerate() {
        let name = shorten(name, LONGEST_NAME);
        let width = 18.0 + text_width(&name, FONT_SIZE) + 14.0;
        if x > MARGIN && x + width > Frame::WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        theme::mark(svg, series, (x + 6.0, y + 7.0), 5.0);
        svg.text((x + 18.0, y + 7.0 + FONT_SIZE * 0.35), Anchor::Start, "", &name);
        x += width;
    }
    if names.is_empty() { y } else { y + LEGEND_LINE }
}
