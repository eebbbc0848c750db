//! What a request gets on its way to a cluster. The broker works the chain of config.yaml out into steps with values;
//! here they are applied in order.

use std::time::{Duration, Instant};

use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(tag = "step", rename_all = "camelCase", deny_unknown_fields)]
pub enum StatedStep {
    /// In place of all of that name.
    Set {
        name: String,
        value: String,
        secret: bool,
    },
    /// Beside those of that name.
    Add {
        name: String,
        value: String,
        secret: bool,
    },
    Remove {
        name: String,
    },
    /// All whose names begin so, in lower case.
    RemovePrefix {
        prefix: String,
    },
}

enum Step {
    Set(HeaderName, HeaderValue),
    Add(HeaderName, HeaderValue),
    Remove(HeaderName),
    RemovePrefix(String),
}

/// The steps with their values, as long as they are good.
pub struct Chain {
    steps: Vec<Step>,
    /// Which credential it is: told again where the cluster rejects it.
    pub generation: u64,
    expires: Option<Instant>,
}

impl Chain {
    /// None: a name or value is none that HTTP can carry.
    pub fn new(stated: Vec<StatedStep>, generation: u64, lives: Option<Duration>) -> Option<Self> {
        let steps = stated.into_iter().map(read).collect::<Option<Vec<_>>>()?;
        Some(Self { steps, generation, expires: lives.map(|lives| Instant::now() + lives) })
    }

    pub fn is_good(&self) -> bool {
        self.expires.is_none_or(|expires| Instant::now() < expires)
    }

    pub fn apply(&self, headers: &mut HeaderMap) {
        for step in &self.steps {
            match step {
                Step::Set(name, value) => {
                    headers.insert(name.clone(), value.clone());
                }
                Step::Add(name, value) => {
                    headers.append(name.clone(), value.clone());
                }
                Step::Remove(name) => {
                    headers.remove(name);
                }
                Step::RemovePrefix(prefix) => remove_prefix(headers, prefix),
            }
        }
    }
}

impl Chain {
    /// Removes what only the chain may say.
    pub fn clean(&self, trailers: &mut HeaderMap) {
        for step in &self.steps {
            match step {
                Step::Set(name, _) | Step::Add(name, _) | Step::Remove(name) => {
                    trailers.remove(name);
                }
                Step::RemovePrefix(prefix) => remove_prefix(trailers, prefix),
            }
        }
    }
}

/// Removes all whose names begin so; `prefix` in lower case.
pub fn remove_prefix(headers: &mut HeaderMap, prefix: &str) {
    let found: Vec<HeaderName> =
        headers.keys().filter(|name| name.as_str().starts_with(prefix)).cloned().collect();
    for name in found {
        headers.remove(name);
    }
}

fn read(stated: StatedStep) -> Option<Step> {
    let named = |name: String| HeaderName::try_from(name).ok();
    // A sensitive one is in no table of HTTP/2’s header compression (RFC 7541, section 7.1.3).
    let valued = |value: String, secret: bool| {
        let mut value = HeaderValue::try_from(value).ok()?;
        value.set_sensitive(secret);
        Some(value)
    };
    Some(match stated {
        StatedStep::Set { name, value, secret } => Step::Set(named(name)?, valued(value, secret)?),
        StatedStep::Add { name, value, secret } => Step::Add(named(name)?, valued(value, secret)?),
        StatedStep::Remove { name } => Step::Remove(named(name)?),
        StatedStep::RemovePrefix { prefix } => Step::RemovePrefix(prefix.to_ascii_lowercase()),
    })
}
