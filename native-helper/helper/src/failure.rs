use crate::invoked::Invoked;
use crate::strip::strip;
use std::io::Write;

/// Exit codes, the same as in main/contract/exit-codes.ts. A test compares them.
pub mod exit {
    pub const GOOD: u8 = 0;
    pub const INTERNAL: u8 = 1;
    pub const USAGE: u8 = 2;
    pub const TIMED_OUT: u8 = 12;
    pub const NOT_PERMITTED: u8 = 13;
    pub const UNREACHABLE: u8 = 17;
    pub const VERSION: u8 = 18;
}

/// Why the helper itself exits, as a text for the user: lower case, no full stop, no secrets.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: u8,
    pub message: String,
    pub hint: Option<String>,
}

impl Failure {
    pub fn new(code: u8, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), hint: None }
    }

    pub fn hint(self, hint: impl Into<String>) -> Self {
        Failure { hint: Some(hint.into()), ..self }
    }

    /// The broker's text instead of a welcome: the message, then the hint on a second line.
    pub fn told(code: u8, text: &str) -> Self {
        let mut lines = text.lines();
        let message = lines.next().unwrap_or_default();
        let failure = Failure::new(code, message.strip_prefix("lanyard: ").unwrap_or(message));
        match lines.next().and_then(|line| line.strip_prefix("hint: ")) {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }

    /// The message, then the hint in parentheses if there is one.
    pub fn line(&self) -> String {
        match &self.hint {
            Some(hint) => one_line(&format!("{} ({hint})", self.message)),
            None => one_line(&self.message),
        }
    }

    /// Prints `lanyard: …` to stderr, and the hint on a second line if there is one.
    pub fn print(&self, invoked: Invoked) {
        let mut text = format!("lanyard: {}\n", one_line(&self.message));
        if let Some(hint) = &self.hint {
            text.push_str(&format!("hint: {}\n", one_line(&invoked.typed(hint))));
        }
        // With stderr closed, no one reads the error.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Paths and system messages can contain control characters.
fn one_line(text: &str) -> String {
    strip(text).replace(['\n', '\t'], " ")
}
