import { beforeEach, describe, expect, it } from 'vitest';
import type { BrokerMessage, PageMessage } from '../../contract/ui/messages.ts';
import type { Page } from './index.ts';
import { createLocalPage, type LocalPage } from './local-page.ts';

const desktop = { theme: 'dark', notifications: { questions: true, logins: true } };

let said: PageMessage[];
let broker: Page;
let page: LocalPage;
beforeEach(() => {
  said = [];
  page = createLocalPage({
    connect(given) {
      broker = given;
      return { receive: (text) => void said.push(JSON.parse(text)), dispose: () => undefined };
    },
  });
});

const offer = (file: string) => ['imports', file, { file, importable: ['dev'] }] as const;
const snapshot = (version: number, ...files: string[]): BrokerMessage => ({
  kind: 'snapshot',
  version,
  now: 0,
  entries: files.map((file) => [...offer(file)]),
});

describe('a page without a window', () => {
  it('knows the state from the first snapshot on, and tells what it was before each change', async () => {
    const seen: [string[], string[]][] = [];
    page.onChange((before) => seen.push([Object.keys(before.imports), Object.keys(page.state().imports)]));
    broker.send(snapshot(1, '/a'));
    await page.ready;
    broker.send({ kind: 'delta', from: 1, version: 2, entries: [['imports', '/a', null], [...offer('/b')]] });
    expect(seen).toEqual([
      [[], ['/a']],
      [['/a'], ['/b']],
    ]);
  });

  it('asks for the whole where it missed a change, and believes nothing in between', () => {
    broker.send(snapshot(1, '/a'));
    broker.send({ kind: 'delta', from: 5, version: 6, entries: [[...offer('/b')]] });
    expect(said).toEqual([{ kind: 'resync' }]);
    expect(Object.keys(page.state().imports)).toEqual(['/a']);
    broker.send(snapshot(6, '/b'));
    expect(Object.keys(page.state().imports)).toEqual(['/b']);
  });

  it('leaves out sections that the contract doesn’t have', () => {
    broker.send({
      kind: 'snapshot',
      version: 1,
      now: 0,
      entries: [
        ['appearance', '', desktop],
        ['unknown', '', 1],
      ],
    });
    expect(Object.keys(page.state())).not.toContain('unknown');
    expect(page.state().appearance).toEqual({ '': desktop });
  });

  it('gives each call its own answer, and a refusal as pages show it', async () => {
    const first = page.call('cluster.renew', { cluster: 'a' });
    const second = page.call('cluster.renew', { cluster: 'b' });
    expect(said).toMatchObject([
      { kind: 'call', id: 1, input: { cluster: 'a' } },
      { kind: 'call', id: 2, input: { cluster: 'b' } },
    ]);
    broker.send({
      kind: 'failed',
      id: 2,
      failure: { reason: 'locked', code: 'vault.locked', message: 'locked' },
    });
    broker.send({ kind: 'reply', id: 1, output: { expiresAt: 7 } });
    expect(await first).toEqual({ expiresAt: 7 });
    await expect(second).rejects.toMatchObject({ failure: { code: 'vault.locked' } });
  });

  it('cancels a call that is no longer wanted', async () => {
    const wanted = new AbortController();
    const call = page.call('account.login', { account: 'a', flow: null }, { signal: wanted.signal });
    wanted.abort(new Error('not wanted'));
    await expect(call).rejects.toThrow('not wanted');
    expect(said.at(-1)).toEqual({ kind: 'cancel', id: 1 });
    // A late reply has no receiver.
    broker.send({ kind: 'reply', id: 1, output: {} });
  });

  it('leaves no call waiting at its end, nor one after it', async () => {
    const call = page.call('lock.close', {});
    page.dispose();
    await expect(call).rejects.toMatchObject({ failure: { code: 'ui.ended' } });
    await expect(page.call('lock.close', {})).rejects.toMatchObject({ failure: { code: 'ui.ended' } });
    expect(said).toHaveLength(1);
  });
});
