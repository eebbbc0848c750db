//! Only HTTP/1.1 that each parser reads alike reaches the parser behind: lines end with CRLF, a body has one length or is
//! chunked (RFC 9112, sections 2.2, 5.2, 6.3 and 11.2). This only refuses: it changes no byte that it passes on.
//! (rule: one-reading)

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A head, or the trailers, in bytes.
const LONGEST_HEAD: usize = 128 * 1024;
/// A chunk’s size and extensions.
const LONGEST_CHUNK_LINE: usize = 256;
const READ: usize = 16 * 1024;
/// From the first byte of a head, of a chunk’s line or of the trailers to their end. How long a connection may idle before
/// a head is another limit.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// What the parser behind answers with 400.
const REFUSED: &[u8] = b"\0\r\n\r\n";

/// Where in the client’s bytes this is.
#[derive(Debug, PartialEq, Eq)]
enum At {
    Head,
    Body(u64),
    ChunkSize,
    ChunkData(u64),
    ChunkEnd(u8),
    Trailers,
    /// After an upgrade: any bytes.
    Raw,
    Refused,
}

pub struct Strict<Io> {
    io: Io,
    at: At,
    /// Read, and not looked at yet, or not to the end of a head or line.
    raw: Vec<u8>,
    /// So many bytes of `raw` have no end of a head or line, and no bare CR or LF: they aren’t looked at again, or a head
    /// that comes byte by byte would cost its square.
    seen: usize,
    /// Of the head, line or trailers that have begun.
    deadline: Option<Pin<Box<Sleep>>>,
    /// May be passed on.
    good: Vec<u8>,
    passed: usize,
    is_ended: bool,
}

impl<Io> Strict<Io> {
    pub fn new(io: Io) -> Self {
        Self {
            io,
            at: At::Head,
            raw: Vec::new(),
            seen: 0,
            deadline: None,
            good: Vec::new(),
            passed: 0,
            is_ended: false,
        }
    }

    /// Moves what is good from `raw` to `good`.
    fn look(&mut self) {
        loop {
            let used = match self.at {
                At::Head => self.head(),
                At::Body(left) => self.data(left, |left| if left == 0 { At::Head } else { At::Body(left) }),
                At::ChunkSize => self.chunk_size(),
                At::ChunkData(left) => {
                    self.data(left, |left| if left == 0 { At::ChunkEnd(0) } else { At::ChunkData(left) })
                }
                At::ChunkEnd(seen) => self.chunk_end(seen),
                At::Trailers => self.trailers(),
                At::Raw => {
                    let count = self.raw.len();
                    self.take(count);
                    return;
                }
                At::Refused => {
                    self.raw.clear();
                    return;
                }
            };
            if !used {
                return;
            }
        }
    }

    fn take(&mut self, count: usize) {
        self.good.extend(self.raw.drain(..count));
        self.seen = 0;
    }

    /// Where `wanted` begins. None: not yet; then whether it can’t come any more: too long, or a line ends badly.
    fn find(&mut self, wanted: &[u8], longest: usize) -> Result<usize, bool> {
        let from = self.seen.saturating_sub(wanted.len() - 1);
        if let Some(at) = self.raw.get(from..).and_then(|rest| find(rest, wanted)) {
            return Ok(from + at);
        }
        let is_bad = self.raw.len() > longest || has_bare_end(&self.raw, self.seen);
        self.seen = self.raw.len();
        Err(is_bad)
    }

    /// Whether something has begun that has to end soon.
    fn is_within(&self) -> bool {
        match self.at {
            At::Head | At::ChunkSize => !self.raw.is_empty(),
            At::ChunkEnd(_) | At::Trailers => true,
            At::Body(_) | At::ChunkData(_) | At::Raw | At::Refused => false,
        }
    }

    fn refuse(&mut self) -> bool {
        self.good.extend_from_slice(REFUSED);
        self.at = At::Refused;
        true
    }

    fn data(&mut self, left: u64, next: impl Fn(u64) -> At) -> bool {
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(self.raw.len());
        if count == 0 {
            return false;
        }
        self.take(count);
        self.at = next(left - count as u64);
        true
    }

    fn head(&mut self) -> bool {
        // RFC 9112, section 2.2: an empty line before a request is ignored. Here it is refused.
        let end = match self.find(b"\r\n\r\n", LONGEST_HEAD) {
            Ok(end) => end,
            Err(is_bad) => return is_bad && self.refuse(),
        };
        match framing(self.raw.get(..end + 2).unwrap_or_default()) {
            Some(at) => {
                self.take(end + 4);
                self.deadline = None;
                self.at = at;
                true
            }
            None => self.refuse(),
        }
    }

    fn chunk_size(&mut self) -> bool {
        let end = match self.find(b"\r\n", LONGEST_CHUNK_LINE) {
            Ok(end) => end,
            Err(is_bad) => return is_bad && self.refuse(),
        };
        let line = self.raw.get(..end).unwrap_or_default();
        let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let size =
            (end <= LONGEST_CHUNK_LINE && !has_bare_end(line, 0)).then(|| number(digits, 16)).flatten();
        match size {
            Some(size) => {
                self.take(end + 2);
                self.deadline = None;
                self.at = if size == 0 { At::Trailers } else { At::ChunkData(size) };
                true
            }
            None => self.refuse(),
        }
    }

    fn chunk_end(&mut self, seen: u8) -> bool {
        let Some(&byte) = self.raw.first() else {
            return false;
        };
        if byte != if seen == 0 { b'\r' } else { b'\n' } {
            return self.refuse();
        }
        self.take(1);
        self.at = if seen == 0 { At::ChunkEnd(1) } else { At::ChunkSize };
        true
    }

    /// Lines up to an empty one.
    fn trailers(&mut self) -> bool {
        let end = match self.find(b"\r\n", LONGEST_HEAD) {
            Ok(end) => end,
            Err(is_bad) => return is_bad && self.refuse(),
        };
        let line = self.raw.get(..end).unwrap_or_default();
        if has_bare_end(line, 0) || (!line.is_empty() && field(line).is_none()) {
            return self.refuse();
        }
        let is_last = line.is_empty();
        self.take(end + 2);
        if is_last {
            self.deadline = None;
            self.at = At::Head;
        }
        true
    }
}

/// What follows a head, whose lines all end with CRLF. None: two parsers could read it in two ways.
fn framing(head: &[u8]) -> Option<At> {
    if has_bare_end(head, 0) || head.contains(&0) {
        return None;
    }
    let mut lines = head.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = lines.next()?;
    let is_http11 = first.ends_with(b" HTTP/1.1");
    if !(is_http11 || first.ends_with(b" HTTP/1.0")) || first.split(|&byte| byte == b' ').count() != 3 {
        return None;
    }
    let mut length = None;
    let mut is_chunked = false;
    let mut is_upgrade = false;
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = field(line)?;
        if name.eq_ignore_ascii_case(b"content-length") {
            if length.is_some() {
                return None;
            }
            length = Some(number(value, 10)?);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            if is_chunked || !is_http11 || !value.eq_ignore_ascii_case(b"chunked") {
                return None;
            }
            is_chunked = true;
        } else if name.eq_ignore_ascii_case(b"upgrade") {
            is_upgrade = true;
        }
    }
    match (length, is_chunked) {
        (Some(_), true) => None,
        // What follows may be of another protocol; an upgrade has no body.
        (None | Some(0), false) if is_upgrade => Some(At::Raw),
        _ if is_upgrade => None,
        (_, true) => Some(At::ChunkSize),
        (Some(0) | None, false) => Some(At::Head),
        (Some(length), false) => Some(At::Body(length)),
    }
}

/// The name, a token, and the value without the white space around it (RFC 9112, section 5).
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let (name, rest) = line.split_at(colon);
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    if name.is_empty() || !name.iter().all(is_token) {
        return None;
    }
    let value = rest.get(1..)?;
    Some((name, trimmed(value)))
}

fn trimmed(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

/// Digits alone.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let is_digit = |byte: &u8| (*byte as char).is_digit(radix);
    if digits.is_empty() || digits.len() > 16 || !digits.iter().all(is_digit) {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

/// A CR or LF outside a CRLF. A CR at the end may have its LF still to come. Those before `seen` are known to have none.
fn has_bare_end(bytes: &[u8], seen: usize) -> bool {
    bytes.iter().enumerate().skip(seen.saturating_sub(1)).any(|(at, &byte)| match byte {
        b'\n' => at == 0 || bytes.get(at - 1) != Some(&b'\r'),
        b'\r' => bytes.get(at + 1).is_some_and(|&next| next != b'\n'),
        _ => false,
    })
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

impl<Io: AsyncRead + Unpin> AsyncRead for Strict<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let this = &mut *self;
            if let Some(rest) = this.good.get(this.passed..).filter(|rest| !rest.is_empty()) {
                let count = rest.len().min(buffer.remaining());
                buffer.put_slice(rest.get(..count).unwrap_or_default());
                this.passed += count;
                if this.passed == this.good.len() {
                    this.good.clear();
                    this.passed = 0;
                }
                return Poll::Ready(Ok(()));
            }
            if this.is_ended {
                return Poll::Ready(Ok(()));
            }
            // Nothing to look at: straight through.
            if this.at == At::Raw && this.raw.is_empty() {
                return Pin::new(&mut this.io).poll_read(context, buffer);
            }
            if let At::Body(left) | At::ChunkData(left) = this.at
                && this.raw.is_empty()
            {
                return this.poll_body(context, buffer, left);
            }
            let mut space = [0; READ];
            let mut read = ReadBuf::new(&mut space);
            if Pin::new(&mut this.io).poll_read(context, &mut read)?.is_pending() {
                ready!(this.poll_too_slow(context));
                this.refuse();
                continue;
            }
            this.is_ended = read.filled().is_empty();
            this.raw.extend_from_slice(read.filled());
            this.look();
        }
    }
}

impl<Io: AsyncRead + Unpin> Strict<Io> {
    /// Ready once what has begun should have ended.
    fn poll_too_slow(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if !self.is_within() {
            self.deadline = None;
            return Poll::Pending;
        }
        self.deadline.get_or_insert_with(|| Box::pin(sleep(HEAD_TIME))).as_mut().poll(context)
    }

    /// The bytes of a body are read to where they are wanted, without a copy.
    fn poll_body(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
        left: u64,
    ) -> Poll<io::Result<()>> {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
        ready!(Pin::new(&mut self.io).poll_read(context, &mut part))?;
        let count = part.filled().len();
        buffer.advance(count);
        let left = left - count as u64;
        self.is_ended = count == 0;
        self.at = match self.at {
            At::ChunkData(_) if left == 0 => At::ChunkEnd(0),
            At::ChunkData(_) => At::ChunkData(left),
            _ if left == 0 => At::Head,
            _ => At::Body(left),
        };
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Strict<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    /// What comes out, read in pieces of `piece` bytes.
    fn passed(text: &str, piece: usize) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let Ok(runtime) = runtime else { return String::new() };
        runtime.block_on(async {
            let pieces = Pieces { rest: text.as_bytes(), piece };
            let mut strict = Strict::new(pieces);
            let mut out = Vec::new();
            let _ = strict.read_to_end(&mut out).await;
            String::from_utf8_lossy(&out).into_owned()
        })
    }

    struct Pieces<'a> {
        rest: &'a [u8],
        piece: usize,
    }

    impl AsyncRead for Pieces<'_> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let count = self.piece.min(self.rest.len()).min(buffer.remaining());
            let (now, rest) = self.rest.split_at(count);
            buffer.put_slice(now);
            self.rest = rest;
            Poll::Ready(Ok(()))
        }
    }

    const SIZES: [usize; 4] = [1, 3, 17, 100_000];

    #[test]
    fn what_is_good_passes_unchanged_in_whatever_pieces() {
        for text in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length:  0 \r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\nb\r\nA;x=y\r\n0123456789\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\nX-Sum: a\r\n\r\n",
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\n\r\0any\n\n",
            "GET / HTTP/1.1\r\nX-Empty:\r\nX-Text: a: b\t\r\n\r\n",
        ] {
            for piece in SIZES {
                assert_eq!(passed(text, piece), text, "in pieces of {piece}");
            }
        }
    }

    #[test]
    fn what_two_parsers_read_in_two_ways_is_refused() {
        for head in [
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 0x3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length:\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
            "GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n",
            "GET / HTTP/1.1\r\nX: a\0b\r\n\r\n",
            "GET /a b HTTP/1.1\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET /\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nUpgrade: a\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            for piece in SIZES {
                assert_eq!(passed(head, piece), "\0\r\n\r\n", "{head:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn a_chunk_that_is_none_ends_the_connection() {
        let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (good, bad) in [
            ("", "3\nabc\r\n0\r\n\r\n"),
            ("", "3 \r\nabc\r\n"),
            ("", "-1\r\n"),
            ("", "0x3\r\nabc\r\n"),
            ("", "fffffffffffffffff\r\n"),
            ("3\r\nabc", "x\r\n0\r\n\r\n"),
            ("3\r\nabc\r", "x0\r\n\r\n"),
            ("0\r\n", " folded\r\n\r\n"),
            ("0\r\n", "X: a\nY: b\r\n\r\n"),
        ] {
            for piece in SIZES {
                assert_eq!(
                    passed(&format!("{head}{good}{bad}"), piece),
                    format!("{head}{good}\0\r\n\r\n"),
                    "{bad:?} in pieces of {piece}"
                );
            }
        }
    }

    /// What comes out where each piece comes after another 3 s, and how many seconds that took.
    fn passed_slowly(pieces: &'static [&'static str]) -> (String, u64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let Ok(runtime) = runtime else { return (String::new(), 0) };
        runtime.block_on(async {
            let began = tokio::time::Instant::now();
            let (mut client, server) = tokio::io::duplex(1024);
            tokio::spawn(async move {
                for piece in pieces {
                    let _ = tokio::io::AsyncWriteExt::write_all(&mut client, piece.as_bytes()).await;
                    sleep(Duration::from_secs(3)).await;
                }
                std::future::pending::<()>().await;
            });
            let mut strict = Strict::new(server);
            let mut out = Vec::new();
            let reading = async {
                let mut space = [0; 100];
                while !out.ends_with(REFUSED) {
                    let Ok(count) = strict.read(&mut space).await else { return };
                    out.extend_from_slice(space.get(..count).unwrap_or_default());
                }
            };
            let _ = tokio::time::timeout(Duration::from_secs(600), reading).await;
            (String::from_utf8_lossy(&out).into_owned(), began.elapsed().as_secs())
        })
    }

    #[test]
    fn what_has_begun_ends_soon_or_is_refused_and_what_has_not_may_take_its_time() {
        const REFUSAL: &str = "\0\r\n\r\n";
        const HEAD: &str = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let refused: [(&[&str], &str, u64); 5] = [
            (&["GET / HTTP/1.1\r\n", "A: 1\r\n", "A: 2\r\n", "A: 3\r\n", "A: 4\r\n"], "", 10),
            (&["G"], "", 10),
            (&[HEAD, "1", "1"], HEAD, 13),
            (&[HEAD, "0\r\n", "A: 1\r\n", "A: 2\r\n", "A: 3\r\n", "A: 4\r\n"], HEAD, 13),
            (&["GET / HTTP/1.1\r\n\r\nG"], "GET / HTTP/1.1\r\n\r\n", 10),
        ];
        for (pieces, begins, seconds) in refused {
            let (out, took) = passed_slowly(pieces);
            assert!(out.starts_with(begins) && out.ends_with(REFUSAL), "{pieces:?}: {out:?}");
            assert_eq!(took, seconds, "{pieces:?}");
        }
        let passes: [&[&str]; 3] = [
            &["GET / HTTP/1.1\r\n", "A: 1\r\n", "\r\n", "GET / ", "HTTP/1.1\r\n", "\r\n"],
            &["POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n", "a", "b", "c", "d", "e", "f"],
            &[HEAD, "1\r\na\r\n", "1\r", "\na", "\r\n", "", "", "", "", "1\r\na\r\n"],
        ];
        for pieces in passes {
            assert_eq!(passed_slowly(pieces), (pieces.concat(), 600));
        }
    }

    #[test]
    fn a_head_byte_by_byte_costs_no_more_than_its_length() {
        let head = format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(LONGEST_HEAD - 100));
        let mut strict = Strict::new(tokio::io::empty());
        for byte in head.bytes() {
            strict.raw.push(byte);
            strict.look();
            assert_eq!((strict.seen, &strict.at), (strict.raw.len(), &At::Head));
        }
    }

    #[test]
    fn a_head_without_end_is_refused() {
        let endless = format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(LONGEST_HEAD));
        assert_eq!(passed(&endless, 100_000), "\0\r\n\r\n");
        assert_eq!(passed("GET / HTTP/1.1\r\nX: a", 3), "");
    }
}
