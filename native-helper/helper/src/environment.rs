use serde::ser::{Serialize, Serializer};
use std::env;
use std::ffi::OsString;
use zeroize::Zeroizing;

/// The named variables that are set and are UTF-8, as the bytes of a JSON object. A name may end in `*`, such as
/// `LC_*`, for all variables that begin so. Wiped when dropped: a variable may be a secret.
pub fn tell(names: &[String]) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    tell_from(names, env::vars_os)
}

fn tell_from<All: Iterator<Item = (OsString, OsString)>>(
    names: &[String],
    all: impl Fn() -> All,
) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    let mut told: Vec<(String, String)> = Vec::new();
    for pattern in names {
        for (name, value) in all().filter_map(text).filter(|(name, _)| is_meant(pattern, name)) {
            // As the broker calls it: on Windows PATH may be `Path`.
            let name = if pattern.ends_with('*') { name } else { pattern.clone() };
            if !told.iter().any(|(before, _)| *before == name) {
                told.push((name, value));
            }
        }
    }
    serde_json::to_vec(&Object(told)).map(Zeroizing::new)
}

fn text((name, value): (OsString, OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}

/// Whether a name from the broker, which may end in `*`, matches this variable. On Windows names have no case: it is
/// `Path` there.
pub fn is_meant(pattern: &str, name: &str) -> bool {
    is_meant_in(pattern, name, cfg!(windows))
}

fn is_meant_in(pattern: &str, name: &str, folds: bool) -> bool {
    let is_same = |one: &str, other: &str| if folds { one.eq_ignore_ascii_case(other) } else { one == other };
    match pattern.strip_suffix('*') {
        Some(beginning) => name.get(..beginning.len()).is_some_and(|start| is_same(beginning, start)),
        None => is_same(pattern, name),
    }
}

struct Object(Vec<(String, String)>);

impl Serialize for Object {
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
        let all = || {
            [
                ("PLAIN", "a:b".into()),
                ("EMPTY", "".into()),
                ("ODD", "\"größe\"\n\u{1b}".into()),
                ("LATIN", OsString::from_vec(vec![b'a', 0xe4])),
                ("AWS_PROFILE", "prod".into()),
                ("AWS_REGION", "north".into()),
                ("aws_region", "south".into()),
                ("AWSX", "no".into()),
            ]
            .map(|(name, value)| (OsString::from(name), value))
            .into_iter()
        };
        let bytes = tell_from(&names, all);
        String::from_utf8(bytes.unwrap().to_vec()).unwrap()
    }

    #[test]
    fn tells_what_was_asked_for_alone() {
        assert_eq!(told(&["PLAIN"]), r#"{"PLAIN":"a:b"}"#);
        assert_eq!(told(&["EMPTY", "PLAIN"]), r#"{"EMPTY":"","PLAIN":"a:b"}"#);
    }

    #[test]
    fn a_name_has_no_case_on_windows_alone() {
        for (pattern, name) in [("PATH", "Path"), ("AWS_*", "aws_region"), ("Aws_*", "AWS_")] {
            assert!(
                is_meant_in(pattern, name, true) && !is_meant_in(pattern, name, false),
                "{pattern} {name}"
            );
        }
        assert!(!is_meant_in("PATH", "PATHEXT", true) && !is_meant_in("AWS_*", "AWS", true));
        assert!(!is_meant_in("Ä*", "ä1", true) && !is_meant_in("a*", "ä", true));
    }

    #[test]
    fn leaves_out_what_is_unset_or_not_utf8() {
        assert_eq!(told(&["UNSET", "LATIN"]), "{}");
    }

    #[test]
    fn a_value_may_hold_anything() {
        assert_eq!(told(&["ODD"]), r#"{"ODD":"\"größe\"\n\u001b"}"#);
    }

    #[test]
    fn a_star_at_the_end_asks_for_all_that_begin_so_and_each_is_told_once() {
        assert_eq!(told(&["AWS_*"]), r#"{"AWS_PROFILE":"prod","AWS_REGION":"north"}"#);
        assert_eq!(
            told(&["AWS_REGION", "AWS_*", "GONE_*"]),
            r#"{"AWS_REGION":"north","AWS_PROFILE":"prod"}"#
        );
    }
}
