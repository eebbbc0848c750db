//! One connection of a client: HTTP/2 or HTTP/1.1, as TLS agreed.

use std::convert::Infallible;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::HttpService;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::bodies::Body;
use crate::strict_http1::Strict;

/// How long a connection of HTTP/1.1 may idle; Go’s client leaves one idle for 90 s. A head that has begun has less time.
const IDLE: Duration = Duration::from_secs(120);
const HEAD_BYTES: usize = 128 * 1024;
/// Go’s server has as many.
const MOST_STREAMS: u32 = 250;
const MOST_RESETS: usize = 100;
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 4 * 1024 * 1024;
const PING_EVERY: Duration = Duration::from_secs(60);
const PING_PATIENCE: Duration = Duration::from_secs(30);

/// What goes wrong with a client’s connection is that client’s matter.
pub async fn serve<Io, Service>(stream: Io, is_http2: bool, service: Service)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    Service: HttpService<Incoming, ResBody = Body, Error = Infallible> + Send,
    Service::Future: Send + 'static,
{
    if is_http2 {
        let _ = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(MOST_STREAMS)
            .max_pending_accept_reset_streams(MOST_RESETS)
            .max_local_error_reset_streams(MOST_RESETS)
            .max_header_list_size(HEAD_BYTES as u32)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_PATIENCE)
            .serve_connection(TokioIo::new(stream), service)
            .await;
    } else {
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(IDLE)
            .max_buf_size(HEAD_BYTES)
            // One that closes its half is gone, as for the API server itself: else a killed client’s watch stays open.
            .half_close(false)
            .serve_connection(TokioIo::new(Strict::new(stream)), service)
            .with_upgrades()
            .await;
    }
}
