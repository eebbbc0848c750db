//! The helper with short limits, for tests. Never shipped: no option or variable sets the limits.

use std::time::Duration;

fn main() {
    let limits = lanyard_helper::Limits {
        connect: Duration::from_millis(500),
        welcome: Duration::from_millis(2000),
        idle: Duration::from_millis(1000),
        person: Duration::from_millis(2000),
        start: Duration::from_millis(900),
        ..lanyard_helper::Limits::SHIPPED
    };
    std::process::exit(lanyard_helper::run(&limits).into());
}
