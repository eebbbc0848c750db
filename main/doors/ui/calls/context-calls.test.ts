import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
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
  folder = mkdtempSync(join(tmpdir(), 'ly-contexts-'));
  usual = join(folder, 'config');
  managed = join(folder, 'managed');
  clock = new ManualClock();
  readings = 0;
  const read = createContextReader(readKubeconfigs);
  watch = createContextsWatch({
    files: [usual, join(folder, 'second')],
    managed,
    read: (files) => {
      readings += 1;
      return read(files);
    },
    clock,
    log: silentLog,
  });
});
afterEach(async () => {
  await watch.dispose();
  rmSync(folder, { recursive: true });
});

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

async function calls() {
  const kubeconfigState = await openKubeconfigState({ file: join(folder, 'state.json'), log: silentLog });
  const processes = { ownPid: () => process.pid, process: () => null };
  const handlers = createContextCalls({
    contextsWatch: watch,
    kubeconfigState,
    setCurrentContext: (wanted) => setCurrentContext(wanted, { clock, processes, host: 'h' }),
  });
  const { signal } = new AbortController();
  return {
    use: (context: string) =>
      handlers['context.use']({ context }, { signal, isOwn: true, progress: () => undefined }),
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
