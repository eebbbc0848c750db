import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KubernetesApi, startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { Grant } from '../grants/grant.ts';
import type { GrantRequest } from '../grants/request.ts';
import type { Account } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import { createHubSecrets, type HubSecretsDeps } from './hub-secrets.ts';

let api: KubernetesApi;
let hub: LoadedCluster;
let shut: Refusal | null;
let asked: GrantRequest[];
let tokens: string[];
let seen: string[];
let onObtain: () => void;
let hubs: Record<string, string>;

const clock = { now: () => 0, boottime: () => 0 };
const value = { namespace: 'fleet', name: 'spoke', key: 'token' };
const signal = new AbortController().signal;

beforeAll(async () => {
  const user = { name: 'bot', groups: [] };
  api = await startKubernetesApi({ staticTokens: { good: user } });
  api.serve('GET /api/v1/namespaces/fleet/secrets/spoke', {
    status: 200,
    body: {
      kind: 'Secret',
      metadata: { name: 'spoke', namespace: 'fleet' },
      data: { token: btoa('spoke-token') },
    },
  });
});
afterAll(() => api?.dispose());

beforeEach(() => {
  const config = clusterSchema.parse({ server: api.server, account: 'corp' });
  hub = { name: 'hub', config, certificateAuthorityPem: api.caPem };
  shut = null;
  asked = [];
  tokens = ['good'];
  seen = [];
  onObtain = () => undefined;
  hubs = { fleet: 'corp' };
  api.forgetRequests();
});

function make() {
  const deps: HubSecretsDeps = {
    gate: () => shut,
    directory: {
      account: () => ({ ok: true, account: { name: 'corp' } as Account }),
      cluster: (name) =>
        name === 'hub'
          ? { ok: true, cluster: hub }
          : refuse('notFound', 'cluster.unknown', 'no such cluster'),
    },
    grants: {
      obtain: async (_, request) => {
        asked.push(request);
        onObtain();
        const token = new Secret(tokens[Math.min(asked.length, tokens.length) - 1] ?? '');
        const credential = { token, certificate: null, issuedAt: null, expiresAt: null };
        return { ok: true, grant: new Grant(credential, 1, clock), how: 'held' };
      },
      saw: async (_, __, verdict) => {
        seen.push(verdict);
      },
    },
    reach: {},
    accountOfHub: (account) => hubs[account] ?? null,
  };
  return createHubSecrets(deps);
}

describe('a Secret of a hub', () => {
  test('is read with the hub’s credential, and no one is asked for that', async () => {
    const found = await make().read('fleet', 'hub', value, signal);
    expect(found.ok && found.text.reveal()).toBe('spoke-token');
    expect(asked).toEqual([expect.objectContaining({ prompter: null })]);
    expect(asked[0]?.wantedBy).toBeUndefined();
    expect(asked[0]?.asking?.caller.hasTerminal).toBe(false);
    expect(asked[0]?.attendant).toMatchObject({ runner: null, interactive: false });
    expect(seen).toEqual(['accepted']);
  });

  test('is asked for again after a 401, by the same client', async () => {
    tokens = ['old', 'good'];
    expect(await make().read('fleet', 'hub', value, signal)).toMatchObject({ ok: true });
    expect(seen).toEqual(['rejected', 'accepted']);
    const [first, second] = asked.map(({ recipient }) => recipient?.client);
    expect(first).toBe(second);
  });

  test('is asked for twice at most', async () => {
    tokens = ['old'];
    expect(await make().read('fleet', 'hub', value, signal)).toMatchObject({
      code: 'secretReader.unauthorized',
    });
    expect(api.requests.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('is not asked for twice by one client where that went well', async () => {
    const secrets = make();
    await secrets.read('fleet', 'hub', value, signal);
    await secrets.read('fleet', 'hub', value, signal);
    expect(new Set(asked.map(({ recipient }) => recipient?.client)).size).toBe(2);
  });
});

describe('a hub is not asked', () => {
  const locked = refuse('locked', 'lock.locked', 'Lanyard is locked');

  test.each<[string, () => void, string]>([
    ['while locked', () => (shut = locked), 'lock.locked'],
    ['where it asks the user first', () => ask('15m'), 'hub.asks'],
    ['where it comes from an inventory', () => come(), 'hub.ofInventory'],
    ['for itself', () => (hubs = { fleet: 'fleet' }), 'secretReader.loop'],
    ['in a loop further on', () => (hubs = { fleet: 'a', a: 'b', b: 'a' }), 'secretReader.loop'],
  ])('%s', async (_, change, code) => {
    change();
    const secrets = make();
    expect(await secrets.read('fleet', 'hub', value, signal)).toMatchObject({ ok: false, code });
    expect(secrets.hub('fleet', 'hub')).toMatchObject({ ok: false, code });
    expect([asked.length, api.requests.length]).toEqual([0, 0]);
  });

  test.each<[string, () => void, string]>([
    ['was locked', () => (shut = locked), 'lock.locked'],
    ['has another form', () => (hub = { ...hub }), 'cluster.changed'],
    ['asks the user now', () => ask('always'), 'hub.asks'],
  ])('where it %s while its credential came', async (_, change, code) => {
    onObtain = change;
    expect(await make().read('fleet', 'hub', value, signal)).toMatchObject({ ok: false, code });
    expect(api.requests).toEqual([]);
  });

  function ask(approval: string): void {
    hub = { ...hub, config: { ...hub.config, approval } };
  }

  function come(): void {
    hub = {
      ...hub,
      origin: { inventory: 'fleet', namespace: 'a', name: 'b', uid: null, provider: 'secretreader' },
    };
  }
});
