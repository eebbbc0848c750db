//! The loopback TLS listener.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::bodies::BoxError;
use crate::connection;
use crate::peer;
use crate::shared::{Shared, held};

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
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, from)) => {
                let (leaf, shared) = (held(&leaf).clone(), shared.clone());
                tokio::spawn(async move {
                    serve(stream, from, leaf, shared).await;
                    drop(place);
                });
            }
            // Out of file descriptors: some will be free again.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(stream: TcpStream, from: SocketAddr, leaf: Arc<ServerConfig>, shared: Arc<Shared>) {
    let (SocketAddr::V4(client), Ok(SocketAddr::V4(server))) = (from, stream.local_addr()) else {
        return;
    };
    if !peer::is_own_user(client, server) || stream.set_nodelay(true).is_err() {
        return;
    }
    let accepting = TlsAcceptor::from(leaf).accept(stream);
    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIME, accepting).await {
        connection::serve(stream, shared).await;
    }
}
