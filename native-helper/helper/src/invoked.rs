//! The name that this program was called under: one file, linked or copied to several names.

use std::borrow::Cow;
use std::env;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoked {
    /// `lanyard`, and whatever else it is called.
    Lanyard,
    /// `kubectl lanyard …`: kubectl runs `kubectl-lanyard` with the words behind it.
    KubectlPlugin,
    /// kubectl asks `kubectl_complete-lanyard` for what may stand at the last of the words.
    KubectlCompletion,
}

impl Invoked {
    /// The caller chooses this name: it gives no permission.
    pub fn now() -> Self {
        let name = env::args_os().next().unwrap_or_default();
        let name = Path::new(&name).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name.strip_suffix(".exe").unwrap_or(name) {
            "kubectl-lanyard" => Invoked::KubectlPlugin,
            "kubectl_complete-lanyard" => Invoked::KubectlCompletion,
            _ => Invoked::Lanyard,
        }
    }

    /// A page or a hint of this program's own, with command lines as they are typed.
    pub fn typed(self, page: &str) -> Cow<'_, str> {
        match self {
            Invoked::KubectlPlugin => Cow::Owned(page.replace("lanyard ", "kubectl lanyard ")),
            _ => Cow::Borrowed(page),
        }
    }
}
