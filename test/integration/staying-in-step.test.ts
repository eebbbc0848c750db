import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { type RunOptions, run, start } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';

/** What other programs do to the person's kubeconfigs, a real broker, real kubectls and shells. */
const passphrase = 'staying in step';
let home: TestHome;
let agent: TestAgent;
let usual: string;
let managed: string;

beforeAll(async () => {
  home = makeHome();
  usual = join(home.outside, 'user', '.kube', 'config');
  managed = home.file('kubeconfig');
  // Found when the vault is made: it counts as confirmed.
  home.writeConfig({
    version: 1,
    accounts: { bot: { staticToken: {} }, later: { staticToken: {} } },
    clusters: {
      prod: { server: 'https://127.0.0.1:1', account: 'bot' },
      dev: { server: 'https://127.0.0.1:2', account: 'bot' },
      empty: { server: 'https://127.0.0.1:3', account: 'later' },
    },
    lock: { afterIdle: '15m' },
  });
  agent = await startAgent({ home, passphrase });
  expect((await home.lanyard(['secret', 'set', 'bot'], { input: 'a-token' })).code).toBe(0);
  expect((await home.lanyard(['kubeconfig', 'write'])).code).toBe(0);
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});
beforeEach(() => rmSync(dirname(usual), { recursive: true, force: true }));

const { oldest, newest } = findKubectls();
const both = [...new Map([oldest, newest].map((each) => [each.version, each])).values()];

async function lanyard(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const done = await home.lanyard(args, options);
  expect([done.code, done.stderr]).toEqual([0, '']);
  return done.stdout;
}

async function kubectl({ path }: Kubectl, kubeconfig: string | undefined, ...args: string[]) {
  const done = await run(path, args, { env: { ...home.env, KUBECONFIG: kubeconfig } });
  expect([done.code, done.stderr.replace(/^W.*Config not found.*\n/gm, '')]).toEqual([0, '']);
  return done.stdout.trim();
}

function writeFile(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** A kubeconfig with a comment, and a context of the same name for each user with a token. */
function foreign(names: readonly string[], current?: string): string {
  return [
    'apiVersion: v1',
    'kind: Config # mine',
    ...(current === undefined ? [] : [`current-context: ${current}`]),
    'clusters: [{ name: c, cluster: { server: "https://127.0.0.1:4" } }]',
    'users:',
    ...names.map((name) => `- { name: ${name}, user: { token: planted-token } }`),
    'contexts:',
    ...names.map((name) => `- { name: ${name}, context: { cluster: c, user: ${name}, namespace: ns } }`),
    '',
  ].join('\n');
}

interface Offer {
  file: string;
  importable: string[];
  plugins: string[];
}

async function offers(): Promise<Offer[]> {
  return JSON.parse(await lanyard(['status', '--json'])).imports;
}

const offered = (file: string, ...names: string[]) =>
  until(async () => {
    const now = (await offers()).find((offer) => offer.file === file)?.importable ?? [];
    return now.join() === names.join() ? true : null;
  }, `the offer of ${names}`);

async function restart(): Promise<void> {
  await agent.kill();
  agent = await startAgent({ home, passphrase });
}

describe('KEP-541/kubeconfig-unchanged: users that other programs write later', () => {
  test('kubectl writes one into the usual kubeconfig: it is offered within a poll, and stays as it is', async () => {
    const set = (...args: string[]) => kubectl(newest, undefined, 'config', ...args);
    await set('set-cluster', 'kind-kind', '--server=https://127.0.0.1:4');
    await set('set-credentials', 'kind-kind', '--token=planted-token');
    await set('set-context', 'kind-kind', '--cluster=kind-kind', '--user=kind-kind');
    const written = readFileSync(usual, 'utf8');
    await offered(usual, 'kind-kind');
    expect(await lanyard(['status'])).toContain(`lanyard kubeconfig import ${usual}\n`);
    await set('set-credentials', 'minikube', '--token=planted-token');
    await set('set-context', 'minikube', '--cluster=kind-kind', '--user=minikube');
    await offered(usual, 'kind-kind', 'minikube');
    expect(readFileSync(usual, 'utf8')).toContain(written.trim().split('\n')[0] ?? '');
    // An offer alone is no answer.
    expect(JSON.parse(readFileSync(home.file('kubeconfigs'), 'utf8'))).toMatchObject({
      dismissed: {},
      seen: {},
    });

    expect(await lanyard(['kubeconfig', 'dismiss', usual])).toContain('kind-kind, minikube');
    expect(await offers()).toEqual([]);
    expect(await lanyard(['status'])).not.toContain('kubeconfig import');
    expect(readFileSync(home.file('kubeconfigs'), 'utf8')).not.toContain('planted-token');
  });

  test('what was dismissed stays so after a kill -9; what comes then is offered', async () => {
    writeFile(usual, foreign(['one', 'two']));
    await offered(usual, 'one', 'two');
    await lanyard(['kubeconfig', 'dismiss']);
    await restart();
    writeFile(usual, foreign(['one', 'two', 'three']));
    await offered(usual, 'three');
  });

  test('a kill -9 in the middle of a dismissal leaves it undone or done', async () => {
    for (let round = 0; round < (isLong ? 10 : 2); round++) {
      const names = [`a${round}`, `b${round}`];
      writeFile(usual, foreign(names));
      await offered(usual, ...names);
      const dismissing = home.lanyard(['kubeconfig', 'dismiss'], { env: { LANYARD_NO_START: '1' } });
      await until(() => (Math.random() < 0.3 ? true : null), 'a moment');
      await agent.kill();
      await dismissing;
      agent = await startAgent({ home, passphrase });
      const known = existsSync(home.file('kubeconfigs'))
        ? JSON.parse(readFileSync(home.file('kubeconfigs'), 'utf8'))
        : { dismissed: {} };
      const isDismissed = names.every((name) => known.dismissed[usual]?.includes(name));
      await (isDismissed ? offered(usual) : offered(usual, ...names));
      expect(agent.log()).not.toContain('kubeconfigs.anew');
    }
  });

  test('what another program writes into the managed kubeconfig is offered, and survives its rewriting', async () => {
    await kubectl(newest, managed, 'config', 'set-credentials', 'gke', '--token=planted-token');
    await kubectl(newest, managed, 'config', 'set-context', 'gke', '--cluster=prod', '--user=gke');
    await offered(managed, 'gke');
    await lanyard(['kubeconfig', 'write']);
    expect(await kubectl(newest, managed, 'config', 'get-contexts', 'gke', '-o', 'name')).toBe('gke');
    await lanyard(['kubeconfig', 'dismiss', managed]);
    await kubectl(newest, managed, 'config', 'delete-context', 'gke');
  });
});

describe.each(both)('kubectl $version and the managed kubeconfig', (binary) => {
  test('use-context and a namespace survive kubeconfig write', async () => {
    await kubectl(binary, managed, 'config', 'use-context', 'dev');
    await kubectl(binary, managed, 'config', 'set-context', '--current', '--namespace=team');
    await lanyard(['kubeconfig', 'write']);
    expect(await kubectl(binary, managed, 'config', 'current-context')).toBe('dev');
    const path = '{.contexts[?(@.name=="dev")].context.namespace}';
    const namespace = await kubectl(binary, managed, 'config', 'view', '-o', `jsonpath=${path}`);
    expect(namespace).toBe('team');
    const prompt = await lanyard(['status', '--format', '{context}/{namespace}'], {
      env: { KUBECONFIG: managed },
    });
    expect(prompt).toBe('dev/team\n');
  });

  test.each<[string, string[], string]>([
    ['the first file', ['one', 'two'], 'in-two'],
    ['the second, where the first is missing', ['missing', 'two', 'one'], 'in-one'],
    ['an empty one', ['empty', 'one'], 'in-one'],
    ['none, where it is the current one already', ['one', 'two'], 'current'],
  ])('lanyard context writes what use-context writes: %s', async (_, names, name) => {
    const files = { one: foreign(['in-one', 'current'], 'current'), two: foreign(['in-two']), empty: '' };
    const changedBy = async (change: (list: string) => Promise<unknown>) => {
      const paths = names.map((each) => join(home.outside, `context-${each}`));
      const texts = names.map((each) => (files as Record<string, string>)[each]);
      for (const [index, path] of paths.entries()) {
        const text = texts[index];
        if (text !== undefined) {
          writeFile(path, text);
        }
      }
      await change(paths.join(':'));
      const changed = paths.filter(
        (path, at) => existsSync(path) && readFileSync(path, 'utf8') !== texts[at],
      );
      return { changed, current: await kubectl(binary, paths.join(':'), 'config', 'current-context') };
    };
    const byKubectl = await changedBy((list) => kubectl(binary, list, 'config', 'use-context', name));
    const byLanyard = await changedBy((list) => lanyard(['context', name], { env: { KUBECONFIG: list } }));
    expect(byLanyard).toEqual(byKubectl);
    expect(byLanyard.current).toBe(name);
  });
});

describe('lanyard context', () => {
  const env = () => ({ KUBECONFIG: `${usual}:${managed}` });
  const begin = () => writeFile(usual, foreign(['mine', 'other'], 'mine'));
  const context = (...args: string[]) => home.lanyard(['context', ...args], { env: env() });

  test('lists them all, marks the current one, and tells the state of Lanyard’s own', async () => {
    begin();
    const rows = JSON.parse((await context('--json')).stdout);
    const row = (name: string) => rows.find((each: { name: string }) => each.name === name);
    expect(row('mine')).toMatchObject({ current: true, file: usual, lanyard: null, state: null });
    expect(row('prod')).toMatchObject({
      current: false,
      file: managed,
      lanyard: { account: 'bot', cluster: 'prod' },
      state: 'ready',
    });
    expect(row('empty')).toMatchObject({ state: 'secretMissing' });
    const { stdout } = await context();
    expect(stdout).toMatch(/^\* +mine +c +ns$/m);
    expect(stdout).toMatch(/^ +prod +prod +bot +ready$/m);
  });

  test('changes the context, keeps all else of the file, and returns with -', async () => {
    begin();
    expect(await context('prod')).toMatchObject({ code: 0, stdout: 'Switched to context "prod".\n' });
    expect(readFileSync(usual, 'utf8')).toBe(foreign(['mine', 'other'], 'prod'));
    expect((await context('-')).stdout).toContain('"mine"');
    expect((await context('-')).stdout).toContain('"prod"');
    await restart();
    expect((await context('-')).stdout).toContain('"mine"');
    expect(readFileSync(usual, 'utf8')).toBe(foreign(['mine', 'other'], 'mine'));
  });

  test('an unknown name is answered with the nearest', async () => {
    begin();
    expect(await context('prdo')).toMatchObject({
      code: 14,
      stdout: '',
      stderr: expect.stringMatching(/no context named "prdo"\nhint: did you mean prod\?/),
    });
    expect(readFileSync(usual, 'utf8')).toBe(foreign(['mine', 'other'], 'mine'));
  });

  test('a file that can’t be read is named, and the others count', async () => {
    writeFile(usual, 'users: [');
    expect(await context()).toMatchObject({ code: 0, stderr: expect.stringContaining(usual) });
    expect((await context('nowhere')).stderr).toContain(usual);
  });

  test('kubectl’s lock is respected', async () => {
    begin();
    writeFile(`${usual}.lock`, '');
    const waiting = start(builtHelper, ['context', 'prod'], { env: { ...home.env, ...env() } });
    await waiting.waitForLine(/^lanyard: .*lock/);
    expect(readFileSync(usual, 'utf8')).toBe(foreign(['mine', 'other'], 'mine'));
    rmSync(`${usual}.lock`);
    expect((await waiting.ended).code).toBe(0);
    expect(readFileSync(usual, 'utf8')).toBe(foreign(['mine', 'other'], 'prod'));
    expect(existsSync(`${usual}.lock`)).toBe(false);
  });
});

describe('lanyard env', () => {
  const shells = [
    ['sh', '/bin/sh', 'eval "$(lanyard env)"'],
    ['bash', '/bin/bash', 'eval "$(lanyard env bash)"'],
    ['zsh', '/usr/bin/zsh', 'eval "$(lanyard env zsh)"'],
    ['fish', '/usr/bin/fish', 'lanyard env fish | source'],
  ] as const;

  test.for(shells)(
    '%s finds the managed contexts first, and the user’s own',
    async ([, path, line], context) => {
      context.skip(!existsSync(path), `missing: ${path}`);
      const kubeconfig = writeFile(join(home.outside, "it's $mine"), foreign(['mine'], 'mine'));
      const script = `${line}; ${line}; printenv KUBECONFIG; ${newest.path} config get-contexts -o name`;
      const done = await run(path, ['-c', script], {
        env: {
          ...home.env,
          KUBECONFIG: kubeconfig,
          PATH: `${dirname(builtHelper)}:/usr/bin:/bin`,
          SHELL: '/bin/sh',
        },
      });
      expect(done.stderr).toBe('');
      const [list, ...names] = done.stdout.trim().split('\n');
      expect(list).toBe(`${managed}:${kubeconfig}`);
      expect(names).toEqual(expect.arrayContaining(['mine', 'prod', 'dev']));
    },
  );

  test('without KUBECONFIG the usual file comes second, where it is', async () => {
    const env = { SHELL: '/bin/bash' };
    expect(await lanyard(['env'], { env })).toContain(`'${managed}'\n`);
    writeFile(usual, foreign(['mine']));
    expect(await lanyard(['env'], { env })).toContain(`'${managed}:${usual}'\n`);
  });

  test('a shell that has no line is wrong usage', async () => {
    expect(await home.lanyard(['env', 'fihs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('fish'),
    });
    expect(await home.lanyard(['env'], { env: { SHELL: '/bin/tcsh' } })).toMatchObject({ code: 2 });
  });
});

describe('lanyard status --format', () => {
  const all = '{context}|{namespace}|{cluster}|{account}|{as}|{state}|{left}|{vault}';
  const prompt = (kubeconfig: string, format = all) =>
    lanyard(['status', '--format', format], { env: { KUBECONFIG: kubeconfig } });

  /** The managed kubeconfig with this current context. */
  function at(name: string): string {
    const file = join(home.outside, `prompt-${name}`);
    copyFileSync(managed, file);
    const text = readFileSync(file, 'utf8').replace(/^current-context: .*$/m, `current-context: ${name}`);
    return writeFile(file, text);
  }

  test('shows what is known of the current context', async () => {
    expect(await prompt(at('prod'))).toBe('prod||prod|bot||ready||open\n');
    expect(await prompt(at('empty'))).toBe('empty||empty|later||secretMissing||open\n');
  });

  test('a context that isn’t Lanyard’s has its own name alone; no kubeconfig has nothing', async () => {
    const file = writeFile(join(home.outside, 'foreign'), foreign(['mine'], 'mine'));
    expect(await prompt(file)).toBe('mine|ns||||||open\n');
    expect(await prompt(join(home.outside, 'missing'))).toBe('|||||||open\n');
    expect(await prompt(file, '{state?[{state}]}')).toBe('\n');
  });

  test('works while locked', async () => {
    expect((await home.lanyard(['lock'])).code).toBe(0);
    expect(await prompt(at('prod'), '{context} {state} {vault}')).toBe('prod locked locked\n');
    const unlocked = await home.lanyard(['unlock', '--passphrase-file', join(home.outside, 'passphrase')]);
    expect(unlocked.code).toBe(0);
  });

  test('at a terminal it keeps no idle lock open', async () => {
    const left = async () => JSON.parse(await lanyard(['status', '--json'])).idleLock.inSeconds;
    const onTerminal = (...args: string[]) =>
      startOnTerminal(builtHelper, args, { env: { ...home.env, KUBECONFIG: at('prod') } }).ended;
    await onTerminal('status');
    const passed = await until(async () => ((await left()) < 898 ? left() : null), 'two seconds');
    expect((await onTerminal('status', '--format', '{context}')).stdout).toContain('prod');
    expect(await left()).toBeLessThanOrEqual(passed);
    await onTerminal('status');
    expect(await left()).toBeGreaterThan(passed);
  });

  test('where no broker runs none is started with LANYARD_NO_START=1', async () => {
    await agent.stop();
    const started = await home.lanyard(['status', '--format', '{context}'], {
      env: { LANYARD_HOME: undefined, XDG_DATA_HOME: join(home.outside, 'none'), LANYARD_NO_START: '1' },
    });
    expect(started).toMatchObject({ code: 17, stdout: '' });
    agent = await startAgent({ home, passphrase });
  });
});
