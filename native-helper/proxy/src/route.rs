//! The path gives each cluster its own discovery cache: `/c/NAME`. The credential names the cluster. At a listener of its
//! own a client may ask as it would ask the cluster itself. (rule: own-cluster)

use http::StatusCode;
use http::header::{HeaderValue, LOCATION};

use crate::failure::Failure;
use crate::shared::Cluster;
use crate::upstream::Answer;
use crate::{joined_path, percent, request_rules};

const PREFIX: &str = "/c/";

/// Whom a request says that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// This proxy, as the kubeconfig that Lanyard writes has it.
    Proxy,
    /// The cluster’s own server.
    Cluster,
}

/// The path and query towards the cluster, below its server’s own path.
pub fn target(path_and_query: &str, cluster: &Cluster, place: &Place) -> Result<String, Failure> {
    match place {
        Place::Proxy => route(path_and_query, &cluster.name),
        Place::Cluster => below(path_and_query, &cluster.upstream.base),
    }
}

/// `base`: the path of the cluster’s server, without a slash at its end.
fn below(path_and_query: &str, base: &str) -> Result<String, Failure> {
    let below =
        path_and_query.strip_prefix(base).filter(|below| below.is_empty() || below.starts_with(['/', '?']));
    let below = below.ok_or_else(|| {
        Failure::refused(format!("the path isn’t below {base}, the path of the cluster’s server"))
    })?;
    Ok(rooted(below))
}

fn rooted(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

/// The path and query towards the cluster, below its server’s own path. A path without a cluster goes to the
/// credential’s: `kubectl get --raw` before 1.35 and `kubectl proxy` leave it out.
fn route(path_and_query: &str, cluster: &str) -> Result<String, Failure> {
    let Some(rest) = path_and_query.strip_prefix(PREFIX) else {
        return Ok(path_and_query.to_owned());
    };
    // client-go decodes a name’s slash.
    let plain = rest.strip_prefix(cluster).filter(|below| below.is_empty() || below.starts_with(['/', '?']));
    let below = plain.or_else(|| {
        let (stated, below) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        (percent::decode(stated).as_deref() == Some(cluster.as_bytes())).then_some(below)
    });
    let Some(below) = below else {
        return Err(Failure::refused(
            "the path names another cluster than the credential; use the kubeconfig that Lanyard writes",
        ));
    };
    Ok(rooted(below))
}

/// The path of a cluster at the listener.
fn prefix_of(cluster: &str) -> String {
    let mut path = PREFIX.to_owned();
    percent::encode(&mut path, cluster.as_bytes(), b"");
    path
}

/// The answer without what the cluster may not say to the client, and with its `Location` as the client has to follow it.
/// One that leads elsewhere is a failure: the client would take its way in there.
pub fn within(mut answer: Answer, cluster: &Cluster, place: &Place, own: &str) -> Result<Answer, Failure> {
    let headers = answer.response.headers_mut();
    if !cluster.passes_cookies {
        request_rules::remove_cookies(headers);
    }
    if let Some(stated) = headers.get(LOCATION) {
        let upstream = &cluster.upstream;
        let to = match place {
            Place::Proxy => format!("https://{own}{}", prefix_of(&cluster.name)),
            Place::Cluster => format!("{}{}", upstream.origin, upstream.base),
        };
        let inner = stated
            .to_str()
            .ok()
            .and_then(|stated| location(stated, &upstream.origin, &upstream.base, &to))
            .and_then(|inner| HeaderValue::try_from(inner).ok())
            .ok_or_else(|| {
                Failure::new(
                    StatusCode::BAD_GATEWAY,
                    format!("{} redirects to another server, which Lanyard doesn’t follow", cluster.name),
                )
            })?;
        headers.insert(LOCATION, inner);
    }
    Ok(answer)
}

/// A `Location` of the cluster as the client has to follow it; None: it leads elsewhere. `upstream`: scheme and
/// authority; `base`: the path of the cluster’s server, without a slash at its end; `to`: what the client has in
/// place of both.
fn location(stated: &str, upstream: &str, base: &str, to: &str) -> Option<String> {
    let path = match stated.strip_prefix(upstream) {
        Some(path) if path.starts_with('/') => path,
        Some("") => "/",
        _ if stated.starts_with('/') && !stated.starts_with("//") => stated,
        _ => return None,
    };
    let below = path.strip_prefix(base).filter(|below| below.starts_with('/') || base.is_empty())?;
    let plain = below.split(['?', '#']).next().unwrap_or_default();
    if joined_path::fault(plain).is_some() {
        return None;
    }
    Some(format!("{to}{below}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_credential_names_the_cluster() {
        let to = |path| route(path, "prod").map_err(|failure| failure.status.as_u16());
        assert_eq!(to("/c/prod/api/v1/pods?limit=500"), Ok("/api/v1/pods?limit=500".to_owned()));
        assert_eq!(to("/api/v1/pods"), Ok("/api/v1/pods".to_owned()));
        assert_eq!(to("/c/prod"), Ok("/".to_owned()));
        assert_eq!(to("/c/prod?a=b"), Ok("/?a=b".to_owned()));
        assert_eq!(to("/c/other/api"), Err(403));
        assert_eq!(to("/c/prod2/api"), Err(403));
        assert_eq!(to("/c/%70rod/api"), Ok("/api".to_owned()));
        assert_eq!(to("/c/%zz/api"), Err(403));
        assert_eq!(to("/c/"), Err(403));
    }

    #[test]
    fn a_name_of_any_kind_comes_back() {
        for name in ["prod", "arn:aws:eks:eu:1:cluster/prod", "a b", "é"] {
            assert_eq!(route(&format!("{}/api", prefix_of(name)), name), Ok("/api".to_owned()));
            assert_eq!(route(&format!("/c/{name}/api"), name), Ok("/api".to_owned()));
        }
    }

    // KEP-2718/proxy-config
    #[test]
    fn a_client_that_asks_as_the_cluster_is_asked_says_the_servers_own_path() {
        let to = |path, base| below(path, base).map_err(|failure| failure.status.as_u16());
        assert_eq!(to("/api?limit=5", ""), Ok("/api?limit=5".to_owned()));
        assert_eq!(to("/", ""), Ok("/".to_owned()));
        assert_eq!(to("/k8s/c1/api", "/k8s/c1"), Ok("/api".to_owned()));
        assert_eq!(to("/k8s/c1", "/k8s/c1"), Ok("/".to_owned()));
        assert_eq!(to("/k8s/c1?a", "/k8s/c1"), Ok("/?a".to_owned()));
        assert_eq!(to("/k8s/c12/api", "/k8s/c1"), Err(403));
        assert_eq!(to("/api", "/k8s/c1"), Err(403));
        // A cluster’s own path may look so.
        assert_eq!(to("/c/other/api", ""), Ok("/c/other/api".to_owned()));
    }

    #[test]
    fn a_redirect_stays_within_the_cluster() {
        let to = |stated, base| location(stated, "https://up:6443", base, "https://127.0.0.1:1/c/prod");
        assert_eq!(to("/api", ""), Some("https://127.0.0.1:1/c/prod/api".to_owned()));
        assert_eq!(to("https://up:6443/api?a", ""), Some("https://127.0.0.1:1/c/prod/api?a".to_owned()));
        assert_eq!(to("/k8s/c1/api", "/k8s/c1"), Some("https://127.0.0.1:1/c/prod/api".to_owned()));
        assert_eq!(to("/k8s/c12/api", "/k8s/c1"), None);
        assert_eq!(to("/other", "/k8s/c1"), None);
        assert_eq!(to("/k8s/c1/..%2fc2/api", "/k8s/c1"), None);
        assert_eq!(
            to("/api?a=/../b#/../c", ""),
            Some("https://127.0.0.1:1/c/prod/api?a=/../b#/../c".to_owned())
        );
        assert_eq!(to("https://up:64430/api", ""), None);
        assert_eq!(to("https://evil/api", ""), None);
        assert_eq!(to("//evil/api", ""), None);
        assert_eq!(to("relative", ""), None);
    }
}
