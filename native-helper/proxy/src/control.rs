//! The pipe to the broker: a line of JSON for each order on stdin, and for each thing told on stdout. The broker decides;
//! nothing secret leaves this process but towards the cluster that it is for. It ends when stdin does.
//! (rule: secrets-by-pipe)

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use rustls::ServerConfig;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::sync::mpsc;
use zeroize::Zeroize;

use crate::bodies::BoxError;
use crate::chain::{Chain, StatedStep};
use crate::client_listener::{self, Why};
use crate::failure::Failure;
use crate::issue::Pair;
use crate::leaf::{Leaf, server_config};
use crate::listener::{self, Reception};
use crate::memory::give_back_when_quiet;
use crate::shared::{Cluster, Door, Given, Reply, Shared};
use crate::sign_program::{SignRequest, StatedHeaders};
use crate::streams::StreamView;
use crate::trying::{self, Asked, Tried};
use crate::upstream::{StatedUpstream, Trusted};
use crate::way_in::Key;

/// A line, in bytes: ten thousand clusters with their CAs.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// Whether the processes of open streams still live.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Tells that wait for the broker.
const MOST_TELLS: usize = 1_024;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Order {
    /// The first one. Port 0: any.
    Listen { port: u16, certificate: String, key: String },
    /// The system’s CAs, PEM: before the first cluster that needs them.
    Roots { roots: String },
    /// A new certificate for new connections, PEM.
    Leaf { certificate: String, key: String },
    /// All clusters, in place of those before.
    Clusters { clusters: Vec<StatedCluster> },
    /// The key of the way in, base64: requests pass.
    Open { key: String },
    /// Requests get this text; what is under way ends after the grace.
    Close { text: String, grace_milliseconds: u64 },
    /// What `need` asked for.
    Chain { id: u64, steps: Vec<StatedStep>, generation: u64, lives_milliseconds: Option<u64> },
    /// What the program says that `sign` asked for.
    Signed { id: u64, set: StatedHeaders },
    /// The signature that `signHandshake` asked for, base64; ECDSA’s in DER.
    Signature { id: u64, signature: String },
    /// There is none for it, and why.
    Refuse { id: u64, status: u16, text: String },
    /// Asks for all chains anew: an account logged in or out.
    Forget,
    /// Ends one stream; null: all.
    End { stream: Option<u64> },
    /// Asks for the open streams.
    Streams { id: u64 },
    /// Asks for what becomes of a request.
    Try(Asked),
    /// A listener of one client’s own.
    Listener(client_listener::Wanted),
    /// It isn’t wanted any more.
    EndListener { id: u64 },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StatedCluster {
    name: String,
    /// Another one once an approval was taken back.
    epoch: String,
    /// Another one whenever what follows is another: what didn’t change keeps its connections.
    version: String,
    passes_cookies: bool,
    upstream: StatedUpstream,
}

#[derive(Serialize)]
#[serde(tag = "tell", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Tell {
    Listening {
        port: u16,
    },
    /// It can’t serve at all, or not this cluster.
    Fault {
        cluster: Option<String>,
        text: String,
    },
    /// What do requests of the cluster get? `rejected`: the cluster rejected what this generation had.
    Need {
        id: u64,
        cluster: String,
        pid: u32,
        rejected: Option<u64>,
    },
    /// What does the program of that account, which the broker keeps running, add to the request?
    Sign {
        id: u64,
        cluster: String,
        signer: String,
        request: SignRequest,
    },
    /// What is the signature of this handshake, by the key of that account?
    SignHandshake {
        id: u64,
        cluster: String,
        signer: String,
        /// TLS’s number of it (RFC 8446, section 4.2.3).
        scheme: u16,
        /// What is signed, base64.
        message: String,
    },
    /// What became of the request that `try` asked for.
    Tried {
        id: u64,
        tried: Box<Tried>,
    },
    /// A request has ended. Status 0: there was no answer. `fault`: the proxy answered, not the cluster, and why.
    Passed {
        status: u16,
        fault: Option<String>,
        stream: StreamView,
    },
    Streams {
        id: u64,
        streams: Vec<StreamView>,
        /// Of clients.
        connections: usize,
    },
    /// The listener that `listener` asked for is there. `port`: none where it is a Unix socket.
    Listener {
        id: u64,
        port: Option<u16>,
        client_certificate: Option<Pair>,
    },
    /// There is none, and why.
    ListenerRefused {
        id: u64,
        code: &'static str,
        text: String,
        hint: Option<String>,
    },
    ListenerEnded {
        id: u64,
        why: Why,
    },
    /// So many tells that the broker was too slow for.
    Lost {
        count: u64,
    },
}

pub async fn serve() -> ExitCode {
    let (tells, told) = mpsc::channel(MOST_TELLS);
    // A thread of its own: a handshake that needs a signature waits for it, and not for what this one has to do.
    if thread::Builder::new().spawn(move || write(told)).is_err() {
        return ExitCode::FAILURE;
    }
    let mut lines = BufReader::new(tokio::io::stdin());
    let Some(Order::Listen { port, certificate, key }) = read(&mut lines).await else {
        return ExitCode::FAILURE;
    };
    let (listening, leaf, tls) = match listen(port, &certificate, key).await {
        Ok(listening) => listening,
        Err(error) => {
            let _ = tells.send(Tell::Fault { cluster: None, text: error.to_string() }).await;
            // Told before the end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            return ExitCode::FAILURE;
        }
    };
    let port = listening.local_addr().map_or(0, |address| address.port());
    let shared = Arc::new(Shared::new(format!("127.0.0.1:{port}"), tells));
    shared.tell(Tell::Listening { port });
    let reception = Reception::new(shared.clone(), leaf);
    let common = reception.clone();
    tokio::spawn(async move { common.accept(listening, tls, None).await });
    tokio::spawn(end_of_ended_processes(shared.clone()));
    tokio::spawn(give_back_when_quiet(shared.clone()));
    let mut roots = Arc::default();
    while let Some(order) = read(&mut lines).await {
        obey(order, &reception, &mut roots);
    }
    ExitCode::SUCCESS
}

async fn end_of_ended_processes(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        shared.streams.end_of_ended_processes();
    }
}

async fn listen(
    port: u16,
    certificate: &str,
    mut key: String,
) -> Result<(tokio::net::TcpListener, Arc<Leaf>, Arc<ServerConfig>), BoxError> {
    let leaf = Leaf::new(certificate, &key)?;
    key.zeroize();
    let tls = server_config(&leaf, None)?;
    Ok((listener::bind(port).await?, leaf, tls))
}

fn obey(order: Order, reception: &Arc<Reception>, roots: &mut Arc<Trusted>) {
    let shared = &reception.shared;
    match order {
        Order::Listen { .. } => (),
        Order::Leaf { certificate, mut key } => {
            if let Err(error) = reception.leaf.replace(&certificate, &key) {
                shared.tell(Tell::Fault { cluster: None, text: error.to_string() });
            }
            key.zeroize();
        }
        Order::Roots { roots: stated } => match Trusted::of(&stated) {
            Ok(trusted) => *roots = Arc::new(trusted),
            Err(error) => shared.tell(Tell::Fault { cluster: None, text: error.to_string() }),
        },
        Order::Clusters { clusters } => set_clusters(clusters, shared, roots),
        Order::Open { mut key } => {
            if let Ok(mut bytes) = STANDARD.decode(&key) {
                shared.set_door(Door::Open(Key::new(&bytes)));
                bytes.zeroize();
            }
            key.zeroize();
        }
        Order::Close { text, grace_milliseconds } => {
            shared.set_door(Door::Closed(text));
            let shared = shared.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(grace_milliseconds)).await;
                shared.streams.end(None);
            });
        }
        Order::Chain { id, steps, generation, lives_milliseconds } => {
            shared.answer(id, given(steps, generation, lives_milliseconds));
        }
        Order::Signed { id, set } => shared.answer(id, Ok(Reply::Signed(set))),
        Order::Signature { id, signature } => {
            let signature = STANDARD.decode(signature).map(Reply::Signature);
            let nonsense = |_| Failure::new(StatusCode::BAD_GATEWAY, "the signature isn’t in base64");
            shared.answer(id, signature.map_err(nonsense));
        }
        Order::Refuse { id, status, text } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::FORBIDDEN);
            shared.answer(id, Err(Failure::new(status, text)));
        }
        Order::Forget => shared.forget_chains(),
        Order::End { stream } => shared.streams.end(stream),
        Order::Streams { id } => shared.tell(Tell::Streams {
            id,
            streams: shared.streams.views(),
            connections: shared.open_connections(),
        }),
        Order::Try(asked) => {
            tokio::spawn(trying::answer(asked, shared.clone()));
        }
        Order::Listener(wanted) => {
            tokio::spawn(client_listener::serve(wanted, reception.clone()));
        }
        Order::EndListener { id } => shared.listeners.end(id),
    }
}

fn given(steps: Vec<StatedStep>, generation: u64, lives: Option<u64>) -> Given {
    let chain = Chain::new(steps, generation, lives.map(Duration::from_millis)).ok_or_else(|| {
        Failure::new(
            StatusCode::BAD_GATEWAY,
            "a header or a key of its chain is none that HTTP can carry; run: lanyard doctor",
        )
    })?;
    Ok(Reply::Chain(chain))
}

fn set_clusters(stated: Vec<StatedCluster>, shared: &Arc<Shared>, roots: &Arc<Trusted>) {
    let mut next = HashMap::new();
    for StatedCluster { name, epoch, version, passes_cookies, upstream } in stated {
        let same =
            shared.cluster(&name).filter(|cluster| cluster.epoch == epoch && cluster.version == version);
        let built = match same {
            Some(cluster) => Ok(cluster),
            None => upstream.build(&name, roots, shared).map(|upstream| {
                Arc::new(Cluster::new(name.clone(), epoch, version, upstream, passes_cookies))
            }),
        };
        match built {
            Ok(cluster) => {
                next.insert(name, cluster);
            }
            Err(error) => shared.tell(Tell::Fault { cluster: Some(name), text: error.to_string() }),
        }
    }
    shared.set_clusters(next);
}

/// None: stdin has ended, or what it says is no order.
async fn read(lines: &mut BufReader<tokio::io::Stdin>) -> Option<Order> {
    let mut line = Vec::new();
    lines.take(LONGEST_LINE).read_until(b'\n', &mut line).await.ok()?;
    let order = serde_json::from_slice(&line).ok();
    line.zeroize();
    order
}

fn write(mut told: mpsc::Receiver<Tell>) {
    // It keeps nothing of a whole line.
    let mut stdout = std::io::stdout().lock();
    while let Some(tell) = told.blocking_recv() {
        let Ok(mut line) = serde_json::to_vec(&tell) else {
            continue;
        };
        line.push(b'\n');
        let is_written = stdout.write_all(&line).and_then(|()| stdout.flush()).is_ok();
        // It may have the key of a listener’s client.
        line.zeroize();
        if !is_written {
            return;
        }
    }
}
