//! A connection to a cluster’s API server: straight, or through its proxy; then TLS.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderValue, Uri};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tower_service::Service;

use super::held_key::HeldKey;
use super::renegotiation::Watched;
use crate::bodies::BoxError;

/// To reach a host, name resolution included.
pub const CONNECT_TIME: Duration = Duration::from_secs(15);

/// Where a cluster’s API server is, and by which way.
pub struct Way {
    pub host: String,
    pub port: u16,
    pub server_name: ServerName<'static>,
    pub proxy: Option<Proxy>,
    /// Offers HTTP/2 and HTTP/1.1.
    pub tls: Arc<ClientConfig>,
    /// Offers HTTP/1.1 alone: what is upgraded goes there.
    pub tls_http1: Arc<ClientConfig>,
    /// In place of a client certificate of those.
    pub held_key: Option<Arc<HeldKey>>,
    /// Whether the server asked for a certificate too late; none where there is no certificate.
    pub asked_late: Option<Arc<AtomicBool>>,
}

#[derive(Clone)]
pub struct Proxy {
    pub uri: Uri,
    pub authorization: Option<HeaderValue>,
    /// Of SOCKS5.
    pub user: Option<(String, String)>,
    /// Towards an https proxy.
    pub tls: Arc<ClientConfig>,
}

pub type UpstreamIo = TlsStream<Watched>;

impl Way {
    /// Whether the server speaks HTTP/2 is in the connection’s ALPN.
    pub async fn connect(&self, is_for_upgrade: bool) -> Result<UpstreamIo, BoxError> {
        let tls = if is_for_upgrade { &self.tls_http1 } else { &self.tls };
        let name = self.server_name.clone();
        if let Some(key) = &self.held_key {
            let hop = self.in_time(self.watched()).await?;
            return key.connect(tls, name, hop).await;
        }
        self.in_time(async {
            let hop = self.watched().await?;
            TlsConnector::from(tls.clone()).connect(name, hop).await.map_err(BoxError::from)
        })
        .await
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
        match tokio::time::timeout(CONNECT_TIME, work).await {
            Ok(done) => done,
            Err(_) => Err(silent(&authority(&self.host, self.port))),
        }
    }

    async fn watched(&self) -> Result<Watched, BoxError> {
        Ok(Watched::new(self.hop().await?, self.asked_late.clone()))
    }

    async fn hop(&self) -> Result<Hop, BoxError> {
        let Some(proxy) = &self.proxy else {
            return Ok(Hop::Tcp(dial(&self.host, self.port).await?));
        };
        let target = Uri::builder()
            .scheme("https")
            .authority(authority(&self.host, self.port))
            .path_and_query("/")
            .build()?;
        let dialer = Dialer(proxy.clone());
        let hop = if proxy.uri.scheme_str().is_some_and(|scheme| scheme.starts_with("socks5")) {
            let mut socks = SocksV5::new(proxy.uri.clone(), dialer);
            if let Some((user, password)) = proxy.user.clone() {
                socks = socks.with_auth(user, password);
            }
            socks.call(target).await?
        } else {
            let mut tunnel = Tunnel::new(proxy.uri.clone(), dialer);
            if let Some(authorization) = proxy.authorization.clone() {
                tunnel = tunnel.with_auth(authorization);
            }
            tunnel.call(target).await?
        };
        Ok(hop.into_inner())
    }
}

pub fn silent(server: &str) -> BoxError {
    format!("{server} does not answer").into()
}

/// `host:port`, an IPv6 address in brackets.
pub fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

async fn dial(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Connects to the proxy itself.
#[derive(Clone)]
struct Dialer(Proxy);

impl Service<Uri> for Dialer {
    type Response = TokioIo<Hop>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<TokioIo<Hop>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let Proxy { tls, .. } = self.0.clone();
        Box::pin(async move {
            let is_tls = uri.scheme_str() == Some("https");
            let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
            let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 1080 });
            let tcp = dial(&host, port).await?;
            if !is_tls {
                return Ok(TokioIo::new(Hop::Tcp(tcp)));
            }
            let name = ServerName::try_from(host)?;
            let stream = TlsConnector::from(tls).connect(name, tcp).await?;
            Ok(TokioIo::new(Hop::Tls(Box::new(stream))))
        })
    }
}

/// What carries the connection: TCP, or TLS to a proxy.
pub enum Hop {
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Hop {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Hop {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Self::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
