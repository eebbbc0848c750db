//! A request that changes its connection’s protocol: WebSocket, SPDY. After that bytes pass in both directions, half-closes
//! included.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use http::header::{CONNECTION, HeaderMap, HeaderValue, UPGRADE};
use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::bodies::{Body, empty};
use crate::failure::Failure;
use crate::request_rules;
use crate::shared::Cluster;
use crate::streams::Stream;

/// Bytes under way, for each direction.
const BUFFER: usize = 64 * 1024;

pub struct Switched {
    headers: HeaderMap,
    client: OnUpgrade,
    server: OnUpgrade,
}

/// `response`: the cluster changes the protocol, as it says in it.
pub fn switch<B>(
    mut request: Request<B>,
    mut response: Response<Incoming>,
    cluster: &Cluster,
) -> Result<Switched, Failure> {
    let protocol = response.headers().get(UPGRADE).cloned();
    if !protocol.as_ref().is_some_and(|protocol| is_among(protocol, request.headers())) {
        let text = format!("{} changes to another protocol than was asked for", cluster.name);
        return Err(Failure::new(StatusCode::BAD_GATEWAY, text));
    }
    let mut headers = response.headers().clone();
    request_rules::clean_answer(&mut headers);
    if !cluster.passes_cookies {
        request_rules::remove_cookies(&mut headers);
    }
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    if let Some(protocol) = protocol {
        headers.insert(UPGRADE, protocol);
    }
    let client = hyper::upgrade::on(&mut request);
    let server = hyper::upgrade::on(&mut response);
    Ok(Switched { headers, client, server })
}

/// RFC 9110, section 7.8: a server changes to a protocol that was offered.
fn is_among(protocol: &HeaderValue, offered: &HeaderMap) -> bool {
    offered
        .get_all(UPGRADE)
        .iter()
        .flat_map(|offered| offered.as_bytes().split(|&byte| byte == b','))
        .any(|each| each.trim_ascii().eq_ignore_ascii_case(protocol.as_bytes()))
}

impl Switched {
    /// The answer for the client; then bytes pass until both ends have ended, or the stream has to. `held` is kept until
    /// then.
    pub fn run<Held: Send + 'static>(self, stream: Arc<Stream>, held: Held) -> Response<Body> {
        let Self { headers, client, server } = self;
        tokio::spawn(async move {
            if let (Ok(client), Ok(server)) = (client.await, server.await) {
                let mut client = TokioIo::new(client);
                let (up, down) = (stream.up.clone(), stream.down.clone());
                let mut server = Counting { io: TokioIo::new(server), up, down };
                let copying =
                    tokio::io::copy_bidirectional_with_sizes(&mut client, &mut server, BUFFER, BUFFER);
                tokio::select! {
                    _ = copying => (),
                    () = stream.ended() => (),
                }
            }
            drop(held);
        });
        let mut switching = Response::new(empty());
        *switching.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        *switching.headers_mut() = headers;
        switching
    }
}

/// The cluster’s side: what is read from it goes down, what is written to it goes up.
struct Counting<Io> {
    io: Io,
    up: Arc<AtomicU64>,
    down: Arc<AtomicU64>,
}

impl<Io: AsyncRead + Unpin> AsyncRead for Counting<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.io).poll_read(context, buffer);
        self.down.fetch_add((buffer.filled().len() - before) as u64, Ordering::Relaxed);
        polled
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Counting<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = &polled {
            self.up.fetch_add(*count as u64, Ordering::Relaxed);
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
