import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { agree } from '../support/agree.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { Stage } from '../support/stage.ts';

const { oldest, newest } = findKubectls();
const base64 = (text: string) => Buffer.from(text).toString('base64');

let stage: Stage;
afterEach(() => stage?.dispose());

/** A stage without accounts, and the kubeconfig of somebody who has used Kubernetes for years. */
async function openStage(): Promise<string> {
  stage = await Stage.open({
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
  const { api, opsCertificate, botToken, provider } = stage;
  stage.home.write('user-ca.pem', api.caPem);
  const text = `# my clusters
apiVersion: v1
kind: Config
preferences: {}
current-context: ops
clusters:
- name: one   # the first
  cluster:
    server: ${api.server}
    certificate-authority: user-ca.pem
- name: two
  cluster: {server: "${api.server}", certificate-authority-data: ${base64(api.caPem)}}
contexts:
- {name: bot, context: {cluster: one, user: bot, namespace: kube-system}}
- name: ops
  context:
    cluster: two
    user: "ops"
- {name: bot-two, context: {cluster: two, user: bot}}
- {name: old, context: {cluster: two, user: old}}
- {name: corp, context: {cluster: two, user: corp}}
users:
# a robot
- name: bot
  user:
    token: ${botToken}   # do not share
- name: ops
  user:
    client-certificate-data: ${base64(opsCertificate.chainPem)}
    client-key-data: ${base64(opsCertificate.keyPem)}
- name: old
  user:
    username: admin
    password: hunter2-of-old
- name: corp
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
  return stage.home.write('kube-config', text);
}

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

describe('from an existing kubeconfig to Lanyard (KEP-541/kubeconfig-unchanged)', () => {
  test('names that the command line chooses are there, and known at the next import', async () => {
    const file = await openStage();
    const words = ['kubeconfig', 'import', file, '--context', 'bot'];
    const names = ['--cluster-name', 'bot=payments', '--account-name', 'bot=robot'];
    const taken = await stage.lanyard([...words, '--dry-run', '--cluster-name', 'old=x']);
    expect([taken.code, taken.stderr]).toEqual([exitCodes.usage, expect.stringContaining('no context old')]);
    const pending = await stage.lanyard([...words, ...names, '--yes']);
    expect(pending.code, pending.stderr).toBe(exitCodes.pending);
    const again = await stage.lanyard([...words, '--dry-run', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      users: [{ becomes: { account: 'robot', exists: true } }],
      clusters: [{ becomes: { cluster: 'payments', exists: true } }],
    });
    expect((await agree(stage.onTerminal(['confirm']))).code).toBe(0);
    const edited = await agree(stage.onTerminal([...words, '--in-place']));
    expect(edited.code, edited.shown).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/--account\s+- robot\s+- --cluster\s+- payments/);
    expect(await usersOf(newest, file, 'bot')).toBe('bot');
  });

  test('the plan touches nothing and shows no secret', async () => {
    const file = await openStage();
    const before = readFileSync(file, 'utf8');
    const shown = await stage.lanyard(['kubeconfig', 'import', '--dry-run', file]);
    expect(shown.code).toBe(0);
    for (const secret of secretsIn()) {
      expect(shown.stdout).not.toContain(secret);
    }
    expect(shown.stdout).toMatch(/bot +static token/);
    expect(shown.stdout).toContain('--in-place');
    const json = await stage.lanyard(['kubeconfig', 'import', '--dry-run', '--json', file]);
    const plan = JSON.parse(json.stdout);
    for (const secret of secretsIn()) {
      expect(json.stdout).not.toContain(secret);
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

  test('by default the files stay, and kubectl works with the managed kubeconfig, old and new', async () => {
    const file = await openStage();
    const before = readFileSync(file, 'utf8');
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', file]));
    expect(done.code, done.shown).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
    const managed = stage.home.file('kubeconfig');
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
    expect(await usersOf(newest, managed, 'ops')).toBe('olga');
    expect(await usersOf(newest, managed, 'bot-two')).toBe('bot');
    expect(await usersOf(newest, managed, 'corp')).toContain('lanyard login corp');
    const written = parse(readFileSync(managed, 'utf8'));
    expect(written['current-context']).toBe('ops');
    const namespaces = written.contexts.map((each: { name: string; context: { namespace?: string } }) => [
      each.name,
      each.context.namespace,
    ]);
    expect(namespaces).toContainEqual(['bot', 'kube-system']);
    for (const secret of secretsIn()) {
      expect(readFileSync(managed, 'utf8')).not.toContain(secret);
      expect(readFileSync(stage.home.file('config'), 'utf8')).not.toContain(secret);
      expect(stage.agentLogs()).not.toContain(secret);
    }
    const again = await stage.lanyard(['kubeconfig', 'import', '--yes', file]);
    expect(again.code, again.stderr).toBe(0);
    expect(Object.keys(parse(readFileSync(stage.home.file('config'), 'utf8')).accounts)).toEqual([
      'bot',
      'ops',
      'corp',
    ]);
  });

  test('a No leaves all as it is, and so does no terminal', async () => {
    const file = await openStage();
    const denied = await agree(stage.onTerminal(['kubeconfig', 'import', file]), { Import: 'n' });
    expect(denied.code).toBe(10);
    // What is agreed to stands right above the question, whatever the plan is long.
    expect(denied.shown).toMatch(
      /CA SHA-256 [0-9A-F:]{95}, CN=.*, expires [0-9-]{10}\r?\nTrust the servers of /,
    );
    const nobody = await stage.lanyard(['kubeconfig', 'import', file]);
    expect([nobody.code, nobody.stderr]).toEqual([10, expect.stringContaining('--yes')]);
    expect((await stage.status()).accounts).toEqual([]);
  });

  test('--yes without a terminal is pending until the user approves it (rule: confirmed-binding)', async () => {
    const file = await openStage();
    const done = await stage.lanyard(['kubeconfig', 'import', '--yes', file]);
    expect([done.code, done.stderr]).toEqual([exitCodes.pending, expect.stringContaining('lanyard confirm')]);
    expect((await stage.status()).held).not.toEqual([]);
    const managed = stage.home.file('kubeconfig');
    expect(await usersOf(newest, managed, 'bot')).toContain('lanyard confirm');
    expect((await agree(stage.onTerminal(['confirm']))).code).toBe(0);
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
  });
});

describe('a kubeconfig from standard input', () => {
  test('is imported without a file: its secrets go into the vault, and nothing of it is written or remembered', async () => {
    const file = await openStage();
    const caLine = `certificate-authority-data: ${base64(stage.api.caPem)}`;
    const text = readFileSync(file, 'utf8').replace('certificate-authority: user-ca.pem', caLine);
    const input = { input: text };
    const shown = await stage.lanyard(['kubeconfig', 'import', '-', '--dry-run'], input);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain('standard input: ');
    expect(shown.stdout).toContain(
      'The given text has 5 secrets. If it came from a file, that file still has them.',
    );
    expect(shown.stdout).not.toContain('No plain-text secrets found');
    const done = await stage.lanyard(['kubeconfig', 'import', '-', '--yes'], input);
    expect([done.code, done.stderr]).toEqual([
      exitCodes.pending,
      expect.stringMatching(/No file was changed\. The given text has \d+ secrets\./),
    ]);
    expect((await agree(stage.onTerminal(['confirm']))).code).toBe(0);
    expect(await usersOf(newest, stage.home.file('kubeconfig'), 'bot')).toBe('bot');
    for (const name of ['kubeconfig', 'config'] as const) {
      for (const secret of secretsIn()) {
        expect(readFileSync(stage.home.file(name), 'utf8')).not.toContain(secret);
      }
    }
    expect(readFileSync(stage.home.file('kubeconfigs'), 'utf8')).not.toContain('standard input');
  });

  test('reads no file that it names by a relative path, and is no file to edit', async () => {
    const file = await openStage();
    const input = { input: readFileSync(file, 'utf8') };
    const shown = await stage.lanyard(['kubeconfig', 'import', '-', '--dry-run'], input);
    expect(shown.stdout).toContain(
      'user-ca.pem is relative, and the kubeconfig was given without its folder',
    );
    const inPlace = await stage.lanyard(['kubeconfig', 'import', '-', '--in-place', '--yes'], input);
    expect([inPlace.code, inPlace.stderr]).toEqual([
      2,
      expect.stringContaining('standard input (-) is none'),
    ]);
  });
});

describe('a second import of what has changed', () => {
  test('is asked about, and a No leaves it as it is; a Yes replaces it under its name', async () => {
    const file = await openStage();
    const first = await agree(stage.onTerminal(['kubeconfig', 'import', file]));
    expect(first.code, first.shown).toBe(0);
    const managed = stage.home.file('kubeconfig');
    writeFileSync(file, readFileSync(file, 'utf8').replace(stage.botToken, 'another-token'));
    const no = await agree(stage.onTerminal(['kubeconfig', 'import', file]), { Replace: '' });
    expect(no.code, no.shown).toBe(10);
    expect(no.shown).toContain('the account bot gets other secrets than it has');
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
    const yes = await agree(stage.onTerminal(['kubeconfig', 'import', file]));
    expect(yes.code, yes.shown).toBe(0);
    expect(yes.shown).toMatch(/Replace 1 account\?/);
    expect(await usersOf(newest, managed, 'bot')).toMatch(/logged in|Unauthorized/);
    const { accounts, clusters } = parse(readFileSync(stage.home.file('config'), 'utf8'));
    expect([Object.keys(accounts), Object.keys(clusters)]).toEqual([
      ['bot', 'ops', 'corp'],
      ['bot', 'ops', 'bot-two', 'corp'],
    ]);
  });

  test('in place, the managed kubeconfig follows to the new place, too', async () => {
    const file = await openStage();
    const first = await agree(stage.onTerminal(['kubeconfig', 'import', file]));
    expect(first.code, first.shown).toBe(0);
    const moved = stage.api.server.replace('127.0.0.1', 'localhost');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(stage.api.server, moved));
    const second = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place', file]));
    expect(second.code, second.shown).toBe(0);
    expect(second.shown).toContain(`bot was ${stage.api.server}`);
    const managed = stage.home.file('kubeconfig');
    expect(await usersOf(newest, managed, 'bot')).toBe('bot');
    expect(await usersOf(newest, file, 'bot')).toBe('bot');
  });
});

describe('in place, and undone', () => {
  test.each([
    ['the newest kubectl', newest],
    ['the oldest kubectl', oldest],
  ])('comments and order stay, secrets go, %s works; undo is byte for byte', async (_, kubectl) => {
    const file = await openStage();
    chmodSync(file, 0o640);
    const link = `${stage.home.outside}/link`;
    symlinkSync(file, link);
    const before = readFileSync(file);
    const apiVersion = execVersion(kubectl);
    // The import chooses by the kubectl on PATH.
    const done = await agree(
      stage.onTerminal(['kubeconfig', 'import', '--in-place', link], pathWith(kubectl.path)),
    );
    expect(done.code, done.shown).toBe(0);
    const after = readFileSync(file, 'utf8');
    for (const secret of [stage.botToken, base64(stage.opsCertificate.keyPem), 'refresh-of-another']) {
      expect(after).not.toContain(secret);
      expect(done.shown).not.toContain(secret);
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
    const undone = await stage.lanyard(['kubeconfig', 'undo', link]);
    expect(undone.code, undone.stderr).toBe(0);
    expect(readFileSync(file)).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect((await stage.lanyard(['kubeconfig', 'undo'])).code).toBe(14);
  });

  test('the files of KUBECONFIG: each is edited where its own entries are, and each is restored', async () => {
    await openStage();
    const { api, botToken, home } = stage;
    mkdirSync(`${home.outside}/one`);
    mkdirSync(`${home.outside}/two`);
    home.write('two/ca.pem', api.caPem);
    const users = home.write(
      'one/users',
      `# only users\nusers:\n- {name: bot, user: {token: ${botToken}}}\ncurrent-context: second\n`,
    );
    const rest = home.write(
      'two/rest',
      JSON.stringify({
        clusters: ['a', 'b'].map((name) => ({
          name,
          cluster: {
            server: name === 'a' ? api.server : `${api.server}/`,
            'certificate-authority': 'ca.pem',
          },
        })),
        contexts: ['first', 'second'].map((name, index) => ({
          name,
          context: { cluster: index === 0 ? 'a' : 'b', user: 'bot' },
        })),
        users: [{ name: 'bot', user: { token: 'hidden-by-the-first-file' } }],
      }),
    );
    const before = [users, rest].map((file) => readFileSync(file, 'utf8'));
    const list = `${home.outside}/missing:${users}:${rest}`;
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place'], { KUBECONFIG: list }));
    expect(done.code, done.shown).toBe(0);
    expect(done.shown).toMatch(/After the import: 1\b/);
    expect(readFileSync(users, 'utf8')).not.toContain(botToken);
    expect(readFileSync(rest, 'utf8')).toContain('hidden-by-the-first-file');
    for (const context of ['first', 'second']) {
      expect(await usersOf(newest, list, context)).toBe('bot');
    }
    const undone = await stage.lanyard(['kubeconfig', 'undo']);
    expect(undone.code, undone.stderr).toBe(0);
    expect([users, rest].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  });

  test('a file that changed since is shown, and restored only on a yes', async () => {
    const file = await openStage();
    const before = readFileSync(file, 'utf8');
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place', file]));
    expect(done.code, done.shown).toBe(0);
    const mine = `${readFileSync(file, 'utf8')}# and my own line\n`;
    writeFileSync(file, mine);
    const nobody = await stage.lanyard(['kubeconfig', 'undo', file]);
    expect(nobody.code).toBe(10);
    expect(nobody.stderr).toContain('# and my own line');
    expect(nobody.stderr).not.toContain(stage.botToken);
    const no = await agree(stage.onTerminal(['kubeconfig', 'undo', file]), { Restore: 'n' });
    expect(no.code).toBe(10);
    expect(readFileSync(file, 'utf8')).toBe(mine);
    const yes = await agree(stage.onTerminal(['kubeconfig', 'undo', file]));
    expect(yes.code, yes.shown).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('a secret that stays for a context left out is named with it', async () => {
    const file = await openStage();
    const words = ['kubeconfig', 'import', '--dry-run', '--in-place', '--context', 'bot', file];
    const shown = await stage.lanyard(words);
    expect(shown.stdout).toContain('bot: kept in the file: still used by what is not imported (bot-two)');
  });

  test('kubectl writes the complete file again: an undo says what of it matters', async () => {
    const file = await openStage();
    const before = readFileSync(file, 'utf8');
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place', file]));
    expect(done.code, done.shown).toBe(0);
    const moved = await stage.kubectl(newest, file, ['config', 'use-context', 'corp']);
    expect(moved.code, moved.stderr).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('# my clusters');
    expect(await usersOf(newest, file, 'bot-two')).toBe('bot');
    const undone = await agree(stage.onTerminal(['kubeconfig', 'undo', file]));
    expect(undone.code, undone.shown).toBe(0);
    expect(undone.shown).toContain('the current context is ops again, not corp');
    expect(undone.shown).not.toMatch(/the (user|cluster|context) /);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('a secret that stays under an anchor is named', async () => {
    const file = await openStage();
    const text = readFileSync(file, 'utf8')
      .replace('preferences: {}', `preferences: {}\nmine: &bot {token: ${stage.botToken}}`)
      .replace(`    token: ${stage.botToken}   # do not share`, '    <<: *bot');
    writeFileSync(file, text);
    const shown = await stage.lanyard(['kubeconfig', 'import', '--dry-run', '--in-place', file]);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain(`${file} goes on holding a secret of bot`);
    expect(shown.stdout).not.toContain(stage.botToken);
  });

  test('kubectl’s lock is waited for, and then named', async () => {
    const file = await openStage();
    const before = readFileSync(file, 'utf8');
    writeFileSync(`${file}.lock`, '');
    const done = await agree(stage.onTerminal(['kubeconfig', 'import', '--in-place', file]));
    expect(done.code).toBe(10);
    expect(done.shown).toContain(`${file}.lock`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

/** PATH with this kubectl first. */
function pathWith(kubectl: string): Record<string, string> {
  const folder = `${stage.home.outside}/path`;
  mkdirSync(folder, { recursive: true });
  symlinkSync(kubectl, `${folder}/kubectl`);
  return { PATH: `${folder}:${process.env['PATH']}` };
}
