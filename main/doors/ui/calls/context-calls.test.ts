import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { folderForTest } from '../../../../test/support/temporary-folder.ts';
import type { WindowKind } from '../../../consent/windows/window-kind.ts';
import { defaultSettings } from '../../../contract/config/settings.ts';
import type { CallInput } from '../../../contract/ui/calls/index.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { loadedCluster } from '../../../domain/testing/loaded.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import { createContextReader } from '../../../kubeconfig/contexts.ts';
import { readKubeconfigs } from '../../../kubeconfig/read/read-kubeconfigs.ts';
import { setCurrentContext } from '../../../kubeconfig/set-current-context.ts';
import { type ContextsWatch, createContextsWatch } from '../../../kubeconfig/watch/contexts-watch.ts';
import { openKubeconfigState } from '../../../kubeconfig/watch/state-file.ts';
import { contextBefore } from '../../../operations/switch-context.ts';
import { silentLog } from '../../../ports/log.ts';
import { contextsView } from '../state/contexts-view.ts';
import { createContextCalls } from './context-calls.ts';

let folder: string;
let usual: string;
let managed: string;
let clock: ManualClock;
let watch: ContextsWatch;
let readings: number;

beforeEach(() => {
  folder = folderForTest();
  usual = join(folder, 'config');
  managed = join(folder, 'managed');
  clock = new ManualClock();
  readings = 0;
  const read = createContextReader(readKubeconfigs);
  watch = createContextsWatch({
    files: () => [usual, join(folder, 'second')],
    managed,
    read: (files) => {
      readings += 1;
      return read(files);
    },
    clock,
    log: silentLog,
  });
});
afterEach(() => watch.dispose());

function text(names: readonly string[], current: string | null, user: object = {}): string {
  return JSON.stringify({
    ...(current === null ? {} : { 'current-context': current }),
    clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
    users: [{ name: 'u', user }],
    contexts: names.map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
  });
}
const lanyard = {
  exec: { command: '/h/bin/lanyard', args: ['kube-credential', '--account', 'a', '--cluster', 'prod'] },
};

const clusters = ['prod', 'dev'].map(
  (name) => [name, loadedCluster(name, { server: 'https://c', account: 'a' })] as const,
);
const loaded: LoadedConfig = { ...noEntries, clusters: new Map(clusters), settings: defaultSettings };

async function calls() {
  const opened: { kind: WindowKind; command: string | null }[] = [];
  const kubeconfigState = await openKubeconfigState({ file: join(folder, 'state.json'), log: silentLog });
  const processes = { ownPid: () => process.pid, process: () => null };
  const handlers = createContextCalls({
    contextsWatch: watch,
    kubeconfigState,
    setCurrentContext: (wanted) => setCurrentContext(wanted, { clock, processes, host: 'h' }),
    config: { current: () => loaded },
    windows: { open: async (kind, command) => void opened.push({ kind, command }) },
  });
  const { signal } = new AbortController();
  const call = (wanted: CallInput<'context.use'>, isOwn: true | undefined) =>
    handlers['context.use'](wanted, { signal, isOwn, progress: () => undefined });
  return {
    use: (context: string) => call({ context }, true),
    /** As a page asks; resolves with the window that it opened. */
    async ask(wanted: CallInput<'context.use'>) {
      const { asks } = await call(wanted, undefined);
      const window = opened.at(-1);
      return asks && window ? window : null;
    },
    opened,
    before: () => contextBefore({ kubeconfigState }, watch.current()),
  };
}

describe('what pages see of the contexts', () => {
  test('nothing where there is no kubeconfig', async () => {
    await watch.look();
    expect(contextsView(watch.current())).toEqual({ file: null, current: null, contexts: [], more: 0 });
  });

  test('follows the files, and reads them only when they change', async () => {
    writeFileSync(usual, text(['a', 'b'], 'a', lanyard));
    await watch.look();
    expect(contextsView(watch.current())).toEqual({
      file: usual,
      current: 'a',
      contexts: [
        { name: 'a', cluster: 'prod' },
        { name: 'b', cluster: 'prod' },
      ],
      more: 0,
    });
    const once = readings;
    await watch.look();
    await watch.look();
    expect(readings).toBe(once);
    writeFileSync(usual, text(['b', 'longer'], 'b'));
    await watch.look();
    expect(contextsView(watch.current())).toMatchObject({
      current: 'b',
      contexts: [
        { name: 'b', cluster: null },
        { name: 'longer', cluster: null },
      ],
    });
  });

  test('the managed kubeconfig counts where there is no other, and is not mixed with the user’s own', async () => {
    writeFileSync(managed, text(['prod'], null, lanyard));
    await watch.look();
    expect(contextsView(watch.current()).contexts).toEqual([{ name: 'prod', cluster: 'prod' }]);
    writeFileSync(usual, text(['mine'], null));
    await watch.look();
    expect(contextsView(watch.current()).contexts).toEqual([{ name: 'mine', cluster: null }]);
  });

  test('many are bounded, with the current one among them; a name that no menu has room for is counted', async () => {
    const names = [...Array.from({ length: 60 }, (_, at) => `c${at}`), 'x'.repeat(300)];
    writeFileSync(usual, text(names, 'c57'));
    await watch.look();
    const { contexts, current, more } = contextsView(watch.current());
    expect([contexts.length, current, more]).toEqual([50, 'c57', 11]);
    expect(contexts.at(-1)).toEqual({ name: 'c57', cluster: null });
  });

  test('a current context that no file has is none', async () => {
    writeFileSync(usual, text(['a'], 'gone'));
    await watch.look();
    expect(contextsView(watch.current()).current).toBeNull();
  });
});

describe('context.use', () => {
  test('writes current-context alone, remembers the one before, and the state says so', async () => {
    const { use, before } = await calls();
    writeFileSync(usual, text(['a', 'b'], 'a'));
    await use('b');
    expect(readFileSync(usual, 'utf8')).toBe(text(['a', 'b'], 'b'));
    expect(contextsView(watch.current()).current).toBe('b');
    expect(before()).toBe('a');
  });

  test('knows the file as it is now, not as the page saw it', async () => {
    const { use } = await calls();
    writeFileSync(usual, text(['a', 'b'], 'a'));
    await watch.look();
    const changed = text(['a', 'new one'], 'a');
    writeFileSync(usual, changed);
    await expect(use('b')).rejects.toMatchObject({ reason: 'notFound' });
    expect(readFileSync(usual, 'utf8')).toBe(changed);
    await use('new one');
    expect(readFileSync(usual, 'utf8')).toBe(text(['a', 'new one'], 'new one'));
  });

  test('a context may be named -', async () => {
    const { use } = await calls();
    writeFileSync(usual, text(['a', '-'], 'a'));
    await use('-');
    expect(contextsView(watch.current()).current).toBe('-');
  });
});

describe('a page that wants to switch the context', () => {
  test('only opens the window; its Yes switches, and the answer names the way back', async () => {
    const { ask, before } = await calls();
    writeFileSync(usual, text(['a', 'b\u202e'], 'a', lanyard));
    const window = await ask({ context: 'b\u202e' });
    expect(readFileSync(usual, 'utf8')).toContain('"current-context":"a"');
    expect(window?.command).toContain('lanyard context');
    // What could pass for another name is made visible.
    expect(JSON.stringify(window?.kind.content)).not.toContain('\u202e');
    expect(window?.kind.content.rows).toEqual([
      ['from', 'a'],
      ['to', expect.stringMatching(/^b./)],
      ['server', 'https://c'],
      ['namespace', 'default'],
      ['account', 'a'],
      ['file', usual],
    ]);
    expect(await window?.kind.over()).toBeNull();
    expect(await window?.kind.submit({}, 'yes')).toMatchObject({
      good: true,
      text: ['Back to a: lanyard context -'],
    });
    expect(contextsView(watch.current()).current).toBe('b\u202e');
    expect(before()).toBe('a');
  });

  test('by its cluster: the context of that name before others that lead to it', async () => {
    const { ask } = await calls();
    writeFileSync(usual, text(['x', 'prod'], null, lanyard));
    const window = await ask({ cluster: 'prod' });
    expect(window?.kind.content.rows?.slice(0, 2)).toEqual([
      ['from', 'no current context'],
      ['to', 'prod'],
    ]);
    await expect(ask({ cluster: 'dev' })).rejects.toMatchObject({ code: 'kubeconfig.noContext' });
    await expect(ask({ cluster: 'prdo' })).rejects.toMatchObject({ code: 'cluster.unknown' });
  });

  test('opens none for the context that is current already, and none for one that is not there', async () => {
    const { ask, opened } = await calls();
    writeFileSync(usual, text(['a', 'b'], 'a'));
    expect(await ask({ context: 'a' })).toBeNull();
    await expect(ask({ context: 'c' })).rejects.toMatchObject({ code: 'context.unknown' });
    expect(opened).toEqual([]);
  });

  test.each<[string, () => string]>([
    ['another current context', () => text(['a', 'b'], 'b')],
    ['another server behind the name', () => text(['a', 'b'], 'a').replace('https://c', 'https://evil')],
    ['the context is gone', () => text(['a'], 'a')],
  ])('the window is over where the file has changed meanwhile: %s', async (_, changed) => {
    const { ask } = await calls();
    writeFileSync(usual, text(['a', 'b'], 'a'));
    const window = await ask({ context: 'b' });
    writeFileSync(usual, `${changed()}\n`);
    expect(await window?.kind.over()).toBe('The kubeconfig has changed meanwhile.');
  });

  test('a No changes nothing', async () => {
    const { ask } = await calls();
    writeFileSync(usual, text(['a', 'b'], 'a'));
    const window = await ask({ context: 'b' });
    expect(await window?.kind.refuse()).toMatchObject({ good: false, text: ['kubectl still uses a.'] });
    expect(readFileSync(usual, 'utf8')).toBe(text(['a', 'b'], 'a'));
  });
});
