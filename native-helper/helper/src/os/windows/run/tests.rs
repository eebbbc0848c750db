//! Runs at the user's console. They need one: under wine a terminal (`script`), on Windows any console.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::{Client, End, run};
use crate::failure::Failure;
use crate::frames::{HelperFrame, Outcome, RunOrder};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write as _};
use std::os::windows::io::AsRawHandle;
use std::sync::Mutex;
use windows_sys::Win32::System::Console::{
    CTRL_C_EVENT, ENABLE_ECHO_INPUT, GenerateConsoleCtrlEvent, GetConsoleMode, INPUT_RECORD, INPUT_RECORD_0,
    KEY_EVENT, KEY_EVENT_RECORD, KEY_EVENT_RECORD_0, SetConsoleMode, WriteConsoleInputW,
};

/// There is one console, and one handler of its keys.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Does something when the program has first written to stderr.
struct Person<Does: FnMut()> {
    does: Does,
    heard: bool,
}

impl<Does: FnMut()> Client for Person<Does> {
    fn is_wanted(&mut self) -> Result<bool, Failure> {
        Ok(true)
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        if matches!(frame, HelperFrame::Said { .. }) && !self.heard {
            self.heard = true;
            (self.does)();
        }
        Ok(())
    }

    fn shows_stderr(&self) -> bool {
        false
    }
}

/// None, and said so, where there is no console.
fn console() -> Option<File> {
    let console = OpenOptions::new().read(true).write(true).open("CONIN$").ok();
    if console.is_none() || !io::stdin().is_terminal() {
        // Written past the harness, which keeps what passing tests print.
        let _ = writeln!(io::stderr(), "SKIPPED: there is no console to run at");
        return None;
    }
    console
}

fn mode(console: &File) -> u32 {
    let mut mode = 0;
    // SAFETY: the handle is open and the place lives through the call.
    assert_ne!(unsafe { GetConsoleMode(console.as_raw_handle(), &mut mode) }, 0);
    mode
}

fn hide(console: &File) {
    // SAFETY: plain numbers on an open handle.
    assert_ne!(unsafe { SetConsoleMode(console.as_raw_handle(), mode(console) & !ENABLE_ECHO_INPUT) }, 0);
}

fn type_in(console: &File, text: &str) {
    let keys: Vec<INPUT_RECORD> = text.encode_utf16().map(key).collect();
    let mut written = 0;
    // SAFETY: the records and the place live through the call.
    let typed = unsafe {
        WriteConsoleInputW(
            console.as_raw_handle(),
            keys.as_ptr(),
            u32::try_from(keys.len()).unwrap(),
            &mut written,
        )
    };
    assert_ne!(typed, 0);
}

fn key(unit: u16) -> INPUT_RECORD {
    let event = KEY_EVENT_RECORD {
        bKeyDown: 1,
        wRepeatCount: 1,
        // The numbers of these keys are those of their capitals, and of the carriage return.
        wVirtualKeyCode: char::from(u8::try_from(unit).unwrap()).to_ascii_uppercase() as u16,
        uChar: KEY_EVENT_RECORD_0 { UnicodeChar: unit },
        ..Default::default()
    };
    INPUT_RECORD { EventType: KEY_EVENT as u16, Event: INPUT_RECORD_0 { KeyEvent: event } }
}

fn order(does: &str) -> RunOrder {
    let program = std::env::current_exe().unwrap();
    let plugin = program.parent().unwrap().parent().unwrap().join("examples").join("plugin.exe");
    serde_json::from_value(json!({
        "id": 1, "command": plugin, "args": [], "env": [{ "name": "PLUGIN_DOES", "value": does }],
        "pass": ["SystemRoot"], "cwd": null, "terminal": true, "maxBytes": 1024, "seconds": 60,
    }))
    .unwrap()
}

#[test]
fn a_program_at_the_console_reads_what_is_typed() {
    let _one = ONE_AT_A_TIME.lock();
    let Some(console) = console() else { return };
    let mut person = Person { does: || type_in(&console, "hello\r"), heard: false };
    let end = run(&order("console"), &mut person).unwrap();
    assert_eq!(end, End::Ran(Outcome::exited(0, b"true hello")));
}

#[test]
fn ctrl_c_ends_the_program_and_not_this_process_and_the_echo_comes_back() {
    let _one = ONE_AT_A_TIME.lock();
    let Some(console) = console() else { return };
    let before = mode(&console);
    let press = || {
        hide(&console);
        // SAFETY: plain numbers.
        assert_ne!(unsafe { GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) }, 0);
    };
    let end = run(&order("hang"), &mut Person { does: press, heard: false }).unwrap();
    assert_eq!(end, End::Interrupted { signal: 2 });
    assert_eq!(mode(&console), before);
    assert_ne!(before & ENABLE_ECHO_INPUT, 0);
}
