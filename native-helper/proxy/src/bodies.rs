//! Bodies pass through in both directions, with their trailers. What has to be kept whole is in payload.rs.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
pub type Body = BoxBody<Bytes, BoxError>;

pub fn full(content: impl Into<Bytes>) -> Body {
    Full::new(content.into()).map_err(|never| match never {}).boxed()
}

pub fn empty() -> Body {
    Empty::new().map_err(|never| match never {}).boxed()
}

/// Counts the bytes of a body, has `clean` change its trailers, and keeps `held` until its end, or until it is dropped.
pub fn counted<B, Clean, Held>(body: B, bytes: Arc<AtomicU64>, clean: Clean, held: Held) -> Body
where
    Clean: Fn(&mut HeaderMap) + Send + Sync + Unpin + 'static,
    B: HttpBody<Data = Bytes> + Send + Sync + Unpin + 'static,
    B::Error: Into<BoxError>,
    Held: Send + Sync + Unpin + 'static,
{
    Counted { body, bytes, clean, _held: held }.boxed()
}

struct Counted<B, Clean, Held> {
    body: B,
    bytes: Arc<AtomicU64>,
    clean: Clean,
    _held: Held,
}

impl<B, Clean, Held> HttpBody for Counted<B, Clean, Held>
where
    Clean: Fn(&mut HeaderMap) + Unpin,
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
    Held: Unpin,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let mut polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &mut polled {
            if let Some(data) = frame.data_ref() {
                self.bytes.fetch_add(data.len() as u64, Ordering::Relaxed);
            } else if let Some(trailers) = frame.trailers_mut() {
                (self.clean)(trailers);
            }
        }
        polled.map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
