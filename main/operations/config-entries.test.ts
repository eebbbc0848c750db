import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCa } from '../../test/support/certificates.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { Bindings } from '../access/bindings.ts';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { createConfigStore } from '../config/store.ts';
import { uiCalls } from '../contract/ui/calls/index.ts';
import { silentLog } from '../ports/log.ts';
import { type ConfigEntries, createConfigEntries } from './config-entries.ts';

let folder: string;
let file: string;
let config: Awaited<ReturnType<typeof createConfigStore>>;
let bindings: Bindings;
let entries: ConfigEntries;
let clock: ManualClock;
let recorded: string[];

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const prod = { server: 'https://h:6443', account: 'a', approval: '15m' };

beforeEach(async () => {
  folder = folderForTest();
  file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    `version: 1
accounts: { a: { staticToken: {} } }
clusters:
  prod: { server: "https://h:6443", account: a, approval: 15m } # mine
`,
  );
  config = await createConfigStore({ file, log: silentLog });
  const vault = new FakeVault();
  bindings = new Bindings({ config, vault });
  await bindings.approve({ changes: bindings.changes() });
  clock = new ManualClock();
  recorded = [];
  const recorder = { record: (event: { kind: string; what?: string }) => recorded.push(event.what ?? '') };
  entries = createConfigEntries('cluster', { config, vault, bindings, clock, recorder });
});
afterEach(() => config.dispose());

/** Of another kind, with a vault of its own. */
const entriesOf = (kind: 'inventory' | 'registry') =>
  createConfigEntries(kind, {
    ...{ config, bindings, clock, vault: new FakeVault() },
    recorder: { record: () => undefined },
  });

describe('an entry', () => {
  it('is read as it is written', async () => {
    expect(await entries.read('prod')).toEqual(prod);
    await expect(entries.read('other')).rejects.toMatchObject({ code: 'cluster.unknown' });
  });

  it('that is a profile in use is read, changed and removed where it is chosen', async () => {
    const current = config.current();
    const origin = { inventory: 'fleet', namespace: 'n', name: 'eu', uid: null, provider: 'p' };
    const cluster = current.clusters.get('prod');
    const clusters = new Map(current.clusters);
    if (cluster) {
      clusters.set('eu', { ...cluster, name: 'eu', origin });
    }
    config.current = () => ({ ...current, clusters });
    const refused = { code: 'cluster.ofInventory', hint: 'lanyard inventory drop eu' };
    await expect(entries.read('eu')).rejects.toMatchObject(refused);
    await expect(entries.set('eu', prod, false, { kind: 'asking' })).rejects.toMatchObject(refused);
    await expect(entries.remove(['eu'])).rejects.toMatchObject(refused);
  });

  it.each([
    ['a server that is none', { server: 'nonsense' }, 'server', /https/],
    ['an account that there is not', { account: 'nobody' }, 'account', /no account named nobody/],
    ['a key that nobody knows', { sever: 'x' }, null, /sever/],
  ])('with %s is told so at its field', async (_, more, field, message) => {
    const problems = await entries.check('prod', { ...prod, ...more }, false);
    expect(problems).toEqual([
      { field, message: expect.stringMatching(message), severity: expect.any(String) },
    ]);
  });

  it('that is good has no problem; a name that is taken, or is none, has one', async () => {
    expect(await entries.check('prod', prod, false)).toEqual([]);
    expect(await entries.check('new', prod, true)).toEqual([]);
    expect(await entries.check('prod', prod, true)).toMatchObject([{ field: 'name' }]);
    expect(await entries.check('-x', prod, true)).toMatchObject([{ field: 'name' }]);
  });

  it('set by a page is written, and pending until the user approves it', async () => {
    const changed = { ...prod, server: 'https://evil' };
    expect(await entries.set('prod', changed, false, { kind: 'asking' })).toEqual({ held: true });
    expect(bindings.pending('cluster', 'prod')?.lines.join('\n')).toContain('+ server: https://evil');
    expect(readFileSync(file, 'utf8')).toContain('# mine');
    await expect(entries.set('prod', prod, true, { kind: 'asking' })).rejects.toMatchObject({
      code: 'cluster.exists',
    });
    await expect(entries.set('other', prod, false, { kind: 'asking' })).rejects.toMatchObject({
      code: 'cluster.unknown',
    });
  });
});

describe('an inventory', () => {
  const fleet = {
    cluster: 'prod',
    providers: [{ name: 'google', account: 'a' }],
    servers: ['*.example.com'],
  };
  let inventories: ConfigEntries;
  beforeEach(() => {
    inventories = entriesOf('inventory');
  });

  it.each([
    ['neither hub nor files', { cluster: undefined }, null, /expected `cluster`, the hub, or `files`/],
    [
      'a provider’s account that there is not',
      { providers: [{ name: 'google', account: 'none' }] },
      'providers',
      /^0\.account: there is no account none/,
    ],
    ['a server that is none', { servers: ['good.example.com', 'https://'] }, 'servers', /^1: /],
  ])('with %s is told so at its field', async (_, more, field, message) => {
    const entry = JSON.parse(JSON.stringify({ ...fleet, ...more }));
    expect(await inventories.check('fleet', entry, true)).toEqual([
      { field, message: expect.stringMatching(message), severity: 'error' },
    ]);
  });

  it('is added, pending until it is approved, and put back as it was', async () => {
    expect(await inventories.check('fleet', fleet, true)).toEqual([]);
    expect(await inventories.set('fleet', fleet, true, { kind: 'asking' })).toEqual({ held: true });
    expect(bindings.pending('inventory', 'fleet')).toMatchObject({ change: 'new' });
    expect(await inventories.check('fleet', fleet, true)).toMatchObject([
      { field: 'name', message: 'there is an inventory of that name already' },
    ]);
    await bindings.approve({ changes: bindings.changes() });
    const undo = await inventories.remove(['fleet']);
    expect(await inventories.putBack(undo)).toEqual({ held: 0 });
    expect(await inventories.read('fleet')).toEqual(fleet);
  });
});

describe('what a page taken over may set', () => {
  it.each<[string, string, object]>([
    ['a name that is a prototype’s', '__proto__', prod],
    ['a name with an end of line', 'a\nb', prod],
    ['a key that YAML would merge', 'new', { ...prod, '<<': { insecureSkipTlsVerify: true } }],
    ['a key that nobody knows', 'new', { ...prod, note: 'x'.repeat(1000) }],
    ['a server that carries a password', 'new', { ...prod, server: 'https://u:p@h' }],
    ['plain http to another machine', 'new', { ...prod, server: 'http://h' }],
    ['a value that nests without end', 'new', { ...prod, execConfig: nested(5_000) }],
    ['no entry at all', 'new', {}],
  ])('is not %s', async (_, name, entry) => {
    const before = readFileSync(file, 'utf8');
    await expect(entries.set(name, { ...entry }, true, { kind: 'asking' })).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect([...config.current().clusters.keys()]).toEqual(['prod']);
  });

  it.each(['constructor', 'toString', 'new', 'null', '1'])('may be named %s, and is held', async (name) => {
    await entries.set(name, prod, true, { kind: 'asking' });
    expect(await entries.read(name)).toEqual(prod);
    expect(bindings.pending('cluster', name)).toMatchObject({ change: 'new' });
    const undo = await entries.remove([name]);
    expect(await entries.putBack(undo)).toEqual({ held: 1 });
  });

  it('is read and refused by the contract, however deep it nests', () => {
    const input = (entry: object) =>
      uiCalls['entry.set'].input.safeParse({ kind: 'cluster', name: 'a', isNew: true, entry });
    expect(input({ execConfig: nested(200_000) }).success).toBe(false);
    expect(input(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, n]))).success).toBe(false);
    expect(input({ ['k'.repeat(65)]: 1 }).success).toBe(false);
    expect(input({ ...prod }).success).toBe(true);
  });

  it('leaves all as it was when it is many at once', async () => {
    const all = Array.from({ length: 20 }, (_, n) =>
      entries.set('same', { ...prod, server: `https://h${n}` }, true, { kind: 'asking' }),
    );
    const done = await Promise.allSettled(all);
    expect(done.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(bindings.pending('cluster', 'same')).not.toBeNull();
    expect(bindings.pending('cluster', 'prod')).toBeNull();
    expect(config.problems()).toEqual([]);
  });
});

describe('a removal', () => {
  it('is restored as it was, and what was approved needs no approval again', async () => {
    const undo = await entries.remove(['prod']);
    expect(config.current().clusters.has('prod')).toBe(false);
    expect(await entries.putBack(undo)).toEqual({ held: 0 });
    expect(await entries.read('prod')).toEqual(prod);
    expect(bindings.pending('cluster', 'prod')).toBeNull();
    await expect(entries.putBack(undo)).rejects.toMatchObject({ code: 'cluster.undoGone' });
    expect(recorded).toEqual(['cluster.remove', 'cluster.add']);
  });

  it('of what was not approved is pending when it is back', async () => {
    await entries.set('new', { ...prod, server: 'https://evil' }, true, { kind: 'asking' });
    const undo = await entries.remove(['new']);
    expect(await entries.putBack(undo)).toEqual({ held: 1 });
    expect(bindings.pending('cluster', 'new')).not.toBeNull();
  });

  it('is pending when it is back where its CA’s file has changed meanwhile', async () => {
    const pem = join(folder, 'ca.pem');
    writeFileSync(pem, (await createCa('one')).certificatePem);
    await entries.set('prod', { ...prod, certificateAuthority: pem }, false, { kind: 'confirming' });
    const undo = await entries.remove(['prod']);
    writeFileSync(pem, (await createCa('two')).certificatePem);
    expect(await entries.putBack(undo)).toEqual({ held: 1 });
  });

  it('takes no other cluster’s place, and can’t be undone for ever', async () => {
    const undo = await entries.remove(['prod']);
    await entries.set('prod', prod, true, { kind: 'asking' });
    await expect(entries.putBack(undo)).rejects.toMatchObject({ code: 'cluster.undoGone' });
    const later = await entries.remove(['prod']);
    clock.advance(16 * 60_000);
    await expect(entries.putBack(later)).rejects.toMatchObject({ code: 'cluster.undoGone' });
  });

  it('is not undone past what the user approved and removed under that name since', async () => {
    const undo = await entries.remove(['prod']);
    await entries.set('prod', { ...prod, server: 'https://new' }, true, { kind: 'confirming' });
    await entries.remove(['prod']);
    await expect(entries.putBack(undo)).rejects.toMatchObject({ code: 'cluster.undoGone' });
    expect(config.current().clusters.has('prod')).toBe(false);
  });

  it('of what a page had changed first restores the change, and not the approval that was given before it', async () => {
    await entries.set('prod', { ...prod, server: 'https://evil' }, false, { kind: 'asking' });
    const undo = await entries.remove(['prod']);
    expect(await entries.putBack(undo)).toEqual({ held: 1 });
    expect(bindings.pending('cluster', 'prod')?.lines).toContain('+ server: https://evil');
  });
});

describe('several at once', () => {
  const names = ['prod', 'eu', 'us'];
  beforeEach(async () => {
    await entries.set('eu', prod, true, { kind: 'confirming' });
    await entries.set('us', { ...prod, server: 'https://us' }, true, { kind: 'asking' });
    recorded.length = 0;
  });
  const inConfig = () => [...config.current().clusters.keys()].sort();

  it('are removed by one write, and put back as they were, each with the approval that it had', async () => {
    let writes = 0;
    config.onChange(() => writes++);
    const undo = await entries.remove(names);
    expect([inConfig(), writes]).toEqual([[], 1]);
    expect(await entries.putBack(undo)).toEqual({ held: 1 });
    expect([inConfig(), writes]).toEqual([['eu', 'prod', 'us'], 2]);
    expect(names.map((name) => bindings.pending('cluster', name) !== null)).toEqual([false, false, true]);
    expect(recorded).toEqual([...names.map(() => 'cluster.remove'), ...names.map(() => 'cluster.add')]);
  });

  it('are all removed, or none is', async () => {
    await expect(entries.remove(['prod', 'nowhere'])).rejects.toMatchObject({ code: 'cluster.unknown' });
    expect(inConfig()).toEqual(['eu', 'prod', 'us']);
  });

  it('are not put back where one of them is there again', async () => {
    const undo = await entries.remove(names);
    await entries.set('eu', { ...prod, server: 'https://new' }, true, { kind: 'confirming' });
    await expect(entries.putBack(undo)).rejects.toMatchObject({ code: 'cluster.undoGone' });
    expect(inConfig()).toEqual(['eu']);
  });

  it('get another approval by one write: a laxer one is pending', async () => {
    let writes = 0;
    config.onChange(() => writes++);
    expect(await entries.setApproval(['prod', 'eu'], 'never')).toEqual({ held: 2 });
    expect(writes).toBe(1);
    expect(await entries.read('eu')).toEqual({ ...prod, approval: 'never' });
    expect(bindings.pending('cluster', 'eu')).toMatchObject({
      served: true,
      lines: expect.arrayContaining(['- approval: 15m']),
    });
    await expect(entries.setApproval(['eu'], 'sometimes')).rejects.toThrow(/never, always/);
  });

  it('get another approval beside another change: that stays', async () => {
    await Promise.all([
      entries.setApproval(['prod', 'eu'], 'always'),
      entries.set('eu', { ...prod, server: 'https://new:6443' }, false, { kind: 'asking' }),
    ]);
    expect(await entries.read('prod')).toEqual({ ...prod, approval: 'always' });
    expect(await entries.read('eu')).toMatchObject({ server: 'https://new:6443' });
  });

  it('get no other approval where one is removed meanwhile', async () => {
    const removal = config.edit([{ kind: 'remove', what: 'cluster', name: 'us' }]);
    const change = entries.setApproval(['prod', 'us'], 'never');
    await removal;
    await expect(change).rejects.toMatchObject({ code: 'cluster.unknown' });
    expect(await entries.read('prod')).toEqual(prod);
  });
});

describe('registries', () => {
  let registries: ConfigEntries;
  const ghcr = { matchImages: ['ghcr.io/team'], account: 'a' };
  beforeEach(() => {
    registries = entriesOf('registry');
  });

  it('are written by a page, pending, and read as they are written', async () => {
    expect(await registries.set('ghcr', ghcr, true, { kind: 'asking' })).toEqual({ held: true });
    expect(await registries.read('ghcr')).toEqual(ghcr);
    expect(bindings.pending('registry', 'ghcr')).not.toBeNull();
    const undo = await registries.remove(['ghcr']);
    await expect(registries.read('ghcr')).rejects.toMatchObject({ code: 'registry.unknown' });
    expect(await registries.putBack(undo)).toEqual({ held: 1 });
  });

  it('are told of a wildcard over names that anyone can register, before they are saved', async () => {
    const wide = { ...ghcr, matchImages: ['ghcr.io', '*.azurecr.io'] };
    expect(await registries.check('azure', wide, true)).toEqual([
      { field: 'matchImages', severity: 'warning', message: expect.stringContaining('*.azurecr.io') },
    ]);
    expect(await registries.check('ghcr', ghcr, true)).toEqual([]);
    // Also while something else is missing.
    expect(await registries.check('x', { ...wide, account: 'gone' }, true)).toMatchObject([
      { field: 'account', severity: 'error' },
      { field: 'matchImages', severity: 'warning' },
    ]);
  });
});
