import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { Stage, until } from '../support/stage.ts';

const { newest: kubectl } = findKubectls();
const question = 'Allow? [y/N] ';

let stage: Stage;
let stranger: KubernetesApi;
let kubeconfig: string;
const terminals: OnTerminal[] = [];

beforeAll(async () => {
  stage = await Stage.open({
    extend: ({ clusters }, { api, home }) => {
      const known = {
        server: api.server,
        certificateAuthority: home.write('cluster-ca.pem', api.caPem),
        account: 'bot',
      };
      clusters['each'] = { ...known, approval: 'always' };
      clusters['terminal'] = { ...known, approval: 'perTerminal' };
      clusters['hour'] = { ...known, approval: '1h' };
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  stranger = await startKubernetesApi({ staticTokens: { [stage.botToken]: { name: 'bot', groups: [] } } });
});
afterEach(() => Promise.all(terminals.splice(0).map((each) => each.dispose())));
afterAll(async () => {
  await stranger?.dispose();
  await stage?.dispose();
});

/** A person's terminal in which a shell runs `line`; `$K` is kubectl. */
function terminal(line: string, file = kubeconfig): OnTerminal {
  const env = { ...stage.home.env, KUBECONFIG: file, K: kubectl.path, TERM: 'xterm' };
  const opened = startOnTerminal('sh', ['-c', line], { env });
  terminals.push(opened);
  return opened;
}

const get = (cluster: string) => `$K --context ${cluster} get pods -o name`;
const count = (text: string, part: string) => text.split(part).length - 1;
const events = (kind: string, field: string) =>
  stage.lanyard(['audit', '--json']).then(({ stdout }) =>
    stdout
      .split('\n')
      .filter((line) => line.includes(`"${kind}"`))
      .map((line) => JSON.parse(line)[field]),
  );

/** The helper that a kubectl runs. */
function childOf(pid: number): number {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/children`);
  const found = lists.map((file) => Number(readFileSync(file, 'utf8'))).find((each) => each > 1);
  if (found === undefined) {
    throw new Error(`process ${pid} has no child`);
  }
  return found;
}

async function answered(opened: OnTerminal, ...answers: string[]) {
  for (const [index, answer] of answers.entries()) {
    await until(() => (count(opened.shown(), question) > index ? true : null), `question ${index + 1}`);
    opened.send(`${answer}\r`);
  }
  const { code } = await opened.ended;
  return { code, shown: opened.shown() };
}

describe('approval, with kubectl on a terminal (KEP-541/interactive-login)', () => {
  test('always: each call is asked, with what it is about, and yes lets it through', async () => {
    const { code, shown } = await answered(terminal(`${get('each')}; ${get('each')}`), 'y', 'yes');
    expect([code, count(shown, question)]).toEqual([0, 2]);
    expect(count(shown, 'pod/')).toBeGreaterThan(0);
    expect(shown).toMatch(/cluster +"each"/);
    expect(shown).toMatch(/account +"bot"/);
    expect(shown).toContain(`"${stage.api.server}"`);
    expect(shown).toMatch(/program +"[^"]*kubectl[^"]*"\r?\n +process +\d+\r?\n/);
    expect(shown).toMatch(/run by +kubectl\S* ← sh/);
    expect(shown).toMatch(/from +this machine/);
  });

  test('what was typed before the question is not its answer', async () => {
    const opened = terminal(`read line; ${get('each')}`);
    opened.send('go\ry\r');
    await opened.waitForText(question);
    opened.send('\r');
    expect((await opened.ended).code).not.toBe(0);
    expect(opened.shown()).toContain('was not approved');
  });

  test('perTerminal: once for a terminal, and again on another one', async () => {
    const first = await answered(terminal(`${get('terminal')} && ${get('terminal')}`), 'y');
    expect([first.code, count(first.shown, question)]).toEqual([0, 1]);
    const second = await answered(terminal(get('terminal')), 'n');
    expect([second.code === 0, count(second.shown, question)]).toEqual([false, 1]);
  });

  test('when the caller with the question is killed, another one asks', async () => {
    const opened = terminal(`${get('terminal')} </dev/tty & ${get('terminal')} </dev/tty & wait`);
    const asking = Number(/process +(\d+)/.exec(await opened.waitForText(question))?.[1]);
    process.kill(childOf(asking), 'SIGKILL');
    await until(() => (count(opened.shown(), question) === 2 ? true : null), 'the second question');
    opened.send('y\r');
    await opened.waitForText('pod/');
    await opened.ended;
  });

  test('a duration: another terminal inherits it, a caller without one too', async () => {
    const first = await answered(terminal(get('hour')), 'y');
    expect(first.code).toBe(0);
    const second = await answered(terminal(get('hour')));
    expect([second.code, count(second.shown, question)]).toEqual([0, 0]);
    const far = await stage.ask('bot', stage.execInfo(), { args: ['--cluster', 'hour'] });
    expect(far.code).toBe(0);
  });

  test('no terminal: not permitted, and says that the user is needed', async () => {
    const done = await stage.ask('bot', stage.execInfo(), { args: ['--cluster', 'each'] });
    expect(done).toMatchObject({ code: 13, stdout: '' });
    expect(done.stderr).toContain('you have to approve the credential for each');
    expect(done.stderr).toContain('hint: run it in a terminal');
    expect(await events('approval', 'outcome')).toContain('nobody');
  });

  test('a lock ends the question, denies it as locked, and forgets what was answered', async () => {
    const opened = terminal(get('each'));
    await opened.waitForText(question);
    expect((await stage.lanyard(['lock'])).code).toBe(0);
    expect((await opened.ended).code).not.toBe(0);
    expect(opened.shown()).toContain('lanyard is being locked');
    const file = stage.home.write('pp', 'the stage’s passphrase\n');
    expect((await stage.lanyard(['unlock', '--passphrase-file', file])).code).toBe(0);
    const again = await answered(terminal(get('hour')), 'n');
    expect(count(again.shown, question)).toBe(1);
  });
});

describe('an unknown server (rule: known-server), with kubectl on a terminal', () => {
  const add = 'Add it to config.yaml, and send it the credential? [y/N] ';
  const configText = () => readFileSync(stage.home.file('config'), 'utf8');
  const unknown = (server: string, more: object = {}) =>
    stage.home.write(
      'unknown.kubeconfig',
      kubeconfigText(
        { server, caPem: stranger.caPem, ...more },
        {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: stage.home.file('helper'),
            args: ['kube-credential', '--account', 'bot'],
            provideClusterInfo: true,
          },
        },
      ),
    );
  const getThere = '$K get pods -o name';

  test('No, the default, leaves the file as it is and denies', async () => {
    const before = configText();
    const opened = terminal(getThere, unknown(stranger.server));
    await opened.waitForText(add);
    opened.send('\r');
    expect((await opened.ended).code).not.toBe(0);
    expect(opened.shown()).toContain('is configured for the account bot');
    // kubectl asks again and again before it gives up; the person said No once.
    expect(count(opened.shown(), add)).toBe(1);
    expect(opened.shown()).toMatch(/CA +SHA-256 ([0-9A-F]{2}:){31}/);
    expect(configText()).toBe(before);
    expect(stranger.requests).toEqual([]);
  });

  test('no terminal: denied as before, with the command', async () => {
    const info = stage.execInfo({ cluster: { server: stranger.server } });
    const done = await stage.ask('bot', info);
    expect(done).toMatchObject({ code: 13, stdout: '' });
    expect(done.stderr).toContain('lanyard cluster add NAME');
  });

  test('insecure-skip-tls-verify needs the word yes in full', async () => {
    const before = configText();
    const opened = terminal(
      getThere,
      unknown(stranger.server, { caPem: undefined, insecureSkipTlsVerify: true }),
    );
    await opened.waitForText('Type yes in full');
    opened.send('y\r');
    expect((await opened.ended).code).not.toBe(0);
    expect(opened.shown()).toContain('DANGER');
    expect(configText()).toBe(before);
  });

  test('yes adds it under the given name, approved, and kubectl continues', async () => {
    const line = `${getThere} </dev/tty & ${getThere} </dev/tty & wait; ${getThere}`;
    const opened = terminal(line, unknown(stranger.server));
    await opened.waitForText(add);
    opened.send('y\r');
    await opened.waitForText('Name for the cluster [127.0.0.1]: ');
    opened.send('each\r');
    await opened.waitForText('there is a cluster of that name already');
    opened.send('lab\r');
    expect((await opened.ended).code).toBe(0);
    expect([count(opened.shown(), add), count(opened.shown(), 'is configured for')]).toEqual([1, 0]);
    expect(stranger.requests.length).toBeGreaterThan(0);
    expect(parse(configText()).clusters.lab).toEqual({
      server: stranger.server,
      certificateAuthorityData: expect.any(String),
      account: 'bot',
    });
    expect((await stage.status()).held).toEqual([]);
  });
});

test('a sooner lock.afterIdle applies immediately, while it is pending approval, and a later one once approved', async () => {
  const config = parse(readFileSync(stage.home.file('config'), 'utf8'));
  const written = async (afterIdle: string) => {
    stage.home.writeConfig({ ...config, lock: { afterIdle } });
    return until(async () => {
      const status = await stage.status();
      return status.held.length > 0 ? status : null;
    }, 'the change');
  };
  const isPending = { held: [{ what: 'setting', name: 'lock' }] };
  expect(await written('1h')).toMatchObject({ ...isPending, idleLock: { afterIdleSeconds: 3600 } });
  const confirm = stage.onTerminal(['confirm']);
  await confirm.waitForText('+ afterIdle: 1h');
  await confirm.waitForText('[y/N] ');
  confirm.send('y\r');
  expect((await confirm.ended).code).toBe(0);
  expect(await written('2h')).toMatchObject({ ...isPending, idleLock: { afterIdleSeconds: 3600 } });
  // Asked without a terminal, as here, nothing holds it open.
  stage.home.writeConfig({ ...config, lock: { afterIdle: '2s' } });
  const locked = await until(async () => {
    const { vault } = await stage.status();
    return vault.kind === 'locked' ? vault : null;
  }, 'the lock');
  expect(locked.reason).toContain('lock.afterIdle');
  expect((await stage.ask('bot', stage.execInfo(), { args: ['--cluster', 'hour'] })).code).toBe(11);
});
