import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { quoteForShell } from '../support/pty.ts';
import { credentialIn } from '../support/stage.ts';

/** What of the caller and of the cluster reaches a wrapped plugin, whose the answer is, and a plugin that calls itself. */
const names = ['plain', 'listed', 'profile', 'own', 'looping', 'forked', 'fleet'] as const;
type Name = (typeof names)[number];
const loop = 'asks for the credential that it is to give';

let here: PluginStage<Name>;
beforeAll(async () => {
  const additions = (cluster: string, answer: string) => ({
    additionalArgs: ['--cluster', cluster],
    additionalEnv: [{ name: 'PLUGIN_ANSWER', value: answer }],
  });
  here = await openPluginStage(
    names,
    {
      listed: { environment: ['PLUGIN_ANSWER', 'LISTED_*', 'NODE_*', 'PYTHON*'] },
      profile: { interactiveMode: 'IfAvailable', environment: ['AWS_PROFILE'] },
      own: { interactiveMode: 'IfAvailable', share: false },
      fleet: { args: ['get-token', 'do=variable'], environment: ['PLUGIN_ANSWER'] },
    },
    {
      extend: ({ clusters }) => {
        clusters['east'] = { ...clusters['fleet'], ...additions('east', 'first') };
        clusters['west'] = { ...clusters['fleet'], ...additions('west', 'second') };
      },
    },
  );
});
afterAll(() => here?.dispose());

/** That of a run; the last one unless told otherwise. */
function environmentOf(name: Name, run = here.runs(name)) {
  return here.plugin(name).runs()[run - 1]?.env ?? {};
}

/** What makes a program load or run something else. */
const loaders = {
  LD_PRELOAD: '/nowhere/evil.so',
  LD_AUDIT: '/nowhere/evil.so',
  LD_LIBRARY_PATH: '/nowhere',
  NODE_OPTIONS: '--require=/nowhere/evil.js',
  BASH_ENV: '/nowhere/evil.sh',
  ENV: '/nowhere/evil.sh',
  PYTHONPATH: '/nowhere',
  GLIBC_TUNABLES: 'glibc.malloc.check=3',
};

describe('a run whose answer is shared (rule: cleared-environment)', () => {
  test('gets a fixed base, and no variable of the caller that is not listed (KEP-541/args-and-env)', async () => {
    const env = { PLUGIN_ANSWER: 'first', AWS_PROFILE: 'prod', PATH: '/nowhere', ...loaders };
    expect((await here.ask('plain', { env })).code).toBe(0);
    const found = environmentOf('plain');
    expect(Object.keys(found).filter((name) => Object.hasOwn(env, name) && name !== 'PATH')).toEqual([]);
    expect(found['PATH']).not.toContain('/nowhere');
    expect(found).toMatchObject({
      HOME: here.stage.home.env['HOME'],
      TERM: 'dumb',
      KUBERNETES_EXEC_INFO: expect.any(String),
    });
    expect(Object.keys(found).filter((name) => name.startsWith('LANYARD_'))).toEqual([]);
    expect(here.plugin('plain').runs()[0]).toMatchObject({
      stdin: 'nothing',
      info: { spec: { interactive: false } },
    });
  });

  test('a listed one reaches it, and each set of values has its own credential', async () => {
    const plugin = here.plugin('listed');
    plugin.does('variable');
    const token = async (env: Record<string, string>) =>
      credentialIn(await here.ask('listed', { env })).token;
    for (const round of [1, 2]) {
      expect([round, await token({ PLUGIN_ANSWER: 'first' })]).toEqual([round, plugin.tokenFor('first')]);
      expect([round, await token({ PLUGIN_ANSWER: 'second' })]).toEqual([round, plugin.tokenFor('second')]);
      expect([round, await token({})]).toEqual([round, plugin.tokenFor('unset')]);
    }
    expect(here.runs('listed')).toBe(3);
    await token({ PLUGIN_ANSWER: 'first', LISTED_ONE: '1' });
    await token({ PLUGIN_ANSWER: 'first', UNLISTED: '1' });
    expect(here.runs('listed')).toBe(4);
    expect(environmentOf('listed')).toMatchObject({ PLUGIN_ANSWER: 'first', LISTED_ONE: '1' });
    await token({ ...loaders, NODE_EXTRA: '1' });
    expect(environmentOf('listed')).toMatchObject({ NODE_EXTRA: '1' });
    expect(Object.keys(environmentOf('listed')).filter((name) => Object.hasOwn(loaders, name))).toEqual([]);
  });

  test('two terminals with another AWS_PROFILE each get their own token, at the same time', async () => {
    const plugin = here.plugin('profile');
    plugin.does('slow');
    const shells = ['prod', 'staging'].map((AWS_PROFILE) =>
      here.terminal({ AWS_PROFILE, MINE: '1', ...loaders }),
    );
    here.stage.api.forgetRequests();
    const line = '$K --context profile get pods -o name';
    const done = await Promise.all(shells.map((shell) => shell.run(line)));
    expect(done.map(({ code }) => code)).toEqual([0, 0]);
    expect(here.users().sort()).toEqual(['profile-1', 'profile-2']);
    const profiles = [1, 2].map((run) => environmentOf('profile', run)['AWS_PROFILE']);
    expect(profiles.sort()).toEqual(['prod', 'staging']);
    // At the terminal, too, nothing else of the caller reaches it but where the person sits.
    const found = environmentOf('profile');
    expect(Object.keys(found).filter((name) => name === 'MINE' || Object.hasOwn(loaders, name))).toEqual([]);
    expect(found).toMatchObject({ TERM: 'xterm' });
    for (const shell of shells) {
      expect((await shell.run(line)).code).toBe(0);
    }
    expect(here.runs('profile')).toBe(2);
  });
});

describe('share: false', () => {
  test('gets the caller’s environment, but nothing that loads; its answer is that terminal’s alone', async () => {
    const [first, second] = [here.terminal({ MINE: '1', ...loaders }), here.terminal({ MINE: '2' })];
    here.stage.api.forgetRequests();
    const line = '$K --context own get pods -o name';
    for (const shell of [first, first, second, second]) {
      expect((await shell.run(line)).code).toBe(0);
    }
    expect([here.runs('own'), here.users()]).toEqual([2, ['own-1', 'own-2']]);
    expect([environmentOf('own', 1)['MINE'], environmentOf('own', 2)['MINE']]).toEqual(['1', '2']);
    const found = environmentOf('own', 1);
    expect(Object.keys(found).filter((name) => Object.hasOwn(loaders, name))).toEqual([]);
    expect(Object.keys(found).filter((name) => name.startsWith('LANYARD_'))).toEqual([]);
    expect(found).toMatchObject({ HOME: here.stage.home.env['HOME'], TERM: 'xterm' });
    expect(credentialIn(await here.ask('own')).token).toBe(here.plugin('own').token(3));
  });
});

/** A line for the plugin's shell: kubectl of this stage, with another account or its own. */
function kubectlLine(name: Name): string {
  const words = ['env', `LANYARD_HOME=${here.stage.home.path}`, here.kubectlUsed.path];
  const args = ['--kubeconfig', here.kubeconfig, '--context', name, 'get', 'pods', '-o', 'name'];
  return [...words, ...args].map(quoteForShell).join(' ');
}

describe('a plugin that runs kubectl', () => {
  test('with its own account fails at once, and the call that ran it says why', async () => {
    const plugin = here.plugin('looping');
    plugin.does('relays');
    plugin.calls(kubectlLine('looping'));
    const done = await here.getPods('looping');
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(loop);
    expect(done.stderr).toContain(`exec: executable ${plugin.command} failed with exit code 1`);
    expect(plugin.runs()).toHaveLength(1);
    expect(plugin.runs()[0]?.called?.stderr).toContain(`lanyard: the plugin of looping ${loop}`);
  });

  test('the same out of a process that has left its session and its parents', async () => {
    const plugin = here.plugin('forked');
    const said = `${plugin.folder}/said`;
    plugin.does('relays');
    plugin.calls(
      `setsid sh -c '(${kubectlLine('forked').replaceAll("'", '"')}; echo $? >"$0.code") >"$0" 2>&1 &' ${quoteForShell(said)} </dev/null
       until [ -s ${quoteForShell(`${said}.code`)} ]; do sleep 0.05; done
       cat ${quoteForShell(said)} >&2; exit "$(cat ${quoteForShell(`${said}.code`)})"`,
    );
    const done = await here.getPods('forked');
    expect([done.code, here.runs('forked')]).toEqual([1, 1]);
    expect(done.stderr).toContain(`lanyard: the plugin of forked ${loop}`);
    await nothingLeft(plugin);
  });
});

describe('clusters that give the plugin of one account more arguments and variables', () => {
  const getPods = (context: string) =>
    here.stage.kubectl(
      here.kubectlUsed,
      here.kubeconfig,
      ['--context', context, 'get', 'pods', '-o', 'name'],
      {
        // The cluster's own value wins over the caller's.
        env: { PLUGIN_ANSWER: context === 'fleet' ? 'unset' : 'of the caller' },
      },
    );

  test('each cluster’s answer is its own, whoever asks first, and kubectl lists pods with it (KEP-5339/arguments, KEP-5339/variables)', async () => {
    here.stage.api.forgetRequests();
    for (const round of [1, 2]) {
      for (const context of ['east', 'fleet', 'west']) {
        const { code, stdout, stderr } = await getPods(context);
        expect([round, context, code, stderr]).toEqual([round, context, 0, '']);
        expect(stdout).toContain('pod/');
      }
    }
    expect(here.users()).toEqual(['fleet-first', 'fleet-unset', 'fleet-second']);
    const runs = here.plugin('fleet').runs();
    expect(runs.map(({ args, env }) => [args, env['PLUGIN_ANSWER']])).toEqual([
      [['get-token', 'do=variable', '--cluster', 'east'], 'first'],
      [['get-token', 'do=variable'], 'unset'],
      [['get-token', 'do=variable', '--cluster', 'west'], 'second'],
    ]);
    // It isn't told the cluster: that is provideClusterInfo.
    expect(runs.map(({ info }) => info)).toEqual(
      runs.map(() => expect.objectContaining({ spec: { interactive: false } })),
    );
  });
});
