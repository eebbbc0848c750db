import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Canary, filesBelow, findCanaries } from '../support/canary.ts';
import { builtHelper } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { run } from '../support/processes.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';

const question = 'Print it? [y/N] ';

let stage: Stage;
let plugin: TestPlugin;
const terminals: OnTerminal[] = [];
/** What the programs said on stderr, and on stdout where they refused. */
const said: { where: string; bytes: Buffer }[] = [];

beforeAll(async () => {
  stage = await Stage.open({
    extend: ({ accounts, clusters }, { home }) => {
      plugin = makePlugin({ parent: home.outside });
      accounts['plugin'] = plugin.account({ environment: ['TEST_PROFILE'] });
      clusters['plugin'] = { ...clusters['prod'], account: 'plugin', execCredential: 'allow' };
      const bot = clusters['prod-bot'];
      clusters['open'] = { ...bot, execCredential: 'allow' };
      clusters['never'] = { ...bot, execCredential: 'refuse' };
      clusters['asking'] = { ...bot, execCredential: 'allow', approval: 'always' };
      clusters['corp-open'] = { ...clusters['prod'], execCredential: 'allow' };
      clusters['ops-open'] = { ...clusters['prod-ops'], execCredential: 'allow' };
    },
  });
  await stage.setSecrets();
});
afterEach(() => Promise.all(terminals.splice(0).map((each) => each.dispose())));
afterAll(async () => {
  await stage?.dispose();
  plugin?.dispose();
});

const words = (account: string, cluster: string, output?: string) => [
  'exec-credential',
  '--account',
  account,
  '--cluster',
  cluster,
  ...(output === undefined ? [] : ['--output', output]),
];

async function print(account: string, cluster: string, output?: string, env: Record<string, string> = {}) {
  const done = await stage.lanyard(words(account, cluster, output), { env });
  const where = `${account} ${cluster} ${output}`;
  said.push({ where, bytes: Buffer.from(done.stderr + (done.code === 0 ? '' : done.stdout)) });
  return done;
}

/** A person's terminal in which a shell runs `line`; `$L` is the helper. */
function terminal(line: string): OnTerminal {
  const opened = startOnTerminal('sh', ['-c', line], {
    env: { ...stage.home.env, TERM: 'xterm', L: builtHelper },
  });
  terminals.push(opened);
  return opened;
}

const shellWords = (...given: Parameters<typeof words>) => `"$L" ${words(...given).join(' ')}`;

async function answered(line: string, answer: string): Promise<{ code: number | null; shown: string }> {
  const opened = terminal(line);
  await opened.waitForText(question);
  opened.send(`${answer}\r`);
  const { code } = await opened.ended;
  return { code, shown: opened.shown() };
}

async function audit() {
  const { stdout } = await stage.lanyard(['audit', '--json']);
  return jsonLines(stdout);
}

describe('what is printed', () => {
  test('json: an ExecCredential of v1, nothing else on stdout', async () => {
    const done = await print('bot', 'open');
    expect(JSON.parse(done.stdout)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: stage.botToken },
    });
    expect(done.stderr).toBe('');
  });

  test('the header goes into curl’s standard input, and the API server knows who it is', async (context) => {
    if ((await run('sh', ['-c', 'command -v curl'])).code !== 0) {
      context.skip('there is no curl here');
    }
    const ca = stage.home.write('ca.pem', stage.api.caPem);
    const line = `${shellWords('bot', 'open', 'header')} | curl -sS -H @- --cacert "$CA" "$S/api/v1/namespaces/default/pods"`;
    const env = { ...stage.home.env, L: builtHelper, CA: ca, S: stage.api.server };
    const done = await run('sh', ['-c', line], { env });
    expect(JSON.parse(done.stdout).kind).toBe('PodList');
    expect(stage.api.requests.at(-1)).toMatchObject({ user: 'bot', status: 200 });
  });
});

describe('ask: the user at the terminal', () => {
  test('yes prints it, also where stdout goes to a program', async () => {
    const line = `T=$(${shellWords('bot', 'prod-bot', 'token')}) && printf %s "$T" >"$TMPDIR/printed"`;
    const { code, shown } = await answered(line, 'y');
    expect(code).toBe(0);
    expect(readFileSync(`${stage.home.outside}/printed`, 'utf8')).toBe(stage.botToken);
    expect(shown).toContain('raw credential');
    expect(shown).toMatch(/cluster +"prod-bot"/);
    expect(shown).toMatch(/account +"bot"/);
    expect(shown).toMatch(/run by +sh/);
    expect(shown).not.toContain(stage.botToken);
  });

  test('on the screen: says that it is a secret', async () => {
    const { code, shown } = await answered(shellWords('bot', 'prod-bot', 'token'), 'yes');
    expect(code).toBe(0);
    expect(shown).toContain(`${stage.botToken}\r\n`);
    expect(shown).toContain('note: whoever has this can act as bot');
  });

  test('allow, with the cluster’s approval: one question, its own', async () => {
    const { code, shown } = await answered(`${shellWords('bot', 'asking')} >/dev/null`, 'y');
    expect([code, shown.split(question).length - 1]).toEqual([0, 1]);
    const refused = await print('bot', 'asking');
    expect([refused.code, refused.stdout]).toEqual([13, '']);
  });

  test('a login begins there, and the token comes when it is done', async () => {
    const opened = terminal(`${shellWords('corp', 'corp-open', 'token')} >"$TMPDIR/token"`);
    const shown = await opened.waitForText(/enter the code \S+\r?\n/);
    const code = /enter the code (\S+)/.exec(shown)?.[1] ?? '';
    await stage.provider.person.approveDevice(code, { login: 'alice' });
    expect((await opened.ended).code).toBe(0);
    const token = readFileSync(`${stage.home.outside}/token`, 'utf8').trim();
    expect(token).toMatch(/^ey/);
    expect((await print('corp', 'corp-open', 'token')).stdout.trim()).toBe(token);
  });
});

describe('a wrapped plugin', () => {
  const token = () => print('plugin', 'plugin', 'token', { TEST_PROFILE: 'one' });

  test('its answer is shared with kubectl’s door, for the same variables (KEP-541/caching)', async () => {
    const { stdout } = await token();
    expect(stdout).toBe(`${plugin.token(1)}\n`);
    const asked = await stage.ask('plugin', stage.execInfo(), { options: { env: { TEST_PROFILE: 'one' } } });
    expect(credentialIn(asked).token).toBe(plugin.token(1));
    expect((await token()).stdout).toBe(stdout);
    expect(plugin.runs()).toHaveLength(1);
    const other = await print('plugin', 'plugin', 'token', { TEST_PROFILE: 'two' });
    expect(other.stdout).toBe(`${plugin.token(2)}\n`);
  });
});

describe('denied', () => {
  test.each([
    ['a cluster that is never printed', 'bot', 'never', 13],
    ['another account’s cluster (rule: known-server)', 'ops', 'open', 13],
    ['an unknown account', 'nobody', 'open', 14],
  ])('%s', async (_, account, cluster, code) => {
    const done = await print(account, cluster);
    expect([done.code, done.stdout]).toEqual([code, '']);
    expect((await audit()).at(-1)).toMatchObject({
      kind: 'call',
      door: 'cli',
      account,
      cluster,
      outcome: 'refused',
    });
  });

  test('with KUBERNETES_EXEC_INFO it isn’t there: no kubeconfig can choose it (rule: no-deputy)', async () => {
    const env = { KUBERNETES_EXEC_INFO: JSON.stringify(stage.execInfo()) };
    const before = (await audit()).length;
    const done = await print('bot', 'open', undefined, env);
    expect([done.code, done.stdout]).toEqual([13, '']);
    expect(await audit()).toHaveLength(before);
  });

  test('allow that was added to config.yaml by hand, until the user approves it (rule: confirmed-binding)', async () => {
    const file = stage.home.file('config');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    const changed = (execCredential: string) => {
      config.clusters['prod-bot'].execCredential = execCredential;
      stage.home.writeConfig(config);
    };
    changed('allow');
    await expect.poll(async () => (await stage.status()).held.length).toBe(1);
    expect((await print('bot', 'prod-bot')).stdout).toBe('');
    const opened = terminal('"$L" confirm');
    await opened.waitForText(/execCredential[\s\S]*Approve this change\? \[y\/N\] /);
    opened.send('y\r');
    mustBeGood(await opened.ended);
    expect((await print('bot', 'prod-bot', 'token')).stdout.trim()).toBe(stage.botToken);
  });

  test('locked', async () => {
    mustBeGood(await stage.lanyard(['lock']));
    const done = await print('bot', 'open');
    expect([done.code, done.stdout]).toEqual([11, '']);
    const unlocked = await stage.lanyard(['unlock', '--passphrase-file', `${stage.home.outside}/passphrase`]);
    mustBeGood(unlocked);
  });
});

describe('afterwards', () => {
  test('each is on record (rule: everything-recorded)', async () => {
    await print('bot', 'open');
    const row = (await audit()).at(-1);
    expect(row).toMatchObject({
      kind: 'call',
      door: 'cli',
      account: 'bot',
      cluster: 'open',
      outcome: 'handedOut',
      reason: 'held',
    });
    expect(row.caller.executable).toContain('node');
  });

  test('the secrets are nowhere else', async () => {
    const canaries: Canary[] = [
      { name: 'static token', value: stage.botToken },
      { name: 'client key', value: stage.opsCertificate.keyPem },
      ...[...stage.provider.issued].map((value, index) => ({ name: `of the provider ${index}`, value })),
    ];
    const logs = { where: 'logs', bytes: Buffer.from(stage.agentLogs()) };
    expect(findCanaries(canaries, [logs, ...said, ...filesBelow(stage.home.path)])).toEqual([]);
  });
});
