//! Tells that a server of TLS 1.2 asks for another handshake, as some do to ask for a certificate once they know the path.
//! rustls has none, and refuses; most servers then end the connection, and say nothing that a user could act on. The request
//! itself is encrypted. But its record’s type is not (RFC 5246, section 6.2.1), and after a handshake no other has it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connect::Hop;

const CHANGE_CIPHER_SPEC: u8 = 20;
const HANDSHAKE: u8 = 22;

/// Below TLS.
pub struct Watched {
    hop: Hop,
    /// None: nothing is looked for.
    records: Option<Records>,
    written: u64,
}

impl Watched {
    /// `asked` is set once the server asks.
    pub fn new(hop: Hop, asked: Option<Arc<AtomicBool>>) -> Self {
        Self { hop, records: asked.map(Records::new), written: 0 }
    }

    /// In bytes, of TLS’s own.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn note(&mut self, polled: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(count)) = polled {
            self.written += *count as u64;
        }
    }
}

/// The headers of the server’s records.
pub struct Records {
    header: [u8; 5],
    known: usize,
    /// Of the record’s body.
    left: usize,
    has_changed_cipher: bool,
    /// Of handshakes, since then: the first one ends it. In TLS 1.3 there is no second one either.
    encrypted: usize,
    asked: Arc<AtomicBool>,
}

impl Records {
    /// `asked` is set once the server asks.
    pub fn new(asked: Arc<AtomicBool>) -> Self {
        Self { header: [0; 5], known: 0, left: 0, has_changed_cipher: false, encrypted: 0, asked }
    }

    pub fn see(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let skipped = self.left.min(bytes.len());
            self.left -= skipped;
            bytes = bytes.get(skipped..).unwrap_or_default();
            if let (Some(place), Some((first, rest))) = (self.header.get_mut(self.known), bytes.split_first())
            {
                *place = *first;
                self.known += 1;
                bytes = rest;
            }
            if self.known == self.header.len() {
                let [kind, _, _, high, low] = self.header;
                self.left = usize::from(u16::from_be_bytes([high, low]));
                self.known = 0;
                self.begin(kind);
            }
        }
    }

    fn begin(&mut self, kind: u8) {
        match kind {
            CHANGE_CIPHER_SPEC => self.has_changed_cipher = true,
            HANDSHAKE if self.has_changed_cipher => {
                self.encrypted += 1;
                if self.encrypted > 1 {
                    self.asked.store(true, Ordering::Relaxed);
                }
            }
            _ => (),
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { hop, records, .. } = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(hop).poll_read(context, buffer);
        if let Some(records) = records {
            records.see(buffer.filled().get(before..).unwrap_or_default());
        }
        polled
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.hop).poll_write(context, bytes);
        self.note(&polled);
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.hop).poll_write_vectored(context, slices);
        self.note(&polled);
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.hop.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().hop).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().hop).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, length: u16) -> Vec<u8> {
        let [high, low] = length.to_be_bytes();
        // A body that looks like records.
        [vec![kind, 3, 3, high, low], vec![HANDSHAKE; usize::from(length)]].concat()
    }

    fn asks(records: &[(u8, u16)], chunk: usize) -> bool {
        let asked = Arc::new(AtomicBool::new(false));
        let mut watched = Records::new(asked.clone());
        let bytes: Vec<u8> = records.iter().flat_map(|(kind, length)| record(*kind, *length)).collect();
        for part in bytes.chunks(chunk) {
            watched.see(part);
        }
        asked.load(Ordering::Relaxed)
    }

    // RFC 5246, section 7.3 and 7.4.1.1: hello, key exchange, ticket; cipher, finished; data; hello request. RFC 8446, appendix
    // D.4: a hello that asks again, the cipher that changes nothing, hello; data.
    #[test]
    fn tells_a_request_for_another_handshake() {
        let tls12 = [(22, 90), (22, 700), (22, 200), (20, 1), (22, 40), (23, 1_000), (23, 0)];
        let tls13 = [(22, 88), (20, 1), (22, 90), (23, 700), (23, 53), (23, 9_000)];
        let asked = [&tls12[..], &[(22, 24)]].concat();
        for chunk in [1, 3, 5, 7, 1_024, 100_000] {
            assert!(!asks(&tls12, chunk));
            assert!(!asks(&tls13, chunk));
            assert!(asks(&asked, chunk));
        }
    }
}
