//! The data plane of Lanyard's request proxy (KEP-2718, docs/adr/0030). One loopback TLS listener for all proxied
//! clusters, and listeners of one client’s own; what a request gets on its way is decided by the broker, and applied here.

mod bodies;
mod chain;
mod client_body;
mod client_listener;
mod clock;
mod connection;
mod control;
mod delivery;
mod edited;
mod ending;
mod failure;
mod fault;
mod forward;
mod hardening;
mod header_names;
mod issue;
mod joined_path;
mod leaf;
mod lingering;
mod listener;
mod memory;
#[cfg(test)]
mod one_reading;
mod outgoing;
mod passing;
mod payload;
mod peer;
mod percent;
mod process;
mod repeats;
mod replay;
mod request_rules;
mod room;
mod route;
mod shared;
mod sign_aws;
mod sign_program;
pub mod sigv4;
mod streams;
mod tls;
mod trace;
mod trying;
mod tunnel;
mod unproved;
mod unreadable;
mod upstream;
mod way_in;

use std::process::ExitCode;

/// `issue`: makes certificates, and ends. `tls`: speaks TLS for one connection. Otherwise serves until stdin ends.
pub fn run() -> ExitCode {
    // Before it knows anything.
    if hardening::harden().is_err() {
        return ExitCode::FAILURE;
    }
    let once = match std::env::args().nth(1).as_deref() {
        Some("issue") => Some(issue::run()),
        Some("tls") => Some(tls::run()),
        _ => None,
    };
    if let Some(done) = once {
        return if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(control::serve());
            // Never waits for a file system or a name server that hangs.
            runtime.shutdown_background();
            code
        }
        Err(_) => ExitCode::FAILURE,
    }
}
