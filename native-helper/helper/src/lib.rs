//! Lanyard's helper, a thin terminal. It sends the broker the request, obeys the broker within the door's mask, and
//! exits. It has no logic about credentials.

mod agent;
mod bounded;
mod commands;
mod completion;
mod dispatch;
mod docker;
mod doors;
mod environment;
mod failure;
mod frames;
mod home;
mod image;
mod input;
mod invoked;
mod layout;
mod limits;
mod loader_variables;
mod os;
mod output;
mod reach;
mod run_program;
mod session;
mod start_file;
mod strip;
mod strip_stream;
mod style;
mod wire;

pub use doors::{CLI, CONTROLLER, DOCKER, Door, IMAGE, KUBE};
pub use failure::{Failure, exit};
pub use frames::{
    BrokerFrame, Decoder, FRAME_LIMIT_BYTES, FrameError, HelperFrame, Outcome, PROTOCOL_MAX, PROTOCOL_MIN,
    Protocol, Request, RunOrder, Terminal, base64, encode,
};
pub use limits::Limits;
#[cfg(unix)]
pub use os::prepare_process;

/// Runs the command line of this process. Returns the exit code.
pub fn run(limits: &Limits) -> u8 {
    let invoked = invoked::Invoked::now();
    if invoked == invoked::Invoked::DockerCredential {
        return docker::run(limits);
    }
    let ended = match invoked {
        invoked::Invoked::CredentialProvider => image::run(limits),
        _ => dispatch::dispatch(limits, invoked),
    };
    match ended {
        Ok(code) => code,
        Err(failure) => {
            if !dispatch::is_quiet() {
                failure.print(invoked);
            }
            failure.code
        }
    }
}
