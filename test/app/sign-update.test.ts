import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifestName } from '../../app/updates/manifest.ts';
import { readRelease } from '../../app/updates/release.ts';
import { isSigned } from '../../app/updates/signature.ts';
import { releaseFrom } from '../../scripts/release-from.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'sign-update.ts');
const manifest = `version: 1.1.0
files:
  - url: Lanyard-1.1.0.AppImage
    sha512: ${Buffer.alloc(64, 1).toString('base64')}
    size: 120000000
    blockMapSize: 125000
path: Lanyard-1.1.0.AppImage
sha512: ${Buffer.alloc(64, 1).toString('base64')}
releaseDate: '2026-01-02T03:04:05.678Z'
`;

let folder: string;
let keys: string;
let keyFile: string;
let publicKey: string;
beforeAll(() => {
  keys = mkdtempSync(join(tmpdir(), 'lanyard-sign-'));
  keyFile = join(keys, 'key.pem');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', keyFile]);
  publicKey = execFileSync('openssl', ['pkey', '-in', keyFile, '-pubout', '-outform', 'DER']).toString(
    'base64',
  );
});
afterAll(() => rmSync(keys, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanyard-sign-'));
  writeFileSync(join(folder, 'latest-linux.yml'), manifest);
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(file: string, key = keyFile) {
  return spawnSync(process.execPath, ['--no-warnings', script, file], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LANYARD_UPDATE_KEY_FILE: key },
  });
}

describe('a release is signed', () => {
  it('by a key that openssl made, so that a build with its public half takes it', () => {
    const file = join(folder, 'latest-linux.yml');
    const { status, stdout } = run(file);
    expect(status).toBe(0);
    const feed = 'https://updates.example.com/lanyard/';
    const text = releaseFrom({ LANYARD_UPDATE_FEED: feed, LANYARD_UPDATE_KEYS: publicKey });
    writeFileSync(join(folder, 'release.json'), text ?? '');
    const release = readRelease(join(folder, 'release.json'));
    const [manifestBytes, signature] = [readFileSync(file), readFileSync(`${file}.sig`)];
    expect(isSigned(manifestName('linux', 'x64'), manifestBytes, signature, release?.keys ?? [])).toBe(true);
    expect(isSigned(manifestName('linux', 'arm64'), manifestBytes, signature, release?.keys ?? [])).toBe(
      false,
    );
    // The public half is printed, to be compared; of the private one nothing.
    expect(stdout).toContain(JSON.parse(text ?? '{}').keys[0]);
    expect(stdout).not.toContain(readFileSync(keyFile, 'utf8').split('\n')[1]);
  });

  it.each<[string, () => string, RegExp]>([
    ['under a name that no app asks for', () => put('stable.yml', manifest), /stable\.yml/],
    ['that no app could read', () => put('latest.yml', manifest.replace('1.1.0', 'next')), /version/],
    [
      'with a package that isn’t beside it',
      () => put('latest.yml', manifest.replace('url: ', 'url: ../')),
      /url/,
    ],
  ])('but nothing %s', (_, prepare, said) => {
    const file = prepare();
    const { status, stderr } = run(file);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(said);
    expect(() => readFileSync(`${file}.sig`)).toThrow();
  });

  it('and a key that can’t be read is not quoted', () => {
    const bad = put(
      'bad.pem',
      '-----BEGIN PRIVATE KEY-----\nc2VjcmV0LWNhbmFyeQ==\n-----END PRIVATE KEY-----\n',
    );
    const { status, stdout, stderr } = run(join(folder, 'latest-linux.yml'), bad);
    expect(status).toBe(1);
    expect(stdout + stderr).not.toContain('c2VjcmV0');
  });
});

describe('what a build knows about updates', () => {
  it('is nothing by default', () => {
    expect(releaseFrom({})).toBe(null);
  });

  it.each<[string, () => NodeJS.ProcessEnv]>([
    ['a feed without a key', () => ({ LANYARD_UPDATE_FEED: 'https://updates.example.com/' })],
    ['a key without a feed', () => ({ LANYARD_UPDATE_KEYS: publicKey })],
    [
      'a private key',
      () => ({ LANYARD_UPDATE_FEED: 'https://updates.example.com/', LANYARD_UPDATE_KEYS: privateKey() }),
    ],
    [
      'a feed without TLS',
      () => ({ LANYARD_UPDATE_FEED: 'http://updates.example.com/', LANYARD_UPDATE_KEYS: publicKey }),
    ],
    [
      'a feed that is no folder',
      () => ({ LANYARD_UPDATE_FEED: 'https://updates.example.com/x', LANYARD_UPDATE_KEYS: publicKey }),
    ],
  ])('is rejected with %s: a build that could never be updated isn’t made by accident', (_, env) => {
    expect(() => releaseFrom(env())).toThrow();
  });
});

function privateKey(): string {
  return execFileSync('openssl', ['pkey', '-in', keyFile, '-outform', 'DER']).toString('base64');
}

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
