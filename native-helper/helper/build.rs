//! Turns main/contract's tables (paths, commands) into constants. The helper then parses nothing at run time, and both
//! languages read one source. Fails the build where the versions of the two languages differ.

// Panics fail the build, which is enough here.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let system = match env::var("CARGO_CFG_TARGET_OS").expect("cargo sets it").as_str() {
        "macos" => "darwin",
        "windows" => "win32",
        _ => "linux",
    };

    let package = read(&root, "package.json");
    assert_eq!(
        text(&package["version"]),
        env::var("CARGO_PKG_VERSION").expect("cargo sets it"),
        "package.json and native-helper/Cargo.toml name different versions"
    );
    let paths = path_constants(&read(&root, "main/contract/paths.json"), system);
    fs::write(Path::new(&out).join("paths.rs"), paths).expect("OUT_DIR is writable");
    let commands = command_tables(&read(&root, "main/contract/commands.json"));
    fs::write(Path::new(&out).join("commands.rs"), commands).expect("OUT_DIR is writable");
}

fn read(root: &Path, name: &str) -> Value {
    let path = root.join(name);
    println!("cargo::rerun-if-changed={}", path.display());
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

fn path_constants(paths: &Value, system: &str) -> String {
    let alternatives: Vec<&str> = list(&paths["home"][system]).iter().map(text).collect();
    let file = |name: &str| text(&paths["files"][name]);
    format!(
        "pub const HOME_VARIABLE: &str = {:?};\n\
         pub const HOME_ALTERNATIVES: &[&str] = &{alternatives:?};\n\
         pub const SOCKET: &str = {:?};\n\
         pub const START: &str = {:?};\n\
         pub const LOG: &str = {:?};\n",
        text(&paths["home"]["variable"]),
        file("socket"),
        file("start"),
        file("log"),
    )
}

fn command_tables(table: &Value) -> String {
    let mut rows = String::new();
    for command in list(&table["commands"]) {
        let mut options = String::new();
        let mut spellings = Vec::new();
        for option in list(&command["options"]) {
            let spelling = text(&option["option"]);
            let repeats = option["repeats"] == true;
            let _ = write!(
                options,
                "CommandOption {{ spelling: {spelling:?}, summary: {:?}, repeats: {repeats} }}, ",
                text(&option["summary"]),
            );
            spellings.push(spelling);
        }
        let notes: Vec<&str> = list(&command["notes"]).iter().map(text).collect();
        let words = positionals(text(&command["name"]), text(&command["usage"]), &spellings);
        let (kinds, examples) = (pairs(&command["kinds"]), pairs(&command["examples"]));
        let usages: Vec<&str> = text(&command["usage"]).lines().map(str::trim).collect();
        assert!(
            kinds.is_empty() || kinds.len() == usages.len(),
            "{} has not a usage for each kind",
            text(&command["name"])
        );
        let _ = writeln!(
            rows,
            "    Command {{ name: {:?}, summary: {:?}, usages: &{usages:?}, kinds: &{kinds:?}, \
             options: &[{options}], notes: &{notes:?}, examples: &{examples:?}, words: &{words:?} }},",
            text(&command["name"]),
            text(&command["summary"]),
        );
    }
    let codes: Vec<(u64, &str)> = list(&table["exitCodes"])
        .iter()
        .map(|row| (row[0].as_u64().expect("a number"), text(&row[1])))
        .collect();
    let groups: Vec<(&str, Vec<&str>)> = list(&table["groups"])
        .iter()
        .map(|group| (text(&group["title"]), list(&group["commands"]).iter().map(text).collect()))
        .collect();
    let groups: String =
        groups.iter().map(|(title, commands)| format!("({title:?}, &{commands:?}), ")).collect();
    format!(
        "pub const COMMANDS: &[Command] = &[\n{rows}];\n\
         const SUMMARY: &str = {:?};\n\
         const GROUPS: &[(&str, &[&str])] = &[{groups}];\n\
         const EXAMPLES: &[(&str, &str)] = &{:?};\n\
         const EXIT_CODES: &[(u8, &str)] = &{codes:?};\n",
        text(&table["summary"]),
        pairs(&table["examples"]),
    )
}

/// A list of two texts each; nothing where there is none.
fn pairs(value: &Value) -> Vec<(&str, &str)> {
    let rows = if value.is_null() { &[][..] } else { list(value) };
    rows.iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
}

/// The words of a command line after the command's name, from its usage line: `ACCOUNT`, `id|access`. A last `…` means
/// that the word before it may repeat. Leaves out options and their values.
fn positionals(name: &str, usage: &str, options: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in usage.lines() {
        let line =
            line.trim().strip_prefix("lanyard ").unwrap_or_else(|| panic!("a usage of {name}: {line}"));
        let line = line.strip_prefix(name).unwrap_or_else(|| panic!("a usage of {name}: {line}"));
        let words = words_of(line, options);
        if words.len() > found.len() {
            found = words;
        }
    }
    found
}

fn words_of(usage: &str, options: &[&str]) -> Vec<String> {
    let takes_value = |option: &str| {
        options.iter().any(|spelling| spelling.split_once(' ').is_some_and(|(name, _)| name == option))
    };
    let mut words: Vec<String> = Vec::new();
    let (mut skip, mut after_word) = (false, false);
    for part in usage.split_whitespace() {
        let inner = part.trim_start_matches('[');
        let inner = if inner.contains('[') { inner } else { inner.trim_end_matches(']') };
        let is_word = !skip && !inner.starts_with('-') && !matches!(inner, "|" | "…" | "");
        if is_word {
            words.push(inner.to_owned());
        } else if inner == "…" && after_word {
            words.push("…".to_owned());
        }
        skip = takes_value(inner);
        after_word = is_word;
    }
    words
}
