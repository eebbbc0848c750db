import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { Secret } from '../../../../base/secret.ts';
import { type CertificateLife, certificateLife } from '../../../../domain/credential/certificate-life.ts';
import { type PemBlock, pemBlocks } from './pem-blocks.ts';

export type PluginPair =
  | { ok: true; chainPem: string; keyPem: Secret; life: CertificateLife }
  | { ok: false; message: string };

/**
 * A certificate and its key as Go's tls.X509KeyPair takes them, in its words: the first certificate is the key's, and
 * the kind of the key is what it is, whatever its block is called. Both come out as plain PEM, the key as PKCS#8.
 */
export function readPluginPair(certificate: string, key: string): PluginPair {
  const found = pemBlocks(certificate);
  const chain = found.filter(({ type }) => type === 'CERTIFICATE');
  const keyBlocks = pemBlocks(key);
  const keyBlock = keyBlocks.find(isKey);
  if (chain.length === 0) {
    return fail(noCertificate(found));
  }
  if (!keyBlock) {
    return fail(noKey(keyBlocks));
  }
  const certificates = chain.map(({ der }) => parseCertificate(der));
  const [leaf] = certificates;
  const life = leaf && certificateLife(leaf);
  if (!leaf || !life || certificates.includes(null) || Number.isNaN(life.issuedAt + life.expiresAt)) {
    return fail('x509: malformed certificate');
  }
  const privateKey = parseKey(keyBlock.der);
  if (!privateKey) {
    return fail('tls: failed to parse private key');
  }
  const problem = mismatch(leaf, privateKey);
  return problem !== null
    ? fail(problem)
    : {
        ok: true,
        chainPem: certificates.join(''),
        keyPem: new Secret(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
        life,
      };
}

/** Also null where bytes follow the certificate. */
function parseCertificate(der: Buffer): X509Certificate | null {
  const certificate = attempt(() => new X509Certificate(der));
  return certificate?.raw.equals(der) ? certificate : null;
}

function isKey({ type }: PemBlock): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function noCertificate(skipped: readonly PemBlock[]): string {
  const [only, ...more] = skipped;
  if (!only) {
    return 'tls: failed to find any PEM data in certificate input';
  }
  return more.length === 0 && only.type.endsWith('PRIVATE KEY')
    ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    : 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of other types';
}

function noKey(skipped: readonly PemBlock[]): string {
  const [only, ...more] = skipped;
  if (!only) {
    return 'tls: failed to find any PEM data in key input';
  }
  return more.length === 0 && only.type === 'CERTIFICATE'
    ? 'tls: found a certificate rather than a key in the PEM for the private key'
    : 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of other types';
}

/** In Go's order. */
const forms = ['pkcs1', 'pkcs8', 'sec1'] as const;

const curves: ReadonlySet<string | undefined> = new Set([
  'secp224r1',
  'prime256v1',
  'secp384r1',
  'secp521r1',
]);

function parseKey(der: Buffer): KeyObject | null {
  for (const type of forms) {
    const key = attempt(() => createPrivateKey({ key: der, format: 'der', type }));
    if (key) {
      return isKnown(key) ? key : null;
    }
  }
  return null;
}

/** To Go's standard library. */
function isKnown(key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  return (
    type === 'ed25519' ||
    (type === 'ec' && curves.has(details?.namedCurve)) ||
    (type === 'rsa' && isWholeRsa(key))
  );
}

/** Go's own check of the numbers: OpenSSL signs with wrong ones, too, as long as one way to a signature is left. */
function isWholeRsa(key: KeyObject): boolean {
  const jwk = key.export({ format: 'jwk' });
  const number = (text: string | undefined) =>
    BigInt(`0x${Buffer.from(text ?? '', 'base64url').toString('hex')}`);
  const [n, e, d, p, q] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q].map(number) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const [dp, dq, qi] = [jwk.dp, jwk.dq, jwk.qi].map(number) as [bigint, bigint, bigint];
  return (
    n === p * q &&
    [p - 1n, q - 1n].every((each) => each > 0n && (d * e) % each === 1n) &&
    dp === d % (p - 1n) &&
    dq === d % (q - 1n) &&
    (qi * q) % p === 1n
  );
}

/** A key whose public half is the certificate's may still be damaged: signing shows it. */
function mismatch(leaf: X509Certificate, key: KeyObject): string | null {
  const publicKey = attempt(() => leaf.publicKey);
  if (!publicKey) {
    return 'x509: malformed certificate';
  }
  if (publicKey.asymmetricKeyType !== key.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const text = Buffer.from('lanyard');
  const isOwn = attempt(
    () => leaf.checkPrivateKey(key) && verify(hash, text, publicKey, sign(hash, text, key)),
  );
  return isOwn ? null : 'tls: private key does not match public key';
}

/** OpenSSL's errors may quote the input, so they end here. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function fail(message: string): PluginPair {
  return { ok: false, message };
}
