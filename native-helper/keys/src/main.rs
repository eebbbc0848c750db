//! `lanyard-keys`: the process that loads one PKCS#11 module. Modules crash, hang, print, and keep state, so the broker
//! starts one process for each account, and ends it. It is told all by lines of JSON on stdin, and ends when stdin does.

#[cfg(target_os = "linux")]
mod certificate;
#[cfg(target_os = "linux")]
mod failure;
#[cfg(target_os = "linux")]
mod hardening;
#[cfg(target_os = "linux")]
mod host;
#[cfg(target_os = "linux")]
mod module;
#[cfg(target_os = "linux")]
mod module_file;
#[cfg(target_os = "linux")]
mod one_part;
#[cfg(target_os = "linux")]
mod opened;
#[cfg(target_os = "linux")]
mod order;
#[cfg(target_os = "linux")]
mod pipe;
#[cfg(target_os = "linux")]
mod scheme;
#[cfg(target_os = "linux")]
mod select;
#[cfg(target_os = "linux")]
mod token;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    pipe::run()
}

/// What is loaded has to be what was approved: elsewhere a library can’t be loaded from a file that is already open.
#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}
