import { expect, it } from 'vitest';
import { someProgram } from '../testing/some-program.ts';
import type { Program } from './program.ts';
import { programLines } from './program.ts';
import {
  type BoundProgram,
  bindingOf,
  changedProgramJson,
  changedProgramLines,
  lookAtWriters,
  type ProgramFault,
  programFault,
  unpinnableHint,
  unsafeText,
} from './program-check.ts';

const program = someProgram('/bin/x', { target: '/opt/x-1/x', sha256: 'one' });
const bound: BoundProgram = { path: '/bin/x', sha256: 'one' };
const writers = [{ path: '/opt', who: 'everybody' }];

it.each<
  [rule: string, now: Partial<Program>, bound: BoundProgram | null, pin: boolean, fault: ProgramFault | null]
>([
  ['as it was confirmed', {}, bound, true, null],
  ['never confirmed', {}, null, false, null],
  ['changed', { sha256: 'two' }, bound, false, null],
  ['changed, pinned', { sha256: 'two' }, bound, true, 'changed'],
  ['a link leads elsewhere, to the same', { target: '/opt/x-2/x' }, bound, true, null],
  ['unreadable now, pinned', { sha256: null }, bound, true, 'changed'],
  [
    'unreadable as it was, pinned: nobody can tell',
    { sha256: null },
    { ...bound, sha256: null },
    true,
    'changed',
  ],
  ['readable since, pinned', {}, { ...bound, sha256: null }, true, 'changed'],
  ['found elsewhere', { path: '/usr/bin/x' }, bound, false, 'moved'],
  ['found elsewhere, the same', { path: '/usr/bin/x' }, bound, true, 'moved'],
  ['others can write it', { writers }, bound, false, 'unsafe'],
  ['others can write it, never confirmed', { writers }, null, false, 'unsafe'],
  ['others can write it, and it moved', { writers, path: '/usr/bin/x' }, bound, true, 'unsafe'],
  ['nobody can tell who writes it', { writers: null }, bound, true, null],
])('a program %s', (_, now, before, pin, fault) => {
  expect(programFault({ ...program, ...now }, before, pin)).toBe(fault);
});

it('what is confirmed is the path it was found at, and the digest', () => {
  expect(bindingOf(program)).toEqual(bound);
  expect(bindingOf({ kind: 'missing', path: null })).toBeNull();
});

it.each([
  [false, 'program', 'run', 'take pin: true out of the account, or make the program readable'],
  [true, 'module', 'loaded', 'make the module readable'],
])('is called what it is (a library: %s)', (isLibrary, noun, used, hint) => {
  const now = { ...program, isLibrary, writers };
  expect(programLines(now)).toContain(`it will not be ${used}: everybody can write /opt`);
  expect(unsafeText(now)).toBe(`/bin/x is not ${used}: everybody can write /opt`);
  expect(unpinnableHint(now)).toBe(hint);
  const changed = { account: 'a', change: 'changed', before: bound, now } as const;
  expect(changedProgramLines(changed)[0]).toBe(`${noun} of a (changed)`);
  expect(changedProgramJson(changed)).toMatchObject({ what: noun, name: 'a' });
});

it.each<[platform: NodeJS.Platform, path: string, hint: string]>([
  ['linux', '/opt/a b', "look: ls -ld '/opt/a b'"],
  ['win32', 'C:\\a b', 'look: icacls "C:\\a b"'],
])('on %s the hint for %s is %s', (platform, path, hint) => {
  expect(lookAtWriters({ ...program, writers: [{ path, who: 'everybody' }] }, platform)).toBe(hint);
});
