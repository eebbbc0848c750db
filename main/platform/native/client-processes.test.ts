import { expect, it } from 'vitest';
import { createClientProcesses } from './client-processes.ts';

function facts(lines: readonly string[] | null) {
  return createClientProcesses(1000, () => {
    if (lines === null) {
      throw new Error('ENOENT');
    }
    return `Name:\tsh\n${lines.join('\n')}\nVmPeak:\t 1 kB\n`;
  }).facts(42);
}

it.each<[string, readonly string[] | null, ReturnType<typeof facts>]>([
  ['a process of this user', ['Uid:\t1000\t1000\t1000\t1000', 'NSpid:\t42'], { isOwn: true, isInit: false }],
  ['another user’s', ['Uid:\t0\t0\t0\t0', 'NSpid:\t42'], { isOwn: false, isInit: false }],
  ['one that another user started', ['Uid:\t0\t1000\t1000\t1000'], { isOwn: false, isInit: false }],
  ['one that has another user’s rights', ['Uid:\t1000\t0\t0\t0'], { isOwn: false, isInit: false }],
  ['a container’s first', ['Uid:\t1000\t1000\t1000\t1000', 'NSpid:\t42\t1'], { isOwn: true, isInit: true }],
  ['a container’s second', ['Uid:\t1000\t1000\t1000\t1000', 'NSpid:\t42\t2'], { isOwn: true, isInit: false }],
  ['one that isn’t shown', null, null],
  ['one of which nothing is told', [], null],
])('%s', (_, lines, expected) => {
  expect(facts(lines)).toEqual(expected);
});

it('names the boot once, and nothing where the system has no name for it', () => {
  let reads = 0;
  const one = createClientProcesses(1000, () => `boot-${++reads}\n`);
  expect([one.bootId(), one.bootId()]).toEqual(['boot-1', 'boot-1']);
  const none = createClientProcesses(1000, () => {
    throw new Error('ENOENT');
  });
  expect(none.bootId()).toBe('');
});
