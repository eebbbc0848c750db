import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profileObject } from '../../test/support/inventory-hub.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { withoutLinks } from '../../test/support/system.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { Disposables } from '../base/disposables.ts';
import { inventory as inventorySchema } from '../contract/config/inventory.ts';
import { silentLog } from '../ports/log.ts';
import { fileDocuments } from './file-documents.ts';
import { startFileSource } from './file-source.ts';
import type { ProfileSource } from './profile-source.ts';
import { openProfileStore, type ProfileStore } from './profile-store.ts';
import { fileLimits } from './read-profile-files.ts';

const folder = temporaryFolder();
let clock: ManualClock;
let opened: Disposables;

beforeEach(() => {
  clock = new ManualClock();
  opened = new Disposables();
});
afterEach(() => opened.dispose());

const at = (name: string) => join(folder(), name);
const write = (name: string, ...objects: object[]) =>
  writeFileSync(at(name), objects.map((object) => JSON.stringify(object)).join('\n---\n'));

interface Following {
  store: ProfileStore;
  source: ProfileSource;
}

async function follow(...names: string[]): Promise<Following> {
  const place = { folder: at('inventories'), inventory: 'fleet', origin: 'files' };
  const store = opened.add(await openProfileStore({ ...place, clock, log: silentLog }));
  const providers = [{ name: 'google', account: 'corp' }];
  const config = inventorySchema.parse({ files: names.map(at), providers });
  const source = opened.add(startFileSource({ name: 'fleet', config }, { store, clock, log: silentLog }));
  await source.sync();
  return { store, source };
}

const namesOf = ({ store }: Following) => [...store.profiles().keys()].sort();
/** What `get` gives once time has passed. */
function later<T>(milliseconds: number, get: () => T): T {
  clock.advance(milliseconds);
  return get();
}

const trouble = ({ store }: Following) => store.state().trouble?.text;

const yaml = `# two clusters
%YAML 1.2
---
apiVersion: multicluster.x-k8s.io/v1alpha2
kind: ClusterProfile
metadata:
  name: one
  namespace: team
spec: {displayName: One, clusterManager: {name: tests}}
--- # the next one
apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata: {name: two}
spec: {displayName: Two, clusterManager: {name: tests}}
status:
  conditions:
  - message: |
      a text
    type: A
    status: "True"
---
apiVersion: v1
kind: Secret
metadata: {name: not-a-profile}
---
`;

describe('profiles of files', () => {
  test('are read from YAML of many documents; other kinds are passed over', async () => {
    writeFileSync(at('clusters.yaml'), yaml);
    const made = await follow('clusters.yaml');
    expect(namesOf(made)).toEqual(['default/two', 'team/one']);
    expect(made.store.profiles().get('default/two')?.conditions[0]?.message).toBe('a text');
    expect(made.store.state()).toMatchObject({ kind: 'live', trouble: null, lagMilliseconds: 0 });
    expect(made.store.problems()).toEqual([]);
  });

  test('are read from JSON, and from both kinds of lists', async () => {
    const { apiVersion, kind, ...bare } = profileObject('team', 'typed');
    const items = [profileObject('team', 'a'), { kind: 'Secret' }];
    write('a.json', { apiVersion: 'v1', kind: 'List', items });
    write('b.json', { apiVersion, kind: 'ClusterProfileList', items: [bare, 'text', null] });
    const made = await follow('a.json', 'b.json');
    expect(kind).toBe('ClusterProfile');
    expect(namesOf(made)).toEqual(['team/a', 'team/typed']);
  });

  test('are read from a folder(), by name, without its folders and hidden files', async () => {
    mkdirSync(at('fleet'));
    mkdirSync(at('fleet/deeper.yaml'));
    write('fleet/b.yaml', profileObject('team', 'b'));
    write('fleet/.a.yaml.swp', profileObject('team', 'hidden'));
    write('fleet/a.YML', profileObject('team', 'a'));
    write('fleet/notes.txt', profileObject('team', 'notes'));
    const made = await follow('fleet');
    expect(namesOf(made)).toEqual(['team/a', 'team/b']);
  });

  test.skipIf(withoutLinks)('are read from what a folder()’s links lead to', async () => {
    mkdirSync(at('fleet'));
    write('elsewhere.yaml', profileObject('team', 'linked'));
    symlinkSync(at('elsewhere.yaml'), at('fleet/link.yaml'));
    expect(namesOf(await follow('fleet'))).toEqual(['team/linked']);
  });

  test('of one name: the first file counts, and the other is shown', async () => {
    write('a.yaml', profileObject('team', 'same', { spec: { displayName: 'first' } }));
    write('b.yaml', profileObject('team', 'same', { spec: { displayName: 'second' } }));
    const made = await follow('b.yaml', 'a.yaml');
    expect(made.store.profiles().get('team/same')?.displayName).toBe('second');
    const text = `is in ${at('b.yaml')}, which counts, and in ${at('a.yaml')}, too`;
    expect(made.store.problems()).toEqual([{ namespace: 'team', name: 'same', text }]);
    expect(made.store.state().kind).toBe('live');
  });

  type Row = [what: string, put: () => void, text: RegExp];
  const holding = (content: string | Buffer) => () => writeFileSync(at('b.yaml'), content);
  const device: Row = ['a device', () => symlinkSync('/dev/zero', at('b.yaml')), /b\.yaml is not a file/];
  test.each<Row>([
    ['a file that is missing', () => {}, /b\.yaml is missing/],
    ['broken YAML', holding('a: b\n---\n{'), /b\.yaml:3: /],
    ['an alias without an anchor', holding('a: *none\n'), /b\.yaml:1: /],
    ['no text', holding(Buffer.from([0xff, 0xfe, 0])), /b\.yaml is not UTF-8/],
    ['a file that is too large', holding(Buffer.alloc(fileLimits.fileBytes + 1, ' ')), /larger/],
    [
      'documents without end',
      holding('--- a\n'.repeat(fileLimits.fileObjects)),
      /b\.yaml has more than 30000 objects/,
    ],
    [
      'a list without end',
      holding(`{"kind":"List","items":[${'0,'.repeat(60_000)}0]}`),
      /more than 30000 objects/,
    ],
    ...(withoutLinks ? [] : [device]),
  ])('%s is shown; the rest is read, and nothing is removed', async (_what, put, text) => {
    write('b.yaml', profileObject('team', 'b'));
    write('a.yaml', profileObject('team', 'a'));
    const made = await follow('b.yaml', 'a.yaml');
    unlinkSync(at('b.yaml'));
    put();
    write('a.yaml', profileObject('team', 'another'));
    expect(await made.source.sync()).toMatchObject({ ok: false, code: 'file' });
    expect(namesOf(made)).toEqual(['team/a', 'team/another', 'team/b']);
    expect(trouble(made)).toMatch(text);
    expect(made.store.state().kind).toBe('stale');
    unlinkSync(at('a.yaml'));
    rmSync(at('b.yaml'), { force: true });
    write('a.yaml', profileObject('team', 'a'));
    write('b.yaml', profileObject('team', 'b'));
    expect(await made.source.sync()).toEqual({ ok: true });
    expect(namesOf(made)).toEqual(['team/a', 'team/b']);
    expect(made.store.state().kind).toBe('live');
  });

  test('more files than are read: it says so, and what is read is in use', async () => {
    for (let number = 0; number <= fileLimits.files; number++) {
      write(`${number}.json`, profileObject('team', `p${number}`));
    }
    const made = await follow('.');
    expect(namesOf(made)).toHaveLength(fileLimits.files);
    expect(made.store.state()).toMatchObject({ kind: 'stale', lastSyncAt: null });
    expect(trouble(made)).toBe(
      'there are 1001 files, of which the first 1000 are read: put several profiles in one file',
    );
  });

  test('a list within lists is passed over', () => {
    const deep = `${'{"kind":"List","items":['.repeat(100_000)}${']}'.repeat(100_000)}`;
    writeFileSync(at('deep.json'), deep);
    return expect(follow('deep.json')).resolves.toBeDefined();
  });
});

describe('files are watched', () => {
  test('a change counts at once, a removal at the next poll', async () => {
    mkdirSync(at('fleet'));
    write('fleet/a.yaml', profileObject('team', 'a'));
    const made = await follow('fleet');
    write('fleet/b.yaml', profileObject('team', 'b'));
    await expect.poll(() => later(100, () => namesOf(made))).toEqual(['team/a', 'team/b']);
    clock.advance(2_000);
    await made.source.sync();
    unlinkSync(at('fleet/a.yaml'));
    await expect.poll(() => later(100, () => namesOf(made))).toEqual(['team/b']);
    expect(made.store.state().kind).toBe('live');
  });

  test('a file that is missing for a moment takes nothing away', async () => {
    mkdirSync(at('fleet'));
    write('fleet/a.yaml', profileObject('team', 'a'));
    const made = await follow('fleet');
    unlinkSync(at('fleet/a.yaml'));
    write('fleet/b.yaml', profileObject('team', 'b'));
    made.source.wake();
    clock.advance(100);
    await expect.poll(() => namesOf(made)).toEqual(['team/a', 'team/b']);
    write('fleet/a.yaml', profileObject('team', 'a'));
    clock.advance(2_000);
    await made.source.sync();
    expect(namesOf(made)).toEqual(['team/a', 'team/b']);
  });

  test('a file that an editor replaces keeps its profiles', async () => {
    write('a.yaml', profileObject('team', 'a'), profileObject('team', 'b'));
    const made = await follow('a.yaml');
    const changed = profileObject('team', 'a', { spec: { displayName: 'changed' } });
    write('next', changed, profileObject('team', 'b'));
    renameSync(at('next'), at('a.yaml'));
    const shown = () => made.store.profiles().get('team/a')?.displayName;
    await expect.poll(() => later(100, shown)).toBe('changed');
    expect(namesOf(made)).toEqual(['team/a', 'team/b']);
  });

  test('files that are all empty remove nothing, until they were minutes later, too', async () => {
    write('a.yaml', profileObject('team', 'a'));
    const made = await follow('a.yaml');
    writeFileSync(at('a.yaml'), '');
    expect(await made.source.sync()).toMatchObject({ ok: false, code: 'emptied' });
    expect(made.store.state()).toMatchObject({ kind: 'stale', trouble: { code: 'emptied' } });
    expect(namesOf(made)).toEqual(['team/a']);
    clock.advance(200_000);
    await made.source.sync();
    expect(namesOf(made)).toEqual(['team/a']);
    await expect.poll(() => later(10_000, () => namesOf(made))).toEqual([]);
    expect(made.store.state().kind).toBe('live');
  });

  test('an end leaves no timer', async () => {
    write('a.yaml', profileObject('team', 'a'));
    const made = await follow('a.yaml');
    await made.source.dispose();
    await made.store.dispose();
    expect(clock.pending).toBe(0);
    expect(await made.source.sync()).toMatchObject({ ok: false });
  });
});

test('documents are split as YAML says, with their lines', () => {
  const documents = [...fileDocuments('a: 1\r\n---\r\nb: |\n  x\n--- {c: 3}\n---\n  e: [\n')];
  expect(documents).toMatchObject([
    { ok: true, value: { a: 1 } },
    { ok: true, value: { b: 'x\n' } },
    { ok: true, value: { c: 3 } },
    { ok: false, line: expect.any(Number) },
  ]);
});

test.each([
  ['anchors', Array.from({ length: 60_000 }, (_, at) => `- &a${at} x`).join('\n')],
  ['items of a nested list in one line', '- '.repeat(300_000)],
  ['tags', '- !t x\n'.repeat(30_000)],
  ['values in braces', `a: [${'x,'.repeat(60_000)}]`],
  ['escapes', `a: "${'\\n'.repeat(60_000)}"`],
  [
    'characters in quotes',
    `a: "${'x'.repeat(1_000_000)}\n ${'x'.repeat(2_000_000)}"`,
    /more than 2097152 characters/,
  ],
])('a document of many %s isn’t parsed', (_, text, said = /too many entries/) => {
  expect([...fileDocuments(`a: 1\n---\n${text}`)]).toMatchObject([
    { ok: true },
    { ok: false, message: expect.stringMatching(said) },
  ]);
});

test('a long list is read where it is JSON, of several documents too, or in kubectl’s layout', () => {
  const items = Array.from({ length: 30_000 }, (_, at) => ({ name: `c${at}` }));
  const json = JSON.stringify({ items });
  const yaml = `items:\n${items.map(({ name }) => `- name: ${name}\n`).join('')}`;
  const expected = { ok: true, value: { items } };
  expect([...fileDocuments(`${json}\n---\n${json}`)]).toEqual([expected, expected]);
  expect([...fileDocuments(yaml)]).toEqual([expected]);
});
