//! A program that the tests' start.json names: prints its arguments, one on each line, then its environment, and fails
//! with 17. Never shipped.
#![allow(clippy::print_stdout)]

use std::{env, process};

fn main() {
    for word in env::args().skip(1) {
        println!("{word}");
    }
    println!();
    for (name, value) in env::vars() {
        println!("{name}={value}");
    }
    process::exit(17);
}
