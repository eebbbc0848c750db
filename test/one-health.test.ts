import { expect, it } from 'vitest';
import { trayMenu } from '../app/tray/tray-menu.ts';
import { trayState } from '../app/tray/tray-state.ts';
import { createStatusReader, type StatusReader } from '../main/access/status.ts';
import { Secret } from '../main/base/secret.ts';
import { runsProgram } from '../main/contract/program-names.ts';
import { refuse } from '../main/contract/refusal.ts';
import { type Health, healthOf } from '../main/contract/ui/health.ts';
import { groupLabels } from '../main/contract/ui/health-words.ts';
import type { UiState } from '../main/contract/ui/state.ts';
import { withoutStyle } from '../main/domain/text/style.ts';
import { stateWord } from '../main/doors/cli/status/state-text.ts';
import { statusCommand } from '../main/doors/cli/status/status-command.ts';
import { commandCall } from '../main/doors/cli/testing/command-call.ts';
import { accountViews } from '../main/doors/ui/state/account-views.ts';
import { clusterViews } from '../main/doors/ui/state/cluster-views.ts';
import { registryViews } from '../main/doors/ui/state/registry-views.ts';
import type { CachedCredential } from '../main/grants/grants.ts';
import type { AccountState } from '../main/ports/account.ts';
import type { VaultState } from '../main/ports/vault.ts';
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

interface Situation {
  ofAudience?: Held | null;
  isLocked?: boolean;
  /** config.yaml has the account. */
  hasAccount?: boolean;
  /** The cluster answers 401 to what is fresh. */
  rejects?: boolean;
  /** Entries that have no approved form. */
  pending?: readonly (readonly ['account' | 'cluster' | 'registry', name: string])[];
}

/**
 * What the broker says of one account, its cluster and its registry: as the page and the app show it, and the command.
 * `ofAudience`: both need a token for their own audience.
 */
async function saidOf(
  account: Partial<AccountState>,
  held: Held | null,
  { ofAudience = null, isLocked = false, hasAccount = true, rejects = false, pending = [] }: Situation = {},
) {
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
    accounts: new Map(hasAccount ? [['corp', { name: 'corp', config: { [of.kind]: {} } }]] : []),
    clusters: new Map([['prod', { name: 'prod', config: { server: 'https://1', ...own } }]]),
    registries: new Map([['hub', { name: 'hub', config: { matchImages: ['hub.example'], ...own } }]]),
    settings: { appearance: { colors: [] } },
  };
  const vault: VaultState = isLocked
    ? { kind: 'locked', how: 'gate', reason: 'you locked it' }
    : { kind: 'open', slots: [], generation: 1 };
  const reader = createStatusReader({
    version: '1',
    home: '/h',
    clock: { now: () => now, boottime: () => 0 },
    lock: {
      gate: () => (isLocked ? refuse('locked', 'lock.locked', 'Lanyard is locked') : null),
      state: () => vault,
    },
    idleLock: { state: () => null },
    config: { current: () => config, problems: () => [], file: '' },
    bindings: {
      changes: () => pending.map(([what, name]) => ({ what, name, change: 'new', served: false })),
      pending: (what: string, name: string) =>
        pending.some((each) => String(each) === String([what, name])) ? {} : null,
      isServed: (what: string, name: string) =>
        !pending.some((each) => String(each) === String([what, name])),
    },
    imports: { offers: () => [] },
    undone: async () => [],
    programs: { checkAll: async () => new Map() },
    peekAccount: () => (hasAccount ? { keepsNothing: runsProgram(of.kind), state: async () => of } : null),
    grants: {
      hasValid: (_: string, of: string | null) =>
        cached.some(({ audience, credential: { expiresAt } }) => audience === of && Number(expiresAt) > now),
      troubleOf: (_: string, of: string | null) => (of === null ? held : ofAudience)?.trouble ?? null,
      expiryFor: () => ofAudience?.expiresAt ?? null,
      cachedFor: () => cached.map((each) => ({ ...each, variables: [] })),
      rejectingSince: () => (rejects ? now - minute : null),
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
    lock: isLocked ? 'gate' : 'open',
    held: status.held.map((each) => ({ ...each })),
    accounts: accountViews(status, deps),
    clusters: clusterViews(status, deps),
    registries: registryViews(status, deps),
  });
  return { status, state, command: await commandOf(reader, vault) };
}

type Surface = 'accounts' | 'clusters' | 'registries' | 'prompt';

/** Each word that `lanyard status` has for a state: in its summary, its tables, as JSON and in a prompt. */
async function commandOf(reader: StatusReader, vault: VaultState): Promise<Record<Surface, string[]>> {
  const run = async (...words: string[]) => {
    const command = statusCommand({
      kubectl: { of: async () => new Map() },
      status: reader,
      inventories: { read: async () => [] },
      config: { current: () => ({ clusters: new Map() }) },
      pathsOf: () => [],
      contexts: async () => ({
        current: { name: 'prod' },
        entries: new Map([['prod', { namespace: null, lanyard: { account: 'corp', cluster: 'prod' } }]]),
      }),
      lock: { state: () => vault },
    } as never);
    const call = commandCall(words);
    const terminal = { ...call.terminal, environment: async () => ({}) };
    return withoutStyle(String((await command({ ...call, terminal })).stdout)).trimEnd();
  };
  const text = await run('--all');
  const json = JSON.parse(await run('--json'));
  for (const { secondsLeft } of json.accounts) {
    expect(secondsLeft === null || secondsLeft >= 0).toBe(true);
  }
  const of = (rows: 'accounts' | 'clusters' | 'registries', heading: string) => [
    ...new Set([
      ...[...text.matchAll(new RegExp(`^${rows} +1: 1 (.*)$`, 'gm'))].map(([, word]) => String(word)),
      ...inColumn(text, heading),
      ...json[rows].map(({ state }: { state: string }) => stateWord(state)),
    ]),
  ];
  return {
    accounts: of('accounts', 'ACCOUNT'),
    clusters: of('clusters', 'CLUSTER'),
    registries: of('registries', 'REGISTRY'),
    prompt: [stateWord(await run('--format', '{state}'))],
  };
}

/** The column STATE of the table that begins with `heading`, without that a change is pending. */
function inColumn(text: string, heading: string): string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`${heading} `));
  const place = lines[at]?.indexOf('STATE') ?? -1;
  return at === -1
    ? []
    : [
        lines[at + 1]
          ?.slice(place)
          .split(/ {2}|, change/)[0]
          ?.trim() ?? '',
      ];
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
  expect({ ...shownOf(state), command }).toEqual({
    panel: expected,
    list: [groupLabels[expected]],
    registries: [expected],
    account: expected,
    accountWords: words,
    // Nothing waits for the user where nothing is cached yet.
    tray: expected === 'idle' ? 'good' : expected,
    menu: [groupLabels[expected]],
    command: { accounts: [word], clusters: [word], registries: [word], prompt: [word] },
  });
});

/** As the page and the app show the state. */
function shownOf(state: UiState) {
  const { clusters, registries, accounts } = state;
  const [cluster, own] = [clusters['prod'], accounts['corp']];
  if (!cluster) {
    throw new Error('the view is missing');
  }
  const query = readListQuery('');
  const wishes = { names: new Map(), order: new Map(), favorites: new Set<string>() };
  const rows = listRows(
    clusterRows([{ cluster, health: healthOf(cluster, now) }], query.sort, wishes),
    query,
  );
  const inMenu = trayMenu(state, now).flatMap((item) => (item.kind === 'heading' ? item.label : []));
  return {
    panel: healthOf(cluster, now),
    list: rows.flatMap((row) => (row.kind === 'heading' ? row.label : [])),
    registries: registryRows(registries, '', now).map(({ health }) => health),
    account: own && accountHealth(own, now),
    accountWords: own && stateText(own, accountHealth(own, now)),
    tray: trayState(state, now).shape,
    menu: inMenu.filter((label) => label !== 'Registries'),
  };
}

/** What is true of one of the three alone, or of all of Lanyard. */
it.each<[string, Situation, Omit<ReturnType<typeof shownOf>, 'list'>, Record<Surface, string>]>([
  [
    'a cluster that rejects what is fresh',
    { rejects: true },
    {
      panel: 'bad',
      registries: ['good'],
      account: 'good',
      accountWords: 'Ready',
      tray: 'bad',
      menu: ['Needs attention'],
    },
    { accounts: 'ready', clusters: 'rejected (401)', registries: 'ready', prompt: 'rejected (401)' },
  ],
  [
    'a cluster that is pending approval',
    { pending: [['cluster', 'prod']] },
    // What is to be approved is one line of the menu, above all clusters.
    { panel: 'need', registries: ['good'], account: 'good', accountWords: 'Ready', tray: 'need', menu: [] },
    { accounts: 'ready', clusters: 'pending approval', registries: 'ready', prompt: 'pending approval' },
  ],
  [
    'an account that is pending approval',
    { pending: [['account', 'corp']] },
    {
      panel: 'need',
      registries: ['need'],
      account: 'need',
      accountWords: 'Pending approval',
      tray: 'need',
      menu: [],
    },
    {
      accounts: 'pending approval',
      clusters: 'pending approval',
      registries: 'pending approval',
      prompt: 'pending approval',
    },
  ],
  [
    'a registry that is pending approval',
    { pending: [['registry', 'hub']] },
    {
      panel: 'good',
      registries: ['need'],
      account: 'good',
      accountWords: 'Ready',
      tray: 'need',
      menu: ['Good'],
    },
    { accounts: 'ready', clusters: 'ready', registries: 'pending approval', prompt: 'ready' },
  ],
  [
    'Lanyard that is locked',
    { isLocked: true },
    {
      panel: 'locked',
      registries: ['locked'],
      account: 'locked',
      accountWords: 'Locked',
      tray: 'locked',
      menu: [],
    },
    { accounts: 'locked', clusters: 'locked', registries: 'locked', prompt: 'locked' },
  ],
  [
    'Lanyard that is locked, and a cluster that rejects',
    { isLocked: true, rejects: true },
    {
      panel: 'locked',
      registries: ['locked'],
      account: 'locked',
      accountWords: 'Locked',
      tray: 'locked',
      menu: [],
    },
    { accounts: 'locked', clusters: 'locked', registries: 'locked', prompt: 'locked' },
  ],
  [
    'an account that config.yaml doesn’t have',
    { hasAccount: false },
    {
      panel: 'bad',
      registries: ['bad'],
      account: undefined,
      accountWords: undefined,
      tray: 'bad',
      menu: ['Needs attention'],
    },
    { accounts: '', clusters: 'no such account', registries: 'no such account', prompt: 'no such account' },
  ],
])('all views agree on %s', async (_, situation, shown, words) => {
  const { state, command } = await saidOf({}, { ...hour, renewsAt: now + 5 * minute }, situation);
  expect({ ...shownOf(state), command }).toEqual({
    ...shown,
    list: [groupLabels[shown.panel]],
    command: Object.fromEntries(Object.entries(words).map(([of, word]) => [of, word === '' ? [] : [word]])),
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
  const { status } = await saidOf({}, held, { ofAudience });
  expect([...status.clusters, ...status.registries].map(({ state }) => state)).toEqual([expected, expected]);
});
