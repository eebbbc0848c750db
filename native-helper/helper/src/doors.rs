use crate::frames::BrokerFrame;

/// A protocol of the helper, with its mask: the frames that the broker may send. The helper chooses it before it
/// connects, so that no server can widen it (rule: door-mask). `welcome` begins each conversation, so no mask lists it.
/// `style` is no frame: it says that text may contain style marks.
#[derive(Debug, PartialEq, Eq)]
pub struct Door {
    pub name: &'static str,
    pub mask: &'static [&'static str],
    /// Its stdout is text for the user: on a terminal it is stripped like stderr.
    pub stdout_is_text: bool,
    /// Its clients read errors on stdout: the helper writes the broker’s stderr text of a failure there.
    pub fails_on_stdout: bool,
}

pub const KUBE: Door = Door {
    name: "kube",
    mask: &["stderr", "prompt", "progress", "exit", "environment", "run", "cancel"],
    stdout_is_text: false,
    fails_on_stdout: false,
};

pub const CLI: Door = Door {
    name: "cli",
    mask: &[
        "stderr",
        "prompt",
        "progress",
        "exit",
        "stdin",
        "stdout",
        "environment",
        "style",
        "run",
        "cancel",
    ],
    stdout_is_text: true,
    fails_on_stdout: false,
};

/// For docker, podman and others. A build can run it without the user, so it asks nothing and runs nothing.
pub const DOCKER: Door = Door {
    name: "docker",
    mask: &["stderr", "progress", "exit"],
    stdout_is_text: false,
    fails_on_stdout: true,
};

/// For a kubelet, which has no user at hand.
pub const IMAGE: Door = Door {
    name: "image",
    mask: &["stderr", "progress", "exit"],
    stdout_is_text: false,
    fails_on_stdout: false,
};

/// For controllers that reach clusters by ClusterProfiles. No user is at hand: it asks nothing and runs nothing.
pub const CONTROLLER: Door = Door {
    name: "controller",
    mask: &["stderr", "progress", "exit"],
    stdout_is_text: false,
    fails_on_stdout: false,
};

/// For a shell that completes a line: an answer, without text on stderr or questions. `environment` is for KUBECONFIG,
/// which the contexts come from.
pub const COMPLETION: Door =
    Door { name: "cli", mask: &["exit", "environment"], stdout_is_text: true, fails_on_stdout: false };

impl Door {
    pub fn allows(&self, frame: &BrokerFrame) -> bool {
        self.mask.contains(&frame.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_cli_hands_over_standard_input() {
        let stdin = BrokerFrame::Stdin { id: 1, max_bytes: 1 };
        assert!(CLI.allows(&stdin));
        assert!(!KUBE.allows(&stdin));
        assert!(!DOCKER.allows(&stdin));
    }

    #[test]
    fn only_what_a_kubeconfig_or_a_person_calls_tells_variables_and_runs_programs() {
        let order = r#"{"kind":"run","id":1,"command":"/x","args":[],"env":[],"pass":[],"cwd":null,
            "terminal":false,"maxBytes":1,"seconds":1}"#;
        let mut decoder = crate::Decoder::default();
        decoder.push(&u32::try_from(order.len()).unwrap().to_be_bytes());
        decoder.push(order.as_bytes());
        let run = decoder.next_frame().unwrap().unwrap();
        let cancel = BrokerFrame::Cancel { id: 1 };
        for door in [&KUBE, &CLI] {
            assert!(door.allows(&BrokerFrame::Environment { id: 1, names: Vec::new() }));
            assert!(door.allows(&run));
            assert!(door.allows(&cancel));
        }
        for door in [&COMPLETION, &DOCKER, &CONTROLLER] {
            assert!(!door.allows(&run));
            assert!(!door.allows(&cancel));
        }
        for door in [&DOCKER, &CONTROLLER] {
            assert!(!door.allows(&BrokerFrame::Environment { id: 1, names: Vec::new() }));
            assert!(!door.allows(&BrokerFrame::Prompt { id: 1, text: String::new(), echo: true }));
        }
    }

    #[test]
    fn only_the_cli_takes_standard_output_in_pieces() {
        let stdout = BrokerFrame::Stdout { data: Vec::new() };
        assert!(CLI.allows(&stdout));
        assert!(!KUBE.allows(&stdout));
        assert!(!DOCKER.allows(&stdout));
    }

    #[test]
    fn a_welcome_in_the_middle_is_outside_every_mask() {
        let welcome = BrokerFrame::Welcome { protocol: 1, broker: String::new() };
        assert!(!CLI.allows(&welcome));
        assert!(!KUBE.allows(&welcome));
        assert!(!DOCKER.allows(&welcome));
    }
}
