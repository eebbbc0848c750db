//! The name that this program was called by. It is one file, linked or copied to several names.

use crate::{docker, image};
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
    /// docker and others run `docker-credential-lanyard`, or `docker-credential-lanyard-NAME`.
    DockerCredential,
    /// A kubelet runs `lanyard-credential-provider`, or `lanyard-credential-provider-NUMBER`.
    CredentialProvider,
}

/// The name that this process was called under, without folder and `.exe`.
pub fn program_name() -> String {
    let name = env::args_os().next().unwrap_or_default();
    let name = Path::new(&name).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

impl Invoked {
    /// The caller chooses this name, so it grants no permission.
    pub fn now() -> Self {
        match program_name().as_str() {
            "kubectl-lanyard" => Invoked::KubectlPlugin,
            "kubectl_complete-lanyard" => Invoked::KubectlCompletion,
            name if image::is_name(name) => Invoked::CredentialProvider,
            name if docker::is_name(name) => Invoked::DockerCredential,
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
