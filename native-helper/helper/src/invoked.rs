//! The name that this program was called by. It is one file, linked or copied to several names.

use std::borrow::Cow;
use std::env;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoked {
    /// `lanyard`, or any other name.
    Lanyard,
    /// `kubectl lanyard …`: kubectl runs `kubectl-lanyard` with the words after it.
    KubectlPlugin,
    /// kubectl runs `kubectl_complete-lanyard` to complete the last of the words.
    KubectlCompletion,
}

impl Invoked {
    /// The caller chooses this name, so it grants no permission.
    pub fn now() -> Self {
        let name = env::args_os().next().unwrap_or_default();
        let name = Path::new(&name).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name.strip_suffix(".exe").unwrap_or(name) {
            "kubectl-lanyard" => Invoked::KubectlPlugin,
            "kubectl_complete-lanyard" => Invoked::KubectlCompletion,
            _ => Invoked::Lanyard,
        }
    }

    /// A help page or hint with its command lines as the user types them.
    pub fn typed(self, page: &str) -> Cow<'_, str> {
        match self {
            Invoked::KubectlPlugin => Cow::Owned(page.replace("lanyard ", "kubectl lanyard ")),
            _ => Cow::Borrowed(page),
        }
    }
}
