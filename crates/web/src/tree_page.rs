//! A tree as a single HTML file, without external resources.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use crate::{api, assets};
use pegwise_solve::tree::{
    TreeFile,
    formats::{self, ExportError, Format},
};

const PAGE: &str = include_str!("../tree/page.html");
const MAIN: &str = include_str!("../tree/main.js");
const ANSWERS: &str = include_str!("../tree/answers.js");

/// Path of the main module.
const MAIN_PATH: &str = "js/tree.js";
/// Engine module that the tree replaces.
const ENGINE: &str = "js/engine/http.js";

/// Writes a tree as an interactive HTML page.
///
/// # Errors
/// Returns an error if writing fails.
pub fn tree_page(file: &TreeFile, out: &mut impl Write) -> Result<(), Box<ExportError>> {
    // Text and placeholders alternate.
    for (at, part) in PAGE.split('%').enumerate() {
        if at % 2 == 0 {
            out.write_all(part.as_bytes()).map_err(write_error)?;
        } else {
            write_placeholder(part, file, out)?;
        }
    }
    Ok(())
}

fn write_placeholder(name: &str, file: &TreeFile, out: &mut impl Write) -> Result<(), Box<ExportError>> {
    let mut escaped = ScriptEscaper(out);
    match name {
        "title" => {
            let title = format!("{} by {}", file.tree.rules, file.made_by);
            escaped.0.write_all(escape_html(&title).as_bytes()).map_err(write_error)?;
        }
        "style" => {
            for path in ["css/base.css", "css/board.css", "css/pages.css"] {
                escaped.0.write_all(assets::text(path).as_bytes()).map_err(write_error)?;
            }
        }
        "rules" => serde_json::to_writer(escaped, &api::describe(&file.tree.rules))
            .map_err(|error| write_error(error.into()))?,
        "tree" => formats::export(file, Format::Json, &mut escaped).map_err(Box::new)?,
        _ => serde_json::to_writer(escaped, &modules()).map_err(|error| write_error(error.into()))?,
    }
    Ok(())
}

fn write_error(error: io::Error) -> Box<ExportError> {
    Box::new(error.into())
}

/// Returns the main module and all modules that it imports, by path.
fn modules() -> BTreeMap<String, &'static str> {
    let mut modules = BTreeMap::new();
    let mut open = vec![MAIN_PATH.to_owned()];
    while let Some(path) = open.pop() {
        if modules.contains_key(&path) {
            continue;
        }
        let source = match path.as_str() {
            MAIN_PATH => MAIN,
            ENGINE => ANSWERS,
            path => assets::text(path),
        };
        open.extend(imports(source).map(|to| resolve(&path, to)));
        modules.insert(path, source);
    }
    modules
}

/// Returns the relative import paths of a module, without their first dot.
fn imports(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .filter_map(|line| line.split_once("from \".").and_then(|(_, rest)| rest.split_once('"')).map(|(to, _)| to))
}

/// Resolves an import path, without its first dot, relative to the module `from`.
fn resolve(from: &str, to: &str) -> String {
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    // `/x` was `./x`, and `./x` was `../x`.
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

/// Writer that escapes `<` in JSON, so that no text ends the enclosing script element.
struct ScriptEscaper<W>(W);

impl<W: Write> Write for ScriptEscaper<W> {
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

fn escape_html(text: &str) -> String {
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
        assert_eq!(modules[ENGINE], ANSWERS);
        assert!(!modules.contains_key("js/pages/play.js"), "only imported modules are included");
    }

    #[test]
    fn titles_are_escaped() {
        let shipped = tree::shipped(&"4x6".parse().unwrap()).unwrap();
        let file = TreeFile { made_by: "</script><b>".to_owned(), ..shipped.clone() };
        let mut page = Vec::new();
        tree_page(&file, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<title>4x6 by &lt;/script&gt;&lt;b&gt;</title>"));
        assert!(!page.contains("</script><b>"));
        // No external resources.
        let elsewhere = ["src=", "href=\"http", "url(http", "@import", "<link"];
        assert!(elsewhere.iter().all(|word| !page.contains(word)), "{elsewhere:?}");
        assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    }

    #[test]
    fn paths_are_resolve() {
        assert_eq!(resolve("js/pages/trees.js", "./board/draw.js"), "js/board/draw.js");
        assert_eq!(resolve("js/engine.js", "/engine/http.js"), "js/engine/http.js");
        assert_eq!(resolve("js/a/b.js", "/c.js"), "js/a/c.js");
    }
}
