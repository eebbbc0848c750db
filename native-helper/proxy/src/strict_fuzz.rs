//! Random and mutated requests through the check for strictness and hyper’s parser behind it: what passes is read in one way
//! alone, in whatever pieces it comes. (rule: one-reading)

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use crate::bodies::{Body, empty};
use crate::shared::held;
use crate::strict_http1::Strict;

const CASES: u64 = 6_000;
const REFUSED: &[u8] = b"\0\r\n\r\n";

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

const LINES: [&str; 24] = [
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
    let target = chance.of(&["/", "/a?b=c", "*", "/a%00", "http://a/", "//a", "/\u{e9}"]);
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

async fn passed(bytes: &[u8], seed: u64, most: usize) -> Vec<u8> {
    let mut strict = Strict::new(Pieces { rest: bytes.to_vec(), chance: Chance(seed | 1), most });
    let mut out = Vec::new();
    let read = strict.read_to_end(&mut out).await;
    assert!(read.is_ok());
    out
}

type Message = (String, Vec<u8>);

/// Of a URL without a path hyper makes one that ends with a slash.
fn without_slash(line: &str) -> String {
    line.trim_end_matches('/').to_owned()
}

/// What hyper reads behind the check: complete messages.
async fn read_by_hyper(bytes: &[u8], seed: u64) -> Vec<Message> {
    let messages = Arc::new(Mutex::new(Vec::new()));
    let service = service_fn(|request: Request<Incoming>| {
        let messages = messages.clone();
        async move {
            let line = without_slash(&format!("{} {}", request.method(), request.uri()));
            if let Ok(body) = request.into_body().collect().await {
                held(&messages).push((line, body.to_bytes().to_vec()));
            }
            Ok::<Response<Body>, Infallible>(Response::new(empty()))
        }
    });
    let io = Strict::new(Pieces { rest: bytes.to_vec(), chance: Chance(seed | 1), most: 40 });
    let mut builder = http1::Builder::new();
    // The end of the input is no end of a client here.
    builder.half_close(true);
    let _ = builder.serve_connection(TokioIo::new(io), service).await;
    held(&messages).clone()
}

/// The complete messages of what passed, read in the plainest way: by RFC 9112 and nothing else.
fn read_plainly(mut rest: &[u8]) -> Vec<Message> {
    let mut messages = Vec::new();
    while let Some((message, after)) = read_one(rest) {
        messages.push(message);
        rest = after;
    }
    messages
}

fn read_one(bytes: &[u8]) -> Option<(Message, &[u8])> {
    let (head, mut rest) = cut(bytes, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(head).into_owned();
    let mut lines = head.split("\r\n");
    let (line, _) = lines.next()?.rsplit_once(' ')?;
    let fields: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim_matches([' ', '\t'])))
        .collect();
    let value = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| *value);
    let mut body = Vec::new();
    if value("transfer-encoding").is_some() {
        loop {
            let (size, after) = cut(rest, b"\r\n")?;
            let size = String::from_utf8_lossy(size.split(|&byte| byte == b';').next()?).into_owned();
            let size = usize::from_str_radix(&size, 16).ok()?;
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
    } else if let Some(length) = value("content-length") {
        let length: usize = length.parse().ok()?;
        body.extend_from_slice(rest.get(..length)?);
        rest = rest.get(length..)?;
    }
    Some(((without_slash(line), body), rest))
}

fn cut<'a>(bytes: &'a [u8], end: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(end.len()).position(|window| window == end)?;
    Some((&bytes[..at], &bytes[at + end.len()..]))
}

#[tokio::test]
async fn what_passes_is_read_in_one_way() {
    let (mut refused, mut read) = (0, 0);
    for seed in 1..=CASES {
        let bytes = case(seed);
        let shown = || format!("seed {seed}: {:?}", String::from_utf8_lossy(&bytes));
        let out = passed(&bytes, seed, 10_000).await;
        for most in [1, 7, 40] {
            assert_eq!(passed(&bytes, seed, most).await, out, "{}", shown());
        }
        let good = out.strip_suffix(REFUSED).filter(|_| !bytes.starts_with(&out)).unwrap_or(&out);
        assert!(bytes.starts_with(good), "{}", shown());
        let expected = read_plainly(good);
        let messages = read_by_hyper(&bytes, seed).await;
        assert!(expected.starts_with(&messages), "{}\nhyper: {messages:?}\nplainly: {expected:?}", shown());
        refused += usize::from(good.len() < out.len());
        read += messages.len();
    }
    // Enough of either, or the cases say nothing.
    assert!(refused > CASES as usize / 10 && read > CASES as usize / 5, "{refused} refused, {read} read");
}
