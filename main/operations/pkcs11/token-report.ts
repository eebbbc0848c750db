import { X509Certificate } from 'node:crypto';
import { tlsVersions } from '../../accounts/pkcs11/rules/tls-versions.ts';
import type { StatedSelection } from '../../accounts/pkcs11/selection.ts';
import { isKeySelected, isTokenSelected, selectionOf } from '../../accounts/pkcs11/selection.ts';
import type { KeyView, SlotView, TokenView } from '../../accounts/pkcs11/slot-view.ts';
import { certificateLife } from '../../domain/credential/certificate-life.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** An account whose module it is, and what it selects there. */
export interface SelectingAccount extends StatedSelection {
  name: string;
  /** The file of its certificate. */
  certificate?: string | undefined;
}

/** A slot of a module. All texts are safe for display. */
export interface SlotReport {
  slot: number;
  /** What the module says of it: a reader’s name. */
  description: string;
  token: TokenReport | null;
}

export interface TokenReport {
  label: string;
  serial: string;
  manufacturer: string;
  model: string;
  isInitialized: boolean;
  /** How it is logged in: not at all, by a PIN that is typed in a window or terminal, or at its own pad. */
  pin: 'none' | 'typed' | 'pad';
  /** What it says of wrong PINs: one was given, the next one locks it, it is locked. */
  tries: 'low' | 'final' | 'locked' | null;
  /** Those that sign. */
  mechanisms: string[];
  keys: KeyReport[];
  certificates: CertificateReport[];
  /** The accounts that mean it. */
  accounts: string[];
}

export interface KeyReport {
  label: string;
  /** CKA_ID, hex. */
  id: string;
  /** `RSA 2048`, `P-256`. */
  kind: string;
  certificate: CertificateReport | null;
  /** The file that an account names for its certificate; null: none does. */
  certificateFile: string | null;
  /** In which versions of TLS it connects; none: it can’t. */
  tls: ('1.2' | '1.3')[];
  /** Why Lanyard can’t use it; null: it can. */
  problem: string | null;
  /** The accounts that mean it. */
  accounts: string[];
}

export interface CertificateReport {
  label: string;
  /** CKA_ID, hex. */
  id: string;
  subject: string;
  issuer: string;
  /** Milliseconds since 1970; null: it can’t be read. */
  expiresAt: number | null;
}

const shownCharacters = 600;

/** What is to be seen in the slots of a module without a login, and what `accounts` mean of it. */
export function slotReports(slots: readonly SlotView[], accounts: readonly SelectingAccount[]): SlotReport[] {
  return slots.map(({ slot, description, token }) => ({
    slot,
    description: shown(description),
    token:
      token &&
      tokenReport(
        token,
        accounts.filter((account) => isTokenSelected(selectionOf(account), { slot, token })),
      ),
  }));
}

function tokenReport(token: TokenView, accounts: readonly SelectingAccount[]): TokenReport {
  const { flags } = token;
  const certificates = token.certificates.map(certificateReport);
  return {
    label: shown(token.label),
    serial: shown(token.serial),
    manufacturer: shown(token.manufacturer),
    model: shown(token.model),
    isInitialized: flags.initialized,
    pin: flags.loginRequired ? (flags.pinPad ? 'pad' : 'typed') : 'none',
    tries: flags.locked ? 'locked' : flags.finalTry ? 'final' : flags.triesLow ? 'low' : null,
    mechanisms: token.mechanisms.map(shown),
    keys: token.keys
      .map((key) => keyReport(key, token, certificates, accounts))
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    certificates,
    accounts: accounts.map(({ name }) => name),
  };
}

function keyReport(
  key: KeyView,
  token: TokenView,
  certificates: readonly CertificateReport[],
  accounts: readonly SelectingAccount[],
): KeyReport {
  const selecting = accounts.filter((account) => isKeySelected(selectionOf(account), key, token));
  const file = selecting.find(({ certificate }) => certificate !== undefined)?.certificate ?? null;
  const certificate = key.certificate === null ? null : (certificates[key.certificate] ?? null);
  const withoutCertificate = token.certificates.some(({ id }) => id === key.id)
    ? 'its certificate is of another key'
    : 'no certificate';
  return {
    label: shown(key.label),
    id: shown(key.id),
    kind: kindText(key),
    certificate,
    certificateFile: file,
    tls: key.problem === null ? tlsVersions(key.schemes) : [],
    problem:
      key.problem === null
        ? certificate === null && file === null
          ? withoutCertificate
          : null
        : shown(key.problem),
    accounts: selecting.map(({ name }) => name),
  };
}

function kindText({ kind, bits, curve }: KeyView): string {
  switch (kind) {
    case 'rsa':
      return bits === null ? 'RSA' : `RSA ${bits}`;
    case 'ec':
      return curve === null ? 'another curve' : shown(curve);
    default:
      return 'another kind';
  }
}

function certificateReport({ label, id, pem }: TokenView['certificates'][number]): CertificateReport {
  const named = { label: shown(label), id: shown(id) };
  try {
    const certificate = new X509Certificate(pem);
    const { subject, expiresAt } = certificateLife(certificate);
    const issuer = shown((certificate.issuer ?? '').replaceAll('\n', ', '));
    return {
      ...named,
      subject: shown(subject),
      issuer,
      expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    };
  } catch {
    // Cards have certificates that OpenSSL doesn’t read.
    return { ...named, subject: '', issuer: '', expiresAt: null };
  }
}

/** A token’s own words: a label keeps its spaces, so that it can be named by them. */
function shown(text: string): string {
  return visibleText(text, shownCharacters);
}
