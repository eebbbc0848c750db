use lanyard_windows::{check, owned};
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};

/// A process that the kernel can't end must not block this one.
const MOST: Duration = Duration::from_secs(2);
const ROUND: Duration = Duration::from_millis(3);

/// A program and all that it starts: nothing in it may leave it. Dropping this ends them, and so does the end of this
/// process, however it comes (rule: no-stray-program).
pub struct Job(OwnedHandle);

impl Job {
    pub fn new() -> io::Result<Self> {
        // SAFETY: neither attributes nor a name are given. So no child inherits the handle.
        let job = Job(unsafe { owned(CreateJobObjectW(ptr::null(), ptr::null())) }?);
        job.limit(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)?;
        Ok(job)
    }

    /// What the process starts from here on is in the job, too.
    pub fn take(&self, process: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        check(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Ends all of them. When this returns none is left, except those that outlive `MOST`.
    pub fn end(&self) {
        let until = Instant::now() + MOST;
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
        while self.count() != Some(0) && Instant::now() < until {
            sleep(ROUND);
        }
    }

    /// What is left of them runs on.
    pub fn let_go(&self) {
        let _ = self.limit(0);
    }

    fn limit(&self, flags: JOB_OBJECT_LIMIT) -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = flags;
        let size = u32::try_from(size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>()).unwrap_or(0);
        // SAFETY: the handle is open, and the structure is as large as said and lives through the call.
        check(unsafe {
            SetInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size,
            )
        })
    }

    /// How many of them run.
    fn count(&self) -> Option<u32> {
        let mut facts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        let size = u32::try_from(size_of::<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>()).unwrap_or(0);
        // SAFETY: the handle is open, and the place is as large as said and lives through the call.
        let asked = unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicAccountingInformation,
                ptr::from_mut(&mut facts).cast(),
                size,
                ptr::null_mut(),
            )
        };
        (asked != 0).then_some(facts.ActiveProcesses)
    }
}
