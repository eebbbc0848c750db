import { expect, it } from 'vitest';
import type { AccountStatus, RegistryStatus, Status } from '../../../access/status.ts';
import { anAccountStatus } from '../../../access/testing/a-status.ts';
import type { CachedCredential } from '../../../grants/grants.ts';
import { cachedCredential } from '../../../grants/testing/cached-credential.ts';
import { registryViews } from './registry-views.ts';

interface Given {
  account?: Partial<AccountStatus>;
  registry?: Partial<RegistryStatus>;
  config?: Record<string, unknown>;
  held?: Partial<CachedCredential>[];
}

function viewed({ account = {}, registry = {}, config = {}, held = [] }: Given = {}) {
  const seeded: (readonly string[])[] = [];
  const matchImages = ['ghcr.io/team', '*.azurecr.io'];
  const status = {
    accounts: [anAccountStatus('bot', { kind: 'registry', ...account })],
    registries: [
      {
        name: 'ghcr',
        matchImages,
        account: 'bot',
        state: 'ready',
        pending: false,
        expiresAt: null,
        ...registry,
      },
    ],
  } as unknown as Status;
  const own = { matchImages, account: 'bot', approval: 'never', cacheDuration: '0s', ...config };
  const [view] = registryViews(status, {
    config: {
      current: () =>
        ({
          registries: new Map([['ghcr', { name: 'ghcr', config: own }]]),
        }) as never,
    },
    grants: {
      overview: () => held.map((each) => cachedCredential({ account: 'bot', ...each })),
    },
    recent: {
      seed: (names) => void seeded.push(names),
      lastCall: (target) =>
        target === 'registry ghcr'
          ? {
              at: 5,
              door: 'docker',
              program: 'docker',
              parent: null,
              outcome: 'handedOut',
              reason: 'held',
              microseconds: 1,
            }
          : null,
    },
  });
  return { view, seeded };
}

it('tells patterns, account and last use, which patterns cover strangers’ names, and no secret', () => {
  const { view, seeded } = viewed({ config: { calledAs: 'work', approval: '8h' } });
  expect(view).toEqual({
    name: 'ghcr',
    matchImages: ['ghcr.io/team', '*.azurecr.io'],
    tokenServers: [],
    coversStrangers: ['*.azurecr.io'],
    account: 'bot',
    kind: 'registry',
    state: 'ready',
    isPending: false,
    problem: null,
    credential: {
      kind: 'password',
      issuedAt: null,
      expiresAt: null,
      renewsAt: null,
      trouble: null,
      generation: 0,
    },
    byHand: false,
    audience: null,
    userName: null,
    approval: '8h',
    cacheDuration: '0s',
    calledAs: 'work',
    lastCall: expect.objectContaining({ door: 'docker', program: 'docker' }),
  });
  expect(seeded).toEqual([['registry ghcr']]);
});

it('tells the cached credential of its audience', () => {
  const { view } = viewed({
    account: { kind: 'oidc' },
    config: { audience: 'reg' },
    held: [{ audience: 'other', generation: 1 }, { audience: 'reg' }],
  });
  expect(view?.credential).toMatchObject({ kind: 'token', expiresAt: 9, renewsAt: 8, generation: 4 });
});

it.each([
  [
    { account: { state: 'secretMissing' as const }, registry: { state: 'secretMissing' } },
    /bot has no secret yet/,
  ],
  [{ registry: { state: 'held' } }, /pending approval/],
  [{ registry: { state: 'unknownAccount' } }, /no account bot.*give the registry another/],
])('tells trouble %#', (given, problem) => {
  const { view } = viewed(given);
  expect(view?.problem).toMatch(problem);
});
