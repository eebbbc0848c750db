//! Keeps a PIN in this process, as the data plane does with its credentials: no core dump, and no other program of the user
//! reads its memory.

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// Fails where the system refuses.
pub fn harden() -> std::io::Result<()> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // A program starts without this, whoever started it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}
