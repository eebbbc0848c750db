import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { providerFile } from '../../contract/program-names.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { dockerCheck } from './docker-check.ts';
import { readUserEnvironment } from './user-environment.ts';

let home: string;
let helper: string;
let variables: Record<string, string>;

beforeEach(() => {
  home = folderForTest();
  helper = put('home/bin/lanyard', 'helper', 0o755);
  variables = {
    HOME: home,
    USERPROFILE: home,
    PATH: [join(home, 'first'), join(home, 'bin')].join(delimiter),
  };
});

function put(name: string, content: string | object, mode = 0o600): string {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return file;
}

/** The helper under another name: a link; on Windows a copy. */
function link(name: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  if (onWindows) {
    copyFileSync(helper, join(home, name));
  } else {
    symlinkSync(helper, join(home, name));
  }
}

/** `level check: message`, with the temporary folder as `~`, and `/` on Windows, too. */
async function found(registries: Record<string, { calledAs?: string }> = {}): Promise<string[]> {
  const config = {
    registries: new Map(Object.entries(registries).map(([name, of]) => [name, { name, config: of }])),
  } as unknown as Pick<LoadedConfig, 'registries'>;
  const person = readUserEnvironment({ platform: process.platform, cwd: tmpdir(), variables });
  const all = await dockerCheck(person, helper, config).run(new AbortController().signal);
  return all.map(({ level, check, message, subject }) =>
    `${level} ${check}${subject ? ` ${subject}` : ''}: ${message}`
      .replaceAll(home, '~')
      .replaceAll('\\', '/'),
  );
}

const config = '.docker/config.json';
const program = (name: string) => providerFile(name, process.platform);

test('without docker’s file and registries there is nothing to say', async () => {
  expect(await found()).toEqual([]);
});

test('docker asks Lanyard, and finds its helper', async () => {
  put(config, { credsStore: 'lanyard', auths: { 'ghcr.io': {}, 'docker.io': { auth: '' } } });
  link(program('bin/docker-credential-lanyard'));
  expect(await found()).toEqual([
    'ok docker: ~/.docker/config.json has docker ask Lanyard',
    `ok docker.helper docker-credential-lanyard: ~/${program('bin/docker-credential-lanyard')}`,
  ]);
});

test('DOCKER_CONFIG names another folder', async () => {
  variables['DOCKER_CONFIG'] = join(home, 'elsewhere');
  put('elsewhere/config.json', { credHelpers: { 'ghcr.io': 'lanyard' } });
  expect((await found())[0]).toBe('ok docker: ~/elsewhere/config.json has docker ask Lanyard');
});

test('registries that docker doesn’t ask for are a note, also without its file', async () => {
  const note = 'note docker: docker doesn’t ask Lanyard';
  expect(await found({ ghcr: {} })).toEqual([note]);
  put(config, { credsStore: 'pass' });
  expect([await found({ ghcr: {} }), await found()]).toEqual([[note], []]);
});

test('logins in plain text are named by their servers alone', async () => {
  const auths = { 'ghcr.io': { auth: 'canary' }, 'quay.io': { identitytoken: 'canary' }, 'a.io': {} };
  put(config, { auths });
  expect(await found()).toEqual([
    'note docker.plaintext ~/.docker/config.json: logins in plain text, of ghcr.io, quay.io',
  ]);
  put(config, { auths, credsStore: 'lanyard' });
  link(program('bin/docker-credential-lanyard'));
  const text = await found();
  expect(text[1]).toMatch(/^warning docker\.plaintext /);
  expect(text.join()).not.toContain('canary');
  const credHelpers = { 'ghcr.io': '', 'old.io': '' };
  const old = { 'https://old.io/v1/': { auth: 'canary' } };
  put(config, { auths: { ...auths, ...old }, credsStore: 'lanyard', credHelpers });
  expect((await found()).slice(1, 3)).toEqual([
    'warning docker.plaintext ~/.docker/config.json: logins in plain text, of quay.io',
    'note docker.plaintext ~/.docker/config.json: logins that stay in plain text for docker, of ghcr.io, https://old.io/v1/',
  ]);
});

test('a helper that is missing, and another one before it on PATH', async () => {
  put(config, { credsStore: 'lanyard' });
  expect((await found())[1]).toBe(
    'problem docker.helper docker-credential-lanyard: docker doesn’t find it on PATH',
  );
  put(program('first/docker-credential-lanyard'), 'other', 0o755);
  link(program('bin/docker-credential-lanyard'));
  expect((await found())[1]).toBe(
    `problem docker.helper docker-credential-lanyard: ~/${program('first/docker-credential-lanyard')} comes first on PATH, and is not this home’s helper`,
  );
});

test('the helper’s other names: those in the file, and those of registries', async () => {
  put(config, { credHelpers: { 'ghcr.io': 'lanyard-work', 'quay.io': 'pass' } });
  link(program('bin/docker-credential-lanyard-work'));
  expect(await found({ home: { calledAs: 'home' } })).toEqual([
    'ok docker: ~/.docker/config.json has docker ask Lanyard',
    `ok docker.helper docker-credential-lanyard-work: ~/${program('bin/docker-credential-lanyard-work')}`,
    'problem docker.helper docker-credential-lanyard-home: docker doesn’t find it on PATH',
  ]);
});

test('podman has its own file, where there is a podman', async () => {
  put(config, { credsStore: 'lanyard' });
  link(program('bin/docker-credential-lanyard'));
  put(program('bin/podman'), '', 0o755);
  expect((await found())[2]).toBe(
    'note docker.podman: podman doesn’t ask Lanyard: it doesn’t read credsStore',
  );
  put(
    '.config/containers/registries.conf.d/50-lanyard.conf',
    'credential-helpers = ["lanyard", "containers-auth.json"]\n',
  );
  expect((await found())[2]).toBe(
    'ok docker.podman: ~/.config/containers/registries.conf.d/50-lanyard.conf has podman ask Lanyard',
  );
});

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['a store that is no text', { credsStore: 7 }],
])('a file with %s is a warning', async (_, content) => {
  put(config, content);
  expect(await found()).toEqual(['warning docker: ~/.docker/config.json is no JSON that docker can read']);
});
