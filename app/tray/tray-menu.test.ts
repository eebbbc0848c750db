import { describe, expect, test } from 'vitest';
import {
  someAccount,
  someCluster,
  someCredential,
  someInventory,
  someQuestion,
  someRegistry,
  stateWith,
} from '../../test/support/ui-state.ts';
import { clusterItems } from './cluster-items.ts';
import type { TrayItem } from './tray-item.ts';
import { trayMenu } from './tray-menu.ts';

const now = new Date(2027, 4, 12, 13, 49).getTime();
const minute = 60_000;
type Some = Parameters<typeof stateWith>[0];

/** A line for each item, as the user reads it. `>` marks the items of a submenu. */
function lines(items: readonly TrayItem[], depth = ''): string[] {
  return items.flatMap((item) => linesOf(item, depth));
}
function linesOf(item: TrayItem, depth: string): string[] {
  switch (item.kind) {
    case 'separator':
      return ['--'];
    case 'heading':
      return [`${depth}[${item.label}]`];
    case 'action':
      return [depth + item.label];
    case 'choice':
      return [`${depth}${item.chosen ? '(o)' : '( )'} ${item.label}`];
    case 'submenu':
      return [depth + item.label, ...lines(item.items, '> ')];
  }
}
const menuOf = (some: Some) => trayMenu(stateWith(some), now);
/** The action of a click on the line. */
function doing(some: Some, label: string) {
  const all = menuOf(some).flatMap((item) => (item.kind === 'submenu' ? item.items : [item]));
  const found = all.find((item) => 'label' in item && item.label === label);
  return found && 'action' in found ? found.action : `no line ${label}`;
}
const pausing = ['Pause notifications', '> For 30 minutes', '> For 1 hour', '> Until tomorrow'];
const ending = ['--', 'Open Lanyard', 'Quit Lanyard'];
const usual = ['Lock', ...pausing, ...ending];

describe('the menu', () => {
  test('of nothing', () => {
    expect(lines(menuOf({}))).toEqual(usual);
  });

  test('before there is a vault', () => {
    expect(lines(menuOf({ lock: 'none' }))).toEqual([...pausing, ...ending]);
  });

  test('lists what needs the user first, with the time left', () => {
    const some: Some = {
      questions: [
        someQuestion('later', { askedAt: 2, kind: 'unknownServer', target: null }),
        someQuestion('first', { askedAt: 1 }),
        someQuestion('over', { ended: { how: 'no', where: null } }),
      ],
      held: [{ what: 'cluster', name: 'held', change: 'c', served: false }],
      clusters: [
        someCluster('idle', { credential: null }),
        someCluster('good', { credential: someCredential(now) }),
        someCluster('soon', {
          credential: someCredential(now, {
            expiresAt: now + 12 * minute,
            renewsAt: now + minute,
            trouble: 'x',
          }),
        }),
        someCluster('bad', { state: 'rejecting' }),
        someCluster('held', { state: 'held' }),
        someCluster('prod-eu', { state: 'loginNeeded' }),
        someCluster('bot-1', { state: 'secretMissing', account: 'bot', kind: 'staticToken' }),
      ],
    };
    expect(lines(menuOf(some))).toEqual([
      'kubectl wants to use prod-eu…',
      'kubectl wants to use an unknown server…',
      'Approve 1 change…',
      '--',
      '[Needs attention]',
      'Set the secret of bot…',
      'Log in to prod-eu…',
      'bad: rejected (401)',
      '[Expiring soon]',
      'Renew soon: renewal failed, expires in 12 min',
      '[Good]',
      'good: renews at 14:43',
      '[No credential]',
      'idle: never used',
      '--',
      ...usual,
    ]);
    expect(doing(some, 'kubectl wants to use prod-eu…')).toEqual({ kind: 'question', id: 'first' });
    expect(doing(some, 'Approve 1 change…')).toEqual({ kind: 'confirm' });
    expect(doing(some, 'Log in to prod-eu…')).toEqual({ kind: 'login', account: 'corp' });
    expect(doing(some, 'Set the secret of bot…')).toEqual({ kind: 'show', route: '#/accounts/bot' });
    expect(doing(some, 'Renew soon: renewal failed, expires in 12 min')).toEqual({
      kind: 'renew',
      cluster: 'soon',
    });
    expect(doing(some, 'good: renews at 14:43')).toEqual({ kind: 'show', route: '#/clusters/good' });
    expect(doing(some, 'bad: rejected (401)')).toEqual({ kind: 'show', route: '#/clusters/bad' });
  });

  test.each([
    [{ renewsAt: null }, 'c: renewed on demand'],
    [{ renewsAt: null, expiresAt: null }, 'c: never expires'],
    [{ expiresAt: now + 30 * 24 * 60 * minute, renewsAt: now + 24 * 60 * minute }, 'c: renews 13 May 13:49'],
    [{ renewsAt: now - 1000 }, 'c: renewing now'],
    [
      { expiresAt: now + 10 * minute, renewsAt: now + minute, trouble: 'x' },
      'Renew c: renewal failed, expires in 10 min',
    ],
    [{ expiresAt: now + 59_000, renewsAt: now - minute }, 'Renew c: expires in less than a minute'],
  ])('says of %o: %s', (credential, line) => {
    const clusters = [someCluster('c', { credential: someCredential(now, credential) })];
    expect(lines(menuOf({ clusters }))).toContain(line);
  });

  test('opens what only the user can replace, and doesn’t renew it', () => {
    const credential = someCredential(now, { expiresAt: now + 5 * minute, renewsAt: null });
    const clusters = [someCluster('c', { kind: 'clientCertificate', byHand: true, credential })];
    expect(doing({ clusters }, 'c: expires in 5 min')).toEqual({ kind: 'show', route: '#/clusters/c' });
  });

  test.each([
    [{ renewsAt: null }, 'c: expires in 5 min'],
    [{ renewsAt: null, expiresAt: now + 60 * minute }, 'c: expires at 14:49'],
  ])('renews no login that only a new login replaces: %o', (more, line) => {
    const credential = someCredential(now, { expiresAt: now + 5 * minute, ...more });
    expect(doing({ clusters: [someCluster('c', { byHand: true, credential })] }, line)).toEqual({
      kind: 'show',
      route: '#/clusters/c',
    });
  });

  test('marks a cluster whose server isn’t verified', () => {
    const clusters = [
      someCluster('lab', { isInsecure: true, credential: someCredential(now) }),
      someCluster('off', { isInsecure: true, state: 'rejecting' }),
    ];
    expect(lines(menuOf({ clusters }))).toEqual(
      expect.arrayContaining([
        'lab: renews at 14:43, TLS not verified',
        'off: rejected (401), TLS not verified',
      ]),
    );
  });

  test('says which token waits, and opens its account; an expired one’s certificate is replaced', () => {
    const touched = { accounts: [someAccount('my card', { state: 'ready', waitsAtToken: true })] };
    const line = 'The token of my card waits for you…';
    expect(lines(menuOf(touched))[0]).toBe(line);
    expect(doing(touched, line)).toEqual({ kind: 'show', route: '#/accounts/my%20card' });
    const clusters = [someCluster('c', { kind: 'pkcs11', state: 'expired' })];
    expect(lines(menuOf({ clusters }))).toContain('Replace the expired certificate of corp…');
  });

  test('has one login for all clusters of an account', () => {
    const clusters = ['a', 'b', 'c'].map((name) => someCluster(name, { state: 'loginNeeded' }));
    expect(lines(menuOf({ clusters })).slice(0, 3)).toEqual([
      '[Needs attention]',
      'Log in to corp (3 clusters)…',
      '--',
    ]);
  });

  test('a login says which program waits for it, and that it is running', () => {
    const clusters = [someCluster('prod', { state: 'loginNeeded' })];
    const wanted = { since: now, endsAt: now + minute, callers: [['kubectl', 'code']], waiting: 1 };
    const waited: Some = { clusters, accounts: [someAccount('corp', { wanted })] };
    expect(lines(menuOf(waited))[1]).toBe('Log in to prod: kubectl (from code) waits…');
    const login = { startedAt: now, flow: null };
    const begun: Some = { clusters, accounts: [someAccount('corp', { login })] };
    expect(doing(begun, 'Logging in to corp…')).toEqual({ kind: 'show', route: '#/accounts/corp' });
  });

  test('many are bounded, in order however they came, and the rest is counted', () => {
    const clusters = Array.from({ length: 1000 }, (_, at) =>
      someCluster(`c${(at * 993 + 500) % 1000}`, { credential: someCredential(now) }),
    );
    const shown = lines(menuOf({ clusters }));
    expect(shown.slice(0, 13)).toEqual([
      '[Good]',
      ...Array.from({ length: 10 }, (_, at) => `c${at}: renews at 14:43`),
      '990 more clusters…',
      '--',
    ]);
    const questions = Array.from({ length: 9 }, (_, at) => someQuestion(`q${at}`));
    expect(lines(menuOf({ questions })).slice(4, 7)).toEqual([
      'kubectl wants to use prod-eu…',
      '4 more questions…',
      '--',
    ]);
  });

  test('lists the registries that need attention, and only those', () => {
    const registries = [
      someRegistry('fine', { credential: someCredential(now) }),
      someRegistry('idle'),
      someRegistry('pending', { state: 'held' }),
      someRegistry('ecr', { kind: 'credentialProvider', state: 'failing' }),
      someRegistry('hub', { state: 'secretMissing' }),
      someRegistry('corp-cr', { account: 'corp', kind: 'oidc', state: 'loginNeeded' }),
    ];
    const some: Some = { registries };
    expect(lines(menuOf(some)).slice(0, 5)).toEqual([
      '[Registries]',
      'Log in to corp-cr…',
      'hub: secret missing',
      'ecr: plugin failed',
      '--',
    ]);
    expect(doing(some, 'Log in to corp-cr…')).toEqual({ kind: 'login', account: 'corp' });
    expect(doing(some, 'hub: secret missing')).toEqual({ kind: 'show', route: '#/registries/hub' });
    expect(lines(menuOf({ registries, lock: 'gate' }))).not.toContain('[Registries]');
  });

  test('many registries are counted, and lead to all', () => {
    const registries = Array.from({ length: 60 }, (_, at) =>
      someRegistry(`r${at}`, { state: 'secretMissing' }),
    );
    expect(lines(menuOf({ registries })).slice(3, 6)).toEqual([
      'r2: secret missing',
      '57 more registries…',
      '--',
    ]);
    expect(doing({ registries }, '57 more registries…')).toEqual({ kind: 'show', route: '#/registries' });
  });

  test('lists the inventories that fail for a while, and what is pending of them', () => {
    const minute = 60_000;
    const failing = (name: string, code: string, minutes: number) =>
      someInventory(name, {
        state: 'stale',
        trouble: { code, text: 'as the hub says' },
        troubleSince: now - minutes * minute,
      });
    const { profiles } = someInventory('');
    const inventories = [
      someInventory('fine'),
      someInventory('lab', { profiles: { ...profiles, pending: 12 } }),
      failing('brief', 'unauthorized', 4),
      failing('offline', 'unreachable', 59),
      failing('login', 'noCredential', 600),
      failing('fleet', 'unauthorized', 5),
      failing('edge', 'unreachable', 60),
    ];
    expect(lines(menuOf({ inventories })).slice(0, 5)).toEqual([
      '[Inventories]',
      'edge: its hub can’t be reached',
      'fleet: its hub rejects the credential (401)',
      'lab: 12 profiles pending approval',
      '--',
    ]);
    expect(doing({ inventories }, 'lab: 12 profiles pending approval')).toEqual({
      kind: 'show',
      route: '#/inventories/lab',
    });
    const more = [...inventories, failing('x', 'file', 60)];
    expect(doing({ inventories: more }, '1 more…')).toEqual({ kind: 'show', route: '#/inventories' });
    expect(lines(menuOf({ inventories, lock: 'gate' }))).not.toContain('[Inventories]');
  });

  test('a thousand pending profiles of an inventory are one change', () => {
    const held = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ what: 'cluster' as const, name: `c${at}`, change: 'new', served: false, inventory: 'fleet' },
    }));
    expect(lines(menuOf({ held }))[0]).toBe('Approve 1 change…');
  });

  test('locked, it offers the way in, and no cluster', () => {
    const contexts = { current: 'b', contexts: [{ name: 'b', cluster: null }], more: 0 };
    const some: Some = { lock: 'gate', clusters: [someCluster('c', { state: 'locked' })], contexts };
    const switching = ['Switch context', '> (o) b'];
    expect(lines(menuOf(some))).toEqual(['Unlock…', '--', ...switching, ...pausing, ...ending]);
    expect(doing(some, 'Unlock…')).toEqual({ kind: 'unlock' });
  });

  test('says what keeps all of it from working', () => {
    const config = [{ severity: 'error' as const, file: 'f', line: 1, path: [], message: 'm' }];
    expect(lines(menuOf({ lock: 'broken', problems: { config, history: ['full'] } })).slice(0, 4)).toEqual([
      'The vault can’t be read',
      'config.yaml has an error',
      'The history has a problem',
      '--',
    ]);
  });

  test('switches the context', () => {
    const contexts = {
      current: 'b',
      contexts: ['a', 'b'].map((name) => ({ name, cluster: null })),
      more: 3,
    };
    expect(lines(menuOf({ contexts })).slice(0, 4)).toEqual([
      'Switch context',
      '> ( ) a',
      '> (o) b',
      '> [3 more: see lanyard context]',
    ]);
    expect(doing({ contexts }, 'a')).toEqual({ kind: 'useContext', context: 'a' });
  });

  test('pauses, and says until when it is paused', () => {
    expect(doing({}, 'For 1 hour')).toEqual({ kind: 'pauseNotifications', span: 60 * minute });
    const desktop = { notificationsPausedUntil: now + 42 * minute };
    const label = 'Resume notifications (paused until 14:31)';
    expect(doing({ desktop }, label)).toEqual({ kind: 'pauseNotifications', span: null });
    expect(lines(menuOf({ desktop: { notificationsPausedUntil: now } }))).toEqual(usual);
  });

  test('offers an update that waits', () => {
    const desktop = { update: { kind: 'ready' as const, version: '0.2.0' } };
    expect(lines(menuOf({ desktop }))[0]).toBe('Update to 0.2.0…');
  });

  test('a name is a name, wherever it comes from; what is done is done to the whole one', () => {
    const evil = 'pr\u202eod & \n<b>\u0007staging/x';
    const some: Some = { clusters: [someCluster(evil, { state: 'rejecting' })] };
    const label = 'prod && <b> staging/x: rejected (401)';
    expect(doing(some, label)).toEqual({ kind: 'show', route: `#/clusters/${encodeURIComponent(evil)}` });
  });
});

test('clusters are called by their short names, told apart, with the text of their marks', () => {
  const eks = (account: string) => `arn:aws:eks:eu-west-1:${account}:cluster/prod`;
  const clusters = [
    someCluster(eks('111122223333'), { mark: { color: 'red', text: 'prod' } }),
    someCluster(eks('444455556666')),
    someCluster('c1', { displayName: 'عنقود-الإنتاج' }),
  ];
  const shown = clusterItems(stateWith({ clusters }), 0).flatMap((item) =>
    'label' in item ? [item.label.split(':')[0]] : [],
  );
  expect(shown).toEqual(
    expect.arrayContaining(['prod · 111122223333 [prod]', 'prod · 444455556666', 'عنقود-الإنتاج (c1)']),
  );
});
