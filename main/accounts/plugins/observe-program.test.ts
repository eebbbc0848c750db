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

type Found = [level: string, message: RegExp, hint: string | null];
const ok: Found = ['ok', /^\/bin\/x/, null];
const facts = (more: object): ProgramCheck => ({ ...good, facts: { ...program, ...more } });
const leads = (path: string, searched: string | null, isMissing = false) => ({
  interpreter: { path, searched, isMissing },
});
const writable = (path: string) => ({ writers: [{ path, who: 'everybody' }] });
const look = onWindows ? 'look: icacls' : 'look: ls -ld';
const confirm = 'lanyard confirm eks';
it.each<[what: string, check: ProgramCheck, found: Found[]]>([
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
    { ...facts(writable('/opt')), fault: 'unsafe' },
    [['problem', /^\/bin\/x is not run: everybody can write \/opt$/, `${look} /opt`]],
  ],
  [
    'it moved',
    { ...good, bound: { path: '/usr/bin/x', sha256: 'one' }, fault: 'moved' },
    [['warning', /would be \/bin\/x now; confirmed is \/usr\/bin\/x$/, confirm]],
  ],
  [
    'it has changed, pinned',
    { ...good, bound: { ...bound, sha256: 'two' }, fault: 'changed' },
    [['warning', /^\/bin\/x has changed/, confirm]],
  ],
  [
    'it can’t be read, pinned',
    { ...facts({ sha256: null }), fault: 'changed' },
    [['problem', /can’t be pinned$/, 'take pin: true out of the account, or make the program readable']],
  ],
  [
    'it has changed, without a pin',
    { ...good, bound: { ...bound, sha256: 'two' } },
    [ok, ['note', /pin: true would hold it$/, null]],
  ],
  ['nothing is bound yet', { ...good, bound: null }, [ok, ['note', /bound when it is first run$/, null]]],
  [
    'Windows doesn’t tell',
    facts({ owner: null, writers: null }),
    [
      ['ok', /owner unknown/, null],
      ['note', /is unknown here$/, null],
    ],
  ],
  [
    'its interpreter is not there',
    facts(leads('/bin/sh\r', null, true)),
    [['problem', /^\/bin\/x can’t be run: .* \(its lines end as on Windows\)$/, 'look: head -n 1 /bin/x']],
  ],
  [
    'it is a script by way of env',
    facts(leads('/usr/bin/env', 'node')),
    [ok, ['note', /node is searched for in its PATH/, null]],
  ],
])('where %s', async (_, check, found) => {
  const programs = { check: async () => check, openFolders: async () => [] };
  const plugin = { command: 'x', installHint: 'get x:\n  apt install x' };
  const seen = await observeProgram(account, plugin, programs);
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
const install = 'install it, or change the module of the account card in config.yaml';

it.each<[what: string, check: ProgramCheck, found: [level: string, message: string, hint: string | null]]>([
  [
    'it is missing',
    { facts: { kind: 'missing', path: null }, bound: null, fault: null },
    ['problem', '/lib/p11.so: not there now', install],
  ],
  [
    'others can write it',
    { facts: { ...library, ...writable('/lib') }, bound: null, fault: 'unsafe' },
    ['problem', '/lib/p11.so is not loaded: everybody can write /lib', `${look} /lib`],
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
