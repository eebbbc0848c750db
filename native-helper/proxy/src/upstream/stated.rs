//! A cluster’s upstream as the broker states it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use http::{HeaderValue, Uri};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ALL_VERSIONS, ClientConfig, SupportedProtocolVersion};
use serde::Deserialize;

use super::connect::{Proxy, Way};
use super::endings::Endings;
use super::held_certificate::{Held, chain_of};
use super::held_key::HeldKey;
use super::trusted::{Trusted, Verifier};
use super::{Upstream, authority};
use crate::bodies::BoxError;
use crate::shared::Shared;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatedUpstream {
    /// `https://host:port/path`
    server: String,
    /// PEM. None: the system’s, as `listen` states them.
    certificate_authority: Option<String>,
    tls_server_name: Option<String>,
    #[serde(default)]
    insecure_skip_tls_verify: bool,
    proxy: Option<StatedProxy>,
    client_certificate: Option<StatedCertificate>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StatedProxy {
    /// http, https or socks5; without a user.
    url: String,
    user: Option<(String, String)>,
}

/// PEM.
#[derive(Deserialize)]
#[serde(untagged)]
enum StatedCertificate {
    Own(OwnKey),
    Held(StatedHeldKey),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnKey {
    certificate: String,
    key: String,
}

/// The broker has the key signed with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedHeldKey {
    certificate: String,
    /// The account’s name.
    signer: String,
    /// TLS’s numbers, the preferred first.
    schemes: Vec<u16>,
}

impl StatedUpstream {
    /// Of the cluster with this name.
    pub fn build(
        self,
        name: &str,
        system: &Arc<Trusted>,
        shared: &Arc<Shared>,
    ) -> Result<Upstream, BoxError> {
        let server: Uri = self.server.parse()?;
        let host = server.host().ok_or("a server without a host")?.trim_matches(['[', ']']).to_owned();
        let port = server.port_u16().unwrap_or(443);
        let stated_authority = server.authority().ok_or("a server without a host")?.as_str().to_owned();
        let server_name = ServerName::try_from(self.tls_server_name.unwrap_or_else(|| host.clone()))?;
        let trusted = match &self.certificate_authority {
            Some(pem) => Arc::new(Trusted::of(pem)?),
            None => system.clone(),
        };
        let trusted = if self.insecure_skip_tls_verify { None } else { Some(trusted) };
        let asked_late = self.client_certificate.is_some().then(Arc::default);
        let (own, held_key) = match self.client_certificate {
            None => (None, None),
            Some(StatedCertificate::Own(own)) => (Some(own), None),
            Some(StatedCertificate::Held(key)) => (None, Some(Arc::new(key.build(name, shared)?))),
        };
        let versions = held_key.as_ref().map_or(ALL_VERSIONS, |key| key.held.versions());
        let config = client_config(trusted, own.as_ref(), versions)?;
        let with = |protocols: &[&[u8]]| {
            let mut config = config.clone();
            config.alpn_protocols = protocols.iter().map(|each| each.to_vec()).collect();
            Arc::new(config)
        };
        let proxy = self.proxy.map(|proxy| proxy.build(system)).transpose()?;
        Ok(Upstream {
            origin: format!("https://{stated_authority}"),
            authority: if port == 443 {
                authority(&host, 443).trim_end_matches(":443").to_owned()
            } else {
                authority(&host, port)
            },
            base: server.path().trim_end_matches('/').to_owned(),
            way: Way {
                host,
                port,
                server_name,
                proxy,
                tls: with(&[b"h2", b"http/1.1"]),
                tls_http1: with(&[b"http/1.1"]),
                held_key,
                asked_late,
            },
            shared: Mutex::default(),
            idle: Arc::default(),
            endings: Endings::default(),
            opening: tokio::sync::Mutex::default(),
            speaks_http1: AtomicBool::new(false),
            failed: Mutex::default(),
        })
    }
}

impl StatedHeldKey {
    fn build(self, cluster: &str, shared: &Arc<Shared>) -> Result<HeldKey, BoxError> {
        Ok(HeldKey {
            cluster: cluster.to_owned(),
            signer: self.signer,
            held: Arc::new(Held::new(&self.certificate, self.schemes)?),
            shared: Arc::downgrade(shared),
        })
    }
}

impl StatedProxy {
    fn build(self, system: &Arc<Trusted>) -> Result<Proxy, BoxError> {
        let authorization = self
            .user
            .as_ref()
            .map(|(user, password)| {
                use base64::Engine;
                let both = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
                HeaderValue::try_from(format!("Basic {both}"))
            })
            .transpose()?;
        let tls = Arc::new(client_config(Some(system.clone()), None, ALL_VERSIONS)?);
        Ok(Proxy { uri: self.url.parse()?, authorization, user: self.user, tls })
    }
}

/// `trusted`: none where any certificate will do.
pub fn client_config(
    trusted: Option<Arc<Trusted>>,
    own: Option<&OwnKey>,
    versions: &[&'static SupportedProtocolVersion],
) -> Result<ClientConfig, BoxError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let algorithms = provider.signature_verification_algorithms;
    let verifier = Arc::new(Verifier { trusted, algorithms });
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    Ok(match own {
        None => builder.with_no_client_auth(),
        Some(OwnKey { certificate, key }) => builder
            .with_client_auth_cert(chain_of(certificate)?, PrivateKeyDer::from_pem_slice(key.as_bytes())?)?,
    })
}
