//! A client’s connection that isn’t closed while the client still sends: the system would reset it, and with that throw away
//! an answer that the client hasn’t read, such as why its body is refused (RFC 9112, section 9.6).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// nginx’s `lingering_time` and `lingering_timeout`: altogether, and without a byte.
pub const WHOLE: Duration = Duration::from_secs(30);
pub const SILENT: Duration = Duration::from_secs(5);
const PIECE: usize = 16 * 1024;

pub struct Lingering<Io> {
    io: Io,
    is_http: Arc<AtomicBool>,
    /// Since it was shut down.
    limits: Option<Pin<Box<Limits>>>,
}

struct Limits {
    end: Instant,
    silence: Pin<Box<Sleep>>,
}

impl<Io> Lingering<Io> {
    pub fn new(io: Io) -> Self {
        Self { io, is_http: Arc::new(AtomicBool::new(true)), limits: None }
    }

    /// False from then on: both halves are another protocol’s, and end each by itself.
    pub fn is_http(&self) -> Arc<AtomicBool> {
        self.is_http.clone()
    }
}

impl Limits {
    fn new() -> Self {
        Self { end: Instant::now() + WHOLE, silence: Box::pin(sleep(SILENT)) }
    }

    fn begin_anew(&mut self) {
        self.silence.as_mut().reset((Instant::now() + SILENT).min(self.end));
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    /// Ready once the client has closed, too, or was waited for long enough.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let limits = match &mut this.limits {
            Some(limits) => limits,
            None => {
                ready!(Pin::new(&mut this.io).poll_shutdown(context))?;
                if !this.is_http.load(Ordering::Relaxed) {
                    return Poll::Ready(Ok(()));
                }
                this.limits.insert(Box::pin(Limits::new()))
            }
        };
        loop {
            let mut space = [0; PIECE];
            let mut read = ReadBuf::new(&mut space);
            match Pin::new(&mut this.io).poll_read(context, &mut read) {
                Poll::Ready(Ok(())) if !read.filled().is_empty() && Instant::now() < limits.end => {
                    limits.begin_anew();
                }
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return limits.silence.as_mut().poll(context).map(Ok),
            }
        }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Lingering<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_a_client_still_sends_is_read_until_it_ends_or_for_so_long() -> io::Result<()> {
        let closing = |is_http: bool| async move {
            let (mut client, server) = duplex(4);
            let mut server = Lingering::new(server);
            server.is_http().store(is_http, Ordering::Relaxed);
            let sending = tokio::spawn(async move {
                let mut sent = 0;
                // A byte at a time, for ever.
                while client.write_all(b"a").await.is_ok() {
                    sent += 1;
                    tokio::time::sleep(SILENT / 2).await;
                }
                sent
            });
            let began = Instant::now();
            server.shutdown().await?;
            drop(server);
            Ok::<_, io::Error>((began.elapsed(), sending.await?))
        };
        let (took, sent) = closing(true).await?;
        assert!(took >= WHOLE && took <= WHOLE + SILENT, "{took:?}");
        assert!(sent >= 12, "{sent}");
        assert_eq!(closing(false).await?.0, Duration::ZERO);

        let (client, server) = duplex(4);
        let began = Instant::now();
        Lingering::new(server).shutdown().await?;
        assert_eq!(began.elapsed(), SILENT);
        drop(client);

        let (mut client, server) = duplex(4);
        client.write_all(b"abc").await?;
        let reading = tokio::spawn(async move {
            let end = client.read(&mut [0]).await;
            drop(client);
            end
        });
        let began = Instant::now();
        Lingering::new(server).shutdown().await?;
        assert_eq!(began.elapsed(), Duration::ZERO);
        assert_eq!(reading.await??, 0);
        Ok(())
    }
}
