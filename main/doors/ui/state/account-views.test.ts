import { expect, it } from 'vitest';
import type { AccountStatus, ClusterStatus, Status } from '../../../access/status.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { accountViews } from './account-views.ts';

const account = (name: string, more: Partial<AccountStatus> = {}): AccountStatus => ({
  name,
  kind: 'oidc',
  state: 'ready',
  pending: false,
  subject: 'dev@corp.example',
  issuer: 'https://id.example',
  expiresAt: 5,
  problem: null,
  advice: null,
  secondsLeft: 1,
  ...more,
});
const cluster = (name: string, of: string): ClusterStatus => ({
  name,
  server: 'https://1',
  account: of,
  state: 'ready',
  pending: false,
  problem: null,
  expiresAt: null,
});

const wanted = { since: 1, endsAt: 2, callers: [['kubectl', 'code']], waiting: 1 };

const views = (
  accounts: AccountStatus[],
  clusters: ClusterStatus[],
  registries: { name: string; account: string }[] = [],
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
    grants: { failuresOf: (name) => (name === 'corp' ? 2 : 0) },
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
