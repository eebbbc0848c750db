//! A request that the broker asks for, to see what becomes of it: it goes the way of any other, and is told of step by
//! step. What is secret is blanked before it leaves this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::header::{HOST, HeaderName, HeaderValue};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde::{Deserialize, Serialize};

use crate::control::Tell;
use crate::delivery::Delivery;
use crate::edited::shown;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::passing::Passing;
use crate::request_rules::Names;
use crate::route::Place;
use crate::shared::Shared;
use crate::trace::{Attempt, Secrets, Trace, microseconds};
use crate::way_in::WayIn;
use crate::{process, request_rules, route};

/// All of it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Of an answer’s text, in bytes.
const SHOWN_TEXT: usize = 4 * 1024;
/// Of an answer’s text, before secrets are blanked: one is seldom cut here.
const KEPT_TEXT: usize = 64 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    id: u64,
    cluster: String,
    /// Of whoever asks: the request ends with it.
    pid: u32,
    method: String,
    /// With its query; below the server’s own path.
    path: String,
    headers: Vec<(String, String)>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// As sent; empty: the cluster isn’t known.
    url: String,
    attempts: Vec<Attempt>,
    answer: Option<AnswerView>,
    /// Why the proxy answered, and not the cluster, or why the answer isn’t whole.
    fault: Option<String>,
    /// What a client would have got of the proxy; none: an answer of the cluster.
    fault_status: Option<u16>,
    /// None: the connection was kept.
    connected_microseconds: Option<u64>,
    total_microseconds: u64,
}

#[derive(Serialize)]
struct AnswerView {
    status: u16,
    headers: Vec<(String, Option<String>)>,
    bytes: u64,
    body: Option<String>,
}

/// An answer as it comes.
struct Read {
    status: StatusCode,
    headers: HeaderMap,
    bytes: u64,
    start: Vec<u8>,
}

pub async fn answer(asked: Asked, shared: Arc<Shared>) {
    let began = Instant::now();
    let (mut trace, mut read) = (Trace::default(), None);
    let trying = tokio::time::timeout(PATIENCE, run(&asked, &shared, &mut trace, &mut read)).await;
    let late = |text: &str| {
        Some(Failure::new(StatusCode::GATEWAY_TIMEOUT, format!("{text} after {} s", PATIENCE.as_secs())))
    };
    let failure = match trying {
        Ok(done) => done.err(),
        Err(_) if read.is_some() => late("the answer has no end"),
        Err(_) => late("no answer"),
    };
    let fault_status = failure.as_ref().filter(|_| read.is_none()).map(|failure| failure.status.as_u16());
    let fault = failure.map(|failure| failure.text);
    let Trace { url, attempts, connected, secrets } = trace;
    let tried = Tried {
        url,
        attempts,
        answer: read.map(|read| read.view(&secrets)),
        fault,
        fault_status,
        connected_microseconds: connected.map(microseconds),
        total_microseconds: microseconds(began.elapsed()),
    };
    shared.tell_surely(Tell::Tried { id: asked.id, tried: Box::new(tried) }).await;
}

async fn run(
    asked: &Asked,
    shared: &Arc<Shared>,
    trace: &mut Trace,
    read: &mut Option<Read>,
) -> Result<(), Failure> {
    let cluster = shared.served(&asked.cluster)?;
    let request = request(asked, &shared.own)?;
    request_rules::check(&request, &Names::of_proxy(&shared.own))?;
    let outgoing = Outgoing::new(&request, &asked.path, &cluster)?;
    trace.url = format!("https://{}{}{}", cluster.upstream.authority, cluster.upstream.base, asked.path);
    let started = process::start(asked.pid)
        .ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "the process that asks has ended"))?;
    let (name, epoch) = (cluster.name.clone(), cluster.epoch.clone());
    let asking = WayIn { cluster: name, epoch, pid: asked.pid, started, ..WayIn::default() };
    let passing = Passing::open(shared, &asking, request.method(), &asked.path)?;
    let delivery = Delivery { shared, cluster: &cluster, pid: asked.pid, stream: &passing.stream, outgoing };
    let answer = passing.unless_ended(delivery.send(None, Some(trace))).await;
    let answer = answer.and_then(|answer| route::within(answer, &cluster, &Place::Proxy, &shared.own));
    let (parts, mut body) = passing.returns(answer)?.into_parts();
    let read =
        read.insert(Read { status: parts.status, headers: parts.headers, bytes: 0, start: Vec::new() });
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|_| Failure::new(StatusCode::BAD_GATEWAY, "the answer ends in the middle"))?;
        if let Some(data) = frame.data_ref() {
            read.take(data);
        }
    }
    Ok(())
}

/// As a client would send it.
fn request(asked: &Asked, own: &str) -> Result<Request<()>, Failure> {
    let mut request = Request::builder().method(asked.method.as_str()).uri(&asked.path).header(HOST, own);
    for (name, value) in &asked.headers {
        request = request.header(name, value);
    }
    request.body(()).map_err(|error| Failure::bad(format!("this is no request: {error}")))
}

impl Read {
    fn take(&mut self, data: &[u8]) {
        self.bytes += data.len() as u64;
        let room = KEPT_TEXT.saturating_sub(self.start.len());
        self.start.extend(data.iter().take(room));
    }

    fn view(self, secrets: &Secrets) -> AnswerView {
        let Self { status, headers, bytes, start } = self;
        let is_refusal = status.is_client_error() || status.is_server_error();
        AnswerView {
            status: status.as_u16(),
            headers: headers
                .iter()
                .map(|(name, value)| {
                    let value = shown_of_answer(name, value).map(|value| secrets.blanked(value));
                    (name.to_string(), value)
                })
                .collect(),
            bytes,
            body: text(start).filter(|_| is_refusal).map(|text| cut(secrets.blanked(text))),
        }
    }
}

/// None: the name looks as if the value were secret.
fn shown_of_answer(name: &HeaderName, value: &HeaderValue) -> Option<String> {
    const SECRET: [&str; 7] =
        ["authorization", "cookie", "token", "secret", "password", "credential", "api-key"];
    let is_secret = SECRET.iter().any(|part| name.as_str().contains(part));
    if is_secret { None } else { shown(name, value) }
}

/// None: it isn’t text. The last character may be cut.
fn text(mut bytes: Vec<u8>) -> Option<String> {
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn cut(mut text: String) -> String {
    text.truncate((0..=SHOWN_TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0));
    text
}
