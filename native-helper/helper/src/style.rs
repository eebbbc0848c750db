//! Bold and colours. The broker's text has marks (main/domain/text/style.ts). They become terminal sequences where the
//! stream is a terminal and the user wants styles; elsewhere they are dropped.

use crate::strip::strip_but_marks;
use std::borrow::Cow;
use std::env;
use std::ffi::OsString;

const RESET: &str = "\u{1b}[0m";

/// The marks are U+FDD0 to U+FDEF. Their UTF-8 is these two bytes and a third.
const LEAD: [u8; 2] = [0xef, 0xb7];

/// The terminal sequence of a mark; empty for a mark that only a newer broker knows. None for other characters.
fn sequence(character: char) -> Option<&'static str> {
    match character {
        '\u{fdd0}' => Some(RESET),
        '\u{fdd1}' => Some("\u{1b}[1m"),
        '\u{fdd2}' => Some("\u{1b}[2m"),
        '\u{fdd3}' => Some("\u{1b}[31m"),
        '\u{fdd4}' => Some("\u{1b}[32m"),
        '\u{fdd5}' => Some("\u{1b}[33m"),
        '\u{fdd6}' => Some("\u{1b}[36m"),
        '\u{fdd7}'..='\u{fdef}' => Some(""),
        _ => None,
    }
}

/// Whether this stream gets colours, by no-color.org and bixense.com/clicolors.
pub fn wanted(is_terminal: bool) -> bool {
    wanted_by(is_terminal, |name| env::var_os(name))
}

fn wanted_by(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if ["CLICOLOR_FORCE", "FORCE_COLOR"].iter().any(|name| set(name).is_some_and(|value| value != "0")) {
        return true;
    }
    // Windows sets no TERM. Its older consoles don't support sequences; Windows Terminal sets WT_SESSION.
    let capable = match set("TERM") {
        Some(term) => term != "dumb",
        None => cfg!(windows) && set("WT_SESSION").is_some(),
    };
    is_terminal && capable
}

/// Text for a terminal: stripped of what controls the terminal, and painted.
pub fn paint_text(text: &str, colours: bool) -> Vec<u8> {
    paint(strip_but_marks(text).as_bytes(), colours).into_owned()
}

/// Replaces each mark by its sequence, or drops it. Resets at the end if a style is still on.
pub fn paint(bytes: &[u8], colours: bool) -> Cow<'_, [u8]> {
    if !bytes.windows(LEAD.len()).any(|pair| pair == LEAD) {
        return Cow::Borrowed(bytes);
    }
    let mut painted = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut on = false;
    while let Some((first, behind)) = rest.split_first() {
        match rest.get(..3).and_then(mark) {
            Some(sequence) => {
                if colours {
                    painted.extend_from_slice(sequence.as_bytes());
                }
                on = sequence != RESET && (on || !sequence.is_empty());
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                painted.push(*first);
                rest = behind;
            }
        }
    }
    if on && colours {
        painted.extend_from_slice(RESET.as_bytes());
    }
    Cow::Owned(painted)
}

fn mark(three: &[u8]) -> Option<&'static str> {
    if !three.starts_with(&LEAD) {
        return None;
    }
    std::str::from_utf8(three).ok()?.chars().next().and_then(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: &str = "\u{fdd3}";
    const END: &str = "\u{fdd0}";

    fn text(text: &str, colours: bool) -> String {
        String::from_utf8(paint_text(text, colours)).unwrap()
    }

    #[test]
    fn a_mark_is_its_sequence_or_nothing() {
        let all = "\u{fdd1}b\u{fdd2}d\u{fdd3}r\u{fdd4}g\u{fdd5}y\u{fdd6}c\u{fdd0}.";
        let sequences = "\u{1b}[1mb\u{1b}[2md\u{1b}[31mr\u{1b}[32mg\u{1b}[33my\u{1b}[36mc\u{1b}[0m.";
        assert_eq!((text(all, true).as_str(), text(all, false).as_str()), (sequences, "bdrgyc."));
    }

    #[test]
    fn both_languages_have_the_same_marks() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let theirs = std::fs::read_to_string(root.join("main/domain/text/style.ts")).unwrap();
        for (name, character, code) in [
            ("reset", '\u{fdd0}', "0"),
            ("bold", '\u{fdd1}', "1"),
            ("dim", '\u{fdd2}', "2"),
            ("red", '\u{fdd3}', "31"),
            ("green", '\u{fdd4}', "32"),
            ("yellow", '\u{fdd5}', "33"),
            ("cyan", '\u{fdd6}', "36"),
        ] {
            assert!(theirs.contains(&format!("{name}: '\\u{:04x}',", u32::from(character))), "{name}");
            assert_eq!(sequence(character), Some(format!("\u{1b}[{code}m").as_str()), "{name}");
        }
        assert_eq!(theirs.matches(": '\\ufdd").count(), 7);
    }

    #[test]
    fn a_style_never_goes_beyond_its_text() {
        assert_eq!(text(&format!("a{RED}b"), true), "a\u{1b}[31mb\u{1b}[0m");
        assert_eq!(text(&format!("{RED}b{END}c"), true), "\u{1b}[31mb\u{1b}[0mc");
        assert_eq!(text(&format!("{RED}b{END}\u{fdef}c"), true), "\u{1b}[31mb\u{1b}[0mc");
        assert_eq!(text(&format!("{RED}\u{fdef}c"), true), "\u{1b}[31mc\u{1b}[0m");
    }

    #[test]
    fn marks_of_a_newer_broker_are_left_out() {
        for code in 0xfdd7..=0xfdef {
            let character = char::from_u32(code).unwrap();
            for colours in [true, false] {
                assert_eq!(text(&format!("a{character}b"), colours), "ab");
            }
        }
    }

    #[test]
    fn only_a_mark_makes_a_sequence() {
        assert_eq!(text("\u{1b}[31mred\u{9b}0m", true), "[31mred0m");
        assert_eq!(text("\u{fdcf}\u{fdf0}\u{fffd}\u{fb50}", true), "\u{fdcf}\u{fdf0}\u{fffd}\u{fb50}");
    }

    #[test]
    fn bytes_that_are_no_mark_stay_as_they_are() {
        let all: Vec<u8> = (0..=255).chain([0xef, 0xb7, 0x8f, 0xef, 0xb7, 0xef, 0xb7]).collect();
        assert_eq!(paint(&all, true), Cow::Borrowed(all.as_slice()));
        let with = [b"\xff".as_slice(), RED.as_bytes(), b"\x1b\x00", END.as_bytes(), b"\xef\xb7"].concat();
        assert_eq!(paint(&with, false).as_ref(), b"\xff\x1b\x00\xef\xb7");
    }

    #[test]
    fn the_person_decides_about_colours() {
        type Row<'a> = (&'a [(&'a str, &'a str)], bool, bool);
        // The variables; whether to paint on a terminal; whether to paint elsewhere.
        let table: &[Row] = &[
            (&[("TERM", "xterm")], true, false),
            (&[("TERM", "xterm"), ("NO_COLOR", "1")], false, false),
            (&[("TERM", "xterm"), ("NO_COLOR", "0")], false, false),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], true, false),
            (&[("TERM", "dumb")], false, false),
            (&[("TERM", "")], false, false),
            (&[], false, false),
            (&[("TERM", "xterm"), ("FORCE_COLOR", "1")], true, true),
            (&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")], true, true),
            (&[("TERM", "xterm"), ("FORCE_COLOR", "0"), ("CLICOLOR_FORCE", "0")], true, false),
            (&[("TERM", "xterm"), ("FORCE_COLOR", "")], true, false),
            (&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false, false),
        ];
        for (variables, on_terminal, elsewhere) in table {
            for (is_terminal, expected) in [(true, on_terminal), (false, elsewhere)] {
                let variable = |name: &str| {
                    variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
                };
                assert_eq!(wanted_by(is_terminal, variable), *expected, "{variables:?}, {is_terminal}");
            }
        }
    }
}
