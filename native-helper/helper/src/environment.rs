use serde::ser::{Serialize, Serializer};
use std::env;
use std::ffi::OsString;
use zeroize::Zeroizing;

/// Those of the variables that are set and are UTF-8, as a JSON object's bytes. Wiped when dropped: a variable may
/// hold what nobody else should read.
pub fn tell(names: &[String]) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    tell_from(names, |name| env::var_os(name))
}

fn tell_from(
    names: &[String],
    variable: impl Fn(&str) -> Option<OsString>,
) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    let values = names.iter().filter_map(|name| Some((name.as_str(), variable(name)?.into_string().ok()?)));
    serde_json::to_vec(&Object(values.collect())).map(Zeroizing::new)
}

struct Object<'a>(Vec<(&'a str, String)>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    fn told(names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let bytes = tell_from(&names, |name| match name {
            "PLAIN" => Some("a:b".into()),
            "EMPTY" => Some("".into()),
            "ODD" => Some("\"größe\"\n\u{1b}".into()),
            "LATIN" => Some(OsString::from_vec(vec![b'a', 0xe4])),
            _ => None,
        });
        String::from_utf8(bytes.unwrap().to_vec()).unwrap()
    }

    #[test]
    fn tells_what_was_asked_for_alone() {
        assert_eq!(told(&["PLAIN"]), r#"{"PLAIN":"a:b"}"#);
        assert_eq!(told(&["EMPTY", "PLAIN"]), r#"{"EMPTY":"","PLAIN":"a:b"}"#);
    }

    #[test]
    fn leaves_out_what_is_unset_or_not_utf8() {
        assert_eq!(told(&["UNSET", "LATIN"]), "{}");
    }

    #[test]
    fn a_value_may_hold_anything() {
        assert_eq!(told(&["ODD"]), r#"{"ODD":"\"größe\"\n\u001b"}"#);
    }
}
