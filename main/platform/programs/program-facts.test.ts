import { createHash } from 'node:crypto';
import { lchownSync } from 'node:fs';
import { chmod, chown, mkdir, open, realpath, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Program, ProgramFacts } from '../../domain/program/program.ts';
import { createFileDigests } from './file-digests.ts';
import { programFacts } from './program-facts.ts';
import type { People } from './rules/other-writers.ts';

const uid = process.geteuid?.() ?? 0;
const people: People = {
  uid,
  userName: (id) => (id === uid ? 'me' : null),
  groupName: () => null,
  isAlone: (gid) => gid === process.getegid?.(),
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const folder = temporaryFolder();

async function put(name: string, text = '#!/bin/sh\n', mode = 0o755): Promise<string> {
  const path = join(folder(), name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const look = (command: string, searchPath = '') => programFacts(command, searchPath, { people });

async function lookAt(command: string): Promise<Program> {
  const facts = await look(command);
  expect(facts.kind).toBe('program');
  return facts as Program;
}

describe('where the system has no owners and modes, as Windows', () => {
  it('tells who else could change the program or put something beside it', async () => {
    const path = await put('tool.exe', 'MZ');
    const asked: string[] = [];
    const look = (isOpen: boolean) =>
      programFacts(path, '', { people: null, isWrittenByOthers: (each) => asked.push(each) > 0 && isOpen });
    expect(await look(false)).toMatchObject({ kind: 'program', owner: null, mode: null, writers: [] });
    expect(asked).toEqual([path, folder()]);
    expect(await look(true)).toMatchObject({ writers: [{ path }, { path: folder() }] });
    expect(await programFacts(path, '', { people: null })).toMatchObject({ writers: null });
  });
});

// Scripts, links and modes. Windows’ names of programs: locate-program.test.ts.
describe.skipIf(onWindows)('what a command leads to', () => {
  it.each(['/no/such/shell', '/bin/sh\r'])(
    'says that a script’s interpreter %j is not there',
    async (path) => {
      const { interpreter, writers } = await lookAt(await put('tool', `#!${path}\necho\n`));
      expect([interpreter, writers]).toEqual([{ path, searched: null, isMissing: true }, []]);
    },
  );

  it('is told whole: path, target, owner, mode, size, digest, interpreter', async () => {
    await put('lib/tool', '#!/usr/bin/env node\n');
    await symlink('lib/tool', join(folder(), 'tool'));
    expect(await look(join(folder(), 'tool'))).toEqual({
      kind: 'program',
      path: join(folder(), 'tool'),
      target: join(folder(), 'lib/tool'),
      owner: { uid, name: 'me' },
      mode: 0o755,
      size: 20,
      sha256: sha256('#!/usr/bin/env node\n'),
      interpreter: { path: '/usr/bin/env', searched: 'node' },
      writers: [],
    } satisfies ProgramFacts);
  });

  const missing = { kind: 'missing', path: null };
  it.each<[what: string, arrange: () => Promise<unknown>, expected: object]>([
    ['nothing', async () => undefined, missing],
    ['a link that leads to nothing', () => symlink('gone', join(folder(), 'x')), missing],
    ['a link in a circle', () => symlink('x', join(folder(), 'x')), missing],
    ['a file that nobody may run', () => put('x', '', 0o644), { kind: 'notExecutable' }],
    ['a folder', () => mkdir(join(folder(), 'x')), { kind: 'folder' }],
    ['a device', () => symlink('/dev/null', join(folder(), 'x')), { kind: 'notAFile' }],
  ])('where there is %s', async (_, arrange, expected) => {
    await arrange();
    const path = join(folder(), 'x');
    expect(await look(path)).toEqual({ path, ...expected });
  });

  it('is none where a slash stands behind its name', async () => {
    const path = await put('x');
    expect(await programFacts(`${path}/`, '')).toEqual({ kind: 'missing', path: null });
  });

  it('is by a bare name the first in the absolute folders that can be run', async () => {
    await put('none/x', '', 0o644);
    await mkdir(join(folder(), 'dir/x'), { recursive: true });
    const [first] = [await put('first/x'), await put('second/x')];
    const path = (...names: string[]) => names.map((name) => join(folder(), name)).join(':');
    const searchPath = `:.:relative:${path('gone', 'none', 'dir', 'first', 'second')}`;
    expect(await look('x', searchPath)).toMatchObject({ kind: 'program', path: first });
    expect(await look('x', path('gone', 'none', 'dir'))).toEqual({
      kind: 'notExecutable',
      path: join(folder(), 'none/x'),
    });
    expect(await look('y', searchPath)).toEqual({ kind: 'missing', path: null });
  });

  it.each(['', './x', 'sub/x', '..', 'a\0b'])(
    'is nothing by %j, which is neither absolute nor a name',
    async (name) => {
      await put('x');
      await put('sub/x');
      expect(await look(name, folder())).toEqual({ kind: 'missing', path: null });
    },
  );

  it('follows links as the system does, through folders that are links and back out of them', async () => {
    const target = await put('real/deep/x');
    await mkdir(join(folder(), 'bin'));
    await symlink(join(folder(), 'real'), join(folder(), 'linked'));
    await symlink('../linked/deep/../deep/x', join(folder(), 'bin/x'));
    expect(await lookAt(join(folder(), 'bin/x'))).toMatchObject({ target, writers: [] });
    expect(target).toBe(await realpath(join(folder(), 'bin/x')));
  });
});

describe.skipIf(onWindows)('who else can write a program', () => {
  const openUp = (name: string) => chmod(join(folder(), name), 0o777);
  it.each<[what: string, arrange: () => Promise<unknown>, writes: string]>([
    ['the program', () => openUp('real/x'), 'real/x'],
    ['its folder', () => openUp('real'), 'real'],
    ['a folder() above', () => openUp('.'), '.'],
    ['the folder() of the link', () => openUp('bin'), 'bin'],
    ['the folder() of a link in between', () => openUp('between'), 'between'],
    ['its interpreter', () => openUp('tools/shell'), 'tools/shell'],
    ['a folder() above its interpreter', () => openUp('tools'), 'tools'],
    ['the interpreter’s own interpreter', () => openUp('inner/shell'), 'inner/shell'],
  ])('counts as to %s', async (_, arrange, writes) => {
    await put('inner/shell', '');
    await put('tools/shell', `#!${join(folder(), 'inner/shell')}\n`);
    await put('real/x', `#! ${join(folder(), 'tools/shell')} -e\n`);
    for (const [name, leads] of [
      ['between/x', join(folder(), 'real/x')],
      ['bin/x', '../between/x'],
    ] as const) {
      await mkdir(join(folder(), name, '..'));
      await symlink(leads, join(folder(), name));
    }
    expect((await lookAt(join(folder(), 'bin/x'))).writers).toEqual([]);
    await arrange();
    const { writers } = await lookAt(join(folder(), 'bin/x'));
    expect(writers).toEqual([{ path: join(folder(), writes), who: 'everybody' }]);
  });

  it('is everybody where a script’s interpreter depends on the folder', async () => {
    const path = await put('x', '#!bin/sh\n');
    expect((await lookAt(path)).writers).toMatchObject([{ path: 'bin/sh' }]);
  });

  it.runIf(uid === 0)('is whoever owns the program, its folder(), or a link in a sticky folder', async () => {
    const path = await put('sub/x');
    await chown(path, 4242, 0);
    expect((await lookAt(path)).writers).toEqual([{ path, who: 'the user 4242' }]);
    await chown(path, 0, 0);
    await chown(join(folder(), 'sub'), 4242, 0);
    expect((await lookAt(path)).writers).toEqual([{ path: join(folder(), 'sub'), who: 'the user 4242' }]);
    await chown(join(folder(), 'sub'), 0, 0);
    await mkdir(join(folder(), 'sticky'));
    await chmod(join(folder(), 'sticky'), 0o1777);
    const link = join(folder(), 'sticky/x');
    await symlink(path, link);
    expect((await lookAt(link)).writers).toEqual([]);
    lchownSync(link, 4242, 0);
    expect((await lookAt(link)).writers).toEqual([{ path: link, who: 'the user 4242' }]);
  });
});

describe('the digest of a program', () => {
  it('is new when the file is written over or replaced, and read once for the same file', async () => {
    const digests = createFileDigests();
    const path = await put('x', 'one');
    const digest = () => digests.of(path);
    expect(await digest()).toBe(sha256('one'));
    await writeFile(path, 'two');
    expect(await digest()).toBe(sha256('two'));
    await rename(await put('y', 'six'), path);
    const handle = await open(path);
    const reads = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'read');
    expect(await digest()).toBe(sha256('six'));
    expect(reads).toHaveBeenCalled();
    reads.mockClear();
    expect(await digest()).toBe(sha256('six'));
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
    await handle.close();
  });

  it('is none of a file larger than 1 GiB, of a folder(), or of nothing', async () => {
    const path = await put('x');
    await truncate(path, 1024 * 1024 * 1024 + 1);
    const digests = createFileDigests();
    expect(await digests.of(path)).toBeNull();
    expect(await digests.of(folder())).toBeNull();
    expect(await digests.of(join(folder(), 'gone'))).toBeNull();
  });

  it('is not made without a request', async () => {
    const sources = { people: onWindows ? null : people, digest: null };
    const facts = await programFacts(await put('x.exe'), '', sources);
    expect(facts).toMatchObject({ kind: 'program', sha256: null });
  });
});
