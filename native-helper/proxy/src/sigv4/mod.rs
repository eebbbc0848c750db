//! AWS Signature Version 4 for all services but S3, as AWS documents it ("Create a signed AWS API request", IAM User
//! Guide). Pure: what is signed, a derived key and a time in; what to send out.

mod canonical;
mod query;
mod rejection;
mod time;

use canonical::canonical_request;
use ring::{digest, hmac};

pub use canonical::Signable;
pub use query::{BrokenEscape, rewritten};
pub use rejection::{refuses_keys, refuses_signature};
pub use time::AmzTime;

/// In place of a body’s hash.
pub const UNSIGNED_PAYLOAD: &str = "UNSIGNED-PAYLOAD";

/// Whom the signature is for, and when.
pub struct Scope<'a> {
    pub time: &'a AmzTime,
    pub region: &'a str,
    pub service: &'a str,
}

pub struct Signed {
    pub canonical_request: Vec<u8>,
    pub string_to_sign: String,
    /// The value of `Authorization`.
    pub authorization: String,
}

impl Scope<'_> {
    fn text(&self) -> String {
        format!("{}/{}/{}/aws4_request", self.time.date(), self.region, self.service)
    }
}

/// `key`: the derived signing key of the scope.
pub fn sign(request: &Signable<'_>, scope: &Scope<'_>, access_key_id: &str, key: &hmac::Key) -> Signed {
    let (canonical_request, signed_headers) = canonical_request(request);
    let credential_scope = scope.text();
    let string_to_sign = format!(
        "AWS4-HMAC-SHA256\n{}\n{credential_scope}\n{}",
        scope.time.text(),
        sha256(&canonical_request)
    );
    let signature = hex(hmac::sign(key, string_to_sign.as_bytes()).as_ref());
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={access_key_id}/{credential_scope}, SignedHeaders={signed_headers}, Signature={signature}"
    );
    Signed { canonical_request, string_to_sign, authorization }
}

/// In lower-case hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

/// In lower case.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value & 15), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

#[cfg(test)]
mod tests;
