import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import './reflect-shim.ts';
import * as x509 from '@peculiar/x509';
import { newRsaKey } from './keys/new-rsa-key.ts';

const signatureAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A certificate with its key, both PEM (the key is PKCS#8). `chainPem` has the leaf first, then intermediates. */
export interface IssuedCertificate {
  certificatePem: string;
  chainPem: string;
  keyPem: string;
  /** SHA-256 of the certificate's DER, lower-case hex. */
  sha256: string;
  notBefore: Date;
  notAfter: Date;
}

/** As the platform types it: node:crypto's own where there is no DOM, the DOM's where there is. */
type KeyPair = Awaited<ReturnType<typeof makeKeys>>;

/** A certificate authority that lives in memory. */
export interface CertificateAuthority extends IssuedCertificate {
  readonly subject: string;
  readonly keys: KeyPair;
}

interface Validity {
  notBefore?: Date;
  notAfter?: Date;
}

interface CertificatePlan extends Validity {
  subject: x509.JsonName;
  /** Null signs with the certificate's own key. */
  issuer: CertificateAuthority | null;
  keys: KeyPair;
  extensions: x509.Extension[];
}

/** A leaf's; authorities have P-256. */
export type KeyKind = 'P-256' | 'P-384' | 'RSA-2048';

async function makeKeys(kind: KeyKind = 'P-256') {
  if (kind !== 'RSA-2048') {
    return crypto.subtle.generateKey({ ...keyAlgorithm, namedCurve: kind }, true, ['sign', 'verify']);
  }
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const privateJwk = newRsaKey().export({ format: 'jwk' });
  const { kty, n, e } = privateJwk;
  return {
    privateKey: await crypto.subtle.importKey('jwk', privateJwk, rsa, true, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', { kty, n, e } as typeof privateJwk, rsa, true, [
      'verify',
    ]),
  };
}

async function keyPem(keys: KeyPair): Promise<string> {
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return `${x509.PemConverter.encode(der, 'PRIVATE KEY')}\n`;
}

async function certify(plan: CertificatePlan): Promise<IssuedCertificate> {
  const { keys, issuer } = plan;
  const signed = await sign(plan, keys.publicKey, (issuer?.keys ?? keys).privateKey);
  return { ...signed, keyPem: await keyPem(keys) };
}

/** Without its key. */
async function sign(
  plan: Omit<CertificatePlan, 'keys'>,
  publicKey: x509.PublicKeyType,
  signingKey: KeyPair['privateKey'],
): Promise<Omit<IssuedCertificate, 'keyPem'>> {
  // X.509 has whole seconds.
  const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);
  const notBefore = wholeSecond(plan.notBefore ?? new Date(Date.now() - 5 * minuteMs));
  const notAfter = wholeSecond(plan.notAfter ?? new Date(Date.now() + 30 * dayMs));
  const subject = new x509.Name(plan.subject);
  const certificate = await x509.X509CertificateGenerator.create({
    // A leading zero bit keeps the serial number positive (RFC 5280, 4.1.2.2).
    serialNumber: `4${randomBytes(15).toString('hex')}`.slice(0, 30),
    subject: subject.toString(),
    issuer: plan.issuer?.subject ?? subject.toString(),
    notBefore,
    notAfter,
    signingAlgorithm: signatureAlgorithm,
    publicKey,
    signingKey,
    extensions: plan.extensions,
  });
  const certificatePem = `${certificate.toString('pem')}\n`;
  return {
    certificatePem,
    chainPem: certificatePem,
    sha256: createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex'),
    notBefore,
    notAfter,
  };
}

async function authorityExtensions(keys: KeyPair, issuer: CertificateAuthority | null) {
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    await x509.AuthorityKeyIdentifierExtension.create((issuer?.keys ?? keys).publicKey),
  ];
}

async function makeAuthority(name: string, issuer: CertificateAuthority | null) {
  const keys = await makeKeys();
  const subject = [{ CN: [name] }];
  const extensions = await authorityExtensions(keys, issuer);
  const issued = await certify({ subject, issuer, keys, extensions });
  return { ...issued, subject: new x509.Name(subject).toString(), keys };
}

/** A self-signed CA, valid for 30 days. */
export async function createCa(name: string): Promise<CertificateAuthority> {
  return makeAuthority(name, null);
}

/** A CA signed by `ca`; certificates it issues come with it in their `chainPem`. */
export async function createIntermediateCa(
  ca: CertificateAuthority,
  name: string,
): Promise<CertificateAuthority> {
  return makeAuthority(name, ca);
}

async function leafExtensions(issuer: CertificateAuthority, usage: string) {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([usage]),
    await x509.AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey),
  ];
}

/** A server's certificate for DNS names and IP addresses. */
export async function issueServerCertificate(
  ca: CertificateAuthority,
  hosts: readonly string[] = ['127.0.0.1', 'localhost'],
  validity: Validity = {},
): Promise<IssuedCertificate> {
  const keys = await makeKeys();
  const names = hosts.map((host) => ({
    type: /^[\d.]+$|:/.test(host) ? ('ip' as const) : ('dns' as const),
    value: host,
  }));
  const extensions = [
    ...(await leafExtensions(ca, x509.ExtendedKeyUsage.serverAuth)),
    new x509.SubjectAlternativeNameExtension(names),
  ];
  return certify({ ...validity, subject: [{ CN: [hosts[0] ?? 'server'] }], issuer: ca, keys, extensions });
}

export interface ClientCertificateOptions extends Validity {
  /** Kubernetes takes it as the user's name. */
  commonName: string;
  /** Kubernetes takes them as the user's groups. */
  organizations?: readonly string[];
  /** Signs in place of `ca`; it is then part of `chainPem`. */
  intermediate?: CertificateAuthority;
  key?: KeyKind;
}

/** A client's certificate, as a Kubernetes API server takes it. */
export async function issueClientCertificate(
  ca: CertificateAuthority,
  options: ClientCertificateOptions,
): Promise<IssuedCertificate> {
  const issuer = options.intermediate ?? ca;
  const keys = await makeKeys(options.key);
  const subject: x509.JsonName = [
    ...(options.organizations ?? []).map((organization) => ({ O: [organization] })),
    { CN: [options.commonName] },
  ];
  const extensions = await leafExtensions(issuer, x509.ExtendedKeyUsage.clientAuth);
  const issued = await certify({ ...options, subject, issuer, keys, extensions });
  const chainPem = issued.certificatePem + (options.intermediate?.certificatePem ?? '');
  return { ...issued, chainPem };
}

/** A client's certificate for a key that is elsewhere, such as on a token; PEM. `publicKey`: SubjectPublicKeyInfo, DER. */
export async function certifyPublicKey(
  ca: CertificateAuthority,
  commonName: string,
  publicKey: Buffer<ArrayBuffer>,
): Promise<string> {
  const extensions = await leafExtensions(ca, x509.ExtendedKeyUsage.clientAuth);
  const plan = { subject: [{ CN: [commonName] }], issuer: ca, extensions };
  return (await sign(plan, new x509.PublicKey(new Uint8Array(publicKey)), ca.keys.privateKey)).certificatePem;
}

/**
 * A PEM bundle of real CA certificates with `ca` among them (in the middle): at most `bytes` long, and at most
 * 4 KiB shorter. All the others share one key that nobody keeps.
 */
export async function largeCaBundle(ca: CertificateAuthority, bytes: number): Promise<string> {
  const keys = await makeKeys();
  const extensions = await authorityExtensions(keys, null);
  // RFC 5280 allows 64 characters for a unit; many units make each certificate long, so that few signatures are needed.
  const units = Array.from({ length: 24 }, (_, index) => ({ OU: [`${index} `.padEnd(64, 'x')] }));
  const pieces: string[] = [];
  let length = ca.certificatePem.length;
  for (let index = 0; ; index += 1) {
    const subject = [...units, { CN: [`Spare authority ${index}`] }];
    const { certificatePem } = await certify({ subject, issuer: null, keys, extensions });
    if (length + certificatePem.length > bytes) {
      break;
    }
    pieces.push(certificatePem);
    length += certificatePem.length;
  }
  pieces.splice(Math.floor(pieces.length / 2), 0, ca.certificatePem);
  return pieces.join('');
}

/** Reads what node:crypto reads: for asserting on certificates. */
export function readCertificate(pem: string): X509Certificate {
  return new X509Certificate(pem);
}
