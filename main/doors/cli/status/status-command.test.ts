import { describe, expect, it } from 'vitest';
import type { AccountStatus, Status } from '../../../access/status.ts';
import { aClusterStatus, anAccountStatus } from '../../../access/testing/a-status.ts';
import { noProfiles } from '../../../domain/inventory/profile-state.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import { liveInventory } from '../../../inventory/testing/live-inventory.ts';
import type { InventoryFigures } from '../../../operations/inventories/inventory-figures.ts';
import { commandCall } from '../testing/command-call.ts';
import { statusCommand } from './status-command.ts';

const eks = anAccountStatus('eks', { kind: 'execPlugin', endIs: 'nothing' });

function wholeStatus(more: Partial<Status>): Status {
  return {
    broker: { version: '1', pid: 1, uptimeSeconds: 1, home: '/h' },
    vault: { kind: 'open', slots: ['passphrase'], generation: 1 } as never,
    idleLock: null,
    config: { file: '/h/config.yaml', problems: [] },
    history: { file: '/h/history.db', problems: [] },
    metrics: { problem: null },
    requestProxy: { faults: [] },
    held: [],
    undone: [],
    imports: [],
    accounts: [],
    clusters: [],
    registries: [],
    ...more,
  };
}

interface Given {
  account?: Partial<AccountStatus>;
  held?: Status['held'];
  inventories?: readonly InventoryFigures[];
  args?: string[];
  more?: Partial<Status>;
}

async function shown({
  account,
  held = [],
  inventories = [],
  args = ['--all'],
  more,
}: Given): Promise<string[]> {
  const status = wholeStatus({ held, accounts: [{ ...eks, ...account }], ...more });
  const command = statusCommand({
    kubectl: { of: async () => new Map() },
    status: { read: async () => status },
    inventories: { read: async () => inventories },
    config: {
      current: () => ({
        clusters: new Map([['staging', { name: 'staging', config: { aliases: ['stage', 'corp'] } }]]),
      }),
    },
  } as never);
  return withoutStyle(String((await command(commandCall(args))).stdout))
    .split('\n')
    .map((line) => line.trim());
}

it('a fault of the request proxy is named, with its cluster', async () => {
  const faults = [
    { cluster: null, text: 'the program lanyard-proxy is missing' },
    { cluster: 'prod', text: 'its proxy is none' },
  ];
  expect(needs(await shown({ more: { requestProxy: { faults } } }))).toEqual([
    'request proxy: the program lanyard-proxy is missing',
    'request proxy: prod: its proxy is none',
  ]);
});

it('an edit that another program undid is named by its file, with the command that mends it', async () => {
  const undone = {
    what: 'docker',
    file: '/d/config.json',
    text: 'docker no longer asks Lanyard',
    command: 'c',
  };
  const lines = await shown({ args: [], more: { undone: [undone as never] } });
  expect(lines.slice(0, 3)).toEqual([
    'Needs attention:',
    '/d/config.json: docker no longer asks Lanyard',
    'c',
  ]);
});

const needs = (lines: readonly string[]) => {
  const from = lines.slice(lines.indexOf('Needs attention:') + 1);
  return from.slice(0, from.indexOf(''));
};

describe('a login that only the user can renew', () => {
  const minutes = (count: number) => count * 60_000;
  const login = (life: number, left: number, more: Partial<AccountStatus> = {}): Partial<AccountStatus> => ({
    name: 'corp',
    kind: 'oidc',
    byHand: true,
    problem: 'the login of corp can’t be renewed',
    advice: 'lanyard login corp',
    issuedAt: minutes(1000 - life),
    expiresAt: minutes(1000),
    secondsLeft: left * 60,
    endIs: undefined,
    ...more,
  });
  const rows = (of: Partial<AccountStatus>) =>
    shown({ account: of, args: [] }).then((lines) => lines.filter((line) => line.includes('corp')));

  // As in the window: 15 minutes before it expires, or when half of a shorter life is over.
  it.each([
    [60, 16, false],
    [60, 14, true],
    [10, 6, false],
    [10, 4, true],
  ])('for %i min, %i min before it expires', async (life, left, isNeed) => {
    const need = ['corp: the login of corp can’t be renewed', 'lanyard login corp'];
    const lines = await rows(login(life, left));
    expect(lines.slice(0, 2)).toEqual(isNeed ? need : []);
  });

  it('needs the user at once where the clock is wrong, and is shown where it is pending', async () => {
    expect(await rows(login(60, 50, { clockOffSeconds: 300 }))).not.toEqual([]);
    expect(await rows(login(60, 50, { pending: true }))).toHaveLength(1);
  });
});

describe('a key on a token in lanyard status', () => {
  const card = { name: 'card', kind: 'pkcs11' } as const;

  it.each<[string, Partial<AccountStatus>, ...string[]]>([
    ['waits', { waitsAtToken: true }, 'card: waiting for the token: touch it, or type the PIN at its pad'],
    [
      'was taken out',
      { state: 'failing', problem: 'the token work of card was taken out', tokenIsOut: true },
      'card: failing: the token work of card was taken out',
    ],
    [
      'failed',
      { state: 'failing', problem: 'it has no such key', advice: 'lanyard doctor' },
      'card: failing: it has no such key',
      'lanyard doctor',
    ],
  ])('that %s', async (_, account, ...lines) => {
    expect(needs(await shown({ account: { ...card, ...account } }))).toEqual(lines);
  });
});

describe('a wrapped plugin in lanyard status', () => {
  it('without a credential yet needs no one', async () => {
    const lines = await shown({});
    expect(lines).toContain('eks      exec plugin  ready      no credential');
    expect(lines).not.toContain('Needs attention:');
  });

  it('that failed is told with the command that shows what it said', async () => {
    const lines = await shown({
      account: {
        state: 'failing',
        problem: 'exec: executable aws failed with exit code 1',
        advice: 'lanyard plugin show eks',
      },
    });
    expect(lines).toContain('eks      exec plugin  failing');
    expect(needs(lines)).toEqual([
      'eks: failing: exec: executable aws failed with exit code 1',
      'lanyard plugin show eks',
    ]);
  });

  it('that is pending is printed once, with what it waits for', async () => {
    const held = [{ what: 'account', name: 'eks', change: 'new', served: false } as const];
    const lines = await shown({ account: { state: 'held', problem: 'its program is not the one' }, held });
    expect(lines).toContain('eks      exec plugin  pending approval');
    expect(needs(lines)).toEqual([
      'pending approval: account eks',
      'Nothing is issued for a new account, cluster, registry or inventory until you approve it.',
      'lanyard confirm',
    ]);
  });

  it('a thousand pending ones are one line', async () => {
    const held = Array.from(
      { length: 1_000 },
      (_, at) => ({ what: 'cluster', name: `c${at}`, change: 'new', served: false }) as const,
    );
    expect(needs(await shown({ held }))[0]).toMatch(/cluster c7 and 992 more$/);
  });

  it('whose program is not there says so under its name', async () => {
    const lines = await shown({
      account: {
        state: 'invalid',
        problem: 'there is no program aws',
        advice: 'lanyard doctor',
      },
    });
    expect(needs(lines)).toEqual(['eks: can’t be used: there is no program aws', 'lanyard doctor']);
  });

  it('what no command does is said under its name', async () => {
    const lines = await shown({
      account: { state: 'expired', problem: 'it expired at 14:31', advice: 'replace /run/t' },
    });
    expect(needs(lines)).toEqual(['eks: expired: it expired at 14:31', 'replace /run/t']);
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
  const lines = await shown({ more: { registries: [{ ...ghcr, pending: true, expiresAt: null }] } });
  const at = lines.indexOf('REGISTRY  IMAGES             ACCOUNT  STATE');
  expect(lines[at + 1]).toBe('ghcr      ghcr.io *.ghcr.io  hub      secret missing, change pending');
});

describe('inventories in lanyard status', () => {
  const fleet: InventoryFigures = {
    name: 'fleet',
    state: liveInventory({ lastSyncAt: 1_000, lagMilliseconds: 7_200_500, servedVersion: 'v1alpha1' }),
    profiles: { ...noProfiles, available: 9, inUse: 2, pending: 1 },
    problems: 0,
  };
  const away: InventoryFigures = {
    ...fleet,
    state: { ...fleet.state, kind: 'stale', trouble: { code: 'unauthorized', text: 'the hub says 401' } },
    profiles: { ...noProfiles, gone: 1, remade: 2 },
  };

  it('are a line each: profiles, those in use and pending, and the state', async () => {
    const lines = await shown({ inventories: [fleet] });
    expect(lines).toContain('INVENTORY  PROFILES  IN USE  PENDING  STATE');
    expect(lines).toContain('fleet      12        2       1        live');
    expect(lines).not.toContain('Needs attention:');
    expect(await shown({})).not.toContain('INVENTORY  PROFILES  IN USE  PENDING  STATE');
  });

  it('that are away, and profiles that are gone, need you', async () => {
    const lines = await shown({ inventories: [away] });
    expect(lines).toContain('fleet      2         0       0        stale, as of 2 h ago');
    expect(needs(lines)).toEqual([
      'fleet: the hub says 401',
      'lanyard doctor',
      'fleet: one profile in use is no longer listed',
      'lanyard doctor',
      'fleet: 2 profiles in use are no longer the same: the hub made them again',
      'lanyard doctor',
    ]);
  });

  it('say what is pending of themselves', async () => {
    const held = (served: boolean) => [
      { what: 'inventory', name: 'fleet', change: 'changed', served } as const,
    ];
    expect(await shown({ held: held(false), inventories: [fleet] })).toContain(
      'fleet      12        2       1        pending approval',
    );
    expect(await shown({ held: held(true), inventories: [fleet] })).toContain(
      'fleet      12        2       1        live, change pending',
    );
  });
});

describe('lanyard status', () => {
  const corp: AccountStatus = {
    ...eks,
    name: 'corp',
    kind: 'oidc',
    state: 'loginNeeded',
    advice: 'lanyard login corp',
  };
  const cluster = (name: string, of: AccountStatus, problem: string | null = null) =>
    aClusterStatus(name, {
      account: of.name,
      state: problem === null ? of.state : 'rejecting',
      isInsecure: name === 'lab',
      problem,
    });
  const good: AccountStatus = { ...eks, name: 'prod-eu' };
  const clusters = ['prod-eu', 'prod-ap', 'staging'].map((name) => cluster(name, corp));
  const world = {
    accounts: [good, corp],
    clusters: [
      ...clusters,
      cluster('kind', good),
      cluster('lab', good, 'it rejects credentials with 401 since 14:31'),
    ],
  };
  const of = (args: string[], more: Partial<Status> = world) => shown({ args, more });

  it('says what the user calls a cluster beside its name', async () => {
    const made = { ...cluster('cluster', corp, 'it rejects credentials'), displayName: 'الإنتاج' };
    const lines = await of(['--all'], { accounts: [corp], clusters: [made, cluster('lab', corp)] });
    expect(lines).toContain('cluster (الإنتاج): it rejects credentials');
    expect(lines.find((line) => line.startsWith('cluster (الإنتاج)  https://cluster.example'))).toBeDefined();
    expect(lines.find((line) => line.startsWith('lab                https://lab.example'))).toBeDefined();
  });

  it('says first what needs the user, by account, then counts, then what isn’t fine alone', async () => {
    const lines = await of([]);
    expect(lines.slice(0, 5)).toEqual([
      'Needs attention:',
      'corp: log in (3 clusters)',
      'lanyard login corp',
      'lab: it rejects credentials with 401 since 14:31',
      'lanyard doctor',
    ]);
    expect(lines).toContain('accounts  2: 1 ready, 1 log in');
    expect(lines).toContain('clusters  5: 3 log in, 1 ready, 1 rejected (401); 1 TLS not verified');
    expect(lines).toContain('lab      https://lab.example      prod-eu  rejected (401), TLS not verified');
    expect(lines.filter((line) => line.startsWith('kind ') || line.startsWith('prod-eu  exec'))).toEqual([]);
    expect(lines).toContain('staging  https://staging.example  corp     log in');
    expect((await of(['--all'])).join('\n')).toMatch(/^kind +https:\/\/kind\.example +prod-eu +ready$/m);
  });

  it('says that nothing needs attention, and lists no rows, where all is fine', async () => {
    const lines = await of([], { accounts: [good], clusters: [cluster('kind', good)] });
    expect(lines[0]).toBe('Nothing needs attention.');
    expect(lines.join('\n')).not.toMatch(/^CLUSTER|^ACCOUNT/m);
  });

  it('lists some of many, and says how many more there are', async () => {
    const many = Array.from({ length: 300 }, (_, at) => cluster(`c${at}`, corp));
    const lines = await of([], { accounts: [corp], clusters: many });
    expect(lines.filter((line) => /^c\d/.test(line))).toHaveLength(20);
    expect(lines).toContain('and 280 more: lanyard status --all');
    expect(lines).toContain('corp: log in (300 clusters)');
  });

  it('while locked says so once', async () => {
    const locked = { ...good, state: 'locked', advice: 'lanyard unlock' } as const;
    const lines = await of([], {
      vault: { kind: 'locked', reason: 'it was locked by you' } as never,
      accounts: [locked],
      clusters: [cluster('kind', locked)],
    });
    expect(lines.slice(0, 4)).toEqual([
      'Needs attention:',
      'locked: nothing is issued',
      'lanyard unlock',
      '',
    ]);
    expect(lines).toContain('clusters  1: 1 locked');
    expect(lines.join('\n')).not.toMatch(/^kind/m);
  });

  it.each([
    ['an account, with what uses it', ['corp'], ['corp', 'prod-eu', 'prod-ap', 'staging']],
    ['a cluster, with its account', ['staging'], ['corp', 'staging']],
    ['a cluster by its alias', ['stage'], ['corp', 'staging']],
    ['all of that name', ['prod-eu'], ['prod-eu', 'corp', 'prod-eu', 'kind', 'lab']],
    ['the account alone', ['--account', 'prod-eu'], ['prod-eu', 'kind', 'lab']],
  ])('of a name shows %s, fine or not', async (_, args, names) => {
    const lines = await of(args);
    const rows = lines.filter((line) => / {2}(exec plugin|OIDC login|https:)/.test(line));
    expect(rows.map((line) => line.split(' ')[0])).toEqual(names);
    const json = JSON.parse((await of([...args, '--json'])).join('')) as Status;
    expect([...json.accounts, ...json.clusters].map(({ name }) => name)).toEqual(names);
  });

  it('knows no other names', async () => {
    await expect(of(['prod-uu'])).rejects.toMatchObject({
      reason: 'notFound',
      hint: 'did you mean prod-eu or prod-ap?',
    });
    await expect(of(['--account', 'staging'])).rejects.toMatchObject({ reason: 'notFound' });
    await expect(of(['a', '--account', 'b'])).rejects.toMatchObject({ reason: 'usage' });
  });

  it('fits the terminal, and is whole with --wide', async () => {
    const name = 'arn:aws:eks:eu-west-1:111122223333:cluster/prod-payments';
    const status = { accounts: [{ ...corp, name }], clusters: [cluster(name, { ...corp, name })] };
    const read = async (args: string[]) => {
      const command = statusCommand({
        kubectl: { of: async () => new Map() },
        status: { read: async () => wholeStatus(status) },
        inventories: { read: async () => [] },
        config: { current: () => ({ clusters: new Map() }) },
      } as never);
      const call = commandCall(args);
      const answer = await command({ ...call, terminal: { ...call.terminal, columns: 80 } });
      return withoutStyle(String(answer.stdout))
        .split('\n')
        .filter((line) => / {2}log in/.test(line));
    };
    const rows = await read([]);
    expect(rows).toHaveLength(2);
    expect(rows.filter((row) => row.length > 80 || !row.includes('/prod-payments'))).toEqual([]);
    expect((await read(['--wide'])).every((row) => row.includes(name))).toBe(true);
  });
});
