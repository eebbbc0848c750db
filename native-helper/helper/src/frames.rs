//! The frames of main/contract/frames.ts: a 32-bit big-endian length, then UTF-8 JSON. Unknown fields are ignored,
//! an unknown kind is an error. test/wire's golden files are read by both languages' tests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use zeroize::Zeroizing;

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
    /// As the golden files name it.
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

/// What standard input, output and error are, and whether there is a terminal to ask on.
#[derive(Serialize, Clone, Copy)]
pub struct Terminal {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub controlling: bool,
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
            BrokerFrame::Stdout { .. } => "stdout",
            BrokerFrame::Exit { .. } => "exit",
        }
    }
}

pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The frame's bytes, length included.
pub fn encode(frame: &HelperFrame<'_>) -> Result<Zeroizing<Vec<u8>>, FrameError> {
    let mut bytes = Zeroizing::new(vec![0; HEADER_BYTES]);
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

/// Cuts frames out of what arrives, in whatever pieces it arrives.
#[derive(Default)]
pub struct Decoder {
    buffer: Vec<u8>,
}

impl Decoder {
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame; None when more has to arrive first. A length over the limit is refused before its body
    /// is waited for.
    pub fn next_frame(&mut self) -> Result<Option<BrokerFrame>, FrameError> {
        let Some((header, rest)) = self.buffer.split_first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_be_bytes(*header)).map_err(|_| FrameError::Oversized)?;
        if length > FRAME_LIMIT_BYTES {
            return Err(FrameError::Oversized);
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let frame = decode_body(body)?;
        self.buffer.drain(..HEADER_BYTES + length);
        Ok(Some(frame))
    }

    /// The connection has ended: is it in the middle of a frame?
    pub fn finish(&self) -> Result<(), FrameError> {
        if self.buffer.is_empty() { Ok(()) } else { Err(FrameError::Truncated) }
    }
}

fn decode_body(body: &[u8]) -> Result<BrokerFrame, FrameError> {
    let text = std::str::from_utf8(body).map_err(|_| FrameError::Utf8)?;
    // serde would take a list for an object's fields in order.
    if !text.trim_start().starts_with('{') {
        serde_json::from_str::<IgnoredAny>(text).map_err(|_| FrameError::Json)?;
        return Err(FrameError::Shape);
    }
    let Kind { kind } = parse(text)?;
    match kind.as_str() {
        "welcome" => {
            let Welcome { protocol, broker } = parse(text)?;
            require(protocol >= 1, BrokerFrame::Welcome { protocol, broker })
        }
        "stderr" => parse(text).map(|Stderr { text }| BrokerFrame::Stderr { text }),
        "progress" => {
            let Progress { seconds } = parse(text)?;
            require((1..=3600).contains(&seconds), BrokerFrame::Progress { seconds })
        }
        "prompt" => parse(text).map(|Prompt { id, text, echo }| BrokerFrame::Prompt { id, text, echo }),
        "stdin" => {
            let Stdin { id, max_bytes } = parse(text)?;
            require((1..=1024 * 1024).contains(&max_bytes), BrokerFrame::Stdin { id, max_bytes })
        }
        "environment" => {
            let Environment { id, names } = parse(text)?;
            let good = (1..=64).contains(&names.len()) && names.iter().all(|name| is_variable(name));
            require(good, BrokerFrame::Environment { id, names })
        }
        "stdout" => parse(text).map(|Stdout { data }| BrokerFrame::Stdout { data }),
        "exit" => parse(text).map(|Exit { code, stdout, stderr }| BrokerFrame::Exit { code, stdout, stderr }),
        _ => Err(FrameError::Kind(kind)),
    }
}

/// `[A-Za-z_][A-Za-z0-9_]{0,127}`, as the contract has it.
fn is_variable(name: &str) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    name.len() <= 128
        && name.as_bytes().first().is_some_and(letter)
        && name.bytes().all(|byte| letter(&byte) || byte.is_ascii_digit())
}

fn require(good: bool, frame: BrokerFrame) -> Result<BrokerFrame, FrameError> {
    if good { Ok(frame) } else { Err(FrameError::Shape) }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FrameError> {
    serde_json::from_str(text)
        .map_err(|error| if error.is_data() { FrameError::Shape } else { FrameError::Json })
}

#[derive(Deserialize)]
struct Kind {
    kind: String,
}

#[derive(Deserialize)]
struct Welcome {
    protocol: u16,
    broker: String,
}

#[derive(Deserialize)]
struct Stderr {
    text: String,
}

#[derive(Deserialize)]
struct Progress {
    seconds: u16,
}

#[derive(Deserialize)]
struct Prompt {
    id: u64,
    text: String,
    echo: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stdin {
    id: u64,
    max_bytes: u32,
}

#[derive(Deserialize)]
struct Environment {
    id: u64,
    names: Vec<String>,
}

#[derive(Deserialize)]
struct Stdout {
    #[serde(deserialize_with = "bytes")]
    data: Vec<u8>,
}

#[derive(Deserialize)]
struct Exit {
    code: u8,
    #[serde(default, deserialize_with = "optional_bytes")]
    stdout: Option<Vec<u8>>,
    #[serde(default, deserialize_with = "optional_text")]
    stderr: Option<String>,
}

/// The field may be left out; null is not a value of it.
fn optional_text<'a, D: Deserializer<'a>>(from: D) -> Result<Option<String>, D::Error> {
    String::deserialize(from).map(Some)
}

fn optional_bytes<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
    bytes(from).map(Some)
}

fn bytes<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    STANDARD.decode(text).map_err(|_| D::Error::custom("not base64"))
}
