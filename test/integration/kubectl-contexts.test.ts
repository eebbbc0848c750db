import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { agree } from '../support/agree.ts';
import { profileObject } from '../support/inventory-hub.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { findKubectls } from '../support/kubectl.ts';
import { openPage, readAddress } from '../support/page-client.ts';
import { run } from '../support/processes.ts';
import { quoteForShell, startOnTerminal } from '../support/pty.ts';
import { Stage, until } from '../support/stage.ts';

/** An approved cluster works in the user’s plain kubectl at once, in whichever way it came (rule: reversible-edits). */
let stage: Stage;
let file: string;
const { newest } = findKubectls();

beforeAll(async () => {
  stage = await Stage.open({
    kubectl: 'unasked',
    async extend(config, { home }) {
      config.inventories = {
        fleet: { files: [home.write('fleet.yaml', '')], providers: [{ name: 'robots', account: 'bot' }] },
      };
    },
  });
  await stage.setSecrets();
  file = join(stage.home.env['HOME'] ?? '', '.kube', 'config');
  mkdirSync(dirname(file));
  writeFileSync(
    file,
    `# mine\n${stringify(JSON.parse(kubeconfigText({ server: 'https://10.0.0.1' }, { token: 'mine' })))}`,
  );
});
afterAll(() => stage?.dispose());

/** With nothing but the user’s own HOME, and KUBECONFIG where it is given. */
async function pods(context: string, kubeconfig?: string): Promise<string> {
  const env = { ...stage.home.env, LANYARD_HOME: undefined, KUBECONFIG: kubeconfig };
  const done = await run(newest.path, ['--context', context, 'get', 'pods'], { env });
  return done.code === 0 ? (/web-0/.exec(done.stdout)?.[0] ?? '') : done.stderr;
}

/** `kubectl config set-context`, which ends where Lanyard has the file’s lock just then, and is run again. */
const setContext = (...args: string[]) =>
  until(async () => {
    const env = { ...stage.home.env, KUBECONFIG: undefined };
    const done = await run(newest.path, ['config', 'set-context', ...args], { env });
    if (done.code !== 0) {
      expect(done.stderr).toContain('file exists');
    }
    return done.code === 0 || null;
  }, 'the file’s lock');

async function onTerminal(args: string[], answers: Record<string, string> = {}): Promise<string> {
  const { code, shown } = await agree(stage.onTerminal(args), answers);
  expect([code, shown]).toEqual([0, shown]);
  return shown.replaceAll('\r\n', '\n');
}

const fields = () => ({
  server: stage.api.server,
  certificateAuthority: join(stage.home.outside, 'cluster-ca.pem'),
  account: 'bot',
});
const absent = /context .* does not exist|context was not found/;

const addCluster = (name: string) => {
  const { server, certificateAuthority: ca } = fields();
  return ['cluster', 'add', name, '--server', server, '--account', 'bot', '--certificate-authority', ca];
};

async function callOfPage(name: string, input: object): Promise<object> {
  const { host, ticket } = readAddress((await stage.lanyard(['ui', '--no-open'])).stdout);
  const { page } = await openPage(host, ticket);
  page.send({ kind: 'call', id: 1, name, input });
  for (;;) {
    const message = await page.next();
    if (message['id'] === 1 && message['kind'] !== 'progress') {
      page.socket.close();
      return message;
    }
  }
}

test('before the user agreed to anything, no file is touched, and status says what to do', async () => {
  const before = readFileSync(file, 'utf8');
  expect(await pods('prod-bot')).toMatch(absent);
  const status = await stage.lanyard(['status', 'prod-bot']);
  expect(status.stdout).toMatch(/prod-bot .* ready, no kubectl context/);
  const list = await stage.lanyard(['cluster', 'list']);
  expect(list.stderr).toBe('3 clusters have no context in your kubeconfig: lanyard kubeconfig contexts\n');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

describe('with contexts in the user’s own file', () => {
  let before: string;
  beforeAll(async () => {
    before = readFileSync(file, 'utf8');
    const shown = await onTerminal(['kubeconfig', 'contexts'], { 'or Enter for neither': '1' });
    expect(shown).toContain(`1  Add contexts to ${file} (recommended).`);
    expect(shown).toContain('3 of 3 approved clusters have a context');
  });

  test('what was there already', async () => {
    expect(await pods('prod-bot')).toBe('web-0');
    // Nobody is logged in.
    expect(await pods('prod')).toContain('hint: run: lanyard login corp');
  });

  test('by the command line', async () => {
    const args = addCluster('by-cli');
    expect(await onTerminal(args)).toContain('Next: kubectl --context by-cli get namespaces');
    expect(await pods('by-cli')).toBe('web-0');
  });

  test('by the form', async () => {
    const entry = { kind: 'cluster', name: 'by-form', isNew: true, entry: fields() };
    expect(await callOfPage('entry.set', entry)).toMatchObject({ output: { held: true } });
    expect(await pods('by-form')).toMatch(absent);
    expect(readFileSync(file, 'utf8')).not.toContain('by-form');
    await onTerminal(['confirm']);
    expect(await pods('by-form')).toBe('web-0');
  });

  test('by a change of config.yaml', async () => {
    const path = stage.home.file('config');
    const config = parse(readFileSync(path, 'utf8'));
    writeFileSync(path, stringify({ ...config, clusters: { ...config.clusters, 'by-hand': fields() } }));
    await until(async () => ((await stage.status()).held.length > 0 ? true : null), 'the pending change');
    expect(readFileSync(file, 'utf8')).not.toContain('by-hand');
    await onTerminal(['confirm']);
    expect(await pods('by-hand')).toBe('web-0');
  });

  const kubeconfigOf = (context: string) =>
    kubeconfigText(
      { server: stage.api.server, caPem: stage.api.caPem },
      { token: stage.botToken },
    ).replaceAll('"test"', JSON.stringify(context));

  test('by an import', async () => {
    const given = stage.home.write('team.yaml', kubeconfigOf('by-import'));
    await onTerminal(['kubeconfig', 'import', given]);
    expect(await pods('by-import')).toBe('web-0');
  });

  test('by a kubeconfig that is pasted', async () => {
    const given = stage.home.write('pasted', kubeconfigOf('by-paste'));
    const helper = stage.home.file('helper');
    const line = `${quoteForShell(helper)} kubeconfig import - < ${quoteForShell(given)}`;
    const terminal = startOnTerminal('/bin/sh', ['-c', line], { env: { ...stage.home.env, TERM: 'xterm' } });
    expect((await agree(terminal)).code).toBe(0);
    expect(await pods('by-paste')).toBe('web-0');
  });

  test('by an inventory', async () => {
    const cluster = {
      server: stage.api.server.replace('127.0.0.1', 'localhost'),
      'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
    };
    const status = { accessProviders: [{ name: 'robots', cluster }] };
    const metadata = { namespace: 'team', name: 'by-hub', uid: 'u' };
    stage.home.write('fleet.yaml', stringify(profileObject('team', 'by-hub', { metadata, status })));
    await until(async () => {
      const list = await stage.lanyard(['inventory', 'list']);
      return list.stdout.includes('by-hub') ? true : null;
    }, 'the profile');
    expect(await onTerminal(['inventory', 'use', 'by-hub'])).toContain(
      'kubectl --context by-hub get namespaces',
    );
    expect(await pods('by-hub')).toBe('web-0');
    await stage.lanyard(['inventory', 'drop', 'by-hub']);
    await until(() => (readFileSync(file, 'utf8').includes('by-hub') ? null : true), 'its end');
  });

  test('a config.yaml that is broken when Lanyard starts takes none away', async () => {
    const config = join(stage.home.path, 'config.yaml');
    const [text, contexts] = [readFileSync(config, 'utf8'), readFileSync(file, 'utf8')];
    writeFileSync(config, `${text}\naccounts: [`);
    await stage.startAgent();
    await stage.lanyard(['kubeconfig', 'contexts']);
    expect(readFileSync(file, 'utf8')).toBe(contexts);
    writeFileSync(config, text);
    await until(async () => (await pods('prod-bot')) === 'web-0' || null, 'config.yaml is valid again');
  });

  test('a cluster that is removed goes, and undo takes out the others, though kubectl wrote since', async () => {
    await onTerminal(['cluster', 'remove', 'by-cli']);
    expect(await pods('by-cli')).toMatch(absent);
    await setContext('later', '--cluster', 'x', '--user', 'me');
    await setContext('by-form', '--namespace', 'web');
    expect((await stage.lanyard(['kubeconfig', 'contexts', '--off'])).code).toBe(0);
    const now = parse(readFileSync(file, 'utf8'));
    const was = parse(before);
    expect(now.users).toEqual(was.users);
    expect(now.clusters).toEqual(was.clusters);
    expect(now.contexts).toEqual([{ name: 'later', context: { cluster: 'x', user: 'me' } }, ...was.contexts]);
  });
});

test('undo restores what an import in place replaced, without a question about Lanyard’s own contexts', async () => {
  const before = readFileSync(file, 'utf8');
  await onTerminal(['kubeconfig', 'import', '--in-place']);
  expect((await stage.lanyard(['kubeconfig', 'contexts', '--add-to', file])).code).toBe(0);
  expect(await pods('by-form')).toBe('web-0');
  const dry = await stage.lanyard(['kubeconfig', 'undo', '--dry-run']);
  expect(dry.stdout).toContain('not changed since');
  const undone = await stage.lanyard(['kubeconfig', 'undo']);
  expect(undone.stderr).toContain(`Removed Lanyard’s contexts from ${file}. It no longer adds any.`);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a file that is a link stays as it is, and Lanyard’s own is offered and works', async () => {
  const target = join(dirname(file), 'dotfiles');
  writeFileSync(target, readFileSync(file));
  rmSync(file);
  symlinkSync(target, file);
  const refused = await stage.lanyard(['kubeconfig', 'contexts', '--add-to', file]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('is a symbolic link to');
  expect(refused.stderr).toContain('hint: lanyard kubeconfig contexts --own-file');
  const own = await stage.lanyard(['kubeconfig', 'contexts', '--own-file']);
  expect(own.stdout).toContain('To use it, in your shell and its startup file: eval "$(lanyard env)"');
  const env = await stage.lanyard(['env', 'sh']);
  const [, kubeconfig = ''] = /KUBECONFIG='?([^'\n]*)/.exec(env.stdout) ?? [];
  expect(await pods('by-form', kubeconfig)).toBe('web-0');
  const args = addCluster('later');
  const shown = await agree(stage.onTerminal(args, { KUBECONFIG: kubeconfig }));
  expect(shown.shown).toContain('Next: kubectl --context later get namespaces');
  expect(await pods('later', kubeconfig)).toBe('web-0');
});
