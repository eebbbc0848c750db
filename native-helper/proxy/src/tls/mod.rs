//! `lanyard-proxy tls`: TLS of one connection that the broker makes itself, with a client certificate whose key is elsewhere.
//! Node’s TLS takes no such key. The broker keeps the connection: what is sent and received over it passes through the pipe,
//! and so does what is within. It ends when stdin does, and when the connection does. (rule: secrets-by-pipe)

mod fault;
mod pipe;
#[cfg(test)]
mod tests;

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, Error, SignatureScheme};
use zeroize::Zeroize;

use self::fault::{Fault, KeyFault};
use self::pipe::{Asked, Order, Pipe, Tell};
use crate::bodies::BoxError;
use crate::shared::held;
use crate::upstream::{Held, HeldCertificate, Records, Signatures, Trusted, client_config};

/// Fails where the broker says something else than it should.
pub fn run() -> Result<(), BoxError> {
    serve(BufReader::new(std::io::stdin()), std::io::stdout())
}

fn serve<In, Out>(input: In, output: Out) -> Result<(), BoxError>
where
    In: BufRead + Send + 'static,
    Out: Write + Send + 'static,
{
    let mut pipe = Pipe::new(input, output);
    let asked = pipe.asked()?;
    let pipe = Arc::new(Mutex::new(pipe));
    let mut connection = Connection::new(asked, pipe.clone())?;
    connection.send()?;
    loop {
        // The pipe is needed for signatures meanwhile.
        let order = held(&pipe).next();
        let Some(order) = order else {
            return Ok(());
        };
        match connection.obey(order)? {
            State::Open => (),
            State::Ended => return held(&pipe).tell(&Tell::Ended),
            State::Failed(kind) => return held(&pipe).tell(&Tell::Failed { kind }),
        }
    }
}

enum State {
    Open,
    Ended,
    Failed(Fault),
}

/// The pipe, whatever is at its ends.
type SharedPipe<In, Out> = Arc<Mutex<Pipe<In, Out>>>;

struct Connection<In, Out> {
    tls: ClientConnection,
    held: Arc<Held>,
    course: Arc<Course<In, Out>>,
    records: Records,
    asked_late: Arc<AtomicBool>,
    is_told: bool,
    pipe: SharedPipe<In, Out>,
}

impl<In, Out> Connection<In, Out>
where
    In: BufRead + Send + 'static,
    Out: Write + Send + 'static,
{
    fn new(asked: Asked, pipe: SharedPipe<In, Out>) -> Result<Self, BoxError> {
        let held = Arc::new(Held::new(&asked.certificate, asked.schemes)?);
        let course = Arc::new(Course { pipe: pipe.clone(), fault: Mutex::default() });
        let mut config = client_config(Some(Arc::new(Trusted::of(&asked.roots)?)), None, held.versions())?;
        config.client_auth_cert_resolver =
            Arc::new(HeldCertificate { held: held.clone(), signatures: course.clone() });
        config.resumption = Resumption::disabled();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let tls = ClientConnection::new(Arc::new(config), ServerName::try_from(asked.server_name)?)?;
        let asked_late = Arc::<AtomicBool>::default();
        let records = Records::new(asked_late.clone());
        Ok(Self { tls, held, course, records, asked_late, is_told: false, pipe })
    }

    fn obey(&mut self, order: Order) -> Result<State, BoxError> {
        match order {
            Order::Encrypted { bytes } => {
                let bytes = STANDARD.decode(bytes)?;
                self.records.see(&bytes);
                self.take(&bytes)
            }
            Order::Plain { mut bytes } => {
                let mut plain = STANDARD.decode(&bytes)?;
                bytes.zeroize();
                self.tls.writer().write_all(&plain)?;
                plain.zeroize();
                self.send()?;
                Ok(State::Open)
            }
            Order::EncryptedEnd if self.asked_late.load(Ordering::Relaxed) => {
                Ok(State::Failed(Fault::Key(KeyFault::Renegotiates)))
            }
            Order::EncryptedEnd => Ok(State::Ended),
            // For a question that has ended.
            Order::Signature { .. } | Order::NoSignature => Ok(State::Open),
        }
    }

    /// What came over the connection.
    fn take(&mut self, mut bytes: &[u8]) -> Result<State, BoxError> {
        while !bytes.is_empty() {
            self.tls.read_tls(&mut bytes)?;
            let processed = self.tls.process_new_packets();
            if let Some(fault) = held(&self.course.fault).take() {
                return Ok(State::Failed(fault));
            }
            // An alert, too.
            self.send()?;
            let state = match processed {
                Ok(state) => state,
                Err(error) => return Ok(State::Failed(self.fault_of(&error))),
            };
            if !self.is_told && !self.tls.is_handshaking() {
                self.is_told = true;
                held(&self.pipe).tell(&Tell::Connected)?;
            }
            self.tell_plain(state.plaintext_bytes_to_read())?;
            if state.peer_has_closed() {
                return Ok(State::Ended);
            }
        }
        Ok(State::Open)
    }

    fn fault_of(&self, error: &Error) -> Fault {
        if self.asked_late.load(Ordering::Relaxed) {
            return Fault::Key(KeyFault::Renegotiates);
        }
        Fault::of(error, self.held.is_for_tls12())
    }

    fn tell_plain(&mut self, length: usize) -> Result<(), BoxError> {
        if length == 0 {
            return Ok(());
        }
        let mut plain = vec![0; length];
        self.tls.reader().read_exact(&mut plain)?;
        let told = held(&self.pipe).tell(&Tell::Plain { bytes: STANDARD.encode(&plain) });
        plain.zeroize();
        told
    }

    /// What is to be sent over the connection.
    fn send(&mut self) -> Result<(), BoxError> {
        let mut bytes = Vec::new();
        while self.tls.wants_write() {
            self.tls.write_tls(&mut bytes)?;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        held(&self.pipe).tell(&Tell::Encrypted { bytes: STANDARD.encode(&bytes) })
    }
}

/// What happens in the handshake.
struct Course<In, Out> {
    pipe: SharedPipe<In, Out>,
    /// Why the certificate can’t be shown.
    fault: Mutex<Option<Fault>>,
}

impl<In, Out> std::fmt::Debug for Course<In, Out> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Course").finish_non_exhaustive()
    }
}

impl<In: BufRead + Send, Out: Write + Send> Signatures for Course<In, Out> {
    fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        held(&self.pipe).signature(scheme.into(), message).ok_or_else(|| {
            *held(&self.fault) = Some(Fault::Key(KeyFault::NoSignature));
            Error::General("there is no signature".to_owned())
        })
    }

    fn none_fits(&self) {
        *held(&self.fault) = Some(Fault::Key(KeyFault::NoneFits));
    }
}
