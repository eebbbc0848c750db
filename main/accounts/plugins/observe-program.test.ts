import { expect, it } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { ProgramCheck } from '../../domain/program/program-check.ts';
import { someProgram } from '../../domain/testing/some-program.ts';
import { observeProgram } from './observe-program.ts';

const program = someProgram('/bin/x', { target: '/opt/x', sha256: 'one' });
const bound = { path: '/bin/x', sha256: 'one' };
const good: ProgramCheck = { facts: program, bound, fault: null };
const account = { name: 'eks', config: { execPlugin: {} } } as LoadedAccount;

it.each<[what: string, check: ProgramCheck, found: [level: string, message: RegExp, hint: string | null][]]>([
  ['all is well', good, [['ok', /^\/bin\/x -> \/opt\/x, owner root, SHA-256 one$/, null]]],
  [
    'it isn’t there',
    { ...good, facts: { kind: 'missing', path: null } },
    [['problem', /^x: not there now$/, 'get x: apt install x']],
  ],
  [
    'it is a folder',
    { ...good, facts: { kind: 'folder', path: '/bin/x' } },
    [['problem', /^\/bin\/x is a folder$/, 'get x: apt install x']],
  ],
  [
    'others can write it',
    { ...good, facts: { ...program, writers: [{ path: '/opt', who: 'everybody' }] }, fault: 'unsafe' },
    [
      [
        'problem',
        /^\/bin\/x is not run: everybody can write \/opt$/,
        `look: ${onWindows ? 'icacls' : 'ls -ld'} /opt`,
      ],
    ],
  ],
  [
    'it moved',
    { ...good, bound: { path: '/usr/bin/x', sha256: 'one' }, fault: 'moved' },
    [['warning', /would be \/bin\/x now; confirmed is \/usr\/bin\/x$/, 'lanyard confirm eks']],
  ],
  [
    'it has changed, pinned',
    { ...good, bound: { ...bound, sha256: 'two' }, fault: 'changed' },
    [['warning', /^\/bin\/x has changed/, 'lanyard confirm eks']],
  ],
  [
    'it can’t be read, pinned',
    { ...good, facts: { ...program, sha256: null }, fault: 'changed' },
    [['problem', /can’t be pinned$/, 'take pin: true out of the account, or make the program readable']],
  ],
  [
    'it has changed, without a pin',
    { ...good, bound: { ...bound, sha256: 'two' } },
    [
      ['ok', /^\/bin\/x/, null],
      ['note', /pin: true would hold it$/, null],
    ],
  ],
  [
    'nothing is bound yet',
    { ...good, bound: null },
    [
      ['ok', /^\/bin\/x/, null],
      ['note', /bound when it is first run$/, null],
    ],
  ],
  [
    'Windows doesn’t tell',
    { ...good, facts: { ...program, owner: null, writers: null } },
    [
      ['ok', /owner unknown/, null],
      ['note', /is unknown here$/, null],
    ],
  ],
  [
    'its interpreter is not there',
    { ...good, facts: { ...program, interpreter: { path: '/bin/sh\r', searched: null, isMissing: true } } },
    [['problem', /^\/bin\/x can’t be run: .* \(its lines end as on Windows\)$/, 'look: head -n 1 /bin/x']],
  ],
  [
    'it is a script by way of env',
    { ...good, facts: { ...program, interpreter: { path: '/usr/bin/env', searched: 'node' } } },
    [
      ['ok', /^\/bin\/x/, null],
      ['note', /node is searched for in its PATH/, null],
    ],
  ],
])('where %s', async (_, check, found) => {
  const programs = { check: async () => check, openFolders: async () => [] };
  const seen = await observeProgram(
    account,
    { command: 'x', installHint: 'get x:\n  apt install x' },
    programs,
  );
  expect(seen.map(({ level, message, hint }) => [level, message, hint])).toEqual(
    found.map(([level, message, hint]) => [level, expect.stringMatching(message), hint]),
  );
});

it.each([
  ['a bare name', 'x', 'missing', 'searchPath'],
  ['a path', '/opt/x', 'missing', 'command'],
  ['a folder', 'x', 'folder', 'command'],
] as const)('leads to the key that mends %s', async (_, command, kind, key) => {
  const facts = { kind, path: kind === 'folder' ? '/bin/x' : null };
  const programs = { check: async () => ({ facts, bound: null, fault: null }), openFolders: async () => [] };
  const [seen] = await observeProgram(account, { command }, programs);
  expect(seen).toMatchObject({ key, hint: expect.stringContaining(`${key} of the account eks`) });
});

it('tells folders of its PATH that others can write', async () => {
  const openFolders = async () => [{ path: '/opt/open', who: 'the group staff' }];
  const seen = await observeProgram(account, { command: 'x' }, { check: async () => good, openFolders });
  expect(seen.map(({ check, level }) => [check, level])).toEqual([
    ['account.program', 'ok'],
    ['account.program.path', 'warning'],
  ]);
  expect(seen[1]?.message).toContain('the group staff can write /opt/open');
});

const library = someProgram('/lib/p11.so', { mode: 0o644, isLibrary: true });

it.each<[what: string, check: ProgramCheck, found: [level: string, message: string, hint: string | null]]>([
  [
    'it is missing',
    { facts: { kind: 'missing', path: null }, bound: null, fault: null },
    [
      'problem',
      '/lib/p11.so: not there now',
      'install it, or change the module of the account card in config.yaml',
    ],
  ],
  [
    'others can write it',
    {
      facts: { ...library, writers: [{ path: '/lib', who: 'everybody' }] },
      bound: null,
      fault: 'unsafe',
    },
    [
      'problem',
      '/lib/p11.so is not loaded: everybody can write /lib',
      `look: ${onWindows ? 'icacls' : 'ls -ld'} /lib`,
    ],
  ],
  [
    'it has changed',
    { facts: library, bound: { path: '/lib/p11.so', sha256: 'one' }, fault: 'changed' },
    ['warning', '/lib/p11.so has changed since it was confirmed', 'lanyard confirm card'],
  ],
  [
    'it was never loaded',
    { facts: library, bound: null, fault: null },
    ['note', '/lib/p11.so is bound when it is first loaded', null],
  ],
])('of a module, where %s', async (_, check, found) => {
  const seen = await observeProgram(
    { name: 'card' } as LoadedAccount,
    { command: '/lib/p11.so', isLibrary: true },
    // It starts nothing by name.
    { check: async () => check, openFolders: async () => [{ path: '/opt/open', who: 'everybody' }] },
  );
  expect(seen.map(({ level, message, hint }) => [level, message, hint]).at(-1)).toEqual(found);
});
