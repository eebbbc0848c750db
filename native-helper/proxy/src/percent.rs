//! Percent-encoding (RFC 3986, section 2.1), to and from bytes.

/// Appends the bytes; those that are neither unreserved (section 2.3) nor in `plain` as `%XX`, in upper case.
pub fn encode(into: &mut String, bytes: &[u8], plain: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value & 15)).map_or('0', |&digit| char::from(digit));
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || plain.contains(&byte) {
            into.push(char::from(byte));
        } else {
            into.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
}

/// None: an escape is broken.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_escapes_are_read() {
        assert_eq!(decode("a%2fb%C3%A9+"), Some("a/bé+".as_bytes().to_vec()));
        for broken in ["%", "a%2", "%zz", "%+1", "%é1"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }

    #[test]
    fn all_but_the_unreserved_is_escaped() {
        let mut text = String::new();
        encode(&mut text, "-._~aZ09 /:%+é\u{0}".as_bytes(), b"/");
        assert_eq!(text, "-._~aZ09%20/%3A%25%2B%C3%A9%00");
    }
}
