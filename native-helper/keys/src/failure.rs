//! Why an order failed, for the user: a code, a text in plain English with PKCS#11’s name of it, and what the token says of
//! the tries that are left.

use cryptoki::context::Function;
use cryptoki::error::{Error, RvError};
use cryptoki::slot::TokenInfo;
use serde::Serialize;

use crate::token::unpadded;

#[derive(Debug, Serialize)]
pub struct Failure {
    pub code: Code,
    pub text: String,
    /// The token’s label.
    pub token: Option<String>,
    pub serial: Option<String>,
    pub tries: Option<Tries>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    ModuleMissing,
    ModuleChanged,
    ModuleUnsafe,
    ModuleBroken,
    TokenMissing,
    Several,
    KeyMissing,
    CertificateMissing,
    Mismatch,
    KeyKind,
    PinNeeded,
    PinWrong,
    PinLocked,
    PinExpired,
    PadNeeded,
    Cancelled,
    Device,
    Request,
}

/// What the token says of its PIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Tries {
    /// A wrong PIN was given since the last good one.
    pub low: bool,
    /// The next wrong one locks it.
    #[serde(rename = "final")]
    pub is_final: bool,
    pub locked: bool,
}

impl Tries {
    fn of(info: &TokenInfo) -> Self {
        Self {
            low: info.user_pin_count_low(),
            is_final: info.user_pin_final_try(),
            locked: info.user_pin_locked(),
        }
    }
}

impl Failure {
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), token: None, serial: None, tries: None }
    }

    /// The token’s label, and what it says of its PIN.
    pub fn with_token(mut self, info: Option<&TokenInfo>) -> Self {
        self.token = info.map(|info| unpadded(info.label()).to_owned());
        self.serial = info.map(|info| unpadded(info.serial_number()).to_owned());
        self.tries = info.map(Tries::of);
        self
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (rv, function) = match error {
            Error::Pkcs11(rv, function) => (rv, function),
            Error::NullFunctionPointer => {
                return Self::new(Code::ModuleBroken, "the module lacks a function of PKCS#11");
            }
            other => {
                return Self::new(Code::Device, format!("the module’s answer makes no sense: {other}"));
            }
        };
        let (code, text) = match rv {
            RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange => {
                (Code::PinWrong, "the PIN is wrong")
            }
            RvError::PinLocked => {
                (Code::PinLocked, "the PIN is locked; unlock it with the token’s own tools")
            }
            RvError::PinExpired => {
                (Code::PinExpired, "the PIN has expired; change it with the token’s own tools")
            }
            RvError::UserPinNotInitialized => {
                (Code::Device, "the token has no PIN yet; set it up with its own tools")
            }
            RvError::UserNotLoggedIn => (Code::PinNeeded, "the token wants its PIN again"),
            RvError::TokenNotPresent
            | RvError::TokenNotRecognized
            | RvError::DeviceRemoved
            | RvError::SlotIdInvalid
            | RvError::SessionHandleInvalid
            | RvError::SessionClosed => (Code::TokenMissing, "the token was taken out"),
            RvError::FunctionCanceled | RvError::FunctionRejected | RvError::Cancel => {
                (Code::Cancelled, "it was cancelled at the token, or not confirmed in time")
            }
            RvError::MechanismInvalid
            | RvError::MechanismParamInvalid
            | RvError::KeyTypeInconsistent
            | RvError::KeyFunctionNotPermitted
            | RvError::KeySizeRange => (Code::KeyKind, "the token doesn’t sign this way with this key"),
            _ => {
                return Self::new(
                    Code::Device,
                    format!("the token failed at {} ({})", name_of(function), name(rv)),
                );
            }
        };
        Self::new(code, format!("{text} ({})", name(rv)))
    }
}

/// PKCS#11’s name: `CKR_PIN_INCORRECT`.
fn name(rv: RvError) -> String {
    match rv {
        RvError::VendorDefined(code) | RvError::UnknownErrorCode(code) => format!("CKR {code:#x}"),
        known => {
            let mut name = "CKR".to_owned();
            for letter in format!("{known:?}").chars() {
                if letter.is_ascii_uppercase() {
                    name.push('_');
                }
                name.push(letter.to_ascii_uppercase());
            }
            name
        }
    }
}

/// `C_Sign`
fn name_of(function: Function) -> String {
    format!("C_{function:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    // PKCS#11 3.0, section 5.1, and the text that a user can act on.
    #[test]
    fn says_what_the_token_says() {
        let of = |rv| Failure::from(Error::Pkcs11(rv, Function::Login));
        for (rv, code, said) in [
            (RvError::PinIncorrect, Code::PinWrong, "the PIN is wrong (CKR_PIN_INCORRECT)"),
            (RvError::PinLenRange, Code::PinWrong, "the PIN is wrong (CKR_PIN_LEN_RANGE)"),
            (RvError::TokenNotPresent, Code::TokenMissing, "the token was taken out (CKR_TOKEN_NOT_PRESENT)"),
            (RvError::DeviceError, Code::Device, "the token failed at C_Login (CKR_DEVICE_ERROR)"),
            (
                RvError::VendorDefined(0x8000_0001),
                Code::Device,
                "the token failed at C_Login (CKR 0x80000001)",
            ),
        ] {
            let failure = of(rv);
            assert_eq!((failure.code, failure.text.as_str()), (code, said));
        }
    }
}
