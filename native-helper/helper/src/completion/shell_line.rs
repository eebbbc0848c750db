//! A command line as bash has it, up to the cursor: its words without their quotes, and the part of the last word that
//! bash would replace. Expands nothing: variables and substitutions stay as they are.

pub struct ShellLine {
    words: Vec<String>,
    /// The word at the cursor, without quotes.
    pub current: String,
    /// The quote that is open at the cursor.
    quote: Option<char>,
    /// For each character of `current`: whether it is neither quoted nor escaped.
    plain: Vec<bool>,
    /// How many characters of `current` come before the open quote.
    before_quote: usize,
}

impl ShellLine {
    pub fn parse(line: &str) -> Self {
        let mut words = Vec::new();
        let mut at = ShellLine {
            words: Vec::new(),
            current: String::new(),
            quote: None,
            plain: Vec::new(),
            before_quote: 0,
        };
        let mut begun = false;
        let mut rest = line.chars();
        while let Some(character) = rest.next() {
            let blank = character == ' ' || character == '\t' || character == '\n';
            if at.quote.is_none() && blank {
                if begun {
                    words.push(std::mem::take(&mut at.current));
                    at.plain.clear();
                }
                begun = false;
                continue;
            }
            begun = true;
            match (at.quote, character) {
                (Some(open), _) if character == open => at.quote = None,
                (None, '\'' | '"') => {
                    at.quote = Some(character);
                    at.before_quote = at.plain.len();
                }
                (Some('"'), '\\') => match rest.next() {
                    Some(next @ ('"' | '\\' | '$' | '`')) => at.push(next, false),
                    Some(next) => {
                        at.push('\\', false);
                        at.push(next, false);
                    }
                    None => {}
                },
                (None, '\\') => {
                    if let Some(next) = rest.next() {
                        at.push(next, false);
                    }
                }
                (quote, _) => at.push(character, quote.is_none()),
            }
        }
        at.words = words;
        at
    }

    fn push(&mut self, character: char, plain: bool) {
        self.current.push(character);
        self.plain.push(plain);
    }

    /// The complete words after the program's name.
    pub fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The text that replaces the part of the word that readline would replace. readline starts after an open quote,
    /// else after the last of `breaks` (COMP_WORDBREAKS) that is neither quoted nor escaped. The `@` before a host
    /// belongs to the word (rl_special_prefixes). `word` begins with `current`.
    pub fn replacement(&self, word: &str, breaks: &str) -> String {
        let kept = match self.quote {
            Some(_) => self.before_quote,
            None => {
                let broken = self.current.chars().zip(&self.plain);
                let place = |(index, (character, plain)): (usize, (char, &bool))| {
                    (*plain && breaks.contains(character)).then_some(index + usize::from(character != '@'))
                };
                broken.enumerate().filter_map(place).last().unwrap_or(0)
            }
        };
        let rest: String = word.chars().skip(kept).collect();
        match self.quote {
            Some('\'') => rest.replace('\'', r"'\''"),
            Some(_) => escape(&rest, "\"\\$`"),
            None => escape(&rest, " \t|&;()<>$\\\"'`*?[]{}!#~^"),
        }
    }
}

fn escape(text: &str, special: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKS: &str = " \t\n\"'@><=;|&(:";

    #[test]
    fn words_lose_their_quotes() {
        for (line, words, current) in [
            ("lanyard ", &[][..], ""),
            ("lanyard sta", &[], "sta"),
            ("lanyard login  ", &["login"], ""),
            ("lanyard a 'b c' \"d \\\" \\x\" e\\ f g", &["a", "b c", "d \" \\x", "e f"], "g"),
            ("lanyard ''", &[], ""),
            ("lanyard '' x", &[""], "x"),
            ("lanyard \"my c", &[], "my c"),
            ("lanyard ab'c d", &[], "abc d"),
            ("lanyard $(x) y\\", &["$(x)"], "y"),
        ] {
            let parsed = ShellLine::parse(line);
            assert_eq!(
                (parsed.arguments(), parsed.current.as_str()),
                (words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>().as_slice(), current),
                "{line}"
            );
        }
    }

    #[test]
    fn the_replacement_begins_where_readline_does() {
        for (typed, word, replacement) in [
            ("", "corp", "corp"),
            ("co", "corp", "corp"),
            ("eu:p", "eu:prod", "prod"),
            ("eu:", "eu:prod", "prod"),
            ("eu\\:p", "eu:prod", "eu:prod"),
            ("a:b:c", "a:b:cd", "cd"),
            ("anna@c", "anna@corp", "@corp"),
            ("--cluster=p", "--cluster=prod", "prod"),
            ("--cluster=eu:p", "--cluster=eu:prod", "prod"),
            ("", "my ctx", "my\\ ctx"),
            ("my\\ c", "my ctx", "my\\ ctx"),
            ("\"my c", "my ctx", "my ctx"),
            ("'my c", "my 'ctx'", "my '\\''ctx'\\''"),
            ("\"", "a\"$b", "a\\\"\\$b"),
            ("\"eu:p", "eu:prod", "eu:prod"),
            ("eu:'p", "eu:prod", "prod"),
            ("", "a;b", "a\\;b"),
        ] {
            let line = ShellLine::parse(&format!("lanyard login {typed}"));
            assert_eq!(line.replacement(word, BREAKS), replacement, "{typed}");
        }
    }
}
