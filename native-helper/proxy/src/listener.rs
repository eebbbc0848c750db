//! The listeners’ connections: TLS, within what all listeners together may have open.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::client_listener::ClientListener;
use crate::connection;
use crate::forward::forward;
use crate::leaf::Leaf;
use crate::peer;
use crate::shared::Shared;
use crate::unproved::{Proof, Unproved};

const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Of all listeners.
const MOST_CONNECTIONS: usize = 4_000;

/// Where connections come in.
pub trait Bound {
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// None: another user’s, which is closed unread.
    fn accept(&self) -> impl Future<Output = io::Result<Option<Self::Stream>>> + Send;
}

impl Bound for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<Option<TcpStream>> {
        let (stream, from) = TcpListener::accept(self).await?;
        let (SocketAddr::V4(client), Ok(SocketAddr::V4(server))) = (from, stream.local_addr()) else {
            return Ok(None);
        };
        let is_own = peer::is_own_user(client, server) && stream.set_nodelay(true).is_ok();
        Ok(is_own.then_some(stream))
    }
}

/// What all listeners share.
pub struct Reception {
    pub shared: Arc<Shared>,
    pub leaf: Arc<Leaf>,
    unproved: Arc<Unproved>,
    places: Arc<Semaphore>,
}

/// Port 0: any.
pub async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

impl Reception {
    pub fn new(shared: Arc<Shared>, leaf: Arc<Leaf>) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        Arc::new(Self { shared, leaf, unproved: Arc::default(), places })
    }

    /// Serves all that connect. `own`: the listener is one client’s, and its connections end with it.
    pub async fn accept(&self, bound: impl Bound, tls: Arc<ServerConfig>, own: Option<Arc<ClientListener>>) {
        self.accept_each(bound, |stream, proof| {
            let serving = serve(stream, tls.clone(), self.shared.clone(), proof, own.clone());
            let own = own.clone();
            async move {
                match own {
                    None => serving.await,
                    Some(own) => tokio::select! {
                        () = serving => (),
                        () = own.ended() => (),
                    },
                }
            }
        })
        .await;
    }

    /// A task for each connection: one that panics ends that connection, and gives its place back.
    async fn accept_each<Socket: Bound, Serving>(
        &self,
        bound: Socket,
        serve: impl Fn(Socket::Stream, Arc<Proof>) -> Serving,
    ) where
        Serving: Future<Output = ()> + Send + 'static,
    {
        loop {
            let Ok(place) = self.places.clone().acquire_owned().await else {
                return;
            };
            match bound.accept().await {
                Ok(Some(stream)) => {
                    let proof = self.unproved.begin();
                    let serving = serve(stream, proof.clone());
                    let task = tokio::spawn(async move {
                        let _place = place;
                        serving.await;
                    });
                    self.unproved.add(&proof, task.abort_handle());
                }
                Ok(None) => (),
                // Out of file descriptors: some will be free again.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

async fn serve<Io>(
    stream: Io,
    tls: Arc<ServerConfig>,
    shared: Arc<Shared>,
    proof: Arc<Proof>,
    own: Option<Arc<ClientListener>>,
) where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let accepting = TlsAcceptor::from(tls).accept(stream);
    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIME, accepting).await {
        let _open = shared.connection();
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let service = service_fn(|request| forward(request, shared.clone(), proof.clone(), own.clone()));
        tokio::select! {
            () = connection::serve(stream, is_http2, service) => (),
            () = proof.is_late() => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::mpsc;

    use super::*;
    use crate::bodies::BoxError;

    fn reception() -> Result<Arc<Reception>, BoxError> {
        let key = rcgen::KeyPair::generate()?;
        let certificate = rcgen::CertificateParams::default().self_signed(&key)?;
        let leaf = Leaf::new(&certificate.pem(), &key.serialize_pem())?;
        Ok(Reception::new(Arc::new(Shared::new(String::new(), mpsc::channel(1).0)), leaf))
    }

    #[tokio::test]
    async fn a_panic_ends_its_connection_alone() -> Result<(), BoxError> {
        let listener = bind(0).await?;
        let to = listener.local_addr()?;
        let reception = reception()?;
        let accepting = tokio::spawn(async move {
            let serve = |mut stream: TcpStream, _| async move {
                let byte = stream.read_u8().await;
                assert_ne!(byte.ok(), Some(b'!'), "as a bug would");
                let _ = stream.write_all(b"fine").await;
            };
            reception.accept_each(listener, serve).await;
        });
        let mut other = TcpStream::connect(to).await?;
        // More than there are places.
        for _ in 0..MOST_CONNECTIONS + 10 {
            let mut stream = TcpStream::connect(to).await?;
            stream.write_all(b"!").await?;
            assert_eq!(stream.read_u8().await.ok(), None);
        }
        let mut text = String::new();
        other.write_all(b"?").await?;
        other.read_to_string(&mut text).await?;
        assert_eq!(text, "fine");
        accepting.abort();
        Ok(())
    }
}
