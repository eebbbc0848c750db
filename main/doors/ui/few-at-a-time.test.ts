import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { fewAtATime } from './few-at-a-time.ts';
import type { UiHandlers } from './handlers.ts';

let begun: string[];
let ends: Map<string, PromiseWithResolvers<{ text: string }>>;
let handlers: Pick<UiHandlers, 'metrics.text' | 'confirm.list'>;

beforeEach(() => {
  begun = [];
  ends = new Map();
  handlers = fewAtATime(
    2,
    {
      'metrics.text': async (input) => {
        const { name = '' } = input as Record<string, string>;
        begun.push(name);
        const end = Promise.withResolvers<{ text: string }>();
        ends.set(name, end);
        return end.promise;
      },
      'confirm.list': async () => ({ changes: [], command: '' }),
    },
    ['metrics.text'],
  );
});

function call(name: string, signal = new AbortController().signal) {
  const answer = handlers['metrics.text']({ name } as unknown as Record<string, never>, {
    signal,
    progress: () => undefined,
  });
  answer.catch(() => undefined);
  return answer;
}

test('the third waits until one of two has ended, well or not; whoever came first goes first', async () => {
  const [one, two] = [call('one'), call('two'), call('three'), call('four')];
  await turn();
  expect(begun).toEqual(['one', 'two']);
  ends.get('one')?.resolve({ text: 'good' });
  expect(await one).toEqual({ text: 'good' });
  await turn();
  expect(begun).toEqual(['one', 'two', 'three']);
  ends.get('two')?.reject(new Error('broken'));
  await expect(two).rejects.toThrow('broken');
  await turn();
  expect(begun).toEqual(['one', 'two', 'three', 'four']);
});

test('who doesn’t want it any more gives its place up, and takes none', async () => {
  const leaving = new AbortController();
  call('one');
  call('two');
  const left = call('left', leaving.signal);
  const last = call('last');
  await turn();
  leaving.abort(new Error('the page is gone'));
  await expect(left).rejects.toThrow('the page is gone');
  ends.get('one')?.resolve({ text: '' });
  await turn();
  expect(begun).toEqual(['one', 'two', 'last']);
  ends.get('last')?.resolve({ text: 'good' });
  expect(await last).toEqual({ text: 'good' });
  await expect(call('late', leaving.signal)).rejects.toThrow('the page is gone');
});

test('places that are free again are had again; what isn’t named doesn’t wait', async () => {
  for (const name of ['a', 'b', 'c']) {
    const answer = call(name);
    await turn();
    ends.get(name)?.resolve({ text: name });
    expect(await answer).toEqual({ text: name });
  }
  call('d');
  call('e');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  const { signal } = new AbortController();
  await expect(handlers['confirm.list']({}, { signal, progress: () => undefined })).resolves.toBeDefined();
});
