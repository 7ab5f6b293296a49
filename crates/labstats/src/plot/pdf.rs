//! Conversion of plots to single-page vector PDF files.
//!
//! Only the SVG elements that this crate writes are supported. The font is Helvetica, which every PDF reader has.
//! Transparency is replaced by mixing with white.

use std::fmt::Write;

use super::canvas::{FONT_SIZE, text_width};

/// Converts a plot to a PDF file of `width` millimeters. With a `height`, the plot is scaled to fit and centered. Returns
/// `None` if `svg` is not a plot of this crate.
///
/// ```
/// use pegwise_labstats::plot::{Axis, HistogramPlot, Series, pdf};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0])];
/// let svg = HistogramPlot { title: "Guesses".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(pdf(&svg, 120.0, None).expect("a plot").starts_with(b"%PDF-1.4"));
/// assert_eq!(pdf("<html>", 120.0, None), None);
/// ```
pub fn pdf(svg: &str, width: f64, height: Option<f64>) -> Option<Vec<u8>> {
    /// PDF points per millimeter.
    const POINT: f64 = 72.0 / 25.4;
    let mut elements = SvgElements { rest: svg }.peekable();
    let root = elements.next_if(|element| element.name == "svg")?;
    let (own_width, own_height) = (root.number("width")?, root.number("height")?);
    let (width, height) = (width * POINT, height.map(|height| height * POINT));
    let scale = height.map_or(width / own_width, |height| (width / own_width).min(height / own_height));
    let height = height.unwrap_or(own_height * scale);
    let (left, top) = ((width - own_width * scale) / 2.0, (height + own_height * scale) / 2.0);
    // From here on, coordinates are those of the SVG, whose y grows downward.
    let mut page = format!("{scale:.5} 0 0 {:.5} {left:.3} {top:.3} cm\n", -scale);
    for element in elements {
        draw(&mut page, &element);
    }
    Some(file(&page, width, height))
}

/// An element with its attributes and its text.
struct SvgElement<'a> {
    name: &'a str,
    attributes: &'a str,
    text: &'a str,
}

/// Iterator over the elements of an SVG.
struct SvgElements<'a> {
    rest: &'a str,
}

impl<'a> Iterator for SvgElements<'a> {
    type Item = SvgElement<'a>;

    fn next(&mut self) -> Option<SvgElement<'a>> {
        let (_, after) = self.rest.split_once('<')?;
        // `>` is escaped in attributes.
        let (tag, rest) = after.split_once('>')?;
        self.rest = rest;
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let text = rest.split_once('<').map_or("", |(text, _)| text);
        Some(SvgElement { name, attributes, text })
    }
}

impl<'a> SvgElement<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let place = self.attributes.match_indices(name).find(|(place, _)| {
            let alone = *place == 0 || self.attributes.as_bytes()[place - 1] == b' ';
            alone && self.attributes[place + name.len()..].starts_with("=\"")
        })?;
        self.attributes[place.0 + name.len() + 2..].split('"').next()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.attribute(name)?.parse().ok()
    }

    /// Returns a color with components from 0 to 1, mixed with white according to its opacity.
    fn color(&self, name: &str) -> Option<[f64; 3]> {
        let digits = self.attribute(name)?.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let part =
            |place: usize| u8::from_str_radix(&digits[place..place + 2], 16).ok().map(|part| f64::from(part) / 255.0);
        let opacity = self.number(&format!("{name}-opacity")).unwrap_or(1.0);
        let mixed = |part: f64| part * opacity + 1.0 - opacity;
        Some([mixed(part(0)?), mixed(part(2)?), mixed(part(4)?)])
    }

    fn points(&self) -> Vec<(f64, f64)> {
        let points = self.attribute("points").unwrap_or_default().split(' ');
        let pair = |(x, y): (&str, &str)| Some((x.parse().ok()?, y.parse().ok()?));
        points.filter_map(|point| pair(point.split_once(',')?)).collect()
    }
}

/// Draws one element. Elements without a graphical meaning are skipped.
fn draw(page: &mut String, element: &SvgElement<'_>) {
    let mut path = String::new();
    let number = |name: &str| element.number(name).unwrap_or(0.0);
    let numbers = |names: [&str; 4]| names.map(|name| element.number(name).unwrap_or(0.0));
    match element.name {
        "line" => {
            let [x1, y1, x2, y2] = numbers(["x1", "y1", "x2", "y2"]);
            push(&mut path, format_args!("{x1} {y1} m {x2} {y2} l"));
        }
        "rect" => {
            let [x, y, width, height] = numbers(["x", "y", "width", "height"]);
            push(&mut path, format_args!("{x} {y} {width} {height} re"));
        }
        "circle" => circle(&mut path, number("cx"), number("cy"), number("r")),
        "polyline" | "polygon" => {
            for (place, (x, y)) in element.points().into_iter().enumerate() {
                push(&mut path, format_args!("{x} {y} {}", if place == 0 { "m" } else { "l" }));
            }
            if element.name == "polygon" {
                path.push_str("h\n");
            }
        }
        "text" => return letters(page, element),
        _ => return,
    }
    let (fill, stroke) = (element.color("fill").filter(|_| element.name != "line"), element.color("stroke"));
    let operator = match (fill, stroke) {
        (Some(_), Some(_)) => "B",
        (Some(_), None) => "f",
        (None, Some(_)) => "S",
        (None, None) => return,
    };
    page.push_str("q\n");
    if let Some([red, green, blue]) = fill {
        push(page, format_args!("{red:.3} {green:.3} {blue:.3} rg"));
    }
    if let Some([red, green, blue]) = stroke {
        let width = element.number("stroke-width").unwrap_or(1.0);
        push(page, format_args!("{red:.3} {green:.3} {blue:.3} RG {width} w"));
    }
    if let Some(dashes) = element.attribute("stroke-dasharray") {
        push(page, format_args!("[{dashes}] 0 d"));
    }
    push(page, format_args!("{path}{operator}\nQ"));
}

/// Appends a circle as four Bézier curves.
fn circle(path: &mut String, x: f64, y: f64, r: f64) {
    /// Distance of the control points of a quarter circle, for radius one.
    const HANDLE: f64 = 0.552_285;
    let h = r * HANDLE;
    push(path, format_args!("{} {y} m", x + r));
    for [dx, dy, ex, ey, fx, fy] in
        [[r, h, h, r, 0.0, r], [-h, r, -r, h, -r, 0.0], [-r, -h, -h, -r, 0.0, -r], [h, -r, r, -h, r, 0.0]]
    {
        let [(x1, y1), (x2, y2), (x3, y3)] = [(dx, dy), (ex, ey), (fx, fy)].map(|(dx, dy)| (x + dx, y + dy));
        push(path, format_args!("{x1:.3} {y1:.3} {x2:.3} {y2:.3} {x3:.3} {y3:.3} c"));
    }
}

fn letters(page: &mut String, element: &SvgElement<'_>) {
    let (x, y) = (element.number("x").unwrap_or(0.0), element.number("y").unwrap_or(0.0));
    let size = element.number("font-size").unwrap_or(FONT_SIZE);
    let text = unescaped(element.text);
    // Helvetica is narrower than the estimate for browser fonts.
    const HELVETICA: f64 = 0.5 / 0.6;
    let back = match element.attribute("text-anchor") {
        Some("middle") => 0.5,
        Some("end") => 1.0,
        _ => 0.0,
    } * text_width(&text, size)
        * HELVETICA;
    let font = if element.attribute("font-weight").is_some() { "F2" } else { "F1" };
    let [red, green, blue] = element.color("fill").unwrap_or([0.0; 3]);
    let upward = element.attribute("transform").is_some_and(|transform| transform.starts_with("rotate(-90"));
    // The y axis is flipped, so the text matrix flips it back.
    let matrix = match upward {
        true => format!("0 -1 -1 0 {x:.2} {:.2}", y + back),
        false => format!("1 0 0 -1 {:.2} {y:.2}", x - back),
    };
    push(
        page,
        format_args!("BT {red:.3} {green:.3} {blue:.3} rg /{font} {size} Tf {matrix} Tm ({}) Tj ET", encoded(&text)),
    );
}

fn unescaped(text: &str) -> String {
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign))
}

/// Encodes a text as WinAnsi (Windows-1252) for a PDF string; other characters become question marks.
fn encoded(text: &str) -> String {
    let mut bytes = String::new();
    for character in text.chars() {
        match character {
            '(' | ')' | '\\' => bytes.extend(['\\', character]),
            ' '..='~' => bytes.push(character),
            '…' => bytes.push_str("\\205"),
            '–' => bytes.push_str("\\226"),
            '\u{a0}'..='\u{ff}' => bytes += &format!("\\{:03o}", character as u32),
            _ => bytes.push('?'),
        }
    }
    bytes
}

/// Assembles the file: objects, cross-reference table and trailer.
fn file(page: &str, width: f64, height: f64) -> Vec<u8> {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2} {height:.2}] /Contents 4 0 R \
             /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{page}endstream", page.len()),
        font("Helvetica"),
        font("Helvetica-Bold"),
    ];
    let mut text = String::from("%PDF-1.4\n");
    let mut begins = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        begins.push(text.len());
        push(&mut text, format_args!("{number} 0 obj\n{object}\nendobj"));
    }
    let table = text.len();
    push(&mut text, format_args!("xref\n0 {}\n0000000000 65535 f ", objects.len() + 1));
    for begin in begins {
        push(&mut text, format_args!("{begin:010} 00000 n "));
    }
    push(&mut text, format_args!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF", objects.len() + 1));
    text.into_bytes()
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, BoxPlot, Series};

    fn plot() -> String {
        let series = vec![Series::new("knuth (a|b)", [4.0, 5.0, 4.0, 7.0]), Series::new("±", [5.0, 5.0])];
        BoxPlot { title: "Guesses".into(), axis: Axis::new("guesses"), series }.svg()
    }

    fn text(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn objects_begin_where_the_table_says() {
        let file = text(&pdf(&plot(), 100.0, None).unwrap());
        let table: usize = file.split("startxref\n").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        assert!(file[table..].starts_with("xref\n0 7\n"));
        for (number, line) in (1..).zip(file[table..].lines().skip(3).take(6)) {
            let begin: usize = line[..10].parse().unwrap();
            assert!(file[begin..].starts_with(&format!("{number} 0 obj\n")), "{line}");
        }
        let length: usize = file.split("/Length ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let (_, stream) = file.split_once("stream\n").unwrap();
        assert_eq!(stream.find("endstream"), Some(length));
    }

    #[test]
    fn every_element_is_drawn() {
        let svg = plot();
        let file = text(&pdf(&svg, 100.0, None).unwrap());
        assert_eq!(file.matches(" Tj ET").count(), svg.matches("<text ").count());
        let drawn = ["<line ", "<rect ", "<polygon ", "<polyline ", "<circle "].map(|tag| svg.matches(tag).count());
        assert_eq!(file.lines().filter(|line| ["B", "f", "S"].contains(line)).count(), drawn.iter().sum::<usize>());
        assert!(file.contains("(knuth \\(a|b\\)) Tj") && file.contains("(\\261) Tj"), "{file}");
    }

    #[test]
    fn the_page_is_as_large_as_asked_for() {
        let page = |height| {
            let file = text(&pdf(&plot(), 127.0, height).unwrap());
            file.split("/MediaBox [0 0 ").nth(1).unwrap().split(']').next().unwrap().to_owned()
        };
        assert!(page(None).starts_with("360.00 "));
        assert_eq!(page(Some(25.4)), "360.00 72.00");
    }
}
