//! The name that this program was called by. It is one file, linked or copied to several names.

use crate::{docker, image};
use std::borrow::Cow;
use std::env;

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

const KUBECTL_PLUGIN: &str = "kubectl-lanyard";
const KUBECTL_COMPLETION: &str = "kubectl_complete-lanyard";

/// The name that this process was called under, without folder and `.exe`.
pub fn program_name() -> String {
    let word = env::args_os().next().unwrap_or_default();
    name_in(&word.to_string_lossy(), cfg!(windows))
}

/// Windows finds a program by its name in any case, with or without `.exe`. There a name of this program is spelled as
/// it is here, and what stands behind it as the caller spelled it.
fn name_in(word: &str, is_windows: bool) -> String {
    let is_separator = |character: char| character == '/' || (is_windows && character == '\\');
    let is_same =
        |one: &str, other: &str| if is_windows { one.eq_ignore_ascii_case(other) } else { one == other };
    let begins = |text: &str, with: &str| text.get(..with.len()).is_some_and(|start| is_same(start, with));
    let name = word.rsplit(is_separator).next().unwrap_or_default();
    let (stem, ending) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    let name = if is_same(ending, ".exe") { stem } else { name };
    let known = [KUBECTL_PLUGIN, KUBECTL_COMPLETION, image::NAME, docker::NAME];
    match known.into_iter().find(|known| begins(name, known)) {
        Some(known) => known.to_owned() + name.get(known.len()..).unwrap_or_default(),
        None => name.to_owned(),
    }
}

impl Invoked {
    /// The caller chooses this name, so it grants no permission.
    pub fn now() -> Self {
        Self::by(&program_name())
    }

    fn by(name: &str) -> Self {
        match name {
            KUBECTL_PLUGIN => Invoked::KubectlPlugin,
            KUBECTL_COMPLETION => Invoked::KubectlCompletion,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_windows_a_name_counts_in_any_case_with_or_without_exe() {
        for (word, name, invoked) in [
            (r"C:\k\lanyard-credential-provider.exe", image::NAME, Invoked::CredentialProvider),
            (r"C:/k\Lanyard-Credential-Provider.EXE", image::NAME, Invoked::CredentialProvider),
            ("LANYARD-CREDENTIAL-PROVIDER", image::NAME, Invoked::CredentialProvider),
            (
                "lanyard-credential-provider-2.Exe",
                "lanyard-credential-provider-2",
                Invoked::CredentialProvider,
            ),
            ("docker-credential-lanyard", docker::NAME, Invoked::DockerCredential),
            (r"C:\p\Docker-Credential-Lanyard.exe", docker::NAME, Invoked::DockerCredential),
            // NAME is an entry of config.yaml, where case counts.
            (
                "DOCKER-credential-lanyard-Work.v2.exe",
                "docker-credential-lanyard-Work.v2",
                Invoked::DockerCredential,
            ),
            ("Kubectl-Lanyard.exe", "kubectl-lanyard", Invoked::KubectlPlugin),
            ("kubectl_complete-lanyard.EXE", "kubectl_complete-lanyard", Invoked::KubectlCompletion),
            (r"C:\Users\a\bin\lanyard.exe", "lanyard", Invoked::Lanyard),
            ("lanyard-credential-providers.exe", "lanyard-credential-providers", Invoked::Lanyard),
            ("kubectl-lanyard.exe.exe", "kubectl-lanyard.exe", Invoked::Lanyard),
            (r"docker-credential-lanyard.exe\x", "x", Invoked::Lanyard),
            (".exe", "", Invoked::Lanyard),
            ("größe", "größe", Invoked::Lanyard),
            ("", "", Invoked::Lanyard),
        ] {
            let found = name_in(word, true);
            assert_eq!((found.as_str(), Invoked::by(&found)), (name, invoked), "{word}");
        }
    }

    #[test]
    fn elsewhere_case_is_part_of_a_name() {
        for (word, invoked) in [
            ("/k/lanyard-credential-provider", Invoked::CredentialProvider),
            ("docker-credential-lanyard-work", Invoked::DockerCredential),
            ("lanyard-credential-provider.exe", Invoked::CredentialProvider),
            ("lanyard-credential-provider.EXE", Invoked::Lanyard),
            ("/usr/bin/Docker-Credential-Lanyard", Invoked::Lanyard),
            (r"a\kubectl-lanyard", Invoked::Lanyard),
            ("/usr/bin/lanyard", Invoked::Lanyard),
        ] {
            assert_eq!(Invoked::by(&name_in(word, false)), invoked, "{word}");
        }
    }
}
