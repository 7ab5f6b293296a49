//! Writing SVG.

use super::theme;
use std::fmt::Write;

/// Where a text stands against its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture being drawn. Lengths are in pixels, y grows downward.
#[derive(Debug)]
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    pub(crate) fn new() -> Self {
        Self { body: String::new() }
    }

    /// The finished picture: it scales with its page, names itself to screen readers, and follows a dark page.
    pub(crate) fn finish(self, title: &str, width: f64, height: f64) -> String {
        let (name, style, body) = (escape(title), theme::STYLE, self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{name}\" font-family=\"{}\" font-size=\"{}\">\n\
             <title>{name}</title>\n<style>{style}</style>\n\
             <rect class=\"pw-page\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{}\"/>\n{body}</svg>\n",
            theme::FONT,
            theme::FONT_SIZE,
            theme::PAGE,
        )
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), look: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.push(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {look}/>"));
    }

    /// A box between two corners, given in any order.
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

    /// A text on a line through the point, in the color of text.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, look: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (text, ink) = (escape(text), theme::INK);
        self.push(format_args!(
            "<text class=\"pw-ink\" fill=\"{ink}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {look}>{text}</text>"
        ));
    }

    /// A text that reads upward, centered on the point.
    pub(crate) fn upward_text(&mut self, (x, y): (f64, f64), text: &str) {
        self.text((x, y), Anchor::Middle, &format!("transform=\"rotate(-90 {x:.1} {y:.1})\""), text);
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("a string takes any text");
    }
}

fn corners(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// A text as it may stand inside an element or a quoted attribute. Characters that XML forbids become blanks.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// About how wide a text is at a font size: browsers pick the font, so this errs to the wide side.
pub(crate) fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().count() as f64 * font_size * 0.6
}

/// A text of at most so many characters, with its end left out if need be.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        let mut svg = Svg::new();
        svg.text((1.0, 2.0), Anchor::Start, "", "</text><script>&\"'\u{0}");
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
