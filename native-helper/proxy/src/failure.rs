//! The proxy's own errors: text/plain with a hint. kubectl shows such a text word for word; of a JSON Status it shows
//! nothing useful while it discovers. Each has a mark that no cluster's answer has (request_rules.rs): whoever asks a cluster
//! knows by it whose answer it got.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Response, StatusCode};

use crate::bodies::{Body, full};

/// Why a request is not passed on, for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub status: StatusCode,
    pub text: String,
    /// None: the text says all.
    mark: Option<String>,
}

/// The mark (main/kubernetes/answered-by.ts): why there is no connection, what its proxy answered, and that proxy.
const MARK: HeaderName = HeaderName::from_static("lanyard-proxy-error");
/// The request was refused here, for the reason that the text gives.
const REFUSED: &str = "refused - -";

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), mark: None }
    }

    pub fn marked(self, mark: String) -> Self {
        Self { mark: Some(mark), ..self }
    }

    pub fn refused(text: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, text)
    }

    pub fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// What a client gets to read.
    pub fn line(&self) -> String {
        format!("lanyard: {}\n", self.text)
    }

    pub fn response(self) -> Response<Body> {
        let mut response = Response::new(full(self.line()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let mark = self.mark.and_then(|mark| HeaderValue::try_from(mark).ok());
        headers.insert(MARK, mark.unwrap_or(HeaderValue::from_static(REFUSED)));
        response
    }
}
