//! The example that AWS’s documentation and test suite share: key, time, region and service. The whole suite, and other
//! signers for requests of all kinds, are compared by test/integration/sigv4-*.test.ts.

use super::*;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

fn signed(method: &str, target: &str, headers: &[(&str, &str)], payload: &str) -> Option<Signed> {
    let time = AmzTime::new(1_440_938_160)?;
    let scope = Scope { time: &time, region: "us-east-1", service: "service" };
    let key = ["20150830", "us-east-1", "service", "aws4_request"]
        .iter()
        .fold(format!("AWS4{SECRET}").into_bytes(), |key, part| {
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), part.as_bytes()).as_ref().to_vec()
        });
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query = rewritten(query).ok()?;
    let mut all: Vec<(&str, &[u8])> =
        vec![("x-amz-date", time.text().as_bytes()), ("host", b"example.amazonaws.com")];
    all.extend(headers.iter().map(|(name, value)| (*name, value.as_bytes())));
    let request = Signable { method, path, query: &query, headers: &all, payload };
    Some(sign(&request, &scope, "AKIDEXAMPLE", &hmac::Key::new(hmac::HMAC_SHA256, &key)))
}

fn canonical(target: &str, headers: &[(&str, &str)]) -> String {
    let signed = signed("GET", target, headers, &sha256(b""));
    String::from_utf8(signed.map(|signed| signed.canonical_request).unwrap_or_default()).unwrap_or_default()
}

/// `get-vanilla` of the suite.
#[test]
fn the_documented_example_comes_out() {
    let Some(signed) = signed("GET", "/", &[], &sha256(b"")) else {
        unreachable!("a time of 2015");
    };
    assert_eq!(
        signed.string_to_sign,
        "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n\
         bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63"
    );
    assert_eq!(
        signed.authorization,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
         SignedHeaders=host;x-amz-date, \
         Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    );
}

#[test]
fn a_path_is_normalized_and_encoded_once_more() {
    for (sent, expected) in [
        ("", "/"),
        ("/", "/"),
        ("//example//", "/example/"),
        ("/example/..", "/"),
        ("/./example", "/example"),
        ("/a/../../b/", "/b/"),
        ("/api/v1/system:node", "/api/v1/system%3Anode"),
        ("/a%3Ab/%e1%88%b4", "/a%253Ab/%25e1%2588%25b4"),
        ("/ሴ", "/%E1%88%B4"),
        ("/~a_b-c.d/$delete", "/~a_b-c.d/%24delete"),
    ] {
        assert_eq!(canonical(sent, &[]).lines().nth(1), Some(expected), "{sent}");
    }
}

#[test]
fn a_query_is_written_anew_and_sorted() {
    for (sent, written, sorted) in [
        ("", "", ""),
        ("watch", "watch=", "watch="),
        ("b=2&a=1&b=1", "b=2&a=1&b=1", "a=1&b=1&b=2"),
        ("a=x+y&a=x%20y&a=x%2by", "a=x%20y&a=x%20y&a=x%2By", "a=x%20y&a=x%20y&a=x%2By"),
        ("&&a=1&", "a=1", "a=1"),
        ("=v&n=", "=v&n=", "=v&n="),
        ("s=a=b,c!=d", "s=a%3Db%2Cc%21%3Dd", "s=a%3Db%2Cc%21%3Dd"),
        ("command=sh&command=-c", "command=sh&command=-c", "command=-c&command=sh"),
        // By name first: `-` comes before `=`.
        ("Param-3=a&Param=b&%E1%88%B4=c", "Param-3=a&Param=b&%E1%88%B4=c", "%E1%88%B4=c&Param=b&Param-3=a"),
        ("é=%ff;", "%C3%A9=%FF%3B", "%C3%A9=%FF%3B"),
    ] {
        assert_eq!(rewritten(sent).as_deref(), Ok(written), "{sent}");
        assert_eq!(canonical(&format!("/?{sent}"), &[]).lines().nth(2), Some(sorted), "{sent}");
    }
    for broken in ["a=%", "a=%2", "%zz=1", "a=%-1"] {
        assert_eq!(rewritten(broken), Err(BrokenEscape), "{broken}");
    }
}

#[test]
fn headers_are_sorted_trimmed_and_joined() {
    let request = canonical(
        "/",
        &[("x-amz-b", "  two \t  words "), ("x-amz-a", "2"), ("x-amz-a", "1"), ("x-amz-c", "")],
    );
    assert_eq!(
        request.lines().skip(3).collect::<Vec<_>>(),
        [
            "host:example.amazonaws.com",
            "x-amz-a:2,1",
            "x-amz-b:two words",
            "x-amz-c:",
            "x-amz-date:20150830T123600Z",
            "",
            "host;x-amz-a;x-amz-b;x-amz-c;x-amz-date",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ]
    );
}

#[test]
fn times_are_utc() {
    for (seconds, expected) in [
        (0, Some("19700101T000000Z")),
        (951_827_696, Some("20000229T123456Z")),
        (253_402_300_799, Some("99991231T235959Z")),
        (253_402_300_800, None),
        (i64::MIN, None),
    ] {
        assert_eq!(AmzTime::new(seconds).as_ref().map(AmzTime::text), expected, "{seconds}");
    }
}
