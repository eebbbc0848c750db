import type { CallClass } from '../../../main/contract/doors.ts';
import type { CredentialView } from '../../../main/contract/ui/credential.ts';
import type { AccountView, ClusterView } from '../../../main/contract/ui/state.ts';
import { eventsBack } from '../past/sample-events.ts';
import type { SomeHandlers } from '../sample-calls.ts';
import { sampleCertificate } from '../sample-certificate.ts';
import { pluginOf } from '../sample-plugins.ts';
import { days } from '../spans.ts';
import { clusterOf } from './history-sample.ts';

export const clusterDetailSample = {
  'cluster.credential': ({ cluster: name }, { world }) => {
    const cluster = clusterOf(world, name);
    const account = world.get('accounts', cluster.account);
    const plugin = cluster.kind === 'execPlugin' ? pluginOf(cluster.account) : null;
    return {
      credential: credentialOf(cluster, account),
      nothing:
        cluster.credential === null
          ? {
              message: cluster.problem ?? 'Not requested yet.',
              hint: cluster.state === 'loginNeeded' ? `log in to ${cluster.account}` : null,
            }
          : null,
      plugin: plugin && {
        command: [plugin.command, ...plugin.args].join(' '),
        forItsClientsAlone: false,
        variables: [],
      },
    };
  },
  'cluster.whoAmI': async ({ cluster: name }, { world, wait }) => {
    await wait(400);
    const cluster = clusterOf(world, name);
    const account = world.get('accounts', cluster.account);
    if (cluster.credential === null) {
      return {
        kind: 'failed',
        why: cluster.state === 'failing' ? 'unreachable' : 'rejected',
        happened: `there is no credential for ${name}`,
        hint: cluster.problem,
      };
    }
    return {
      kind: 'known',
      userName: account?.subject ?? 'dev',
      uid: cluster.kind === 'oidc' ? '6f1c0d8e-5a2b' : null,
      groups: [...groupsOf(cluster), 'system:authenticated'],
      extra: [{ name: 'authentication.kubernetes.io/credential-id', values: ['JTI=3f9a27c4'] }],
    };
  },
  'cluster.lastCalls': ({ cluster: name, most }, { world }) => {
    const cluster = clusterOf(world, name);
    const now = world.time.now();
    const past = eventsBack([cluster], now - days(1), now).filter(({ kind }) => kind === 'call');
    const last = cluster.lastCall;
    const calls = past
      .filter(({ at }) => last === null || at < last.at)
      .map(({ id, at, program, decision, tone }, index) => ({
        id,
        at,
        program,
        pid: 20_000 + (id % 9973),
        door: 'kube' as const,
        outcome: decision ?? ('handedOut' as const),
        class:
          decision !== 'refused'
            ? ('handedOut' as const)
            : tone === 'failed'
              ? ('failed' as const)
              : ('declined' as const),
        reason: decision === 'refused' ? (tone === 'failed' ? 'plugin.failed' : 'login.needed') : 'held',
        microseconds: 800 + ((index * 137) % 900),
      }));
    const newest = last && {
      id: Math.floor(last.at),
      pid: 48_213,
      door: 'kube' as const,
      class: classOf(cluster),
      ...last,
    };
    return { calls: [...(newest ? [newest] : []), ...calls].slice(0, most) };
  },
} satisfies SomeHandlers;

function groupsOf({ kind }: ClusterView): string[] {
  return kind === 'oidc' ? ['platform', 'sre'] : kind === 'clientCertificate' ? ['edge-operators'] : [];
}

function credentialOf(cluster: ClusterView, account: AccountView | null): CredentialView | null {
  const { credential, kind, audience, name } = cluster;
  if (credential === null) {
    return null;
  }
  const { issuedAt, expiresAt } = credential;
  const subject = account?.subject ?? null;
  const issuer = kind === 'pkcs11' ? 'CN=corp-people' : (account?.issuer ?? null);
  const isCertificate = credential.kind !== 'token';
  return {
    kind: credential.kind,
    subject,
    groups: groupsOf(cluster),
    audiences: audience === null ? [] : [audience],
    issuer,
    from: issuedAt,
    until: expiresAt,
    endIsRead: account?.endIs === 'read',
    claims:
      kind === 'oidc'
        ? [
            { name: 'iss', value: issuer ?? '' },
            { name: 'sub', value: 'f81d4fae-7dec-11d0' },
            { name: 'email', value: subject ?? '' },
            { name: 'groups', value: 'platform, sre' },
            { name: 'aud', value: audience ?? name },
          ]
        : null,
    certificates: isCertificate
      ? [
          sampleCertificate({
            ...(subject !== null && { subject }),
            ...(issuer !== null && { issuer }),
            notBefore: issuedAt ?? 0,
            notAfter: expiresAt ?? 0,
          }),
        ]
      : [],
  };
}

/** What becomes of a call for it now. */
function classOf({ state }: ClusterView): CallClass {
  return state === 'failing' ? 'failed' : state === 'loginNeeded' ? 'declined' : 'handedOut';
}
