use super::base64;
use serde::Serialize;
use zeroize::Zeroizing;

/// How a program of a `run` frame ended, as the frame `ran` reports it.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "camelCase")]
pub enum Outcome {
    /// `stdout` is base64.
    Exited {
        code: u8,
        #[serde(serialize_with = "text")]
        stdout: Zeroizing<String>,
    },
    Signalled {
        signal: i32,
    },
    NotFound,
    NotStarted {
        message: String,
    },
    TooLarge,
    TimedOut,
    Interrupted {
        signal: i32,
    },
    NoTerminal,
}

const MESSAGE_CHARACTERS: usize = 1024;

impl Outcome {
    pub fn exited(code: u8, stdout: &[u8]) -> Self {
        Outcome::Exited { code, stdout: Zeroizing::new(base64(stdout)) }
    }

    pub fn not_started(message: &str) -> Self {
        Outcome::NotStarted { message: message.chars().take(MESSAGE_CHARACTERS).collect() }
    }

    /// About how many bytes this takes in a frame.
    pub(super) fn size(&self) -> usize {
        match self {
            Outcome::Exited { stdout, .. } => stdout.len(),
            _ => 0,
        }
    }
}

fn text<S: serde::Serializer>(text: &Zeroizing<String>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}
