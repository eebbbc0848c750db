//! Which token, which key and which certificate are meant: exactly one each, or a failure that names what is there.

use cryptoki::context::Pkcs11;
use cryptoki::object::ObjectClass;
use cryptoki::session::Session;
use cryptoki::slot::{Slot, TokenInfo};
use der::Decode;
use der::asn1::OctetStringRef;

use crate::certificate::Certificate;
use crate::failure::{Code, Failure};
use crate::module_file::hex;
use crate::order::Select;
use crate::scheme::modulus;
use crate::token::{self, Object, unpadded};

pub fn token(calls: &Pkcs11, select: &Select) -> Result<(Slot, TokenInfo), Failure> {
    let present: Vec<_> = calls
        .get_slots_with_token()?
        .into_iter()
        .filter_map(|slot| Some((slot, calls.get_token_info(slot).ok()?)))
        .filter(|(_, info)| info.token_initialized())
        .collect();
    let names = |found: &[(Slot, TokenInfo)]| {
        let each = found
            .iter()
            .map(|(slot, info)| (slot, unpadded(info.label()), unpadded(info.serial_number())))
            .map(|(slot, label, serial)| format!("{label} (serial {serial}, slot {slot})"));
        each.collect::<Vec<_>>().join(", ")
    };
    let all = names(&present);
    let mut found: Vec<_> =
        present.into_iter().filter(|(slot, info)| is_selected(*slot, info, select)).collect();
    match (found.pop(), found.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(last), false) => {
            found.push(last);
            Err(Failure::new(
                Code::Several,
                format!("several tokens fit: {}; name one by its serial number", names(&found)),
            ))
        }
        (None, _) if all.is_empty() => Err(Failure::new(Code::TokenMissing, "there is no token")),
        (None, _) => Err(Failure::new(Code::TokenMissing, format!("the token isn’t there; there is: {all}"))),
    }
}

fn is_selected(slot: Slot, info: &TokenInfo, select: &Select) -> bool {
    let fits = |wanted: &Option<String>, found: &str| {
        wanted.as_ref().is_none_or(|wanted| unpadded(wanted) == unpadded(found))
    };
    fits(&select.token, info.label())
        && fits(&select.serial, info.serial_number())
        && fits(&select.manufacturer, info.manufacturer_id())
        && fits(&select.model, info.model())
        && select.slot.is_none_or(|wanted| wanted == slot.id())
}

/// A key and its certificate.
pub struct Identity {
    pub key: Object,
    pub certificate: Certificate,
    /// Of the file, and of the token.
    pub others: Vec<Certificate>,
}

/// A certificate of a token.
pub struct Stored {
    /// Its place among those that the token has.
    pub at: usize,
    id: Vec<u8>,
    label: String,
    pub certificate: Certificate,
}

/// Those that can be read.
pub fn stored(certificates: &[Object]) -> Vec<Stored> {
    let read = |(at, object): (usize, &Object)| {
        let certificate = Certificate::read(&object.value)?;
        Some(Stored { at, id: object.id.clone(), label: object.label.clone(), certificate })
    };
    certificates.iter().enumerate().filter_map(read).collect()
}

/// The key’s among those stored; none: there is none.
pub fn own_certificate<'a>(key: &Object, stored: &'a [Stored], public: &[Object]) -> Option<&'a Stored> {
    stored
        .iter()
        .filter(|each| match fits(key, &each.certificate, public) {
            Some(fits) => fits,
            // The token doesn’t say: what it stores under the same id belongs together.
            None => each.id == key.id,
        })
        // A renewed one lies beside the one before.
        .max_by_key(|each| each.certificate.expires)
}

/// `file`: the certificate of a file, with those behind it.
pub fn identity(
    session: &Session,
    select: &Select,
    file: Option<(Certificate, Vec<Certificate>)>,
) -> Result<Identity, Failure> {
    let stored = stored(&token::certificates(session)?);
    let public = token::keys(session, ObjectClass::PUBLIC_KEY).unwrap_or_default();
    let keys = selected_keys(session, select, &stored)?;
    let pool = || stored.iter().map(|each| each.certificate.clone());
    if let Some((certificate, behind)) = file {
        let key =
            only(keys.into_iter().filter(|key| fits(key, &certificate, &public) != Some(false)).collect())?
                .ok_or_else(|| {
                Failure::new(Code::Mismatch, "the file’s certificate isn’t one of the key on the token")
            })?;
        return Ok(Identity { key, certificate, others: behind.into_iter().chain(pool()).collect() });
    }
    let is_mismatch = keys.iter().any(|key| stored.iter().any(|each| each.id == key.id));
    let mut found: Vec<(Object, Certificate)> = keys
        .into_iter()
        .filter_map(|key| {
            let certificate = own_certificate(&key, &stored, &public)?.certificate.clone();
            Some((key, certificate))
        })
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some((key, certificate)), true) => Ok(Identity { key, certificate, others: pool().collect() }),
        (Some(last), false) => {
            found.push(last);
            Err(several(found.iter().map(|(key, _)| key)))
        }
        (None, _) if is_mismatch => {
            Err(Failure::new(Code::Mismatch, "the certificate on the token isn’t one of its key"))
        }
        (None, _) => Err(Failure::new(
            Code::CertificateMissing,
            "the token has no certificate of the key; name its file",
        )),
    }
}

fn selected_keys(session: &Session, select: &Select, stored: &[Stored]) -> Result<Vec<Object>, Failure> {
    let all = token::keys(session, ObjectClass::PRIVATE_KEY)?;
    let names = all.iter().map(Object::name).collect::<Vec<_>>().join(", ");
    let with_id = |key: &Object| select.id.as_ref().is_none_or(|id| id.eq_ignore_ascii_case(&hex(&key.id)));
    let with_label = |key: &Object| match &select.label {
        None => true,
        // An RFC 7512 URI may name the certificate: a key has its id.
        Some(label) => {
            key.label == *label || stored.iter().any(|each| each.label == *label && each.id == key.id)
        }
    };
    let found: Vec<_> =
        all.into_iter().filter(|key| key.may_sign && with_id(key) && with_label(key)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let text = if names.is_empty() {
        "the token has no private key, or none that it shows".to_owned()
    } else {
        format!("the token has no such key that signs; it has: {names}")
    };
    Err(Failure::new(Code::KeyMissing, text))
}

/// None: there is none.
fn only(mut keys: Vec<Object>) -> Result<Option<Object>, Failure> {
    if keys.len() > 1 {
        return Err(several(keys.iter()));
    }
    Ok(keys.pop())
}

fn several<'a>(keys: impl Iterator<Item = &'a Object>) -> Failure {
    let names = keys.map(Object::name).collect::<Vec<_>>().join(", ");
    Failure::new(Code::Several, format!("several keys fit: {names}; name one by its label or id"))
}

/// Whether the certificate is of the key; none: the token doesn’t say.
fn fits(key: &Object, certificate: &Certificate, public: &[Object]) -> Option<bool> {
    if !key.modulus.is_empty() {
        return Some(modulus(&certificate.public_key).is_some_and(|modulus| modulus == key.modulus));
    }
    if let Some(curve) = key.curve()
        && certificate.kind != Some(curve)
    {
        return Some(false);
    }
    // A private key seldom has its point: the public one beside it does.
    let beside = public.iter().find(|each| each.id == key.id && each.key_type == key.key_type);
    let point =
        [Some(key), beside].into_iter().flatten().map(|each| &each.point).find(|point| !point.is_empty())?;
    Some(is_point(point, &certificate.public_key))
}

/// CKA_EC_POINT is an octet string in DER (PKCS#11 3.0, section 2.3.3); some modules leave that frame out.
fn is_point(stated: &[u8], point: &[u8]) -> bool {
    stated == point || OctetStringRef::from_der(stated).is_ok_and(|framed| framed.as_bytes() == point)
}
