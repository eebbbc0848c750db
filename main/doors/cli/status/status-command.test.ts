import { describe, expect, it } from 'vitest';
import type { AccountStatus, Status } from '../../../access/status.ts';
import { noProfiles } from '../../../domain/inventory/profile-state.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import type { InventoryFigures } from '../../../operations/inventories/inventory-figures.ts';
import { commandCall } from '../testing/command-call.ts';
import { statusCommand } from './status-command.ts';

const eks: AccountStatus = {
  name: 'eks',
  kind: 'execPlugin',
  state: 'ready',
  pending: false,
  subject: null,
  issuer: null,
  expiresAt: null,
  problem: null,
  advice: null,
  secondsLeft: null,
  endIs: 'nothing',
};

async function shown(
  account: Partial<AccountStatus>,
  held: Status['held'] = [],
  registries: Status['registries'] = [],
  inventories: readonly InventoryFigures[] = [],
  faults: Status['requestProxy']['faults'] = [],
): Promise<string[]> {
  const status: Status = {
    broker: { version: '1', pid: 1, uptimeSeconds: 1, home: '/h' },
    vault: { kind: 'open', slots: ['passphrase'], generation: 1 } as never,
    idleLock: null,
    config: { file: '/h/config.yaml', problems: [] },
    history: { file: '/h/history.db', problems: [] },
    metrics: { problem: null },
    requestProxy: { faults },
    held,
    imports: [],
    accounts: [{ ...eks, ...account }],
    clusters: [],
    registries,
  };
  const command = statusCommand({
    status: { read: async () => status },
    inventories: { read: async () => inventories },
  } as never);
  return withoutStyle(String((await command(commandCall([]))).stdout))
    .split('\n')
    .map((line) => line.trim());
}

it('a fault of the request proxy is named, with its cluster', async () => {
  const faults = [
    { cluster: null, text: 'the program lanyard-proxy is missing' },
    { cluster: 'prod', text: 'its proxy is none' },
  ];
  expect(needs(await shown({}, [], [], [], faults))).toEqual([
    'request proxy: the program lanyard-proxy is missing',
    'request proxy: prod: its proxy is none',
  ]);
});

const needs = (lines: readonly string[]) =>
  lines.slice(lines.indexOf('Needs attention:') + 1).filter(Boolean);

describe('a key on a token in lanyard status', () => {
  const card = { name: 'card', kind: 'pkcs11' } as const;

  it.each<[string, Partial<AccountStatus>, string]>([
    ['waits', { waitsAtToken: true }, 'card: waiting for the token: touch it, or type the PIN at its pad'],
    [
      'was taken out',
      { state: 'failing', problem: 'the token work of card was taken out', tokenIsOut: true },
      'card: the token work of card was taken out',
    ],
    [
      'failed',
      { state: 'failing', problem: 'it has no such key', advice: 'lanyard doctor' },
      'lanyard doctor          card: it has no such key',
    ],
  ])('that %s', async (_, account, line) => {
    expect(needs(await shown({ ...card, ...account }))).toEqual([line]);
  });
});

describe('a wrapped plugin in lanyard status', () => {
  it('without a credential yet needs no one', async () => {
    const lines = await shown({});
    expect(lines).toContain('eks      execPlugin  ready      no credential');
    expect(lines).not.toContain('Needs attention:');
  });

  it('that failed is told with the command that shows what it said', async () => {
    const lines = await shown({
      state: 'failing',
      problem: 'exec: executable aws failed with exit code 1',
      advice: 'lanyard plugin show eks',
    });
    expect(lines).toContain('eks      execPlugin  failing');
    expect(needs(lines)).toEqual([
      'lanyard plugin show eks          exec: executable aws failed with exit code 1',
    ]);
  });

  it('that is pending is printed once, with what it waits for', async () => {
    const held = [{ what: 'account', name: 'eks', change: 'new', served: false } as const];
    const lines = await shown({ state: 'held', problem: 'its program is not the one' }, held);
    expect(lines).toContain('eks      execPlugin  pending approval');
    expect(needs(lines)).toEqual([
      'lanyard confirm          pending approval: account eks',
      'Nothing is issued for a new account, cluster, registry or inventory until you approve it.',
    ]);
  });

  it('a thousand pending ones are one line', async () => {
    const held = Array.from(
      { length: 1_000 },
      (_, at) => ({ what: 'cluster', name: `c${at}`, change: 'new', served: false }) as const,
    );
    expect(needs(await shown({}, held))[0]).toMatch(/cluster c7 and 992 more$/);
  });

  it('whose program is not there says so under its name', async () => {
    const lines = await shown({
      state: 'invalid',
      problem: 'there is no program aws',
      advice: 'lanyard doctor',
    });
    expect(needs(lines)).toEqual(['lanyard doctor          eks: there is no program aws']);
  });

  it('what no command does is said under its name', async () => {
    const lines = await shown({ state: 'expired', problem: 'it expired at 14:31', advice: 'replace /run/t' });
    expect(needs(lines)).toEqual(['eks: it expired at 14:31; replace /run/t']);
  });
});

it('registries have a table where there are some', async () => {
  expect((await shown({})).join('\n')).not.toContain('REGISTRY');
  const ghcr = {
    name: 'ghcr',
    matchImages: ['ghcr.io', '*.ghcr.io'],
    account: 'hub',
    state: 'secretMissing',
  };
  const lines = await shown({}, [], [{ ...ghcr, pending: true, expiresAt: null }]);
  const at = lines.indexOf('REGISTRY  IMAGES             ACCOUNT  STATE');
  expect(lines[at + 1]).toBe('ghcr      ghcr.io *.ghcr.io  hub      secretMissing, change pending');
});

describe('inventories in lanyard status', () => {
  const fleet: InventoryFigures = {
    name: 'fleet',
    state: {
      kind: 'live',
      lastSyncAt: 1_000,
      lagMilliseconds: 7_200_500,
      trouble: null,
      troubleSince: null,
      servedVersion: 'v1alpha1',
      retryAt: null,
    },
    profiles: { ...noProfiles, available: 9, inUse: 2, pending: 1 },
    problems: 0,
  };
  const away: InventoryFigures = {
    ...fleet,
    state: { ...fleet.state, kind: 'stale', trouble: { code: 'unauthorized', text: 'the hub says 401' } },
    profiles: { ...noProfiles, gone: 1, remade: 2 },
  };

  it('are a line each: profiles, those in use and pending, and the state', async () => {
    const lines = await shown({}, [], [], [fleet]);
    expect(lines).toContain('INVENTORY  PROFILES  IN USE  PENDING  STATE');
    expect(lines).toContain('fleet      12        2       1        live');
    expect(lines).not.toContain('Needs attention:');
    expect(await shown({})).not.toContain('INVENTORY  PROFILES  IN USE  PENDING  STATE');
  });

  it('that are away, and profiles that are gone, need you', async () => {
    const lines = await shown({}, [], [], [away]);
    expect(lines).toContain('fleet      2         0       0        stale, as of 2 h ago');
    expect(needs(lines)).toEqual([
      'lanyard doctor          fleet: the hub says 401',
      'lanyard doctor          fleet: one profile in use is no longer listed',
      'lanyard doctor          fleet: 2 profiles in use are no longer the same: the hub made them again',
    ]);
  });

  it('say what is pending of themselves', async () => {
    const held = (served: boolean) => [
      { what: 'inventory', name: 'fleet', change: 'changed', served } as const,
    ];
    expect(await shown({}, held(false), [], [fleet])).toContain(
      'fleet      12        2       1        pending approval',
    );
    expect(await shown({}, held(true), [], [fleet])).toContain(
      'fleet      12        2       1        live, change pending',
    );
  });
});
