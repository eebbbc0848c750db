import { runsProgram } from '../program-names.ts';
import type { Health } from './health.ts';
import type { ClusterView } from './state.ts';
import { clockText, leftText } from './time-texts.ts';

type Credential = NonNullable<ClusterView['credential']>;
type Told = Pick<ClusterView, 'state' | 'credential' | 'kind' | 'lastCall' | 'byHand'>;

/** The heading of a cluster’s group in a list. */
export const groupLabels: Readonly<Record<Health, string>> = {
  need: 'Needs attention',
  bad: 'Needs attention',
  soon: 'Expiring soon',
  good: 'Good',
  idle: 'No credential',
  locked: 'Locked',
};

/** Sorts clusters: those that need the user come first. */
export const urgency: Readonly<Record<Health, number>> = {
  need: 0,
  bad: 1,
  soon: 2,
  good: 3,
  idle: 4,
  locked: 5,
};

/** What the user can do about it; null: nothing, or nothing in Lanyard. */
export type Remedy = 'logIn' | 'setSecret' | 'confirm' | 'why';

export function remedyOf({ state, kind }: Pick<ClusterView, 'state' | 'kind'>, how: Health): Remedy | null {
  switch (state) {
    case 'loginNeeded':
    case 'interrupted':
      return 'logIn';
    case 'secretMissing':
      return 'setSecret';
    case 'expired':
      // A token has its certificate itself.
      return kind === 'pkcs11' ? 'why' : 'setSecret';
    case 'held':
      return 'confirm';
    default:
      return how === 'bad' ? 'why' : null;
  }
}

/** The same, where the user already sees the details. */
export function actionOf(
  of: Pick<ClusterView, 'state' | 'kind'>,
  how: Health,
): Exclude<Remedy, 'why'> | null {
  const remedy = remedyOf(of, how);
  return remedy === 'why' ? null : remedy;
}

export const remedyLabels: Readonly<Record<Remedy, string>> = {
  logIn: 'Log in',
  setSecret: 'Set secret',
  confirm: 'Approve',
  why: 'Details',
};

/** The mark of a cluster whose server’s certificate isn’t verified, beside its health. */
export const insecureWords = 'TLS not verified';

/** The right column: the time left, and a few words below it. */
export function leftWords(cluster: Told, how: Health, now: number): { large: string; small: string } {
  const { credential } = cluster;
  if (how === 'locked') {
    return { large: 'locked', small: '' };
  }
  if (how === 'bad' || how === 'need' || !credential) {
    return { large: troubleWords(cluster, how), small: '' };
  }
  const { expiresAt } = credential;
  if (how === 'idle') {
    return { large: 'expired', small: 'fetched on demand' };
  }
  return {
    large: leftText(expiresAt === null ? null : expiresAt - now),
    small: renewalWords(cluster, credential, how, now),
  };
}

function renewalWords(
  { byHand }: Told,
  { kind, expiresAt, renewsAt, trouble }: Credential,
  how: Health,
  now: number,
): string {
  if (how === 'soon' && trouble !== null) {
    return 'renewal failed';
  }
  if (renewsAt !== null) {
    return renewsAt <= now ? 'renewing now' : `renews ${clockText(renewsAt, now)}`;
  }
  if (how === 'good' && !byHand && expiresAt !== null) {
    return 'renewed on demand';
  }
  if (kind !== 'token') {
    return otherWords[kind];
  }
  return expiresAt === null ? 'token' : `expires ${clockText(expiresAt, now)}`;
}

const otherWords = {
  password: 'password',
  certificate: 'certificate',
  both: 'certificate',
  awsKeys: 'AWS keys',
} as const;

const troubles: Readonly<Partial<Record<ClusterView['state'], string>>> = {
  loginNeeded: 'not logged in',
  interrupted: 'log in again',
  secretMissing: 'secret missing',
  expired: 'expired',
  held: 'pending approval',
  rejecting: 'rejected (401)',
  invalid: 'can’t be used',
  unknownAccount: 'no such account',
};

function failing(kind: Told['kind']): string {
  return kind === 'pkcs11' ? 'token failed' : runsProgram(kind) ? 'plugin failed' : 'could not be renewed';
}

function troubleWords({ state, kind, lastCall }: Told, how: Health): string {
  const trouble = state === 'failing' ? failing(kind) : troubles[state];
  if (trouble !== undefined) {
    return trouble;
  }
  if (how === 'bad') {
    return 'could not be renewed';
  }
  if (lastCall !== null) {
    return 'no credential';
  }
  return runsProgram(kind) ? 'not run yet' : 'never used';
}

/** One sentence for the selected cluster, without a full stop. */
export function healthSentence(cluster: Told, how: Health, now: number): string {
  const { credential } = cluster;
  if (how === 'locked') {
    return 'locked: nothing is issued';
  }
  if (how === 'need' || how === 'bad') {
    return troubleWords(cluster, how);
  }
  if (!credential) {
    return `${troubleWords(cluster, how)}: fetched automatically on the next request`;
  }
  const { expiresAt, renewsAt, trouble } = credential;
  if (expiresAt === null) {
    return 'never expires';
  }
  if (how === 'idle') {
    return `expired ${clockText(expiresAt, now)}; renewed when a program asks`;
  }
  if (how === 'soon' && trouble !== null) {
    const again = renewsAt === null ? 'when a program asks' : `at ${clockText(renewsAt, now)}`;
    return `could not be renewed; tried again ${again}, expires ${clockText(expiresAt, now)}`;
  }
  if (cluster.byHand) {
    const what = cluster.kind === 'oidc' ? 'log in again then' : 'replace it before then';
    return `expires ${clockText(expiresAt, now)}; ${what}`;
  }
  if (renewsAt === null) {
    return `expires ${clockText(expiresAt, now)}; renewed when a program asks`;
  }
  return `renews automatically at ${clockText(renewsAt, now)}, expires ${clockText(expiresAt, now)}`;
}
