import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { talk } from '../support/dialog.ts';
import { builtHelper } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  await stage.setSecrets();
});
afterAll(() => stage?.dispose());

const ask = (cluster = 'prod-bot') => stage.ask('bot', stage.execInfo(), { args: ['--cluster', cluster] });

async function lines(...args: string[]) {
  const done = await stage.lanyard(['audit', '--json', ...args]);
  expect(done.code).toBe(0);
  return jsonLines(done.stdout);
}

describe('lanyard audit', () => {
  test('has who requested, what was issued and what was denied', async () => {
    credentialIn(await ask());
    await stage.ask('bot', stage.execInfo({ cluster: { server: 'https://evil.example.com' } }));
    const [good, refused] = (await lines('--account', 'bot')).filter(({ kind }) => kind === 'call');
    expect(good).toMatchObject({
      door: 'kube',
      cluster: 'prod-bot',
      outcome: 'handedOut',
      caller: { pid: process.pid, executable: process.execPath, origin: 'local' },
    });
    expect(Date.parse(good.at)).toBeGreaterThan(Date.now() - 60_000);
    expect(refused).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^kube\./) });
    const { stdout } = await stage.lanyard(['audit']);
    const [heading, first] = stdout.split('\n');
    expect(heading).toMatch(/^TIME +PROGRAM +SOURCE +FOR +ACCOUNT +DECISION +REASON +MS$/);
    expect(first).toMatch(/^\d\d:\d\d:\d\d {2}\S+\[\d+\] +kubectl +prod-bot +bot +issued +cached +\d/);
  });

  test('says what it left out, and takes no nonsense', async () => {
    await ask();
    const done = await stage.lanyard(['audit', '--limit', '1']);
    expect(done.stdout.trim().split('\n')).toHaveLength(2);
    expect(done.stderr).toContain('the newest 1');
    for (const args of [['--since', 'yesterday'], ['--limit', '0'], ['--limit', '1e9'], ['more']]) {
      expect((await stage.lanyard(['audit', ...args])).code).toBe(2);
    }
    const unknown = await stage.lanyard(['audit', '--cluster', 'prdo']);
    expect([unknown.code, unknown.stderr]).toEqual([14, expect.stringContaining('did you mean prod')]);
  });

  test('goes on with --follow until Ctrl-C', async () => {
    const following = stage.start(builtHelper, ['audit', '--follow', '--json', '--cluster', 'prod-bot']);
    await ask();
    await until(() => (following.stdout().includes('"kind":"call"') ? true : null), 'the first call');
    const before = following.stdout().split('\n').length;
    await Promise.all([ask(), ask(), ask()]);
    await until(() => (following.stdout().split('\n').length >= before + 3 ? true : null), 'three more');
    const ids = following
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    following.kill('SIGINT');
    await following.ended;
    expect(following.stderr()).toBe('');
  });

  test('ends quietly where its reader has seen enough', async () => {
    const shell = spawn('sh', ['-c', `"${builtHelper}" audit --follow --json | head -n 1; echo ended`], {
      env: { ...process.env, ...stage.home.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let complained = '';
    shell.stdout.on('data', (chunk) => (said += chunk));
    shell.stderr.on('data', (chunk) => (complained += chunk));
    const closed = once(shell, 'close');
    await until(async () => {
      await ask();
      return said.includes('ended') ? true : null;
    }, 'the pipe’s end');
    await closed;
    expect(complained).toBe('');
  });

  test('is there while locked, and its file is the owner’s alone', async () => {
    expect(statSync(stage.home.file('history')).mode & 0o777).toBe(0o600);
    await stage.lanyard(['lock']);
    expect((await ask()).code).toBe(11);
    expect((await lines()).at(-1)).toMatchObject({ kind: 'call', outcome: 'refused' });
    expect((await stage.lanyard(['history', 'prod-bot'])).code).toBe(0);
    const passphrase = `${stage.home.outside}/passphrase`;
    expect((await stage.lanyard(['unlock', '--passphrase-file', passphrase])).code).toBe(0);
  });
});

describe('lanyard history', () => {
  test('shows who requested and when the credential expires', async () => {
    await stage.logIn();
    credentialIn(await stage.ask('corp'));
    const { stdout } = await stage.lanyard(['history', 'prod']);
    expect(stdout).toMatch(/^cluster +prod, https:/);
    expect(stdout).toMatch(/credential +expires in \d+ (s|min|h)/);
    expect(stdout).toMatch(/\nPROGRAM +ISSUED +DENIED +LAST +PATH\nnode +1 +0 /);
    const json = JSON.parse((await stage.lanyard(['history', 'prod', '--json'])).stdout);
    expect(json).toMatchObject({ cluster: 'prod', account: 'corp', programs: [{ handedOut: 1 }] });
  });

  test('of a cluster that is gone from the config is still there', async () => {
    await stage.lanyard(['cluster', 'remove', 'prod-bot']);
    const { stdout, code } = await stage.lanyard(['history', 'prod-bot']);
    expect(code).toBe(0);
    expect(stdout).toContain('prod-bot (no longer in config.yaml)');
    expect((await stage.lanyard(['history', 'nowhere'])).code).toBe(14);
  });
});

test('each call that was answered before a kill -9 is on record', async () => {
  let killed = false;
  let answered = 0;
  const before = (await lines('--account', 'ops')).length;
  const callers = Array.from({ length: 4 }, async () => {
    while (!killed) {
      const done = await stage.ask('ops', stage.execInfo(), { args: ['--cluster', 'prod-ops'] });
      answered += done.code === 0 ? 1 : 0;
    }
  });
  await until(() => (answered >= 25 ? true : null), 'some calls');
  killed = true;
  await stage.agent.kill();
  await Promise.all(callers);
  await stage.startAgent();
  const calls = (await lines('--account', 'ops')).filter(({ outcome }) => outcome === 'handedOut');
  expect(calls.length - before).toBeGreaterThanOrEqual(answered);
});

describe('lanyard metrics', () => {
  test('counts what was asked, and serves it at the loopback address of the config', async () => {
    await stage.ask('ops', stage.execInfo(), { args: ['--cluster', 'prod-ops'] });
    const { stdout } = await stage.lanyard(['metrics']);
    expect(stdout).toMatch(
      /^lanyard_calls_total\{door="kube",account="ops",cluster="prod-ops",outcome="handedOut"\} [1-9]/m,
    );
    expect(stdout).toMatch(
      /^lanyard_credential_expiry_seconds\{cluster="prod-ops",account="ops"\} [1-9]\d+/m,
    );
    expect(stdout).toMatch(/^lanyard_locked 0$/m);
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    const config = readFileSync(stage.home.file('config'), 'utf8').trimEnd();
    stage.home.writeConfig(`${config.slice(0, -1)}, "metrics": { "listen": "127.0.0.1:${port}" } }`);
    // A change that came into the file from outside opens nothing before a person has seen it
    // (rule: confirmed-binding).
    await until(async () => ((await stage.status()).held.length > 0 ? true : null), 'that it is held');
    expect((await stage.status()).metrics.problem).toBeNull();
    expect(await talk(stage.onTerminal(['confirm']), ['[y/N]', 'y'])).toMatchObject({ code: 0 });
    const problem = await until(async () => (await stage.status()).metrics.problem, 'that the port is taken');
    expect(problem).toContain(`127.0.0.1:${port}: the port is taken`);
    await new Promise((resolve) => probe.close(resolve));
    await stage.startAgent();
    const served = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } });
    expect(await served.text()).toContain('# TYPE lanyard_call_duration_seconds histogram');
  });
});

test('records what users change', async () => {
  await stage.lanyard(['cluster', 'add', 'more', '--server', 'https://more.example.com', '--account', 'ops']);
  await stage.lanyard(['logout', 'corp']);
  const found = (await lines()).map(
    ({ kind, what, name, account }) => `${kind} ${what ?? ''} ${name ?? account ?? ''}`,
  );
  expect(found).toEqual(
    expect.arrayContaining(['change secret.set bot', 'change cluster.add more', 'logout  corp']),
  );
});

describe('a history that can’t be used', () => {
  const opsCall = () => stage.ask('ops', stage.execInfo(), { args: ['--cluster', 'prod-ops'] });

  test('issues nothing, says so, and continues once it is fixed (rule: everything-recorded)', async () => {
    await stage.agent.stop();
    const file = stage.home.file('history');
    renameSync(file, `${file}.kept`);
    mkdirSync(file);
    await stage.startAgent();
    const refused = await opsCall();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('history.db is not a plain file');
    expect((await stage.lanyard(['status'])).stdout).toContain('without it nothing is issued');
    rmdirSync(file);
    renameSync(`${file}.kept`, file);
    credentialIn(await opsCall());
    expect((await lines('--account', 'ops')).at(-1)).toMatchObject({ outcome: 'handedOut' });
    expect((await stage.status()).history.problems).toEqual([]);
  });
});
