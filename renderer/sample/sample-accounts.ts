import type { AccountView } from '../../main/contract/ui/state.ts';
import { days, hours, minutes, months } from './spans.ts';

const usual = { problem: null, clockOffSeconds: null, clusters: [], login: null, endIs: null };

/** Invented accounts: one of each kind at least, in most of the states that an account can be in. */
export function sampleAccounts(now: number): AccountView[] {
  return [
    {
      ...usual,
      name: 'corp',
      kind: 'oidc',
      state: 'ready',
      subject: 'dev@corp.example',
      issuer: 'https://id.corp.example',
      expiresAt: now + hours(9),
    },
    {
      ...usual,
      name: 'corp-staging',
      kind: 'oidc',
      state: 'loginNeeded',
      subject: null,
      issuer: 'https://id-staging.corp.example',
      expiresAt: null,
      problem: 'The session ended 95 minutes ago. Log in again.',
    },
    {
      ...usual,
      name: 'lab-sso',
      kind: 'execPlugin',
      state: 'failing',
      subject: null,
      issuer: null,
      expiresAt: null,
      endIs: 'nothing',
      problem: 'The plugin failed: exit 1, 3 times in 5 min. It is run again in 2 min.',
    },
    {
      ...usual,
      name: 'eks-us',
      kind: 'execPlugin',
      state: 'ready',
      subject: 'arn:aws:iam::111122223333:role/dev',
      issuer: null,
      expiresAt: now + minutes(9),
      endIs: 'promised',
    },
    {
      ...usual,
      name: 'gcloud',
      kind: 'execPlugin',
      state: 'ready',
      subject: 'dev@corp.example',
      issuer: null,
      expiresAt: now + minutes(55),
      endIs: 'read',
    },
    {
      ...usual,
      name: 'corp-cert',
      kind: 'clientCertificate',
      state: 'ready',
      subject: 'CN=dev, O=edge-operators',
      issuer: 'CN=corp-edge-ca',
      expiresAt: now + days(6) + hours(4),
    },
    {
      ...usual,
      name: 'kind',
      kind: 'clientCertificate',
      state: 'ready',
      subject: 'CN=kubernetes-admin, O=system:masters',
      issuer: 'CN=kubernetes',
      expiresAt: now + months(11),
    },
    {
      ...usual,
      name: 'vendor-token',
      kind: 'staticToken',
      state: 'ready',
      subject: 'system:serviceaccount:team-a:ci',
      issuer: null,
      expiresAt: null,
    },
  ];
}
