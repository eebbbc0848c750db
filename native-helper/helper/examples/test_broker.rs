//! The program that the tests' start.json names. Writes how it was started to `started` and its arguments to `words`,
//! then answers as many requests as its first argument says. Never shipped.
#![allow(clippy::print_stderr, dead_code)]

#[path = "../tests/support/listener.rs"]
mod listener;

use std::io::{Read, Write};
use std::{env, fs};

fn main() -> std::io::Result<()> {
    let count: u32 = env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let variables: Vec<String> = env::vars().map(|(name, value)| format!("{name}={value}")).collect();
    // Stands in for the real broker's lock: only one of many listens.
    fs::File::create_new("taken")?;
    let mut listener = listener::Listener::bind(&env::current_dir()?)?;
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let open: Vec<String> = fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .map(|target| target.display().to_string())
        .collect();
    fs::write("words", env::args().skip(2).collect::<Vec<_>>().join(" "))?;
    fs::write("started", format!("{stat}\n{limits}\n{}\n{}\n", variables.join("\n"), open.join("\n")))?;
    eprintln!("test agent started");
    for _ in 0..count {
        let mut stream = listener.accept()?;
        let mut header = [0; 4];
        stream.read_exact(&mut header)?;
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        stream.read_exact(&mut body)?;
        for frame in [
            r#"{"kind":"welcome","protocol":1,"broker":"test"}"#,
            r#"{"kind":"exit","code":0,"stdout":"aGkK"}"#,
        ] {
            stream.write_all(&(frame.len() as u32).to_be_bytes())?;
            stream.write_all(frame.as_bytes())?;
        }
    }
    Ok(())
}
