//! C_Sign alone. A key that asks for the PIN at each signature (CKA_ALWAYS_AUTHENTICATE) wants C_SignInit, C_Login, C_Sign in
//! this order (PKCS#11 3.0, section 5.6.8), and many tokens sign in one part alone. cryptoki has init and sign in one call.

use std::path::Path;
use std::ptr;

use cryptoki::context::Function;
use cryptoki::error::{Error, Result, Rv};
use cryptoki::session::Session;
use cryptoki_sys::{CK_C_Sign, CK_FUNCTION_LIST, Pkcs11};

/// Longer than a signature of RSA-8192.
const LONGEST_SIGNATURE: usize = 2048;

/// The module’s C_Sign.
pub struct OnePart {
    sign: CK_C_Sign,
    /// It stays loaded as long as its function may be called.
    _library: Pkcs11,
}

impl OnePart {
    /// Of a module that cryptoki has loaded already: the loader gives the same one.
    pub fn of(path: &Path) -> Result<Self> {
        // SAFETY: the library’s own code at loading has run already; symbols have PKCS#11’s types.
        let library = unsafe { Pkcs11::new(path) }.map_err(Error::LibraryLoading)?;
        let get = *library.C_GetFunctionList.as_ref().map_err(|_| Error::NullFunctionPointer)?;
        let mut list: *mut CK_FUNCTION_LIST = ptr::null_mut();
        // SAFETY: C_GetFunctionList writes a pointer to a list that lives as long as the library (section 5.4.4).
        Rv::from(unsafe { get(&raw mut list) }).into_result(Function::GetFunctionList)?;
        // SAFETY: either null, or that list.
        let list = unsafe { list.as_ref() }.ok_or(Error::NullFunctionPointer)?;
        Ok(Self { sign: list.C_Sign, _library: library })
    }

    /// Ends what `Session::sign_init` began.
    pub fn sign(&self, session: &Session, data: &mut [u8]) -> Result<Vec<u8>> {
        let sign = self.sign.ok_or(Error::NullFunctionPointer)?;
        let mut signature = vec![0; LONGEST_SIGNATURE];
        let mut length = signature.len().try_into()?;
        // SAFETY: both buffers live through the call, and have the lengths that are stated.
        let rv = unsafe {
            sign(
                session.handle(),
                data.as_mut_ptr(),
                data.len().try_into()?,
                signature.as_mut_ptr(),
                &raw mut length,
            )
        };
        Rv::from(rv).into_result(Function::Sign)?;
        signature.truncate(length.try_into()?);
        Ok(signature)
    }
}
