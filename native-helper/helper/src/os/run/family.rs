use super::super::system;
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, kill_process_group, waitid,
    waitpid,
};
use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The facts about a process that a run needs.
pub struct Process {
    pub pid: i32,
    pub parent: i32,
    pub group: i32,
    pub session: i32,
    /// It has ended, and its parent has not waited for it yet.
    pub has_ended: bool,
}

/// Killing all takes a few rounds. A process that the kernel can't end must not block this one.
const MOST: Duration = Duration::from_secs(2);
const ROUND: Duration = Duration::from_millis(3);

/// Whether orphans of a program become children of this process, so that it can find them. Not if this process has
/// children already, from a shell that became this program or a broker that it started. Their orphans must not be
/// killed.
#[derive(Clone, Copy)]
pub struct Adopts(bool);

impl Adopts {
    pub fn begin() -> Self {
        let look = WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT | WaitIdOptions::EXITED;
        let is_childless = matches!(waitid(WaitId::All, look), Err(Errno::CHILD));
        Adopts(is_childless && system::adopt_orphans())
    }
}

/// A program and all that it started. Don't reap its process before this is dropped: until then no other process gets
/// its pid.
pub struct Family {
    pub head: Pid,
    pub adopts: Adopts,
}

impl Family {
    /// Signals the program's own group.
    pub fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.head, signal);
    }

    /// Kills all of them, including those that left the group or the session or lost their parents. When this returns,
    /// none is left, except those that the system doesn't let this user kill, or that outlive `MOST`.
    pub fn end(&self) {
        let until = Instant::now() + MOST;
        let mut spared = BTreeSet::new();
        let mut was_empty = false;
        loop {
            self.signal(Signal::KILL);
            let members = self.members(&spared);
            // The system lists processes by pid, and pids start again at the lowest: a member that was forked during
            // one look, below the pids that were already read, is found by the next.
            if (members.is_empty() && was_empty) || Instant::now() > until {
                return;
            }
            was_empty = members.is_empty();
            for pid in members {
                let killed = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
                if killed == Some(Err(Errno::PERM)) {
                    spared.insert(pid);
                }
            }
            sleep(ROUND);
        }
    }

    /// The living members, by descent, group and session. Reaps adopted processes that have ended.
    fn members(&self, spared: &BTreeSet<i32>) -> BTreeSet<i32> {
        let (me, head) = (getpid().as_raw_nonzero().get(), self.head.as_raw_nonzero().get());
        let all = system::processes();
        let mut found = BTreeSet::from([head]);
        loop {
            let before = found.len();
            for each in &all {
                let is_ours = (found.contains(&each.parent) && each.parent != me)
                    || (self.adopts.0 && each.parent == me)
                    || each.group == head
                    || each.session == head;
                if is_ours {
                    found.insert(each.pid);
                }
            }
            if found.len() == before {
                break;
            }
        }
        for each in all.iter().filter(|each| each.has_ended) {
            found.remove(&each.pid);
            if self.adopts.0 && each.parent == me && each.pid != head {
                let _ = Pid::from_raw(each.pid).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
            }
        }
        found.retain(|pid| !spared.contains(pid) && all.iter().any(|each| each.pid == *pid));
        found
    }
}
