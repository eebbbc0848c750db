use serde::{Deserialize, Deserializer};
use std::fmt;
use zeroize::Zeroizing;

/// A program to run, from the frame `run`. Its environment and input may contain secrets: wiped when dropped.
#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOrder {
    pub id: u64,
    /// Absolute path.
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<Variable>,
    /// Names of variables to pass on from this process. A name may end in `*`, such as `LC_*`; `*` alone means all.
    pub pass: Vec<String>,
    /// Working directory. None: that of this process.
    #[serde(deserialize_with = "present")]
    pub cwd: Option<String>,
    /// The program gets the user's terminal, and runs in its foreground.
    pub terminal: bool,
    /// What it reads on standard input, without a terminal. None: nothing.
    #[serde(default, deserialize_with = "wiped_input")]
    pub input: Option<Zeroizing<String>>,
    /// What it leaves running is ended when it ends well, too.
    #[serde(default)]
    pub ends_all: bool,
    /// If it answers with a proxy (KEP-2718), it may be that proxy itself: it is not waited for, and runs on beside this
    /// process.
    #[serde(default)]
    pub runs_on: bool,
    /// The limit for stdout.
    pub max_bytes: u32,
    pub seconds: u16,
    /// From the frame `keep`: it talks with the broker by this process's descriptors 3 and 4, and has no limits.
    #[serde(skip)]
    pub kept: bool,
}

/// A program that is kept running, from the frame `keep`.
#[derive(Deserialize)]
pub(super) struct KeepOrder {
    id: u64,
    command: String,
    args: Vec<String>,
    env: Vec<Variable>,
    cwd: String,
}

impl From<KeepOrder> for RunOrder {
    fn from(KeepOrder { id, command, args, env, cwd }: KeepOrder) -> Self {
        RunOrder {
            id,
            command,
            args,
            env,
            pass: Vec::new(),
            cwd: Some(cwd),
            terminal: false,
            input: None,
            ends_all: true,
            runs_on: false,
            max_bytes: 1,
            seconds: 1,
            kept: true,
        }
    }
}

const INPUT_CHARACTERS: usize = 512 * 1024;

#[derive(PartialEq, Eq, Deserialize)]
pub struct Variable {
    pub name: String,
    #[serde(deserialize_with = "wiped")]
    pub value: Zeroizing<String>,
}

impl RunOrder {
    /// The limits of main/contract, which counts characters, not bytes.
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
            && self.input.as_ref().is_none_or(|input| !self.terminal && within(input, INPUT_CHARACTERS))
            && (1..=4 * 1024 * 1024).contains(&self.max_bytes)
            && (1..=3600).contains(&self.seconds)
    }
}

/// Leaves out arguments and variables, which may be secret.
impl fmt::Debug for RunOrder {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "RunOrder({}, {:?})", self.id, self.command)
    }
}

/// `[A-Za-z_][A-Za-z0-9_]{0,127}\*?`, as in main/contract.
pub(super) fn is_variable_pattern(pattern: &str) -> bool {
    let name = pattern.strip_suffix('*').unwrap_or(pattern);
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    name.len() <= 128
        && name.as_bytes().first().is_some_and(letter)
        && name.bytes().all(|byte| letter(&byte) || byte.is_ascii_digit())
}

/// The field must be present, but may be null.
fn present<'a, D: Deserializer<'a>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

fn wiped<'a, D: Deserializer<'a>>(from: D) -> Result<Zeroizing<String>, D::Error> {
    String::deserialize(from).map(Zeroizing::new)
}

fn wiped_input<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Zeroizing<String>>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(Zeroizing::new))
}
