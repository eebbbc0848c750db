//! What helper and addon both ask of Windows. Empty elsewhere, but for the pipe's name.
// A HANDLE is a number of the system's, though its type is a pointer: nothing here looks behind one.
#![cfg_attr(windows, allow(clippy::not_unsafe_ptr_arg_deref))]

#[cfg(windows)]
mod access;
#[cfg(windows)]
mod environment;
#[cfg(windows)]
mod overlapped;
#[cfg(windows)]
mod pipe;
mod pipe_name;
#[cfg(windows)]
mod processes;
#[cfg(windows)]
mod sid;
#[cfg(windows)]
mod system;
#[cfg(windows)]
mod until_free;

#[cfg(windows)]
pub use access::{
    Descriptor, close_to_others, is_file_written_by_others, is_open_to_others, is_owned_by_me,
    is_written_by_others, set_access_list,
};
#[cfg(windows)]
pub use environment::user_environment;
#[cfg(windows)]
pub use pipe::{PipeEnd, PipeListener};
pub use pipe_name::pipe_name;
#[cfg(windows)]
pub use processes::{open_process, parent_of, started};
#[cfg(windows)]
pub use sid::{Sid, my_user, user_of_process, user_of_thread};
#[cfg(windows)]
pub use system::{check, owned, wide};
#[cfg(windows)]
pub use until_free::{is_held, until_free};
