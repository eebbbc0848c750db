import { expect, test } from 'vitest';
import {
  someAccount,
  someCluster,
  someCredential,
  someInventory,
  someQuestion,
  someRegistry,
  stateWith,
} from '../../test/support/ui-state.ts';
import { trayState } from './tray-state.ts';

const now = new Date(2027, 4, 12, 13, 49).getTime();
const minute = 60_000;
const good = someCluster('good', { credential: someCredential(now) });
const ending = someCredential(now, { expiresAt: now + 5 * minute, renewsAt: null });
const soon = someCluster('soon', { credential: ending, byHand: true });
const login = someCluster('login', { state: 'loginNeeded' });
const bad = someCluster('bad', { state: 'rejecting' });
const change = { what: 'cluster' as const, name: 'x', change: 'changed', served: true };
const away = { state: 'stale', trouble: { code: 'forbidden', text: 'x' } } as const;
const ended = { how: 'yes' as const, where: null };

test.each<[string, Parameters<typeof stateWith>[0], string, string]>([
  ['nothing', {}, 'good', 'Lanyard'],
  ['no vault yet', { lock: 'none' }, 'good', 'Lanyard'],
  [
    'what works, and what nobody asked for',
    { clusters: [good, someCluster('idle')] },
    'good',
    'Lanyard: all well',
  ],
  [
    'a token that waits for a touch',
    { clusters: [good], accounts: [someAccount('corp', { state: 'ready', waitsAtToken: true })] },
    'need',
    'Lanyard: 1 token waits for you',
  ],
  ['one that ends soon', { clusters: [good, soon] }, 'soon', 'Lanyard: 1 credential expires soon'],
  [
    'one that comes by itself when it is asked for',
    { clusters: [someCluster('lazy', { credential: ending })] },
    'good',
    'Lanyard: all well',
  ],
  [
    'one whose last renewal failed',
    { clusters: [someCluster('failed', { credential: ending, problem: 'the provider can’t be reached' })] },
    'soon',
    'Lanyard: 1 credential expires soon',
  ],
  [
    'one in trouble',
    { clusters: [soon, bad] },
    'bad',
    'Lanyard: 1 cluster rejects its credential, 1 credential expires soon',
  ],
  [
    'a login is more urgent than trouble that nobody can do anything about',
    { clusters: [bad, login, someCluster('again', { state: 'interrupted', account: 'other' })] },
    'need',
    'Lanyard: 2 accounts need a login, 1 cluster rejects its credential',
  ],
  [
    'no secret',
    { clusters: [someCluster('s', { state: 'secretMissing' })] },
    'need',
    'Lanyard: 1 account needs a secret',
  ],
  [
    'registries beside clusters',
    {
      clusters: [login],
      registries: [
        someRegistry('a', { state: 'secretMissing' }),
        someRegistry('b', { state: 'failing', account: 'ecr' }),
        someRegistry('c', { state: 'loginNeeded', account: 'corp' }),
      ],
    },
    'need',
    'Lanyard: 1 account needs a login, 1 account needs a secret, 1 account is failing',
  ],
  [
    'one login, whatever it is for',
    {
      clusters: ['a', 'b', 'c'].map((name) => someCluster(name, { state: 'loginNeeded' })),
      registries: [someRegistry('d', { state: 'loginNeeded', account: 'corp' })],
    },
    'need',
    'Lanyard: 1 account needs a login',
  ],
  ['registries that are well', { registries: [someRegistry('a')] }, 'good', 'Lanyard: all well'],
  [
    'inventories that fail for a while',
    {
      inventories: [
        someInventory('a', { ...away, troubleSince: now - 300_000 }),
        someInventory('b', { ...away, troubleSince: now }),
      ],
    },
    'bad',
    'Lanyard: 1 inventory has trouble',
  ],
  ['an inventory that is well', { inventories: [someInventory('a')] }, 'good', 'Lanyard: all well'],
  ['a question', { questions: [someQuestion('q')] }, 'need', 'Lanyard: 1 question waits'],
  ['a question that was answered', { questions: [someQuestion('q', { ended })] }, 'good', 'Lanyard'],
  ['a held change', { clusters: [good], held: [change] }, 'need', 'Lanyard: 1 change to approve'],
  ['a locked gate', { lock: 'gate', clusters: [login], held: [change] }, 'locked', 'Lanyard: locked'],
  ['a passphrase', { lock: 'passphrase' }, 'locked', 'Lanyard: locked'],
  ['a keychain that doesn’t answer', { lock: 'keychain' }, 'locked', 'Lanyard: locked'],
  ['a broken vault', { lock: 'broken' }, 'bad', 'Lanyard: the vault can’t be read'],
  ['a full disk', { problems: { history: ['full'] } }, 'bad', 'Lanyard: the history has a problem'],
  [
    'config.yaml: an error, not a warning',
    {
      problems: {
        config: (['warning', 'error'] as const).map((severity) => ({
          ...{ severity, file: 'f', line: 1, path: [], message: 'm' },
        })),
      },
    },
    'bad',
    'Lanyard: config.yaml has an error',
  ],
])('%s', (_, some, shape, toolTip) => {
  expect(trayState(stateWith(some), now)).toEqual({ shape, toolTip });
});

test('a credential expires soon by the clock alone', () => {
  const later = now + 50 * minute;
  const state = stateWith({
    clusters: [someCluster('c', { credential: someCredential(now, { renewsAt: null }), byHand: true })],
  });
  expect([trayState(state, now).shape, trayState(state, later).shape]).toEqual(['good', 'soon']);
});
