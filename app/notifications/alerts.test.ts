import { describe, expect, it } from 'vitest';
import type { AccountView, ClusterView, QuestionView } from '../../main/contract/ui/state.ts';
import {
  goodAccount,
  someCredential,
  someInventory,
  someRegistry,
  stateWith,
} from '../../test/support/ui-state.ts';
import { type AlertsContext, alertsIn } from './alerts.ts';
import { isInSight } from './in-sight.ts';

const at = Date.UTC(2026, 0, 1);
const minutes = (count: number) => count * 60_000;

function alerts(now: Parameters<typeof stateWith>[0], context: Partial<AlertsContext> = {}) {
  return alertsIn(stateWith(now), { before: { accounts: {} }, at, isKnown: () => false, ...context });
}

const was = (fields: Partial<AccountView>): Partial<AlertsContext> => ({
  before: { accounts: { corp: goodAccount('corp', fields) } },
});
const login = { startedAt: at, flow: 'pin' as const };
const wanted = { since: at, endsAt: at + 1, callers: [['kubectl', 'zsh', 'code']], waiting: 1 };

describe('an account', () => {
  it.each<[string, Partial<AccountView>, Partial<AlertsContext>, string[]]>([
    ['ends its session', { state: 'loginNeeded' }, was({}), ['login corp']],
    ['was interrupted', { state: 'interrupted' }, was({}), ['login corp']],
    ['needed a login already', { state: 'loginNeeded' }, was({ state: 'loginNeeded' }), []],
    [
      'needs one, and was told of',
      { state: 'loginNeeded' },
      { isKnown: (key) => key === 'login corp' },
      ['login corp'],
    ],
    ['was locked: nothing was known of it', { state: 'loginNeeded' }, was({ state: 'locked' }), []],
    ['is new in the list', { state: 'loginNeeded' }, {}, []],
    ['was held until now', { state: 'loginNeeded' }, was({ state: 'held' }), []],
    ['was logged out', { state: 'loginNeeded', subject: null }, was({}), []],
    [
      'has another issuer now',
      { state: 'loginNeeded', subject: null, problem: 'the login is from another issuer' },
      was({}),
      ['login corp'],
    ],
    ['is wanted, whatever it was', { state: 'loginNeeded', wanted }, {}, ['wanted corp']],
    ['was wanted in vain', { state: 'loginNeeded' }, was({ state: 'loginNeeded', wanted }), ['login corp']],
    ['is being logged in to', { state: 'loginNeeded', login: { startedAt: at, flow: null } }, was({}), []],
    [
      'is a token whose PIN was refused',
      { state: 'loginNeeded', kind: 'pkcs11', problem: 'x' },
      was({}),
      ['login corp'],
    ],
    ['has a token that waits', { waitsAtToken: true }, {}, ['touch corp']],
    [
      'has one that waits for its PIN',
      { state: 'loginNeeded', waitsAtToken: true, login },
      {},
      ['touch corp'],
    ],
    [
      'has a token that was taken out',
      { state: 'failing', tokenIsOut: true, failures: 3 },
      {},
      ['token corp'],
    ],
    ['is a token that ended', { state: 'loginNeeded', kind: 'staticToken' }, was({}), []],
    ['works', {}, was({}), []],
    ['fails', { failures: 1 }, {}, ['failing corp']],
    ['is locked', { state: 'locked' }, was({}), []],
  ])('%s', (_, fields, context, keys) => {
    expect(alerts({ accounts: [goodAccount('corp', fields)] }, context).map(({ key }) => key)).toEqual(keys);
  });

  it('names the program that waits, and starts the login', () => {
    expect(alerts({ accounts: [goodAccount('corp', { state: 'loginNeeded', wanted })] })).toEqual([
      {
        key: 'wanted corp',
        switch: 'logins',
        title: 'Log in to corp',
        body: 'kubectl (from zsh in code) waits until you do.',
        action: { kind: 'login', account: 'corp' },
      },
    ]);
  });

  it('says what its token waits for, and that putting it back is enough', () => {
    const route = '#/accounts/my%20card';
    expect(alerts({ accounts: [goodAccount('my card', { waitsAtToken: true })] })).toEqual([
      {
        key: 'touch my card',
        switch: 'logins',
        title: 'The token of my card waits for you',
        body: 'Waiting for the token: touch it, or type the PIN at its pad.',
        action: { kind: 'show', route },
      },
    ]);
    expect(alerts({ accounts: [goodAccount('my card', { tokenIsOut: true })] })).toMatchObject([
      { title: 'The token of my card was taken out', patienceMilliseconds: 2_000, action: { route } },
    ]);
  });

  it('whose session the provider ended says why', () => {
    const problem =
      'the provider ended the session of corp (id.example.com): invalid_grant: Session not active';
    const [alert] = alerts({ accounts: [goodAccount('corp', { state: 'loginNeeded', problem })] }, was({}));
    expect(alert?.body).toBe(
      'The provider ended the session of corp (id.example.com): invalid_grant: Session not active. Requests are denied until you log in.',
    );
  });

  it.each([
    [1, minutes(5)],
    [2, minutes(5)],
    [3, 0],
    [9, 0],
  ])('that failed %i times is reported after %i ms', (failures, patienceMilliseconds) => {
    expect(alerts({ accounts: [goodAccount('a b', { failures, problem: 'no answer' })] })).toMatchObject([
      { patienceMilliseconds, body: 'no answer', action: { kind: 'show', route: '#/accounts/a%20b' } },
    ]);
  });

  const inMinutes = (left: number, { life, ...fields }: Partial<AccountView> & { life?: number }) => {
    const issuedAt = life === undefined ? null : at - minutes(life - left);
    const expiresAt = at + minutes(left);
    const credential = someCredential(at, { issuedAt, expiresAt, renewsAt: null });
    return goodAccount('corp', { expiresAt, credential, clusters: ['prod'], ...fields });
  };
  const certificate = { kind: 'clientCertificate', byHand: true, life: 600_000 } as const;
  it.each<[string, AccountView, boolean]>([
    ['an OIDC token that nothing renews', inMinutes(14, { byHand: true }), true],
    ['one that somebody has just logged in for', inMinutes(9, { byHand: true, life: 10 }), false],
    ['the same in its second half', inMinutes(4, { byHand: true, life: 10 }), true],
    ['the same with an hour left', inMinutes(60, { byHand: true }), false],
    ['the same that has ended', inMinutes(-1, { byHand: true }), false],
    ['an OIDC token that renews itself', inMinutes(2, {}), false],
    ['a plugin’s, which is run when it is asked for', inMinutes(2, { kind: 'execPlugin' }), false],
    ['a certificate’s last week', inMinutes(1440, certificate), true],
    ['a certificate’s month before', inMinutes(43_200, certificate), false],
    ['a certificate that serves no cluster', inMinutes(2, { ...certificate, clusters: [] }), false],
  ])('ends soon: %s', (_, account, isTold) => {
    const found = alerts({ accounts: [account] }).map(({ key }) => key);
    expect(found).toEqual(isTold ? ['ending corp'] : []);
  });

  it('ends soon: a token that serves only a registry', () => {
    const account = inMinutes(5, { kind: 'staticToken', byHand: true, clusters: [], registries: ['work'] });
    const registry = someRegistry('work', {
      kind: 'staticToken',
      credential: someCredential(at, { expiresAt: at + minutes(5), renewsAt: null }),
    });
    const found = alerts({ accounts: [account], registries: [registry] });
    expect(found.map(({ key }) => key)).toEqual(['ending corp']);
    expect(found.map((alert) => isInSight(alert, '#/registries/work'))).toEqual([true]);
  });
});

describe('a question', () => {
  const question = (fields: Partial<QuestionView>): QuestionView =>
    ({
      id: 'q1',
      kind: 'approval',
      target: { kind: 'cluster', name: 'prod' },
      account: 'corp',
      server: 'https://10.0.0.1',
      caller: { lineage: ['kubectl', 'zsh'] },
      printed: false,
      onTerminal: false,
      ended: null,
      ...fields,
    }) as QuestionView;

  it('leads to its dialog', () => {
    expect(alerts({ questions: [question({})] })).toEqual([
      {
        key: 'question q1',
        switch: 'questions',
        title: 'kubectl waits for your answer',
        body: 'kubectl (from zsh) wants to use prod as corp.',
        action: { kind: 'question', id: 'q1' },
      },
    ]);
  });

  it('that a terminal shows is reported later, without a sound', () => {
    expect(alerts({ questions: [question({ onTerminal: true })] })).toMatchObject([
      { patienceMilliseconds: 10_000, isQuiet: true },
    ]);
  });

  it('that has ended is none', () => {
    expect(alerts({ questions: [question({ ended: { how: 'yes', where: 'page' } })] })).toEqual([]);
  });

  it('contains no program’s name that forges a line, hides a part, or is markup', () => {
    const lineage = ['<a href="https://evil">x\u202e\n&'.padEnd(400, 'y'), 'z'.repeat(5_000)];
    const [alert] = alerts({ questions: [question({ caller: { lineage } as QuestionView['caller'] })] });
    const text = `${alert?.title}${alert?.body}`;
    expect(text).not.toMatch(/[\p{C}<>&]/u);
    expect(text).toContain('‹a href="https://evil"›x\\u{202e}\\u{a}＆');
    expect(text.length).toBeLessThan(600);
  });
});

it('a cluster that rejects fresh credentials leads to its page', () => {
  const clusters = [{ name: 'prod', state: 'rejecting' } as ClusterView];
  expect(alerts({ clusters })).toMatchObject([
    { key: 'rejecting prod', switch: 'problems', action: { kind: 'show', route: '#/clusters/prod' } },
  ]);
});

it.each([
  ['account', 'changed', 'The account corp was changed'],
  ['cluster', 'new', 'There is a new cluster corp'],
  ['setting', 'changed', 'The setting corp was changed'],
  ['program', 'moved', 'The program of corp’s plugin was changed'],
  ['module', 'changed', 'The module of corp was changed'],
] as const)('a pending %s that is %s leads to the dialog that approves it', (what, change, title) => {
  expect(alerts({ held: [{ what, name: 'corp', change, served: change === 'changed' }] })).toMatchObject([
    { key: `held ${what} corp ${change}`, title, action: { kind: 'confirm' }, switch: 'changes' },
  ]);
});

it('an inventory that can’t be read is told after a while, by what waiting doesn’t cure sooner', () => {
  const failing = (name: string, code: string) =>
    someInventory(name, {
      state: 'stale',
      trouble: { code, text: '<b>as a hub says</b>' },
      troubleSince: at,
      profiles: { ...someInventory('').profiles, inUse: 3 },
    });
  const inventories = [
    failing('fleet', 'unauthorized'),
    failing('edge', 'unreachable'),
    failing('login', 'noCredential'),
    someInventory('fine'),
  ];
  const found = alerts({ inventories });
  expect(found).toMatchObject([
    {
      key: 'inventory fleet',
      switch: 'problems',
      title: 'The inventory fleet can’t be read',
      body: 'Its hub rejects the credential (401). The clusters in use stay as they were.',
      action: { kind: 'show', route: '#/inventories/fleet' },
      patienceMilliseconds: minutes(5),
    },
    { key: 'inventory edge', patienceMilliseconds: minutes(60) },
  ]);
  expect(found.map((alert) => isInSight(alert, '#/inventories'))).toEqual([true, true]);
});

it('changed profiles are one for each inventory, however many they are', () => {
  const changed = (name: string, inventory: string, change = 'changed') => ({
    ...{ what: 'cluster' as const, name, change, served: change === 'changed', inventory },
  });
  const held = [
    ...Array.from({ length: 1000 }, (_, index) =>
      changed(`c-${index}`, 'fleet', index < 5 ? 'new' : 'changed'),
    ),
    changed('lab', 'labs'),
  ];
  expect(alerts({ held })).toMatchObject([
    {
      key: 'profiles fleet',
      title: '1,000 clusters of fleet are new or were changed',
      action: { kind: 'confirm' },
    },
    { key: 'profiles labs', title: 'The cluster lab was changed' },
  ]);
});

it('each new user of a kubeconfig is one, whatever becomes of the others', () => {
  expect(alerts({ imports: [{ file: '/home/dev/.kube/config', importable: ['dev', 'ci'] }] })).toMatchObject([
    { key: 'import /home/dev/.kube/config dev', title: 'dev is new in .kube/config' },
    { key: 'import /home/dev/.kube/config ci', action: { kind: 'show', route: '#/import' } },
  ]);
});
