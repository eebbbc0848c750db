//! The connections to one cluster, kept and shared. Before the server’s limit of streams on one is reached, another is
//! opened: what waits for a place behind watches would wait for ever.

mod connect;
mod endings;
mod held_certificate;
mod held_key;
mod renegotiation;
mod stated;
mod trusted;
mod wire;

use std::error::Error as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::header::{HeaderValue, TRANSFER_ENCODING};
use http::uri::{PathAndQuery, Scheme};
use http::{StatusCode, Uri};
use hyper::body::{Body as _, Incoming};
use hyper::client::conn::{TrySendError, http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

use connect::Way;
pub use connect::authority;
use endings::Endings;
pub use held_certificate::{Held, HeldCertificate, Signatures};
pub use renegotiation::Records;
pub use stated::{StatedUpstream, client_config};
pub use trusted::Trusted;
use wire::{Sent, Wire};

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
    endings: Endings,
    /// One at a time while it isn’t known what the server speaks, for HTTP/2, and with a key that is held.
    opening: tokio::sync::Mutex<()>,
    speaks_http1: AtomicBool,
    /// The last that could not be opened: when, and why.
    failed: Mutex<Option<(Instant, BoxError)>>,
}

#[derive(Clone)]
struct Multiplexed {
    sender: http2::SendRequest<Body>,
    sent: Sent,
    opened: Instant,
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

type Connection = http2::Connection<TokioIo<Wire>, Body, TokioExecutor>;

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

/// What a request asks of its connection.
#[derive(Clone, Copy)]
pub struct Wish {
    /// It failed before, and goes on no connection that was open then: that one’s end may be the end of others.
    pub failed_at: Option<Instant>,
    /// It is sent again where its connection ends before the answer. Any other one keeps away from a connection that is
    /// about to end.
    pub is_safe: bool,
}

struct Idle {
    sender: http1::SendRequest<Body>,
    sent: Sent,
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

/// The connection that broke under a request.
pub enum Ended {
    Kept,
    /// It ended without a word.
    New,
}

pub enum SendFault {
    /// Nothing was sent.
    Unreachable(BoxError),
    /// The cluster didn’t look at it: it says so (RFC 9113, section 8.7), or nothing of it was sent.
    Unprocessed { error: BoxError, said: bool, was_kept: bool },
    /// It may have been done. None: its connection didn’t end, or no other one may be opened for it.
    Broken { error: BoxError, ended: Option<Ended> },
    /// Broken, since the server asks for a certificate by another handshake on the same connection.
    AskedLate,
}

impl SendFault {
    /// For the user; with what caused it.
    pub fn failure(self, cluster: &str, server: &str) -> Failure {
        let is_unreachable = matches!(self, Self::Unreachable(_));
        let (what, error) = match self {
            Self::Unreachable(error) => ("can’t be reached", error),
            Self::Unprocessed { error, said: true, .. } => ("takes no requests", error),
            Self::Unprocessed { error, .. } | Self::Broken { error, .. } => ("broke the connection", error),
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
        let place = if is_unreachable { format!(" ({server})") } else { String::new() };
        let text = format!("{cluster}{place} {what}: {}", with_causes(&*error));
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
    Multiplexed(http2::SendRequest<Body>, Sent, Place),
    /// With how long it was idle; none: it is new.
    Alone(http1::SendRequest<Body>, Sent, Option<Duration>),
}

impl Taken {
    fn is_open(&self) -> bool {
        match self {
            Self::Multiplexed(sender, ..) => !sender.is_closed(),
            Self::Alone(sender, ..) => sender.is_ready(),
        }
    }
}

impl Upstream {
    /// Sends a request once; its URI is a path and query.
    pub async fn send(&self, mut request: Request<Body>, wish: Wish) -> Result<Answer, SendFault> {
        let (taken, connected) = self.take(wish).await.map_err(SendFault::Unreachable)?;
        match taken {
            Taken::Multiplexed(mut sender, sent, place) => {
                self.make_absolute(&mut request);
                let before = sent.count();
                match sender.try_send_request(request).await {
                    Ok(response) => Ok(Answer { response, place: Some(place), connected }),
                    Err(fault) => Err(self.fault(fault, sent.count() == before, connected)),
                }
            }
            Taken::Alone(mut sender, sent, idle) => {
                make_relative(&mut request);
                let before = sent.count();
                match sender.try_send_request(request).await {
                    // hyper reads on past other informational answers.
                    Ok(response) if response.status() == StatusCode::SWITCHING_PROTOCOLS => {
                        let error = "it changes the protocol, unasked".into();
                        Err(SendFault::Broken { error, ended: None })
                    }
                    Ok(response) => {
                        self.keep_once_ready(sender, sent);
                        Ok(Answer { response, place: None, connected })
                    }
                    Err(fault) => {
                        self.endings.note(idle);
                        Err(self.fault(fault, sent.count() == before, connected))
                    }
                }
            }
        }
    }

    /// `is_quiet`: nothing was sent on its connection meanwhile. A connection that was opened for it may have been refused
    /// without a word, for its certificate: that counts where hyper gives the request back.
    fn fault<M>(&self, mut fault: TrySendError<M>, is_quiet: bool, connected: Option<Duration>) -> SendFault {
        let was_kept = connected.is_none();
        let is_unsent = fault.take_message().is_some() || (was_kept && is_quiet);
        let error = fault.into_error();
        let said = says_unprocessed(&error);
        let is_end = is_end(&error);
        let error = error.into();
        // A key that is held signs for each connection, and someone may have to confirm that.
        let may_connect_again = was_kept || !self.holds_key();
        if (said || is_unsent) && may_connect_again {
            return SendFault::Unprocessed { error, said, was_kept };
        }
        let is_new_end = is_end && may_connect_again;
        self.broken(error, if was_kept { Some(Ended::Kept) } else { is_new_end.then_some(Ended::New) })
    }

    /// Sends a request that upgrades its connection, on a separate one.
    pub async fn upgrade(&self, request: Request<Body>) -> Result<Answer, SendFault> {
        let began = Instant::now();
        let stream = {
            let _one = if self.holds_key() { Some(self.opening.lock().await) } else { None };
            self.way.connect(true).await.map_err(SendFault::Unreachable)?
        };
        let (mut sender, connection) = http1_builder()
            .handshake(TokioIo::new(Wire::new(stream)))
            .await
            .map_err(|error| SendFault::Unreachable(error.into()))?;
        tokio::spawn(connection.with_upgrades());
        let connected = Some(began.elapsed());
        let response = sender.send_request(request).await.map_err(|error| self.broken(error.into(), None))?;
        Ok(Answer { response, place: None, connected })
    }

    /// With what it took to open one, where none was kept.
    async fn take(&self, wish: Wish) -> Result<(Taken, Option<Duration>), BoxError> {
        if let Some(taken) = self.kept(wish).await {
            return Ok((taken, None));
        }
        if self.speaks_http1.load(Ordering::Relaxed) && !self.holds_key() {
            return self.open_timed().await;
        }
        let asked_at = Instant::now();
        let _one = self.opening.lock().await;
        // Another may have opened one meanwhile.
        if let Some(taken) = self.kept(wish).await {
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

    fn broken(&self, error: BoxError, ended: Option<Ended>) -> SendFault {
        let asked_late =
            self.way.asked_late.as_ref().is_some_and(|asked| asked.swap(false, Ordering::Relaxed));
        if asked_late { SendFault::AskedLate } else { SendFault::Broken { error, ended } }
    }

    async fn open_timed(&self) -> Result<(Taken, Option<Duration>), BoxError> {
        let began = Instant::now();
        let taken = self.open().await?;
        Ok((taken, Some(began.elapsed())))
    }

    /// A connection that was kept, and is open still: what its server has sent by now, such as its end, is read before a
    /// request is written (RFC 9112, section 9.3.1).
    async fn kept(&self, wish: Wish) -> Option<Taken> {
        loop {
            let taken = self.kept_before(wish)?;
            // The runtime looks for what has come, and the connection’s own task reads it.
            tokio::task::yield_now().await;
            if taken.is_open() {
                return Some(taken);
            }
            if let Taken::Alone(_, _, idle) = taken {
                self.endings.note(idle);
            }
        }
    }

    /// As far as it was read.
    fn kept_before(&self, Wish { failed_at, is_safe }: Wish) -> Option<Taken> {
        let failed_at = failed_at.filter(|_| !self.holds_key());
        let mut shared = held(&self.shared);
        shared.retain(|Multiplexed { sender, load, .. }| !sender.is_closed() && !load.is_idle());
        let is_new = |each: &Multiplexed| failed_at.is_none_or(|failed_at| each.opened >= failed_at);
        if let Some(Multiplexed { sender, sent, load, .. }) =
            shared.iter().find(|each| !each.load.is_full() && is_new(each))
        {
            load.streams.fetch_add(1, Ordering::Relaxed);
            return Some(Taken::Multiplexed(sender.clone(), sent.clone(), Place(load.clone())));
        }
        drop(shared);
        if failed_at.is_some() {
            return None;
        }
        let mut idle = held(&self.idle);
        // The last one was idle for the shortest time.
        while let Some(Idle { sender, sent, since }) =
            idle.pop_if(|last| is_safe || !self.endings.are_near(last.since.elapsed()))
        {
            if !sender.is_ready() {
                self.endings.note(Some(since.elapsed()));
            } else if since.elapsed() < IDLE {
                return Some(Taken::Alone(sender, sent, Some(since.elapsed())));
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
        let wire = Wire::new(stream);
        let sent = wire.sent();
        let io = TokioIo::new(wire);
        if !is_http2 {
            let (sender, connection) = http1_builder().handshake(io).await?;
            tokio::spawn(connection);
            return Ok(Taken::Alone(sender, sent, None));
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
        let (opened, shared) = (Instant::now(), sender.clone());
        held(&self.shared).push(Multiplexed {
            sender: shared,
            sent: sent.clone(),
            opened,
            load: load.clone(),
        });
        let own = load.clone();
        tokio::spawn(poll_fn(move |context| own.poll(context)));
        Ok(Taken::Multiplexed(sender, sent, Place(load)))
    }

    /// A connection of HTTP/1.1 is free again once its answer was read to the end.
    fn keep_once_ready(&self, mut sender: http1::SendRequest<Body>, sent: Sent) {
        let idle = self.idle.clone();
        tokio::spawn(async move {
            if sender.ready().await.is_ok() {
                let mut idle = held(&idle);
                if idle.len() < MOST_IDLE {
                    idle.push(Idle { sender, sent, since: Instant::now() });
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

    pub fn host(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(&self.authority).ok()
    }
}

/// By a GOAWAY with the last stream that it looked at, which is one before, or by refusing this one alone. No other GOAWAY
/// is a stream’s own error.
fn says_unprocessed(error: &hyper::Error) -> bool {
    let error = error.source().and_then(|cause| cause.downcast_ref::<h2::Error>());
    error.is_some_and(|error| {
        let is_refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
        error.is_remote() && (error.is_go_away() || is_refused)
    })
}

/// The server ended the connection, and said nothing of why: neither by TLS, nor by HTTP.
fn is_end(error: &hyper::Error) -> bool {
    let h2 = error.source().and_then(|cause| cause.downcast_ref::<h2::Error>());
    let is_own = error.is_parse() || error.is_user();
    !is_own && h2.is_none_or(h2::Error::is_io) && Fault::of_broken(error) == Fault::Broken
}

fn make_relative(request: &mut Request<Body>) {
    let path = request.uri().path_and_query().cloned();
    if let Some(authority) = request.uri().authority()
        && let Ok(host) = HeaderValue::try_from(authority.as_str())
    {
        request.headers_mut().insert(http::header::HOST, host);
    }
    *request.uri_mut() = Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")));
    *request.version_mut() = http::Version::HTTP_11;
    // hyper sends none of a GET’s body without a length, unless it is told that there is one.
    if request.body().size_hint().exact().is_none() {
        request.headers_mut().insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
}

pub fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(MOST_HEADER_BYTES).max_headers(MOST_FIELDS);
    builder
}
