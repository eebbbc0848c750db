//! An answer’s body that ends with an error once its stream has to end.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::bodies::BoxError;
use crate::streams::Stream;

pub struct Ending {
    body: Incoming,
    ended: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
}

impl Ending {
    pub fn new(body: Incoming, stream: Arc<Stream>) -> Self {
        Self { body, ended: Box::pin(async move { stream.ended().await }) }
    }
}

impl Body for Ending {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.ended.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err("ended by the user, or by the lock".into())));
        }
        Pin::new(&mut self.body).poll_frame(context).map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
