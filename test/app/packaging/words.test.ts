import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBinaryFormat } from '../../../scripts/package/binary-format.ts';
import { builderWords } from '../../../scripts/package/builder-words.ts';
import { readFpmWords } from '../../../scripts/package/fpm-words.ts';
import { requireFor } from '../../../scripts/package/native-parts.ts';
import { readOptions } from '../../../scripts/package/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-words-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the arguments of npm run package', () => {
  const linux = { platform: 'linux', architecture: 'x64' };

  it.each([
    [[], linux, 'linux', 'x64', ['--linux', '--x64']],
    [['--linux', 'deb'], linux, 'linux', 'x64', ['--linux', 'deb', '--x64']],
    [['--linux', '--arm64'], linux, 'linux', 'arm64', ['--linux', '--arm64']],
    [[], { platform: 'darwin', architecture: 'arm64' }, 'darwin', 'universal', ['--mac', '--universal']],
    [['-w', 'nsis'], { platform: 'win32', architecture: 'x64' }, 'win32', 'x64', ['-w', 'nsis', '--x64']],
  ] as const)('%j', (words, host, platform, architecture, passedOn) => {
    expect(readOptions(words, host)).toMatchObject({ target: { platform, architecture }, words: passedOn });
  });

  it.each([
    [['--linux', '--mac'], 'one platform'],
    [['--x64', '--arm64'], 'one platform'],
    [['--universal'], 'macOS alone'],
  ])('%j is rejected', (words, why) => {
    expect(readOptions(words, linux)).toContain(why);
  });

  it('keeps its own arguments from electron-builder', () => {
    const options = readOptions(['--stand-in', '--no-build'], linux);
    expect(options).toMatchObject({ standIn: true, build: false, words: ['--linux', '--x64'] });
  });
});

describe('the header of a binary', () => {
  const elf = (machine: number) => {
    const file = Buffer.alloc(64);
    file.writeUInt32BE(0x7f454c46);
    file[4] = 2;
    file[5] = 1;
    file.writeUInt16LE(machine, 18);
    return file;
  };
  const machO = (processor: number) => {
    const file = Buffer.alloc(32);
    file.writeUInt32LE(0xfeedfacf);
    file.writeUInt32LE(processor, 4);
    return file;
  };
  const universal = (...processors: number[]) => {
    const file = Buffer.alloc(8 + processors.length * 20);
    file.writeUInt32BE(0xcafebabe);
    file.writeUInt32BE(processors.length, 4);
    for (const [at, processor] of processors.entries()) {
      file.writeUInt32BE(processor, 8 + at * 20);
    }
    return file;
  };
  // Magic, then a version where a universal binary has its number of parts.
  const javaClass = Buffer.concat([Buffer.from('cafebabe00000041', 'hex'), Buffer.alloc(400)]);

  it.each([
    ['ELF x86-64', elf(62), 'linux', ['x64']],
    ['ELF aarch64', elf(183), 'linux', ['arm64']],
    ['Mach-O arm64', machO(0x0100000c), 'darwin', ['arm64']],
    ['universal', universal(0x01000007, 0x0100000c), 'darwin', ['x64', 'arm64']],
  ] as const)('%s', (_name, file, platform, architectures) => {
    expect(readBinaryFormat(file)).toEqual({ platform, architectures });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a script', Buffer.from('#!/bin/sh\nexit 0\n')],
    ['ELF for RISC-V', elf(243)],
    ['a Java class', javaClass],
    [
      'a PE file that ends early',
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(0x3a), Buffer.from([0xff, 0, 0, 0])]),
    ],
  ])('%s is none', (_name, file) => {
    expect(readBinaryFormat(file)).toBeNull();
  });

  it.each([
    ['another processor', elf(183), 'it is linux arm64'],
    ['another system', machO(0x01000007), 'it is darwin x64'],
    ['a script', Buffer.from('#!/bin/sh\n'), 'it is no program'],
  ])('what is made for %s is not packaged', (name, content, why) => {
    const file = join(folder, name.replaceAll(' ', '-'));
    writeFileSync(file, content);
    expect(() => requireFor({ platform: 'linux', architecture: 'x64' }, file)).toThrow(why);
  });

  it('half a universal binary is not packaged', () => {
    const file = join(folder, 'half');
    writeFileSync(file, machO(0x0100000c));
    expect(() => requireFor({ platform: 'darwin', architecture: 'universal' }, file)).toThrow(
      'it is darwin arm64',
    );
  });
});

describe('what the environment says of signing and updates', () => {
  const say = (platform: 'linux' | 'darwin' | 'win32', env: NodeJS.ProcessEnv, feed: string | null = null) =>
    builderWords({ target: { platform, architecture: 'x64' }, env, standIn: false, feed });

  it('never publishes automatically', () => {
    expect(say('linux', {}, 'https://example.com/').words).toEqual([
      '--publish',
      'never',
      '-c.publish.provider=generic',
      '-c.publish.url=https://example.com/',
    ]);
  });

  it.each([
    ['nothing', {}, ['-c.mac.notarize=false', '-c.mac.identity=-', '-c.mac.hardenedRuntime=false'], 3],
    ['a certificate', { CSC_LINK: 'x' }, ['-c.mac.notarize=false'], 2],
    ['Apple’s key alone', { APPLE_API_KEY: 'x' }, ['-c.mac.identity=-', '-c.mac.notarize=false'], 3],
    ['both', { CSC_LINK: 'x', APPLE_API_KEY: 'x' }, ['-c.mac.notarize=true'], 1],
    // As a workflow passes a secret that isn't there.
    ['empty ones', { CSC_LINK: '', APPLE_API_KEY: '' }, ['-c.mac.identity=-'], 3],
  ])('macOS with %s', (_name, env, words, notes) => {
    const said = say('darwin', env);
    expect(said.words).toEqual(expect.arrayContaining(words));
    expect(said.words.includes('-c.mac.identity=-')).toBe(words.includes('-c.mac.identity=-'));
    expect(said.notes.length).toBe(notes);
  });

  it('says that a Windows build is not signed', () => {
    expect(say('win32', {}).notes.join()).toContain('not signed');
    expect(say('win32', { WIN_CSC_LINK: 'x' }).notes.join()).not.toContain('not signed');
  });
});

describe('fpm’s arguments', () => {
  const tree = join(folder, 'tree');
  const link = join(folder, 'link');
  mkdirSync(tree);
  symlinkSync('/opt/Lanyard/resources/bin/lanyard', link);
  const words = [
    ...'-s dir --force -t deb -d libnss3 --deb-recommends c --deb-compression xz --architecture amd64'.split(
      ' ',
    ),
    ...'--after-install /i --after-remove /r --version 1.2.3~beta --package /out.deb --name lanyard'.split(
      ' ',
    ),
    ...'--maintainer m --vendor v --url https://u --category utils --deb-priority optional'.split(' '),
    ...['-d', 'a | b', '--description', ' one\n two'],
    ...['--license', 'Apache-2.0', `${link}=/usr/bin/lanyard`, `${tree}/=/opt/Lanyard`],
  ];

  it('are nfpm’s order', () => {
    const owner = { owner: 'root', group: 'root' };
    expect(readFpmWords(words)).toEqual({
      packager: 'deb',
      to: '/out.deb',
      config: expect.objectContaining({
        name: 'lanyard',
        arch: 'amd64',
        version: '1.2.3~beta',
        // Else nfpm makes a version of its own of it.
        version_schema: 'none',
        depends: ['libnss3', 'a | b'],
        recommends: ['c'],
        scripts: { postinstall: '/i', postremove: '/r' },
        contents: [
          {
            src: '/opt/Lanyard/resources/bin/lanyard',
            dst: '/usr/bin/lanyard',
            type: 'symlink',
            file_info: owner,
          },
          { src: `${tree}/`, dst: '/opt/Lanyard', type: 'tree', file_info: owner },
        ],
        deb: { compression: 'xz' },
      }),
    });
  });

  it.each([
    ['a word that isn’t known', [...words, '--conflicts', 'x'], '--conflicts'],
    ['another kind of package', words.map((word) => (word === 'deb' ? 'pacman' : word)), 'only'],
    ['another processor', words.map((word) => (word === 'amd64' ? 'i386' : word)), 'i386'],
  ])('%s stops it', (_name, changed, why) => {
    expect(() => readFpmWords(changed)).toThrow(why);
  });
});
