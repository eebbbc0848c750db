//! KEP-2133, as a kubelet runs its image credential provider: a CredentialProviderRequest on standard input, a
//! CredentialProviderResponse on standard output. The kubelet logs standard error.

use crate::failure::Failure;
use crate::frames::{Request, base64};
use crate::reach::EXEC_INFO;
use crate::{Limits, dispatch, doors, input, session};
use std::env;
use zeroize::Zeroizing;

/// The name of the provider in a kubelet's folder of plugins.
pub const NAME: &str = "lanyard-credential-provider";

/// A service account's token and its annotations, of which Kubernetes allows 256 KiB, in a hello frame of 512 KiB.
const STDIN_BYTES: usize = 320 * 1024;

/// In a kubelet's configuration a name stands once: further providers have a `-` and a number behind it.
pub fn is_name(program: &str) -> bool {
    program.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

pub fn run(limits: &Limits) -> Result<u8, Failure> {
    // A kubeconfig chose this command line (rule: no-deputy).
    if env::var_os(EXEC_INFO).is_some() {
        return Err(dispatch::only_credentials());
    }
    // A kubelet's provider entry may have `args`, which choose nothing here.
    // Before the broker is reached, so that a large request costs it nothing (rule: bounded-input).
    let input = input::read(STDIN_BYTES)?;
    let input = Zeroizing::new(base64(&input));
    session::converse(limits, &doors::IMAGE, Request::Image { input: &input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_names_are_told_from_others() {
        for name in [NAME, "lanyard-credential-provider-2"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["lanyard", "lanyard-credential-providers", "lanyard-credential-provider.exe", ""] {
            assert!(!is_name(name), "{name}");
        }
    }
}
