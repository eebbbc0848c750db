//! What `npm run bench -- request-proxy` loads a proxy with: a server behind it and a client before it, both cheap.
//!
//! - `load serve`: stdin is one line of JSON (`serve::Asked`); prints the port, and serves until stdin ends.
//! - `load run`: stdin is one line of JSON (`run::Job`); prints a line of JSON with what it measured, and ends, or, of
//!   watches, once stdin does.

mod run;
mod serve;

use std::io::BufRead;

use tokio::io::AsyncReadExt;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), BoxError> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match std::env::args().nth(1).as_deref() {
        Some("serve") => runtime.block_on(serve::serve(serde_json::from_str(&line)?)),
        Some("run") => runtime.block_on(run::run(serde_json::from_str(&line)?)),
        _ => Err("usage: load serve | run".into()),
    }
}

/// Resolves once stdin has ended.
async fn until_stdin_ends() -> Result<(), BoxError> {
    let mut rest = Vec::new();
    tokio::io::stdin().read_to_end(&mut rest).await?;
    Ok(())
}

fn print_line(text: &str) -> Result<(), BoxError> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{text}")?;
    stdout.flush()?;
    Ok(())
}
