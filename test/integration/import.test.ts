import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { agree } from '../support/agree.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { Stage } from '../support/stage.ts';

const { oldest, newest } = findKubectls();
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Who comes with a token of a kubeconfig that isn’t the first one’s. */
const tokens = { 'of-piped': 'piped', 'of-named': 'named', 'of-moved': 'moved' };

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({
    tokens: Object.fromEntries(Object.entries(tokens).map(([token, name]) => [token, { name, groups: [] }])),
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
  stage.home.write('user-ca.pem', stage.api.caPem);
});
afterAll(() => stage?.dispose());

/** The kubeconfig of somebody who has used Kubernetes for years. `prefix`: of the names of its contexts and users. */
function kubeconfigText({ prefix = '', token = stage.botToken } = {}): string {
  const { api, opsCertificate, provider } = stage;
  return `# my clusters
apiVersion: v1
kind: Config
preferences: {}
current-context: ${prefix}ops
clusters:
- name: one   # the first
  cluster:
    server: ${api.server}
    certificate-authority: user-ca.pem
- name: two
  cluster: {server: "${api.server}", certificate-authority-data: ${base64(api.caPem)}}
contexts:
- {name: ${prefix}bot, context: {cluster: one, user: ${prefix}bot, namespace: kube-system}}
- name: ${prefix}ops
  context:
    cluster: two
    user: "${prefix}ops"
- {name: ${prefix}bot-two, context: {cluster: two, user: ${prefix}bot}}
- {name: ${prefix}old, context: {cluster: two, user: ${prefix}old}}
- {name: ${prefix}corp, context: {cluster: two, user: ${prefix}corp}}
users:
# a robot
- name: ${prefix}bot
  user:
    token: ${token}   # do not share
- name: ${prefix}ops
  user:
    client-certificate-data: ${base64(opsCertificate.chainPem)}
    client-key-data: ${base64(opsCertificate.keyPem)}
- name: ${prefix}old
  user:
    username: admin
    password: hunter2-of-old
- name: ${prefix}corp
  user:
    auth-provider:
      name: oidc
      config:
        idp-issuer-url: ${provider.issuer}
        client-id: ${provider.clientId}
        idp-certificate-authority-data: ${base64(provider.caPem ?? '')}
        refresh-token: refresh-of-another
        id-token: a.b.c
`;
}

let files = 0;
/** A file of its own, in a folder that they share. */
const written = (text = kubeconfigText()) => stage.home.write(`kube-config-${++files}`, text);

/** At a terminal, with a yes to each question but for `answers`; gives what was shown. */
async function agreed(args: string[], env: Record<string, string> = {}): Promise<string> {
  const done = await agree(stage.onTerminal(args, env));
  expect(done.code, done.shown).toBe(0);
  return done.shown;
}

/** `lanyard kubeconfig …` without a terminal. */
const lanyard = (...args: string[]) => stage.lanyard(['kubeconfig', ...args]);

const secretsIn = () => [
  stage.botToken,
  base64(stage.opsCertificate.keyPem),
  stage.opsCertificate.keyPem.slice(40, 80),
  'hunter2-of-old',
  'refresh-of-another',
];

const usersOf = async (kubectl: typeof newest, file: string, context: string) => {
  const done = await stage.kubectl(kubectl, file, ['--context', context, 'get', 'pods', '-o', 'name']);
  return done.code === 0 ? stage.api.requests.at(-1)?.user : done.stderr;
};

describe('before anything is imported', () => {
  test('the plan touches nothing and shows no secret', async () => {
    const file = written();
    const before = readFileSync(file, 'utf8');
    const shown = await lanyard('import', '--dry-run', file);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/bot +static token/);
    expect(shown.stdout).toContain('--in-place');
    const json = await lanyard('import', '--dry-run', '--json', file);
    const plan = JSON.parse(json.stdout);
    for (const secret of secretsIn()) {
      expect(shown.stdout + json.stdout).not.toContain(secret);
    }
    expect(plan.users.map((each: { user: string; kind: string }) => [each.user, each.kind])).toEqual([
      ['bot', 'staticToken'],
      ['ops', 'clientCertificate'],
      ['old', 'basicAuth'],
      ['corp', 'authProviderOidc'],
    ]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(stage.home.file('kubeconfig'))).toBe(false);
    expect((await stage.status()).clusters).toEqual([]);
  });

  test('the plan names a secret that stays: for a context left out, and under an anchor', async () => {
    const left = await lanyard('import', '--dry-run', '--in-place', '--context', 'bot', written());
    expect(left.stdout).toContain('bot: kept in the file: still used by what is not imported (bot-two)');
    const anchored = written(
      kubeconfigText()
        .replace('preferences: {}', `preferences: {}\nmine: &bot {token: ${stage.botToken}}`)
        .replace(`    token: ${stage.botToken}   # do not share`, '    <<: *bot'),
    );
    const shown = await lanyard('import', '--dry-run', '--in-place', anchored);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain(`${anchored} goes on holding a secret of bot`);
    expect(shown.stdout).not.toContain(stage.botToken);
  });

  test('a No leaves all as it is, and so does no terminal', async () => {
    const file = written();
    const denied = await agree(stage.onTerminal(['kubeconfig', 'import', file]), { Import: 'n' });
    expect(denied.code).toBe(exitCodes.denied);
    // What is agreed to stands right above the question, whatever the plan is long.
    expect(denied.shown).toMatch(
      /CA SHA-256 [0-9A-F:]{95}, CN=.*, expires [0-9-]{10}\r?\nTrust the servers of /,
    );
    const nobody = await lanyard('import', file);
    expect([nobody.code, nobody.stderr]).toEqual([exitCodes.denied, expect.stringContaining('--yes')]);
    expect((await stage.status()).accounts).toEqual([]);
  });
});

describe('from an existing kubeconfig to Lanyard (KEP-541/kubeconfig-unchanged)', () => {
  let file: string;

  test('by default the files stay, and kubectl works with the managed kubeconfig', async () => {
    file = written();
    const before = readFileSync(file, 'utf8');
    await agreed(['kubeconfig', 'import'], { KUBECONFIG: `${stage.home.outside}/missing:${file}` });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const managed = stage.home.file('kubeconfig');
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
    expect(await usersOf(newest, managed, 'ops')).toBe('olga');
    expect(await usersOf(newest, managed, 'bot-two')).toBe('bot');
    expect(await usersOf(newest, managed, 'corp')).toContain('lanyard login corp');
    const text = readFileSync(managed, 'utf8');
    expect(parse(text)['current-context']).toBe('ops');
    const bot = { cluster: 'bot', user: expect.any(String), namespace: 'kube-system' };
    expect(parse(text).contexts).toContainEqual({ name: 'bot', context: expect.objectContaining(bot) });
    for (const secret of secretsIn()) {
      expect(text + readFileSync(stage.home.file('config'), 'utf8') + stage.agentLogs()).not.toContain(
        secret,
      );
    }
    const again = await lanyard('import', '--yes', file);
    expect(again.code, again.stderr).toBe(0);
    expect(Object.keys(configured().accounts)).toEqual(['bot', 'ops', 'corp']);
  });

  test('what has changed since is asked about: a No leaves it as it is, a Yes replaces it under its name', async () => {
    const before = configured();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(stage.botToken, 'another-token'));
    const managed = stage.home.file('kubeconfig');
    const no = await agree(stage.onTerminal(['kubeconfig', 'import', file]), { Replace: '' });
    expect(no.code, no.shown).toBe(exitCodes.denied);
    expect(no.shown).toContain('the account bot gets other secrets than it has');
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
    expect(await agreed(['kubeconfig', 'import', file])).toMatch(/Replace 1 account\?/);
    expect(await usersOf(newest, managed, 'bot')).toMatch(/logged in|Unauthorized/);
    writeFileSync(file, text);
    await agreed(['kubeconfig', 'import', file]);
    expect(configured()).toEqual(before);
  });

  test('in place, the managed kubeconfig follows to the new place, too', async () => {
    const moving = written(kubeconfigText({ prefix: 'moved-', token: 'of-moved' }));
    const words = ['kubeconfig', 'import', moving, '--context', 'moved-bot'];
    await agreed(words);
    const moved = stage.api.server.replace('127.0.0.1', 'localhost');
    writeFileSync(moving, readFileSync(moving, 'utf8').replaceAll(stage.api.server, moved));
    expect(await agreed([...words, '--in-place'])).toContain(`moved-bot was ${stage.api.server}`);
    expect(await usersOf(newest, stage.home.file('kubeconfig'), 'moved-bot')).toBe('moved');
    expect(await usersOf(newest, moving, 'moved-bot')).toBe('moved');
    expect(await lanyard('undo', moving)).toMatchObject({ code: 0 });
  });

  test('names that the command line chooses are there, and known at the next import', async () => {
    const named = written(kubeconfigText({ prefix: 'x-', token: 'of-named' }));
    const before = readFileSync(named, 'utf8');
    const words = ['import', named, '--context', 'x-bot'];
    const names = ['--cluster-name', 'x-bot=payments', '--account-name', 'x-bot=robot'];
    const taken = await lanyard(...words, '--dry-run', '--cluster-name', 'old=x');
    expect([taken.code, taken.stderr]).toEqual([exitCodes.usage, expect.stringContaining('no context old')]);
    const pending = await lanyard(...words, ...names, '--yes');
    expect(pending.code, pending.stderr).toBe(exitCodes.pending);
    const again = await lanyard(...words, '--dry-run', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      users: [{ becomes: { account: 'robot', exists: true } }],
      clusters: [{ becomes: { cluster: 'payments', exists: true } }],
    });
    await agreed(['confirm']);
    await agreed(['kubeconfig', ...words, '--in-place']);
    expect(readFileSync(named, 'utf8')).toMatch(/--account\s+- robot\s+- --cluster\s+- payments/);
    expect(await usersOf(newest, named, 'x-bot')).toBe('named');
    expect(await lanyard('undo', named)).toMatchObject({ code: 0 });
    expect(readFileSync(named, 'utf8')).toBe(before);
  });

  test('standard input: pending until the user approves it (rule: confirmed-binding), and nothing of it is written or remembered', async () => {
    const text = kubeconfigText({ prefix: 'piped-', token: 'of-piped' });
    const ca = `certificate-authority-data: ${base64(stage.api.caPem)}`;
    const input = { input: text.replace('certificate-authority: user-ca.pem', ca) };
    const shown = await stage.lanyard(['kubeconfig', 'import', '-', '--dry-run'], input);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain('standard input: ');
    expect(shown.stdout).toContain(
      'The given text has 5 secrets. If it came from a file, that file still has them.',
    );
    expect(shown.stdout).not.toContain('No plain-text secrets found');
    expect(await stage.lanyard(['kubeconfig', 'import', '-', '--in-place', '--yes'], input)).toMatchObject({
      code: exitCodes.usage,
      stderr: expect.stringContaining('standard input (-) is none'),
    });
    const done = await stage.lanyard(['kubeconfig', 'import', '-', '--yes'], input);
    expect([done.code, done.stderr]).toEqual([exitCodes.pending, expect.stringContaining('lanyard confirm')]);
    expect(done.stderr).toMatch(/No file was changed\. The given text has \d+ secrets\./);
    expect((await stage.status()).held).not.toEqual([]);
    const managed = stage.home.file('kubeconfig');
    expect(await usersOf(newest, managed, 'piped-bot')).toContain('lanyard confirm');
    await agreed(['confirm']);
    expect(await usersOf(newest, managed, 'piped-bot')).toBe('piped');
    for (const name of ['kubeconfig', 'config', 'kubeconfigs'] as const) {
      for (const secret of [...secretsIn(), 'of-piped', 'standard input']) {
        expect(readFileSync(stage.home.file(name), 'utf8')).not.toContain(secret);
      }
    }
  });
});

describe('in place, and undone', () => {
  test.each([
    ['the newest kubectl', newest],
    ['the oldest kubectl', oldest],
  ])('comments and order stay, secrets go, %s works; undo is byte for byte', async (_, kubectl) => {
    const file = written();
    chmodSync(file, 0o640);
    const link = `${file}-link`;
    symlinkSync(file, link);
    const before = readFileSync(file);
    const apiVersion = execVersion(kubectl);
    // The import chooses by the kubectl on PATH.
    const shown = await agreed(['kubeconfig', 'import', '--in-place', link], pathWith(kubectl.path));
    const after = readFileSync(file, 'utf8');
    for (const secret of [stage.botToken, base64(stage.opsCertificate.keyPem), 'refresh-of-another']) {
      expect(after + shown).not.toContain(secret);
    }
    expect(after).toContain('hunter2-of-old');
    expect(after).toContain('# my clusters\n');
    expect(after).toContain('- name: one   # the first\n');
    expect(after).toContain('# a robot\n- name: bot\n');
    expect([statSync(file).mode & 0o777, statSync(link).isFile()]).toEqual([0o640, true]);
    for (const { user } of parse(after).users.filter((each: { name: string }) => each.name !== 'old')) {
      expect(user.exec).toMatchObject({
        apiVersion: `client.authentication.k8s.io/${apiVersion}`,
        command: stage.home.file('helper'),
        interactiveMode: 'IfAvailable',
        provideClusterInfo: true,
        installHint: expect.any(String),
      });
      expect(user.exec.args).toContain('--cluster');
    }
    expect(await usersOf(kubectl, file, 'bot')).toBe('bot');
    expect(await usersOf(kubectl, link, 'bot-two')).toBe('bot');
    expect(await usersOf(kubectl, file, 'ops')).toBe('olga');
    const undone = await lanyard('undo', link);
    expect(undone.code, undone.stderr).toBe(0);
    expect(readFileSync(file)).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect((await lanyard('undo')).code).toBe(exitCodes.notFound);
  });

  test('a file that changed since is shown, and restored only on a yes', async () => {
    const file = written();
    const before = readFileSync(file, 'utf8');
    await agreed(['kubeconfig', 'import', '--in-place', file]);
    const mine = `${readFileSync(file, 'utf8')}# and my own line\n`;
    writeFileSync(file, mine);
    const nobody = await lanyard('undo', file);
    expect(nobody.code).toBe(exitCodes.denied);
    expect(nobody.stderr).toContain('# and my own line');
    expect(nobody.stderr).not.toContain(stage.botToken);
    const no = await agree(stage.onTerminal(['kubeconfig', 'undo', file]), { Restore: 'n' });
    expect(no.code).toBe(exitCodes.denied);
    expect(readFileSync(file, 'utf8')).toBe(mine);
    await agreed(['kubeconfig', 'undo', file]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('kubectl writes the complete file again: an undo says what of it matters', async () => {
    const file = written();
    const before = readFileSync(file, 'utf8');
    await agreed(['kubeconfig', 'import', '--in-place', file]);
    const moved = await stage.kubectl(newest, file, ['config', 'use-context', 'corp']);
    expect(moved.code, moved.stderr).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('# my clusters');
    expect(await usersOf(newest, file, 'bot-two')).toBe('bot');
    const shown = await agreed(['kubeconfig', 'undo', file]);
    expect(shown).toContain('the current context is ops again, not corp');
    expect(shown).not.toMatch(/the (user|cluster|context) /);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

const configured = () => parse(readFileSync(stage.home.file('config'), 'utf8'));

/** PATH with this kubectl first. */
function pathWith(kubectl: string): Record<string, string> {
  const folder = `${stage.home.outside}/path`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  symlinkSync(kubectl, `${folder}/kubectl`);
  return { PATH: `${folder}:${process.env['PATH']}` };
}
