import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Secret } from '../../../base/secret.ts';
import type { CertificateView, CredentialView } from '../../../contract/ui/credential.ts';
import { credentialKind } from '../../../domain/credential/credential-kind.ts';
import { splitPem } from '../../../domain/credential/split-pem.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { holdsSecret, isSecretClaim } from './secret-claims.ts';

/** The parts of a credential that are used here. */
interface Seen {
  token: Secret | null;
  certificate: { chainPem: string } | null;
  awsKeys?: { accessKeyId: string } | undefined;
  issuedAt: number | null;
  expiresAt: number | null;
  noExpiry?: { ownExpiry: number | null } | undefined;
}

const listLimit = 100;
const textLimit = 500;
const chainLimit = 10;
const notShown = '(not shown: it may be a secret)';

/**
 * The public content of a credential: a JWT’s payload, a certificate’s public part. None of it gives access. Nothing is
 * verified: the cluster does that (rule: page-without-secrets).
 */
export function viewCredential({
  token,
  certificate,
  awsKeys,
  issuedAt,
  expiresAt,
  noExpiry,
}: Seen): CredentialView {
  const payload = token && payloadOf(token);
  const chain = certificate ? splitPem(certificate.chainPem).certificates.slice(0, chainLimit) : [];
  const certificates = chain.map(viewCertificate);
  // Only the first is the user’s own: where it can’t be read, its issuer must not take its place.
  const leaf = certificates[0] ?? null;
  return {
    kind: credentialKind({ token, certificate, awsKeys }),
    subject: payload ? subjectOf(payload) : (leaf?.names.commonName ?? awsKeys?.accessKeyId ?? null),
    groups: payload ? texts(payload['groups']) : (leaf?.names.organizations ?? []),
    audiences: payload ? texts(payload['aud']) : [],
    issuer: payload ? text(payload['iss']) : (leaf?.view.issuer ?? null),
    from: issuedAt,
    until: noExpiry ? noExpiry.ownExpiry : expiresAt,
    endIsRead: noExpiry !== undefined && noExpiry.ownExpiry !== null,
    claims: payload && claimsOf(payload),
    certificates: certificates.flatMap((each) => each?.view ?? []),
  };
}

function payloadOf(token: Secret): Record<string, unknown> | null {
  try {
    return decodeJwt(token.reveal());
  } catch {
    return null;
  }
}

/** The user’s name by the provider’s usual claims, the best first. */
function subjectOf(payload: Record<string, unknown>): string | null {
  return text(payload['email']) ?? text(payload['preferred_username']) ?? text(payload['sub']);
}

function claimsOf(payload: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(payload)
    .slice(0, listLimit)
    .map(([name, value]) => ({ name: nameOfClaim(name), value: claimText(name, value) }));
}

function nameOfClaim(name: string): string {
  return holdsSecret(name) ? notShown : visibleText(name, 100);
}

function claimText(name: string, value: unknown): string {
  const all = typeof value === 'string' ? value : jsonOf(value);
  return all === null || holdsSecret(all) || isSecretClaim(name, value)
    ? notShown
    : visibleText(all, textLimit);
}

/** Null where it is nested too deeply for JSON.stringify. */
function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return null;
  }
}

function text(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') {
    return null;
  }
  return holdsSecret(value) ? notShown : visibleText(value, textLimit);
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).slice(0, listLimit).flatMap((each) => text(each) ?? []);
}

interface SeenCertificate {
  view: CertificateView;
  names: { commonName: string | null; organizations: string[] };
}

/** Null where it can’t be read, or its dates are invalid. */
function viewCertificate(pem: string): SeenCertificate | null {
  try {
    const read = new X509Certificate(pem);
    const [notBefore, notAfter] = [Date.parse(read.validFrom), Date.parse(read.validTo)];
    if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) {
      return null;
    }
    const subject = nameText(read.subject);
    return {
      view: {
        subject,
        issuer: nameText(read.issuer),
        serial: visibleText(read.serialNumber, 100),
        notBefore,
        notAfter,
        key: keyText(read),
        fingerprint: read.fingerprint256,
      },
      names: {
        commonName: attributes(read.subject, 'CN')[0] ?? (subject === '' ? null : subject),
        organizations: attributes(read.subject, 'O'),
      },
    };
  } catch {
    return null;
  }
}

/** The key’s kind may be unknown to this OpenSSL while the rest of the certificate can be read. */
function keyText(read: X509Certificate): string {
  let key: X509Certificate['publicKey'];
  try {
    key = read.publicKey;
  } catch {
    return 'unknown';
  }
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = key;
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

/** Node puts each attribute on its own line; here they are joined by commas, as usual. */
function nameText(lines: string | undefined): string {
  return visibleText((lines ?? '').split('\n').filter(Boolean).join(', '), textLimit);
}

/**
 * The values of one kind of attribute, as Kubernetes reads them. Node puts each on its own line, joins those of a
 * multi-valued part by ` + `, and escapes separators by a backslash (RFC 2253): the name `x, O=admins` stays one name
 * and gives no group.
 */
function attributes(name: string | undefined, kind: 'CN' | 'O'): string[] {
  return (name ?? '')
    .split('\n')
    .flatMap((line) => line.split(/(?<!\\) \+ /))
    .filter((part) => part.startsWith(`${kind}=`))
    .slice(0, listLimit)
    .map((part) => visibleText(part.slice(kind.length + 1).replace(/\\([^0-9A-Fa-f])/g, '$1'), textLimit));
}
