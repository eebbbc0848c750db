//! A token that is logged in, with the key that signs. A PIN is tried once (rule: key-on-token).

use std::cell::Cell;

use cryptoki::context::Function;
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::MechanismType;
use cryptoki::object::ObjectHandle;
use cryptoki::session::{Session, UserType};
use cryptoki::slot::{Slot, TokenInfo};
use cryptoki::types::AuthPin;

use crate::certificate::{Certificate, Kind};
use crate::failure::{Code, Failure};
use crate::module::Module;
use crate::order::{Open, OpenedView};
use crate::scheme::Scheme;
use crate::select::{self, Identity};
use crate::token::unpadded;

pub struct Opened {
    session: Session,
    slot: Slot,
    serial: String,
    label: String,
    key: ObjectHandle,
    certificate: Certificate,
    /// PEM.
    chain: String,
    kind: Kind,
    mechanisms: Vec<MechanismType>,
    again: Again,
    /// A signature was one by the certificate’s key.
    is_proven: Cell<bool>,
}

/// What the key wants before each signature (CKA_ALWAYS_AUTHENTICATE).
enum Again {
    Nothing,
    Pin(AuthPin),
    /// At the token’s own pad.
    Pad,
}

/// How it is logged in.
enum Login {
    None,
    Pin(AuthPin),
    Pad,
}

impl Opened {
    /// `is_spent` is set once a wrong PIN was given: no other one is tried by this process.
    pub fn open(module: &Module, order: Open, is_spent: &mut bool) -> Result<Self, Failure> {
        let Open { select, certificate, pin, pad, kept, .. } = order;
        let file = certificate.as_deref().map(Certificate::read_file).transpose()?;
        let (slot, info) = select::token(&module.calls, &select)?;
        let login = login_for(&info, pin, pad, kept)?;
        let session = module.calls.open_ro_session(slot)?;
        if !matches!(login, Login::None) {
            log_in(module, &session, slot, &login, is_spent)?;
        }
        let Identity { key, certificate, others } = select::identity(&session, &select, file)?;
        let kind = Kind::usable(certificate.kind)?;
        let mechanisms = module.calls.get_mechanism_list(slot)?;
        Scheme::usable(kind, &mechanisms)?;
        let again = match login {
            Login::Pin(pin) if key.always_authenticate => Again::Pin(pin),
            Login::Pad if key.always_authenticate => Again::Pad,
            _ => Again::Nothing,
        };
        Ok(Self {
            session,
            slot,
            serial: unpadded(info.serial_number()).to_owned(),
            label: unpadded(info.label()).to_owned(),
            key: key.handle,
            chain: certificate.chain(&others),
            certificate,
            kind,
            mechanisms,
            again,
            is_proven: Cell::new(false),
        })
    }

    pub fn view(&self) -> OpenedView {
        OpenedView {
            serial: self.serial.clone(),
            token_label: self.label.clone(),
            chain: self.chain.clone(),
            kind: self.kind.name(),
            bits: self.kind.bits(),
            curve: self.kind.curve(),
            schemes: self.schemes().iter().map(|scheme| scheme.number).collect(),
        }
    }

    fn schemes(&self) -> Vec<&'static Scheme> {
        Scheme::all(self.kind, &self.mechanisms)
    }

    pub fn sign(&self, module: &Module, number: u16, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let scheme = self.schemes().into_iter().find(|scheme| scheme.number == number);
        let (scheme, (mechanism, mut data)) =
            scheme.and_then(|scheme| Some((scheme, scheme.prepare(message, &self.mechanisms)?))).ok_or_else(
                || Failure::new(Code::Request, format!("the key doesn’t sign by the scheme {number:#06x}")),
            )?;
        self.session.sign_init(&mechanism, self.key)?;
        match &self.again {
            Again::Nothing => (),
            Again::Pin(pin) => self.log_in_again(module, Some(pin))?,
            Again::Pad => self.log_in_again(module, None)?,
        }
        let signature = module.one_part.sign(&self.session, &mut data)?;
        let signature = scheme
            .finish(signature)
            .filter(|signature| self.is_trusted() || self.verifies(scheme, message, signature))
            .ok_or_else(|| {
                Failure::new(Code::Mismatch, "the token’s signature isn’t one by the certificate’s key")
            })?;
        self.is_proven.set(true);
        Ok(signature)
    }

    /// A faulty signature gives an RSA key away: each is verified, as in OpenSSL. Of an EC key the first one is, which tells
    /// some tokens’ keys from another’s; a server refuses a faulty one.
    fn is_trusted(&self) -> bool {
        self.is_proven.get() && !matches!(self.kind, Kind::Rsa { .. })
    }

    fn verifies(&self, scheme: &Scheme, message: &[u8], signature: &[u8]) -> bool {
        scheme.verifies(&self.certificate.public_key, message, signature)
    }

    fn log_in_again(&self, module: &Module, pin: Option<&AuthPin>) -> Result<(), Failure> {
        let done = self.session.login(UserType::ContextSpecific, pin);
        done.map_err(|error| self::failed(module, self.slot, error))
    }

    /// Whether the token is the one that was opened, and its session is still good.
    pub fn is_there(&self, module: &Module) -> bool {
        module.calls.get_token_info(self.slot).is_ok_and(|info| unpadded(info.serial_number()) == self.serial)
            && self.session.get_session_info().is_ok()
    }
}

/// How to log in, or what is missing for it.
fn login_for(info: &TokenInfo, pin: Option<AuthPin>, pad: bool, kept: bool) -> Result<Login, Failure> {
    if !info.login_required() {
        return Ok(Login::None);
    }
    if info.user_pin_locked() {
        let text = "the PIN is locked; unlock it with the token’s own tools";
        return Err(Failure::new(Code::PinLocked, text).with_token(Some(info)));
    }
    match (pin, pad) {
        (_, true) if info.protected_authentication_path() => Ok(Login::Pad),
        (_, true) => {
            Err(Failure::new(Code::PinNeeded, "the token has no PIN pad: give the PIN")
                .with_token(Some(info)))
        }
        // One that isn’t typed now must not cost the user a try.
        (Some(_), false) if kept && (info.user_pin_count_low() || info.user_pin_final_try()) => {
            Err(Failure::new(Code::PinNeeded, "a wrong PIN was given elsewhere: type it again")
                .with_token(Some(info)))
        }
        (Some(pin), false) => Ok(Login::Pin(pin)),
        (None, false) if info.protected_authentication_path() => {
            Err(Failure::new(Code::PadNeeded, "the token takes its PIN at its own pad")
                .with_token(Some(info)))
        }
        (None, false) => Err(Failure::new(Code::PinNeeded, "the token needs its PIN").with_token(Some(info))),
    }
}

fn log_in(
    module: &Module,
    session: &Session,
    slot: Slot,
    login: &Login,
    is_spent: &mut bool,
) -> Result<(), Failure> {
    let pin = match login {
        Login::Pin(pin) => Some(pin),
        _ => None,
    };
    if *is_spent {
        let text = "a wrong PIN was given: none is tried again in this process";
        return Err(Failure::new(Code::PinWrong, text));
    }
    let mut done = session.login(UserType::User, pin);
    if matches!(done, Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, Function::Login))) {
        // By an earlier session: this PIN was not looked at.
        session.logout()?;
        done = session.login(UserType::User, pin);
    }
    match done {
        Ok(()) => Ok(()),
        Err(error) => {
            let failure = failed(module, slot, error);
            *is_spent = failure.code == Code::PinWrong;
            Err(failure)
        }
    }
}

fn failed(module: &Module, slot: Slot, error: Error) -> Failure {
    Failure::from(error).with_token(module.calls.get_token_info(slot).ok().as_ref())
}
