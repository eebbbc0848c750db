use serde::{Deserialize, Deserializer};
use std::fmt;
use zeroize::Zeroizing;

/// A program to be run, as the frame `run` orders it. Its environment may hold secrets: wiped when dropped.
#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOrder {
    pub id: u64,
    /// Absolute.
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<Variable>,
    /// Names of this process's variables that go along; `LC_*` stands for all that begin so, `*` for all.
    pub pass: Vec<String>,
    /// None: this process's own.
    #[serde(deserialize_with = "present")]
    pub cwd: Option<String>,
    /// The program gets the user's terminal, and is in its foreground.
    pub terminal: bool,
    /// The most that it may write to stdout.
    pub max_bytes: u32,
    pub seconds: u16,
}

#[derive(PartialEq, Eq, Deserialize)]
pub struct Variable {
    pub name: String,
    #[serde(deserialize_with = "wiped")]
    pub value: Zeroizing<String>,
}

impl RunOrder {
    /// The limits of the contract, whose lengths are of characters.
    pub(super) fn is_within_limits(&self) -> bool {
        let within = |text: &str, most: usize| text.chars().count() <= most;
        !self.command.is_empty()
            && within(&self.command, 4096)
            && self.args.len() <= 256
            && self.env.len() <= 4096
            && self.env.iter().all(|each| !each.name.is_empty() && within(&each.name, 128))
            && self.pass.len() <= 64
            && self.pass.iter().all(|name| name == "*" || is_variable_pattern(name))
            && self.cwd.as_ref().is_none_or(|cwd| within(cwd, 4096))
            && (1..=4 * 1024 * 1024).contains(&self.max_bytes)
            && (1..=3600).contains(&self.seconds)
    }
}

/// Without what it is given: arguments and variables may be secret.
impl fmt::Debug for RunOrder {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "RunOrder({}, {:?})", self.id, self.command)
    }
}

/// `[A-Za-z_][A-Za-z0-9_]{0,127}\*?`, as the contract has it.
pub(super) fn is_variable_pattern(pattern: &str) -> bool {
    let name = pattern.strip_suffix('*').unwrap_or(pattern);
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    name.len() <= 128
        && name.as_bytes().first().is_some_and(letter)
        && name.bytes().all(|byte| letter(&byte) || byte.is_ascii_digit())
}

/// The field has to be there, be it null.
fn present<'a, D: Deserializer<'a>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

fn wiped<'a, D: Deserializer<'a>>(from: D) -> Result<Zeroizing<String>, D::Error> {
    String::deserialize(from).map(Zeroizing::new)
}
