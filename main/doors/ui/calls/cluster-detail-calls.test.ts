import { describe, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { defaultSettings } from '../../../contract/config/settings.ts';
import { refuse } from '../../../contract/refusal.ts';
import { loadedCluster } from '../../../domain/testing/loaded.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import type { WhoAmI } from '../../../kubernetes/who-am-i.ts';
import type { Account } from '../../../ports/account.ts';
import { createClusterDetailCalls } from './cluster-detail-calls.ts';

const cluster = loadedCluster('prod', { server: 'https://10.0.0.1:6443', account: 'a' });
const credential = { token: new Secret('canary'), certificate: null, issuedAt: null, expiresAt: null };

function started({ locked = false } = {}) {
  let answer: (seen: WhoAmI) => void = () => undefined;
  const servers: string[] = [];
  const calls = createClusterDetailCalls({
    gate: () => (locked ? refuse('locked', 'lock.closed', 'lanyard is locked') : null),
    directory: {
      account: () => ({ ok: true, account: { name: 'a' } as Account }),
      cluster: () => ({ ok: true, cluster }),
    },
    config: {
      current: () => ({
        ...noEntries,
        clusters: new Map([['prod', cluster]]),
        settings: defaultSettings,
      }),
    },
    history: { reader: { events: async () => ({ events: [], next: null }) as never } },
    look: async () => ({ ok: true, credential }),
    variablesInUse: () => [],
    peek: async () => ({ ok: true, credential }),
    whoAmI: ({ config }) => {
      servers.push(config.server);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  return { calls, servers, answer: (seen: WhoAmI) => answer(seen) };
}

const context = (signal = new AbortController().signal) => ({ signal, progress: () => undefined });

describe('many pages at once', () => {
  it('put one credential on its way to a server, and each gets the answer', async () => {
    const { calls, servers, answer } = started();
    const all = Array.from({ length: 50 }, () => calls['cluster.whoAmI']({ cluster: 'prod' }, context()));
    await expect.poll(() => servers).toEqual(['https://10.0.0.1:6443']);
    answer({ kind: 'rejected' });
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(Array(50).fill('failed'));
    expect(servers).toHaveLength(1);
  });

  it('don’t wait for one that is gone, and aren’t ended by it', async () => {
    const { calls, servers, answer } = started();
    const gone = new AbortController();
    const first = calls['cluster.whoAmI']({ cluster: 'prod' }, context(gone.signal));
    const second = calls['cluster.whoAmI']({ cluster: 'prod' }, context());
    await expect.poll(() => servers.length).toBe(1);
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    answer({ kind: 'untold', status: 404 });
    expect(await second).toMatchObject({ why: 'old' });
  });
});

describe('the cached credential', () => {
  it.each(['nowhere', '__proto__', 'constructor'])(
    'for %s is nothing: there is no such cluster',
    async (name) => {
      const { calls } = started();
      await expect(calls['cluster.credential']({ cluster: name }, context())).rejects.toMatchObject({
        code: 'cluster.unknown',
      });
    },
  );

  it('is not told while locked', async () => {
    const { calls } = started({ locked: true });
    await expect(calls['cluster.credential']({ cluster: 'prod' }, context())).rejects.toMatchObject({
      code: 'lock.closed',
    });
  });

  it('is told without the token', async () => {
    const { calls } = started();
    const told = await calls['cluster.credential']({ cluster: 'prod' }, context());
    expect(told.credential).toMatchObject({ kind: 'token', claims: null });
    expect(JSON.stringify(told)).not.toContain('canary');
  });
});
