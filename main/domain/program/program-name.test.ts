import { expect, it } from 'vitest';
import { programName } from './program-name.ts';

it.each([
  ['/usr/local/bin/kubectl', 'kubectl'],
  ['C:\\Program Files\\kubectl.exe', 'kubectl.exe'],
  ['/', '/'],
  ['/tmp/kube\u202ectl\n', 'kube\\u{202e}ctl\\u{a}'],
  [null, null],
])('the program of %j is %j', (executable, name) => {
  expect(programName(executable, 64)).toBe(name);
});

it('is cut where it is longer than what it is for', () => {
  expect(programName(`/bin/${'k'.repeat(5_000)}`, 64)).toBe(`${'k'.repeat(64)}…`);
});
