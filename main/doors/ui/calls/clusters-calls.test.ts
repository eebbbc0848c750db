import { describe, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { loadedEntries } from '../../../domain/loaded-config.ts';
import { clusterTarget } from '../../../domain/target/cluster-target.ts';
import { loadedCluster } from '../../../domain/testing/loaded.ts';
import type { ContextEntry } from '../../../kubeconfig/contexts.ts';
import type { Account, Credential, Obtained } from '../../../ports/account.ts';
import { silentLog } from '../../../ports/log.ts';
import { createClustersCalls } from './clusters-calls.ts';

const cluster = loadedCluster('prod', { server: 'https://10.0.0.1:6443', account: 'corp' });
const credential: Credential = {
  token: new Secret('canary'),
  certificate: null,
  issuedAt: null,
  expiresAt: 7,
};
const context = { signal: new AbortController().signal, progress: () => undefined };

interface Given {
  gate?: Refusal;
  cluster?: Refusal;
  account?: Refusal;
  renewed?: Obtained;
  /** Of a second grant in use. */
  second?: Obtained;
}

function calls(given: Given = {}) {
  const asked: unknown[][] = [];
  const lanyard = { account: 'corp', cluster: 'prod' };
  const entry: ContextEntry = {
    name: 'p',
    cluster: 'c',
    server: null,
    user: 'u',
    namespace: null,
    file: '/k',
    lanyard,
  };
  const made = createClustersCalls({
    gate: () => given.gate ?? null,
    directory: {
      account: () => given.account ?? { ok: true, account: { name: 'corp' } as Account },
      cluster: () => given.cluster ?? { ok: true, cluster },
      clusters: () => [cluster],
    },
    grants: {
      async renewInUse(...all) {
        asked.push(all);
        const obtained = given.renewed ?? { ok: true, credential };
        if (!obtained.ok && obtained.code === 'grant.none') {
          return obtained;
        }
        const others = given.second ? [{ variables: ['AWS_PROFILE'], obtained: given.second }] : [];
        return { ok: true, renewed: [{ variables: [], obtained }, ...others] };
      },
    },
    config: {
      async stated(...all) {
        asked.push(all);
        return loadedEntries(() => new Map());
      },
    },
    reach: async () => null,
    presentedAuthority: async () => null,
    clock: { boottime: () => 0 },
    log: silentLog,
    kubeconfigs: {
      files: () => ['/k'],
      read: async () => ({ current: null, entries: new Map([['p', entry]]), problems: [], files: ['/k'] }),
    },
  });
  return { ...made, asked };
}

describe('a renewal', () => {
  it('is of this cluster’s own account, and tells the new end alone', async () => {
    const { asked, ...made } = calls();
    expect(await made['cluster.renew']({ cluster: 'prod' }, context)).toEqual({
      renewed: [{ variables: [], expiresAt: 7, failure: null }],
    });
    expect(asked).toEqual([[{ name: 'corp' }, clusterTarget(cluster), context.signal]]);
  });

  it('tells the end that was read where none is promised', async () => {
    const noExpiry = { ownExpiry: 5, onlyFor: null };
    const made = calls({ renewed: { ok: true, credential: { ...credential, expiresAt: null, noExpiry } } });
    expect(await made['cluster.renew']({ cluster: 'prod' }, context)).toMatchObject({
      renewed: [{ expiresAt: 5 }],
    });
  });

  it('of several grants says what became of each, and fails only if none is renewed', async () => {
    const failed = refuse('provider', 'execPlugin.failed', 'exit code 1');
    const made = calls({ second: failed });
    expect(await made['cluster.renew']({ cluster: 'prod' }, context)).toEqual({
      renewed: [
        { variables: [], expiresAt: 7, failure: null },
        { variables: ['AWS_PROFILE'], expiresAt: null, failure: 'exit code 1' },
      ],
    });
    const none = calls({ renewed: failed, second: failed });
    await expect(none['cluster.renew']({ cluster: 'prod' }, context)).rejects.toMatchObject({
      code: 'execPlugin.failed',
    });
  });

  it.each<[string, Given, boolean]>([
    ['locked', { gate: refuse('locked', 'lock.closed', 'lanyard is locked') }, false],
    [
      'of one that nobody has confirmed',
      { cluster: refuse('notPermitted', 'binding.held', 'it was changed', 'lanyard confirm') },
      false,
    ],
    [
      'of an account that nobody has confirmed',
      { account: refuse('notPermitted', 'binding.held', 'it was changed') },
      false,
    ],
    [
      'that needs a person',
      { renewed: refuse('loginNeeded', 'oidc.noSession', 'nobody is logged in') },
      true,
    ],
    ['that has nothing to renew', { renewed: refuse('notFound', 'grant.none', 'holds nothing') }, true],
  ])('is refused %s, with the reason and what helps', async (_, given, isAsked) => {
    const { asked, ...made } = calls(given);
    const refusal = given.gate ?? given.cluster ?? given.account ?? (given.renewed as Refusal);
    const { reason, code, message, hint } = refusal;
    await expect(made['cluster.renew']({ cluster: 'prod' }, context)).rejects.toMatchObject({
      reason,
      code,
      message,
      hint,
    });
    expect(asked.length > 0).toBe(isAsked);
  });
});

it.each(['\\\\evil\\s\\ca.pem', '//evil/s/ca.pem'])(
  'a test reads nothing of another machine: %s',
  async (path) => {
    const { asked, ...made } = calls();
    const entry = { server: 'https://10.0.0.1:6443', certificateAuthority: path };
    expect((await made['cluster.test']({ entry }, context)).findings).toMatchObject([
      {
        level: 'problem',
        field: 'certificateAuthority',
        message: expect.stringContaining('another machine'),
      },
    ]);
    expect(asked).toEqual([]);
    await made['cluster.test']({ entry: { ...entry, certificateAuthority: '/ca.pem' } }, context);
    expect(asked).toHaveLength(1);
  },
);

describe('the kubectl line', () => {
  it('is given while locked, too: it holds no credential', async () => {
    const made = calls({ gate: refuse('locked', 'lock.closed', 'lanyard is locked') });
    expect(await made['cluster.kubectlLine']({ cluster: 'prod' }, context)).toEqual({
      line: 'kubectl --kubeconfig /k --context p get pods',
    });
  });

  it('of a cluster that is not there is none', async () => {
    const made = calls({ cluster: refuse('notFound', 'cluster.unknown', 'there is none') });
    await expect(made['cluster.kubectlLine']({ cluster: 'dev' }, context)).rejects.toMatchObject({
      code: 'cluster.unknown',
    });
  });
});
