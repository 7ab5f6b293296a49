//! Commands in the documents run as printed, and tables agree with the results. A comment `<!-- crates/lab/results/documents/NAME.csv -->` before a
//! table names its file; the rows of both must be the same.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Run, TestFolder, finish};

const FOLDER: &str = "crates/lab/results/documents";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the numbers of a cell such as `5.464 (5.420 to 5.508)`, each with half a unit of its last digit.
fn numbers(cell: &str) -> Vec<(f64, f64)> {
    let words = cell.split(|character: char| !(character.is_ascii_digit() || character == '.'));
    let number = |word: &str| {
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Some((word.parse().ok()?, 0.5001 * 10f64.powi(-(decimals as i32))))
    };
    words.filter_map(number).collect()
}

/// Row of results.
struct ResultRow<'a> {
    heading: &'a [&'a str],
    fields: Vec<&'a str>,
}

impl ResultRow<'_> {
    fn text(&self, name: &str) -> &str {
        let place = self.heading.iter().position(|other| *other == name);
        place.map(|place| self.fields[place]).unwrap_or_else(|| panic!("the results have no column {name}"))
    }

    fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("{name} is {} in the results", self.text(name)))
    }

    /// Returns whether a cell matches this row; `None` if the column does not identify games.
    fn is_of(&self, column: &str, cell: &str) -> Option<bool> {
        match column {
            "board" | "rules" => Some(self.text("rules") == cell),
            "strategy" | "games" => Some(self.text(column) == cell),
            _ => None,
        }
    }

    /// Returns the measured numbers of a cell.
    fn expected(&self, column: &str, cell: &str) -> Vec<f64> {
        let [mean, low, high] = ["guesses_mean", "guesses_low95", "guesses_high95"].map(|name| self.number(name));
        match column {
            "guesses, mean and 95 % interval" if cell.contains('±') => vec![mean, (high - low) / 2.0],
            "guesses, mean and 95 % interval" => vec![mean, low, high],
            "at most" => vec![self.number("guesses_max")],
            _ => Vec::new(),
        }
    }
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
}

fn differences(table: &[&str], results: &str) -> Vec<String> {
    // Comments before the columns describe the experiment.
    let mut lines = results.lines().filter(|line| !line.starts_with('#'));
    let heading: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut measured: Vec<ResultRow<'_>> =
        lines.map(|line| ResultRow { heading: &heading, fields: line.split(',').collect() }).collect();
    let columns = cells(table[0]);
    let mut found = Vec::new();
    for line in &table[2..] {
        let row: Vec<(&str, &str)> = columns.iter().copied().zip(cells(line)).collect();
        let of_row = |one: &ResultRow<'_>| row.iter().all(|(column, cell)| one.is_of(column, cell) != Some(false));
        let Some(place) = measured.iter().position(of_row) else {
            found.push(format!("no results for {line}"));
            continue;
        };
        let one = measured.swap_remove(place);
        for (column, cell) in row {
            let expected = one.expected(column, cell);
            let printed = numbers(cell);
            let same = printed.iter().zip(&expected).all(|((value, half), exact)| (value - exact).abs() <= *half);
            if !expected.is_empty() && (printed.len() != expected.len() || !same) {
                found.push(format!("{column} of {line} should be {expected:?}"));
            }
        }
    }
    found.extend(measured.iter().map(|one| format!("no row for {} {}", one.text("rules"), one.text("strategy"))));
    found
}

/// Returns the tables of a document that come from results, with the names of their files.
fn tables(document: &str) -> Vec<(&str, Vec<&str>)> {
    let lines: Vec<&str> = document.lines().collect();
    let named = lines.iter().enumerate().filter_map(|(at, line)| {
        let name = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(FOLDER)?.strip_prefix('/')?;
        let rows = lines[at + 1..].iter().skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('|'));
        Some((name, rows.copied().collect()))
    });
    named.collect()
}

#[test]
fn documents_agree_with_the_results() {
    let documents = fs::read_dir(root().join("docs")).expect("documents").map(|entry| entry.expect("a file").path());
    let documents = documents.chain([root().join("README.md")]);
    let mut used = BTreeSet::new();
    for path in documents.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let document = fs::read_to_string(&path).expect("text");
        for (name, table) in tables(&document) {
            let results = fs::read_to_string(root().join(FOLDER).join(name)).expect("a file of results");
            assert_eq!(differences(&table, &results), [] as [String; 0], "{} and {name}", path.display());
            used.insert(name.to_owned());
        }
    }
    let files = fs::read_dir(root().join(FOLDER)).expect("results");
    let files: BTreeSet<String> =
        files.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    assert!(!files.is_empty() && used == files, "used {used:?}, measured {files:?}");
}

#[test]
fn a_number_that_differs_is_found() {
    let document = "\
        <!-- crates/lab/results/documents/one.csv -->\n\n| board | games | guesses, mean and 95 % interval | at most | seconds |\n\
        |---|---|---|---|---|\n| 5x8 | 1000 | 5.464 (5.420 to 5.508) | 7 | 0.1 |\n| `6x9` | 20 | 6.1 ± 0.2 | 8 | 0.1 |\n\nMore.\n";
    let results = "# seed 1\nrules,strategy,games,guesses_mean,guesses_low95,guesses_high95,guesses_max\n\
        5x8,adaptive,1000,5.4641,5.41955,5.50849,7\n6x9,adaptive,20,6.11,5.9,6.3,8\n";
    let (name, table) = tables(document).remove(0);
    assert_eq!((name, table.len()), ("one.csv", 4));
    assert_eq!(differences(&table, results), [] as [String; 0]);
    for (is, other) in
        [("5.4641", "5.4649"), (",7\n", ",8\n"), ("5.9,", "5.5,"), ("8\n", "8\n7x7,adaptive,20,6,5,7,8\n")]
    {
        assert_eq!(differences(&table, &results.replacen(is, other, 1)).len(), 1, "{other}");
    }
    assert_eq!(
        differences(&table, &results.replace("5x8", "5x9")).len(),
        2,
        "a row without results, and results without a row"
    );
}

/// Returns the language and the text of each code block.
fn blocks(document: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = document.split("```").collect();
    parts.iter().skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect()
}

/// Runs a line of a document in a shell that finds the program.
fn run_line(folder: &TestFolder, line: &str) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_pegwise"));
    let path = format!("{}:{}", program.parent().expect("a folder").display(), env!("PATH"));
    let environment = folder.command([""; 0]);
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder.path(".")).env("PATH", path).stdin(Stdio::null());
    for (name, value) in environment.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    finish(shell)
}

/// Returns true if `output` is `expected`, in which a line `...` stands for any lines.
fn matches(output: &[&str], expected: &[&str]) -> bool {
    match expected.split_first() {
        None => output.is_empty(),
        Some((&"...", rest)) => (0..=output.len()).any(|skipped| matches(&output[skipped..], rest)),
        Some((first, rest)) => output
            .split_first()
            .is_some_and(|(line, output)| line.trim_end() == first.trim_end() && matches(output, rest)),
    }
}

/// Checks a command of an `sh` block. Commands that take long are shortened.
fn check_line(folder: &TestFolder, line: &str) {
    if line.starts_with("pegwise serve") {
        let words = line.split_whitespace().skip(1).take_while(|word| *word != "#");
        let port = if line.contains("--port") { &[][..] } else { &["--port", "0"] };
        let mut server = folder.command(words.chain(port.iter().copied()));
        let mut server = server.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut address = String::new();
        let stdout = server.stdout.take().expect("output");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        server.kill().expect("the server runs");
        server.wait().expect("the server ends");
        assert!(address.starts_with("http://"), "{line}: {address}");
        return;
    }
    let mut short = line.replace("--time-limit 10m", "--time-limit 1");
    if short.contains("--best") && !short.contains("--time-limit") {
        short = short.replace("--best", "--best --time-limit 1");
    }
    if short.contains("lab run --experiment") && !short.contains("--dry-run") {
        short = short.replace("lab run", "lab run --dry-run");
    }
    let run = run_line(folder, &short);
    if line.starts_with("pegwise play") {
        // The arguments are valid, but this is not a terminal.
        assert_eq!(run.code, 2, "{line}");
        assert!(run.stderr.contains("must be run in a terminal"), "{line}: {}", run.stderr);
    } else {
        // Like `diff`, the command exits with 1 if the trees differ.
        let expected = i32::from(line.starts_with("pegwise tree diff"));
        assert_eq!(run.code, expected, "{line}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn commands_in_the_documents_run_as_printed() {
    let mut documents: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .expect("documents")
        .map(|entry| entry.expect("a document").path())
        // Commands for clusters need a cluster; python/tests checks them with local workers.
        .filter(|path| path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("cluster.md"))
        .collect();
    documents.sort();
    documents.push(root().join("README.md"));
    // Play shows the store that the tutorial on experiments makes.
    let folder = TestFolder::new();
    folder.write("answers.txt", b"crane\nslate\n");
    folder.write("words.txt", b"adieu\n");
    let mut commands = 0;
    for path in documents {
        let document = fs::read_to_string(&path).expect("a document");
        for (language, block) in blocks(&document) {
            match language {
                // The commands call it `mine.toml`.
                "toml" => folder.write("mine.toml", block.as_bytes()),
                "console" => {
                    for part in block.split("$ ").skip(1) {
                        let (line, expected) = part.split_once('\n').expect("a command and its output");
                        let run = run_line(&folder, line);
                        let (output, expected) = (run.stdout.lines().collect::<Vec<_>>(), expected.trim_end().lines());
                        assert_eq!(run.code, 0, "{}: {line}: {}", path.display(), run.stderr);
                        let expected: Vec<&str> = expected.collect();
                        assert!(matches(&output, &expected), "{}: {line} prints\n{}", path.display(), run.stdout);
                        commands += 1;
                    }
                }
                "sh" => {
                    // Lines with shell variables are not complete commands.
                    for line in block.lines().filter(|line| line.starts_with("pegwise ") && !line.contains('$')) {
                        check_line(&folder, line);
                        commands += 1;
                    }
                }
                _ => (),
            }
        }
    }
    assert!(commands > 30, "{commands} commands were found");
}
