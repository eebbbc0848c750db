import { expect, it } from 'vitest';
import type { AccountStatus, ClusterStatus, Status } from '../../../access/status.ts';
import { aClusterStatus, anAccountStatus } from '../../../access/testing/a-status.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import type { CachedCredential } from '../../../grants/grants.ts';
import { cachedCredential } from '../../../grants/testing/cached-credential.ts';
import { accountViews } from './account-views.ts';

const account = (name: string, more: Partial<AccountStatus> = {}) =>
  anAccountStatus(name, { subject: 'dev@corp.example', issuer: 'https://id.example', expiresAt: 5, ...more });
const cluster = (name: string, of: string) => aClusterStatus(name, { account: of });

const wanted = { since: 1, endsAt: 2, callers: [['kubectl', 'code']], waiting: 1 };

const views = (
  accounts: AccountStatus[],
  clusters: ClusterStatus[],
  registries: { name: string; account: string }[] = [],
  cached: CachedCredential[] = [],
) =>
  accountViews({ accounts, clusters, registries } as unknown as Status, {
    config: {
      current: () =>
        ({
          accounts: new Map(),
          clusters: new Map(clusters.map((each) => [each.name, { config: each }])),
        }) as unknown as LoadedConfig,
    },
    logins: {
      underWay: (name) => (name === 'corp' ? { startedAt: 3, flow: 'device' } : null),
      wanted: { view: (name: string) => (name === 'bot' ? wanted : null) },
    },
    grants: { failuresOf: (name) => (name === 'corp' ? 2 : 0), overview: () => cached },
  });

it('tells of each account what serves it, and the login that is under way', () => {
  const [corp, bot] = views(
    [account('corp', { clockOffSeconds: 90 }), account('bot', { endIs: 'read', subject: null })],
    [cluster('b', 'corp'), cluster('a', 'corp'), cluster('c', 'gone')],
    [
      { name: 'ghcr', account: 'corp' },
      { name: 'hub', account: 'gone' },
    ],
  );
  expect(corp).toEqual({
    name: 'corp',
    kind: 'oidc',
    state: 'ready',
    subject: 'dev@corp.example',
    issuer: 'https://id.example',
    expiresAt: 5,
    credential: { kind: 'token', issuedAt: null, expiresAt: 5, renewsAt: null, trouble: null, generation: 0 },
    endIs: null,
    problem: null,
    clockOffSeconds: 90,
    clusters: ['b', 'a'],
    registries: ['ghcr'],
    login: { startedAt: 3, flow: 'device' },
    wanted: null,
    byHand: false,
    failures: 2,
    waitsAtToken: false,
    tokenIsOut: false,
  });
  expect(bot).toMatchObject({ endIs: 'read', clockOffSeconds: null, clusters: [], login: null, wanted });
});

it('tells what a token waits for, and that one was taken out', () => {
  const found = views([account('touched', { waitsAtToken: true }), account('out', { tokenIsOut: true })], []);
  expect(found.map(({ waitsAtToken, tokenIsOut }) => [waitsAtToken, tokenIsOut])).toEqual([
    [true, false],
    [false, true],
  ]);
});

it('takes names that objects have for names', () => {
  const found = views([account('constructor'), account('__proto__')], [cluster('x', '__proto__')]);
  expect(found.map(({ clusters }) => clusters)).toEqual([[], ['x']]);
});

it('tells of its credentials the one that could not be renewed, else the one that expires last', () => {
  const cached = (audience: string, expiresAt: number, trouble: string | null) =>
    cachedCredential({ audience, trouble }, expiresAt);
  const told = (...all: CachedCredential[]) =>
    views([account('corp')], [], [], all).map(({ credential }) => credential?.expiresAt);
  expect(told(cached('a', 7, null), cached('b', 9, null), cached('c', 8, null))).toEqual([9]);
  expect(told(cached('a', 7, 'x'), cached('b', 9, null))).toEqual([7]);
  expect(told(cached('b', 9, null), cached('a', 7, 'x'))).toEqual([7]);
});

it('tells when a certificate became valid before it was used: its notice goes by its life', () => {
  const [pair] = views([account('edge', { kind: 'clientCertificate', issuedAt: 3, expiresAt: 9 })], []);
  expect(pair?.credential).toMatchObject({ kind: 'certificate', issuedAt: 3, expiresAt: 9, renewsAt: null });
});
