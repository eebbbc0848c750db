import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fillTemplate } from '../../../scripts/package/fill-template.ts';
import { folderForTest } from '../../support/temporary-folder.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'manifests.ts');
const files = [
  'lanyard-desktop-1.2.3-mac-universal.dmg',
  'lanyard-desktop-1.2.3-win-x64.exe',
  'lanyard-cli-1.2.3-linux-x64.tar.gz',
  'lanyard-cli-1.2.3-linux-arm64.tar.gz',
  'lanyard-cli-1.2.3-mac-universal.tar.gz',
  'lanyard-cli-1.2.3-win-x64.tar.gz',
];
const url = 'https://example.com/v1.2.3';
const digestOf = (name: string) => createHash('sha256').update(`content of ${name}`).digest('hex');

let folder: string;
let out: string;

beforeEach(() => {
  folder = folderForTest();
  out = join(folder, 'out');
  for (const name of files) {
    writeFileSync(join(folder, name), `content of ${name}`);
  }
});

function make(version = '1.2.3', address = url) {
  const words = ['--version', version, '--url', address, '--homepage', 'https://example.com/'];
  return spawnSync(process.execPath, [script, ...words, '--artifacts', folder, '--out', out], {
    encoding: 'utf8',
  });
}

const read = (name: string) => readFileSync(join(out, name), 'utf8');

describe('the manifests of a release', () => {
  it('are filled, each, and name the packages with their digests', () => {
    const { status, stderr } = make();
    expect([status, stderr]).toEqual([0, '']);
    for (const name of readdirSync(out)) {
      expect(read(name)).not.toMatch(/\{\{|\}\}|undefined/);
    }

    const krew = parse(read('krew.yaml'));
    expect(krew.spec.version).toBe('v1.2.3');
    expect(
      krew.spec.platforms.map(({ uri, sha256 }: { uri: string; sha256: string }) => [uri, sha256]),
    ).toEqual(
      [files[2], files[3], files[4], files[4], files[5]].map((name = '') => [
        `${url}/${name}`,
        digestOf(name),
      ]),
    );

    const cask = read('lanyard.rb');
    expect(cask).toContain(`url "${url}/${files[0]}"`);
    expect(cask).toContain(`sha256 "${digestOf(files[0] ?? '')}"`);

    const installer = parse(read('Lanyard.Lanyard.installer.yaml'));
    expect(installer.Installers).toEqual([
      {
        Architecture: 'x64',
        InstallerUrl: `${url}/${files[1]}`,
        InstallerSha256: digestOf(files[1] ?? '').toUpperCase(),
      },
    ]);
    for (const name of ['Lanyard.Lanyard.yaml', 'Lanyard.Lanyard.locale.en-US.yaml']) {
      expect(parse(read(name))).toMatchObject({
        PackageIdentifier: 'Lanyard.Lanyard',
        PackageVersion: '1.2.3',
      });
    }
  });

  it('are not made without one of the packages', () => {
    rmSync(join(folder, files[1] ?? ''));
    expect(make()).toMatchObject({ status: 1, stderr: expect.stringContaining(`${files[1]} is not there`) });
  });

  it.each([
    ['1.2', url],
    ['1.2.3', 'http://example.com'],
    ['1.2.3', 'https://example.com/"; system("id")'],
  ])('are not made for version %s under %s', (version, address) => {
    expect(make(version, address).status).toBe(1);
  });
});

it('a template says what isn’t given, and what is left over', () => {
  expect(fillTemplate('{{a}} and {{ a }}', { a: 'b' })).toBe('b and b');
  expect(() => fillTemplate('{{c}}', { a: 'b' })).toThrow('nothing is given for {{c}}');
  expect(() => fillTemplate('{{a', { a: 'b' })).toThrow('left over');
});
