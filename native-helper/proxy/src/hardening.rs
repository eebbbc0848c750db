//! Keeps the credentials of this process in it, as the broker does with its own (native-helper/native): no core dump, and
//! no other program of the user reads its memory.

/// Fails where the system refuses.
#[cfg(target_os = "linux")]
pub fn harden() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // A program starts without this, whoever started it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// On macOS the limit of core dumps is the broker’s, which this process has, too (setrlimit(2): children inherit it), and a
/// release’s signature keeps its memory to it (native-helper/native/src/macos.rs).
#[cfg(not(target_os = "linux"))]
pub fn harden() -> std::io::Result<()> {
    Ok(())
}
