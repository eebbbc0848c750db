//! Against a server of rustls’s own, over pipes as the broker’s.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::Arc;
use std::thread::{JoinHandle, spawn};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, SigningKey};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::version::{TLS12, TLS13};
use rustls::{RootCertStore, ServerConfig, ServerConnection, SupportedProtocolVersion};
use serde_json::{Value, json};

use super::serve;

const SHA256_P256: u16 = 0x0403;

struct Issued {
    pem: String,
    der: CertificateDer<'static>,
    key: KeyPair,
}

struct World {
    ca: Issued,
    server: Issued,
    client: Issued,
}

impl World {
    fn new() -> Self {
        Self::of("CA")
    }

    fn of(authority: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, authority);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.clone().self_signed(&key).unwrap();
        let ca = Issued { pem: certificate.pem(), der: certificate.der().clone(), key };
        let issuer = Issuer::new(params, &ca.key);
        let issue = |name: &str| {
            let key = KeyPair::generate().unwrap();
            let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
            let certificate = params.signed_by(&key, &issuer).unwrap();
            Issued { pem: certificate.pem(), der: certificate.der().clone(), key }
        };
        let (server, client) = (issue("id.example"), issue("robot.example"));
        Self { ca, server, client }
    }

    /// Demands a certificate of the CA.
    fn server(&self, version: &'static SupportedProtocolVersion) -> ServerConnection {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(self.ca.der.clone()).unwrap();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
        let config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[version])
            .unwrap()
            .with_client_cert_verifier(verifier.build().unwrap())
            .with_single_cert(
                vec![self.server.der.clone()],
                PrivateKeyDer::try_from(self.server.key.serialize_der()).unwrap(),
            )
            .unwrap();
        ServerConnection::new(Arc::new(config)).unwrap()
    }

    fn asked(&self) -> Value {
        json!({
            "serverName": "id.example",
            "roots": self.ca.pem,
            "certificate": self.client.pem,
            "schemes": [SHA256_P256],
        })
    }
}

/// The broker’s side of the pipe.
struct Run {
    orders: PipeWriter,
    told: BufReader<PipeReader>,
    thread: JoinHandle<bool>,
}

impl Run {
    fn start(asked: &Value) -> Self {
        let (input, orders) = pipe().unwrap();
        let (told, output) = pipe().unwrap();
        let thread = spawn(move || serve(BufReader::new(input), output).is_ok());
        let mut run = Self { orders, told: BufReader::new(told), thread };
        run.order(asked);
        run
    }

    fn order(&mut self, order: &Value) {
        self.orders.write_all(format!("{order}\n").as_bytes()).unwrap();
    }

    /// None: it has ended.
    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        serde_json::from_str(&line).ok()
    }

    fn ended_well(self) -> bool {
        drop(self.orders);
        self.thread.join().unwrap()
    }
}

fn bytes(told: &Value, name: &str) -> Vec<u8> {
    STANDARD.decode(told[name].as_str().unwrap()).unwrap()
}

/// Passes on what either side sends, and signs by `sign`, until something else is told.
fn relay(
    run: &mut Run,
    server: &mut ServerConnection,
    sign: &mut dyn FnMut(&[u8]) -> Value,
) -> Option<Value> {
    loop {
        let told = run.hear()?;
        match told["tell"].as_str().unwrap() {
            "encrypted" => {
                let sent = bytes(&told, "bytes");
                let mut rest = &sent[..];
                while !rest.is_empty() {
                    server.read_tls(&mut rest).unwrap();
                    // What it doesn’t take it says by an alert.
                    let _ = server.process_new_packets();
                }
                send_all(run, server);
            }
            "sign" => {
                assert_eq!(told["scheme"], SHA256_P256);
                let answer = sign(&bytes(&told, "message"));
                run.order(&answer);
            }
            _ => return Some(told),
        }
    }
}

fn send_all(run: &mut Run, server: &mut ServerConnection) {
    let mut bytes = Vec::new();
    while server.wants_write() {
        server.write_tls(&mut bytes).unwrap();
    }
    // In two pieces: a record ends where it ends.
    let (first, second) = bytes.split_at(bytes.len() / 2);
    for part in [first, second].into_iter().filter(|part| !part.is_empty()) {
        run.order(&json!({ "do": "encrypted", "bytes": STANDARD.encode(part) }));
    }
}

fn by(key: &KeyPair) -> impl FnMut(&[u8]) -> Value {
    |message| json!({ "do": "signature", "signature": STANDARD.encode(key.sign(message).unwrap()) })
}

#[test]
fn speaks_with_a_server_that_demands_the_certificate() {
    for version in [&TLS12, &TLS13] {
        let world = World::new();
        let mut server = world.server(version);
        let mut run = Run::start(&world.asked());
        let mut sign = by(&world.client.key);
        assert_eq!(relay(&mut run, &mut server, &mut sign), Some(json!({ "tell": "connected" })));
        run.order(&json!({ "do": "plain", "bytes": STANDARD.encode("GET / HTTP/1.1\r\n\r\n") }));
        let told = run.hear().unwrap();
        let sent = bytes(&told, "bytes");
        server.read_tls(&mut &sent[..]).unwrap();
        server.process_new_packets().unwrap();
        let mut request = [0; 18];
        server.reader().read_exact(&mut request).unwrap();
        assert_eq!(&request, b"GET / HTTP/1.1\r\n\r\n");
        assert_eq!(server.peer_certificates().unwrap(), std::slice::from_ref(&world.client.der));

        let long = "x".repeat(20_000);
        server.set_buffer_limit(None);
        server.writer().write_all(long.as_bytes()).unwrap();
        server.send_close_notify();
        send_all(&mut run, &mut server);
        let mut answer = Vec::new();
        let last = loop {
            match relay(&mut run, &mut server, &mut sign).unwrap() {
                told if told["tell"] == "plain" => answer.extend(bytes(&told, "bytes")),
                told => break told,
            }
        };
        assert_eq!(last, json!({ "tell": "ended" }));
        assert_eq!(String::from_utf8(answer).unwrap(), long);
        assert!(run.ended_well());
    }
}

#[test]
fn says_why_there_is_no_connection() {
    let world = World::new();
    let other = World::of("another CA");
    let with = |name: &str, value: Value| {
        let mut asked = world.asked();
        asked[name] = value;
        asked
    };
    let cases = [
        ("unknownAuthority", with("roots", json!(other.ca.pem)), &TLS13),
        ("wrongHostName", with("serverName", json!("other.example")), &TLS13),
        // PKCS#1 of RSA is none of TLS 1.3; of P-521 this server takes nothing.
        ("tls13Alone", with("schemes", json!([0x0401])), &TLS13),
        ("noneFits", with("schemes", json!([0x0603])), &TLS12),
    ];
    for (kind, asked, version) in cases {
        let mut run = Run::start(&asked);
        let told = relay(&mut run, &mut world.server(version), &mut by(&world.client.key));
        assert_eq!(told, Some(json!({ "tell": "failed", "kind": kind })));
        assert!(run.ended_well());
    }
}

#[test]
fn a_signature_that_is_refused_or_is_anothers_ends_it() {
    for version in [&TLS12, &TLS13] {
        let world = World::new();
        let mut run = Run::start(&world.asked());
        let told = relay(&mut run, &mut world.server(version), &mut |_| json!({ "do": "noSignature" }));
        assert_eq!(told, Some(json!({ "tell": "failed", "kind": "noSignature" })));
    }
    let world = World::new();
    let mut run = Run::start(&world.asked());
    let mut server = world.server(&TLS12);
    let told = relay(&mut run, &mut server, &mut by(&KeyPair::generate().unwrap()));
    assert_eq!(told, Some(json!({ "tell": "failed", "kind": "tls" })));
}

#[test]
fn a_certificate_that_the_server_does_not_take_is_told_after_the_handshake() {
    let world = World::new();
    let other = World::of("another CA");
    let mut asked = world.asked();
    asked["certificate"] = json!(other.client.pem);
    let mut run = Run::start(&asked);
    let mut server = world.server(&TLS13);
    let mut sign = by(&other.client.key);
    assert_eq!(relay(&mut run, &mut server, &mut sign), Some(json!({ "tell": "connected" })));
    let told = relay(&mut run, &mut server, &mut sign);
    assert_eq!(told, Some(json!({ "tell": "failed", "kind": "clientCertificate" })));
}

#[test]
fn what_comes_while_a_signature_is_waited_for_is_not_lost() {
    let world = World::new();
    let mut server = world.server(&TLS13);
    let mut run = Run::start(&world.asked());
    let mut sign = by(&world.client.key);
    let plain = json!({ "do": "plain", "bytes": STANDARD.encode("early") });
    loop {
        let told = run.hear().unwrap();
        if told["tell"] == "sign" {
            run.order(&plain);
            let answer = sign(&bytes(&told, "message"));
            run.order(&answer);
            break;
        }
        server.read_tls(&mut &bytes(&told, "bytes")[..]).unwrap();
        server.process_new_packets().unwrap();
        send_all(&mut run, &mut server);
    }
    assert_eq!(relay(&mut run, &mut server, &mut sign), Some(json!({ "tell": "connected" })));
    let sent = bytes(&run.hear().unwrap(), "bytes");
    server.read_tls(&mut &sent[..]).unwrap();
    server.process_new_packets().unwrap();
    let mut early = [0; 5];
    server.reader().read_exact(&mut early).unwrap();
    assert_eq!(&early, b"early");
}

#[test]
fn a_connection_that_ends_without_a_word_is_told() {
    let mut run = Run::start(&World::new().asked());
    run.hear().unwrap();
    run.order(&json!({ "do": "encryptedEnd" }));
    assert_eq!(run.hear(), Some(json!({ "tell": "ended" })));
    assert!(run.ended_well());
}

#[test]
fn nonsense_is_no_order() {
    assert!(!Run::start(&json!({ "serverName": "id.example" })).ended_well());
    let mut run = Run::start(&World::new().asked());
    run.hear().unwrap();
    run.order(&json!({ "do": "encrypted", "bytes": "!" }));
    assert!(!run.ended_well());
}
