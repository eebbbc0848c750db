//! The helper that waits long for the names that complete a line, for tests on a busy machine. Never shipped.

use std::time::Duration;

fn main() {
    let limits =
        lanyard_helper::Limits { names: Duration::from_secs(120), ..lanyard_helper::Limits::SHIPPED };
    std::process::exit(lanyard_helper::run(&limits).into());
}
