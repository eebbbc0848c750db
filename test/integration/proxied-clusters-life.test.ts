import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { talk } from '../support/dialog.ts';
import { builtHelper } from '../support/home.ts';
import { answerTo, statedIn, wayIn } from '../support/proxied-stage.ts';
import { mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';

/** How the request proxy comes, stays and goes: locks, kills, a port that is taken, approvals that are taken back. */
let stage: Stage;
let kubeconfig: string;

beforeAll(async () => {
  stage = await Stage.open({
    extend: (config, { api, home }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const cluster = { server: api.server, certificateAuthority, proxy: {} };
      config.clusters['proxied'] = { ...cluster, account: 'bot' };
      config.clusters['carded'] = { ...cluster, account: 'ops' };
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
});
afterEach(async () => {
  if (!stage.agent.isRunning()) {
    await stage.startAgent();
  }
});
afterAll(() => stage?.dispose());

const stated = () => statedIn(kubeconfig, 'proxied');
const enter = () => wayIn(stage, 'bot', 'proxied', kubeconfig);
const ask = (token: string, at = stated()) => answerTo(at, token);

/** The user writes this config.yaml, and approves what it says of `proxied`. */
async function approve(config: string): Promise<void> {
  writeFileSync(stage.home.file('config'), config);
  await until(async () => ((await stage.status()).held.length > 0 ? true : null), 'the change');
  await talk(stage.onTerminal(['confirm', 'proxied']), ['[y/N]', 'y']);
}

/** The user runs a command that asks, and types the answers. */
async function type(command: string[], answers: readonly (readonly [RegExp, string])[]): Promise<void> {
  const terminal = stage.onTerminal(command);
  for (const [question, answer] of answers) {
    await terminal.waitForText(question);
    terminal.send(`${answer}\r`);
  }
  await terminal.ended;
}

/** Exports the vault; gives the words of the command that restores it. */
async function exportVault(): Promise<string[]> {
  const file = `${stage.home.outside}/export`;
  await type(
    ['vault', 'export', file],
    [
      [/The vault’s passphrase \(not shown\): $/, stagePassphrase],
      [/A passphrase for the export \(not shown\): $/, 'of the export'],
      [/Once more: $/, 'of the export'],
    ],
  );
  const passphrase = stage.home.write('of-export', 'of the export\n');
  return ['vault', 'restore', '--from', file, '--passphrase-file', passphrase, '--yes'];
}

/** The data plane’s process, by the broker’s log. */
async function dataPlane(): Promise<{ pid: number; port: number }> {
  const lines = stage.agentLogs().split('\n');
  const last = lines.findLast((line) => line.includes('"proxy.started"'));
  return JSON.parse(last ?? '{}');
}

/** A shell that runs the helper in the background by `line`, as the leader of a session; gives what stands on stderr. */
async function leftBehind(line: string): Promise<string> {
  const { outside, env } = stage.home;
  const info = { ...stage.execInfo(), spec: { interactive: false, cluster: stated() } };
  execFileSync('mkfifo', [`${outside}/go`]);
  const shell = spawn('sh', ['-c', line], {
    cwd: outside,
    detached: true,
    stdio: 'ignore',
    env: { ...env, H: stage.home.file('helper'), KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
  await new Promise((resolve) => shell.on('exit', resolve));
  writeFileSync(`${outside}/go`, 'go\n');
  return until(() => {
    const said = existsSync(`${outside}/err`) ? readFileSync(`${outside}/err`, 'utf8') : '';
    return /hint: .*\n/.test(said) ? said : null;
  }, 'the refusal');
}

const ownCall = '"$H" kube-credential --account bot --cluster proxied >out 2>err';

// The first of all: no proxy was started yet. (rule: way-in)
test('a helper that was left behind before it asked gets no way in, and the next broker starts no proxy for it', async () => {
  const said = await leftBehind(`(read go <go; exec ${ownCall}) & exit`);
  expect(said).toMatch(/^lanyard: .*the program that ran this command has ended/m);
  expect(said).toMatch(/^hint: /m);
  expect(readFileSync(`${stage.home.outside}/out`, 'utf8')).toBe('');
  expect(existsSync(stage.home.file('proxyClients'))).toBe(false);
  expect(stage.agentLogs()).not.toContain('"proxy.started"');
});

// KEP-2718/first-use
describe('the data plane', () => {
  test('is there again at the same port after it was killed, and ways in stay good', async () => {
    const token = await enter();
    expect(await ask(token)).toMatch(/^200 /);
    const { pid } = await dataPlane();
    process.kill(pid, 'SIGKILL');
    await until(async () => ((await ask(token)).startsWith('200') ? true : null), 'the proxy');
    expect((await dataPlane()).pid).not.toBe(pid);
  });

  // (rule: way-in)
  test('ends with a killed broker, and the next broker serves the clients that still live, with a client certificate from the first request on', async () => {
    const token = await enter();
    const carded = await wayIn(stage, 'ops', 'carded', kubeconfig);
    // Who has a way in is stored soon after.
    await until(() => {
      const file = stage.home.file('proxyClients');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return text.includes(`"pid":${process.pid}`) ? true : null;
    }, 'proxy-clients.json');
    await stage.agent.kill();
    await until(async () => ((await ask(token)) === 'ECONNREFUSED' ? true : null), 'the end of the proxy');
    await stage.startAgent();
    // No client asks the helper again: one answer of 401 would make it.
    const answers = new Set<string>();
    await until(async () => {
      const answer = await ask(token);
      answers.add(answer.slice(0, 3));
      return answer.startsWith('200') ? true : null;
    }, 'the proxy');
    expect([...answers].filter((answer) => /^\d/.test(answer))).not.toContain('401');
    const before = stage.api.requests.length;
    const at = statedIn(kubeconfig, 'carded');
    await until(async () => ((await ask(carded, at)).startsWith('200 ') ? true : null), 'an answer');
    expect(stage.api.requests.slice(before).map(({ via }) => via)).toEqual(['certificate']);
  });

  test('moves where its port is taken, and the kubeconfig follows', async () => {
    await enter();
    const { port } = await dataPlane();
    await stage.agent.stop();
    const squatter = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    try {
      await stage.startAgent();
      await enter().catch(() => undefined);
      await until(() => (stated()['server']?.includes(`:${port}/`) ? null : true), 'another port');
      expect(await ask(await enter())).toMatch(/^200 /);
    } finally {
      squatter.close();
    }
  });
});

const unshare = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const canUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0;

// (rule: way-in)
test.skipIf(!canUnshare)('a client that is pid 1 beside the broker gets a way in for an hour', async () => {
  const info = { ...stage.execInfo(), spec: { interactive: false, cluster: stated() } };
  const { env, outside } = stage.home;
  const paths = {
    ...{ A: builtHelper, H: stage.home.file('helper'), S: stage.home.file('socket') },
    P: stage.home.write('of-vault', stagePassphrase),
  };
  await stage.agent.stop();
  // The broker ends with the namespace. Then a shell's child, as kubectl mostly is.
  const lines = [
    'env -u KUBERNETES_EXEC_INFO "$A" agent --passphrase-file "$P" >log 2>&1 &',
    'until [ -S "$S" ]; do kill -0 $! || exit; sleep 0.05; done',
    ownCall,
    `sh -c '${ownCall.replace('>out', '>child')}; exit $?'`,
  ];
  spawnSync('unshare', [...unshare, 'sh', '-c', `${lines.join('\n')}\nexit $?`], {
    cwd: outside,
    env: { ...env, ...paths, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdio: 'ignore',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const textOf = (file: string) =>
    existsSync(`${outside}/${file}`) ? readFileSync(`${outside}/${file}`, 'utf8') : '';
  const statusIn = (file: string) =>
    JSON.parse(textOf(file) || expect.unreachable(`${textOf('err')}${textOf('log')}`)).status;
  const minutes = (Date.parse(statusIn('out').expirationTimestamp) - Date.now()) / 60_000;
  expect([minutes > 50, minutes <= 60]).toEqual([true, true]);
  expect(statusIn('child').token).toEqual(expect.any(String));
  expect(statusIn('child')).not.toHaveProperty('expirationTimestamp');
});

test('at the lock the listener says why, what is under way ends, and old ways in never count again', async () => {
  const token = await enter();
  stage.api.forgetRequests();
  stage.api.delayAnswers(300_000);
  const slow = ask(token);
  await until(
    () => (stage.api.requests.some(({ path }) => path === '/version') ? true : null),
    'the request',
  );
  mustBeGood(await stage.lanyard(['lock']));
  expect(await ask(token)).toMatch(/^403 lanyard: .*locked by you.*lanyard unlock/);
  expect(await slow).toMatch(/^503 lanyard: the request was ended here/);
  stage.api.delayAnswers(0);
  mustBeGood(
    await stage.lanyard(['unlock', '--passphrase-file', stage.home.write('right', stagePassphrase)]),
  );
  expect(await ask(token)).toMatch(/^401 /);
  expect(await ask(await enter())).toMatch(/^200 /);
});

test('an approval that was taken back ends its ways in, also where it is given again', async () => {
  const token = await enter();
  const config = readFileSync(stage.home.file('config'), 'utf8');
  // The kubeconfig may no longer name it then.
  const place = stated();
  mustBeGood(await stage.lanyard(['cluster', 'remove', 'proxied']));
  await until(async () => ((await ask(token, place)).startsWith('403 ') ? true : null), 'the removal');
  await approve(config);
  kubeconfig = await stage.writeKubeconfig();
  expect(await ask(token)).toMatch(/^40[13] /);
  expect(await ask(await enter())).toMatch(/^200 /);
  expect(await ask(token)).toMatch(/^401 lanyard: .*taken back/);
});

// KEP-2718/disablement
test('turned off and on again it has no consequence', async () => {
  const config = readFileSync(stage.home.file('config'), 'utf8');
  const direct = JSON.parse(config);
  delete direct.clusters.proxied.proxy;
  await enter();
  const before = stated();
  await approve(JSON.stringify(direct));
  await until(() => (stated()['server'] === stage.api.server ? true : null), 'the cluster’s own server');
  await approve(config);
  await until(() => (stated()['server'] === before['server'] ? true : null), 'the proxy’s address');
  expect(stated()).toEqual(before);
  expect(await ask(await enter())).toMatch(/^200 /);
});

test('a fault of a cluster is shown until what it states is another', async () => {
  const config = JSON.parse(readFileSync(stage.home.file('config'), 'utf8'));
  const good = JSON.stringify(config);
  // Only the request proxy finds that this is no name.
  config.clusters.proxied.tlsServerName = 'not a name';
  const faults = async () =>
    JSON.parse((await stage.lanyard(['proxy', 'status', '--json'])).stdout).faults as unknown[];
  await enter();
  await approve(JSON.stringify(config));
  await until(async () => ((await faults()).length === 1 ? true : null), 'the fault');
  await approve(good);
  await until(async () => ((await faults()).length === 0 ? true : null), 'its end');
  expect(await ask(await enter())).toMatch(/^200 /);
});

// (rule: way-in)
describe('another vault', () => {
  test('that was restored brings no approval of a way in back', async () => {
    const token = await enter();
    const restore = await exportVault();
    mustBeGood(await stage.lanyard(restore));
    await until(async () => ((await ask(token)).startsWith('401 ') ? true : null), 'a refusal');
    expect(await ask(await enter())).toMatch(/^200 /);
  });

  test('that is new ends the proxy of the one before', async () => {
    const token = await enter();
    expect(await ask(token)).toMatch(/^200 /);
    await type(
      ['vault', 'reset'],
      [
        [/Type reset everything to go on: $/, 'reset everything'],
        [/A passphrase for the new vault \(not shown\): $/, 'begun anew'],
        [/Once more: $/, 'begun anew'],
      ],
    );
    await until(async () => ((await ask(token)) === 'ECONNREFUSED' ? true : null), 'the end of the proxy');
  });
});
