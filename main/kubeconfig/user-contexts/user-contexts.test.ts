import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { withoutLinks } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { readKubeconfigs } from '../read/read-kubeconfigs.ts';
import { openConsent } from './consent.ts';
import type { WantedContext } from './plan-contexts.ts';
import { createUserContexts, type UserContexts } from './user-contexts.ts';

let home: string;
let file: string;
let state: string;
beforeEach(() => {
  home = folderForTest();
  file = join(home, '.kube', 'config');
  state = join(home, 'contexts.json');
});

const log = { info() {}, warn() {}, error() {}, debug() {} } as never;
const waiting = { signal: new AbortController().signal, say: () => undefined };
/** `passes` ends each wait. */
let passes: (() => void)[] = [];
const clock = {
  now: () => Date.now(),
  boottime: () => performance.now(),
  after: (_: number, then: () => void) => {
    passes.push(then);
    return { dispose() {} };
  },
};

function want(name: string, more: Partial<WantedContext> = {}): WantedContext {
  const exec = { command: '/h/lanyard', args: ['kube-credential', '--account', 'corp', '--cluster', name] };
  const userName = `lanyard:corp@${name}`;
  return {
    name,
    account: 'corp',
    userName,
    cluster: { server: `https://${name}` },
    user: { exec },
    namespace: null,
    ...more,
  };
}

/** `dies`: the broker ends before or after it writes the user’s file. */
async function open(wanted: WantedContext[], dies: 'before' | 'after' | null = null) {
  const consent = await openConsent({ file: state, log });
  const dying = () => {
    throw new Error('killed');
  };
  const isWritten = () => existsSync(file) && readFileSync(file, 'utf8').includes('lanyard:corp');
  return createUserContexts({
    consent: {
      ...consent,
      update: (next) => (dies === 'after' && isWritten() ? dying() : consent.update(next)),
    },
    managed: join(home, 'lanyard', 'kubeconfig'),
    homeDirectory: home,
    wanted: async () => wanted,
    read: readKubeconfigs,
    writeManaged: async () => undefined,
    onEdited: async () => undefined,
    locking: {
      clock,
      host: 'h',
      processes: { ownPid: dies === 'before' ? dying : () => 1, process: () => null },
    },
    clock,
    log,
  });
}

const byFile = (list = [file]) => ({ kind: 'file', file, list }) as const;

function write(value: string | object, path = file): string {
  mkdirSync(dirname(path), { recursive: true });
  const text = typeof value === 'string' ? value : stringify(value);
  writeFileSync(path, text);
  return text;
}

/** The file was changed so many seconds ago. */
function changedBefore(seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(file, at, at);
}

/** What the broker does without being asked, once it has waited. */
async function follow(own: UserContexts): Promise<void> {
  passes = [];
  own.follow();
  passes[0]?.();
  // Behind it in the queue.
  await own.takeOut(join(home, 'none'), waiting);
}

/** By context: its cluster’s server, user and namespace. */
function contexts() {
  const { contexts: list = [], clusters } = parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(
    list.map(({ name, context }: { name: string; context: Record<string, string> }) => {
      const of = clusters.find((each: { name: string }) => each.name === context['cluster']);
      return [
        name,
        [of?.cluster.server, context['user'], ...(context['namespace'] ? [context['namespace']] : [])],
      ];
    }),
  );
}

const theirs = {
  kind: 'Config',
  clusters: [{ name: 'prod', cluster: { server: 'https://theirs' } }],
  contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'me' } }],
  users: [{ name: 'me', user: { token: 't' } }],
  'current-context': 'prod',
};

describe('contexts in the user’s own file (rule: reversible-edits)', () => {
  test('come, follow what is approved, and go: all else of the file stays byte for byte', async () => {
    const before = write(`# mine\n${stringify(theirs)}`);
    const wanted = [want('east'), want('west', { namespace: 'web' })];
    const own = await open(wanted);
    await own.choose(byFile(), waiting);
    expect(contexts()).toEqual({
      prod: ['https://theirs', 'me'],
      east: ['https://east', 'lanyard:corp@east'],
      west: ['https://west', 'lanyard:corp@west', 'web'],
    });
    wanted[0] = want('east', { cluster: { server: 'https://moved' } });
    wanted.pop();
    await own.reconcile();
    expect(contexts()).toEqual({
      prod: ['https://theirs', 'me'],
      east: ['https://moved', 'lanyard:corp@east'],
    });
    expect(own.files()).toEqual([{ file, clusters: 1 }]);
    expect(await own.takeOut(file, waiting)).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe(before);
    await own.reconcile();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test.each([
    ['blank lines', '\n'.repeat(60)],
    ['comments with Windows line ends', '\r\n# mine\r\n'],
    ['a comment without a line end', '# mine'],
    ['the mark before a document', '---\n# mine\n'],
    ['a list alone', 'clusters:\n- name: mine\n  cluster: {server: "https://mine"}\n'],
    ['names of JavaScript’s', stringify({ clusters: [{ name: 'constructor', cluster: {} }] })],
    ['blank lines before keys', `${'\n'.repeat(60)}${stringify(theirs)}`],
  ])('a file with %s gets them, too', async (_, before) => {
    write(before);
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    expect(own.fault()).toBeNull();
    expect(contexts()).toMatchObject({ east: ['https://east', 'lanyard:corp@east'] });
  });

  test('a file and its folder are made where there is none', async () => {
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    expect(contexts()).toEqual({ east: ['https://east', 'lanyard:corp@east'] });
  });

  test('no entry of somebody else’s is overwritten, whichever file has it: the name is another one', async () => {
    const other = join(home, 'other');
    write({ contexts: [{ name: 'west', context: { cluster: 'x', user: 'me' } }] }, other);
    write({ ...theirs, users: [...theirs.users, { name: 'lanyard:corp@prod', user: {} }] });
    const own = await open([want('prod'), want('prod-lanyard'), want('west')]);
    await own.choose(byFile([file, other]), waiting);
    expect(contexts()).toEqual({
      prod: ['https://theirs', 'me'],
      'prod-lanyard-2': ['https://prod', 'lanyard:corp@prod-lanyard'],
      'prod-lanyard': ['https://prod-lanyard', 'lanyard:corp@prod-lanyard-lanyard'],
      'west-lanyard': ['https://west', 'lanyard:corp@west'],
    });
  });

  test('a program that removes them whenever they come is not fought', async () => {
    const before = write(theirs);
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    let edits = 0;
    for (let times = 0; times < 20; times++) {
      write(before);
      changedBefore(60);
      await follow(own);
      edits += readFileSync(file, 'utf8') === before ? 0 : 1;
    }
    expect(edits).toBe(5);
    await own.reconcile();
    expect(Object.keys(contexts())).toEqual(['prod', 'east']);
  });

  test('a file that another program may still be writing waits: what it writes would be lost', async () => {
    write(theirs);
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    // ssh server cat kubeconfig > ~/.kube/config
    write('');
    await follow(own);
    await own.reconcile();
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(own.fault()).toMatch(/^is empty: another program may be about to write it$/);
    write(theirs);
    await follow(own);
    expect(Object.keys(contexts())).toEqual(['prod']);
    expect(own.fault()).toBeNull();
    changedBefore(3);
    await follow(own);
    expect(Object.keys(contexts())).toEqual(['prod', 'east']);
    write('');
    changedBefore(1000);
    await follow(own);
    expect(Object.keys(contexts())).toEqual(['east']);
  });

  test('a cluster whose context asks Lanyard already is left alone', async () => {
    const before = write({ ...theirs, users: [{ name: 'me', user: want('prod').user }] });
    const own = await open([want('prod')]);
    await own.choose(byFile(), waiting);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('what others write since stays when Lanyard’s goes: an entry that they changed, and one that they stand on', async () => {
    write(theirs);
    const own = await open([want('a'), want('b'), want('c')]);
    await own.choose(byFile(), waiting);
    const value = parse(readFileSync(file, 'utf8'));
    const named = (list: { name: string }[], name: string) =>
      list.find((each) => each.name === name) as never;
    // kubectl config set-context --namespace, set-cluster --server, set-context --user --cluster.
    Object.assign((named(value.contexts, 'a') as { context: object }).context, { namespace: 'web' });
    Object.assign((named(value.clusters, 'b') as { cluster: object }).cluster, { server: 'https://changed' });
    value.contexts.push({
      name: 'c-web',
      context: { cluster: 'c', user: 'lanyard:corp@c', namespace: 'web' },
    });
    // As kubectl writes it: sorted keys, and null for what is empty.
    for (const { user } of value.users.filter((each: { user: object }) => 'exec' in each.user)) {
      user.exec = { args: user.exec.args, command: user.exec.command, env: null };
    }
    write(value);
    await own.reconcile();
    expect(contexts()).toMatchObject({
      a: ['https://a', 'lanyard:corp@a', 'web'],
      b: ['https://b', 'lanyard:corp@b'],
    });
    expect(await own.takeOut(null, waiting)).toBe(
      `${file} keeps entries that your own contexts use: lanyard:corp@c`,
    );
    expect(contexts()).toEqual({
      prod: ['https://theirs', 'me'],
      'c-web': ['https://c', 'lanyard:corp@c', 'web'],
    });
    expect(parse(readFileSync(file, 'utf8')).clusters).toContainEqual({
      name: 'b',
      cluster: { server: 'https://changed' },
    });
  });

  test('a namespace that the user chose comes back with its context', async () => {
    write(theirs);
    const wanted = [want('east'), want('west')];
    const own = await open(wanted);
    await own.choose(byFile(), waiting);
    const value = parse(readFileSync(file, 'utf8'));
    for (const { name, context } of value.contexts) {
      context.namespace = `in-${name}`;
    }
    write(value);
    // A change of it is pending approval, over a restart.
    const [east] = wanted.splice(0, 1);
    await own.reconcile();
    expect(Object.keys(contexts())).toEqual(['prod', 'west']);
    wanted.push(east as WantedContext);
    await (await open(wanted)).reconcile();
    expect(contexts()).toMatchObject({
      east: ['https://east', 'lanyard:corp@east', 'in-east'],
      west: ['https://west', 'lanyard:corp@west', 'in-west'],
    });
  });

  test.each(['before', 'after'] as const)('a kill %s the write is healed by the next start', async (when) => {
    const before = write(theirs);
    await (await open([want('east'), want('west')], when)).choose(byFile(), waiting);
    expect(readFileSync(file, 'utf8') === before).toBe(when === 'before');
    const wanted = [want('east', { cluster: { server: 'https://moved' } })];
    const own = await open(wanted);
    await own.reconcile();
    expect(contexts()).toEqual({
      prod: ['https://theirs', 'me'],
      east: ['https://moved', 'lanyard:corp@east'],
    });
    wanted.pop();
    await own.reconcile();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('another file takes them over, and the first one is as it was', async () => {
    const before = write(theirs);
    const other = join(home, 'other');
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    await own.choose({ kind: 'file', file: other, list: [other] }, waiting);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(parse(readFileSync(other, 'utf8')).contexts).toHaveLength(1);
  });
});

describe('a file that another program makes is left as it is', () => {
  type Made = [string, () => void, RegExp];
  const linked: Made[] = [
    [
      'a link',
      () => {
        rmSync(file);
        symlinkSync(write(theirs, join(home, 'dotfiles')) && join(home, 'dotfiles'), file);
      },
      /^is a symbolic link to .*dotfiles/,
    ],
    [
      'in a folder that is a link',
      () => {
        rmSync(dirname(file), { recursive: true });
        write(theirs, join(home, 'dotfiles', 'config'));
        symlinkSync(join(home, 'dotfiles'), dirname(file));
      },
      /^is in .*\.kube, a symbolic link to/,
    ],
  ];
  const made: Made[] = [
    ['not a kubeconfig', () => void write({ services: {} }), /^is no kubeconfig$/],
    ['broken', () => void write('a: ['), /^can’t be read: /],
    ['of two names', () => linkSync(file, `${file}-2`), /^can’t be changed: .* has 2 names/],
    ['read-only', () => chmodSync(file, 0o444), /^is read-only$/],
    [
      'home-manager’s',
      () => void write(`# Generated by home-manager\n${stringify(theirs)}`),
      /as its first lines say/,
    ],
    [
      'chezmoi’s',
      () => void write('x', join(home, '.local/share/chezmoi/private_dot_kube/private_readonly_config.tmpl')),
      /chezmoi/,
    ],
  ];
  const isLeft = async (_: string, make: () => void, why: RegExp) => {
    write(theirs);
    make();
    const before = readFileSync(file, 'utf8');
    const own = await open([want('east')]);
    expect(await own.faultOf(file)).toMatch(why);
    await own.choose(byFile(), waiting);
    expect(own.fault()).toMatch(why);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
    // Nothing of Lanyard’s is in it, so an undo has nothing to do there.
    expect(await own.faultOf(file, 'removing')).toBe(
      /can’t be read/.test(own.fault() ?? '') ? own.fault() : null,
    );
  };
  test.each(made)('%s', isLeft);
  test.skipIf(withoutLinks).each(linked)('%s', isLeft);

  test('a dry run of an undo says what the undo would', async () => {
    write(theirs);
    const own = await open([want('east')]);
    await own.choose(byFile(), waiting);
    expect(await own.faultOf(file, 'removing')).toBeNull();
    chmodSync(file, 0o444);
    expect(await own.faultOf(file, 'removing')).toBe('is read-only');
    expect(await own.takeOut(file, waiting)).toBe(`${file} is read-only`);
  });

  test('Lanyard’s own files', async () => {
    const own = await open([want('east')]);
    expect(await own.faultOf(join(home, 'lanyard', 'contexts.json'))).toBe('is in Lanyard’s own folder');
  });
});

test('a damaged record counts as no consent', async () => {
  write(theirs);
  writeFileSync(state, '{"version":1');
  const own = await open([want('east')]);
  await own.reconcile();
  expect(own.way()).toBeNull();
  expect(Object.keys(contexts())).toEqual(['prod']);
});
