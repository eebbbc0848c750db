import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import commands from '../../main/contract/commands.json' with { type: 'json' };
import { type Dialog, talk } from '../support/dialog.ts';
import type { Ended } from '../support/processes.ts';
import { codeLine, credentialIn, Stage, stagePassphrase, until } from '../support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.setSecrets();
});
afterAll(() => stage?.dispose());

const lanyard = (args: readonly string[], input?: string) =>
  stage.lanyard(args, input === undefined ? {} : { input });

/** Somebody at a terminal. */
const person = (args: readonly string[], ...dialog: Dialog) => talk(stage.onTerminal(args), ...dialog);

const config = () => parse(readFileSync(stage.home.file('config'), 'utf8'));
const ask = (account: string, cluster?: string) =>
  stage.ask(account, stage.execInfo(), { args: cluster === undefined ? [] : ['--cluster', cluster] });

function expectGood(done: Ended, stderr: string | RegExp = ''): void {
  expect([done.code, done.stderr]).toEqual([
    0,
    typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
  ]);
}

/** Edits config.yaml as an editor does, and waits until the broker has looked. */
async function editByHand(change: (text: string) => string): Promise<void> {
  const file = stage.home.file('config');
  const before = stage.agentLogs().length;
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  await until(() => (/config\.(inForce|keptOld)/.test(stage.agentLogs().slice(before)) ? true : null), 'it');
}

test('help: each command has a page that says how it is used, and exit codes have one', async () => {
  for (const { name, usage, kinds = [] } of commands.commands) {
    const pages =
      kinds.length === 0
        ? [[name, usage] as const]
        : usage.split('\n').map((line, at) => [`${name} ${kinds[at]?.[0]}`, line.trim()] as const);
    for (const [words, line] of pages) {
      const done = await lanyard([...words.split(' '), '--help']);
      expectGood(done);
      expect(done.stdout.replace(/\s+/g, ' ')).toContain(line.replace(/\s+/g, ' '));
    }
  }
  const codes = await lanyard(['help', 'exit-codes']);
  expectGood(codes);
  for (const [code, meaning] of commands.exitCodes) {
    expect(codes.stdout).toContain(`  ${String(code).padEnd(4)}${meaning}`);
  }
});

describe('wrong usage is rejected with exit code 2, says how, and changes nothing', () => {
  const oidc = ['--oidc-issuer', 'https://id.example.com'];
  test.each<[string, string]>([
    ['login', 'login: missing argument: ACCOUNT'],
    ['login corp more', 'login: unexpected argument "more"'],
    ['login corp --frob', "login: unknown option '--frob'"],
    ['status --format x --all', 'status: --format goes alone'],
    ['account add x', 'account add: specify an account type'],
    ['account add x --static-token --client-certificate', 'account add: specify an account type'],
    [`account add x ${oidc.join(' ')}`, 'account add: an OpenID account needs --client-id'],
    ['account add x --oidc-issuer http://id.example.com --client-id k', 'nothing was changed'],
    [`account add x ${oidc.join(' ')} --client-id k --token refresh`, 'nothing was changed'],
    ['account add -x --static-token', 'account add'],
    ['account add a=b --static-token', 'nothing was changed'],
    ['account add bot --static-token', 'account bot already exists'],
    ['account remove corp', 'corp serves these clusters: prod'],
    ['cluster add x', 'cluster add: it needs --server and --account'],
    ['cluster add x --server https://a.example', 'cluster add: it needs --server and --account'],
    ['cluster add prod --server https://a.example --account bot', 'there is a cluster named prod already'],
    ['cluster add x --server ftp://a.example --account bot', 'nothing was changed'],
    ['cluster add x --server https://a:b@a.example --account bot', 'nothing was changed'],
    ['cluster add x --server https://a.example --account crop', 'nothing was changed'],
    [
      'cluster add x --server https://a.example --account bot --certificate-authority gone.pem',
      'nothing was changed',
    ],
    ['cluster add x --server https://a.example --account bot --proxy-header X', '--proxy-header takes'],
    ['secret set bot/key', 'secret set: bot has no key; it has token'],
    ['secret set bot', 'what was given is empty'],
    ['confirm --all', '--all'],
    ['kubeconfig write --api-version v2', 'kubeconfig write: --api-version is v1 or v1beta1'],
    ['unlock --passphrase-file /nowhere', "the passphrase file /nowhere can't be read"],
    ['agent --frob', "agent: unknown option '--frob'"],
    ['kube-credential', 'kube-credential needs --account'],
    ['kube-credential --account bot --shell x', 'kube-credential: unknown option'],
  ])('lanyard %s', async (line, said) => {
    const before = readFileSync(stage.home.file('config'), 'utf8');
    const done = await lanyard(line.split(' '));
    expect([done.code, done.stdout]).toEqual([2, '']);
    expect(done.stderr).toContain(said);
    expect(done.stderr).toMatch(/^lanyard: /);
    expect(readFileSync(stage.home.file('config'), 'utf8')).toBe(before);
  });
});

describe('an unknown name is rejected with exit code 14, and the nearest is named', () => {
  test.each([
    ['login crop', 'did you mean corp?'],
    ['cluster remove prdo', 'did you mean prod?'],
    ['secret set bto/token', 'did you mean bot?'],
    ['kube-credential --account corp --cluster prdo', 'did you mean prod?'],
    ['login quite-another', 'lanyard account list shows what there is'],
  ])('lanyard %s', async (line, hint) => {
    const done = await lanyard(line.split(' '), 'a secret');
    expect([done.code, done.stdout]).toEqual([14, '']);
    expect(done.stderr).toMatch(/^lanyard: there is no (account|cluster) named /);
    expect(done.stderr).toContain(`hint: ${hint}`);
  });
});

test('version: as text and as JSON, without a broker', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect((await lanyard(['version'])).stdout).toBe(`lanyard ${version} (protocol 1)\n`);
  const json = await lanyard(['version', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({ version, protocol: { min: 1, max: 1 } });
});

test('login and logout: without a terminal the code goes to stderr; the session is forgotten again', async () => {
  expect((await ask('corp')).code).toBe(15);
  const { running, code } = await stage.beginLogin('corp');
  await stage.provider.person.approveDevice(code);
  const done = await running.ended;
  expect([done.code, done.stdout]).toEqual([0, '']);
  expect(done.stderr).toContain('Logged in to corp as alice@example.com.\n');
  expect((await ask('corp')).code).toBe(0);
  expectGood(await lanyard(['logout', 'corp']), 'Logged out of corp. The provider has revoked its tokens.\n');
  expect(await ask('corp')).toMatchObject({ code: 15, stdout: '' });
  expectGood(await lanyard(['logout', 'corp']), 'corp was not logged in.\n');
});

test('login --device by a cluster’s name: on a terminal the account is named, and the code is shown', async () => {
  const terminal = stage.onTerminal(['login', 'prod', '--device']);
  const shown = await terminal.waitForText(/enter the code \S+\s/);
  await stage.provider.person.approveDevice(codeLine.exec(shown)?.[1] ?? '');
  expect(await terminal.ended).toMatchObject({ code: 0 });
  expect(terminal.shown()).toContain('prod is a cluster of the account corp.');
  expect(terminal.shown()).toContain('Logged in to corp as alice@example.com.');
});

test('login: what has nothing to log in to says what to do', async () => {
  const done = await lanyard(['login', 'bot']);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toBe(
    'lanyard: bot has nothing to log in to\nhint: to give it another credential: lanyard secret set bot/token\n',
  );
});

test('status, account list and cluster list: as text and as JSON, without a secret', async () => {
  const status = await lanyard(['status', '--all']);
  expectGood(status);
  expect(status.stdout).toMatch(/^vault +open \(passphrase\), generation \d+$/m);
  expect(status.stdout).toMatch(/^corp +OIDC login +ready +\S+ +in \d+ min$/m);
  expect(status.stdout).toMatch(/^bot +token +ready +never expires$/m);
  expect(status.stdout).toMatch(/^prod +https:\S+ +corp +ready, no kubectl context$/m);
  const json = await stage.status();
  expect(json).toMatchObject({
    broker: { home: stage.home.path, pid: stage.agent.pid },
    vault: { kind: 'open', slots: ['passphrase'] },
    config: { file: stage.home.file('config'), problems: [] },
    held: [],
  });
  const accounts = await lanyard(['account', 'list', '--json']);
  expect(JSON.parse(accounts.stdout).map((each: { name: string }) => each.name)).toEqual([
    'corp',
    'ops',
    'bot',
  ]);
  expect((await lanyard(['account', 'list'])).stdout).toMatch(/^ACCOUNT +KIND +STATE +AS +EXPIRES\ncorp /);
  const clusters = await lanyard(['cluster', 'list', '--json']);
  expect(JSON.parse(clusters.stdout)).toEqual(json.clusters);
  expect((await lanyard(['cluster', 'list'])).stdout).toMatch(/^CLUSTER +SERVER +ACCOUNT +STATE\nprod /);
  expect(status.stdout + JSON.stringify(json) + accounts.stdout).not.toContain(stage.botToken);
});

describe('without a terminal', () => {
  test('what is added is pending until the user approves it (rule: confirmed-binding)', async () => {
    const ca = `${stage.home.outside}/cluster-ca.pem`;
    const pending = (what: string) => ({
      code: 20,
      stdout: '',
      stderr: expect.stringMatching(
        `^Saved the ${what} far, pending approval: .*\nhint: .*lanyard confirm\n$`,
      ),
    });
    expect(await lanyard(['account', 'add', 'far', '--static-token'])).toMatchObject(pending('account'));
    expectGood(await lanyard(['secret', 'set', 'far'], 'far-token\n'), 'Kept token of far.\n');
    const cluster = ['cluster', 'add', 'far', '--server', stage.api.server, '--account', 'far'];
    expect(await lanyard([...cluster, '--certificate-authority', ca])).toMatchObject(pending('cluster'));
    const refused = await ask('far');
    expect(refused).toMatchObject({ code: 13, stdout: '' });
    expect(refused.stderr).toContain('in config.yaml is pending approval');
    expect(refused.stderr).toContain('hint: review and approve it: lanyard confirm far');
    const status = await lanyard(['status']);
    expect(status.stdout).toContain('  pending approval: account far');
    const written = await lanyard(['kubeconfig', 'write']);
    expect(written.stderr).toContain('1 cluster of config.yaml is pending approval and was left out');
    expect(readFileSync(written.stdout.trim(), 'utf8')).not.toContain('far');
  });

  test('“y” at a terminal takes it', async () => {
    const { code, shown } = await person(['confirm'], ['Approve these changes? [y/N]', 'y']);
    expect([code, shown]).toEqual([0, expect.stringContaining('Approved 2 changes.')]);
    expect(credentialIn(await ask('far')).token).toBe('far-token');
    expectGood(await lanyard(['confirm']), 'Nothing is pending approval.\n');
  });

  test('removing asks for --yes where secrets would go, and takes all with it', async () => {
    expectGood(await lanyard(['cluster', 'remove', 'far']), 'Removed the cluster far.\n');
    const kept = await lanyard(['account', 'remove', 'far']);
    expect(kept).toMatchObject({ code: 10, stdout: '' });
    expect(kept.stderr).toContain('hint: without a terminal, say --yes');
    expectGood(await lanyard(['account', 'remove', 'far', '--yes']), 'Removed the account far.\n');
    expect((await ask('far')).code).toBe(14);
    expect(config().accounts).not.toHaveProperty('far');
    await person(['account', 'add', 'far', '--static-token']);
    expect((await stage.status()).accounts.at(-1)).toMatchObject({ name: 'far', state: 'secretMissing' });
  });
});

describe('at a terminal', () => {
  test('what is added is active immediately', async () => {
    const { code, shown } = await person(['account', 'add', 'near', '--static-token']);
    expect([code, shown]).toEqual([0, expect.not.stringContaining('held')]);
    const add = ['cluster', 'add', 'near', '--server', stage.api.server, '--account', 'near'];
    const ca = ['--certificate-authority', `${stage.home.outside}/cluster-ca.pem`];
    expect(await person([...add, ...ca])).toMatchObject({ code: 0 });
    expectGood(await lanyard(['secret', 'set', 'near/token'], 'near-token'), 'Kept token of near.\n');
    expect(credentialIn(await ask('near')).token).toBe('near-token');
  });

  test('an account of each kind can be added and removed', async () => {
    const kinds = {
      oidc: ['--oidc-issuer', 'https://id.example.com', '--client-id', 'k', '--scope', 'openid'],
      staticToken: ['--static-token', '--file', '/run/token'],
      clientCertificate: ['--client-certificate', '--certificate-file', '/a.crt', '--key-file', '/a.key'],
    };
    for (const [kind, options] of Object.entries(kinds)) {
      expect(await person(['account', 'add', kind, ...options])).toMatchObject({ code: 0 });
      expect(config().accounts[kind]).toHaveProperty(kind);
    }
    expect((await stage.status()).held).toEqual([]);
    for (const kind of Object.keys(kinds)) {
      expect(await person(['account', 'remove', kind])).toMatchObject({ code: 0 });
    }
    expect(Object.keys(config().accounts)).not.toContain('oidc');
  });

  test('a typed secret is not shown, and takes effect', async () => {
    const { code, shown } = await person(['secret', 'set', 'near'], ['(not shown): ', 'typed-token']);
    expect(code).toBe(0);
    expect(shown).toContain('Kept token of near.');
    expect(shown).not.toContain('typed-token');
    expect(credentialIn(await ask('near')).token).toBe('typed-token');
  });

  test('Ctrl-C at a question leaves everything as it was', async () => {
    const terminal = stage.onTerminal(['secret', 'set', 'near']);
    await terminal.waitForText('(not shown): ');
    terminal.send('half\x03');
    expect((await terminal.ended).code).not.toBe(0);
    expect(terminal.shown()).not.toContain('half');
    expect(credentialIn(await ask('near')).token).toBe('typed-token');
  });

  test('removing asks, No being the default', async () => {
    await person(['cluster', 'remove', 'near']);
    const question = 'Remove near, its session and its secrets? [y/N]';
    expect(await person(['account', 'remove', 'near'], [question, ''])).toMatchObject({ code: 10 });
    expect(config().accounts).toHaveProperty('near');
    expect(await person(['account', 'remove', 'near'], [question, 'y'])).toMatchObject({ code: 0 });
    expect(config().accounts).not.toHaveProperty('near');
  });
});

test('cluster add: prints an audience, an approval and a text, and neither where it can’t be', async () => {
  const add = ['cluster', 'add', 'far-prod', '--server', 'https://a.example'];
  const good = [
    ...add,
    '--account',
    'corp',
    '--audience',
    'prod',
    '--approval',
    '15m',
    '--exec-credential',
    'refuse',
  ];
  expect(await person(good)).toMatchObject({ code: 0 });
  expect(config().clusters['far-prod']).toEqual({
    server: 'https://a.example',
    account: 'corp',
    audience: 'prod',
    approval: '15m',
    execCredential: 'refuse',
  });
  expectGood(await lanyard(['cluster', 'remove', 'far-prod']), 'Removed the cluster far-prod.\n');
  for (const [more, text] of [
    [['--account', 'corp', '--approval', 'sometimes'], 'expected never, always, perTerminal, or a time'],
    [['--account', 'corp', '--exec-credential', 'yes'], 'execCredential'],
    [['--account', 'bot', '--audience', 'prod'], 'bot is none'],
  ] as const) {
    const { code, shown } = await person([...add, ...more]);
    expect([code, shown]).toEqual([2, expect.stringContaining(text)]);
  }
  expect(config().clusters).not.toHaveProperty('far-prod');
});

test('cluster add: puts a cluster behind the request proxy, and cluster show says what it does', async () => {
  const add = ['cluster', 'add', 'far-prod', '--server', 'https://a.example', '--account', 'corp'];
  const steps = ['--proxy-header', 'X-Team: blue', '--proxy-header', 'CF-Access-Client-Secret=@bot'];
  expect(await person([...add, ...steps, '--proxy-impersonate', 'ann'])).toMatchObject({ code: 0 });
  expect(config().clusters['far-prod'].proxy).toEqual({
    chain: [
      { set: 'X-Team', value: 'blue' },
      { set: 'CF-Access-Client-Secret', account: 'bot' },
      { impersonate: { user: 'ann' } },
    ],
  });
  const shown = await lanyard(['cluster', 'show', 'far-prod']);
  expectGood(shown);
  expect(shown.stdout).toContain(`Request proxy:    each request:
  1. Set X-Team: blue
  2. Set CF-Access-Client-Secret: the credential of bot
  3. Impersonate ann
`);
  const read = await lanyard(['cluster', 'show', 'far-prod', '--json']);
  expect(JSON.parse(read.stdout)).toMatchObject({
    name: 'far-prod',
    server: 'https://a.example',
    proxy: { chain: [{ set: 'X-Team' }, { account: 'bot' }, { impersonate: { user: 'ann', groups: [] } }] },
  });
  expectGood(await lanyard(['cluster', 'remove', 'far-prod']), 'Removed the cluster far-prod.\n');
  expect((await lanyard(['cluster', 'show', 'far-prod'])).stderr).toContain('there is no cluster named');
  const refused = await lanyard([...add, '--proxy-header', 'Authorization: Bearer hunter2']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/a secret by its name.*\nhint: make an account that has it: lanyard account add/),
  ]);
  expect(refused.stderr).not.toContain('hunter2');
  expect(config().clusters).not.toHaveProperty('far-prod');
});

describe('config.yaml edited by hand while the broker runs', () => {
  const original = () => readFileSync(stage.home.file('config'), 'utf8');

  test('a changed server is pending, the approved one goes on serving, and the difference is shown', async () => {
    const before = original();
    const { host } = new URL(stage.api.server);
    await editByHand((text) =>
      text.replace(/("prod-bot": \{\s*"server": ")[^"]+/, '$1https://evil.example.com'),
    );
    expect((await stage.status()).held).toHaveLength(1);
    expect((await ask('bot', 'prod-bot')).code).toBe(0);
    expect((await ask('ops')).code).toBe(0);
    const { shown } = await person(['confirm'], ['[y/N]', 'n']);
    expect(shown).toContain('cluster prod-bot (changed)');
    expect(shown).toContain('! Sends credentials to another server');
    expect(shown).toMatch(
      new RegExp(`- server: https://${host}\\r\\n +\\+ server: https://evil.example.com`),
    );
    await editByHand(() => before);
    expect((await ask('bot', 'prod-bot')).code).toBe(0);
  });

  test('an account with a pending client is logged out and in as it was approved', async () => {
    const before = original();
    await editByHand((text) => text.replace(/("clientId": ")[^"]+/, '$1another'));
    // To the client that it was given to, and to no other.
    expectGood(
      await lanyard(['logout', 'corp']),
      'Logged out of corp. The provider has revoked its tokens.\n',
    );
    expect((await ask('corp')).code).toBe(15);
    await stage.logIn();
    expect((await ask('corp')).code).toBe(0);
    await editByHand(() => before);
    expect((await ask('corp')).code).toBe(0);
  });

  test('broken YAML keeps the old one active, and status says file, line and column', async () => {
    const before = original();
    await editByHand((text) => `${text}\n  : [`);
    expect((await ask('bot')).code).toBe(0);
    const status = await lanyard(['status']);
    expectGood(status);
    expect(status.stdout).toContain('the last valid version stays active');
    const place = `${stage.home.file('config').replaceAll('.', '\\.')}:\\d+:\\d+: error: \\S`;
    expect(status.stdout).toMatch(new RegExp(place));
    const { problems } = (await stage.status()).config;
    expect(problems[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    const edit = await lanyard(['account', 'add', 'meanwhile', '--static-token']);
    expect(edit.code).toBe(2);
    await editByHand(() => before);
    // What the broker said may be of its second look at the file before.
    await expect.poll(async () => (await stage.status()).config.problems).toEqual([]);
  });
});

describe('lock and unlock', () => {
  test('locked: nothing is issued, and status says so', async () => {
    expectGood(await lanyard(['lock']), 'Locked. Nothing is issued until you run: lanyard unlock\n');
    for (const done of [
      await ask('bot'),
      await ask('corp'),
      await lanyard(['login', 'corp']),
      await lanyard(['logout', 'corp']),
      await lanyard(['secret', 'set', 'bot'], 'x'),
      await lanyard(['kubeconfig', 'write']),
      await lanyard(['account', 'remove', 'far', '--yes']),
      await lanyard(['confirm']),
    ]) {
      expect([done.code, done.stdout]).toEqual([11, '']);
      expect(done.stderr).toContain('hint: run: lanyard unlock');
    }
    const status = await lanyard(['status']);
    expectGood(status);
    expect(status.stdout).toMatch(/^vault +locked: /m);
    expect(status.stdout).toMatch(/^ {2}locked: nothing is issued\n {4}lanyard unlock$/m);
    expect((await lanyard(['status', 'bot'])).stdout).toMatch(/^bot +token +locked/m);
    expect(await stage.status()).toMatchObject({ vault: { kind: 'locked', how: 'passphrase' } });
    expectGood(await lanyard(['account', 'list']));
    expectGood(await lanyard(['lock']), /^Locked/);
  });

  test('what needs the vault is not half done: nothing is written at a terminal, nor removed', async () => {
    const before = readFileSync(stage.home.file('config'), 'utf8');
    const add = ['cluster', 'add', 'x', '--server', 'https://a.example', '--account', 'bot'];
    expect(await person(add)).toMatchObject({ code: 11 });
    expect(await lanyard(['cluster', 'remove', 'prod-ops'])).toMatchObject({ code: 11, stdout: '' });
    expect(readFileSync(stage.home.file('config'), 'utf8')).toBe(before);
  });

  test('no terminal: stays locked', async () => {
    const done = await lanyard(['unlock']);
    expect(done).toMatchObject({ code: 11, stdout: '' });
    expect(done.stderr).toContain('hint: run it at a terminal, or give --passphrase-file FILE');
  });

  test('a wrong passphrase, from a file and typed: stays locked', async () => {
    const file = stage.home.write('wrong', 'not it\n');
    expect(await lanyard(['unlock', '--passphrase-file', file])).toMatchObject({
      code: 11,
      stderr: 'lanyard: the passphrase is wrong\nhint: run again: lanyard unlock\n',
    });
    const { code, shown } = await person(['unlock'], ['Passphrase (not shown): ', 'not-it-either']);
    expect(code).toBe(11);
    expect(shown).not.toContain('not-it-either');
    expect((await ask('bot')).code).toBe(11);
  });

  test('the right one from a file, its path relative to the caller', async () => {
    stage.home.write('right', `${stagePassphrase}\n`);
    const done = await stage.lanyard(['unlock', '--passphrase-file', 'right'], { cwd: stage.home.outside });
    expectGood(done, 'Unlocked.\n');
    expect(credentialIn(await ask('bot')).token).toBe(stage.botToken);
    expectGood(await lanyard(['unlock']), 'Unlocked.\n');
  });

  test('the right one typed, not shown', async () => {
    await lanyard(['lock']);
    const { code, shown } = await person(['unlock'], ['Passphrase (not shown): ', stagePassphrase]);
    expect([code, shown]).toEqual([0, expect.stringContaining('Unlocked.')]);
    expect(shown).not.toContain(stagePassphrase);
    expect((await ask('corp')).code).toBe(0);
  });
});

test('vault restore: only a broken vault, by its passphrase; its content is restored, logins are needed again', async () => {
  const right = stage.home.write('right', `${stagePassphrase}\n`);
  expect(await lanyard(['vault', 'restore', '--passphrase-file', right])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the vault is not broken'),
  });
  // So that the generation before holds the login, too.
  await lanyard(['secret', 'set', 'bot'], stage.botToken);
  expect(await stage.agent.stop()).toMatchObject({ code: 0 });
  const broken = readFileSync(stage.home.file('vault')).subarray(0, 100);
  writeFileSync(stage.home.file('vault'), broken);
  await stage.startAgent();
  expect(await ask('bot')).toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(/^lanyard: .*\nhint: /),
  });
  expect((await stage.status()).vault.kind).toBe('broken');
  expect(readFileSync(stage.home.file('vault'))).toEqual(broken);
  const wrong = stage.home.write('wrong', 'not it\n');
  expect(await lanyard(['vault', 'restore', '--passphrase-file', wrong])).toMatchObject({
    code: 11,
    stdout: '',
  });
  const done = await lanyard(['vault', 'restore', '--passphrase-file', right]);
  expectGood(done, /^Restored the previous generation/);
  expect(credentialIn(await ask('bot')).token).toBe(stage.botToken);
  const { held, accounts } = await stage.status();
  expect(held).toEqual([]);
  expect(accounts[0].problem).toContain('comes from an older copy of the vault');
});

test('agent: a second one for the same home is rejected, and the first keeps running (rule: one-broker)', async () => {
  const done = await lanyard(['agent', '--passphrase-file', stage.home.write('pp', `${stagePassphrase}\n`)]);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toContain(`lanyard: an agent already runs for ${stage.home.path}`);
  expect((await ask('bot')).code).toBe(0);
});

test('agent: ends cleanly on Ctrl-C, too, and its socket is gone', async () => {
  expect(await stage.agent.kill('SIGINT')).toMatchObject({ code: 0 });
  expect(await lanyard(['status'])).toMatchObject({ code: 17, stdout: '' });
});
