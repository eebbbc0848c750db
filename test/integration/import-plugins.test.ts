import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { agree } from '../support/agree.ts';
import { findKubectls } from '../support/kubectl.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { Stage } from '../support/stage.ts';

const { newest } = findKubectls();
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = 'hunter2-of-the-plugin';
const v1 = 'client.authentication.k8s.io/v1';

let stage: Stage;
let plugin: TestPlugin;
/** A stage without accounts. */
beforeAll(async () => {
  stage = await Stage.open({
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
});
afterEach(() => plugin?.dispose());
afterAll(() => stage?.dispose());

type Fields = Record<string, unknown>;

/** The kubeconfig of a user of a plugin of its own that lies in PATH; each name in it begins with `name`. */
function kubeconfigOf(
  name: string,
  exec: Fields = {},
  cluster: Fields = {},
): { file: string; env: Record<string, string> } {
  plugin = makePlugin({ name: 'get-credential' });
  plugin.answers({ token: stage.botToken });
  const file = stage.home.write(
    `kube-config-of-${name}`,
    `# mine
clusters:
- name: ${name} # the first
  cluster: ${JSON.stringify({ server: stage.api.server, 'certificate-authority-data': base64(stage.api.caPem), ...cluster })}
contexts:
- {name: ${name}, context: {cluster: ${name}, user: ${name}}}
- {name: ${name}-again, context: {cluster: ${name}, user: ${name} too}}
current-context: ${name}
users:
${[name, `${name} too`]
  .map(
    (user) => `- name: ${user} # as aws wrote it
  user:
    exec: ${JSON.stringify({
      ...{ apiVersion: v1, command: basename(plugin.command), interactiveMode: 'Never' },
      args: ['--cluster-name', name],
      env: [
        { name: 'AWS_PROFILE', value: 'prod' },
        { name: 'CLIENT_SECRET', value: secret },
      ],
      ...exec,
    })}
`,
  )
  .join('')}`,
  );
  return { file, env: { PATH: `${dirname(plugin.command)}:relative:${process.env['PATH']}` } };
}

const planOf = async (file: string, env: Record<string, string>) => {
  const shown = await stage.lanyard(['kubeconfig', 'import', '--dry-run', '--json', file], { env });
  expect(shown.code, shown.stderr).toBe(0);
  return JSON.parse(shown.stdout);
};

const whoIs = async (file: string, context: string) => {
  const done = await stage.kubectl(newest, file, ['--context', context, 'get', 'pods', '-o', 'name']);
  return done.code === 0 ? stage.api.requests.at(-1)?.user : done.stderr;
};

const configText = () => readFileSync(stage.home.file('config'), 'utf8');

describe('KEP-541/configuration: from an exec plugin to Lanyard', () => {
  test('what it runs is shown; then kubectl works, the plugin gets its secret from the vault and is run once', async () => {
    const { file, env } = kubeconfigOf('eks');
    const before = readFileSync(file, 'utf8');
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', file], env));
    expect(done.code, done.shown).toBe(0);
    expect(done.shown).toContain('eks: get-credential --cluster-name eks');
    expect(done.shown).toMatch(
      new RegExp(`${plugin.command}, a script for /\\S+, owner \\S+, SHA-256 [0-9a-f]{64}`),
    );
    expect(done.shown).toContain('variables AWS_PROFILE=prod, CLIENT_SECRET (in the vault)');
    expect(done.shown).toContain('the same as eks: they share the account eks');
    expect(readFileSync(file, 'utf8')).toBe(before);
    const managed = stage.home.file('kubeconfig');
    for (const context of ['eks', 'eks-again', 'eks']) {
      expect(await whoIs(managed, context)).toBe('bot');
    }
    const runs = plugin.runs();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.args).toEqual(['--cluster-name', 'eks']);
    expect(runs[0]?.env).toMatchObject({ AWS_PROFILE: 'prod', CLIENT_SECRET: secret });
    expect(runs[0]?.env['PATH']?.split(':')).not.toContain('relative');
    const { accounts } = parse(configText());
    expect(Object.keys(accounts)).toEqual(['eks']);
    expect(accounts.eks.execPlugin).toMatchObject({
      command: 'get-credential',
      env: [{ name: 'AWS_PROFILE', value: 'prod' }, { name: 'CLIENT_SECRET' }],
      searchPath: expect.stringMatching(new RegExp(`^${dirname(plugin.command)}:/`)),
    });
    const texts = [done.shown, configText(), readFileSync(managed, 'utf8'), stage.agentLogs()];
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    const again = await planOf(file, env);
    expect(again.users.map(({ becomes }: { becomes: { exists: boolean } }) => becomes.exists)).toEqual([
      true,
      true,
    ]);
  });

  test('in place its secret goes, kubectl works, and undo is byte for byte', async () => {
    const { file, env } = kubeconfigOf('placed');
    const before = readFileSync(file);
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place', file], env));
    expect(done.code, done.shown).toBe(0);
    expect(done.shown).toMatch(/Secrets in plain text now: 2\b[\s\S]*After the import: 0\b/);
    const after = readFileSync(file, 'utf8');
    expect(after).not.toContain(secret);
    expect(after).toContain('- name: placed # as aws wrote it\n');
    for (const { user } of parse(after).users) {
      expect(user.exec.command).toBe(stage.home.file('helper'));
      expect(user.exec.args).toEqual(expect.arrayContaining(['--account', 'placed']));
    }
    expect(await whoIs(file, 'placed')).toBe('bot');
    expect(await whoIs(file, 'placed-again')).toBe('bot');
    expect(plugin.runs()).toHaveLength(1);
    // As `aws eks update-kubeconfig` does when it runs again.
    writeFileSync(file, before);
    const found = JSON.parse((await stage.lanyard(['doctor', '--json'])).stdout);
    const [wrong] = found.findings.filter(({ check }: { check: string }) => check === 'kubeconfig.undone');
    expect(wrong).toMatchObject({
      subject: file,
      message:
        'the contexts placed, placed-again no longer use Lanyard: another program wrote the entries again',
      hint: `lanyard kubeconfig import --in-place --context placed --context placed-again ${file}`,
    });
    expect((await stage.lanyard(['status'])).stdout).toContain(
      `${file}: ${wrong.message}\n    ${wrong.hint}`,
    );
    const mended = await agree(stage.onTerminal(wrong.hint.split(' ').slice(1), env));
    expect(mended.code, mended.shown).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(after);
    expect((await stage.lanyard(['doctor'])).stdout).not.toContain('no longer use');
    const undone = await stage.lanyard(['kubeconfig', 'undo', file]);
    expect(undone.code, undone.stderr).toBe(0);
    expect(readFileSync(file)).toEqual(before);
    // As it was: kubectl runs the plugin itself.
    const direct = await stage.kubectl(newest, file, ['get', 'pods', '-o', 'name'], { env });
    expect(direct.code, direct.stderr).toBe(0);
    expect(plugin.runs()).toHaveLength(2);
  });

  test('KEP-541/cluster-config, KEP-541/provide-cluster-info: one that is told the cluster gets what its extension says, as kubectl would tell it', async () => {
    const told = { audience: 'kube', list: [1, { deep: null }], 'a.b/c': true };
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: told }];
    const { file, env } = kubeconfigOf('told', { provideClusterInfo: true }, { extensions });
    const direct = await stage.kubectl(newest, file, ['get', 'pods', '-o', 'name'], { env });
    expect(direct.code, direct.stderr).toBe(0);
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', file], env));
    expect(done.code, done.shown).toBe(0);
    expect(parse(configText()).clusters.told.execConfig).toEqual(told);
    expect(await whoIs(stage.home.file('kubeconfig'), 'told')).toBe('bot');
    const [byKubectl, byLanyard] = plugin.runs();
    expect(byLanyard?.info.spec.cluster.config).toEqual(told);
    expect(byLanyard?.info.spec.cluster).toEqual(byKubectl?.info.spec.cluster);
  });
});

describe('KEP-541/install-hint: a plugin that isn’t there', () => {
  test('is taken with a warning and its hint; it works as soon as it is there', async () => {
    const { file } = kubeconfigOf('absent', { installHint: 'brew install get-credential' });
    const elsewhere = { PATH: `${stage.home.outside}/bin:${process.env['PATH']}` };
    const plan = await planOf(file, elsewhere);
    expect(plan.users[0]).toMatchObject({
      kind: 'execPlugin',
      becomes: { account: 'absent', program: { command: 'get-credential', path: null, sha256: null } },
      notes: [
        expect.stringMatching(/get-credential is not there.*; its entry says: brew install get-credential/),
        expect.stringContaining('CLIENT_SECRET'),
      ],
    });
    expect(plan.users[0].becomes.value.execPlugin.searchPath).toBeUndefined();
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', file], elsewhere));
    expect(done.code, done.shown).toBe(0);
    expect(done.shown).toContain('not there now');
    const managed = stage.home.file('kubeconfig');
    expect(await whoIs(managed, 'absent')).toContain('brew install get-credential');
    mkdirSync(join(stage.home.outside, 'bin'));
    writeFileSync(join(stage.home.outside, 'bin', 'get-credential'), readFileSync(plugin.command));
    chmodSync(join(stage.home.outside, 'bin', 'get-credential'), 0o755);
    // After a failure a caller without a terminal waits a moment before the next try.
    await expect.poll(() => whoIs(managed, 'absent'), { interval: 500 }).toBe('bot');
  });
});
