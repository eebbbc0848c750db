//! Random and mutated requests through hyper’s parser, the rules, and hyper’s writer towards a cluster: whatever was read as
//! one request is written as one that the plainest reading of RFC 9112 reads alike. (rule: one-reading)

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::mpsc;

use crate::bodies::{Body, BoxError, empty};
use crate::chain::Chain;
use crate::client_body::ClientBody;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::payload::Payload;
use crate::request_rules::{self, Names};
use crate::shared::{Cluster, Shared, held};
use crate::way_in::WayIn;
use crate::{connection, route, upstream};

const CASES: u64 = 6_000;

/// xorshift64*: the same numbers for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

const LINES: [&str; 28] = [
    "Content-Length: 3",
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length:5",
    "Content-Length: 05",
    "content-length: +3",
    "Content-Length : 3",
    "Content-Length: 3, 3",
    "Content-Length: 0x3",
    "Content-Length: -1",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: CHUNKED",
    "Transfer-Encoding:\tchunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: x, chunked",
    "Transfer_Encoding: chunked",
    " Transfer-Encoding: chunked",
    "X: a\r\n Content-Length: 4",
    "X: a\nTransfer-Encoding: chunked",
    "X: a\rContent-Length: 3",
    "Connection: close",
    "Expect: 100-continue",
    "X-Empty:",
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Connection: Transfer-Encoding, Content-Length, Host",
    "Content_Length: 3",
    "Host: b",
];
const BODIES: [&str; 12] = [
    "",
    "abc",
    "abcde",
    "3\r\nabc\r\n0\r\n\r\n",
    "3;x=y\r\nabc\r\n0\r\nX: y\r\n\r\n",
    "5\r\nGET /\r\n0\r\n\r\n",
    "03\r\nabc\r\n00\r\n\r\n",
    "3 \r\nabc\r\n0\r\n\r\n",
    "3\nabc\n0\n\n",
    "ffffffffffffffff1\r\nabc\r\n0\r\n\r\n",
    "0\r\n\r\n",
    "0\r\nContent-Length: 3\r\n\r\n",
];
const PIECES: [&str; 16] = [
    "\r",
    "\n",
    "\r\n",
    "\r\n\r\n",
    "\0",
    " ",
    "\t",
    ":",
    ";",
    ",",
    "0",
    "a",
    "\x7f",
    "\u{ff}",
    "chunked",
    "GET / HTTP/1.1\r\n",
];

fn request(chance: &mut Chance, into: &mut Vec<u8>) {
    let method = chance.of(&["GET", "POST", "PUT", "HEAD", "get", "M-SEARCH"]);
    let target = chance.of(&["/", "/a?b=c", "*", "/a%00", "http://a/", "//a", "/\u{e9}", "/a#b", "/\"a{}"]);
    let version = chance.of(&["1.1", "1.1", "1.1", "1.0", "0.9", "2.0"]);
    into.extend_from_slice(format!("{method} {target} HTTP/{version}\r\nHost: a\r\n").as_bytes());
    for _ in 0..chance.below(3) {
        into.extend_from_slice(chance.of(&LINES).as_bytes());
        into.extend_from_slice(b"\r\n");
    }
    into.extend_from_slice(b"\r\n");
    into.extend_from_slice(chance.of(&BODIES).as_bytes());
}

fn case(seed: u64) -> Vec<u8> {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes = Vec::new();
    for _ in 0..1 + chance.below(3) {
        request(&mut chance, &mut bytes);
    }
    for _ in 0..chance.below(4) {
        let at = chance.below(bytes.len());
        let to = (at + chance.below(4)).min(bytes.len());
        match chance.below(3) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, chance.of(&PIECES).bytes())),
            _ => drop(bytes.splice(at..to, chance.of(&PIECES).bytes())),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Comes in pieces of random sizes; what is written is dropped.
struct Pieces {
    rest: Vec<u8>,
    chance: Chance,
    most: usize,
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let most = self.most;
        let count = (1 + self.chance.below(most)).min(self.rest.len()).min(buffer.remaining());
        buffer.put_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pieces {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A message as it was read: its first line, and its body.
type Message = (String, Vec<u8>);

/// What a request became: what the client’s side of the proxy read, and the bytes that went to the cluster.
struct Passed {
    read: String,
    written: Vec<u8>,
    /// Its body was read to its end.
    is_whole: bool,
}

/// The proxy’s own way of a request, but for TLS and who asks.
async fn pass(request: Request<Incoming>, shared: &Shared, cluster: &Cluster) -> Result<Passed, Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::bad(error.to_string());
    let request = ClientBody::of(request);
    let place = request_rules::check(&request, &Names::of_proxy("a"))?;
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let target = route::target(path, cluster, &place)?;
    let protocol = request_rules::upgrade_of(&request)?;
    let outgoing = Outgoing::new(&request, &target, cluster)?;
    let read = format!("{} {target}", request.method());
    let chain = Arc::new(Chain::new(vec![], 1, None).ok_or_else(|| broken(&"no chain"))?);
    let stream = shared.streams.open(
        &WayIn {
            cluster: "prod".to_owned(),
            epoch: String::new(),
            pid: 1,
            started: String::new(),
            boot: String::new(),
            expires: None,
        },
        String::new(),
        String::new(),
    )?;
    let (outgoing, payload) = match protocol {
        Some(protocol) => (outgoing.upgrading(protocol), Payload::none()),
        None => (outgoing, Payload::of(request.into_body(), &stream, &chain, &shared.room).await?),
    };
    let sent = outgoing.request(&chain, &payload, cluster, 0, shared, None).await?;
    shared.streams.close(stream.id);

    let (near, mut far) = tokio::io::duplex(1024 * 1024);
    let (mut sender, connection) =
        upstream::http1_builder().handshake(TokioIo::new(near)).await.map_err(|error| broken(&error))?;
    let reading = async move {
        let mut written = Vec::new();
        let mut space = [0; 4096];
        while read_plainly(&written).is_none() {
            match far.read(&mut space).await {
                Ok(0) | Err(_) => return (written, false),
                Ok(count) => written.extend_from_slice(&space[..count]),
            }
        }
        let _ = far.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").await;
        // What comes after the message.
        let _ = far.read_to_end(&mut written).await;
        (written, true)
    };
    let sending = async move {
        let answer = sender.send_request(sent).await;
        drop(answer);
        drop(sender);
    };
    let (_, _, (written, is_whole)) = tokio::join!(sending, connection, reading);
    Ok(Passed { read, written, is_whole })
}

/// What of a client’s bytes went to the cluster, as requests.
async fn passed(bytes: &[u8], seed: u64, most: usize) -> Result<Vec<Passed>, BoxError> {
    let shared = Arc::new(Shared::new("a".to_owned(), mpsc::channel(1).0));
    let stated = r#"{"server":"https://up.example.com:6443","insecureSkipTlsVerify":true}"#;
    let upstream =
        serde_json::from_str::<upstream::StatedUpstream>(stated)?.build("prod", &Arc::default(), &shared)?;
    let cluster = Cluster::new("prod".to_owned(), String::new(), String::new(), upstream, false);
    let all = Arc::new(Mutex::new(Vec::new()));
    let service = service_fn(|request: Request<Incoming>| {
        let (all, shared, cluster) = (&all, &shared, &cluster);
        async move {
            let mut response: Response<Body> = Response::new(empty());
            match pass(request, shared, cluster).await {
                Ok(passed) => held(all).push(passed),
                Err(_) => *response.status_mut() = StatusCode::BAD_REQUEST,
            }
            Ok::<_, Infallible>(response)
        }
    });
    let io = Pieces { rest: bytes.to_vec(), chance: Chance(seed | 1), most };
    // The end of the input is no end of a client here.
    let _ = connection::http1_builder().half_close(true).serve_connection(TokioIo::new(io), service).await;
    Ok(std::mem::take(&mut *held(&all)))
}

/// The complete message at the start of what was written, and what is behind it. None: it isn’t complete. It is read in
/// the plainest way, by RFC 9112 and nothing else.
fn read_plainly(bytes: &[u8]) -> Option<(Message, &[u8])> {
    let (head, mut rest) = cut(bytes, b"\r\n\r\n")?;
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let line = lines.next()?;
    let fields: Vec<(String, &str)> = lines
        .map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            let is_plain = |byte: u8| byte == b'\t' || (byte >= b' ' && byte != 0x7f);
            let is_field = !name.is_empty() && name.bytes().all(is_token) && value.bytes().all(is_plain);
            is_field.then(|| (name.to_ascii_lowercase(), value.trim_matches([' ', '\t'])))
        })
        .collect::<Option<_>>()?;
    let value = |wanted: &str| {
        let all: Vec<_> = fields.iter().filter(|(name, _)| name == wanted).map(|(_, value)| *value).collect();
        assert!(all.len() <= 1, "{wanted} twice: {head:?}");
        all.first().copied()
    };
    assert_eq!(value("host"), Some("up.example.com:6443"));
    let mut body = Vec::new();
    let (encoding, length) = (value("transfer-encoding"), value("content-length"));
    assert!(encoding.is_none() || length.is_none(), "two ends: {head:?}");
    if let Some(encoding) = encoding {
        assert_eq!(encoding, "chunked");
        loop {
            let (size, after) = cut(rest, b"\r\n")?;
            assert!(!size.is_empty() && size.iter().all(u8::is_ascii_hexdigit), "{size:?}");
            let size = usize::from_str_radix(std::str::from_utf8(size).ok()?, 16).ok()?;
            rest = after;
            if size == 0 {
                break;
            }
            body.extend_from_slice(rest.get(..size)?);
            rest = rest.get(size..)?.strip_prefix(b"\r\n")?;
        }
        loop {
            let (trailer, after) = cut(rest, b"\r\n")?;
            rest = after;
            if trailer.is_empty() {
                break;
            }
        }
    } else if let Some(length) = length {
        assert!(length.bytes().all(|byte| byte.is_ascii_digit()), "{length:?}");
        let length: usize = length.parse().ok()?;
        body.extend_from_slice(rest.get(..length)?);
        rest = rest.get(length..)?;
    }
    Some(((line.to_owned(), body), rest))
}

fn cut<'a>(bytes: &'a [u8], end: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(end.len()).position(|window| window == end)?;
    Some((&bytes[..at], &bytes[at + end.len()..]))
}

#[tokio::test]
async fn what_is_read_as_one_request_is_written_as_that_one() -> Result<(), BoxError> {
    let (mut whole, mut cut_off) = (0, 0);
    for seed in 1..=CASES {
        let bytes = case(seed);
        let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(&bytes));
        let all = passed(&bytes, seed, 10_000).await?;
        // However it comes.
        for most in [1, 7, 40] {
            let others = passed(&bytes, seed, most).await?;
            let read = |all: &[Passed]| all.iter().map(|each| each.read.clone()).collect::<Vec<_>>();
            // After a body that nobody wanted hyper reads on only if it has come already.
            let (others, all) = (read(&others), read(&all));
            assert!(others.starts_with(&all) || all.starts_with(&others), "{}\n{others:?}\n{all:?}", shown());
        }
        for Passed { read, written, is_whole } in all {
            let message = read_plainly(&written);
            assert_eq!(message.is_some(), is_whole, "{}", shown());
            if let Some(((line, _), rest)) = message {
                assert_eq!((line, rest), (format!("{read} HTTP/1.1"), &b""[..]), "{}", shown());
            }
            whole += usize::from(is_whole);
            cut_off += usize::from(!is_whole);
        }
    }
    // Enough of either, or the cases say nothing.
    assert!(whole > CASES as usize / 5 && cut_off > CASES as usize / 500, "{whole} whole, {cut_off} cut off");
    Ok(())
}
