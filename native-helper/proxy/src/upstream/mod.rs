//! The connections to one cluster, kept and shared. Before the server’s limit of streams on one is reached, another is
//! opened: what waits for a place behind watches would wait for ever.

mod connect;
mod held_certificate;
mod held_key;
mod renegotiation;
mod stated;
mod trusted;

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::uri::{PathAndQuery, Scheme};
use http::{StatusCode, Uri};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

pub use connect::authority;
use connect::{UpstreamIo, Way};
pub use held_certificate::{Held, HeldCertificate, Signatures};
pub use renegotiation::Records;
pub use stated::{StatedUpstream, client_config};
pub use trusted::Trusted;

use crate::bodies::{Body, BoxError};
use crate::failure::Failure;
use crate::fault::{Fault, Unreached};
use crate::request_rules::MOST_FIELDS;
use crate::shared::held;

/// Go’s client pings as often, and waits as long.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_PATIENCE: Duration = Duration::from_secs(15);
/// An idle connection is not used again after that: the server may be about to close it.
const IDLE: Duration = Duration::from_secs(60);
const MOST_IDLE: usize = 16;
/// More streams than these on one connection gain nothing.
const MOST_STREAMS: usize = 90;
/// Until the server says how many it takes. With a key that is held as many as servers should take at least (RFC 9113, section
/// 6.5.2): another connection is another signature, and someone may have to confirm that.
const STREAMS_AT_FIRST: usize = 1;
/// Connections of HTTP/2 at a time: a server may allow few streams on each, or none.
const MOST_CONNECTIONS: usize = 256;
/// An unsent request is sent on another connection so often.
const MOST_TRIES: usize = 3;
/// Flow control, for one stream and for a connection.
const STREAM_WINDOW: u32 = 512 * 1024;
/// All streams of a connection: those whose clients don’t read can’t stop the others.
const CONNECTION_WINDOW: u32 = STREAM_WINDOW * MOST_STREAMS as u32;
const MOST_HEADER_BYTES: usize = 256 * 1024;

pub struct Upstream {
    /// `https://host:port` as the cluster is stated.
    pub origin: String,
    /// What its `Host` is.
    pub authority: String,
    /// The path of the server, without a slash at its end.
    pub base: String,
    way: Way,
    shared: Mutex<Vec<Multiplexed>>,
    idle: Arc<Mutex<Vec<Idle>>>,
    /// One at a time while it isn’t known what the server speaks, for HTTP/2, and with a key that is held.
    opening: tokio::sync::Mutex<()>,
    speaks_http1: AtomicBool,
    /// The last that could not be opened: when, and why.
    failed: Mutex<Option<(Instant, BoxError)>>,
}

#[derive(Clone)]
struct Multiplexed {
    sender: http2::SendRequest<Body>,
    load: Arc<Load>,
}

/// How much a connection of HTTP/2 has to carry.
struct Load {
    streams: AtomicUsize,
    /// It knows the most that the server takes now. None: it has ended.
    connection: Mutex<Option<Connection>>,
    /// Since when it has none, where it has none.
    free_since: Mutex<Instant>,
}

type Connection = http2::Connection<TokioIo<UpstreamIo>, Body, TokioExecutor>;

impl Load {
    fn is_full(&self) -> bool {
        let most = held(&self.connection).as_ref().map_or(0, Connection::current_max_send_streams);
        self.streams.load(Ordering::Relaxed) >= most.min(MOST_STREAMS)
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut connection = held(&self.connection);
        let polled =
            connection.as_mut().map_or(Poll::Ready(()), |each| Pin::new(each).poll(context).map(drop));
        if polled.is_ready() {
            // A request that it hadn’t taken yet is given back by its drop alone.
            *connection = None;
        }
        polled
    }

    /// A connection that was idle for so long may have died unseen.
    fn is_idle(&self) -> bool {
        self.streams.load(Ordering::Relaxed) == 0 && held(&self.free_since).elapsed() >= IDLE
    }
}

struct Idle {
    sender: http1::SendRequest<Body>,
    since: Instant,
}

/// A place on a connection, given back when it is dropped.
pub struct Place(Arc<Load>);

impl Drop for Place {
    fn drop(&mut self) {
        *held(&self.0.free_since) = Instant::now();
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

pub struct Answer {
    pub response: Response<Incoming>,
    /// To be kept until the answer’s end.
    pub place: Option<Place>,
    /// What it took to open its connection; none: that was kept.
    pub connected: Option<Duration>,
}

pub enum SendFault {
    /// Nothing was sent.
    Unreachable(BoxError),
    /// It may have been sent.
    Broken(BoxError),
    /// Broken, since the server asks for a certificate by another handshake on the same connection.
    AskedLate,
}

impl SendFault {
    /// For the user; with what caused it.
    pub fn failure(self, cluster: &str, server: &str) -> Failure {
        let (what, error) = match self {
            Self::Unreachable(error) => ("can’t be reached", error),
            Self::Broken(error) => ("broke the connection", error),
            Self::AskedLate => {
                return Failure::new(
                    StatusCode::BAD_GATEWAY,
                    format!(
                        "{cluster} asks for the certificate by renegotiating TLS, which isn’t supported; have it ask in the first handshake, or use TLS 1.3"
                    ),
                );
            }
        };
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return failure.clone();
        }
        if let Some(unreached) = error.downcast_ref::<Unreached>() {
            return unreached.failure(cluster);
        }
        let text = format!("{cluster} {what}: {}", with_causes(&*error));
        match Fault::of_broken(&*error) {
            Fault::Broken => {
                Failure::new(StatusCode::BAD_GATEWAY, text).marked(format!("{} - -", Fault::Broken.name()))
            }
            fault => Unreached::new(fault, server).failure(cluster),
        }
    }
}

fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// The same for another one that waited for it.
fn again(error: &BoxError) -> BoxError {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.clone().into();
    }
    match error.downcast_ref::<Unreached>() {
        Some(unreached) => unreached.clone().into(),
        None => with_causes(&**error).into(),
    }
}

enum Taken {
    Multiplexed(http2::SendRequest<Body>, Place),
    Alone(http1::SendRequest<Body>),
}

impl Upstream {
    /// Sends a request; its URI is a path and query.
    pub async fn send(&self, mut request: Request<Body>) -> Result<Answer, SendFault> {
        let mut tries = 0;
        loop {
            tries += 1;
            let (taken, connected) = self.take().await.map_err(SendFault::Unreachable)?;
            let (unsent, error) = match taken {
                Taken::Multiplexed(mut sender, place) => {
                    self.make_absolute(&mut request);
                    match sender.try_send_request(request).await {
                        Ok(response) => return Ok(Answer { response, place: Some(place), connected }),
                        Err(mut fault) => (fault.take_message(), fault.into_error()),
                    }
                }
                Taken::Alone(mut sender) => {
                    make_relative(&mut request);
                    match sender.try_send_request(request).await {
                        // hyper reads on past other informational answers.
                        Ok(response) if response.status() == StatusCode::SWITCHING_PROTOCOLS => {
                            return Err(SendFault::Broken("it changes the protocol, unasked".into()));
                        }
                        Ok(response) => {
                            self.keep_once_ready(sender);
                            return Ok(Answer { response, place: None, connected });
                        }
                        Err(mut fault) => (fault.take_message(), fault.into_error()),
                    }
                }
            };
            match unsent {
                // A key that is held signs for each connection, and someone may have to confirm that.
                Some(again) if tries < MOST_TRIES && !(self.holds_key() && connected.is_some()) => {
                    request = again;
                }
                _ => return Err(self.broken(error.into())),
            }
        }
    }

    /// Sends a request that upgrades its connection, on a separate one.
    pub async fn upgrade(&self, request: Request<Body>) -> Result<Answer, SendFault> {
        let began = Instant::now();
        let stream = {
            let _one = if self.holds_key() { Some(self.opening.lock().await) } else { None };
            self.way.connect(true).await.map_err(SendFault::Unreachable)?
        };
        let (mut sender, connection) = http1_builder()
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| SendFault::Unreachable(error.into()))?;
        tokio::spawn(connection.with_upgrades());
        let connected = Some(began.elapsed());
        let response = sender.send_request(request).await.map_err(|error| self.broken(error.into()))?;
        Ok(Answer { response, place: None, connected })
    }

    /// With what it took to open one, where none was kept.
    async fn take(&self) -> Result<(Taken, Option<Duration>), BoxError> {
        if let Some(taken) = self.kept() {
            return Ok((taken, None));
        }
        if self.speaks_http1.load(Ordering::Relaxed) && !self.holds_key() {
            return self.open_timed().await;
        }
        let asked_at = Instant::now();
        let _one = self.opening.lock().await;
        // Another may have opened one meanwhile.
        if let Some(taken) = self.kept() {
            return Ok((taken, None));
        }
        // Or failed to: those that waited for it don’t each wait for the same once more.
        if let Some((failed_at, why)) = &*held(&self.failed)
            && *failed_at >= asked_at
        {
            return Err(again(why));
        }
        let opened = self.open_timed().await;
        *held(&self.failed) = opened.as_ref().err().map(|error| (Instant::now(), again(error)));
        opened
    }

    /// A token signs one handshake after the other: where the first one fails, the others don’t ask for the same.
    fn holds_key(&self) -> bool {
        self.way.held_key.is_some()
    }

    fn broken(&self, error: BoxError) -> SendFault {
        let asked_late =
            self.way.asked_late.as_ref().is_some_and(|asked| asked.swap(false, Ordering::Relaxed));
        if asked_late { SendFault::AskedLate } else { SendFault::Broken(error) }
    }

    async fn open_timed(&self) -> Result<(Taken, Option<Duration>), BoxError> {
        let began = Instant::now();
        let taken = self.open().await?;
        Ok((taken, Some(began.elapsed())))
    }

    fn kept(&self) -> Option<Taken> {
        let mut shared = held(&self.shared);
        shared.retain(|Multiplexed { sender, load }| !sender.is_closed() && !load.is_idle());
        if let Some(Multiplexed { sender, load }) = shared.iter().find(|each| !each.load.is_full()) {
            load.streams.fetch_add(1, Ordering::Relaxed);
            return Some(Taken::Multiplexed(sender.clone(), Place(load.clone())));
        }
        drop(shared);
        let mut idle = held(&self.idle);
        while let Some(Idle { sender, since }) = idle.pop() {
            if since.elapsed() < IDLE && sender.is_ready() {
                return Some(Taken::Alone(sender));
            }
        }
        None
    }

    async fn open(&self) -> Result<Taken, BoxError> {
        if held(&self.shared).len() >= MOST_CONNECTIONS {
            return Err("it allows too few requests on each connection".into());
        }
        let stream = self.way.connect(false).await?;
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        self.speaks_http1.store(!is_http2, Ordering::Relaxed);
        let io = TokioIo::new(stream);
        if !is_http2 {
            let (sender, connection) = http1_builder().handshake(io).await?;
            tokio::spawn(connection);
            return Ok(Taken::Alone(sender));
        }
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_PATIENCE)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_max_send_streams(if self.holds_key() { MOST_STREAMS } else { STREAMS_AT_FIRST })
            .max_header_list_size(MOST_HEADER_BYTES as u32)
            .handshake(io)
            .await?;
        let load = Arc::new(Load {
            streams: AtomicUsize::new(1),
            connection: Mutex::new(Some(connection)),
            free_since: Mutex::new(Instant::now()),
        });
        held(&self.shared).push(Multiplexed { sender: sender.clone(), load: load.clone() });
        let own = load.clone();
        tokio::spawn(poll_fn(move |context| own.poll(context)));
        Ok(Taken::Multiplexed(sender, Place(load)))
    }

    /// A connection of HTTP/1.1 is free again once its answer was read to the end.
    fn keep_once_ready(&self, mut sender: http1::SendRequest<Body>) {
        let idle = self.idle.clone();
        tokio::spawn(async move {
            if sender.ready().await.is_ok() {
                let mut idle = held(&idle);
                if idle.len() < MOST_IDLE {
                    idle.push(Idle { sender, since: Instant::now() });
                }
            }
        });
    }

    /// HTTP/2 takes the host from the URI.
    fn make_absolute(&self, request: &mut Request<Body>) {
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        parts.scheme = Some(Scheme::HTTPS);
        parts.authority = self.authority.parse().ok();
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        request.headers_mut().remove(http::header::HOST);
        *request.version_mut() = http::Version::HTTP_2;
    }

    pub fn host(&self) -> Option<http::HeaderValue> {
        http::HeaderValue::try_from(&self.authority).ok()
    }
}

fn make_relative(request: &mut Request<Body>) {
    let path = request.uri().path_and_query().cloned();
    if let Some(authority) = request.uri().authority()
        && let Ok(host) = http::HeaderValue::try_from(authority.as_str())
    {
        request.headers_mut().insert(http::header::HOST, host);
    }
    *request.uri_mut() = Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")));
    *request.version_mut() = http::Version::HTTP_11;
}

pub fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(MOST_HEADER_BYTES).max_headers(MOST_FIELDS);
    builder
}
