//! The proxy's signatures for whoever compares or measures them.
//!
//! - `sign`: for each line of JSON on stdin (`Asked`) a line with what is signed (`Told`).
//! - `sign bench`: signs a POST with a body of 1 KiB so often that it takes a while, and prints the microseconds for one,
//!   its body’s hash and its query included: the median of many rounds.

use std::io::{BufRead, Write};
use std::time::Instant;

use lanyard_proxy::sigv4::{AmzTime, Scope, Signable, Signed, rewritten, sha256, sign};
use ring::hmac;
use serde::{Deserialize, Serialize};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Asked {
    method: String,
    /// As sent.
    path: String,
    query: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    body: String,
    access_key_id: String,
    secret_access_key: String,
    region: String,
    service: String,
    /// Since 1970.
    seconds: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    /// As it would be sent.
    query: String,
    canonical_request: String,
    string_to_sign: String,
    authorization: String,
}

fn main() -> Result<(), BoxError> {
    let mut stdout = std::io::stdout().lock();
    if std::env::args().nth(1).as_deref() == Some("bench") {
        writeln!(stdout, "{:.2}", microseconds()?)?;
        return Ok(());
    }
    for line in std::io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line?)?;
        let key = derived_key(&asked)?;
        let (query, signed) = answer(&asked, &key)?;
        let told = Told {
            query,
            canonical_request: String::from_utf8(signed.canonical_request)?,
            string_to_sign: signed.string_to_sign,
            authorization: signed.authorization,
        };
        writeln!(stdout, "{}", serde_json::to_string(&told)?)?;
    }
    Ok(())
}

fn answer(asked: &Asked, key: &hmac::Key) -> Result<(String, Signed), BoxError> {
    let Asked { method, path, query, headers, body, access_key_id, region, service, seconds, .. } = asked;
    let query = rewritten(query).map_err(|_| "a broken escape")?;
    let time = AmzTime::new(*seconds).ok_or("no time")?;
    let payload = sha256(body.as_bytes());
    let headers: Vec<(&str, &[u8])> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let request = Signable { method, path, query: &query, headers: &headers, payload: &payload };
    let signed = sign(&request, &Scope { time: &time, region, service }, access_key_id, key);
    Ok((query, signed))
}

/// As the broker derives it.
fn derived_key(
    Asked { secret_access_key, region, service, seconds, .. }: &Asked,
) -> Result<hmac::Key, BoxError> {
    let time = AmzTime::new(*seconds).ok_or("no time")?;
    let mut key = format!("AWS4{secret_access_key}").into_bytes();
    for part in [time.date(), region, service, "aws4_request"] {
        key = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), part.as_bytes()).as_ref().to_vec();
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &key))
}

fn microseconds() -> Result<f64, BoxError> {
    const ROUNDS: usize = 101;
    const TIMES: u32 = 200;
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let asked = Asked {
        method: "POST".to_owned(),
        path: "/api/v1/namespaces/kube-system/pods/coredns-6f6b679f8f-abcde/exec".to_owned(),
        query: "command=sh&command=-c&command=echo+hello&container=coredns&stdin=true&stdout=true".to_owned(),
        headers: vec![
            pair("host", "example.execute-api.eu-west-1.amazonaws.com"),
            pair("content-type", "application/json"),
            pair("x-amz-date", "20150830T123600Z"),
            pair("x-amz-content-sha256", &"0".repeat(64)),
            pair("x-amz-security-token", &"t".repeat(1024)),
        ],
        body: "x".repeat(1024),
        access_key_id: "AKIDEXAMPLE".to_owned(),
        secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned(),
        region: "us-east-1".to_owned(),
        service: "execute-api".to_owned(),
        seconds: 1_440_938_160,
    };
    let key = derived_key(&asked)?;
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for _ in 0..TIMES {
            std::hint::black_box(answer(&asked, &key)?);
        }
        rounds.push(began.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES));
    }
    rounds.sort_by(f64::total_cmp);
    Ok(rounds.get(ROUNDS / 2).copied().unwrap_or_default())
}
