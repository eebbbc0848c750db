use crate::sid::{Sid, my_user};
use crate::system::{check, wide};
use std::ffi::c_void;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::ptr::null_mut;
use windows_sys::Win32::Foundation::{ERROR_SUCCESS, HANDLE, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo, SDDL_REVISION_1, SE_FILE_OBJECT,
    SE_KERNEL_OBJECT, SetNamedSecurityInfoW,
};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACE_HEADER, ACL, DACL_SECURITY_INFORMATION, GetAce, GetSecurityDescriptorDacl,
    INHERIT_ONLY_ACE, IsWellKnownSid, OWNER_SECURITY_INFORMATION, PROTECTED_DACL_SECURITY_INFORMATION,
    PSECURITY_DESCRIPTOR, PSID, WinBuiltinAdministratorsSid, WinCreatorOwnerRightsSid, WinCreatorOwnerSid,
    WinLocalSystemSid,
};
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_APPEND_DATA, FILE_DELETE_CHILD, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_READ_DATA, FILE_WRITE_ATTRIBUTES, FILE_WRITE_DATA,
    READ_CONTROL, WRITE_DAC, WRITE_OWNER,
};

/// A security descriptor that the system allocated.
pub struct Descriptor(PSECURITY_DESCRIPTOR);

impl Descriptor {
    /// From the security descriptor definition language.
    pub fn parse(text: &str) -> io::Result<Self> {
        let text = wide(text);
        let mut descriptor = null_mut();
        // SAFETY: the text ends with a zero; what is given is freed when it is dropped.
        check(unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                text.as_ptr(),
                SDDL_REVISION_1,
                &mut descriptor,
                null_mut(),
            )
        })?;
        Ok(Descriptor(descriptor))
    }

    pub fn as_raw(&self) -> PSECURITY_DESCRIPTOR {
        self.0
    }

    fn dacl(&self) -> io::Result<*mut ACL> {
        let (mut present, mut defaulted, mut list) = (0, 0, null_mut());
        // SAFETY: the descriptor is valid, and all places live through the call.
        check(unsafe { GetSecurityDescriptorDacl(self.0, &mut present, &mut list, &mut defaulted) })?;
        Ok(if present == 0 { null_mut() } else { list })
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: the system allocated it for this value alone.
        unsafe { LocalFree(self.0) };
    }
}

/// What an access list says of those besides this user, the system, and administrators, who may do everything anyway.
struct Facts {
    is_owned_by_me: bool,
    others_read: bool,
    others_write: bool,
}

/// Whether the kernel object, such as a pipe, belongs to this user. Nobody else can make it so: that takes a right to
/// restore, which administrators alone have.
pub fn is_owned_by_me(handle: HANDLE) -> io::Result<bool> {
    let (mut owner, mut descriptor) = (null_mut(), null_mut());
    // SAFETY: the handle is open and all places live through the call; the parts that aren't asked for may be null.
    let result = unsafe {
        GetSecurityInfo(
            handle,
            SE_KERNEL_OBJECT,
            OWNER_SECURITY_INFORMATION,
            &mut owner,
            null_mut(),
            null_mut(),
            null_mut(),
            &mut descriptor,
        )
    };
    succeeded(result)?;
    let _kept = Descriptor(descriptor);
    // SAFETY: it lies in the descriptor, which is there until the end.
    Ok(unsafe { Sid::copy(owner) }? == my_user()?)
}

/// Gives a folder or file a separate access list, which its parents no longer add to: full access for this user, the
/// system and administrators, as in the user's profile. What is in the folder inherits it.
pub fn close_to_others(path: &Path) -> io::Result<()> {
    set_access_list(path, &format!("D:P(A;OICI;FA;;;{})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", my_user()?.text()?))
}

/// In the security descriptor definition language. It is separate from those of the folders around it.
pub fn set_access_list(path: &Path, list: &str) -> io::Result<()> {
    let descriptor = Descriptor::parse(list)?;
    let name = wide(path);
    // SAFETY: the name ends with a zero; the list lies in the descriptor, which lives through the call.
    succeeded(unsafe {
        SetNamedSecurityInfoW(
            name.as_ptr(),
            SE_FILE_OBJECT,
            DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
            null_mut(),
            null_mut(),
            descriptor.dacl()?,
            null_mut(),
        )
    })
}

/// Whether another user can read or change the file or folder.
pub fn is_open_to_others(path: &Path) -> io::Result<bool> {
    let facts = facts(look_at(path)?.as_raw_handle())?;
    Ok(!facts.is_owned_by_me || facts.others_read || facts.others_write)
}

/// Whether another user could have changed the file or folder.
pub fn is_written_by_others(path: &Path) -> io::Result<bool> {
    is_file_written_by_others(&look_at(path)?)
}

/// The same of one that is open.
pub fn is_file_written_by_others(file: &File) -> io::Result<bool> {
    let facts = facts(file.as_raw_handle())?;
    Ok(!facts.is_owned_by_me || facts.others_write)
}

/// Opens it to read its access list. A link is not followed.
fn look_at(path: &Path) -> io::Result<File> {
    let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    OpenOptions::new().access_mode(READ_CONTROL).custom_flags(flags).open(path)
}

fn facts(file: HANDLE) -> io::Result<Facts> {
    let (mut owner, mut list, mut descriptor) = (null_mut(), null_mut(), null_mut());
    // SAFETY: the handle is open and all places live through the call; the parts that aren't asked for may be null.
    succeeded(unsafe {
        GetSecurityInfo(
            file,
            SE_FILE_OBJECT,
            OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
            &mut owner,
            null_mut(),
            &mut list,
            null_mut(),
            &mut descriptor,
        )
    })?;
    let _kept = Descriptor(descriptor);
    let me = my_user()?;
    // SAFETY: owner and list lie in the descriptor, which is there until the end.
    unsafe {
        let (others_read, others_write) = rights_of_others(list, &me)?;
        // What an elevated program makes belongs to the administrators.
        Ok(Facts { is_owned_by_me: is_trusted(owner, &me)?, others_read, others_write })
    }
}

const READ: u32 = FILE_READ_DATA;
/// FILE_WRITE_ATTRIBUTES makes a link of an empty folder.
const WRITE: u32 = FILE_WRITE_DATA
    | FILE_APPEND_DATA
    | FILE_WRITE_ATTRIBUTES
    | DELETE
    | FILE_DELETE_CHILD
    | WRITE_DAC
    | WRITE_OWNER;
const GENERIC: [(u32, u32); 4] = [
    (0x8000_0000, FILE_GENERIC_READ),
    (0x4000_0000, FILE_GENERIC_WRITE),
    (0x2000_0000, 0),
    (0x1000_0000, READ | WRITE),
];

/// Kinds of entries (ntifs.h; MS-DTYP 2.4.4.1): plain ones, and those with a condition, which counts as met.
const ALLOWING: [u8; 2] = [0, 9];
/// Plain, for kinds of objects, and both with a condition.
const DENYING: [u8; 4] = [1, 6, 10, 12];

/// Whether others may read, and write. What is denied isn't taken off: a list that needs it is called open.
///
/// # Safety
/// The list is a valid one, or null.
unsafe fn rights_of_others(list: *mut ACL, me: &Sid) -> io::Result<(bool, bool)> {
    if list.is_null() {
        // No list at all: everybody may do everything.
        return Ok((true, true));
    }
    let mut mask = 0;
    // SAFETY: the list is valid, and so are its entries, whose SID lies at their end.
    unsafe {
        for index in 0..u32::from((*list).AceCount) {
            let mut entry: *mut c_void = null_mut();
            check(GetAce(list, index, &mut entry))?;
            let header = &*entry.cast::<ACE_HEADER>();
            if DENYING.contains(&header.AceType) || u32::from(header.AceFlags) & INHERIT_ONLY_ACE != 0 {
                continue;
            }
            // Others, such as those for kinds of objects, have their SID elsewhere.
            if !ALLOWING.contains(&header.AceType) {
                return Ok((true, true));
            }
            let entry = entry.cast::<ACCESS_ALLOWED_ACE>();
            let sid: PSID = (&raw mut (*entry).SidStart).cast();
            if !is_trusted(sid, me)? {
                mask |= (*entry).Mask;
            }
        }
    }
    for (generic, specific) in GENERIC {
        if mask & generic != 0 {
            mask |= specific;
        }
    }
    Ok((mask & READ != 0, mask & WRITE != 0))
}

/// The service that installs Windows and its updates. What came with Windows, and Program Files, are its own.
const TRUSTED_INSTALLER: &str = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";

/// # Safety
/// It points to a valid SID.
unsafe fn is_trusted(sid: PSID, me: &Sid) -> io::Result<bool> {
    // SAFETY: as the caller promises.
    unsafe {
        let known = [
            WinLocalSystemSid,
            WinBuiltinAdministratorsSid,
            // Whose rights are the owner's: that is looked at by itself.
            WinCreatorOwnerSid,
            WinCreatorOwnerRightsSid,
        ];
        if known.into_iter().any(|known| IsWellKnownSid(sid, known) != 0) {
            return Ok(true);
        }
        let sid = Sid::copy(sid)?;
        Ok(sid == *me || sid.text()? == TRUSTED_INSTALLER)
    }
}

fn succeeded(result: u32) -> io::Result<()> {
    if result == ERROR_SUCCESS { Ok(()) } else { Err(io::Error::from_raw_os_error(result.cast_signed())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights(list: &str) -> (bool, bool) {
        let descriptor = Descriptor::parse(list).unwrap();
        // SAFETY: the list lies in the descriptor.
        unsafe { rights_of_others(descriptor.dacl().unwrap(), &my_user().unwrap()) }.unwrap()
    }

    #[test]
    fn lists_say_what_others_may_do() {
        let me = my_user().unwrap().text().unwrap();
        for (list, expected) in [
            // Nobody; this user, the system, administrators.
            ("D:P".to_owned(), (false, false)),
            (format!("D:P(A;;FA;;;{me})(A;;FA;;;SY)(A;;FA;;;BA)"), (false, false)),
            // As Program Files has it: Windows' installer, and others who read.
            (format!("D:P(A;;FA;;;{TRUSTED_INSTALLER})(A;;FA;;;BA)(A;;FR;;;BU)"), (true, false)),
            // Everyone, users, one other user; by file rights and by generic ones.
            ("D:(A;;FR;;;WD)".to_owned(), (true, false)),
            ("D:(A;;GR;;;BU)".to_owned(), (true, false)),
            ("D:(A;;FW;;;WD)".to_owned(), (false, true)),
            ("D:(A;;GW;;;AU)".to_owned(), (false, true)),
            ("D:(A;;GA;;;S-1-5-21-1-2-3-1001)".to_owned(), (true, true)),
            // May take it over, replace it, or remove what is in it.
            ("D:(A;;WO;;;WD)".to_owned(), (false, true)),
            ("D:(A;;WD;;;WD)".to_owned(), (false, true)),
            ("D:(A;;SD;;;WD)".to_owned(), (false, true)),
            ("D:(A;;DC;;;WD)".to_owned(), (false, true)),
            // Only for what is made in it.
            ("D:(A;OICIIO;FA;;;WD)".to_owned(), (false, false)),
            // The owner's own.
            ("D:(A;;FA;;;S-1-3-4)".to_owned(), (false, false)),
            ("D:(A;;0x100;;;WD)".to_owned(), (false, true)),
            // Only looks.
            ("D:(A;;RC;;;WD)".to_owned(), (false, false)),
        ] {
            assert_eq!(rights(&list), expected, "{list}");
        }
    }

    #[test]
    fn a_folder_is_closed_with_what_is_in_it() {
        let folder = std::env::temp_dir().join(format!("lanyard-access-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        close_to_others(&folder).unwrap();
        let file = folder.join("file");
        std::fs::write(&file, "x").unwrap();
        let found = (is_open_to_others(&folder), is_open_to_others(&file), is_written_by_others(&file));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((found.0.unwrap(), found.1.unwrap(), found.2.unwrap()), (false, false, false));
    }
}
