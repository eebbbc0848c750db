//! TLS’s signature schemes (RFC 8446, section 4.2.3) in PKCS#11’s mechanisms. This process makes the digest where the token has
//! a mechanism that takes one: less goes over the card’s slow line, and old tokens know no other.

use cryptoki::mechanism::rsa::{PkcsMgfType, PkcsPssParams};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::types::Ulong;
use der::asn1::UintRef;
use der::{Decode, Encode, Sequence};
use ring::digest::{self, Algorithm, SHA256, SHA384, SHA512};
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P384_SHA384_ASN1, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    VerificationAlgorithm,
};

use crate::certificate::Kind;
use crate::failure::{Code, Failure};

/// How a token signs by one scheme.
pub struct Scheme {
    pub number: u16,
    padding: Padding,
    hash: Hash,
    verification: &'static dyn VerificationAlgorithm,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Pss,
    Pkcs1,
    Ecdsa { bits: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

/// The preferred first.
const SCHEMES: [Scheme; 8] = [
    Scheme::new(0x0403, Padding::Ecdsa { bits: 256 }, Hash::Sha256, &ECDSA_P256_SHA256_ASN1),
    Scheme::new(0x0503, Padding::Ecdsa { bits: 384 }, Hash::Sha384, &ECDSA_P384_SHA384_ASN1),
    Scheme::new(0x0804, Padding::Pss, Hash::Sha256, &RSA_PSS_2048_8192_SHA256),
    Scheme::new(0x0805, Padding::Pss, Hash::Sha384, &RSA_PSS_2048_8192_SHA384),
    Scheme::new(0x0806, Padding::Pss, Hash::Sha512, &RSA_PSS_2048_8192_SHA512),
    Scheme::new(0x0401, Padding::Pkcs1, Hash::Sha256, &RSA_PKCS1_2048_8192_SHA256),
    Scheme::new(0x0501, Padding::Pkcs1, Hash::Sha384, &RSA_PKCS1_2048_8192_SHA384),
    Scheme::new(0x0601, Padding::Pkcs1, Hash::Sha512, &RSA_PKCS1_2048_8192_SHA512),
];

impl Hash {
    fn algorithm(self) -> &'static Algorithm {
        match self {
            Self::Sha256 => &SHA256,
            Self::Sha384 => &SHA384,
            Self::Sha512 => &SHA512,
        }
    }

    fn mechanism(self) -> MechanismType {
        match self {
            Self::Sha256 => MechanismType::SHA256,
            Self::Sha384 => MechanismType::SHA384,
            Self::Sha512 => MechanismType::SHA512,
        }
    }

    /// What stands before the digest in PKCS#1 (RFC 8017, section 9.2, note 1).
    fn digest_info(self) -> [u8; 19] {
        let (oid, length) = match self {
            Self::Sha256 => (1, 32),
            Self::Sha384 => (2, 48),
            Self::Sha512 => (3, 64),
        };
        let all = length + 17;
        [
            0x30, all, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, oid, 0x05, 0,
            4, length,
        ]
    }

    fn pss(self) -> PkcsPssParams {
        let (mgf, length) = match self {
            Self::Sha256 => (PkcsMgfType::MGF1_SHA256, 32),
            Self::Sha384 => (PkcsMgfType::MGF1_SHA384, 48),
            Self::Sha512 => (PkcsMgfType::MGF1_SHA512, 64),
        };
        // The salt is as long as the digest (RFC 8446, section 4.2.3).
        PkcsPssParams { hash_alg: self.mechanism(), mgf, s_len: Ulong::new(length) }
    }
}

impl Scheme {
    const fn new(
        number: u16,
        padding: Padding,
        hash: Hash,
        verification: &'static dyn VerificationAlgorithm,
    ) -> Self {
        Self { number, padding, hash, verification }
    }

    /// Those of a key that a token with these mechanisms can sign by; the preferred first.
    pub fn all(kind: Kind, mechanisms: &[MechanismType]) -> Vec<&'static Self> {
        SCHEMES.iter().filter(|scheme| scheme.fits(kind) && scheme.mechanism(mechanisms).is_some()).collect()
    }

    /// The same; fails where there is none.
    pub fn usable(kind: Kind, mechanisms: &[MechanismType]) -> Result<Vec<&'static Self>, Failure> {
        let all = Self::all(kind, mechanisms);
        if all.is_empty() {
            let text = "the token has no way to sign that TLS knows, with this key";
            return Err(Failure::new(Code::KeyKind, text));
        }
        Ok(all)
    }

    fn fits(&self, kind: Kind) -> bool {
        match (self.padding, kind) {
            (Padding::Pss | Padding::Pkcs1, Kind::Rsa { .. }) => true,
            (Padding::Ecdsa { bits }, kind) => !matches!(kind, Kind::Rsa { .. }) && kind.bits() == bits,
            _ => false,
        }
    }

    /// With whether it takes the digest, not the message.
    fn mechanism(&self, known: &[MechanismType]) -> Option<(Mechanism<'static>, bool)> {
        let (raw, whole) = match (self.padding, self.hash) {
            (Padding::Pss, Hash::Sha256) => (MechanismType::RSA_PKCS_PSS, MechanismType::SHA256_RSA_PKCS_PSS),
            (Padding::Pss, Hash::Sha384) => (MechanismType::RSA_PKCS_PSS, MechanismType::SHA384_RSA_PKCS_PSS),
            (Padding::Pss, Hash::Sha512) => (MechanismType::RSA_PKCS_PSS, MechanismType::SHA512_RSA_PKCS_PSS),
            (Padding::Pkcs1, Hash::Sha256) => (MechanismType::RSA_PKCS, MechanismType::SHA256_RSA_PKCS),
            (Padding::Pkcs1, Hash::Sha384) => (MechanismType::RSA_PKCS, MechanismType::SHA384_RSA_PKCS),
            (Padding::Pkcs1, Hash::Sha512) => (MechanismType::RSA_PKCS, MechanismType::SHA512_RSA_PKCS),
            (Padding::Ecdsa { .. }, Hash::Sha256) => (MechanismType::ECDSA, MechanismType::ECDSA_SHA256),
            (Padding::Ecdsa { .. }, Hash::Sha384) => (MechanismType::ECDSA, MechanismType::ECDSA_SHA384),
            (Padding::Ecdsa { .. }, Hash::Sha512) => (MechanismType::ECDSA, MechanismType::ECDSA_SHA512),
        };
        if known.contains(&raw) {
            return Some((self.raw(), true));
        }
        known.contains(&whole).then(|| (self.whole(), false))
    }

    fn raw(&self) -> Mechanism<'static> {
        match self.padding {
            Padding::Pss => Mechanism::RsaPkcsPss(self.hash.pss()),
            Padding::Pkcs1 => Mechanism::RsaPkcs,
            Padding::Ecdsa { .. } => Mechanism::Ecdsa,
        }
    }

    fn whole(&self) -> Mechanism<'static> {
        let pss = self.hash.pss();
        match (self.padding, self.hash) {
            (Padding::Pss, Hash::Sha256) => Mechanism::Sha256RsaPkcsPss(pss),
            (Padding::Pss, Hash::Sha384) => Mechanism::Sha384RsaPkcsPss(pss),
            (Padding::Pss, Hash::Sha512) => Mechanism::Sha512RsaPkcsPss(pss),
            (Padding::Pkcs1, Hash::Sha256) => Mechanism::Sha256RsaPkcs,
            (Padding::Pkcs1, Hash::Sha384) => Mechanism::Sha384RsaPkcs,
            (Padding::Pkcs1, Hash::Sha512) => Mechanism::Sha512RsaPkcs,
            (Padding::Ecdsa { .. }, Hash::Sha256) => Mechanism::EcdsaSha256,
            (Padding::Ecdsa { .. }, Hash::Sha384) => Mechanism::EcdsaSha384,
            (Padding::Ecdsa { .. }, Hash::Sha512) => Mechanism::EcdsaSha512,
        }
    }

    /// The mechanism, and what C_Sign gets.
    pub fn prepare(&self, message: &[u8], known: &[MechanismType]) -> Option<(Mechanism<'static>, Vec<u8>)> {
        let (mechanism, takes_digest) = self.mechanism(known)?;
        if !takes_digest {
            return Some((mechanism, message.to_vec()));
        }
        let mut data =
            if self.padding == Padding::Pkcs1 { self.hash.digest_info().to_vec() } else { Vec::new() };
        data.extend_from_slice(digest::digest(self.hash.algorithm(), message).as_ref());
        Some((mechanism, data))
    }

    /// As TLS takes it: of ECDSA, PKCS#11 has both numbers behind each other (section 2.3.1), TLS a sequence. None: it isn’t
    /// one.
    pub fn finish(&self, signature: Vec<u8>) -> Option<Vec<u8>> {
        if !matches!(self.padding, Padding::Ecdsa { .. }) {
            return Some(signature);
        }
        let (r, s) = signature.split_at_checked(signature.len() / 2)?;
        EcdsaSignature { r: UintRef::new(r).ok()?, s: UintRef::new(s).ok()? }.to_der().ok()
    }

    /// Whether it is a signature of this message by the certificate’s key.
    pub fn verifies(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        ring::signature::UnparsedPublicKey::new(self.verification, public_key)
            .verify(message, signature)
            .is_ok()
    }
}

/// RFC 3279, section 2.2.3.
#[derive(Sequence)]
struct EcdsaSignature<'a> {
    r: UintRef<'a>,
    s: UintRef<'a>,
}

/// RFC 8017, appendix A.1.1.
#[derive(Sequence)]
struct RsaPublicKey<'a> {
    modulus: UintRef<'a>,
    public_exponent: UintRef<'a>,
}

/// The modulus of an RSA key in PKCS#1’s DER, without leading zeros.
pub fn modulus(public_key: &[u8]) -> Option<Vec<u8>> {
    Some(RsaPublicKey::from_der(public_key).ok()?.modulus.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RSA: Kind = Kind::Rsa { bits: 2048 };

    // The contract’s table: PSS only with its mechanism; a token that has no raw mechanism signs by the whole ones it has.
    #[test]
    fn offers_what_the_tokens_mechanisms_can_sign() {
        use MechanismType as M;
        for (kind, mechanisms, numbers) in [
            (RSA, vec![M::RSA_PKCS, M::RSA_PKCS_PSS], vec![0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]),
            (RSA, vec![M::RSA_PKCS, M::ECDSA], vec![0x0401, 0x0501, 0x0601]),
            (RSA, vec![M::SHA256_RSA_PKCS], vec![0x0401]),
            (RSA, vec![M::SHA384_RSA_PKCS_PSS], vec![0x0805]),
            (Kind::P256, vec![M::ECDSA, M::RSA_PKCS], vec![0x0403]),
            (Kind::P384, vec![M::ECDSA], vec![0x0503]),
            (Kind::P384, vec![M::ECDSA_SHA256], vec![]),
            (Kind::P256, vec![M::RSA_PKCS], vec![]),
        ] {
            let found: Vec<u16> = Scheme::all(kind, &mechanisms).iter().map(|scheme| scheme.number).collect();
            assert_eq!(found, numbers);
        }
    }

    // RFC 8017, section 9.2, note 1.
    #[test]
    fn puts_the_digest_into_pkcs1s_frame() {
        let scheme = |number| SCHEMES.iter().find(|scheme| scheme.number == number).unwrap();
        let known = [MechanismType::RSA_PKCS];
        let (_, data) = scheme(0x0601).prepare(b"abc", &known).unwrap();
        assert_eq!(
            &data[..19],
            &[
                0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03,
                0x05, 0x00, 0x04, 0x40
            ]
        );
        assert_eq!(data.len(), 19 + 64);
    }

    // A number whose first bit is set gets a zero before it; zeros at its start go (X.690, section 8.3).
    #[test]
    fn writes_ecdsas_numbers_as_der() {
        let scheme = SCHEMES.iter().find(|scheme| scheme.number == 0x0403).unwrap();
        let mut raw = vec![0; 64];
        raw[0] = 0x80;
        raw[63] = 7;
        let mut der = vec![0x30, 0x26, 0x02, 0x21, 0x00, 0x80];
        der.extend_from_slice(&[0; 31]);
        der.extend_from_slice(&[0x02, 0x01, 0x07]);
        assert_eq!(scheme.finish(raw).unwrap(), der);
    }
}
