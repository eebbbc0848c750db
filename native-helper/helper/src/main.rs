//! The `lanyard` command. The code is in the library, so that tests can run it with shorter limits.
#![cfg_attr(unix, no_main)]

#[cfg(not(unix))]
fn main() {
    std::process::exit(lanyard_helper::run(&lanyard_helper::Limits::SHIPPED).into());
}

/// Rust's runtime would read the memory map and set up a signal stack, which takes a tenth of this program's run.
/// `prepare_process` does the parts that matter here.
#[cfg(unix)]
// SAFETY: the C runtime calls the one `main` of the program, once, with these arguments.
#[unsafe(no_mangle)]
pub extern "C" fn main(_argc: i32, _argv: *const *const std::ffi::c_char) -> i32 {
    lanyard_helper::prepare_process();
    lanyard_helper::run(&lanyard_helper::Limits::SHIPPED).into()
}
