//! What a path has to be before it is put behind the path of a cluster’s server: a reader behind the proxy must not take
//! it for another one. main/domain/server/joined-path.ts has the same rule, and both read test/wire/tables/joined-paths.json.
//! (rule: own-cluster)

/// Why a path, without its query, can’t be put behind a cluster’s. API servers and fronts decode it once; some take a
/// backslash for a slash, and what is behind a semicolon for no part of the name.
pub fn fault(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        return Some("the path has to begin with a slash");
    }
    // RFC 3986 has none, and the URL standard reads a slash.
    if path.contains('\\') {
        return Some("a backslash in the path");
    }
    let decoded = decoded(path.as_bytes());
    let is_dots = |segment: &[u8]| {
        let name = segment.split(|&byte| byte == b';').next();
        matches!(name, Some(b"." | b".."))
    };
    decoded
        .split(|byte| matches!(byte, b'/' | b'\\'))
        .any(is_dots)
        .then_some("dot segments in the path, plain or escaped")
}

/// Decoded once; a broken escape stays as it is.
fn decoded(path: &[u8]) -> Vec<u8> {
    let digit = |at: usize| path.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = 0;
    while let Some(&byte) = path.get(at) {
        let escaped = match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Paths {
        joined: Vec<String>,
        refused: Vec<String>,
    }

    #[test]
    fn no_reader_takes_a_joined_path_for_another_one() -> Result<(), serde_json::Error> {
        let paths: Paths = serde_json::from_str(include_str!("../../../test/wire/tables/joined-paths.json"))?;
        for path in paths.joined {
            assert_eq!(fault(&path), None, "{path}");
        }
        for path in paths.refused {
            assert!(fault(&path).is_some(), "{path}");
        }
        Ok(())
    }
}
