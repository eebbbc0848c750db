//! A request’s body that passes through as it comes. What was sent of it is kept at first, so that it can begin again where
//! the cluster didn’t look at the request.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use crate::bodies::{Body, BoxError};
use crate::room::{Place, Room};
use crate::shared::held;

/// What is kept of one body, in bytes. A server that doesn’t look at a stream gives it no more than its first window: Go’s
/// servers have 1 MiB, others less.
const KEPT: usize = 1024 * 1024;
/// What is handed on again at a time.
const PIECE: usize = 64 * 1024;

/// Keeps nothing any more once it is dropped.
pub struct Replay(Arc<Mutex<Source>>);

struct Source {
    /// None: it has ended.
    body: Option<Body>,
    /// As it was before anything was read.
    size: SizeHint,
    /// None: it is too long, or won’t begin again.
    kept: Option<Kept>,
    trailers: Option<HeaderMap>,
    /// How often it has begun.
    begun: u64,
    is_broken: bool,
}

struct Kept {
    bytes: Vec<u8>,
    place: Place,
}

/// The body from its beginning. Fails once it begins again.
struct Round {
    source: Arc<Mutex<Source>>,
    number: u64,
    /// What was read in earlier rounds.
    again: Bytes,
    trailers: Option<HeaderMap>,
    handed_on: u64,
}

impl Replay {
    pub fn new(body: Body, room: &Room) -> Self {
        let size = body.size_hint();
        let (kept, trailers) = (Some(Kept { bytes: Vec::new(), place: room.place() }), None);
        let source = Source { body: Some(body), size, kept, trailers, begun: 0, is_broken: false };
        Self(Arc::new(Mutex::new(source)))
    }

    pub fn can_begin(&self) -> bool {
        let source = held(&self.0);
        source.kept.is_some() && !source.is_broken
    }

    /// Whether the client didn’t send it whole, or not as HTTP has it.
    pub fn is_broken(&self) -> bool {
        held(&self.0).is_broken
    }

    /// From its beginning: to be asked for only where it can begin.
    pub fn begin(&self) -> Body {
        let mut source = held(&self.0);
        source.begun += 1;
        let again = source.kept.as_ref().map(|kept| Bytes::copy_from_slice(&kept.bytes)).unwrap_or_default();
        Round {
            source: self.0.clone(),
            number: source.begun,
            again,
            trailers: source.trailers.clone(),
            handed_on: 0,
        }
        .boxed()
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        held(&self.0).kept = None;
    }
}

impl Source {
    /// What the client sends next.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let next = ready!(Pin::new(body).poll_frame(context));
        match &next {
            Some(Ok(frame)) => match frame.data_ref() {
                Some(data) => self.keep(data),
                None => self.trailers = frame.trailers_ref().cloned(),
            },
            Some(Err(_)) => {
                self.is_broken = true;
                self.body = None;
            }
            None => self.body = None,
        }
        Poll::Ready(next)
    }

    fn keep(&mut self, data: &[u8]) {
        if let Some(Kept { bytes, place }) = &mut self.kept {
            if bytes.len() + data.len() > KEPT || !place.grow(bytes.len() + data.len()) {
                self.kept = None;
            } else {
                bytes.extend_from_slice(data);
            }
        }
    }
}

impl HttpBody for Round {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let mut source = held(&this.source);
        if source.begun != this.number {
            return Poll::Ready(Some(Err("the request is sent again".into())));
        }
        let next = if !this.again.is_empty() {
            let length = this.again.len().min(PIECE);
            Some(Ok(Frame::data(this.again.split_to(length))))
        } else if let Some(trailers) = this.trailers.take() {
            Some(Ok(Frame::trailers(trailers)))
        } else {
            ready!(source.poll_next(context))
        };
        if let Some(Ok(frame)) = &next {
            this.handed_on += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        Poll::Ready(next)
    }

    fn is_end_stream(&self) -> bool {
        let source = held(&self.source);
        self.again.is_empty()
            && self.trailers.is_none()
            && source.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let total = held(&self.source).size.exact();
        total.map_or_else(SizeHint::default, |total| {
            SizeHint::with_exact(total.saturating_sub(self.handed_on))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many pieces of so many bytes, and then no end, as of a client that has gone.
    struct Pieces(usize, usize);

    impl HttpBody for Pieces {
        type Data = Bytes;
        type Error = BoxError;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
            let Self(count, length) = &mut *self;
            if *count == 0 {
                return Poll::Ready(Some(Err("gone".into())));
            }
            *count -= 1;
            Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b'a'; *length])))))
        }
    }

    fn replay(count: usize, length: usize) -> Replay {
        Replay::new(Pieces(count, length).boxed(), &Room::default())
    }

    /// How many bytes come next.
    async fn next(body: &mut Body) -> Option<usize> {
        Some(body.frame().await?.ok()?.into_data().ok()?.len())
    }

    #[tokio::test]
    async fn begins_again_and_goes_on_where_the_client_was() {
        let replay = replay(4, 1);
        let mut first = replay.begin();
        assert_eq!((next(&mut first).await, next(&mut first).await), (Some(1), Some(1)));
        assert!(replay.can_begin());
        let mut second = replay.begin();
        assert_eq!(next(&mut first).await, None, "only one reads on");
        assert_eq!((next(&mut second).await, next(&mut second).await), (Some(2), Some(1)));
        let mut third = replay.begin();
        // The answer is there: what is under way goes on.
        drop(replay);
        assert_eq!((next(&mut third).await, next(&mut third).await), (Some(3), Some(1)));
    }

    #[tokio::test]
    async fn one_that_is_too_long_or_broken_by_its_client_does_not_begin_again() {
        let long = replay(3, KEPT / 2);
        let mut body = long.begin();
        assert_eq!((next(&mut body).await, next(&mut body).await), (Some(KEPT / 2), Some(KEPT / 2)));
        assert!(long.can_begin());
        assert_eq!(next(&mut body).await, Some(KEPT / 2));
        assert!(!long.can_begin() && !long.is_broken());
        let broken = replay(0, 0);
        assert_eq!(next(&mut broken.begin()).await, None);
        assert!(!broken.can_begin() && broken.is_broken());
    }
}
