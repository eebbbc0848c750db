//! The way in: a bearer token that the broker mints for one process and one cluster (ADR 0030). It is good as long as the
//! process lives, its approval counts, and the vault's key is the same; where the process may not be the client, it
//! expires. (rule: way-in)
//!
//! `base64url(JSON) "." base64url(HMAC-SHA256(key, "lanyard way in 1\n" JSON))`

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde::Deserialize;

use crate::process;

const PURPOSE: &[u8] = b"lanyard way in 1\n";
/// Longer ones are no tokens of ours.
const LONGEST: usize = 1024;

/// Who may send what where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct WayIn {
    /// The cluster's name.
    #[serde(rename = "c")]
    pub cluster: String,
    /// The cluster's epoch: another one once an approval was taken back.
    #[serde(rename = "e")]
    pub epoch: String,
    #[serde(rename = "p")]
    pub pid: u32,
    /// When the process started, as the system counts it.
    #[serde(rename = "s")]
    pub started: String,
    /// Of the system's boot, with which pids and start times begin anew. Earlier versions named none: such a token has ended.
    #[serde(rename = "b", default)]
    pub boot: String,
    /// When it expires, in seconds of the boottime clock; none: with its process.
    #[serde(rename = "x", default)]
    pub expires: Option<u64>,
}

impl WayIn {
    /// Its process lives, and it hasn't expired.
    pub fn is_good(&self) -> bool {
        self.is_within(process::boottime_seconds(), process::boot_id())
            && process::is_alive(self.pid, &self.started)
    }

    fn is_within(&self, now: u64, boot: &str) -> bool {
        self.boot == boot && self.expires.is_none_or(|expires| now < expires)
    }

    /// What a token says that was one, by whatever key. None: it never was.
    pub fn claimed(token: &str) -> Option<Self> {
        let (payload, _) = token.split_once('.').filter(|_| token.len() <= LONGEST)?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
    }
}

/// The vault's key, while Lanyard is unlocked.
pub struct Key(hmac::Key);

impl Key {
    pub fn new(bytes: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    /// None: it is not a token of this key.
    pub fn read(&self, token: &str) -> Option<WayIn> {
        if token.len() > LONGEST {
            return None;
        }
        let (payload, mac) = token.split_once('.')?;
        let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        let mut signed = Vec::with_capacity(PURPOSE.len() + payload.len());
        signed.extend_from_slice(PURPOSE);
        signed.extend_from_slice(&payload);
        hmac::verify(&self.0, &signed, &mac).ok()?;
        serde_json::from_slice(&payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the broker mints it.
    fn minted(key: &[u8], payload: &str) -> String {
        let mut signed = PURPOSE.to_vec();
        signed.extend_from_slice(payload.as_bytes());
        let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), &signed);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(mac))
    }

    const PAYLOAD: &str = r#"{"c":"prod","e":"1","p":42,"s":"1234"}"#;

    #[test]
    fn a_token_of_the_key_says_who_and_where() {
        let key = Key::new(b"key");
        let expected = WayIn {
            cluster: "prod".into(),
            epoch: "1".into(),
            pid: 42,
            started: "1234".into(),
            ..WayIn::default()
        };
        assert_eq!(key.read(&minted(b"key", PAYLOAD)), Some(expected));
    }

    #[test]
    fn it_is_of_one_boot_and_has_an_end_where_the_broker_set_one() {
        let key = Key::new(b"key");
        let read = |more: &str| {
            let payload = format!(r#"{{"c":"prod","e":"1","p":1,"s":"7"{more}}}"#);
            key.read(&minted(b"key", &payload)).unwrap_or_default()
        };
        let endless = read(r#","b":"one""#);
        assert_eq!(["one", "two", ""].map(|boot| endless.is_within(u64::MAX, boot)), [true, false, false]);
        let ending = read(r#","b":"one","x":100"#);
        assert_eq!([99, 100, 101].map(|now| ending.is_within(now, "one")), [true, false, false]);
        // As an earlier version minted it.
        assert!(!read("").is_within(0, "one"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_ends_while_its_process_lives() {
        let pid = std::process::id();
        let started = process::start(pid).unwrap_or_default();
        let boot = process::boot_id().to_owned();
        let good = WayIn { pid, started, boot, ..WayIn::default() };
        assert!(good.is_good());
        assert!(WayIn { expires: Some(process::boottime_seconds() + 60), ..good.clone() }.is_good());
        for ended in [
            WayIn { expires: Some(process::boottime_seconds()), ..good.clone() },
            WayIn { boot: "another".into(), ..good.clone() },
            WayIn { started: "1".into(), ..good.clone() },
        ] {
            assert!(!ended.is_good(), "{ended:?}");
        }
    }

    #[test]
    fn any_other_is_none() {
        let key = Key::new(b"key");
        let good = minted(b"key", PAYLOAD);
        let (payload, mac) = good.split_once('.').unwrap_or_default();
        let other = URL_SAFE_NO_PAD.encode(PAYLOAD.replace("prod", "else"));
        for token in [
            String::new(),
            ".".to_owned(),
            payload.to_owned(),
            format!("{payload}."),
            format!("{other}.{mac}"),
            format!("{payload}.{}", mac.chars().rev().collect::<String>()),
            format!("{good}="),
            minted(b"other", PAYLOAD),
            minted(b"key", "{}"),
            minted(b"key", r#"{"c":"prod","e":"1","p":-1,"s":"1"}"#),
            minted(b"key", &format!(r#"{{"c":"{}","e":"1","p":1,"s":"1"}}"#, "a".repeat(LONGEST))),
        ] {
            assert_eq!(key.read(&token), None, "{token}");
        }
    }

    #[test]
    fn one_of_an_earlier_key_is_known_as_such() {
        assert!(WayIn::claimed(&minted(b"earlier", PAYLOAD)).is_some());
        for token in ["", ".", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "k8s-token", "e30.x"] {
            assert_eq!(WayIn::claimed(token), None, "{token}");
        }
    }
}
