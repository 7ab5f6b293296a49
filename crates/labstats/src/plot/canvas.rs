//! The canvas of a plot: SVG elements, colors and marks, and the frame of title, legend, axes and grid.
//!
//! Each element has its color for a light page, and a class that the style sheet recolors for a dark page. A program
//! without support for style sheets or dark pages still draws the light picture.

use std::fmt::Write;

use super::axis::FittedAxis;

/// An SVG image under construction. Lengths are in pixels; y grows downward.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    /// Returns the finished image. It scales, has an accessible title, and adapts to dark pages.
    pub(crate) fn finish(self, title: &str, width: f64, height: f64) -> String {
        let (name, style, body) = (escape(title), STYLE, self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{name}\" font-family=\"{FONT}\" font-size=\"{FONT_SIZE}\">\n\
             <title>{name}</title>\n<style>{style}</style>\n\
             <rect class=\"pw-page\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{PAGE}\"/>\n{body}</svg>\n",
        )
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), look: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.push(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {look}/>"));
    }

    /// Draws a rectangle between two opposite corners.
    pub(crate) fn rect(&mut self, corner: (f64, f64), opposite: (f64, f64), look: &str) {
        let (x, y) = (corner.0.min(opposite.0), corner.1.min(opposite.1));
        let (width, height) = ((corner.0 - opposite.0).abs(), (corner.1 - opposite.1).abs());
        self.push(format_args!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>"));
    }

    pub(crate) fn polyline(&mut self, points: impl IntoIterator<Item = (f64, f64)>, look: &str) {
        let points = corners(points);
        self.push(format_args!("<polyline points=\"{points}\" fill=\"none\" {look}/>"));
    }

    pub(crate) fn polygon(&mut self, points: impl IntoIterator<Item = (f64, f64)>, look: &str) {
        let points = corners(points);
        self.push(format_args!("<polygon points=\"{points}\" {look}/>"));
    }

    pub(crate) fn circle(&mut self, (x, y): (f64, f64), radius: f64, look: &str) {
        self.push(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {look}/>"));
    }

    /// Draws a text with its baseline at y, in the text color. `anchor` is start, middle or end.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: &str, look: &str, text: &str) {
        let (text, ink) = (escape(text), INK);
        self.push(format_args!(
            "<text class=\"pw-ink\" fill=\"{ink}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {look}>{text}</text>"
        ));
    }

    /// Draws the title of the image.
    pub(crate) fn title(&mut self, text: &str) {
        let look = format!("font-size=\"{TITLE_SIZE}\" font-weight=\"600\"");
        self.text((MARGIN, MARGIN + TITLE_SIZE - 2.0), "start", &look, text);
    }

    /// Draws labels centered at each x, from left to right, and omits those that would overlap the previous one.
    pub(crate) fn tick_labels<'a>(&mut self, labels: impl Iterator<Item = (f64, &'a str)>, y: f64) {
        let mut free_from = f64::NEG_INFINITY;
        for (x, label) in labels {
            let half = text_width(label, FONT_SIZE) / 2.0;
            if x - half >= free_from {
                self.text((x, y), "middle", "", label);
                free_from = x + half + 6.0;
            }
        }
    }

    /// Draws a text that reads upward, centered at the point.
    pub(crate) fn upward_text(&mut self, (x, y): (f64, f64), text: &str) {
        self.text((x, y), "middle", &format!("transform=\"rotate(-90 {x:.1} {y:.1})\""), text);
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("a string takes any text");
    }
}

fn corners(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// Escapes a text: characters of `backslashed` get a backslash, `word` replaces others, and control characters become
/// spaces.
pub(crate) fn escaped(text: &str, backslashed: &str, word: impl Fn(char) -> Option<&'static str>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match word(character) {
            Some(word) => escaped.push_str(word),
            None if backslashed.contains(character) => escaped.extend(['\\', character]),
            None if character.is_control() => escaped.push(' '),
            None => escaped.push(character),
        }
    }
    escaped
}

/// Escapes a text for an element or a quoted attribute. Characters that XML forbids become spaces.
pub(crate) fn escape(text: &str) -> String {
    escaped(text, "", |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        '\u{fffe}' | '\u{ffff}' => Some(" "),
        _ => None,
    })
}

/// Estimates the width of a text. The font is chosen by the browser, so the estimate is generous.
pub(crate) fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().count() as f64 * font_size * 0.6
}

/// Truncates a text to `max_chars` characters, ending in an ellipsis.
pub(crate) fn shorten(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars - 1).chain(['…']).collect()
}

pub(crate) const FONT: &str = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
pub(crate) const FONT_SIZE: f64 = 13.0;
pub(crate) const TITLE_SIZE: f64 = 15.0;

pub(crate) const PAGE: &str = "#ffffff";
pub(crate) const INK: &str = "#24292f";

/// Attributes of a grid line.
pub(crate) const GRID: &str = "class=\"pw-grid\" stroke=\"#e3e6ea\"";
/// Attributes of an axis line.
pub(crate) const AXIS: &str = "class=\"pw-axis\" stroke=\"#8b949e\"";
/// Attributes of a mark that contrasts with a bar of its own color.
pub(crate) const CONTRAST: &str = "class=\"pw-page pw-rim\" fill=\"#ffffff\" stroke=\"#24292f\" stroke-width=\"1.5\"";

pub(crate) const STYLE: &str = "@media (prefers-color-scheme: dark) { .pw-page { fill: #161b22 } .pw-ink { fill: #e6edf3 } \
     .pw-grid { stroke: #30363d } .pw-axis { stroke: #768390 } .pw-rim { stroke: #e6edf3 } }";

/// Colors of the series: safe for red-green color blindness, legible on white and on near black.
const SERIES: [&str; 8] = ["#3a7fd5", "#e07a1f", "#2a9d70", "#c2477f", "#8a63d2", "#a38400", "#2a9fb8", "#9a6a52"];

pub(crate) fn color(series: usize) -> &'static str {
    SERIES[series % SERIES.len()]
}

/// Returns the dash attribute of a series. Series that share a color differ in it.
pub(crate) fn dash(series: usize) -> &'static str {
    match series / SERIES.len() % 3 {
        0 => "",
        1 => "stroke-dasharray=\"7 4\"",
        _ => "stroke-dasharray=\"2 3\"",
    }
}

/// Draws the mark of a series. Consecutive series differ in shape and color.
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

pub(crate) const MARGIN: f64 = 16.0;
const LEGEND_LINE: f64 = 20.0;
/// Maximum length of a name before truncation.
const MAX_NAME_CHARS: usize = 44;

/// A plot under construction: an image with axes that map values to pixels.
#[derive(Debug)]
pub(crate) struct PlotFrame {
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

/// Parameters of a [`PlotFrame`].
#[derive(Debug)]
pub(crate) struct PlotLayout<'a> {
    pub(crate) title: &'a str,
    /// Names of the series in the legend; empty for no legend.
    pub(crate) legend: &'a [&'a str],
    pub(crate) x: FittedAxis,
    pub(crate) x_label: &'a str,
    pub(crate) y: FittedAxis,
    pub(crate) y_label: &'a str,
    /// Height of the plot area.
    pub(crate) field: f64,
    /// Draw horizontal grid lines.
    pub(crate) y_grid: bool,
    /// Draw vertical grid lines.
    pub(crate) x_grid: bool,
}

impl PlotFrame {
    pub(crate) const WIDTH: f64 = 760.0;
    pub(crate) const FIELD: f64 = 320.0;

    pub(crate) fn new(layout: PlotLayout<'_>) -> Self {
        let PlotLayout { title, legend, x, x_label, y, y_label, field, y_grid, x_grid } = layout;
        let mut svg = Svg::default();
        let widest = y.ticks.iter().map(|(_, label)| text_width(&shorten(label, MAX_NAME_CHARS), FONT_SIZE));
        let widest = widest.fold(0.0, f64::max);
        let y_label_room = if y_label.is_empty() { 0.0 } else { FONT_SIZE + 10.0 };
        let left = MARGIN + y_label_room + widest + 8.0;
        let right = Self::WIDTH - MARGIN - 8.0;
        svg.title(&shorten(title, ((Self::WIDTH - 2.0 * MARGIN) / (TITLE_SIZE * 0.6)) as usize));
        let top = draw_legend(&mut svg, legend, MARGIN + TITLE_SIZE + 10.0) + 10.0;
        let bottom = top + field;
        let height = bottom + 2.0 * FONT_SIZE + 12.0 + MARGIN;
        let mut frame =
            Self { svg, title: title.to_owned(), width: Self::WIDTH, height, left, right, top, bottom, x, y };
        frame.draw_y(y_grid, y_label);
        frame.draw_x(x_grid, x_label);
        frame
    }

    /// Returns the pixel column of a value of x.
    pub(crate) fn x(&self, value: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.position_of(value)
    }

    /// Returns the pixel row of a value of y.
    pub(crate) fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.y.position_of(value)
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
            let name = shorten(&name, MAX_NAME_CHARS);
            self.svg.text((self.left - 8.0, y + FONT_SIZE * 0.35), "end", "", &name);
        }
        self.svg.line((self.left, self.top), (self.left, self.bottom), AXIS);
        if !label.is_empty() {
            self.svg.upward_text((MARGIN + FONT_SIZE * 0.7, (self.top + self.bottom) / 2.0), label);
        }
    }

    fn draw_x(&mut self, grid: bool, label: &str) {
        let ticks: Vec<(f64, String)> =
            self.x.ticks.iter().map(|(value, name)| (self.x(*value), name.clone())).collect();
        for &(x, _) in &ticks {
            if grid {
                self.svg.line((x, self.top), (x, self.bottom), GRID);
            }
            self.svg.line((x, self.bottom), (x, self.bottom + 4.0), AXIS);
        }
        self.svg.tick_labels(ticks.iter().map(|(x, name)| (*x, name.as_str())), self.bottom + FONT_SIZE + 6.0);
        self.svg.line((self.left, self.bottom), (self.right, self.bottom), AXIS);
        let middle = (self.left + self.right) / 2.0;
        self.svg.text((middle, self.bottom + 2.0 * FONT_SIZE + 14.0), "middle", "", label);
    }
}

/// Draws the legend, wrapped into lines, and returns the y coordinate of its lower end.
fn draw_legend(svg: &mut Svg, names: &[&str], top: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, top);
    for (series, name) in names.iter().enumerate() {
        let name = shorten(name, MAX_NAME_CHARS);
        let width = 18.0 + text_width(&name, FONT_SIZE) + 14.0;
        if x > MARGIN && x + width > PlotFrame::WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        mark(svg, series, (x + 6.0, y + 7.0), 5.0);
        svg.text((x + 18.0, y + 7.0 + FONT_SIZE * 0.35), "start", "", &name);
        x += width;
    }
    if names.is_empty() { y } else { y + LEGEND_LINE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        let mut svg = Svg::default();
        svg.text((1.0, 2.0), "start", "", "</text><script>&\"'\u{0}");
        let picture = svg.finish("a \"<title>\"", 100.0, 50.0);
        assert!(!picture.contains("<script>") && !picture.contains('\u{0}'));
        assert!(picture.contains("aria-label=\"a &quot;&lt;title&gt;&quot;\""));
        assert!(picture.contains("&lt;/text&gt;&lt;script&gt;&amp;&quot;&#39; <"));
    }

    #[test]
    fn shortened_texts_fit() {
        assert_eq!(shorten("entropy", 7), "entropy");
        assert_eq!(shorten("entropy(bonus=0)", 7), "entrop…");
    }
}
