import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Secret } from '../base/secret.ts';
import type { CertificateView, CredentialView } from '../contract/ui/credential.ts';
import { splitPem } from './split-pem.ts';
import { visibleText } from './visible-text.ts';

/** A credential, as far as it is looked at here. */
interface Seen {
  token: Secret | null;
  certificate: { chainPem: string } | null;
  issuedAt: number | null;
  expiresAt: number | null;
  unpromised?: { readEnd: number | null } | undefined;
}

const listLimit = 100;
const textLimit = 500;
const chainLimit = 10;

/**
 * What a credential says of itself, fit to be shown: a JWT's payload, a certificate's public part. Nothing of it opens
 * anything; nothing is verified either: that is the cluster's business.
 */
export function viewCredential({
  token,
  certificate,
  issuedAt,
  expiresAt,
  unpromised,
}: Seen): CredentialView {
  const payload = token && payloadOf(token);
  const chain = certificate ? splitPem(certificate.chainPem).certificates.slice(0, chainLimit) : [];
  const certificates = chain.flatMap((pem) => viewCertificate(pem) ?? []);
  const leaf = certificates[0];
  return {
    kind: token ? (certificate ? 'both' : 'token') : 'certificate',
    subject: payload ? subjectOf(payload) : leaf ? nameIn(leaf.subject, 'CN') : null,
    groups: payload ? texts(payload['groups']) : leaf ? namesIn(leaf.subject, 'O') : [],
    audiences: payload ? texts(payload['aud']) : [],
    issuer: payload ? text(payload['iss']) : (leaf?.issuer ?? null),
    from: issuedAt,
    until: unpromised ? unpromised.readEnd : expiresAt,
    endIsRead: unpromised !== undefined && unpromised.readEnd !== null,
    claims: payload && claimsOf(payload),
    certificates,
  };
}

function payloadOf(token: Secret): Record<string, unknown> | null {
  try {
    return decodeJwt(token.reveal());
  } catch {
    return null;
  }
}

/** As a provider names people: the usual claims, the best first. */
function subjectOf(payload: Record<string, unknown>): string | null {
  return text(payload['email']) ?? text(payload['preferred_username']) ?? text(payload['sub']);
}

function claimsOf(payload: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(payload)
    .slice(0, listLimit)
    .map(([name, value]) => ({ name: visibleText(name, 100), value: claimText(value) }));
}

/** A claim may carry another token: that is none of what is shown. */
const looksLikeToken = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/;

function claimText(value: unknown): string {
  const all = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return looksLikeToken.test(all) ? '(not shown: it holds a token)' : visibleText(all, textLimit);
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? visibleText(value, textLimit) : null;
}

function texts(value: unknown): string[] {
  return [value]
    .flat()
    .slice(0, listLimit)
    .flatMap((each) => text(each) ?? []);
}

function viewCertificate(pem: string): CertificateView | null {
  try {
    const read = new X509Certificate(pem);
    return {
      subject: nameText(read.subject),
      issuer: nameText(read.issuer),
      serial: read.serialNumber,
      notBefore: Date.parse(read.validFrom),
      notAfter: Date.parse(read.validTo),
      key: keyText(read),
      fingerprint: read.fingerprint256,
    };
  } catch {
    return null;
  }
}

function keyText({ publicKey }: X509Certificate): string {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = publicKey;
  if (type === 'ec') {
    return `EC ${curves[details?.namedCurve ?? ''] ?? details?.namedCurve ?? ''}`.trim();
  }
  const name = type.startsWith('ed') ? `Ed${type.slice(2)}` : type.toUpperCase();
  return details?.modulusLength === undefined ? name : `${name} ${details.modulusLength}`;
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

/** Node writes one attribute a line; here they stand in one, as people write them. */
function nameText(lines: string | undefined): string {
  return visibleText((lines ?? '').split('\n').filter(Boolean).join(', '), textLimit);
}

function namesIn(name: string, attribute: string): string[] {
  return name
    .split(', ')
    .filter((part) => part.startsWith(`${attribute}=`))
    .map((part) => part.slice(attribute.length + 1));
}

function nameIn(name: string, attribute: string): string {
  return namesIn(name, attribute)[0] ?? name;
}
