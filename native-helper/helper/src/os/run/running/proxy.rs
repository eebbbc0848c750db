//! A program that is its client's proxy itself (KEP-2718): it answers, and runs on beside this process, which is as long
//! as the program is. So the client sees what it would see of the program: an answer, and no end.
//! (rule: no-stray-program)

use super::{ALIVE, EMPTY, Running};
use crate::failure::{Failure, exit};
use crate::frames::Outcome;
use crate::os::run::{End, broken};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::getppid;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Deserializer;
use std::io;
use std::time::Duration;

/// An ExecCredential, without its texts.
#[derive(Deserialize)]
struct Answer {
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    proxy_config: Option<IgnoredAny>,
}

/// The length of the answer in what the program wrote, if that is complete, and has a proxy. An answer without one is
/// that of a program that ends.
fn answer_with_proxy(written: &[u8]) -> Option<usize> {
    let mut documents = Deserializer::from_slice(written).into_iter::<Answer>();
    documents.next()?.ok()?.status?.proxy_config?;
    Some(documents.byte_offset())
}

impl Running<'_> {
    /// The answer of a program that may run on after it.
    pub(super) fn answer(&self) -> Option<Outcome> {
        let may_run_on = self.order.runs_on && self.ended.is_none() && self.ending.is_none();
        let length = may_run_on.then(|| answer_with_proxy(&self.stdout.kept.bytes)).flatten()?;
        Some(Outcome::exited(0, self.stdout.kept.bytes.get(..length)?))
    }

    /// Passes the answer on. If that went well, waits until the program has ended, or the client: then dropping this ends
    /// the program.
    pub(super) fn serve(&mut self, answer: &Outcome) -> Result<End, Failure> {
        self.keys = None;
        if let Some(lent) = &mut self.around.lent {
            lent.take_back();
        }
        self.pass_stderr()?;
        let code = self.client.pass_on(answer)?;
        if code != exit::GOOD {
            return Ok(End::PassedOn(code));
        }
        while self.status().is_none() {
            self.wait_beside()?;
            if getppid() != self.parent.0 || self.is_to_end() {
                return Ok(End::PassedOn(code));
            }
            self.stdout.drop_written();
            self.show_stderr();
        }
        self.is_over = true;
        let _ = self.child.try_wait();
        Ok(End::PassedOn(code))
    }

    /// The keys of the terminal are for the client: if it lives on, so does its proxy.
    fn is_to_end(&self) -> bool {
        let mut came = std::iter::from_fn(|| self.around.signals.take());
        came.any(|signal| matches!(signal, libc::SIGTERM | libc::SIGHUP))
    }

    fn show_stderr(&mut self) {
        let mut buffer = EMPTY;
        self.stderr.show(Duration::ZERO);
        while !self.stderr.is_waiting() && self.stderr.take(&mut buffer).is_some() {
            self.stderr.show(Duration::ZERO);
        }
    }

    /// Waits until the program wrote or ended, a signal came, or the client ended.
    fn wait_beside(&self) -> Result<(), Failure> {
        let screen = io::stderr();
        let mut all = vec![PollFd::new(&self.around.signals, PollFlags::IN)];
        all.extend(self.parent.1.as_ref().map(|end| PollFd::new(end, PollFlags::IN)));
        all.extend(self.stdout.pipe.descriptor().map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        if self.stderr.is_waiting() {
            all.push(PollFd::new(&screen, PollFlags::OUT));
        } else {
            let pipe = self.stderr.pipe.descriptor();
            all.extend(pipe.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        }
        // If the system doesn't tell the parent's end, this process looks for it.
        let left = self.parent.1.is_none().then(|| Timespec::try_from(ALIVE).ok()).flatten();
        match poll(&mut all, left.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(broken(&error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::answer_with_proxy;

    #[test]
    fn an_answer_counts_once_it_is_complete_and_has_a_proxy() {
        let good = br#"{"kind":"ExecCredential","status":{"token":"t","proxyConfig":{"url":"unix:///s"}}}"#;
        assert_eq!(answer_with_proxy(good), Some(good.len()));
        for length in 0..good.len() {
            assert_eq!(answer_with_proxy(good.get(..length).unwrap()), None);
        }
        let more = [b"\n ".as_slice(), good, b"\n{\"next\":"].concat();
        assert_eq!(answer_with_proxy(&more), Some(2 + good.len()));
    }

    #[test]
    fn any_other_is_that_of_a_program_that_ends() {
        for other in [
            r#"{"status":{"token":"t"}}"#,
            r#"{"status":{"proxyConfig":null}}"#,
            r#"{"status":null}"#,
            r#"{"proxyConfig":{}}"#,
            "{}",
            "\"proxyConfig\"",
            "status: {proxyConfig: {url: unix:///s}}",
            "",
        ] {
            assert_eq!(answer_with_proxy(other.as_bytes()), None, "{other}");
        }
    }
}
