//! What helper and addon both ask of Windows. Empty elsewhere, but for the pipe's name.
// A HANDLE is a number of the system's, though its type is a pointer: nothing here looks behind one.
#![cfg_attr(windows, allow(clippy::not_unsafe_ptr_arg_deref))]

#[cfg(windows)]
mod access;
#[cfg(windows)]
mod environment;
mod pipe_name;
#[cfg(windows)]
mod processes;
#[cfg(windows)]
mod sid;
#[cfg(windows)]
mod system;

#[cfg(windows)]
pub use access::{
    Descriptor, close_to_others, is_file_written_by_others, is_open_to_others, is_owned_by_me,
    is_written_by_others,
};
#[cfg(windows)]
pub use environment::user_environment;
pub use pipe_name::pipe_name;
#[cfg(windows)]
pub use processes::{open_process, parent_of, started};
#[cfg(windows)]
pub use sid::{Sid, my_user, user_of_process, user_of_thread};
#[cfg(windows)]
pub use system::{check, is_wine, owned, wide};
