import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import { type CertificateLife, certificateLife, orderChain } from './certificate-life.ts';
import { isEncryptedKey, splitPem } from './split-pem.ts';

/** A text that should have one half of the pair, and its name for messages. */
export interface PairSource {
  text: Secret;
  called: string;
}

export type ReadPair =
  | { ok: true; chainPem: string; keyPem: Secret; life: CertificateLife }
  | { ok: false; code: PairProblem; message: string };

export type PairProblem =
  | 'noCertificate'
  | 'badCertificate'
  | 'keyMissing'
  | 'keyEncrypted'
  | 'badKey'
  | 'mismatch';

/**
 * A certificate chain and its key from two PEM texts, or twice the same one. The chain comes out in TLS's order with
 * the key's own certificate first, everything but certificates dropped; the key keeps its kind of block.
 */
export function readPair(certificate: PairSource, key: PairSource): ReadPair {
  const { certificates } = splitPem(certificate.text.reveal());
  if (certificates.length === 0) {
    return fail('noCertificate', `${certificate.called} holds no certificate: expected PEM`);
  }
  const keyPem = splitPem(key.text.reveal()).key;
  if (keyPem === null) {
    return fail('keyMissing', `${key.called} holds no private key: expected PEM`);
  }
  if (isEncryptedKey(keyPem)) {
    return fail('keyEncrypted', `the private key in ${key.called} is encrypted with a passphrase`);
  }
  const parsed = tryEach(certificates, (pem) => new X509Certificate(pem));
  if (parsed === null) {
    return fail('badCertificate', `a certificate in ${certificate.called} can’t be read`);
  }
  const privateKey = tryEach([keyPem], createPrivateKey)?.[0];
  if (!privateKey) {
    return fail('badKey', `the private key in ${key.called} can’t be read`);
  }
  const leaf = parsed.find((one) => belongs(one, privateKey));
  if (!leaf) {
    const theirs = parsed[0] ? certificateLife(parsed[0]).subject : '';
    return fail(
      'mismatch',
      `the private key in ${key.called} is not that of the certificate “${theirs}” in ${certificate.called}`,
    );
  }
  const chainPem = orderChain(leaf, parsed)
    .map((one) => one.toString())
    .join('');
  return { ok: true, chainPem, keyPem: new Secret(keyPem), life: certificateLife(leaf) };
}

export type PairReader = (certificate: PairSource, key: PairSource) => ReadPair;

/** `readPair` that caches its last result: parsing takes longer than all the rest of a warm call. */
export function createPairReader(): PairReader {
  let last: { certificate: Secret; key: Secret; pair: ReadPair } | null = null;
  return (certificate, key) => {
    if (last?.certificate !== certificate.text || last.key !== key.text) {
      last = { certificate: certificate.text, key: key.text, pair: readPair(certificate, key) };
    }
    return last.pair;
  };
}

/** Returns false instead of throwing where the key is of another kind. */
function belongs(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key);
  } catch {
    return false;
  }
}

/** OpenSSL's errors may quote the input, so they are dropped here. */
function tryEach<T>(texts: readonly string[], read: (text: string) => T): T[] | null {
  try {
    return texts.map(read);
  } catch {
    return null;
  }
}

function fail(code: PairProblem, message: string): ReadPair {
  return { ok: false, code, message };
}
