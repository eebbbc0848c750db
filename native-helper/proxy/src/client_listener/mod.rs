//! A listener of one client’s own (KEP-2718, docs/adr/0032): for one process and one cluster, on a Unix socket or a
//! loopback port. It ends when the client lets its lock go, when the client’s process has ended, or when it is idle.
//! (rule: client-listener)

mod lock_file;
mod socket;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::control::Tell;
use crate::failure::Failure;
use crate::issue;
use crate::leaf::server_config;
use crate::listener::{Reception, bind};
use crate::process;
use crate::shared::held;
use crate::streams::Stream;
use crate::way_in::WayIn;
use lock_file::LockFile;

/// How often the lock, the process and the idle time are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// At a time: each looks at its lock twice a second.
const MOST: usize = 512;

/// What the broker asks for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wanted {
    id: u64,
    cluster: String,
    pid: u32,
    /// When the process started, as its way in has it.
    started: String,
    /// None: the client has none, and the listener ends without one.
    lock_file: Option<String>,
    listen: Listen,
    /// Connections need a certificate that is made for this listener.
    client_certificate: bool,
    idle_milliseconds: u64,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum Listen {
    /// In a folder that is this user’s alone.
    Unix { path: PathBuf },
    /// A loopback port.
    Tls,
}

/// Why there is none, for the user.
#[derive(Debug)]
pub struct Refusal {
    pub code: &'static str,
    pub text: String,
    pub hint: Option<String>,
}

/// Why one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Why {
    /// Its client lets go of the lock.
    Lock,
    /// Its client’s process has ended.
    Process,
    Idle,
    /// The broker said so.
    Ordered,
}

#[derive(Default)]
pub struct ClientListeners(Mutex<HashMap<u64, Arc<ClientListener>>>);

pub struct ClientListener {
    id: u64,
    pub cluster: String,
    pid: u32,
    started: String,
    idle: Duration,
    /// When it was needed last.
    needed: Mutex<Instant>,
    /// Requests under way.
    requests: Mutex<HashMap<u64, Arc<Stream>>>,
    end: watch::Sender<bool>,
}

/// A request at the listener, as long as it is kept.
pub struct Use {
    listener: Arc<ClientListener>,
    stream: u64,
}

impl ClientListeners {
    /// The broker doesn’t want it any more.
    pub fn end(&self, id: u64) {
        if let Some(listener) = held(&self.0).get(&id) {
            listener.end();
        }
    }

    fn add(&self, listener: &Arc<ClientListener>) -> Result<(), Refusal> {
        let mut all = held(&self.0);
        if all.len() >= MOST {
            let text = format!("{MOST} clients have a listener of their own at the request proxy");
            return Err(Refusal { code: "many", text, hint: Some("end some of them".to_owned()) });
        }
        all.insert(listener.id, listener.clone());
        Ok(())
    }

    fn remove(&self, id: u64) {
        held(&self.0).remove(&id);
    }
}

/// Opens it, and serves until it ends. The broker is told of both.
pub async fn serve(wanted: Wanted, reception: Arc<Reception>) {
    let shared = reception.shared.clone();
    let id = wanted.id;
    let listener = Arc::new(ClientListener::new(&wanted));
    if let Err(refusal) = shared.listeners.add(&listener) {
        return shared.tell_surely(refused(id, refusal)).await;
    }
    let ended = match listener.open(wanted, &reception).await {
        Ok(why) => Tell::ListenerEnded { id, why },
        Err(refusal) => refused(id, refusal),
    };
    shared.listeners.remove(id);
    shared.tell_surely(ended).await;
}

fn refused(id: u64, Refusal { code, text, hint }: Refusal) -> Tell {
    Tell::ListenerRefused { id, code, text, hint }
}

impl ClientListener {
    fn new(wanted: &Wanted) -> Self {
        Self {
            id: wanted.id,
            cluster: wanted.cluster.clone(),
            pid: wanted.pid,
            started: wanted.started.clone(),
            idle: Duration::from_millis(wanted.idle_milliseconds),
            needed: Mutex::new(Instant::now()),
            requests: Mutex::default(),
            end: watch::Sender::new(false),
        }
    }

    /// Until it ends.
    async fn open(self: &Arc<Self>, wanted: Wanted, reception: &Reception) -> Result<Why, Refusal> {
        let lock = match &wanted.lock_file {
            Some(path) => Some(lock_file::open(path).await?),
            None => None,
        };
        let faulty = |error: &dyn std::fmt::Display| Refusal {
            code: "fault",
            text: format!("a listener of the client’s own can’t be made: {error}"),
            hint: None,
        };
        let client = if wanted.client_certificate {
            Some(issue::client().map_err(|error| faulty(&error))?)
        } else {
            None
        };
        let certificate = client.as_ref().map(|pair| pair.certificate.as_str());
        let tls = server_config(&reception.leaf, certificate).map_err(|error| faulty(&error))?;
        let tell = |port, client| {
            let told = Tell::Listener { id: self.id, port, client_certificate: client };
            reception.shared.tell_surely(told)
        };
        match wanted.listen {
            Listen::Tls => {
                let bound = bind(0).await.map_err(|error| faulty(&error))?;
                let port = bound.local_addr().map_err(|error| faulty(&error))?.port();
                tell(Some(port), client).await;
                Ok(self.until_over(lock, reception.accept(bound, tls, Some(self.clone()))).await)
            }
            #[cfg(unix)]
            Listen::Unix { path } => {
                let bound = socket::bind(&path).map_err(|error| faulty(&error))?;
                tell(None, client).await;
                Ok(self.until_over(lock, reception.accept(bound, tls, Some(self.clone()))).await)
            }
            #[cfg(not(unix))]
            Listen::Unix { path } => Err(faulty(&format!("{} would be a Unix socket", path.display()))),
        }
    }

    /// With the end its socket is gone, its connections end, and so does what was upgraded.
    async fn until_over(&self, lock: Option<LockFile>, serving: impl Future<Output = ()>) -> Why {
        let why = tokio::select! {
            why = self.over(lock) => why,
            () = self.ended() => Why::Ordered,
            () = serving => Why::Ordered,
        };
        self.end();
        why
    }

    async fn over(&self, mut lock: Option<LockFile>) -> Why {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if !process::is_alive(self.pid, &self.started) {
                return Why::Process;
            }
            if let Some(held) = lock.take() {
                lock = held.look().await;
                if lock.is_none() {
                    return Why::Lock;
                }
            }
            if held(&self.requests).is_empty() && held(&self.needed).elapsed() >= self.idle {
                return Why::Idle;
            }
        }
    }

    /// Resolves once it has ended.
    pub async fn ended(&self) {
        let mut end = self.end.subscribe();
        // It fails where the sender is gone, which this holds.
        let _ = end.wait_for(|ended| *ended).await;
    }

    fn end(&self) {
        self.end.send_replace(true);
        for stream in held(&self.requests).values() {
            stream.end();
        }
    }

    /// Another process’s way in, or one of another cluster, has its own listener.
    pub fn admits(&self, way_in: &WayIn) -> Result<(), Failure> {
        let is_its_own =
            way_in.cluster == self.cluster && way_in.pid == self.pid && way_in.started == self.started;
        if is_its_own {
            return Ok(());
        }
        Err(Failure::refused(
            "this listener is for another process or another cluster than the credential; use the one that came with it",
        ))
    }

    /// A request that is under way. One that comes after the end ends at once.
    pub fn uses(self: &Arc<Self>, stream: &Arc<Stream>) -> Use {
        held(&self.requests).insert(stream.id, stream.clone());
        if *self.end.borrow() {
            stream.end();
        }
        Use { listener: self.clone(), stream: stream.id }
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        *held(&self.listener.needed) = Instant::now();
        held(&self.listener.requests).remove(&self.stream);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::streams::Streams;

    fn wanted(pid: u32) -> Wanted {
        Wanted {
            id: 1,
            cluster: "prod".to_owned(),
            pid,
            started: process::start(pid).unwrap_or_default(),
            lock_file: None,
            listen: Listen::Tls,
            client_certificate: false,
            idle_milliseconds: 60_000,
        }
    }

    fn listener(pid: u32) -> Arc<ClientListener> {
        Arc::new(ClientListener::new(&wanted(pid)))
    }

    fn way_in(listener: &ClientListener) -> WayIn {
        WayIn {
            cluster: listener.cluster.clone(),
            epoch: "1".to_owned(),
            pid: listener.pid,
            started: listener.started.clone(),
            ..WayIn::default()
        }
    }

    // KEP-2718/idle
    #[tokio::test(start_paused = true)]
    async fn it_is_idle_once_its_last_request_has_ended() -> Result<(), Failure> {
        let listener = listener(std::process::id());
        let stream = Streams::default().open(&way_in(&listener), "GET".into(), "/api".into())?;
        let watch = listener.uses(&stream);
        let ending = tokio::spawn({
            let listener = listener.clone();
            async move { listener.until_over(None, std::future::pending()).await }
        });
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        assert!(!ending.is_finished());
        drop(watch);
        tokio::time::sleep(Duration::from_secs(59)).await;
        assert!(!ending.is_finished());
        assert_eq!(ending.await.ok(), Some(Why::Idle));
        Ok(())
    }

    #[tokio::test]
    async fn it_ends_with_its_process_and_so_does_what_is_under_way() -> Result<(), Failure> {
        // No process has this id.
        let listener = listener(u32::MAX);
        let stream = Streams::default().open(&way_in(&listener), "GET".into(), "/api".into())?;
        let _watch = listener.uses(&stream);
        assert_eq!(listener.until_over(None, std::future::pending()).await, Why::Process);
        stream.ended().await;
        // What comes too late ends, too.
        let late = Streams::default().open(&way_in(&listener), "GET".into(), "/api".into())?;
        let _late = listener.uses(&late);
        late.ended().await;
        Ok(())
    }

    #[test]
    fn only_so_many_are_open_and_one_that_ended_makes_room() -> Result<(), String> {
        let all = ClientListeners::default();
        let numbered = |id: u64| {
            let mut one = ClientListener::new(&wanted(std::process::id()));
            one.id = id;
            Arc::new(one)
        };
        for id in 0..MOST as u64 {
            all.add(&numbered(id)).map_err(|refusal| refusal.text)?;
        }
        let next = numbered(MOST as u64);
        assert_eq!(all.add(&next).err().map(|refusal| refusal.code), Some("many"));
        all.remove(0);
        assert!(all.add(&next).is_ok());
        Ok(())
    }

    #[test]
    fn it_admits_its_own_process_at_its_own_cluster_alone() {
        let listener = listener(std::process::id());
        let own = way_in(&listener);
        assert_eq!(listener.admits(&own), Ok(()));
        for other in [
            WayIn { cluster: "other".to_owned(), ..own.clone() },
            WayIn { pid: own.pid + 1, ..own.clone() },
            WayIn { started: "1".to_owned(), ..own.clone() },
        ] {
            assert_eq!(listener.admits(&other).map_err(|failure| failure.status.as_u16()), Err(403));
        }
    }
}
