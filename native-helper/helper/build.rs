//! Turns main/contract's tables (paths, commands) into constants, so that the helper parses nothing at run time
//! and both languages read one source. Fails the build where the two languages' versions differ.

// A build may stop at the first surprise.
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
    let commands = list(&table["commands"]);
    let mut rows = String::new();
    for command in commands {
        let name = text(&command["name"]);
        let _ = writeln!(rows, "    Command {{ name: {name:?}, help: {:?} }},", help(command));
    }
    format!(
        "pub const COMMANDS: &[Command] = &[\n{rows}];\npub const OVERVIEW: &str = {:?};\n",
        overview(table, commands)
    )
}

fn overview(table: &Value, commands: &[Value]) -> String {
    let program = text(&table["program"]);
    let mut page =
        format!("{}\n\nUsage: {program} COMMAND [OPTIONS]\n\nCommands:\n", text(&table["summary"]));
    let width = commands.iter().map(|command| text(&command["name"]).len()).max().unwrap_or(0) + 2;
    for command in commands {
        let _ = writeln!(page, "  {:<width$}{}", text(&command["name"]), text(&command["summary"]));
    }
    page.push_str("\nExit codes:\n");
    for row in list(&table["exitCodes"]) {
        let _ = writeln!(page, "  {:<4}{}", row[0].to_string(), text(&row[1]));
    }
    let _ = write!(page, "\nMore about one: {program} help COMMAND\n");
    page
}

fn help(command: &Value) -> String {
    let mut page = format!("{}\n\nUsage: {}\n", text(&command["summary"]), text(&command["usage"]));
    let options = list(&command["options"]);
    if !options.is_empty() {
        page.push_str("\nOptions:\n");
        let width = options.iter().map(|row| text(&row[0]).chars().count()).max().unwrap_or(0) + 2;
        for row in options {
            let _ = writeln!(page, "  {:<width$}{}", text(&row[0]), text(&row[1]));
        }
    }
    for note in list(&command["notes"]) {
        let _ = write!(page, "\n{}\n", text(note));
    }
    page
}
