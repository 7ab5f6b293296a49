//! Rules on the command line, where a board's lines may also be in a file: `lines:@star.txtx6`.
//!
//! The file has a line of cells on each line, one-based and parted by spaces, commas or dots; whatever follows a `#` is a
//! comment.

use std::path::Path;

use pegwise_game::Rules;

use crate::text_file;

/// Reads rules.
pub(crate) fn parse(text: &str) -> Result<Rules, String> {
    let Some(rest) = text.trim().strip_prefix("lines:@") else {
        return text.parse().map_err(|error: pegwise_game::RulesError| error.to_string());
    };
    let (size, options) = rest.split_once(':').map_or((rest, None), |(size, options)| (size, Some(options)));
    let (path, colors) = size
        .rsplit_once('x')
        .filter(|(path, colors)| !path.is_empty() && colors.parse::<u64>().is_ok())
        .ok_or("write the file and the colors, as in lines:@star.txtx6")?;
    let text = text_file::read(Path::new(path)).map_err(|error| format!("{error:#}"))?;
    let lines = lines(&text).map_err(|(line, problem)| format!("{path}:{line}: {problem}"))?;
    let notation = format!("lines:{}x{colors}", lines.join("/"));
    let options = options.map(|options| format!(":{options}")).unwrap_or_default();
    format!("{notation}{options}").parse().map_err(|error: pegwise_game::RulesError| format!("{path}: {error}"))
}

/// The lines of a file, each in the notation of rules; an error comes with its line.
fn lines(text: &str) -> Result<Vec<String>, (usize, String)> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.trim_end().lines()) {
        let cells = line.split('#').next().unwrap_or_default();
        if cells.trim().is_empty() && line.contains('#') {
            continue;
        }
        let mut line = Vec::new();
        for cell in cells.split(|char: char| char.is_whitespace() || matches!(char, ',' | '.')) {
            if cell.is_empty() {
                continue;
            }
            match cell.parse::<usize>() {
                Ok(cell) if (1..=pegwise_game::MAX_CELLS).contains(&cell) && !line.contains(&cell) => line.push(cell),
                Ok(cell) if line.contains(&cell) => return Err((number, format!("cell {cell} is there twice"))),
                _ => {
                    let shown: String = cell.chars().take(20).collect();
                    let most = pegwise_game::MAX_CELLS;
                    return Err((number, format!("'{shown}' is not a cell: cells are numbers from 1 to {most}")));
                }
            }
        }
        if line.is_empty() {
            return Err((number, "the line is empty: write its cells, as in 1 2 3".to_owned()));
        }
        lines.push(line.iter().map(usize::to_string).collect::<Vec<_>>().join("."));
    }
    if lines.is_empty() { Err((1, "there is no line of cells; write one, as in 1 2 3".to_owned())) } else { Ok(lines) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_say_what_the_notation_says() {
        let joined = |text: &str| lines(text).map(|lines| lines.join("/"));
        assert_eq!(joined("# a star\n1 2 3\n3,4.5 # and back\n\n").as_deref(), Ok("1.2.3/3.4.5"));
        for (text, line) in [("", 1), ("1 2\n\n3\n", 2), ("1 2\n0 1\n", 2), ("1\n2 4097\n", 2), ("1 1", 1), ("1 x", 1)]
        {
            assert_eq!(lines(text).map_err(|(line, _)| line), Err(line), "{text:?}");
        }
    }
}
