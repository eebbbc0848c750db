//! The client.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::{BoxError, print_line, until_stdin_ends};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Each is asked in turn.
    targets: Vec<Target>,
    kind: Kind,
    /// Requests of each target.
    count: usize,
    /// Of a body.
    bytes: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    /// Small GETs; prints a list of milliseconds for each target.
    Get,
    /// Answers of so many bytes; prints milliseconds, likewise.
    Down,
    /// Bodies of so many bytes; prints milliseconds, likewise.
    Up,
    /// Prints `open` once all have begun.
    Watch,
}

#[derive(Deserialize)]
struct Target {
    port: u16,
    /// Before the path.
    prefix: String,
    /// PEM.
    ca: String,
    /// `h2` or `http/1.1`.
    protocol: String,
    /// Empty: none.
    authorization: String,
}

pub async fn run(Job { targets, kind, count, bytes }: Job) -> Result<(), BoxError> {
    let mut clients = Vec::new();
    for target in targets {
        clients.push(Client::connect(target).await?);
    }
    if matches!(kind, Kind::Watch) {
        return watch(clients, count).await;
    }
    let mut times = vec![Vec::with_capacity(count); clients.len()];
    for _ in 0..count {
        for (client, times) in clients.iter_mut().zip(&mut times) {
            let began = Instant::now();
            match kind {
                Kind::Down => client.send("GET", &format!("/down/{bytes}"), 0, bytes).await?,
                Kind::Up => client.send("POST", "/up", bytes, 2).await?,
                Kind::Get | Kind::Watch => client.send("GET", "/small", 0, 2).await?,
            }
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    print_line(&serde_json::to_string(&times)?)
}

async fn watch(mut clients: Vec<Client>, count: usize) -> Result<(), BoxError> {
    let mut open = Vec::new();
    for client in &mut clients {
        for _ in 0..count {
            let mut response = client.begin("GET", "/watch", 0).await?;
            response.frame().await.ok_or("a watch without an event")??;
            open.push(response);
        }
    }
    print_line("\"open\"")?;
    until_stdin_ends().await
}

struct Client {
    target: Target,
    sender: Sender,
}

enum Sender {
    Http1(http1::SendRequest<Zeros>),
    Http2(http2::SendRequest<Zeros>),
}

impl Client {
    async fn connect(target: Target) -> Result<Self, BoxError> {
        let mut roots = RootCertStore::empty();
        for found in CertificateDer::pem_slice_iter(target.ca.as_bytes()) {
            roots.add(found?)?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![target.protocol.clone().into_bytes()];
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, target.port)).await?;
        stream.set_nodelay(true)?;
        let name = ServerName::from(std::net::IpAddr::from(Ipv4Addr::LOCALHOST));
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        let io = TokioIo::new(stream);
        let sender = if target.protocol == "h2" {
            let (sender, connection) = http2::Builder::new(TokioExecutor::new())
                .initial_stream_window_size(4 * 1024 * 1024)
                .initial_connection_window_size(16 * 1024 * 1024)
                .handshake(io)
                .await?;
            tokio::spawn(connection);
            Sender::Http2(sender)
        } else {
            let (sender, connection) = http1::handshake(io).await?;
            tokio::spawn(connection);
            Sender::Http1(sender)
        };
        Ok(Self { target, sender })
    }

    async fn begin(&mut self, method: &str, path: &str, up: u64) -> Result<Response<Incoming>, BoxError> {
        let Target { port, prefix, authorization, .. } = &self.target;
        let host = format!("127.0.0.1:{port}");
        let mut request = Request::builder().method(method);
        if !authorization.is_empty() {
            request = request.header("authorization", authorization);
        }
        let body = Zeros(up);
        let response = match &mut self.sender {
            Sender::Http1(sender) => {
                sender.ready().await?;
                let request = request.uri(format!("{prefix}{path}")).header("host", host).body(body)?;
                sender.send_request(request).await?
            }
            Sender::Http2(sender) => {
                sender.ready().await?;
                let request = request.uri(format!("https://{host}{prefix}{path}")).body(body)?;
                sender.send_request(request).await?
            }
        };
        if !response.status().is_success() {
            return Err(format!("{path} of {port}: {}", response.status()).into());
        }
        Ok(response)
    }

    async fn send(&mut self, method: &str, path: &str, up: u64, expected: u64) -> Result<(), BoxError> {
        let mut response = self.begin(method, path, up).await?;
        let mut down = 0;
        while let Some(frame) = response.frame().await {
            down += frame?.data_ref().map_or(0, |data| data.len() as u64);
        }
        if down == expected { Ok(()) } else { Err(format!("{path}: {down} bytes").into()) }
    }
}

/// A body of so many bytes.
struct Zeros(u64);

static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];

impl Body for Zeros {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = Bytes::from_static(&ZEROS);
        let count = self.0.min(part.len() as u64);
        self.0 -= count;
        Poll::Ready((count > 0).then(|| Ok(Frame::data(part.slice(..count as usize)))))
    }

    fn is_end_stream(&self) -> bool {
        self.0 == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0)
    }
}
