use super::order::{KeepOrder, RunOrder, is_variable_pattern};
use super::{BrokerFrame, FrameError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

/// Parses the body of a frame.
pub(super) fn decode(body: &[u8]) -> Result<BrokerFrame, FrameError> {
    let text = std::str::from_utf8(body).map_err(|_| FrameError::Utf8)?;
    // serde would also accept an array, with an object's fields in order.
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
            let good = (1..=64).contains(&names.len()) && names.iter().all(|name| is_variable_pattern(name));
            require(good, BrokerFrame::Environment { id, names })
        }
        "run" => {
            let order: RunOrder = parse(text)?;
            require(order.is_within_limits(), BrokerFrame::Run(order))
        }
        "keep" => {
            let order = RunOrder::from(parse::<KeepOrder>(text)?);
            require(order.is_within_limits(), BrokerFrame::Keep(order))
        }
        "cancel" => parse(text).map(|Cancel { id }| BrokerFrame::Cancel { id }),
        "stdout" => parse(text).map(|Stdout { data }| BrokerFrame::Stdout { data }),
        "exit" => parse(text).map(|Exit { code, stdout, stderr }| BrokerFrame::Exit { code, stdout, stderr }),
        _ => Err(FrameError::Kind(kind)),
    }
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
struct Cancel {
    id: u64,
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

/// The field may be left out, but may not be null.
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
