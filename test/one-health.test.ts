import { expect, it } from 'vitest';
import { trayMenu } from '../app/tray/tray-menu.ts';
import { trayState } from '../app/tray/tray-state.ts';
import type { AccountStatus, Status } from '../main/access/status.ts';
import { Secret } from '../main/base/secret.ts';
import { type Health, healthOf } from '../main/contract/ui/health.ts';
import { groupLabels } from '../main/contract/ui/health-words.ts';
import { accountViews } from '../main/doors/ui/state/account-views.ts';
import { clusterViews } from '../main/doors/ui/state/cluster-views.ts';
import { registryViews } from '../main/doors/ui/state/registry-views.ts';
import type { CachedCredential } from '../main/grants/grants.ts';
import { accountHealth, stateText } from '../renderer/features/accounts/account-words.ts';
import { readListQuery } from '../renderer/features/clusters/list/list-query.ts';
import { clusterRows, listRows } from '../renderer/features/clusters/list/list-rows.ts';
import { registryRows } from '../renderer/features/registries/list-rows.ts';
import { stateWith } from './support/ui-state.ts';

const now = new Date(2027, 4, 12, 13, 49).getTime();
const minute = 60_000;
const day = 1_440 * minute;

type Held = Partial<Pick<CachedCredential, 'renewsAt' | 'trouble'>> & { issuedAt: number; expiresAt: number };

/** The page’s and the app’s state of one account, its cluster and its registry. */
function stateOf(account: Partial<AccountStatus>, held: Held | null) {
  const of = {
    kind: 'oidc',
    state: 'ready',
    subject: 'alice',
    issuer: null,
    expiresAt: held?.expiresAt ?? null,
    problem: null,
    ...account,
    name: 'corp',
  } as AccountStatus;
  const served = { account: 'corp', state: of.state, problem: null, expiresAt: of.expiresAt };
  const status = {
    accounts: [of],
    clusters: [{ name: 'prod', server: 'https://1', ...served }],
    registries: [{ name: 'hub', matchImages: ['hub.example'], ...served }],
  } as unknown as Status;
  const cached: CachedCredential[] = held
    ? [
        {
          account: 'corp',
          audience: null,
          target: null,
          credential: { token: new Secret('t'), certificate: null, ...held },
          generation: 1,
          isShaped: false,
          renewsAt: held.renewsAt ?? null,
          trouble: held.trouble ?? null,
        },
      ]
    : [];
  const config = {
    accounts: new Map([['corp', {}]]),
    clusters: new Map([['prod', { name: 'prod', config: { server: 'https://1', account: 'corp' } }]]),
    registries: new Map([
      ['hub', { name: 'hub', config: { matchImages: ['hub.example'], account: 'corp' } }],
    ]),
    settings: { appearance: { colors: [] } },
  };
  const deps = {
    config: { current: () => config as never },
    grants: { overview: () => cached, failuresOf: () => 0 },
    recent: { seed: () => {}, lastCall: () => null, laneVersion: () => 0 },
    contextOf: () => null,
    logins: { underWay: () => null, wanted: { view: () => null } },
  };
  return stateWith({
    accounts: accountViews(status, deps),
    clusters: clusterViews(status, deps),
    registries: registryViews(status, deps),
  });
}

const hour = { issuedAt: now - 50 * minute, expiresAt: now + 10 * minute };
const certificate = { kind: 'clientCertificate', issuedAt: now - day, expiresAt: now + 4 * day } as const;
const byHand = { byHand: true, problem: 'there is no refresh token; log in again when the token expires' };

it.each<[string, Partial<AccountStatus>, Held | null, Health, string]>([
  ['a login that renews', {}, { ...hour, renewsAt: now + 5 * minute }, 'good', 'Ready'],
  [
    'a login without a refresh token, with time left',
    byHand,
    { ...hour, expiresAt: now + 40 * minute },
    'good',
    'Ready',
  ],
  ['the same in its last minutes', byHand, hour, 'soon', 'Expiring soon'],
  ['a plugin’s last token', { kind: 'execPlugin', endIs: 'promised' }, hour, 'good', 'Ready'],
  [
    'a renewal that failed',
    {},
    { ...hour, renewsAt: now + minute, trouble: 'no answer' },
    'soon',
    'Renewal failed',
  ],
  ['a plugin that has not run', { kind: 'execPlugin', endIs: 'nothing' }, null, 'idle', 'Ready'],
  ['a certificate before its first use', certificate, null, 'good', 'Ready'],
  [
    'a certificate in its last week',
    { ...certificate, issuedAt: now - 300 * day },
    null,
    'soon',
    'Expiring soon',
  ],
  ['a login that is needed', { state: 'loginNeeded' }, null, 'need', 'Login needed'],
  ['a plugin that fails', { kind: 'execPlugin', state: 'failing' }, null, 'bad', 'Failing'],
])('all views have one health: %s', (_, account, held, expected, words) => {
  const state = stateOf(account, held);
  const { clusters, registries, accounts } = state;
  const [cluster, registry, own] = [clusters['prod'], registries['hub'], accounts['corp']];
  if (!cluster || !registry || !own) {
    throw new Error('a view is missing');
  }
  const query = readListQuery('');
  const wishes = { names: new Map(), order: new Map(), favorites: new Set<string>() };
  const rows = listRows(
    clusterRows([{ cluster, health: healthOf(cluster, now) }], query.sort, wishes),
    query,
  );
  const inMenu = trayMenu(state, now).flatMap((item) => (item.kind === 'heading' ? item.label : []));
  expect({
    panel: healthOf(cluster, now),
    list: rows.flatMap((row) => (row.kind === 'heading' ? row.label : [])),
    registries: registryRows(registries, '', now).map(({ health }) => health),
    account: accountHealth(own, now),
    accountWords: stateText(own, accountHealth(own, now)),
    tray: trayState(state, now).shape,
    menu: inMenu.filter((label) => label !== 'Registries'),
  }).toEqual({
    panel: expected,
    list: [groupLabels[expected]],
    registries: [expected],
    account: expected,
    accountWords: words,
    // Nothing waits for the user where nothing is cached yet.
    tray: expected === 'idle' ? 'good' : expected,
    menu: [groupLabels[expected]],
  });
});
