import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readKubeconfigs } from '../../main/kubeconfig/read/read-kubeconfigs.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';

/** Which file and which field a real kubectl takes, where `config view` doesn't tell: the server sees who comes. */
const users = Object.fromEntries(
  ['file-token', 'entry-token', 'plugin-token', 'wrong-token'].map((token) => [
    token,
    { name: token, groups: [] },
  ]),
);
const { oldest, newest } = findKubectls();
const both = [...new Map([oldest, newest].map((each) => [each.version, each])).values()];
let api: KubernetesApi;
let root: string;

beforeAll(async () => {
  api = await startKubernetesApi({ staticTokens: users });
  root = mkdtempSync(join(realpathSync(tmpdir()), 'ly-paths-'));
  for (const folder of ['home', 'cwd', 'real', 'linked']) {
    mkdirSync(join(root, folder));
    write(`${folder}/token`, folder === 'linked' ? ' file-token \n' : 'wrong-token');
    write(`${folder}/ca.pem`, folder === 'linked' ? api.caPem : 'wrong');
    write(`${folder}/bin/plugin`, plugin(folder === 'linked' ? 'plugin-token' : 'wrong-token'));
    chmodSync(join(root, folder, 'bin/plugin'), 0o700);
  }
  symlinkSync('../real/config', join(root, 'linked', 'config'));
});
afterAll(async () => {
  await api.dispose();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => api.forgetRequests());

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** Answers in the version that it is asked in. */
function plugin(token: string): string {
  const version = `$(printf '%s' "$KUBERNETES_EXEC_INFO" | sed 's/.*"apiVersion":"\\([^"]*\\)".*/\\1/')`;
  return `#!/bin/sh\nprintf '{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"${token}"}}' "${version}"\n`;
}

describe.each(both)('kubectl $version', (kubectl) => {
  test.each<[string, object, string]>([
    ['a token’s file, relative', { tokenFile: 'token' }, 'file-token'],
    ['a token’s file, over the token', { token: 'entry-token', tokenFile: './token' }, 'file-token'],
    ['a token, where there is no file', { token: 'entry-token' }, 'entry-token'],
    ['a plugin, relative', { exec: { command: './bin/plugin' } }, 'plugin-token'],
    ['a plugin, relative without a dot', { exec: { command: 'bin/plugin' } }, 'plugin-token'],
  ])('takes %s, beside the link that names its kubeconfig', async (_, fields, expected) => {
    const exec =
      'exec' in fields ? { exec: { ...(fields.exec as object), ...execFields(execVersion(kubectl)) } } : {};
    const user = { ...fields, ...exec };
    const cluster = { server: api.server, 'certificate-authority': 'ca.pem' };
    write(
      'real/config',
      JSON.stringify({
        'current-context': 'c',
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    const env = { HOME: join(root, 'home'), KUBECONFIG: '../linked/config' };
    const ended = await run(kubectl.path, ['get', '--raw', '/version'], { env, cwd: join(root, 'cwd') });
    expect([ended.stderr, ended.code]).toEqual(['', 0]);
    expect(api.requests.at(-1)?.user).toBe(expected);
    // And so it is read here.
    const merged = await readKubeconfigs([join(root, 'linked/config')]);
    const read = merged.users.get('u');
    const taken = read?.tokenFile?.ok ? read.tokenFile.content : read?.token;
    expect(read?.exec?.command ?? taken?.reveal()).toBe(
      read?.exec ? join(root, 'linked/bin/plugin') : expected,
    );
    const authority = merged.clusters.get('c')?.certificateAuthority;
    expect(authority).toEqual({ ok: true, path: join(root, 'linked/ca.pem'), pem: api.caPem });
  });
});

function execFields(version: 'v1' | 'v1beta1'): object {
  return {
    apiVersion: `client.authentication.k8s.io/${version}`,
    interactiveMode: 'Never',
    args: [],
    env: [],
  };
}
