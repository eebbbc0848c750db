//! The loopback TLS listener.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::service::service_fn;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::bodies::BoxError;
use crate::connection;
use crate::forward::forward;
use crate::peer;
use crate::shared::{Shared, held};
use crate::unproved::{Proof, Unproved};

const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
const MOST_CONNECTIONS: usize = 4_000;

/// Replaced in place: connections that are open keep what they began with.
pub type Leaf = Arc<Mutex<Arc<ServerConfig>>>;

/// PEM, the leaf first.
pub fn leaf(certificate: &str, key: &str) -> Result<Arc<ServerConfig>, BoxError> {
    let chain = CertificateDer::pem_slice_iter(certificate.as_bytes()).collect::<Result<Vec<_>, _>>()?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from_pem_slice(key.as_bytes())?)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Port 0: any.
pub async fn bind(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

pub async fn accept(listener: TcpListener, leaf: Leaf, shared: Arc<Shared>) {
    accept_each(listener, |stream, from, proof| {
        serve(stream, from, held(&leaf).clone(), shared.clone(), proof)
    })
    .await;
}

/// A task for each connection: one that panics ends that connection, and gives its place back.
async fn accept_each<Serving>(
    listener: TcpListener,
    serve: impl Fn(TcpStream, SocketAddr, Arc<Proof>) -> Serving,
) where
    Serving: Future<Output = ()> + Send + 'static,
{
    let unproved = Arc::new(Unproved::default());
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, from)) => {
                let proof = unproved.begin();
                let serving = serve(stream, from, proof.clone());
                let task = tokio::spawn(async move {
                    let _place = place;
                    serving.await;
                });
                unproved.add(&proof, task.abort_handle());
            }
            // Out of file descriptors: some will be free again.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(
    stream: TcpStream,
    from: SocketAddr,
    leaf: Arc<ServerConfig>,
    shared: Arc<Shared>,
    proof: Arc<Proof>,
) {
    let (SocketAddr::V4(client), Ok(SocketAddr::V4(server))) = (from, stream.local_addr()) else {
        return;
    };
    if !peer::is_own_user(client, server) || stream.set_nodelay(true).is_err() {
        return;
    }
    let accepting = TlsAcceptor::from(leaf).accept(stream);
    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIME, accepting).await {
        let _open = shared.connection();
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let service = service_fn(|request| forward(request, shared.clone(), proof.clone()));
        tokio::select! {
            () = connection::serve(stream, is_http2, service) => (),
            () = proof.is_late() => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// What early data asks for may be asked again by whoever recorded it (RFC 8446, section 8).
    #[test]
    fn no_early_data_is_taken() -> Result<(), BoxError> {
        let key = rcgen::KeyPair::generate()?;
        let certificate = rcgen::CertificateParams::default().self_signed(&key)?;
        assert_eq!(leaf(&certificate.pem(), &key.serialize_pem())?.max_early_data_size, 0);
        Ok(())
    }

    #[tokio::test]
    async fn a_panic_ends_its_connection_alone() -> Result<(), BoxError> {
        let listener = bind(0).await?;
        let to = listener.local_addr()?;
        let accepting = tokio::spawn(accept_each(listener, |mut stream, _, _| async move {
            let byte = stream.read_u8().await;
            assert_ne!(byte.ok(), Some(b'!'), "as a bug would");
            let _ = stream.write_all(b"fine").await;
        }));
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
