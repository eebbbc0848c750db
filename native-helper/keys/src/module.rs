//! The module, loaded and initialized.

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};

use crate::failure::{Code, Failure};
use crate::module_file::ModuleFile;
use crate::one_part::OnePart;
use crate::order::LibraryView;

pub struct Module {
    pub calls: Pkcs11,
    pub one_part: OnePart,
    /// The loader’s path of the module names its descriptor.
    _file: ModuleFile,
}

impl Module {
    /// Fails where the file isn’t the one that was approved: `sha256` in hex.
    pub fn load(path: &str, sha256: &str) -> Result<Self, Failure> {
        let file = ModuleFile::open(path)?;
        if !file.sha256.eq_ignore_ascii_case(sha256) {
            return Err(Failure::new(
                Code::ModuleChanged,
                format!("the module {path} isn’t the one that was approved: its content changed"),
            ));
        }
        let broken = |error: Error| broken(path, error);
        let calls = Pkcs11::new(file.loaded_path()).map_err(broken)?;
        let one_part = OnePart::of(&file.loaded_path()).map_err(broken)?;
        initialize(&calls).map_err(broken)?;
        Ok(Self { calls, one_part, _file: file })
    }

    pub fn library(&self) -> Result<LibraryView, Failure> {
        let info = self.calls.get_library_info()?;
        Ok(LibraryView {
            manufacturer: info.manufacturer_id().to_owned(),
            description: info.library_description().to_owned(),
            version: info.library_version().to_string(),
            cryptoki: info.cryptoki_version().to_string(),
        })
    }
}

fn initialize(calls: &Pkcs11) -> Result<(), Error> {
    match calls.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        // One thread makes all calls.
        Err(Error::Pkcs11(RvError::CantLock, _)) => {
            calls.initialize(CInitializeArgs::new(CInitializeFlags::empty()))
        }
        other => other,
    }
}

fn broken(path: &str, error: Error) -> Failure {
    let why = match error {
        // The loader names the descriptor, which says nothing.
        Error::LibraryLoading(error) => with_causes(&error).replace("/proc/self/fd/", "descriptor "),
        Error::NullFunctionPointer | Error::MissingSymbol(_) => "it is no PKCS#11 module".to_owned(),
        error => Failure::from(error).text,
    };
    Failure::new(Code::ModuleBroken, format!("the module {path} can’t be loaded: {why}"))
}

fn with_causes(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), with_causes)
}
