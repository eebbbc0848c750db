//! Whether AWS refused a request for its keys: others may do. It says 403 for that, and why in a header.

use http::{HeaderName, Response, StatusCode};

/// The kind of an error (AWS’s JSON protocols, "Operation error serialization").
const KIND: HeaderName = HeaderName::from_static("x-amzn-errortype");

/// Keys that have expired, and keys that AWS doesn’t know any more (IAM User Guide, "Common errors").
const KINDS: [&str; 4] =
    ["ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"];

pub fn refuses_keys<B>(answer: &Response<B>) -> bool {
    // After the kind may come a colon and an address.
    let kind = answer.headers().get(KIND).and_then(|value| value.to_str().ok()?.split(':').next());
    answer.status() == StatusCode::FORBIDDEN && kind.is_some_and(|kind| KINDS.contains(&kind.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_403_that_names_the_keys() {
        for (expected, status, kind) in [
            (true, 403, Some("ExpiredTokenException")),
            (true, 403, Some("UnrecognizedClientException:http://internal.amazon.com/coral/x/")),
            (false, 403, Some("InvalidSignatureException")),
            (false, 403, Some("AccessDeniedException")),
            (false, 403, None),
            (false, 400, Some("ExpiredTokenException")),
        ] {
            let mut answer = Response::builder().status(status);
            if let Some(kind) = kind {
                answer = answer.header(KIND, kind);
            }
            assert_eq!(answer.body(()).map(|answer| refuses_keys(&answer)).ok(), Some(expected), "{kind:?}");
        }
    }
}
