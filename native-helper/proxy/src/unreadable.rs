//! What hyper’s HTTP/1.1 leaves open between two requests. A head that has begun has to end soon. And hyper answers what it
//! can’t read as a request itself, with a status alone: such an answer gets a text, as each of the proxy’s own has. It is
//! known by this: hyper writes it while no request is under way.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http::{Response, StatusCode};
use http_body_util::BodyExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::bodies::Body;
use crate::failure::Failure;
use crate::request_rules;

/// From the first byte of a head to its end. How long a connection may idle before a head is another limit.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The requests of a connection, and how many answers of them hyper has taken to their end.
#[derive(Default)]
pub struct Requests {
    begun: AtomicUsize,
    answered: AtomicUsize,
}

impl Requests {
    pub fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    /// `answer` counts once its body has ended. One that changes the protocol never does: other bytes follow it.
    pub fn answer(self: &Arc<Self>, answer: Response<Body>) -> Response<Body> {
        if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
            return answer;
        }
        let end = End(self.clone());
        answer.map(|body| {
            let kept = move |error| {
                let _until_its_end = &end;
                error
            };
            body.map_err(kept).boxed()
        })
    }
}

struct End(Arc<Requests>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.answered.fetch_add(1, Ordering::Relaxed);
    }
}

pub struct Told<Io> {
    io: Io,
    requests: Arc<Requests>,
    /// So many answers have left.
    flushed: usize,
    /// What is written in place of hyper’s answer, and how far.
    text: Vec<u8>,
    written: usize,
    /// Of a head that has begun; until its answer has left.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<Io> Told<Io> {
    pub fn new(io: Io, requests: Arc<Requests>) -> Self {
        Self { io, requests, flushed: 0, text: Vec::new(), written: 0, deadline: None }
    }

    fn is_idle(&self) -> bool {
        self.requests.begun.load(Ordering::Relaxed) == self.flushed
    }
}

/// hyper’s answer with a text; none: it isn’t one.
fn with_text(answer: &[u8]) -> Option<Vec<u8>> {
    let answer = std::str::from_utf8(answer).ok()?;
    let status = StatusCode::from_bytes(answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.as_bytes()).ok()?;
    let (before, after) = answer.split_once("content-length: 0\r\n")?;
    if !status.is_client_error() || !after.ends_with("\r\n") {
        return None;
    }
    let failure = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => request_rules::too_large(),
        StatusCode::URI_TOO_LONG => Failure::new(status, "the request’s URL is too long: 64 KiB at most"),
        _ => Failure::new(status, "this is no request of HTTP/1.1 that can be read"),
    };
    let text = failure.line();
    let length = text.len();
    let mut fields = String::new();
    for (name, value) in failure.response().headers() {
        fields = format!("{fields}{name}: {}\r\n", value.to_str().ok()?);
    }
    Some(format!("{before}{fields}content-length: {length}\r\n{after}{text}").into_bytes())
}

impl<Io: AsyncRead + Unpin> AsyncRead for Told<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_read(context, buffer);
        if !self.is_idle() {
            return polled;
        }
        if polled.is_ready() {
            self.deadline.get_or_insert_with(|| Box::pin(sleep(HEAD_TIME)));
        } else if let Some(deadline) = &mut self.deadline {
            ready!(deadline.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        polled
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Told<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.text.is_empty() && this.is_idle() {
            this.text = with_text(bytes).unwrap_or_default();
        }
        if this.text.is_empty() {
            return Pin::new(&mut this.io).poll_write(context, bytes);
        }
        while let Some(rest) = this.text.get(this.written..).filter(|rest| !rest.is_empty()) {
            this.written += ready!(Pin::new(&mut this.io).poll_write(context, rest))?;
        }
        (this.text, this.written) = (Vec::new(), 0);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.is_idle() {
            // hyper’s own answer is in one piece.
            let first = slices.iter().find(|slice| !slice.is_empty());
            return self.poll_write(context, first.map_or(&[], |slice| slice));
        }
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Read first: what is answered while this waits may have bytes to come.
        let answered = self.requests.answered.load(Ordering::Relaxed);
        ready!(Pin::new(&mut self.io).poll_flush(context))?;
        if self.flushed != answered {
            self.flushed = answered;
            self.deadline = None;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
