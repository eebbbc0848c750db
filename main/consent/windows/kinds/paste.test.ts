import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { type PasteWindowDeps, pasteWindow } from './paste.ts';

let locked: Refusal | null;
let leaving: AbortController;
let given: (string | null)[];
const deps: PasteWindowDeps = {
  gate: () => locked,
  faultOf: (text) => (text.reveal().includes('contexts') ? null : 'It has no contexts.'),
  done: (text) => void given.push(text?.reveal() ?? null),
  get signal() {
    return leaving.signal;
  },
};
const refusal = {
  ok: false,
  code: 'vault.locked',
  message: 'Lanyard is locked',
  reason: 'locked',
} as Refusal;
const typed = (text: string) => ({ kubeconfig: new Secret(text) });

beforeEach(() => {
  [locked, leaving, given] = [null, new AbortController(), []];
});

describe('the window that takes a kubeconfig as text', () => {
  it('hands over what was pasted, with its own line ends, and says nothing of it', async () => {
    const said = await pasteWindow(deps).submit(typed('contexts: []\r\ntoken: abc\r\n'), 'yes');
    expect(given).toEqual(['contexts: []\ntoken: abc\n']);
    expect(JSON.stringify(said)).not.toContain('abc');
  });

  it('asks again for what is no kubeconfig', async () => {
    expect(await pasteWindow(deps).submit(typed('hello'), 'yes')).toEqual({
      kind: 'again',
      fault: 'It has no contexts.',
    });
    expect(given).toEqual([]);
  });

  it('ends without a text by a No, and where it is closed', async () => {
    await pasteWindow(deps).refuse();
    pasteWindow(deps).left?.();
    expect(given).toEqual([null, null]);
  });

  it('is not opened while Lanyard is locked, and ends with a lock or with the page that asked', async () => {
    const window = pasteWindow(deps);
    expect([await window.over(), given]).toEqual([null, []]);
    locked = refusal;
    expect([await window.over(), given]).toEqual(['Lanyard was locked meanwhile.', [null]]);
    expect(() => pasteWindow(deps)).toThrow('locked');
    locked = null;
    leaving.abort();
    expect(await pasteWindow(deps).over()).toBe('The page that asked for it is gone.');
  });
});
