/// Removes what could move the cursor, hide text, or change its direction on a terminal: C0 controls except newline and
/// tab, DEL, C1, Unicode's direction and format characters, tag characters. An escape sequence loses its ESC and shows
/// as plain text. Removes style marks, too (rule: stripped-text).
pub fn strip(text: &str) -> String {
    text.chars().filter(|&character| is_shown(character)).collect()
}

/// Whether `strip` keeps the character.
pub fn is_shown(character: char) -> bool {
    is_plain(character) && !is_mark(character)
}

/// Like `strip`, but keeps style marks, for text that is painted next.
pub fn strip_but_marks(text: &str) -> String {
    text.chars().filter(|&character| is_plain(character)).collect()
}

fn is_mark(character: char) -> bool {
    matches!(character, '\u{fdd0}'..='\u{fdef}')
}

fn is_plain(character: char) -> bool {
    !matches!(character,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{strip, strip_but_marks};

    #[test]
    fn drops_every_character_that_steers_a_terminal() {
        let ranges = [
            0x00..=0x08,
            0x0b..=0x1f,
            0x7f..=0x9f,
            0x61c..=0x61c,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2066..=0x2069,
            0xfdd0..=0xfdef,
            0xfeff..=0xfeff,
            0xe0000..=0xe007f,
        ];
        for code in ranges.into_iter().flatten() {
            let character = char::from_u32(code).unwrap();
            assert_eq!(strip(&format!("a{character}b")), "ab", "U+{code:04X}");
        }
    }

    #[test]
    fn keeps_text() {
        for text in
            ["", "plain\n\ttext ~", "ключ 鍵 🔑 é", "\u{a0}\u{200a}\u{2010}\u{2027}\u{202f}\u{2065}\u{206a}"]
        {
            assert_eq!(strip(text), text);
        }
    }

    #[test]
    fn marks_may_stay_and_nothing_else() {
        assert_eq!(strip_but_marks("\u{fdd0}\u{1b}[0m\u{fdef}\u{202e}"), "\u{fdd0}[0m\u{fdef}");
    }

    #[test]
    fn an_escape_sequence_becomes_text() {
        assert_eq!(strip("\u{1b}[2J\u{1b}]0;title\u{7}x"), "[2J]0;titlex");
        assert_eq!(strip("progress 1\rforged"), "progress 1forged");
    }
}
