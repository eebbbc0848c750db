/// Removes what could move the cursor, hide text, or change its direction on a terminal: C0 controls except newline and
/// tab, DEL, C1, Unicode's line separators, direction and format characters, what else a font may leave out
/// (Default_Ignorable_Code_Point), and the empty pattern of Braille. An escape sequence loses its ESC and shows as plain
/// text. Removes style marks, too (rule: stripped-text).
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
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
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
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0x2800..=0x2800,
            0x3164..=0x3164,
            0xfdd0..=0xfdef,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xe0000..=0xe0fff,
        ];
        for code in ranges.into_iter().flatten() {
            let character = char::from_u32(code).unwrap();
            assert_eq!(strip(&format!("a{character}b")), "ab", "U+{code:04X}");
        }
    }

    #[test]
    fn keeps_text() {
        for text in [
            "",
            "plain\n\ttext ~",
            "ключ 鍵 🔑 é",
            "\u{a0}\u{200a}\u{2010}\u{2027}\u{202f}\u{205f}\u{2070}\u{2801}",
        ] {
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
