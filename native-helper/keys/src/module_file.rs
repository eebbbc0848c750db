//! The module’s file: what is loaded is what was approved (rule: key-on-token). It is opened once, its digest is that of the
//! descriptor, and the descriptor is what is loaded, so that nothing else can take its place.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};

use crate::failure::{Code, Failure};

/// More than any module has.
const LONGEST: u64 = 512 * 1024 * 1024;

/// A module’s file, open and looked at.
pub struct ModuleFile {
    file: File,
    /// In hex.
    pub sha256: String,
}

impl ModuleFile {
    /// Fails where there is none, and where others could put something else there.
    pub fn open(path: &str) -> Result<Self, Failure> {
        if !Path::new(path).is_absolute() {
            return Err(Failure::new(Code::ModuleMissing, format!("{path} is no absolute path")));
        }
        let missing = |error: io::Error| {
            Failure::new(Code::ModuleMissing, format!("the module {path} can’t be read: {error}"))
        };
        let real = fs::canonicalize(path).map_err(missing)?;
        let mut file = File::open(&real).map_err(missing)?;
        let metadata = file.metadata().map_err(missing)?;
        if !metadata.is_file() || metadata.len() > LONGEST {
            return Err(Failure::new(Code::ModuleMissing, format!("{path} is no module’s file")));
        }
        refuse_others(&real, &metadata)?;
        if let Some(folder) = real.parent() {
            refuse_others(folder, &fs::metadata(folder).map_err(missing)?)?;
        }
        let sha256 = digest(&mut file).map_err(missing)?;
        Ok(Self { file, sha256 })
    }

    /// What the loader opens: this very file.
    pub fn loaded_path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }
}

/// The broker knows the system’s groups, and looks at folders further up; this is what needs no one else’s word.
fn refuse_others(path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let own = rustix::process::geteuid().as_raw();
    let who = if metadata.uid() != 0 && metadata.uid() != own {
        "belongs to another user"
    } else if metadata.mode() & 0o002 != 0 {
        "can be changed by everybody"
    } else {
        return Ok(());
    };
    Err(Failure::new(Code::ModuleUnsafe, format!("{} {who}: it isn’t loaded", path.display())))
}

/// In hex.
fn digest(file: &mut File) -> io::Result<String> {
    let mut context = Context::new(&SHA256);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else {
            return Ok(hex(context.finish().as_ref()));
        };
        context.update(part);
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
