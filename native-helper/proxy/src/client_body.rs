//! The body of a client’s request. What nobody reads of it is read here: the client may first send it all and then look for
//! the answer, and some, such as curl 7.88, miss the answer where the stream is reset behind it (RFC 9113, section 8.1).

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Version};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Instant, timeout_at};

use crate::lingering::{SILENT, WHOLE};

/// Over HTTP/1.1 the end of a connection lingers (lingering.rs): there the client may wait for a 100 before it sends any of
/// it, which reading would bring about.
pub struct ClientBody {
    body: Option<Incoming>,
    is_http2: bool,
}

impl ClientBody {
    pub fn of(request: Request<Incoming>) -> Request<Self> {
        let is_http2 = request.version() == Version::HTTP_2;
        request.map(|body| Self { body: Some(body), is_http2 })
    }
}

impl Drop for ClientBody {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| self.is_http2 && !body.is_end_stream()) {
            tokio::spawn(read_to_end(body));
        }
    }
}

async fn read_to_end(mut body: Incoming) {
    let end = Instant::now() + WHOLE;
    while let Ok(Some(Ok(_))) = timeout_at(end.min(Instant::now() + SILENT), body.frame()).await {}
}

impl Body for ClientBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let next = ready!(Pin::new(body).poll_frame(context));
        if !matches!(next, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(next)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
