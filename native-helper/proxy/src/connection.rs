//! One connection of a client: HTTP/2 or HTTP/1.1, as TLS agreed. A request that hyper has read is written anew to the
//! cluster. (rule: one-reading)

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::bodies::Body;
use crate::lingering::Lingering;
use crate::request_rules::{HEADER_BYTES, MOST_FIELDS};
use crate::unreadable::{Requests, Told};

/// How long a connection of HTTP/1.1 may idle; Go’s client leaves one idle for 90 s. A head that has begun has less time.
const IDLE: Duration = Duration::from_secs(120);
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
    Service: hyper::service::Service<Request<Incoming>, Response = Response<Body>, Error = Infallible> + Send,
    Service::Future: Send + 'static,
{
    let stream = Lingering::new(stream);
    let is_http = stream.is_http();
    if is_http2 {
        let _ = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(MOST_STREAMS)
            .max_pending_accept_reset_streams(MOST_RESETS)
            .max_local_error_reset_streams(MOST_RESETS)
            // More than the rules take, so that they answer.
            .max_header_list_size(2 * HEADER_BYTES as u32)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_PATIENCE)
            .serve_connection(TokioIo::new(stream), service)
            .await;
    } else {
        let requests = Arc::new(Requests::default());
        let stream = Told::new(stream, requests.clone());
        let service = service_fn(|request| {
            requests.begin();
            let (answering, requests) = (service.call(request), requests.clone());
            async move { answering.await.map(|answer| requests.answer(answer)) }
        });
        let _ = http1_builder().serve_connection(TokioIo::new(stream), service).with_upgrades().await;
    }
    is_http.store(false, Ordering::Relaxed);
}

pub fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(HEADER_BYTES)
        .max_headers(MOST_FIELDS)
        // One that closes its half is gone, as for the API server itself: else a killed client’s watch stays open.
        .half_close(false);
    builder
}
