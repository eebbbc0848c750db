//! The frames of main/contract/frames.ts: a 32-bit big-endian length, then UTF-8 JSON of at most 8 MiB. Unknown fields
//! are ignored, an unknown kind is an error. The tests of both languages read the golden files in test/wire.

mod body;
mod order;
mod outcome;

pub use order::RunOrder;
pub use outcome::Outcome;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::fmt;
use zeroize::{Zeroize as _, Zeroizing};

pub const FRAME_LIMIT_BYTES: usize = 8 * 1024 * 1024;
pub const PROTOCOL_MIN: u16 = 1;
pub const PROTOCOL_MAX: u16 = 1;
const HEADER_BYTES: usize = 4;

#[derive(Debug, PartialEq, Eq)]
pub enum FrameError {
    Truncated,
    Oversized,
    Utf8,
    Json,
    Kind(String),
    Shape,
}

impl FrameError {
    /// The error's name in the golden files.
    pub fn name(&self) -> &'static str {
        match self {
            FrameError::Truncated => "truncated",
            FrameError::Oversized => "oversized",
            FrameError::Utf8 => "utf8",
            FrameError::Json => "json",
            FrameError::Kind(_) => "kind",
            FrameError::Shape => "shape",
        }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Truncated => to.write_str("a frame that ends too early"),
            FrameError::Oversized => to.write_str("a frame larger than 8 MiB"),
            FrameError::Utf8 => to.write_str("a frame that isn't UTF-8"),
            FrameError::Json => to.write_str("a frame that isn't JSON"),
            FrameError::Kind(kind) => write!(to, "a frame of the unknown kind {:.32}", kind),
            FrameError::Shape => to.write_str("a frame with missing or wrong fields"),
        }
    }
}

#[derive(Serialize)]
pub struct Protocol {
    pub min: u16,
    pub max: u16,
}

/// Which of standard input, output and error are terminals, and whether the process has a controlling terminal.
#[derive(Serialize, Clone, Copy)]
pub struct Terminal {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub controlling: bool,
    /// How wide standard output is, where it is a terminal that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u16>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Request<'a> {
    Kube {
        args: &'a [String],
        #[serde(rename = "execInfo")]
        exec_info: Option<String>,
    },
    Cli {
        args: &'a [String],
        cwd: String,
    },
    Docker {
        /// NAME of `docker-credential-lanyard-NAME`.
        #[serde(rename = "calledAs")]
        called_as: Option<&'a str>,
        action: &'a str,
        /// Standard input, in base64.
        input: &'a str,
    },
    Image {
        /// Standard input, in base64.
        input: &'a str,
    },
}

/// The frames that the helper sends.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum HelperFrame<'a> {
    Hello {
        protocol: Protocol,
        helper: &'a str,
        door: &'a str,
        features: &'a [&'a str],
        terminal: Terminal,
        request: Request<'a>,
    },
    Answer {
        id: u64,
        value: Option<&'a str>,
    },
    Alive {
        id: u64,
    },
    Said {
        id: u64,
        data: &'a str,
    },
    Ran {
        id: u64,
        outcome: &'a Outcome,
    },
}

impl HelperFrame<'_> {
    /// The bytes to reserve for the JSON. A buffer that grows leaves copies of a secret behind.
    fn room(&self) -> usize {
        const REST: usize = 256;
        REST + match self {
            HelperFrame::Hello {
                request: Request::Docker { input, .. } | Request::Image { input }, ..
            } => REST + input.len(),
            HelperFrame::Hello { .. } | HelperFrame::Alive { .. } => 0,
            HelperFrame::Answer { value, .. } => value.map_or(0, str::len),
            HelperFrame::Said { data, .. } => data.len(),
            HelperFrame::Ran { outcome, .. } => outcome.size(),
        }
    }
}

/// The frames that the broker sends.
#[derive(Debug, PartialEq, Eq)]
pub enum BrokerFrame {
    Welcome { protocol: u16, broker: String },
    Stderr { text: String },
    Progress { seconds: u16 },
    Prompt { id: u64, text: String, echo: bool },
    Stdin { id: u64, max_bytes: u32 },
    Environment { id: u64, names: Vec<String> },
    Run(RunOrder),
    Keep(RunOrder),
    Cancel { id: u64 },
    Stdout { data: Vec<u8> },
    Exit { code: u8, stdout: Option<Vec<u8>>, stderr: Option<String> },
}

impl BrokerFrame {
    pub fn kind(&self) -> &'static str {
        match self {
            BrokerFrame::Welcome { .. } => "welcome",
            BrokerFrame::Stderr { .. } => "stderr",
            BrokerFrame::Progress { .. } => "progress",
            BrokerFrame::Prompt { .. } => "prompt",
            BrokerFrame::Stdin { .. } => "stdin",
            BrokerFrame::Environment { .. } => "environment",
            BrokerFrame::Run(_) => "run",
            BrokerFrame::Keep(_) => "keep",
            BrokerFrame::Cancel { .. } => "cancel",
            BrokerFrame::Stdout { .. } => "stdout",
            BrokerFrame::Exit { .. } => "exit",
        }
    }
}

pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The frame's bytes, length included. Fails with `Oversized` above `FRAME_LIMIT_BYTES`.
pub fn encode(frame: &HelperFrame<'_>) -> Result<Zeroizing<Vec<u8>>, FrameError> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(HEADER_BYTES + frame.room()));
    bytes.extend_from_slice(&[0; HEADER_BYTES]);
    serde_json::to_writer(&mut *bytes, frame).map_err(|_| FrameError::Shape)?;
    let length = bytes.len().saturating_sub(HEADER_BYTES);
    if length > FRAME_LIMIT_BYTES {
        return Err(FrameError::Oversized);
    }
    let header = u32::try_from(length).map_err(|_| FrameError::Oversized)?.to_be_bytes();
    for (place, byte) in bytes.iter_mut().zip(header) {
        *place = byte;
    }
    Ok(bytes)
}

/// Splits received bytes into frames. They may arrive in pieces of any size.
#[derive(Default)]
pub struct Decoder {
    buffer: Vec<u8>,
}

impl Decoder {
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete frame, or None until more bytes arrive. Rejects a length over the limit without waiting for
    /// the body.
    pub fn next_frame(&mut self) -> Result<Option<BrokerFrame>, FrameError> {
        let Some((header, rest)) = self.buffer.split_first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_be_bytes(*header)).map_err(|_| FrameError::Oversized)?;
        if length > FRAME_LIMIT_BYTES {
            return Err(FrameError::Oversized);
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let frame = body::decode(body)?;
        if let Some(taken) = self.buffer.get_mut(..HEADER_BYTES + length) {
            taken.zeroize();
        }
        self.buffer.drain(..HEADER_BYTES + length);
        Ok(Some(frame))
    }

    /// Fails with `Truncated` if the connection ended in the middle of a frame.
    pub fn finish(&self) -> Result<(), FrameError> {
        if self.buffer.is_empty() { Ok(()) } else { Err(FrameError::Truncated) }
    }
}
