use crate::strip::is_shown;

/// `strip` for text in pieces, cut anywhere. Also removes complete escape sequences. Delays only an incomplete
/// character. Shows U+FFFD for what isn't UTF-8.
#[derive(Default)]
pub struct StripStream {
    /// The beginning of an incomplete character: at most three bytes.
    cut: Vec<u8>,
    state: State,
    /// How many characters of the sequence were skipped. A sequence without an end must not hide all the rest.
    skipped: usize,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC, and perhaps after the intermediate characters of an escape sequence.
    Escape,
    /// CSI: colours, the cursor, clearing.
    Control,
    /// OSC, DCS, APC, PM, SOS: until BEL or ST.
    String,
    /// ESC in a string, which may begin ST.
    StringEscape,
}

const MOST_SKIPPED: usize = 4096;

impl StripStream {
    /// The text to show of this piece, with an incomplete character of the piece before.
    pub fn push(&mut self, piece: &[u8]) -> String {
        let mut bytes = std::mem::take(&mut self.cut);
        bytes.extend_from_slice(piece);
        let mut shown = String::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.take(text, &mut shown);
                    return shown;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    self.take(&String::from_utf8_lossy(good), &mut shown);
                    let Some(length) = error.error_len() else {
                        self.cut = bad.to_vec();
                        return shown;
                    };
                    self.take("\u{fffd}", &mut shown);
                    rest = bad.get(length..).unwrap_or_default();
                }
            }
        }
    }

    /// Call this at the end: shows U+FFFD for an incomplete character.
    pub fn finish(&mut self) -> &'static str {
        if std::mem::take(&mut self.cut).is_empty() { "" } else { "\u{fffd}" }
    }

    fn take(&mut self, text: &str, shown: &mut String) {
        shown.extend(text.chars().filter(|&character| self.shows(character)));
    }

    fn shows(&mut self, character: char) -> bool {
        let (next, belongs) = match (self.state, character) {
            (State::Text | State::Escape | State::Control, '\u{1b}') => (State::Escape, true),
            (State::String, '\u{1b}') => (State::StringEscape, true),
            (State::Text, '\u{9b}') | (State::Escape | State::StringEscape, '[') => (State::Control, true),
            (State::Text, '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}')
            | (State::Escape | State::StringEscape, ']' | 'P' | 'X' | '^' | '_') => (State::String, true),
            (State::Escape | State::StringEscape, ' '..='/') => (State::Escape, true),
            (State::Escape | State::StringEscape, '0'..='~')
            | (State::Control, '@'..='~')
            | (State::String, '\u{7}' | '\u{9c}') => (State::Text, true),
            (State::Control, ' '..='?') => (State::Control, true),
            (State::String, character) if !matches!(character, '\n' | '\u{18}' | '\u{1a}') => {
                (State::String, true)
            }
            _ => (State::Text, false),
        };
        self.skipped = if self.state == State::Text { 0 } else { self.skipped + 1 };
        self.state = if self.skipped > MOST_SKIPPED { State::Text } else { next };
        !belongs && is_shown(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text shown, the same in pieces of any size.
    fn shown(bytes: &[u8]) -> String {
        let cut = |size: usize| {
            let mut strip = StripStream::default();
            let mut all: String = bytes.chunks(size).map(|piece| strip.push(piece)).collect();
            all.push_str(strip.finish());
            all
        };
        let whole = cut(bytes.len().max(1));
        for size in 1..bytes.len() {
            assert_eq!(cut(size), whole, "in pieces of {size}");
        }
        whole
    }

    #[test]
    fn text_stays_and_what_steers_a_terminal_goes() {
        for (written, expected) in [
            ("plain\n\tключ 鍵 🔑 é", "plain\n\tключ 鍵 🔑 é"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;https://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}Pdevice\u{1b}\\a\u{1b}_app\u{9c}b\u{1b}^c\u{7}c", "abc"),
            ("\u{1b}(Bx\u{1b}cy\u{1b}\u{1b}[1mz", "xyz"),
            ("\u{9b}31mred\u{9d}0;t\u{9c}.", "red."),
            ("a\rb\u{8}c\u{0}d\u{7f}e", "abcde"),
            ("a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{e0041}f", "abcdef"),
            ("\u{fdd1}marks", "marks"),
            ("\u{1b}[31\nline", "\nline"),
            ("\u{1b}]0;never ends\nline", "\nline"),
            ("\u{1b}", ""),
        ] {
            assert_eq!(shown(written.as_bytes()), expected, "{written:?}");
        }
    }

    #[test]
    fn what_is_no_utf8_shows_as_such() {
        assert_eq!(shown(b"a\xffb\xe9\x8d\xb5\xe9\x8dc\xf0\x9f"), "a\u{fffd}b鍵\u{fffd}c\u{fffd}");
        assert_eq!(shown(b"\xed\xa0\x80"), "\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_line_that_has_no_end_yet_is_not_held_back() {
        assert_eq!(StripStream::default().push(b"Password: "), "Password: ");
    }

    #[test]
    fn a_sequence_without_an_end_does_not_swallow_all_the_rest() {
        for beginning in ["\u{1b}]", "\u{1b}[", "\u{1b}P"] {
            let text = format!("{beginning}{}end", "1".repeat(10_000));
            assert!(shown_whole(&text).ends_with("1end"), "{beginning:?}");
        }
    }

    fn shown_whole(text: &str) -> String {
        StripStream::default().push(text.as_bytes())
    }
}
