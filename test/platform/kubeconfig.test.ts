import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';
import { HeldFile } from './held-file.ts';
import { ofWindows } from './of-windows.ts';
import { PlatformHome } from './platform-home.ts';

// Kubeconfigs as editors on Windows write them: imported in place and undone byte for byte, also while another program
// has them open.

const isWindows = process.platform === 'win32';
const home = new PlatformHome();
const folder = join(home.outside, 'kube größe');
let api: KubernetesApi;

beforeAll(async () => {
  mkdirSync(folder, { mode: 0o700 });
  const users = ['ann', 'bob'];
  api = await startKubernetesApi({
    staticTokens: Object.fromEntries(users.map((name) => [`token-of-${name}`, { name, groups: [] }])),
  });
  // What the first file has is known and approved already: it serves right after its import.
  const cluster = { server: api.server, certificateAuthority: home.write('api.pem', api.caPem) };
  home.writeConfig({
    accounts: Object.fromEntries(users.map((user) => [user, { staticToken: {} }])),
    clusters: Object.fromEntries(users.map((user) => [user, { ...cluster, account: user }])),
  });
  await home.startAgent();
  for (const user of users) {
    const { code, stderr } = await home.lanyard(['secret', 'set', user], { input: `token-of-${user}` });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  }
});
afterAll(async () => {
  await home.dispose();
  await api?.dispose();
});

const authority = () => Buffer.from(api.caPem).toString('base64');

/** Writes a kubeconfig with CRLF, comments and these users. Hands back its path and text. */
function kubeconfig(name: string, users: readonly string[]): { file: string; text: string } {
  const lines = [
    '# größe: my clusters',
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${users[0]}`,
    'clusters:',
    `- name: ${name}`,
    `  cluster: {server: "${api.server}", certificate-authority-data: ${authority()}}`,
    'contexts:',
    ...users.map((user) => `- {name: ${user}, context: {cluster: ${name}, user: ${user}}}`),
    'users:',
    ...users.flatMap((user) => [`- name: ${user}   # in ${name}`, `  user: {token: token-of-${user}}`]),
    '',
  ];
  const text = lines.join('\r\n');
  return { file: home.write(join('kube größe', name), text), text };
}

const importInPlace = (files: readonly string[], env: Record<string, string> = {}) =>
  home.lanyard(['kubeconfig', 'import', '--in-place', '--yes', ...files], { env });

async function undo(file: string): Promise<void> {
  const { code, stderr } = await home.lanyard(['kubeconfig', 'undo', '--yes', file]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}

/** Runs the exec plugin of each user, as kubectl does. Hands back the tokens. */
async function tokensIn(file: string): Promise<string[]> {
  const { users } = parse(readFileSync(file, 'utf8')) as {
    users: { user: { exec: { command: string; args: string[]; env: { name: string; value: string }[] } } }[];
  };
  const info = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
  const cluster = { server: api.server, 'certificate-authority-data': authority() };
  const told = JSON.stringify({ ...info, spec: { interactive: false, cluster } });
  return Promise.all(
    users.map(async ({ user: { exec } }) => {
      const added = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]));
      const env = { ...home.env, ...added, KUBERNETES_EXEC_INFO: told };
      const { code, stdout, stderr } = await run(exec.command, exec.args, { env });
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout).status.token;
    }),
  );
}

test('a kubeconfig with CRLF and several users is edited in place, serves, and is undone byte for byte', async () => {
  const { file, text } = kubeconfig('first', ['ann', 'bob']);
  const done = await importInPlace([file]);
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  const edited = readFileSync(file, 'utf8');
  expect(edited).not.toContain('token-of');
  const lines = (of: string) => of.split('\r\n').filter((line) => !line.startsWith('  user: '));
  expect(lines(edited)).toEqual(lines(text));
  expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  expect(await tokensIn(file)).toEqual(['token-of-ann', 'token-of-bob']);

  const doctor = await home.lanyard(['doctor', '--json'], { env: { KUBECONFIG: file } });
  const { findings } = JSON.parse(doctor.stdout) as {
    findings: { group: string; check: string; subject: string; level: string }[];
  };
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'kubeconfig.helper', subject: file, level: 'ok' }),
  );
  // This machine's tools are its own business.
  const worse = findings.filter(
    ({ group, level }) => group !== 'tools' && level !== 'ok' && level !== 'note',
  );
  expect([doctor.code, worse]).toEqual([0, []]);

  await undo(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('without a name each file of KUBECONFIG is imported, by the system’s separator', async () => {
  const [one, two] = [kubeconfig('second', ['cleo']), kubeconfig('third', ['dora', 'eve'])];
  const done = await importInPlace([], { KUBECONFIG: ['', one.file, two.file].join(delimiter) });
  expect([done.code, done.stderr]).toEqual([exitCodes.pending, expect.any(String)]);
  for (const { file, text } of [one, two]) {
    expect(readFileSync(file, 'utf8')).not.toContain('token-of');
    await undo(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('a kubeconfig that another program has open is edited once it is free', async () => {
  const { file, text } = kubeconfig('fourth', ['fay']);
  const held = await HeldFile.hold(home, file);
  let hasEnded = false;
  const importing = importInPlace([file]).finally(() => {
    hasEnded = true;
  });
  // The new text is there, beside the file.
  const isUnderWay = () => readdirSync(folder).some((name) => name.startsWith('.fourth.'));
  await vi.waitUntil(() => isUnderWay() || hasEnded, { timeout: 60_000 });
  if (isWindows) {
    expect([hasEnded, readFileSync(file, 'utf8')]).toEqual([false, text]);
  }
  await held.release();
  const { code, stderr } = await importing;
  expect([code, stderr]).toEqual([exitCodes.pending, expect.any(String)]);
  expect(readFileSync(file, 'utf8')).not.toContain('token-of');
  expect(readdirSync(folder).sort()).toEqual(['first', 'fourth', 'second', 'third']);
  await undo(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

const tooLong = 'a kubeconfig that is held for too long stays as it is, and the user reads what to do';
test.runIf(isWindows)(ofWindows(tooLong, 'an open file is no hindrance here'), async () => {
  const { file, text } = kubeconfig('fifth', ['gil']);
  const held = await HeldFile.hold(home, file);
  const { code, stderr } = await importInPlace([file]);
  expect([code, stderr]).toEqual([
    exitCodes.internal,
    expect.stringContaining('hint: another program has it open'),
  ]);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readFileSync(join(home.path, 'config.yaml'), 'utf8')).not.toContain('gil');
  await held.release();
  expect((await importInPlace([file])).code).toBe(exitCodes.pending);
  await undo(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
