//! Gives memory back to the system. After many large answers to slow readers glibc keeps most of what was freed: above it in
//! the heap lies something small that lives on.

use std::sync::Arc;
use std::time::Duration;

use crate::shared::Shared;

const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Once no request has begun or ended for a while: it takes some milliseconds, and what is given back costs again to be had.
pub async fn give_back_when_quiet(shared: Arc<Shared>) {
    let (mut given_at, mut seen) = (shared.streams.movement(), None);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = shared.streams.movement();
        if seen.replace(now) == Some(now) && given_at != now {
            give_back();
            given_at = now;
        }
    }
}

fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: glibc’s own, for any thread at any time (malloc_trim(3)). It gives back what is free already.
        unsafe { malloc_trim(0) };
    }
}
