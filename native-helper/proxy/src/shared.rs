//! What all connections share: the clusters and their chains, the key of the way in, and the pipe to the broker.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use tokio::sync::{mpsc, oneshot};

use crate::chain::Chain;
use crate::client_listener::ClientListeners;
use crate::clock::Clock;
use crate::control::Tell;
use crate::failure::Failure;
use crate::room::Room;
use crate::sign_program::{SignRequest, StatedHeaders};
use crate::streams::Streams;
use crate::upstream::Upstream;
use crate::way_in::{Key, WayIn};

/// The longest that the broker may take to answer: a login may be under way.
const PATIENCE: Duration = Duration::from_secs(60);
/// The broker gives a signature as long, and then says more than this would.
const SIGNATURE_PATIENCE: Duration = Duration::from_secs(65);

pub struct Cluster {
    pub name: String,
    pub epoch: String,
    /// Of its upstream, as the broker counts them.
    pub version: String,
    pub upstream: Upstream,
    /// Cookies go both ways.
    pub passes_cookies: bool,
    pub clock: Clock,
    chain: tokio::sync::Mutex<Option<Kept>>,
}

/// A chain that was told.
struct Kept {
    chain: Arc<Chain>,
    /// How often chains had been forgotten when it was asked for.
    since: u64,
}

impl Cluster {
    pub fn new(
        name: String,
        epoch: String,
        version: String,
        upstream: Upstream,
        passes_cookies: bool,
    ) -> Self {
        let (clock, chain) = (Clock::default(), tokio::sync::Mutex::new(None));
        Self { name, epoch, version, upstream, passes_cookies, clock, chain }
    }
}

pub enum Door {
    /// Until the broker says more.
    Closed(String),
    Open(Key),
}

/// What the broker answers where it is asked.
pub enum Reply {
    Chain(Chain),
    Signed(StatedHeaders),
    Signature(Vec<u8>),
}

pub type Given = Result<Reply, Failure>;

/// Takes what the broker answers.
type Asked = Box<dyn FnOnce(Given) + Send>;

pub struct Shared {
    /// `127.0.0.1:PORT`
    pub own: String,
    pub streams: Streams,
    pub room: Room,
    /// Of one client each.
    pub listeners: ClientListeners,
    /// Each open connection of a client has a clone.
    connections: Arc<()>,
    door: Mutex<Door>,
    clusters: Mutex<HashMap<String, Arc<Cluster>>>,
    tells: mpsc::Sender<Tell>,
    /// Tells that the broker was too slow for.
    lost: AtomicU64,
    /// How often the chains were forgotten.
    forgotten: AtomicU64,
    asked: Mutex<HashMap<u64, Asked>>,
    last: AtomicU64,
}

impl Shared {
    pub fn new(own: String, tells: mpsc::Sender<Tell>) -> Self {
        Self {
            own,
            streams: Streams::default(),
            room: Room::default(),
            listeners: ClientListeners::default(),
            connections: Arc::default(),
            door: Mutex::new(Door::Closed("Lanyard is starting; try again".to_owned())),
            clusters: Mutex::new(HashMap::new()),
            tells,
            lost: AtomicU64::new(0),
            forgotten: AtomicU64::new(0),
            asked: Mutex::new(HashMap::new()),
            last: AtomicU64::new(0),
        }
    }

    /// A client’s connection is open as long as this is kept.
    pub fn connection(&self) -> Arc<()> {
        self.connections.clone()
    }

    /// Connections of clients that are open.
    pub fn open_connections(&self) -> usize {
        Arc::strong_count(&self.connections) - 1
    }

    pub fn set_door(&self, door: Door) {
        if let Door::Closed(_) = door {
            self.forget_chains();
        }
        *held(&self.door) = door;
    }

    /// One that is in use just now, or asked for, is kept no longer than its request.
    pub fn forget_chains(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        for cluster in held(&self.clusters).values() {
            if let Ok(mut chain) = cluster.chain.try_lock() {
                *chain = None;
            }
        }
    }

    /// One that didn’t change keeps its connections and its chain.
    pub fn set_clusters(&self, clusters: HashMap<String, Arc<Cluster>>) {
        *held(&self.clusters) = clusters;
    }

    pub fn cluster(&self, name: &str) -> Option<Arc<Cluster>> {
        held(&self.clusters).get(name).cloned()
    }

    /// Who asks, and for which cluster.
    pub fn enter(&self, token: Option<&str>) -> Result<(WayIn, Arc<Cluster>), Failure> {
        let way_in = match &*held(&self.door) {
            Door::Closed(why) => return Err(Failure::refused(why.clone())),
            Door::Open(key) => token.and_then(|token| key.read(token)),
        };
        let refused = || {
            if token.and_then(WayIn::claimed).is_some() {
                // After a 401 client-go asks the helper again.
                return Failure::new(
                    StatusCode::UNAUTHORIZED,
                    "this credential has ended; run the command again",
                );
            }
            // Never stripped and passed on: a token of the user’s own was meant for the cluster, past Lanyard (rule: way-in).
            // Of a 401 kubectl doesn’t show the text.
            Failure::refused(
                "this proxy takes Lanyard’s own credential alone; leave out --token, and use the kubeconfig that Lanyard writes",
            )
        };
        let way_in = way_in.ok_or_else(refused)?;
        let cluster = self.proxied(&way_in.cluster)?;
        if cluster.epoch != way_in.epoch {
            return Err(taken_back());
        }
        Ok((way_in, cluster))
    }

    /// The cluster, where no way in is needed for it: by the broker, and before one is read.
    pub fn served(&self, cluster: &str) -> Result<Arc<Cluster>, Failure> {
        self.unlocked()?;
        self.proxied(cluster)
    }

    fn unlocked(&self) -> Result<(), Failure> {
        match &*held(&self.door) {
            Door::Closed(why) => Err(Failure::refused(why.clone())),
            Door::Open(_) => Ok(()),
        }
    }

    fn proxied(&self, name: &str) -> Result<Arc<Cluster>, Failure> {
        self.cluster(name).ok_or_else(|| {
            Failure::refused(format!("{name} is no proxied cluster any more; run: lanyard kubeconfig write"))
        })
    }

    /// What requests of the cluster get now, and the cluster as it is by then: the client certificate of its connections
    /// may have come with the chain. `rejected`: the cluster rejected what this generation had. Refused where its approval
    /// was taken back meanwhile.
    pub async fn chain(
        &self,
        cluster: &Cluster,
        pid: u32,
        rejected: Option<u64>,
    ) -> Result<(Arc<Cluster>, Arc<Chain>), Failure> {
        let asked = self.current(cluster)?;
        let mut kept = asked.chain.lock().await;
        let forgotten = self.forgotten.load(Ordering::SeqCst);
        if let Some(Kept { chain, since }) = &*kept
            && *since == forgotten
            && chain.is_good()
            && rejected != Some(chain.generation)
        {
            return Ok((self.current(cluster)?, chain.clone()));
        }
        *kept = None;
        let need = |id| Tell::Need { id, cluster: cluster.name.clone(), pid, rejected };
        let Reply::Chain(chain) = self.ask(need).await? else {
            return Err(silent());
        };
        let chain = Arc::new(chain);
        // A lock may have come meanwhile: it forgets the chains, and couldn’t reach this one.
        self.unlocked()?;
        let now = self.current(cluster)?;
        if Arc::ptr_eq(&now, &asked) {
            *kept = Some(Kept { chain: chain.clone(), since: forgotten });
        } else if let Ok(mut fresh) = now.chain.try_lock() {
            *fresh = Some(Kept { chain: chain.clone(), since: forgotten });
        }
        Ok((now, chain))
    }

    /// Refused where Lanyard was locked, or the cluster’s approval taken back, since its chain was asked for.
    pub fn still_may(&self, cluster: &Cluster) -> Result<(), Failure> {
        self.unlocked()?;
        self.current(cluster).map(drop)
    }

    fn current(&self, cluster: &Cluster) -> Result<Arc<Cluster>, Failure> {
        self.cluster(&cluster.name).filter(|now| now.epoch == cluster.epoch).ok_or_else(taken_back)
    }

    /// What the program of that account adds to a request.
    pub async fn signed(
        &self,
        cluster: &str,
        signer: &str,
        request: SignRequest,
    ) -> Result<StatedHeaders, Failure> {
        let (cluster, signer) = (cluster.to_owned(), signer.to_owned());
        let Reply::Signed(headers) = self.ask(|id| Tell::Sign { id, cluster, signer, request }).await? else {
            return Err(silent());
        };
        Ok(headers)
    }

    /// A handshake’s signature by the key of that account, made by one of TLS’s schemes. It blocks its thread.
    pub fn signature(
        &self,
        cluster: &str,
        signer: &str,
        scheme: u16,
        message: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let (answer, asked) = std::sync::mpsc::channel();
        let id = self.await_answer(Box::new(move |given| drop(answer.send(given))));
        let (cluster, signer) = (cluster.to_owned(), signer.to_owned());
        let tell = Tell::SignHandshake { id, cluster, signer, scheme, message: STANDARD.encode(message) };
        let given = if self.tells.try_send(tell).is_ok() {
            asked.recv_timeout(SIGNATURE_PATIENCE).ok()
        } else {
            None
        };
        held(&self.asked).remove(&id);
        match given {
            Some(Ok(Reply::Signature(signature))) => Ok(signature),
            Some(Err(failure)) => Err(failure),
            _ => Err(silent()),
        }
    }

    fn await_answer(&self, asked: Asked) -> u64 {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        held(&self.asked).insert(id, asked);
        id
    }

    async fn ask(&self, tell: impl FnOnce(u64) -> Tell) -> Given {
        let (answer, asked) = oneshot::channel();
        // Its request may have ended meanwhile.
        let id = self.await_answer(Box::new(|given| drop(answer.send(given))));
        let given = if self.tells.send(tell(id)).await.is_ok() {
            tokio::time::timeout(PATIENCE, asked).await.ok().and_then(Result::ok)
        } else {
            None
        };
        held(&self.asked).remove(&id);
        given.unwrap_or_else(|| Err(silent()))
    }

    pub fn answer(&self, id: u64, given: Given) {
        let asked = held(&self.asked).remove(&id);
        if let Some(asked) = asked {
            asked(given);
        }
    }

    /// Tells the broker what it waits for.
    pub async fn tell_surely(&self, tell: Tell) {
        // It fails where the broker has gone.
        let _ = self.tells.send(tell).await;
    }

    /// Tells the broker, and never waits for it: requests go on.
    pub fn tell(&self, tell: Tell) {
        if self.tells.try_send(tell).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        } else {
            let lost = self.lost.swap(0, Ordering::Relaxed);
            if lost > 0 && self.tells.try_send(Tell::Lost { count: lost }).is_err() {
                self.lost.fetch_add(lost, Ordering::Relaxed);
            }
        }
    }
}

fn silent() -> Failure {
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "Lanyard doesn’t answer; run: lanyard doctor")
}

/// After a 401 client-go asks the helper again.
fn taken_back() -> Failure {
    Failure::new(
        StatusCode::UNAUTHORIZED,
        "the approval for this credential was taken back; run the command again",
    )
}

/// A lock that another thread’s panic doesn’t close: nothing here is left half changed.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
