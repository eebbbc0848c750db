import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { Grant } from '../grants/grant.ts';
import type { Account, Credential } from '../ports/account.ts';
import type { CallEvent } from '../ports/history.ts';
import { type AnsweredRequest, Chains } from './chains.ts';

let clock: ManualClock;
let chains: Chains;
let clusters: Map<string, LoadedCluster>;
let locked: Refusal | null;
let recorded: CallEvent[];
/** What each account gives now, and how often it was renewed. */
let generations: Map<string, number>;
let lives: number;
let seen: [string, string][];
/** Whether it is known at once what was seen. */
let arrives: boolean;
let meanwhile: () => void;

function credential(account: string): Credential {
  const token = new Secret(`${account}-${generations.get(account) ?? 1}`);
  const awsKeys = { accessKeyId: account, secretAccessKey: token, sessionToken: null };
  return {
    ...(account === 'keys' && { awsKeys }),
    token,
    certificate: null,
    issuedAt: clock.now(),
    expiresAt: clock.now() + lives,
  };
}

function setCluster(fields: object = {}): void {
  const config = clusterSchema.parse({ server: 'https://prod', account: 'corp', proxy: {}, ...fields });
  clusters.set('prod', { name: 'prod', config, certificateAuthorityPem: null });
}

beforeEach(() => {
  clock = new ManualClock();
  clusters = new Map();
  locked = null;
  recorded = [];
  generations = new Map();
  lives = 3_600_000;
  seen = [];
  arrives = true;
  meanwhile = () => undefined;
  setCluster();
  chains = new Chains({
    gate: () => locked,
    clock,
    directory: {
      account: (name) => ({
        ok: true,
        account: { name, kind: name === 'signer' ? 'requestSigner' : 'oidc' } as Account,
      }),
      cluster: (name) => {
        const cluster = clusters.get(name);
        return cluster ? { ok: true, cluster } : refuse('notFound', 'cluster.unknown', 'unknown');
      },
    },
    grants: {
      obtain: async ({ name, kind }) => {
        if (kind === 'requestSigner') {
          throw new Error('a program that signs has no credential');
        }
        const given = new Grant(credential(name), generations.get(name) ?? 1, clock);
        meanwhile();
        return { ok: true, grant: given, how: 'held' };
      },
      renewNow: async ({ name }) => {
        generations.set(name, (generations.get(name) ?? 1) + 1);
        return { ok: true, credential: credential(name) };
      },
      saw: async ({ name }, _, verdict) => void seen.push([name, verdict]),
      rejectingSince: ({ name }) =>
        arrives && seen.findLast(([of]) => of === name)?.[1] === 'rejected' ? 1 : null,
    },
    recorder: { record: (event) => void (event.kind === 'call' && recorded.push(event)) },
    callerOf: (pid) => ({ pid }) as CallEvent['caller'],
    useCertificate: () => undefined,
  });
});

async function give(rejected: number | null = null) {
  const given = await chains.give('prod', 7, rejected);
  if (!given.ok) {
    throw new Error(given.code);
  }
  const values = given.steps.map((step) => ('value' in step ? `${step.name}: ${step.value}` : step.step));
  return { ...given, values };
}

function answered(status: number, more: Partial<AnsweredRequest> = {}): void {
  chains.answered('prod', { status, path: '/api/v1/pods', milliseconds: 0, ...more });
}

test('a credential is on record once, with the process whose request it is (rule: everything-recorded)', async () => {
  setCluster({ proxy: { chain: [{ set: 'Proxy-Authorization', account: 'iap' }] } });
  expect((await give()).values).toEqual([
    'Authorization: Bearer corp-1',
    'Proxy-Authorization: Bearer iap-1',
  ]);
  await give();
  expect(recorded).toMatchObject([
    { door: 'proxy', account: 'corp', outcome: 'handedOut', caller: { pid: 7 }, generation: 1 },
    { door: 'proxy', account: 'iap' },
  ]);
});

test('it is good for a minute at most, and ends before its credential does', async () => {
  expect((await give()).livesMilliseconds).toBe(60_000);
  lives = 10_000;
  expect((await give()).livesMilliseconds).toBe(8_000);
  lives = 1_000;
  expect((await give()).livesMilliseconds).toBe(0);
});

test('what the cluster rejects is renewed, once a minute at most (rule: inferred-401)', async () => {
  const first = await give();
  const second = await give(first.generation);
  expect(second.values).toEqual(['Authorization: Bearer corp-2']);
  expect(seen).toEqual([['prod', 'rejected']]);
  // Another request was rejected with what is replaced already.
  expect((await give(first.generation)).values).toEqual(second.values);
  const third = await give();
  expect((await give(third.generation)).values).toEqual(second.values);
  clock.advance(60_000);
  const fourth = await give();
  expect((await give(fourth.generation)).values).toEqual(['Authorization: Bearer corp-3']);
});

test('a cluster that accepts again is no longer known as rejecting', async () => {
  answered(200);
  const { generation } = await give();
  await give(generation);
  answered(401);
  expect(seen).toEqual([['prod', 'rejected']]);
  // Nothing is known of its answers; the next chain after the lock counts.
  chains.forgetAll();
  answered(200);
  expect(seen).toHaveLength(1);
  await give();
  answered(500);
  answered(403);
  answered(200);
  expect(seen).toEqual([
    ['prod', 'rejected'],
    ['prod', 'accepted'],
  ]);
});

describe('what the cluster answers', () => {
  const verdicts = () => seen.map(([, verdict]) => verdict);

  test('each 401 counts, also within a minute of the last one, and each success', async () => {
    const { generation } = await give();
    const renewed = await give(generation);
    answered(200);
    clock.advance(5_000);
    await give(renewed.generation);
    answered(401);
    answered(200);
    expect(verdicts()).toEqual(['rejected', 'accepted', 'rejected', 'accepted']);
  });

  test('in one go counts in its order, before the first of it has arrived', async () => {
    await give();
    arrives = false;
    answered(401);
    answered(200);
    expect(verdicts()).toEqual(['rejected', 'accepted']);
  });

  test.each<[string, number, Partial<AnsweredRequest>]>([
    ['a watch that ends', 200, { milliseconds: 3_600_000 }],
    ['a service behind the cluster', 401, { path: '/api/v1/namespaces/a/services/b/proxy/login' }],
    ['a node behind the cluster', 401, { path: '/api/v1/nodes/n/proxy' }],
  ])('says nothing of the credential: %s', async (_, status, more) => {
    await give();
    answered(status === 200 ? 401 : 200);
    clock.advance(5_000);
    generations.set('corp', 2);
    await give();
    const before = [...seen];
    answered(status, more);
    expect(seen).toEqual(before);
    answered(status);
    expect(seen).toHaveLength(before.length + 1);
  });

  test('a path that refuses what others accept doesn’t make the cluster rejecting', async () => {
    await give();
    for (let times = 0; times < 100; times++) {
      answered(200);
      answered(401);
    }
    expect(seen).toEqual([]);
  });
});

test('nothing is given once Lanyard is locked, however far the request is (rule: locked-issues-nothing)', async () => {
  meanwhile = () => {
    locked = refuse('locked', 'vault.locked', 'locked');
  };
  expect(await chains.give('prod', 7, null)).toMatchObject({ ok: false, code: 'vault.locked' });
  expect(recorded).toEqual([]);
});

test('a cluster that changed while its credential came gets the one for what it is now', async () => {
  meanwhile = () => {
    meanwhile = () => undefined;
    setCluster({ account: 'other' });
  };
  expect((await give()).values).toEqual(['Authorization: Bearer other-1']);
  meanwhile = () => setCluster({ proxy: undefined });
  expect(await chains.give('prod', 7, null)).toMatchObject({ ok: false, code: 'proxy.none' });
});

test('a program that signs is the data plane’s to ask for each request: nothing is obtained of it', async () => {
  setCluster({ account: 'signer', proxy: { chain: [{ set: 'X-Key', account: 'iap' }, { sign: 'signer' }] } });
  const { values, steps } = await give();
  expect(values).toEqual(['X-Key: iap-1', 'signProgram']);
  expect(steps.at(-1)).toMatchObject({ signer: 'signer', credentials: false });
  expect(recorded.map(({ account }) => account)).toEqual(['iap']);
});

test('a 403 says that a credential was accepted, but not where AWS’s services check signatures', async () => {
  const chain = [{ sign: 'keys', service: 'execute-api', region: 'eu-west-1' }];
  for (const [proxy, verdicts] of [
    [{ chain: [] }, ['rejected', 'accepted']],
    [{ chain }, ['rejected', 'rejected']],
  ] as const) {
    seen = [];
    clock.advance(61_000);
    setCluster({ proxy });
    const { generation } = await give();
    await give(generation);
    answered(403);
    expect(seen.map(([, verdict]) => verdict)).toEqual(verdicts);
  }
});
