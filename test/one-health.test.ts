import { expect, it } from 'vitest';
import { trayMenu } from '../app/tray/tray-menu.ts';
import { trayState } from '../app/tray/tray-state.ts';
import { createStatusReader, type StatusReader } from '../main/access/status.ts';
import { Secret } from '../main/base/secret.ts';
import { runsProgram } from '../main/contract/program-names.ts';
import { type Health, healthOf } from '../main/contract/ui/health.ts';
import { groupLabels } from '../main/contract/ui/health-words.ts';
import { withoutStyle } from '../main/domain/text/style.ts';
import { stateWord } from '../main/doors/cli/status/state-text.ts';
import { statusCommand } from '../main/doors/cli/status/status-command.ts';
import { commandCall } from '../main/doors/cli/testing/command-call.ts';
import { accountViews } from '../main/doors/ui/state/account-views.ts';
import { clusterViews } from '../main/doors/ui/state/cluster-views.ts';
import { registryViews } from '../main/doors/ui/state/registry-views.ts';
import type { CachedCredential } from '../main/grants/grants.ts';
import type { AccountState } from '../main/ports/account.ts';
import { accountHealth, stateText } from '../renderer/features/accounts/account-words.ts';
import { readListQuery } from '../renderer/features/clusters/list/list-query.ts';
import { clusterRows, listRows } from '../renderer/features/clusters/list/list-rows.ts';
import { registryRows } from '../renderer/features/registries/list-rows.ts';
import { stateWith } from './support/ui-state.ts';

const now = new Date(2027, 4, 12, 13, 49).getTime();
const minute = 60_000;
const day = 1_440 * minute;

type Held = Partial<Pick<CachedCredential, 'renewsAt' | 'trouble'>> & { issuedAt: number; expiresAt: number };

const audience = 'k8s';

function cachedOf(of: string | null, held: Held | null): CachedCredential[] {
  return held === null
    ? []
    : [
        {
          account: 'corp',
          audience: of,
          target: null,
          credential: { token: new Secret('t'), certificate: null, ...held },
          generation: 1,
          isShaped: false,
          renewsAt: held.renewsAt ?? null,
          trouble: held.trouble ?? null,
        },
      ];
}

/**
 * What the broker says of one account, its cluster and its registry: as the page and the app show it, and the command.
 * `ofAudience`: both need a token for their own audience.
 */
async function saidOf(account: Partial<AccountState>, held: Held | null, ofAudience: Held | null = null) {
  const of: AccountState = {
    kind: 'oidc',
    state: 'ready',
    subject: 'alice',
    issuer: null,
    expiresAt: held?.expiresAt ?? null,
    problem: null,
    ...account,
  };
  const cached = [...cachedOf(null, held), ...cachedOf(audience, ofAudience)];
  const own = { account: 'corp', ...(ofAudience && { audience }) };
  const config = {
    accounts: new Map([['corp', { name: 'corp', config: { [of.kind]: {} } }]]),
    clusters: new Map([['prod', { name: 'prod', config: { server: 'https://1', ...own } }]]),
    registries: new Map([['hub', { name: 'hub', config: { matchImages: ['hub.example'], ...own } }]]),
    settings: { appearance: { colors: [] } },
  };
  const reader = createStatusReader({
    version: '1',
    home: '/h',
    clock: { now: () => now, boottime: () => 0 },
    vault: { state: () => ({ kind: 'open', slots: [] }) },
    lock: { gate: () => null },
    idleLock: { state: () => null },
    config: { current: () => config, problems: () => [], file: '' },
    bindings: { changes: () => [], pending: () => null, isServed: () => true },
    imports: { offers: () => [] },
    undone: async () => [],
    programs: { checkAll: async () => new Map() },
    peekAccount: () => ({ keepsNothing: runsProgram(of.kind), state: async () => of }),
    grants: {
      hasValid: (_: string, of: string | null) =>
        cached.some(({ audience, credential: { expiresAt } }) => audience === of && Number(expiresAt) > now),
      troubleOf: (_: string, of: string | null) => (of === null ? held : ofAudience)?.trouble ?? null,
      expiryFor: () => ofAudience?.expiresAt ?? null,
      cachedFor: () => cached.map((each) => ({ ...each, variables: [] })),
      rejectingSince: () => null,
    },
    history: { problems: () => [] },
    scraping: { problem: () => null },
    requestProxy: { faults: () => [] },
  } as never);
  const status = await reader.read();
  const deps = {
    config: { current: () => config as never },
    grants: { overview: () => cached, failuresOf: () => 0 },
    recent: { seed: () => {}, lastCall: () => null, laneVersion: () => 0 },
    contextOf: () => null,
    logins: { underWay: () => null, wanted: { view: () => null } },
  };
  const state = stateWith({
    accounts: accountViews(status, deps),
    clusters: clusterViews(status, deps),
    registries: registryViews(status, deps),
  });
  return { status, state, command: await commandOf(reader) };
}

/** Each word for the state of all three that `lanyard status` has: in its summary, its tables, as JSON and in a prompt. */
async function commandOf(reader: StatusReader): Promise<string[]> {
  const run = async (...words: string[]) => {
    const command = statusCommand({
      kubectl: { of: async () => new Map() },
      status: reader,
      inventories: { read: async () => [] },
      config: { current: () => ({ clusters: new Map() }) },
    } as never);
    return withoutStyle(String((await command(commandCall(words))).stdout));
  };
  const text = await run('--all');
  const { accounts, clusters, registries } = JSON.parse(await run('--json'));
  const one = await reader.readOne({ account: 'corp', cluster: 'prod' });
  const summary = [...text.matchAll(/^(?:accounts|clusters|registries) +1: 1 (.*)$/gm)].map(
    ([, word]) => word,
  );
  const json = [...accounts, ...clusters, ...registries, one].map(({ state }) => stateWord(state));
  const words = new Set([...summary, ...json]);
  const left = accounts[0].secondsLeft;
  expect(left === null || left >= 0).toBe(true);
  return [...words].map(String);
}

const hour = { issuedAt: now - 50 * minute, expiresAt: now + 10 * minute };
const certificate = { kind: 'clientCertificate', issuedAt: now - day, expiresAt: now + 4 * day } as const;
const byHand = { byHand: true, problem: 'there is no refresh token; log in again when the token expires' };

it.each<[string, Partial<AccountState>, Held | null, Health, string, string]>([
  ['a login that renews', {}, { ...hour, renewsAt: now + 5 * minute }, 'good', 'Ready', 'ready'],
  [
    'a login without a refresh token, with time left',
    byHand,
    { ...hour, expiresAt: now + 40 * minute },
    'good',
    'Ready',
    'ready',
  ],
  ['the same in its last minutes', byHand, hour, 'soon', 'Expiring soon', 'ready'],
  ['a plugin’s last token', { kind: 'execPlugin' }, hour, 'good', 'Ready', 'ready'],
  [
    'a renewal that failed',
    {},
    { ...hour, renewsAt: now + minute, trouble: 'no answer' },
    'soon',
    'Renewal failed',
    'ready',
  ],
  ['a plugin that has not run', { kind: 'execPlugin' }, null, 'idle', 'Ready', 'ready'],
  ['a certificate before its first use', certificate, null, 'good', 'Ready', 'ready'],
  [
    'a certificate in its last week',
    { ...certificate, issuedAt: now - 300 * day },
    null,
    'soon',
    'Expiring soon',
    'ready',
  ],
  ['a login that is needed', { state: 'loginNeeded' }, null, 'need', 'Login needed', 'log in'],
  ['a plugin that fails', { kind: 'execPlugin', state: 'failing' }, null, 'bad', 'Failing', 'failing'],
  [
    'a token that has expired, of a provider that doesn’t answer',
    {},
    { issuedAt: now - 60 * minute, expiresAt: now - minute, trouble: 'could not be renewed: no answer' },
    'bad',
    'Failing',
    'failing',
  ],
  [
    'a session whose last renewal was interrupted',
    { state: 'interrupted' },
    null,
    'need',
    'Log in again',
    'log in again',
  ],
  [
    'a secret that isn’t set',
    { kind: 'staticToken', state: 'secretMissing' },
    null,
    'need',
    'Secret missing',
    'secret missing',
  ],
  [
    'a token that the user set, and that has expired',
    { kind: 'staticToken', state: 'expired' },
    null,
    'need',
    'Expired',
    'expired',
  ],
  ['an account that can’t be used', { state: 'invalid' }, null, 'bad', 'Can’t be used', 'can’t be used'],
])('all views have one health: %s', async (_, account, held, expected, words, word) => {
  const { state, command } = await saidOf(account, held);
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
    command,
  }).toEqual({
    panel: expected,
    list: [groupLabels[expected]],
    registries: [expected],
    account: expected,
    accountWords: words,
    // Nothing waits for the user where nothing is cached yet.
    tray: expected === 'idle' ? 'good' : expected,
    menu: [groupLabels[expected]],
    command: [word],
  });
});

it.each<[string, Held, Held, string]>([
  [
    'works while it has one, though the account fails',
    { ...hour, expiresAt: now - minute, trouble: 'down' },
    hour,
    'ready',
  ],
  ['fails once that has expired', hour, { ...hour, expiresAt: now - minute, trouble: 'down' }, 'failing'],
  ['works on where its renewal failed', hour, { ...hour, trouble: 'down' }, 'ready'],
])('what needs a token for its own audience %s', async (_, held, ofAudience, expected) => {
  const { status } = await saidOf({}, held, ofAudience);
  expect([...status.clusters, ...status.registries].map(({ state }) => state)).toEqual([expected, expected]);
});
