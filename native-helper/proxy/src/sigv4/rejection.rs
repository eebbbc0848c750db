//! Whether AWS refused a request for its keys: others may do. Or for its signature. It says 403 for both, and why in a
//! header.

use http::{HeaderName, Response, StatusCode};

/// The kind of an error (AWS’s JSON protocols, "Operation error serialization").
const KIND: HeaderName = HeaderName::from_static("x-amzn-errortype");

/// Keys that have expired, and keys that AWS doesn’t know any more (IAM User Guide, "Common errors").
const KEYS: [&str; 4] =
    ["ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"];

/// A signature that is wrong, such as one for another time (API Gateway’s gateway responses; IAM User Guide, "Common errors").
const SIGNATURE: [&str; 4] =
    ["InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired", "IncompleteSignatureException"];

pub fn refuses_keys<B>(answer: &Response<B>) -> bool {
    names(answer, &KEYS)
}

pub fn refuses_signature<B>(answer: &Response<B>) -> bool {
    names(answer, &SIGNATURE)
}

fn names<B>(answer: &Response<B>, kinds: &[&str]) -> bool {
    // After the kind may come a colon and an address.
    let kind = answer.headers().get(KIND).and_then(|value| value.to_str().ok()?.split(':').next());
    answer.status() == StatusCode::FORBIDDEN && kind.is_some_and(|kind| kinds.contains(&kind.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_403_that_names_them() {
        for (expected, status, kind) in [
            ((true, false), 403, Some("ExpiredTokenException")),
            ((true, false), 403, Some("UnrecognizedClientException:http://internal.amazon.com/coral/x/")),
            ((false, true), 403, Some("InvalidSignatureException")),
            ((false, false), 403, Some("AccessDeniedException")),
            ((false, false), 403, None),
            ((false, false), 400, Some("ExpiredTokenException")),
            ((false, false), 401, Some("InvalidSignatureException")),
        ] {
            let mut answer = Response::builder().status(status);
            if let Some(kind) = kind {
                answer = answer.header(KIND, kind);
            }
            assert_eq!(
                answer.body(()).map(|answer| (refuses_keys(&answer), refuses_signature(&answer))).ok(),
                Some(expected),
                "{status} {kind:?}"
            );
        }
    }
}
