import type { CallClass, CallOutcome } from '../../contract/doors.ts';

/** Codes, and beginnings of codes, of intended denials. All others are failures. */
const meant = [
  'account.unknown',
  'approval.',
  'binding.',
  'cluster.',
  'execPlugin.changed',
  'execPlugin.lost',
  'execPlugin.moved',
  'execPlugin.unsafe',
  'grant.lost',
  'grant.none',
  'kube.',
  'lock.',
  'login.',
  'oidc.browser.denied',
  'oidc.cancelled',
  'oidc.client.key',
  'oidc.device.denied',
  'oidc.login.',
  'oidc.noSession',
  'oidc.session.',
  'registry.missing',
  'staticToken.missing',
  'vault.',
];
/** Codes among them that are failures nevertheless. */
const broken = ['kube.request', 'oidc.login.failed', 'vault.diskFull', 'login.failed'];

/** The class of a call, by its outcome and its reason’s code. */
export function callClass(outcome: CallOutcome, reason: string): CallClass {
  if (outcome !== 'refused') {
    return outcome;
  }
  const isMeant = meant.some((each) => (each.endsWith('.') ? reason.startsWith(each) : reason === each));
  return isMeant && !broken.includes(reason) ? 'declined' : 'failed';
}
