//! The `lanyard` command. Everything is in the library, so that tests can run it with shorter limits.
#![cfg_attr(unix, no_main)]

#[cfg(not(unix))]
fn main() {
    std::process::exit(lanyard_helper::run(&lanyard_helper::Limits::SHIPPED).into());
}

/// Rust's own start reads the process's memory map and sets up a signal stack: a tenth of this program's run.
/// `prepare_process` does the parts of it that matter here.
#[cfg(unix)]
// SAFETY: the C runtime calls the one `main` of the program, once, with these arguments.
#[unsafe(no_mangle)]
pub extern "C" fn main(_argc: i32, _argv: *const *const std::ffi::c_char) -> i32 {
    lanyard_helper::prepare_process();
    lanyard_helper::run(&lanyard_helper::Limits::SHIPPED).into()
}
