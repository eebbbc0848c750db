import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importedBefore } from '../../main/domain/import/imported-before.ts';
import { planImport } from '../../main/domain/import/index.ts';
import { noEntries } from '../../main/domain/testing/no-entries.ts';
import { readKubeconfigs } from '../../main/kubeconfig/read/read-kubeconfigs.ts';
import { createCa, issueClientCertificate } from '../support/certificates.ts';
import { execVersion, findKubectls, type Kubectl, runKubectl } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { isLong } from '../support/long.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';

/** What stands beside an exec plugin counts for Lanyard as it does for real kubectls (KEP-541/static-beside-exec). */
const { oldest, newest } = findKubectls();
/** What an old kubectl does has not changed since: the long form tries it. */
const kubectls = isLong && oldest !== newest ? [oldest, newest] : [newest];
const base64 = (text: string) => Buffer.from(text).toString('base64');

let folder: string;
let api: KubernetesApi;
let plugin: TestPlugin;
let pair: { 'client-certificate-data': string; 'client-key-data': string };

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'ly-beside-'));
  const clientCa = await createCa('client CA');
  const { chainPem, keyPem } = await issueClientCertificate(clientCa, { commonName: 'certificate' });
  pair = { 'client-certificate-data': base64(chainPem), 'client-key-data': base64(keyPem) };
  api = await startKubernetesApi({
    clientCa,
    staticTokens: Object.fromEntries(
      ['token', 'tokenFile', 'exec'].map((name) => [name, { name, groups: [] }]),
    ),
  });
  plugin = makePlugin({ parent: folder });
  writeFileSync(join(folder, 'token'), 'tokenFile');
  writeFileSync(join(folder, 'empty'), '');
});
afterAll(async () => {
  plugin?.dispose();
  await api?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Fields = Record<string, unknown>;

/** Whom the server recognizes; `nobody`: no one; `refused`: no request is made. */
type Outcome = 'token' | 'tokenFile' | 'certificate' | 'exec' | 'nobody' | 'refused';

function write(kubectl: Kubectl, beside: Fields, exec: Fields): string {
  const apiVersion = `client.authentication.k8s.io/${execVersion(kubectl)}`;
  const modes = execVersion(kubectl) === 'v1' ? { interactiveMode: 'Never' } : {};
  const all = { apiVersion, command: plugin.command, ...modes, ...exec };
  plugin.answers({ token: 'exec', apiVersion: all.apiVersion });
  const file = join(folder, 'kubeconfig');
  writeFileSync(
    file,
    JSON.stringify({
      'current-context': 'c',
      clusters: [
        { name: 'c', cluster: { server: api.server, 'certificate-authority-data': base64(api.caPem) } },
      ],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { ...beside, exec: all } }],
    }),
  );
  return file;
}

async function byKubectl(
  kubectl: Kubectl,
  file: string,
): Promise<{ as: Outcome; ran: boolean; why: string }> {
  api.forgetRequests();
  const before = plugin.runs().length;
  const ended = await runKubectl(kubectl, file, ['get', '--raw', '/api'], { env: { HOME: folder } });
  const [request] = api.requests;
  const as = request === undefined ? 'refused' : ((request.user ?? 'nobody') as Outcome);
  return { as, ran: plugin.runs().length > before, why: ended.stderr };
}

async function byLanyard(file: string): Promise<{ as: Outcome; why: string }> {
  const merged = await readKubeconfigs([file]);
  expect(merged.problems).toEqual([]);
  const { users } = planImport({
    ...{
      merged,
      config: noEntries,
      secrets: {},
      sessions: {},
      inPlace: false,
    },
    ...{
      before: importedBefore({}),
      pending: new Set<string>(),
      contexts: null,
      authorityFiles: new Map(),
      homeDirectory: folder,
    },
    ...{ now: Date.now(), searchPath: '/usr/bin:/bin', programOf: () => null },
  });
  const { kind = 'invalid', becomes = null } = users[0] ?? {};
  const value: object = becomes && 'value' in becomes ? becomes.value : {};
  const taken: [string, Outcome][] = [
    ['execPlugin', 'exec'],
    ['clientCertificate', 'certificate'],
    ['staticToken', 'file' in Object(Object(value).staticToken) ? 'tokenFile' : 'token'],
  ];
  const found = taken.find(([key]) => key in value);
  // A password is sent, and no server takes it; what both sends Lanyard leaves.
  const left: Partial<Record<typeof kind, Outcome>> = {
    basicAuth: 'nobody',
    clientCertificate: 'certificate',
  };
  return { as: found?.[1] ?? left[kind] ?? 'refused', why: JSON.stringify(becomes) };
}

describe.each(kubectls.map((each) => [each.version, each] as const))(
  'KEP-541/static-beside-exec: beside exec, to kubectl %s',
  (_, kubectl) => {
    test.each<[string, () => Fields, Outcome]>([
      ['nothing', () => ({}), 'exec'],
      ['a token', () => ({ token: 'token' }), 'token'],
      ['an empty token', () => ({ token: '' }), 'exec'],
      ['a token file', () => ({ tokenFile: join(folder, 'token') }), 'tokenFile'],
      [
        'a token file beside a token',
        () => ({ token: 'token', tokenFile: join(folder, 'token') }),
        'tokenFile',
      ],
      ['a token file that is gone', () => ({ tokenFile: join(folder, 'gone') }), 'refused'],
      ['a token file that is empty', () => ({ tokenFile: join(folder, 'empty') }), 'refused'],
      [
        'a token beside a file that is gone',
        () => ({ token: 'token', tokenFile: join(folder, 'gone') }),
        'token',
      ],
      ['a user name and password', () => ({ username: 'u', password: 'p' }), 'nobody'],
      ['a user name', () => ({ username: 'u' }), 'nobody'],
      ['a password alone', () => ({ password: 'p' }), 'exec'],
      ['a token and a user name', () => ({ token: 'token', username: 'u' }), 'refused'],
      ['a certificate', () => pair, 'certificate'],
      ['a certificate and a password', () => ({ ...pair, username: 'u', password: 'p' }), 'certificate'],
      ['a certificate and a token', () => ({ ...pair, token: 'token' }), 'certificate'],
      ['a key alone', () => ({ 'client-key-data': pair['client-key-data'] }), 'exec'],
      [
        'a certificate without its key',
        () => ({ 'client-certificate-data': pair['client-certificate-data'] }),
        'refused',
      ],
      ['an auth-provider', () => ({ 'auth-provider': { name: 'oidc', config: {} } }), 'refused'],
    ])('%s', async (_name, beside, expected) => {
      const file = write(kubectl, beside(), {});
      const [real, planned] = [await byKubectl(kubectl, file), await byLanyard(file)];
      expect(real.as, real.why).toBe(expected);
      expect(planned.as, planned.why).toBe(expected);
      // Before 1.21 it ran beside a password or a certificate, and its answer was not used.
      if (kubectl === newest) {
        expect(real.ran).toBe(expected === 'exec');
      }
    });
  },
);

describe('KEP-541/configuration, KEP-541/interactive-mode: an exec entry that kubectl rejects, even where it would not run', () => {
  const version = (name: string) => `client.authentication.k8s.io/${name}`;
  test.each<[string, Fields, RegExp, RegExp]>([
    ['no command', { command: '' }, /command must be specified/, /without a command/],
    ['no version', { apiVersion: '' }, /apiVersion must be specified/, /without an apiVersion/],
    [
      'an unknown version',
      { apiVersion: version('v9') },
      /invalid apiVersion/,
      /an apiVersion that no client knows/,
    ],
    [
      'v1 without a mode',
      { interactiveMode: '' },
      /interactiveMode must be specified/,
      /without an interactiveMode/,
    ],
    [
      'an unknown version without a mode',
      { apiVersion: version('v9'), interactiveMode: null },
      /interactiveMode must be specified/,
      /without an interactiveMode/,
    ],
    [
      'an unknown mode',
      { interactiveMode: 'never' },
      /invalid interactiveMode/,
      /an interactiveMode that there isn’t/,
    ],
    [
      'a variable without a name',
      { env: [{ name: '', value: 'x' }] },
      /env variable name must be specified/,
      /a variable without a name/,
    ],
  ])('%s', async (_name, exec, says, reason) => {
    // Where it would not run: kubectl checks the entry before it looks for a token.
    const file = write(newest, { token: 'token' }, exec);
    const [real, planned] = [await byKubectl(newest, file), await byLanyard(file)];
    expect([real.as, planned.as]).toEqual(['refused', 'refused']);
    expect(real.why).toMatch(says);
    expect(planned.why).toMatch(reason);
  });

  test.each<[string, Fields]>([
    ['v1beta1 without a mode', { apiVersion: version('v1beta1'), interactiveMode: null }],
    ['nothing but what must be said', { args: null, env: null, installHint: null, provideClusterInfo: null }],
    ['variables without values', { env: [{ name: 'A' }] }],
  ])('and one that it takes: %s', async (_name, exec) => {
    const file = write(newest, {}, exec);
    const [real, planned] = [await byKubectl(newest, file), await byLanyard(file)];
    expect([real.as, planned.as], `${real.why} ${planned.why}`).toEqual(['exec', 'exec']);
  });
});
