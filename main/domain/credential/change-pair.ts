import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { type CertificateLife, certificateLife } from './certificate-life.ts';
import { readPair } from './read-pair.ts';
import { isEncryptedKey, splitPem } from './split-pem.ts';

export type Half = 'certificate' | 'key';

/** The vault's names for halves that wait for their other half, beside a pair that stays in use. */
export const nextHalf = { certificate: 'next.certificate', key: 'next.key' } as const;

export type PairParts = Readonly<Record<string, Secret | undefined>>;

/** `pair`: complete, and used from now on. `half`: nothing to use yet. `next`: it waits beside the pair. */
export type PairChange =
  | { ok: true; parts: Record<string, Secret>; kept: 'pair' | 'half' | 'next' }
  | { ok: false; code: string; message: string };

export interface PairGiven {
  account: string;
  /** PEM: each half alone, or both. */
  given: Partial<Record<Half, Secret>>;
  /** What the vault has of the account. */
  parts: PairParts;
  /** Keep half of a new pair until its other half comes. */
  partial: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * What the vault has of a client certificate after the user gave a new one, or half of one. An existing pair stays
 * complete: it is replaced only by another complete pair that can be used now.
 */
export function changePair(change: PairGiven): PairChange {
  const { given, parts } = change;
  const halves = (['certificate', 'key'] as const).filter((half) => given[half] !== undefined);
  for (const half of halves) {
    const fault = halfFault(half, given[half]);
    if (fault !== null) {
      return fault;
    }
  }
  if (given.certificate && given.key) {
    return judge(change, given.certificate, given.key);
  }
  const [half] = halves;
  const value = half && given[half];
  if (!half || !value) {
    return no('secret.empty', 'what was given is empty');
  }
  const other = half === 'certificate' ? 'key' : 'certificate';
  const others = [parts[nextHalf[other]], parts[other]].filter((each) => each !== undefined);
  const tries = others.map((each) =>
    half === 'certificate' ? judge(change, value, each) : judge(change, each, value),
  );
  const fitting = tries.find((each) => each.ok || each.code !== 'secret.mismatch');
  if (fitting) {
    return fitting;
  }
  const [mismatch] = tries;
  if (mismatch && !change.partial) {
    return mismatch;
  }
  const early = half === 'certificate' ? lifeFault(change, firstLife(value)) : null;
  const name = mismatch ? nextHalf[half] : half;
  const { [name]: _, ...rest } = parts;
  return early ?? { ok: true, parts: { ...present(rest), [name]: value }, kept: mismatch ? 'next' : 'half' };
}

/** The two as the pair from now on. A fault in the vault's own half counts as not fitting. */
function judge(of: PairGiven, certificate: Secret, key: Secret): PairChange {
  const called = (half: Half) => (of.given[half] ? 'what was given' : `${of.account}/${half}`);
  const pair = readPair(
    { text: certificate, called: called('certificate') },
    { text: key, called: called('key') },
  );
  if (!pair.ok) {
    return no('secret.mismatch', pair.message);
  }
  const { [nextHalf.certificate]: _certificate, [nextHalf.key]: _key, ...rest } = of.parts;
  return (
    lifeFault(of, pair.life) ?? { ok: true, parts: { ...present(rest), certificate, key }, kept: 'pair' }
  );
}

/** One half as the user gives it: only the blocks of its kind. Null: there are none. */
export function halfOf(half: Half, text: Secret): Secret | null {
  const { certificates, key } = splitPem(text.reveal());
  const pem = half === 'certificate' ? certificates.join('') : (key ?? '');
  return pem === '' ? null : new Secret(pem);
}

function halfFault(half: Half, value: Secret | undefined): PairChange | null {
  const text = value?.reveal() ?? '';
  if (half === 'key' && isEncryptedKey(text)) {
    return no('secret.keyEncrypted', 'the private key that was given is encrypted with a passphrase');
  }
  try {
    if (half === 'key') {
      createPrivateKey(text);
    } else {
      splitPem(text).certificates.map((pem) => new X509Certificate(pem));
    }
    return null;
  } catch {
    // OpenSSL's errors may quote the input, so they are dropped here.
    return half === 'key'
      ? no('secret.badKey', 'the private key that was given can’t be read')
      : no('secret.badCertificate', 'a certificate that was given can’t be read');
  }
}

/** Without its key, the client's certificate is unknown: it is the first, as in TLS and kubeconfigs. */
function firstLife(certificates: Secret): CertificateLife {
  return certificateLife(new X509Certificate(splitPem(certificates.reveal()).certificates[0] ?? ''));
}

/** Lanyard issues no certificate outside its validity: storing this one could only break the existing one. */
function lifeFault({ now }: PairGiven, life: CertificateLife): PairChange | null {
  const { subject, issuedAt, expiresAt } = life;
  if (now >= expiresAt) {
    return no(
      'secret.expired',
      `the certificate “${subject}” that was given expired at ${clockText(expiresAt, now)}`,
    );
  }
  return now < issuedAt
    ? no(
        'secret.notYetValid',
        `the certificate “${subject}” that was given isn’t valid before ${clockText(issuedAt, now)}`,
      )
    : null;
}

function present(parts: PairParts): Record<string, Secret> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function no(code: string, message: string): PairChange & { ok: false } {
  return { ok: false, code, message };
}
