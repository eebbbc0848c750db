//! Parses what macOS's kernel tells of processes. Pure, so that it is tested on any system. Sizes and places are those of
//! 64 bits, which arm64 and x86_64 share.

use super::run::Process;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// `struct kinfo_proc` of bsd/sys/sysctl.h, as the kernel fills it: `user64_kinfo_proc` of bsd/sys/sysctl.h, with
/// `user64_extern_proc` of bsd/sys/proc_internal.h.
pub const KINFO_BYTES: usize = 648;
const STATE_AT: usize = 36;
const PID_AT: usize = 40;
const PARENT_AT: usize = 560;
const GROUP_AT: usize = 564;
/// SZOMB of bsd/sys/proc.h.
const ENDED: u8 = 5;

/// The processes of `sysctl(KERN_PROC_ALL)`. `session` tells a process's session by its pid: the kernel leaves it out
/// here.
pub fn parse_processes(bytes: &[u8], session: impl Fn(i32) -> i32) -> Vec<Process> {
    bytes.chunks_exact(KINFO_BYTES).filter_map(|each| process(each, &session)).collect()
}

fn process(bytes: &[u8], session: impl Fn(i32) -> i32) -> Option<Process> {
    let pid = number(bytes, PID_AT)?;
    Some(Process {
        pid,
        parent: number(bytes, PARENT_AT)?,
        group: number(bytes, GROUP_AT)?,
        session: session(pid),
        has_ended: *bytes.get(STATE_AT)? == ENDED,
    })
}

fn number(bytes: &[u8], at: usize) -> Option<i32> {
    bytes.get(at..at + 4)?.try_into().ok().map(i32::from_ne_bytes)
}

/// The environment of `sysctl(KERN_PROCARGS2)`: the number of arguments, the executable's path, zeros up to a multiple
/// of 8, the arguments, the variables, and the loader's own strings (sysctl_procargsx of bsd/kern/kern_sysctl.c,
/// exec_extract_strings of bsd/kern/kern_exec.c). An empty string ends the variables; where the zeros between are none,
/// the loader's strings count, too. None: it is cut off, or has none, as where the kernel leaves them out.
pub fn parse_environment(bytes: &[u8]) -> Option<Vec<(OsString, OsString)>> {
    let arguments = usize::try_from(number(bytes, 0)?).ok()?;
    let mut rest = bytes.get(4..)?;
    next_text(&mut rest)?;
    while let [0, more @ ..] = rest {
        rest = more;
    }
    for _ in 0..arguments {
        next_text(&mut rest)?;
    }
    let mut found = Vec::new();
    while let Some(entry) = next_text(&mut rest).filter(|entry| !entry.is_empty()) {
        if let Some(middle) = entry.iter().position(|byte| *byte == b'=') {
            let (name, value) = (entry.get(..middle)?, entry.get(middle + 1..)?);
            found.push((OsStr::from_bytes(name).to_owned(), OsStr::from_bytes(value).to_owned()));
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Takes the text before the next zero, and the zero. None: there is no zero.
fn next_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|byte| *byte == 0)?;
    let (text, more) = (rest.get(..end)?, rest.get(end + 1..)?);
    *rest = more;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pid: i32, parent: i32, group: i32, state: u8) -> Vec<u8> {
        let mut bytes = vec![0xee; KINFO_BYTES];
        bytes[STATE_AT] = state;
        for (at, value) in [(PID_AT, pid), (PARENT_AT, parent), (GROUP_AT, group)] {
            bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        bytes
    }

    #[test]
    fn processes_are_read_up_to_a_part_of_one() {
        let bytes = [record(7, 3, 5, 2), record(8, 7, 5, 5), vec![0; KINFO_BYTES - 1]].concat();
        let found = parse_processes(&bytes, |pid| pid * 10);
        let facts: Vec<_> = found
            .iter()
            .map(|each| (each.pid, each.parent, each.group, each.session, each.has_ended))
            .collect();
        assert_eq!(facts, [(7, 3, 5, 70, false), (8, 7, 5, 80, true)]);
    }

    fn block(arguments: i32, rest: &[u8]) -> Vec<u8> {
        [arguments.to_ne_bytes().as_slice(), rest].concat()
    }

    fn variables(bytes: &[u8]) -> Option<Vec<(String, String)>> {
        let text = |part: OsString| part.into_string().unwrap();
        Some(parse_environment(bytes)?.into_iter().map(|(name, value)| (text(name), text(value))).collect())
    }

    #[test]
    fn variables_are_what_follows_the_arguments() {
        let bytes = block(
            3,
            b"/opt/homebrew/bin/kubectl\0\0\0\0\0\0\0kubectl\0\0A=argument\0HOME=/Users/a\0ODD\0PS1=a=b\0E=\0\0\0ptr_munge=\0",
        );
        let expected = [("HOME", "/Users/a"), ("PS1", "a=b"), ("E", "")]
            .map(|(name, value)| (name.into(), value.into()));
        assert_eq!(variables(&bytes), Some(expected.to_vec()));
    }

    #[test]
    fn without_variables_or_cut_off_there_are_none() {
        let path = b"/bin/zsh\0\0\0\0-zsh\0";
        for bytes in [
            block(1, path),
            block(1, &[path.as_slice(), b"\0\0"].concat()),
            block(1, &[path.as_slice(), b"HOME=/Users"].concat()),
            block(2, path),
            block(-1, path),
            block(i32::MAX, path),
            block(0, b"/bin/zsh"),
            b"\x01".to_vec(),
            Vec::new(),
        ] {
            assert_eq!(variables(&bytes), None);
        }
    }
}
