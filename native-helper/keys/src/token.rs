//! What is to be seen on tokens without a login.

use cryptoki::context::Pkcs11;
use cryptoki::mechanism::MechanismType;
use cryptoki::object::{Attribute, AttributeType, CertificateType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::slot::{Slot, TokenInfo};
use serde::Serialize;

use crate::certificate::{Kind, pem};
use crate::failure::Failure;
use crate::module_file::hex;

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
    let objects = |of: fn(&Session) -> Result<Vec<_>, Failure>| {
        session.as_ref().and_then(|session| of(session).ok()).unwrap_or_default()
    };
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
        mechanisms: calls
            .get_mechanism_list(slot)
            .unwrap_or_default()
            .into_iter()
            .filter(|each| SIGNING.contains(each))
            .map(|each| each.to_string().trim_start_matches("CKM_").to_owned())
            .collect(),
        certificates: objects(certificates)
            .into_iter()
            .map(|Object { label, id, value, .. }| CertificateView { label, id: hex(&id), pem: pem(&value) })
            .collect(),
        keys: session.as_ref().map(key_views).unwrap_or_default(),
    }
}

/// Without what fills the field of a token’s description: spaces (PKCS#11 3.0, section 3.2), and NUL with some modules.
pub fn unpadded(field: &str) -> &str {
    field.trim_end_matches([' ', '\0'])
}

/// Private keys where they are to be seen; else public ones, which say that there is one.
fn key_views(session: &Session) -> Vec<KeyView> {
    let of = |class| keys(session, class).unwrap_or_default();
    let private = of(ObjectClass::PRIVATE_KEY);
    let public: Vec<_> = of(ObjectClass::PUBLIC_KEY)
        .into_iter()
        .filter(|each| !private.iter().any(|other| other.id == each.id))
        .collect();
    let view = |is_private| {
        move |key: Object| KeyView {
            kind: key.kind_name(),
            bits: key.bits(),
            curve: key.curve().and_then(Kind::curve),
            label: key.label,
            id: hex(&key.id),
            private: is_private,
        }
    };
    private.into_iter().map(view(true)).chain(public.into_iter().map(view(false))).collect()
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
