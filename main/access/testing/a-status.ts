import type { AccountStatus, ClusterStatus } from '../status.ts';

/** An account that is logged in. */
export function anAccountStatus(name: string, more: Partial<AccountStatus> = {}): AccountStatus {
  return {
    name,
    kind: 'oidc',
    state: 'ready',
    pending: false,
    subject: null,
    issuer: null,
    expiresAt: null,
    problem: null,
    advice: null,
    secondsLeft: null,
    ...more,
  };
}

/** A cluster of the account corp that is ready. */
export function aClusterStatus(name: string, more: Partial<ClusterStatus> = {}): ClusterStatus {
  return {
    name,
    displayName: null,
    server: `https://${name}.example`,
    account: 'corp',
    state: 'ready',
    pending: false,
    isInsecure: false,
    problem: null,
    expiresAt: null,
    ...more,
  };
}
