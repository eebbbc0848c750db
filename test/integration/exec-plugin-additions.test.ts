import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn } from '../support/stage.ts';

/** Clusters that give the plugin of one account more arguments and variables (additionalArgs, additionalEnv). */
let here: PluginStage<'fleet'>;

const additions = (cluster: string, answer: string) => ({
  additionalArgs: ['--cluster', cluster],
  additionalEnv: [{ name: 'PLUGIN_ANSWER', value: answer }],
});

beforeAll(async () => {
  const fields = { args: ['get-token', 'do=variable'], environment: ['PLUGIN_ANSWER'] };
  here = await openPluginStage(
    ['fleet'],
    { fleet: fields },
    {
      extend: ({ clusters }) => {
        clusters['east'] = { ...clusters['fleet'], ...additions('east', 'first'), disableCompression: true };
        clusters['west'] = { ...clusters['fleet'], ...additions('west', 'second') };
      },
    },
  );
});
afterAll(() => here?.dispose());

const getPods = (context: string) =>
  here.stage.kubectl(here.kubectlUsed, here.kubeconfig, ['--context', context, 'get', 'pods', '-o', 'name'], {
    // The cluster's own value wins over the caller's.
    env: { PLUGIN_ANSWER: context === 'fleet' ? 'unset' : 'of the caller' },
  });

test('each cluster’s answer is its own, whoever asks first, and kubectl lists pods with it (KEP-5339/arguments, KEP-5339/variables)', async () => {
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

test('the helper asked for one cluster never gets another’s', async () => {
  const ask = async (cluster: string) =>
    credentialIn(await here.stage.ask('fleet', here.stage.execInfo(), { args: ['--cluster', cluster] }))
      .token;
  const plugin = here.plugin('fleet');
  expect(await ask('east')).toBe(plugin.tokenFor('first'));
  expect(await ask('west')).toBe(plugin.tokenFor('second'));
});

test('the managed kubeconfig says that answers aren’t compressed', async () => {
  const view = await here.stage.kubectl(here.kubectlUsed, here.kubeconfig, [
    'config',
    'view',
    '-o',
    'jsonpath={range .clusters[*]}{.name}={.cluster.disable-compression} {end}',
  ]);
  expect(view.stdout).toContain('east=true ');
  expect(view.stdout).toContain('west= ');
});
