//! A line of JSON for each order on stdin, and for each thing told on stdout; bytes in base64.

use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

use super::fault::Fault;
use crate::bodies::BoxError;

/// In bytes: all CAs of the system.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// The first line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    pub server_name: String,
    /// The CAs that count, PEM.
    pub roots: String,
    /// PEM: the client’s certificate first, then its issuers.
    pub certificate: String,
    /// TLS’s numbers of what its key signs by (RFC 8446, section 4.2.3), the preferred first.
    pub schemes: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Order {
    /// It came over the connection.
    Encrypted { bytes: String },
    /// Nothing more comes over it.
    EncryptedEnd,
    /// For the server.
    Plain { bytes: String },
    /// What `sign` asked for; ECDSA’s in DER.
    Signature { signature: String },
    /// There is none for it.
    NoSignature,
}

#[derive(Serialize)]
#[serde(tag = "tell", rename_all = "camelCase")]
pub enum Tell {
    /// To be sent over the connection.
    Encrypted { bytes: String },
    /// The handshake is through.
    Connected,
    /// From the server.
    Plain { bytes: String },
    /// What is the signature of this by the certificate’s key? Nothing goes on before the answer.
    Sign { scheme: u16, message: String },
    /// The server sends nothing more. The last one.
    Ended,
    /// The last one.
    Failed { kind: Fault },
}

pub struct Pipe<In, Out> {
    input: In,
    output: Out,
    /// Orders that came while a signature was waited for.
    waiting: VecDeque<Order>,
}

impl<In: BufRead, Out: Write> Pipe<In, Out> {
    pub fn new(input: In, output: Out) -> Self {
        Self { input, output, waiting: VecDeque::new() }
    }

    pub fn asked(&mut self) -> Result<Asked, BoxError> {
        Ok(serde_json::from_slice(&self.line()?)?)
    }

    /// None: stdin has ended, or what it says is no order.
    pub fn next(&mut self) -> Option<Order> {
        self.waiting.pop_front().or_else(|| self.read())
    }

    pub fn tell(&mut self, tell: &Tell) -> Result<(), BoxError> {
        let mut line = serde_json::to_vec(tell)?;
        line.push(b'\n');
        let told = self.output.write_all(&line).and_then(|()| self.output.flush());
        line.zeroize();
        Ok(told?)
    }

    /// None: there is none. It waits for the broker, and keeps what else that says.
    pub fn signature(&mut self, scheme: u16, message: &[u8]) -> Option<Vec<u8>> {
        self.tell(&Tell::Sign { scheme, message: STANDARD.encode(message) }).ok()?;
        loop {
            match self.read()? {
                Order::Signature { signature } => return STANDARD.decode(signature).ok(),
                Order::NoSignature => return None,
                other => self.waiting.push_back(other),
            }
        }
    }

    fn read(&mut self) -> Option<Order> {
        let mut line = self.line().ok()?;
        let order = serde_json::from_slice(&line).ok();
        line.zeroize();
        order
    }

    fn line(&mut self) -> Result<Vec<u8>, BoxError> {
        let mut line = Vec::new();
        self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        Ok(line)
    }
}
