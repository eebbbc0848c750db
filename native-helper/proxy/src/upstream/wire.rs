//! A connection to a cluster, as HTTP sees it: it knows whether anything was sent, and reads what the cluster said before it
//! stopped reading.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connect::UpstreamIo;

/// How often something was sent on a connection. The end of TLS doesn’t count: it is no part of a request.
#[derive(Clone, Default)]
pub struct Sent(Arc<AtomicU64>);

impl Sent {
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub struct Wire {
    io: UpstreamIo,
    sent: Sent,
    /// The cluster reads no more. What it said before that is still to be read: why it refused a body, or which requests it
    /// didn’t look at. So a request fails by what is read, and not by what can’t be written.
    is_deaf: bool,
}

impl Wire {
    pub fn new(io: UpstreamIo) -> Self {
        Self { io, sent: Sent::default(), is_deaf: false }
    }

    pub fn sent(&self) -> Sent {
        self.sent.clone()
    }

    /// Takes `length` bytes for written once nobody reads them.
    fn poll_sending(
        &mut self,
        length: usize,
        send: impl FnOnce(Pin<&mut UpstreamIo>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if self.is_deaf {
            return Poll::Ready(Ok(length));
        }
        let before = self.io.get_ref().0.written();
        let polled = send(Pin::new(&mut self.io));
        // TLS takes what it can’t send yet; and of several records one may be sent before another one fails.
        if matches!(&polled, Poll::Ready(Ok(1..))) || self.io.get_ref().0.written() != before {
            self.sent.0.fetch_add(1, Ordering::Relaxed);
        }
        match ready!(polled) {
            Err(error) if is_end(&error) => {
                self.is_deaf = true;
                Poll::Ready(Ok(length))
            }
            done => Poll::Ready(done),
        }
    }
}

fn is_end(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    matches!(error.kind(), BrokenPipe | ConnectionReset | ConnectionAborted)
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_sending(bytes.len(), |io| io.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length = slices.iter().map(|slice| slice.len()).sum();
        self.poll_sending(length, |io| io.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_sending(0, |io| io.poll_flush(context).map_ok(|()| 0)).map_ok(drop)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_deaf {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
