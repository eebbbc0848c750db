//! A connection to a cluster’s API server: straight, or through its proxy; then TLS.

use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderValue, Request, StatusCode, Uri};
use hyper::client::conn::http1;
use hyper_util::client::legacy::connect::proxy::SocksV5;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tower_service::Service;

use super::held_key::HeldKey;
use super::renegotiation::Watched;
use crate::bodies::{Body, BoxError, empty};
use crate::fault::{Fault, Unreached};
use crate::shared::held;

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
    /// Whether the server speaks HTTP/2 is in the connection’s ALPN. Fails with `Unreached`, or with what keeps a held key
    /// from signing.
    pub async fn connect(&self, is_for_upgrade: bool) -> Result<UpstreamIo, BoxError> {
        let tls = if is_for_upgrade { &self.tls_http1 } else { &self.tls };
        let name = self.server_name.clone();
        let reached = Mutex::new(Reached::Nothing);
        if let Some(key) = &self.held_key {
            let hop = self.in_time(&reached, self.watched(&reached)).await?;
            return key.connect(tls, name, hop).await.map_err(|error| self.explained(error));
        }
        self.in_time(&reached, async {
            let hop = self.watched(&reached).await?;
            let connecting = TlsConnector::from(tls.clone()).connect(name, hop);
            connecting.await.map_err(|error| self.explained(error.into()))
        })
        .await
    }

    async fn in_time<T>(
        &self,
        reached: &Mutex<Reached>,
        work: impl Future<Output = Result<T, BoxError>>,
    ) -> Result<T, BoxError> {
        match tokio::time::timeout(CONNECT_TIME, work).await {
            Ok(done) => done,
            Err(_) if matches!(*held(reached), Reached::Proxy) => Err(self.by_proxy(Fault::ProxyTimeout)),
            Err(_) => Err(silent(&self.server())),
        }
    }

    /// An error of TLS, or of the connection below it.
    fn explained(&self, error: BoxError) -> BoxError {
        match error.downcast_ref::<io::Error>() {
            Some(io) => Unreached::new(Fault::of_io(io), &self.server()).into(),
            None => error,
        }
    }

    fn server(&self) -> String {
        authority(&self.host, self.port)
    }

    async fn watched(&self, reached: &Mutex<Reached>) -> Result<Watched, BoxError> {
        Ok(Watched::new(self.hop(reached).await?, self.asked_late.clone()))
    }

    async fn hop(&self, reached: &Mutex<Reached>) -> Result<Hop, BoxError> {
        let Some(proxy) = &self.proxy else {
            let tcp = dial(&self.host, self.port).await;
            return Ok(Hop::Tcp(tcp.map_err(|fault| Unreached::new(fault, &self.server()))?));
        };
        *held(reached) = Reached::Proxy;
        let hop = if proxy.uri.scheme_str().is_some_and(|scheme| scheme.starts_with("socks5")) {
            self.socks(proxy).await
        } else {
            self.tunnel(proxy).await
        }?;
        *held(reached) = Reached::Server;
        Ok(hop)
    }

    async fn socks(&self, proxy: &Proxy) -> Result<Hop, BoxError> {
        let hop = proxy.connect().await.map_err(|fault| self.by_proxy(fault))?;
        let target = Uri::builder().scheme("https").authority(self.server()).path_and_query("/").build()?;
        let mut socks = SocksV5::new(proxy.uri.clone(), Made(Some(hop)));
        if let Some((user, password)) = proxy.user.clone() {
            socks = socks.with_auth(user, password);
        }
        let hop = socks.call(target).await.map_err(|_| self.by_proxy(Fault::ProxyRefused))?;
        Ok(hop.into_inner())
    }

    /// CONNECT (RFC 9110, section 9.3.6). hyper-util’s tunnel doesn’t tell what the proxy answered.
    async fn tunnel(&self, proxy: &Proxy) -> Result<Hop, BoxError> {
        let unreachable = || self.by_proxy(Fault::ProxyUnreachable);
        let io = TokioIo::new(proxy.connect().await.map_err(|fault| self.by_proxy(fault))?);
        let (mut sender, connection) = http1::handshake::<_, Body>(io).await.map_err(|_| unreachable())?;
        let connection = tokio::spawn(connection.with_upgrades());
        let mut request = Request::connect(self.server()).header(HOST, self.server());
        if let Some(authorization) = &proxy.authorization {
            request = request.header(PROXY_AUTHORIZATION, authorization);
        }
        let answered = sender.send_request(request.body(empty())?).await;
        let answer = answered.map_err(|_| unreachable())?;
        let status = answer.status();
        if !status.is_success() {
            connection.abort();
            let is_login = status == StatusCode::PROXY_AUTHENTICATION_REQUIRED;
            let fault = if is_login { Fault::ProxyLogin } else { Fault::ProxyRefused };
            return Err(self.through(proxy, fault, Some(status)));
        }
        let upgraded = hyper::upgrade::on(answer).await.map_err(|_| unreachable())?;
        match upgraded.downcast::<TokioIo<Hop>>() {
            // A server says nothing before its client has.
            Ok(parts) if parts.read_buf.is_empty() => Ok(parts.io.into_inner()),
            _ => Err(self.through(proxy, Fault::ProxyRefused, Some(status))),
        }
    }

    fn by_proxy(&self, fault: Fault) -> BoxError {
        match &self.proxy {
            Some(proxy) => self.through(proxy, fault, None),
            None => Unreached::new(fault, &self.server()).into(),
        }
    }

    fn through(&self, proxy: &Proxy, fault: Fault, proxy_status: Option<StatusCode>) -> BoxError {
        let (host, port) = proxy.place();
        let proxy = Some(authority(&host, port));
        Unreached { proxy, proxy_status, ..Unreached::new(fault, &self.server()) }.into()
    }
}

/// How far a connection has got.
enum Reached {
    Nothing,
    /// The proxy is waited for.
    Proxy,
    Server,
}

impl Proxy {
    fn place(&self) -> (String, u16) {
        let host = self.uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let usual = match self.uri.scheme_str() {
            Some("https") => 443,
            Some("http") => 80,
            _ => 1080,
        };
        (host, self.uri.port_u16().unwrap_or(usual))
    }

    async fn connect(&self) -> Result<Hop, Fault> {
        let (host, port) = self.place();
        let tcp = dial(&host, port).await.map_err(|_| Fault::ProxyUnreachable)?;
        if self.uri.scheme_str() != Some("https") {
            return Ok(Hop::Tcp(tcp));
        }
        let name = ServerName::try_from(host).map_err(|_| Fault::ProxyUnreachable)?;
        let connecting = TlsConnector::from(self.tls.clone()).connect(name, tcp);
        Ok(Hop::Tls(Box::new(connecting.await.map_err(|_| Fault::ProxyUnreachable)?)))
    }
}

pub fn silent(server: &str) -> BoxError {
    Unreached::new(Fault::Timeout, server).into()
}

/// `host:port`, an IPv6 address in brackets.
pub fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

async fn dial(host: &str, port: u16) -> Result<TcpStream, Fault> {
    let addresses = lookup_host((host, port)).await.map_err(|_| Fault::UnknownHost)?;
    let mut fault = Fault::UnknownHost;
    for address in addresses {
        match TcpStream::connect(address).await.and_then(|tcp| tcp.set_nodelay(true).map(|()| tcp)) {
            Ok(tcp) => return Ok(tcp),
            Err(error) => fault = Fault::of_io(&error),
        }
    }
    Err(fault)
}

/// The connection to the proxy itself.
struct Made(Option<Hop>);

impl Service<Uri> for Made {
    type Response = TokioIo<Hop>;
    type Error = BoxError;
    type Future = Ready<Result<TokioIo<Hop>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(self.0.take().map(TokioIo::new).ok_or_else(|| "it has been used".into()))
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
