//! What is to be seen on tokens without a login.

use cryptoki::context::Pkcs11;
use cryptoki::mechanism::MechanismType;
use cryptoki::object::{Attribute, AttributeType, CertificateType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::slot::{Slot, TokenInfo};
use serde::Serialize;

use crate::certificate::{Kind, pem};
use crate::failure::{Code, Failure};
use crate::module_file::hex;
use crate::scheme::Scheme;
use crate::select::{self, Stored};

#[derive(Serialize)]
pub struct SlotView {
    slot: u64,
    description: String,
    token: Option<TokenView>,
}

#[derive(Serialize)]
struct TokenView {
    label: String,
    manufacturer: String,
    model: String,
    serial: String,
    flags: Flags,
    /// Those that sign, without `CKM_`.
    mechanisms: Vec<String>,
    certificates: Vec<CertificateView>,
    keys: Vec<KeyView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Flags {
    login_required: bool,
    pin_pad: bool,
    initialized: bool,
    user_pin_set: bool,
    tries_low: bool,
    final_try: bool,
    locked: bool,
    write_protected: bool,
}

#[derive(Serialize)]
struct CertificateView {
    label: String,
    id: String,
    pem: String,
}

#[derive(Serialize)]
struct KeyView {
    label: String,
    id: String,
    /// `rsa`, `ec`, or `other`.
    kind: &'static str,
    bits: Option<u32>,
    curve: Option<&'static str>,
    /// Whether the private key itself is to be seen.
    private: bool,
    /// Which of the token’s certificates is its own: its place in the list.
    certificate: Option<usize>,
    /// TLS’s numbers of the schemes that it signs by, the preferred first.
    schemes: Vec<u16>,
    /// Why it can’t sign for TLS.
    problem: Option<String>,
}

const SIGNING: [MechanismType; 12] = [
    MechanismType::RSA_PKCS,
    MechanismType::RSA_PKCS_PSS,
    MechanismType::SHA256_RSA_PKCS,
    MechanismType::SHA384_RSA_PKCS,
    MechanismType::SHA512_RSA_PKCS,
    MechanismType::SHA256_RSA_PKCS_PSS,
    MechanismType::SHA384_RSA_PKCS_PSS,
    MechanismType::SHA512_RSA_PKCS_PSS,
    MechanismType::ECDSA,
    MechanismType::ECDSA_SHA256,
    MechanismType::ECDSA_SHA384,
    MechanismType::ECDSA_SHA512,
];

pub fn list(calls: &Pkcs11) -> Result<Vec<SlotView>, Failure> {
    Ok(calls.get_all_slots()?.into_iter().map(|slot| slot_view(calls, slot)).collect())
}

/// A slot that can’t be read has nothing: others may.
fn slot_view(calls: &Pkcs11, slot: Slot) -> SlotView {
    SlotView {
        slot: slot.id(),
        description: calls
            .get_slot_info(slot)
            .map(|info| info.slot_description().to_owned())
            .unwrap_or_default(),
        token: calls.get_token_info(slot).ok().map(|info| token_view(calls, slot, &info)),
    }
}

fn token_view(calls: &Pkcs11, slot: Slot, info: &TokenInfo) -> TokenView {
    let session = info.token_initialized().then(|| calls.open_ro_session(slot).ok()).flatten();
    let mechanisms = calls.get_mechanism_list(slot).unwrap_or_default();
    let certificates = session.as_ref().and_then(|session| certificates(session).ok()).unwrap_or_default();
    TokenView {
        label: unpadded(info.label()).to_owned(),
        manufacturer: unpadded(info.manufacturer_id()).to_owned(),
        model: unpadded(info.model()).to_owned(),
        serial: unpadded(info.serial_number()).to_owned(),
        flags: Flags {
            login_required: info.login_required(),
            pin_pad: info.protected_authentication_path(),
            initialized: info.token_initialized(),
            user_pin_set: info.user_pin_initialized(),
            tries_low: info.user_pin_count_low(),
            final_try: info.user_pin_final_try(),
            locked: info.user_pin_locked(),
            write_protected: info.write_protected(),
        },
        mechanisms: mechanisms
            .iter()
            .filter(|each| SIGNING.contains(each))
            .map(|each| each.to_string().trim_start_matches("CKM_").to_owned())
            .collect(),
        keys: session
            .as_ref()
            .map(|session| key_views(session, &select::stored(&certificates), &mechanisms))
            .unwrap_or_default(),
        certificates: certificates
            .into_iter()
            .map(|Object { label, id, value, .. }| CertificateView { label, id: hex(&id), pem: pem(&value) })
            .collect(),
    }
}

/// Without what fills the field of a token’s description: spaces (PKCS#11 3.0, section 3.2), and NUL with some modules.
pub fn unpadded(field: &str) -> &str {
    field.trim_end_matches([' ', '\0'])
}

/// Private keys where they are to be seen; else public ones, which say that there is one.
fn key_views(session: &Session, stored: &[Stored], mechanisms: &[MechanismType]) -> Vec<KeyView> {
    let of = |class| keys(session, class).unwrap_or_default();
    let private = of(ObjectClass::PRIVATE_KEY);
    let public = of(ObjectClass::PUBLIC_KEY);
    let alone = public.iter().filter(|each| !private.iter().any(|other| other.id == each.id));
    let view = |is_private: bool| {
        let public = &public;
        move |key: &Object| {
            let own = select::own_certificate(key, stored, public);
            let schemes = key.schemes(own.and_then(|own| own.certificate.kind), mechanisms);
            KeyView {
                label: key.label.clone(),
                id: hex(&key.id),
                kind: key.kind_name(),
                bits: key.bits(),
                curve: key.curve().and_then(Kind::curve),
                private: is_private,
                certificate: own.map(|own| own.at),
                problem: schemes.as_ref().err().map(|failure| failure.text.clone()),
                schemes: schemes.unwrap_or_default().iter().map(|scheme| scheme.number).collect(),
            }
        }
    };
    private.iter().map(view(true)).chain(alone.map(view(false))).collect()
}

/// A certificate or a key.
pub struct Object {
    pub handle: ObjectHandle,
    pub label: String,
    pub id: Vec<u8>,
    /// A certificate’s DER.
    pub value: Vec<u8>,
    pub key_type: Option<KeyType>,
    pub may_sign: bool,
    pub always_authenticate: bool,
    /// RSA’s.
    pub modulus: Vec<u8>,
    /// The curve.
    pub parameters: Vec<u8>,
    pub point: Vec<u8>,
}

impl Object {
    fn kind_name(&self) -> &'static str {
        match self.key_type {
            Some(KeyType::RSA) => "rsa",
            Some(KeyType::EC) => "ec",
            _ => "other",
        }
    }

    fn bits(&self) -> Option<u32> {
        if self.modulus.is_empty() {
            return self.curve().map(Kind::bits);
        }
        u32::try_from(self.modulus.len() * 8).ok()
    }

    pub fn curve(&self) -> Option<Kind> {
        Kind::of_curve(&self.parameters)
    }

    /// `stated`: what its certificate says of it. Fails where it signs for no TLS.
    fn schemes(
        &self,
        stated: Option<Kind>,
        mechanisms: &[MechanismType],
    ) -> Result<Vec<&'static Scheme>, Failure> {
        if !self.may_sign {
            return Err(Failure::new(Code::KeyKind, "the key isn’t one that signs"));
        }
        let own =
            if self.modulus.is_empty() { self.curve() } else { self.bits().map(|bits| Kind::Rsa { bits }) };
        Scheme::usable(Kind::usable(own.or(stated))?, mechanisms)
    }

    /// For the user.
    pub fn name(&self) -> String {
        format!(
            "{} (id {})",
            if self.label.is_empty() { "without a label" } else { &self.label },
            hex(&self.id)
        )
    }
}

pub fn certificates(session: &Session) -> Result<Vec<Object>, Failure> {
    let template =
        [Attribute::Class(ObjectClass::CERTIFICATE), Attribute::CertificateType(CertificateType::X_509)];
    objects(session, &template, &[AttributeType::Label, AttributeType::Id, AttributeType::Value])
}

pub fn keys(session: &Session, class: ObjectClass) -> Result<Vec<Object>, Failure> {
    let wanted = [
        AttributeType::Label,
        AttributeType::Id,
        AttributeType::KeyType,
        AttributeType::Sign,
        AttributeType::AlwaysAuthenticate,
        AttributeType::Modulus,
        AttributeType::EcParams,
        AttributeType::EcPoint,
    ];
    objects(session, &[Attribute::Class(class)], &wanted)
}

fn objects(
    session: &Session,
    template: &[Attribute],
    wanted: &[AttributeType],
) -> Result<Vec<Object>, Failure> {
    let handles = session.find_objects(template)?;
    handles.into_iter().map(|handle| Ok(object(handle, session.get_attributes(handle, wanted)?))).collect()
}

/// What the token doesn’t say stays empty.
fn object(handle: ObjectHandle, attributes: Vec<Attribute>) -> Object {
    let mut object = Object {
        handle,
        label: String::new(),
        id: Vec::new(),
        value: Vec::new(),
        key_type: None,
        may_sign: true,
        always_authenticate: false,
        modulus: Vec::new(),
        parameters: Vec::new(),
        point: Vec::new(),
    };
    for attribute in attributes {
        match attribute {
            Attribute::Label(label) => object.label = String::from_utf8_lossy(&label).into_owned(),
            Attribute::Id(id) => object.id = id,
            Attribute::Value(value) => object.value = value,
            Attribute::KeyType(key_type) => object.key_type = Some(key_type),
            Attribute::Sign(may) => object.may_sign = may,
            Attribute::AlwaysAuthenticate(always) => object.always_authenticate = always,
            Attribute::Modulus(modulus) => {
                object.modulus = modulus.into_iter().skip_while(|byte| *byte == 0).collect();
            }
            Attribute::EcParams(parameters) => object.parameters = parameters,
            Attribute::EcPoint(point) => object.point = point,
            _ => (),
        }
    }
    object
}
