import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Canary, filesBelow, findCanaries, formsOf } from '../support/canary.ts';
import { issueClientCertificate } from '../support/certificates.ts';
import { builtHelper, makeHome } from '../support/home.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type Ended, run } from '../support/processes.ts';
import { seedVault } from '../support/seed-vault.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';
import { whyNotLookedInto } from '../support/system.ts';

const random = (name: string) => `${name}-${randomBytes(18).toString('hex')}`;
const passphrase = random('passphrase');
const typed = random('typed');
const wrongPassphrase = random('wrong-passphrase');
const fileToken = random('filetoken');
const badToken = random('bad');

let stage: Stage;
let fileKey = '';
/** What the programs said, and what /proc showed of them. */
const seen: { where: string; bytes: Buffer }[] = [];
/** Files that a person wrote a secret into. */
const persons = ['passphrase', 'wrong', 'token', 'tls.key'];

function note(where: string, text: string | Buffer): void {
  seen.push({ where, bytes: Buffer.from(text) });
}

/** `secret`: its stdout is an answer that holds one, and is for the one who asked. */
function keep<T extends Ended>(where: string, done: T, secret = false): T {
  note(`${where} stderr`, done.stderr);
  if (!secret) {
    note(`${where} stdout`, done.stdout);
  }
  return done;
}

async function lanyard(args: readonly string[], input?: string) {
  const done = await stage.lanyard(args, input === undefined ? {} : { input });
  return keep(`lanyard ${args.join(' ')}`, done);
}

async function ask(account: string, cluster: string, code: number) {
  const done = await stage.ask(account, stage.execInfo(), { args: ['--cluster', cluster] });
  expect([account, done.code, done.stderr]).toEqual([account, code, done.stderr]);
  if (code !== 0) {
    expect(done.stdout).toBe('');
  }
  return keep(`ask ${account}`, done, code === 0);
}

/** Its output is on one screen: an answer, which holds a secret, is not looked through. */
async function askAtTerminal(account: string, code: number) {
  const done = await stage.askAtTerminal(account);
  expect([account, done.code, code === 0 ? '' : done.stderr]).toEqual([
    account,
    code,
    code === 0 ? '' : done.stderr,
  ]);
  if (code !== 0) {
    keep(`ask ${account} at a terminal`, done);
  }
}

/** The token of an account has ended. */
async function tokenEnded(account: string) {
  await until(async () => {
    const { accounts } = await stage.status();
    const found = accounts.find((each: { name: string }) => each.name === account);
    return found.secondsLeft === null || found.secondsLeft === 0 ? true : null;
  }, 'its end');
}

/** What every user of the machine, or the same user, can see of a process. */
function noteProcess(where: string, pid: number) {
  for (const file of whyNotLookedInto === null ? ['cmdline', 'environ'] : ['cmdline']) {
    note(`/proc ${where} ${file}`, readFileSync(`/proc/${pid}/${file}`));
  }
}

function canaries(): Canary[] {
  return [
    { name: 'static token', value: stage.botToken },
    { name: 'static token in a file', value: fileToken },
    { name: 'typed token', value: typed },
    { name: 'a token in the wrong place', value: badToken },
    { name: 'client key', value: stage.opsCertificate.keyPem },
    { name: 'client key in a file', value: fileKey },
    { name: 'passphrase', value: passphrase },
    { name: 'wrong passphrase', value: wrongPassphrase },
    { name: 'client secret', value: stage.provider.confidentialClient.secret },
    ...[...stage.provider.issued].map((value, index) => ({ name: `of the provider ${index}`, value })),
  ];
}

beforeAll(async () => {
  stage = await Stage.open({
    agent: { passphrase },
    provider: { lifetimes: { idTokenSeconds: 600 } },
    extend: async ({ accounts, clusters }, here) => {
      const certificate = await issueClientCertificate(here.clientCa, { commonName: 'files' });
      fileKey = certificate.keyPem;
      accounts['conf'] = here.oidcAccount(here.provider, { clientId: here.provider.confidentialClient.id });
      accounts['filetoken'] = { staticToken: { file: here.home.write('token', fileToken) } };
      accounts['filepair'] = {
        clientCertificate: {
          certificateFile: here.home.write('tls.crt', certificate.chainPem),
          keyFile: here.home.write('tls.key', certificate.keyPem),
        },
      };
      for (const name of ['conf', 'filetoken', 'filepair']) {
        clusters[name] = { ...clusters['prod'], account: name };
      }
    },
  });
  await everything();
});
afterAll(() => stage?.dispose());

/** The main job and its failures, once through. */
async function everything() {
  const { provider } = stage;
  noteProcess('agent', stage.agent.pid);
  await secrets();
  await lanyard(['secret', 'set', 'conf'], provider.confidentialClient.secret);

  for (const account of ['corp', 'conf']) {
    const { running, code } = await stage.beginLogin(account);
    noteProcess('login', running.pid);
    await provider.person.approveDevice(code);
    expect(keep('login', await running.ended).code).toBe(0);
  }
  for (const [account, cluster] of [
    ['corp', 'prod'],
    ['conf', 'conf'],
    ['bot', 'prod-bot'],
    ['ops', 'prod-ops'],
    ['filetoken', 'filetoken'],
    ['filepair', 'filepair'],
  ] as const) {
    await ask(account, cluster, 0);
  }
  const kubeconfig = (await lanyard(['kubeconfig', 'write'])).stdout.trim();
  for (const context of ['prod', 'prod-ops', 'prod-bot']) {
    const args = ['--context', context, '-v=6', 'get', 'pods'];
    keep(`kubectl ${context}`, await stage.kubectl(findKubectls().newest, kubeconfig, args));
  }
  await failures(kubeconfig);
  await locked();
  noteProcess('agent', stage.agent.pid);
}

async function secrets() {
  for (const [account, input] of [
    ['ops', stage.opsCertificate.chainPem + stage.opsCertificate.keyPem],
    ['bot', stage.botToken],
  ] as const) {
    // Kept open after the secret was written, to look at the process that has it.
    const running = stage.start(builtHelper, ['secret', 'set', account]);
    running.write(input);
    noteProcess('secret set', running.pid);
    running.closeInput();
    expect(keep('secret set', await running.ended).code).toBe(0);
  }
  const terminal = stage.onTerminal(['secret', 'set', 'conf']);
  await terminal.waitForText('(not shown): ');
  terminal.send(`${typed}\r`);
  await terminal.ended;
  note('terminal', terminal.shown());
  // Each of these is wrong, and none may repeat what it was given.
  await lanyard(['secret', 'set', 'bot', badToken]);
  await lanyard(['secret', 'set', 'bot'], `${badToken}\n${badToken}`);
  await lanyard(['secret', 'set', 'ops'], `${badToken}\n`);
  await lanyard(['secret', 'set', 'ops/key'], `${badToken}\n`);
  await lanyard(['secret', 'set', 'bto'], badToken);
}

async function failures(kubeconfig: string) {
  const { provider, api } = stage;
  api.rejectAll(true);
  keep('401', await stage.kubectl(findKubectls().newest, kubeconfig, ['--context', 'prod', 'get', 'pods']));
  api.rejectAll(false);
  const elsewhere = stage.execInfo({ cluster: { server: 'https://evil.example.com' } });
  keep('elsewhere', await stage.ask('bot', elsewhere));
  provider.lifetimes.idTokenSeconds = 1;
  const refreshTokens: Record<string, string | undefined> = {};
  for (const account of ['corp', 'conf']) {
    await lanyard(['logout', account]);
    await stage.logIn(account);
    refreshTokens[account] = [...provider.issued].at(-1);
    await tokenEnded(account);
  }
  provider.lifetimes.idTokenSeconds = 600;
  const clusterOf = (account: string) => (account === 'corp' ? 'prod' : account);
  for (const account of ['corp', 'conf']) {
    for (const fault of [
      { kind: 'html' },
      { kind: 'status', status: 500 },
      // A provider that repeats what it was told.
      {
        kind: 'oauthError',
        error: 'invalid_request',
        description: `no good: ${refreshTokens[account]} ${account === 'conf' ? provider.confidentialClient.secret : ''}`,
      },
      { kind: 'unknownKey' },
    ] as const) {
      provider.setFault('token', fault);
      await askAtTerminal(account, 16);
    }
    provider.clearFaults();
    // At a terminal a provider that failed just now is tried at once.
    await askAtTerminal(account, 0);
    await ask(account, clusterOf(account), 0);
  }
  // Its answer comes when the helper has gone, and the broker after it.
  provider.lifetimes.idTokenSeconds = 1;
  await lanyard(['logout', 'corp']);
  await stage.logIn('corp');
  await tokenEnded('corp');
  const uses = provider.refreshes.length;
  provider.setFault('token', { kind: 'slow', milliseconds: 60_000, when: 'after' });
  const caller = stage.ask('corp');
  await until(() => provider.refreshes[uses], 'the refresh');
  await stage.agent.kill();
  keep('killed', await caller);
  provider.clearFaults();
  provider.lifetimes.idTokenSeconds = 600;
  await stage.startAgent();
  await ask('corp', 'prod', 15);
  await stage.logIn('corp');
}

async function locked() {
  await lanyard(['lock']);
  await ask('bot', 'prod-bot', 11);
  await lanyard(['unlock', '--passphrase-file', stage.home.write('wrong', wrongPassphrase)]);
  const terminal = stage.onTerminal(['unlock']);
  await terminal.waitForText('(not shown): ');
  terminal.send(`${wrongPassphrase}\r`);
  await terminal.ended;
  note('terminal', terminal.shown());
  const file = join(stage.home.outside, 'passphrase');
  expect((await lanyard(['unlock', '--passphrase-file', file])).code).toBe(0);
  for (const args of [['status'], ['status', '--json'], ['account', 'list', '--json'], ['confirm']]) {
    expect((await lanyard(args)).code).toBe(0);
  }
}

test('the search finds a secret in each form', () => {
  const value = 'a “secret” with 40 characters in it, or so';
  const canary = [{ name: 'it', value }];
  for (const form of [
    value,
    `x${value.slice(-16)}y`,
    JSON.stringify({ value }),
    encodeURIComponent(value),
    Buffer.from(value).toString('hex'),
    ...['', 'x', 'xy'].map((before) => Buffer.from(`${before}${value} and more`).toString('base64')),
    ...['', 'x', 'xy'].map((before) => Buffer.from(`${before}${value} and more`).toString('base64url')),
  ]) {
    expect(findCanaries(canary, [{ where: form, bytes: Buffer.from(`before ${form} after`) }])).toHaveLength(
      1,
    );
  }
  expect(findCanaries(canary, [{ where: '', bytes: Buffer.from('nothing of it') }])).toEqual([]);
  expect(formsOf(stage.opsCertificate.keyPem).length).toBeGreaterThan(10);
});

test('all canaries were there', async () => {
  // Two logins of each account at least, with three tokens and a device code each.
  expect(stage.provider.issued.size).toBeGreaterThan(16);
  expect(
    credentialIn(await stage.ask('bot', stage.execInfo(), { args: ['--cluster', 'prod-bot'] })).token,
  ).toBe(stage.botToken);
  expect(seen.length).toBeGreaterThan(60);
});

test('none is in the broker’s log (rule: no-secret-in-text)', () => {
  expect(stage.agentLogs()).toContain('agent.listening');
  const bytes = Buffer.from(stage.agentLogs());
  expect(findCanaries(canaries(), [{ where: 'log', bytes }])).toEqual([]);
});

test('none is in what the programs said, in their command lines or environments (rule: no-secret-in-text)', () => {
  expect(findCanaries(canaries(), seen)).toEqual([]);
});

test('none is in any file, and the vault’s are encrypted', () => {
  const files = [...filesBelow(stage.home.outside)];
  const names = files.map(({ where }) => basename(where));
  expect(names).toEqual(
    expect.arrayContaining(['config.yaml', 'kubeconfig', 'vault', 'vault.previous', 'lock', 'history.db']),
  );
  const others = files.filter(
    ({ where }) => !persons.some((name) => where === join(stage.home.outside, name)),
  );
  expect(findCanaries(canaries(), others)).toEqual([]);
  // The search would have found them: they are in what the person wrote.
  expect(findCanaries(canaries(), files).length).toBeGreaterThanOrEqual(persons.length);
});

describe('the broker’s process (rule: cleared-environment)', () => {
  test('dumps no core', () => {
    const limits = readFileSync(`/proc/${stage.agent.pid}/limits`, 'utf8');
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
  });

  test('can’t be looked into by another program of the same user', async () => {
    // Root may look into everything by its privileges: where the test is root, all three are without them.
    const plain =
      process.getuid?.() === 0
        ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs']
        : ['env'];
    const as = (...command: string[]): [string, string[]] => ['env', [...plain, ...command]];
    const home = makeHome();
    try {
      const passphraseFile = home.write('passphrase', `${passphrase}\n`);
      await seedVault(home, passphrase);
      const agent = ['agent', '--passphrase-file', passphraseFile];
      const [broker, other] = [
        stage.start(...as(builtHelper, ...agent), { env: home.env }),
        stage.start(...as('sh', '-c', 'echo listening; exec sleep 60')),
      ];
      await Promise.all([broker.waitForLine(/listening/), other.waitForLine(/listening/)]);
      const look = (pid: number, file: string) => run(...as('head', '-c', '1', `/proc/${pid}/${file}`));
      expect(await look(other.pid, 'environ')).toMatchObject({ code: 0, stderr: '' });
      for (const file of ['environ', 'mem', 'maps']) {
        expect((await look(broker.pid, file)).stderr).toContain('ermission denied');
      }
      await broker.dispose();
    } finally {
      home.dispose();
    }
  });

  test('has no inspector, also when it is asked for one', async () => {
    process.kill(stage.agent.pid, 'SIGUSR1');
    expect((await stage.ask('bot', stage.execInfo())).stderr).toBe('');
    expect(stage.agentLogs()).not.toContain('Debugger listening');
  });
});
