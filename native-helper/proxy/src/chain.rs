//! What a request gets on its way to a cluster. The broker works the chain of config.yaml out into steps with values;
//! here they are applied in order.

use std::time::{Duration, Instant};

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, Uri};
use serde::Deserialize;

use crate::edited::Edited;
use crate::failure::Failure;
use crate::header_names::{dashed, remove_matching};
use crate::shared::Shared;
use crate::sign_aws::{SignAws, StatedSignAws};
use crate::sign_program::SignProgram;
use crate::sigv4;
use crate::trace::Attempt;

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
    SignAws(StatedSignAws),
    SignProgram(SignProgram),
}

enum Step {
    Set(HeaderName, HeaderValue),
    Add(HeaderName, HeaderValue),
    Remove(HeaderName),
    RemovePrefix(String),
    SignAws(SignAws),
    SignProgram(SignProgram),
}

/// What a signature is of, but the headers.
pub struct Target<'a> {
    /// Its name.
    pub cluster: &'a str,
    pub method: &'a str,
    /// As it goes on the wire.
    pub host: &'a str,
    /// Path and query, as they are sent.
    pub uri: &'a Uri,
    /// In hex; none: no step needs it.
    pub body_sha256: Option<&'a str>,
    /// The cluster’s time, in seconds since 1970.
    pub signed_for: i64,
}

/// The steps with their values, as long as they are good.
pub struct Chain {
    steps: Vec<Step>,
    /// Which credential it is: told again where the cluster rejects it.
    pub generation: u64,
    expires: Option<Instant>,
}

impl Chain {
    /// None: a name or value is none that HTTP can carry, or a key is none.
    pub fn new(stated: Vec<StatedStep>, generation: u64, lives: Option<Duration>) -> Option<Self> {
        let steps = stated.into_iter().map(read).collect::<Option<Vec<_>>>()?;
        Some(Self { steps, generation, expires: lives.map(|lives| Instant::now() + lives) })
    }

    pub fn is_good(&self) -> bool {
        self.expires.is_none_or(|expires| Instant::now() < expires)
    }

    /// Whether a request’s body is kept, to be hashed.
    pub fn needs_hash(&self) -> bool {
        self.steps.iter().any(|step| match step {
            Step::SignAws(step) => step.needs_hash(),
            Step::SignProgram(step) => step.needs_hash(),
            _ => false,
        })
    }

    /// Whether what is sent says for which time it is.
    pub fn signs_a_time(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::SignAws(_)))
    }

    /// The path and query as they are sent with this chain.
    pub fn uri(&self, asked: &Uri) -> Result<Uri, Failure> {
        let Some(query) = asked.query().filter(|_| self.signs_a_time()) else {
            return Ok(asked.clone());
        };
        let query = sigv4::rewritten(query).map_err(|sigv4::BrokenEscape| {
            Failure::bad("the query has a % without two hex digits after it")
        })?;
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{query}", asked.path()).parse().map_err(|_| Failure::bad("no path"))
    }

    /// `trace`: of a try.
    pub async fn apply(
        &self,
        headers: &mut HeaderMap,
        target: &Target<'_>,
        shared: &Shared,
        mut trace: Option<&mut Attempt>,
    ) -> Result<(), Failure> {
        for step in &self.steps {
            let began = Instant::now();
            let mut edited = Edited::new(headers, trace.is_some());
            let done = step.apply(&mut edited, target, shared).await;
            if let Some(trace) = trace.as_deref_mut() {
                trace.steps.extend(edited.view(step.kind(), began.elapsed()));
            }
            done?;
        }
        Ok(())
    }

    /// Removes what only the chain may say; all where it signs, for no signature has them.
    pub fn clean(&self, trailers: &mut HeaderMap) {
        for step in &self.steps {
            match step {
                Step::Set(name, _) | Step::Add(name, _) | Step::Remove(name) => {
                    let name = dashed(name.as_str());
                    remove_matching(trailers, |each| each == name);
                }
                Step::RemovePrefix(prefix) => remove_matching(trailers, |name| name.starts_with(prefix)),
                Step::SignAws(_) | Step::SignProgram(_) => trailers.clear(),
            }
        }
    }
}

impl Step {
    async fn apply(
        &self,
        headers: &mut Edited<'_>,
        target: &Target<'_>,
        shared: &Shared,
    ) -> Result<(), Failure> {
        match self {
            Self::Set(name, value) => headers.set(name.clone(), value.clone()),
            Self::Add(name, value) => headers.add(name.clone(), value.clone()),
            Self::Remove(name) => headers.remove(name),
            Self::RemovePrefix(prefix) => headers.remove_prefix(prefix),
            Self::SignAws(step) => step.sign(headers, target)?,
            Self::SignProgram(step) => step.sign(headers, target, shared).await?,
        }
        Ok(())
    }

    /// As the broker names it.
    fn kind(&self) -> &'static str {
        match self {
            Self::Set(..) => "set",
            Self::Add(..) => "add",
            Self::Remove(_) => "remove",
            Self::RemovePrefix(_) => "removePrefix",
            Self::SignAws(_) => "signAws",
            Self::SignProgram(_) => "signProgram",
        }
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
        StatedStep::SignAws(stated) => Step::SignAws(SignAws::new(stated)?),
        StatedStep::SignProgram(step) => Step::SignProgram(step),
    })
}
