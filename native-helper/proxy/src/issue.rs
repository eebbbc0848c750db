//! `lanyard-proxy issue`: makes the listener’s CA and its certificates, and ends. The CA’s key is in the vault; it never
//! is in the process that serves (rule: secrets-by-pipe). stdin: `{"authority":null}` or
//! `{"authority":{"certificate","key"}}`. stdout: `{"authority":{…},"leaf":{…}}`, all PEM.

use std::io::{Read, Write};
use std::net::Ipv4Addr;

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints, SanType,
};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use zeroize::Zeroize;

use crate::bodies::BoxError;

/// A running client can’t take a new CA, and its kubeconfig has this one.
const AUTHORITY_LIVES: Duration = Duration::days(20 * 365);
/// It is replaced long before.
const LEAF_LIVES: Duration = Duration::days(30);
/// For clocks that were set back since.
const BACKDATED: Duration = Duration::days(1);
const MOST_INPUT: u64 = 64 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    authority: Option<Pair>,
}

#[derive(Serialize)]
struct Issued {
    authority: Pair,
    leaf: Pair,
}

/// PEM.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub certificate: String,
    key: String,
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

pub fn run() -> Result<(), BoxError> {
    let mut input = Vec::new();
    std::io::stdin().take(MOST_INPUT).read_to_end(&mut input)?;
    let Asked { authority } = serde_json::from_slice(&input)?;
    let issued = issue(authority, OffsetDateTime::now_utc())?;
    std::io::stdout().write_all(&serde_json::to_vec(&issued)?)?;
    Ok(())
}

fn issue(authority: Option<Pair>, now: OffsetDateTime) -> Result<Issued, BoxError> {
    let authority = authority.map_or_else(|| new_authority(now), Ok)?;
    // What signs a certificate is the subject and the key; the rest of the CA stays as it was issued.
    let issuer = Issuer::new(authority_params(now)?, KeyPair::from_pem(&authority.key)?);
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::default();
    params.distinguished_name = named("Lanyard’s request proxy");
    params.subject_alt_names = vec![SanType::IpAddress(Ipv4Addr::LOCALHOST.into())];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    params.not_before = now - BACKDATED;
    params.not_after = now + LEAF_LIVES;
    let leaf = params.signed_by(&key, &issuer)?;
    Ok(Issued { authority, leaf: Pair { certificate: leaf.pem(), key: key.serialize_pem() } })
}

fn new_authority(now: OffsetDateTime) -> Result<Pair, BoxError> {
    let key = KeyPair::generate()?;
    let certificate = authority_params(now)?.self_signed(&key)?;
    Ok(Pair { certificate: certificate.pem(), key: key.serialize_pem() })
}

/// A certificate with which one client connects to its own listener, and which that listener knows: nobody issued it. It
/// is of no use elsewhere or later, so that a client which runs for months keeps it.
pub fn client() -> Result<Pair, BoxError> {
    let now = OffsetDateTime::now_utc();
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::default();
    params.distinguished_name = named("a client of Lanyard’s request proxy");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    params.not_before = now - BACKDATED;
    params.not_after = now + AUTHORITY_LIVES;
    Ok(Pair { certificate: params.self_signed(&key)?.pem(), key: key.serialize_pem() })
}

/// It signs for 127.0.0.1 alone (RFC 5280, section 4.2.1.10): whoever has its key can be no other server.
fn authority_params(now: OffsetDateTime) -> Result<CertificateParams, BoxError> {
    let mut params = CertificateParams::default();
    params.distinguished_name = named("Lanyard on this machine");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    // A kind of name without a subtree would not be limited at all.
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: vec![
            GeneralSubtree::IpAddress(CidrSubnet::V4([127, 0, 0, 1], [255; 4])),
            GeneralSubtree::DnsName("lanyard.invalid".to_owned()),
        ],
        excluded_subtrees: Vec::new(),
    });
    params.not_before = now - BACKDATED;
    params.not_after = now + AUTHORITY_LIVES;
    Ok(params)
}

fn named(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}
