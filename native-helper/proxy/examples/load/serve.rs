//! The server: `/down/N` is N bytes, `/watch` never ends, all else is read to its end and answered shortly.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::{BoxError, print_line, until_stdin_ends};

#[derive(Deserialize)]
pub struct Asked {
    /// PEM.
    certificate: String,
    key: String,
    /// By ALPN: `h2` or `http/1.1`.
    protocol: String,
}

pub async fn serve(Asked { certificate, key, protocol }: Asked) -> Result<(), BoxError> {
    let chain = CertificateDer::pem_slice_iter(certificate.as_bytes()).collect::<Result<Vec<_>, _>>()?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from_pem_slice(key.as_bytes())?)?;
    config.alpn_protocols = vec![protocol.into_bytes()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    print_line(&listener.local_addr()?.port().to_string())?;
    let accepting = async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            tokio::spawn(serve_one(acceptor.clone(), stream));
        }
    };
    tokio::select! {
        ended = accepting => ended,
        ended = until_stdin_ends() => ended,
    }
}

async fn serve_one(acceptor: TlsAcceptor, stream: TcpStream) -> Result<(), BoxError> {
    let stream = acceptor.accept(stream).await?;
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let (io, service) = (TokioIo::new(stream), service_fn(answer));
    if is_http2 {
        hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .max_concurrent_streams(100)
            .initial_stream_window_size(1024 * 1024)
            .initial_connection_window_size(4 * 1024 * 1024)
            .serve_connection(io, service)
            .await?;
    } else {
        hyper::server::conn::http1::Builder::new().serve_connection(io, service).await?;
    }
    Ok(())
}

async fn answer(request: Request<Incoming>) -> Result<Response<Answer>, Infallible> {
    let path = request.uri().path().to_owned();
    let mut body = request.into_body();
    while let Some(Ok(_)) = body.frame().await {}
    Ok(Response::new(match path.strip_prefix("/down/").and_then(|count| count.parse().ok()) {
        Some(left) => Answer { left, is_endless: false },
        None => Answer { left: 2, is_endless: path == "/watch" },
    }))
}

struct Answer {
    left: u64,
    is_endless: bool,
}

static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = Bytes::from_static(&ZEROS);
        let count = self.left.min(part.len() as u64);
        if count == 0 {
            return if self.is_endless { Poll::Pending } else { Poll::Ready(None) };
        }
        self.left -= count;
        Poll::Ready(Some(Ok(Frame::data(part.slice(..count as usize)))))
    }

    fn size_hint(&self) -> SizeHint {
        if self.is_endless { SizeHint::default() } else { SizeHint::with_exact(self.left) }
    }
}
