//! A tree as one file for a browser: the page of trees with everything it needs inside, and nothing loaded from elsewhere.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use pegwise_solve::tree::{
    TreeFile,
    formats::{self, ExportError, Format},
};
use serde_json::Value;

use crate::{api, assets, limits::Limits};

const PAGE: &str = include_str!("../tree/page.html");
const MAIN: &str = include_str!("../tree/main.js");
const ANSWERS: &str = include_str!("../tree/answers.js");

/// Where the main module would be, and the modules in whose place the tree answers.
const MAIN_PATH: &str = "js/tree.js";
const ENGINES: [&str; 2] = ["js/engine/http.js", "js/engine/workers.js"];

/// Writes a tree as a page that asks what the answer was, and walks.
///
/// # Errors
/// When it cannot be written.
pub fn tree_page(file: &TreeFile, out: &mut impl Write) -> Result<(), Box<ExportError>> {
    // Text, a name, text, a name, …
    for (at, part) in PAGE.split('%').enumerate() {
        if at % 2 == 0 {
            out.write_all(part.as_bytes()).map_err(written)?;
        } else {
            fill_in(part, file, out)?;
        }
    }
    Ok(())
}

fn fill_in(name: &str, file: &TreeFile, out: &mut impl Write) -> Result<(), Box<ExportError>> {
    let mut safe = Safe(out);
    match name {
        "title" => {
            let title = format!("{} by {}", file.tree.rules, file.made_by);
            safe.0.write_all(escaped(&title).as_bytes()).map_err(written)?;
        }
        "style" => {
            for path in ["css/base.css", "css/board.css", "css/pages.css"] {
                safe.0.write_all(assets::text(path).as_bytes()).map_err(written)?;
            }
        }
        "rules" => write!(safe, "{}", described(file)).map_err(written)?,
        "tree" => formats::export(file, Format::Json, &mut safe).map_err(Box::new)?,
        _ => serde_json::to_writer(safe, &modules()).map_err(|error| written(error.into()))?,
    }
    Ok(())
}

fn written(error: io::Error) -> Box<ExportError> {
    Box::new(error.into())
}

/// What the page knows of the rules.
fn described(file: &TreeFile) -> Value {
    let question = serde_json::json!({ "rules": file.tree.rules }).to_string();
    let limits = Limits { cells: usize::MAX, colors: u16::MAX, ..Limits::default() };
    api::answer("rules", &question, &limits, |_| ())["answer"].take()
}

/// The main module and all that it imports, by their paths.
fn modules() -> BTreeMap<String, &'static str> {
    let mut modules = BTreeMap::new();
    let mut open = vec![MAIN_PATH.to_owned()];
    while let Some(path) = open.pop() {
        if modules.contains_key(&path) {
            continue;
        }
        let source = match path.as_str() {
            MAIN_PATH => MAIN,
            path if ENGINES.contains(&path) => ANSWERS,
            path => assets::text(path),
        };
        open.extend(imported(source).map(|to| resolved(&path, to)));
        modules.insert(path, source);
    }
    modules
}

/// What a module imports, as it is written there.
fn imported(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .filter_map(|line| line.split_once("from \".").and_then(|(_, rest)| rest.split_once('"')).map(|(to, _)| to))
}

/// A path that is written in a module, after its first point.
fn resolved(from: &str, to: &str) -> String {
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    // `./x` and `../x`; the first point is cut off.
    let to = match to.strip_prefix("./") {
        Some(above) => {
            folders.pop();
            above
        }
        None => to.trim_start_matches('/'),
    };
    for part in to.split('/') {
        if part == ".." {
            folders.pop();
        } else {
            folders.push(part);
        }
    }
    folders.join("/")
}

/// Writes JSON that stands in a page: nothing in it ends the element around it.
struct Safe<W>(W);

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (number, part) in bytes.split(|&byte| byte == b'<').enumerate() {
            if number > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use pegwise_solve::tree;

    use super::*;

    #[test]
    fn every_module_is_there_and_the_engine_is_the_tree() {
        let modules = modules();
        assert!(modules.contains_key("js/pages/trees.js") && modules.contains_key("js/board/pegs.js"));
        assert!(ENGINES.iter().all(|path| modules[*path] == ANSWERS));
        assert!(!modules.contains_key("js/pages/play.js"), "what is not imported is left out");
    }

    #[test]
    fn what_a_tree_is_called_ends_no_element() {
        let shipped = tree::shipped(&"4x6".parse().unwrap()).unwrap();
        let file = TreeFile { made_by: "</script><b>".to_owned(), ..shipped.clone() };
        let mut page = Vec::new();
        tree_page(&file, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<title>4x6 by &lt;/script&gt;&lt;b&gt;</title>"));
        assert!(!page.contains("</script><b>"));
        // Nothing is loaded from elsewhere.
        let elsewhere = ["src=", "href=\"http", "url(http", "@import", "<link"];
        assert!(elsewhere.iter().all(|word| !page.contains(word)), "{elsewhere:?}");
        assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    }

    #[test]
    fn paths_are_resolved() {
        assert_eq!(resolved("js/pages/trees.js", "./board/draw.js"), "js/board/draw.js");
        assert_eq!(resolved("js/engine.js", "/engine/http.js"), "js/engine/http.js");
        assert_eq!(resolved("js/a/b.js", "/c.js"), "js/a/c.js");
    }
}
