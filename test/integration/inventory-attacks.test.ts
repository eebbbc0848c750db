import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { agree } from '../support/agree.ts';
import { addHub, InventoryHub, type ProfileObject, profileObject } from '../support/inventory-hub.ts';
import { findKubectls } from '../support/kubectl.ts';
import type { KubernetesApi } from '../support/kubernetes-api.ts';
import { isLong } from '../support/long.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';

/** Who can write one namespace of a hub, and a broker that is killed or gets old files back. */
let stage: Stage;
let hubApi: KubernetesApi;
const hub = new InventoryHub();
const { newest: kubectl } = findKubectls();

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, parts) => {
      hubApi = await addHub(config, parts, hub);
      config.accounts['fleet'] = { staticToken: {} };
      config.inventories = {
        fleet: {
          cluster: 'hub',
          providers: [{ name: 'robots', account: 'fleet' }],
          servers: ['localhost'],
          select: 'tier=auto',
        },
      };
    },
  });
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'fleet'], { input: stage.botToken }));
});
afterAll(async () => {
  await stage?.dispose();
  await hubApi?.dispose();
});

const at = (namespace: string, name: string, cluster: object, labels = {}): ProfileObject =>
  profileObject(namespace, name, {
    metadata: { namespace, name, uid: `${namespace}-${name}`, labels },
    status: { accessProviders: [{ name: 'robots', cluster }] },
  });
/** Of the first the stage’s own API server. */
const server = (number: number) =>
  `${stage.api.server.replace('127.0.0.1', 'localhost')}${number === 0 ? '' : `/c${number}`}`;
const good = (number: number, labels = {}) =>
  at(
    'team',
    `c${number}`,
    {
      server: server(number),
      'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
    },
    labels,
  );
/** The same server, with a name that comes before it, and without TLS verification. */
const evil = (number: number) =>
  at('evil', `c${number}`, { server: server(number), 'insecure-skip-tls-verify': true }, { tier: 'auto' });

const listed = async () => {
  const { stdout } = await stage.lanyard(['inventory', 'list', '--json']);
  return (
    JSON.parse(stdout) as { profiles: { namespace: string; name: string; state: string; context: string }[] }
  ).profiles;
};
const states = async () =>
  (await listed()).flatMap(({ namespace, name, state }) =>
    state === 'available' ? [] : [`${namespace}/${name} ${state}`],
  );
const contexts = () =>
  (
    (parse(readFileSync(stage.home.file('kubeconfig'), 'utf8')) as { contexts: { name: string }[] })
      .contexts ?? []
  ).map(({ name }) => name);
const pods = (context: string) =>
  stage.kubectl(kubectl, stage.home.file('kubeconfig'), ['--context', context, 'get', 'pods', '-A']);

/** It is in use since the flood of profiles. */
const contextOfC0 = async () =>
  (await listed()).find(({ state, name }) => state === 'inUse' && name === 'c0')?.context ?? '';

const useAtTerminal = async (...names: string[]) =>
  expect(await agree(stage.onTerminal(['inventory', 'use', ...names]))).toMatchObject({ code: 0 });

test('of a vault and a profiles.json of different times, nothing is in use that both don’t have', async () => {
  const copy = (from: string, to: string, names: string[]) => {
    for (const name of names) {
      copyFileSync(join(stage.home.path, `${name}${from}`), join(stage.home.path, `${name}${to}`));
    }
  };
  const [vault, profiles] = [['vault', 'vault.previous'], ['profiles.json']];
  hub.put(good(1_000), good(1_001));
  await until(async () => ((await listed()).length === 2 ? true : null), 'the profiles');
  await useAtTerminal('c1000');
  copy('', '.first', [...vault, ...profiles]);
  mustBeGood(await stage.lanyard(['inventory', 'drop', 'c1000']));
  await useAtTerminal('c1001');
  copy('', '.second', vault);
  expect(await states()).toEqual(['team/c1001 inUse']);

  await stage.agent.kill('SIGKILL');
  copy('.first', '', vault);
  await stage.startAgent();
  await until(async () => ((await states()).join() === 'team/c1001 pending' ? true : null), 'c1001 pending');
  await until(() => (contexts().includes('c1001') ? null : true), 'its context’s end');
  // Its approval isn’t there for when it is used again.
  await stage.lanyard(['inventory', 'use', 'c1000']);
  expect(await states()).toEqual(['team/c1000 pending', 'team/c1001 pending']);

  await stage.agent.kill('SIGKILL');
  copy('.second', '', vault);
  copy('.first', '', profiles);
  await stage.startAgent();
  await until(async () => ((await states()).join() === 'team/c1000 pending' ? true : null), 'c1000 pending');
  await stage.lanyard(['inventory', 'use', 'c1001']);
  expect(await states()).toEqual(['team/c1000 pending', 'team/c1001 pending']);
  expect(contexts()).not.toContain('c1000');

  mustBeGood(await stage.lanyard(['inventory', 'drop', 'c1000', 'c1001']));
  hub.delete('team', 'c1000');
  hub.delete('team', 'c1001');
  await until(async () => ((await listed()).length === 0 ? true : null), 'their end');
});

const flood = isLong ? 10_000 : 300;
test(`a namespace of ${flood} profiles that claim the servers of others takes neither their places nor their servers`, async () => {
  const tier = { tier: 'auto' };
  hub.put(...Array.from({ length: flood }, (_, number) => evil(number)));
  const tally = async (namespace: string) =>
    (await listed()).filter((each) => each.namespace === namespace && each.state !== 'available').length;
  await until(async () => ((await tally('evil')) === 200 ? true : null), 'its choice');
  hub.put(...Array.from({ length: 100 }, (_, number) => good(number, tier)));
  await until(async () => ((await tally('team')) === 100 ? true : null), 'the choice of the others');
  expect(await tally('evil')).toBe(100);
  // Both claim it, and were never approved.
  expect(await states()).toEqual(expect.arrayContaining(['evil/c0 refused', 'team/c0 refused']));
  const shown = await stage.lanyard(['inventory', 'show', 'evil/c0']);
  expect(shown.stdout).toMatch(
    /State: +name or server taken\nConflict: +another cluster has its name, or its server/,
  );
  await useAtTerminal(...Array.from({ length: 20 }, (_, number) => `team/c${number}`));
  const inUse = (await listed()).filter(({ state }) => state === 'inUse');
  expect(new Set(inUse.map(({ namespace }) => namespace))).toEqual(new Set(['team']));
  expect(inUse).toHaveLength(20);
  mustBeGood(await pods(await contextOfC0()));
  hub.put(evil(2 * flood));
  await until(async () => ((await listed()).length === flood + 101 ? true : null), 'one more');
  expect((await listed()).filter(({ state }) => state === 'inUse')).toHaveLength(20);
});

test('an import takes no profile’s name, and writes no context of one that is pending', async () => {
  const [context, unapproved] = [await contextOfC0(), `c${3 * flood}`];
  hub.put(good(3 * flood));
  await until(async () => (await listed()).find(({ name }) => name === unapproved), 'the profile');
  expect(await stage.lanyard(['inventory', 'use', unapproved])).toMatchObject({ code: exitCodes.pending });
  const before = [await states(), contexts()];
  const theirs = stage.home.write(
    'theirs.yaml',
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://elsewhere.example.org' } }],
      users: [{ name: 'u', user: { token: 'of-theirs' } }],
      contexts: [{ name: context, context: { cluster: 'c', user: 'u' } }],
    }),
  );
  expect((await stage.lanyard(['kubeconfig', 'import', theirs, '--yes'])).code).toBe(exitCodes.pending);
  const added = contexts().filter((name) => !before[1]?.includes(name));
  expect(added).toEqual([`${context}-2`]);
  expect(contexts()).not.toContain(unapproved);
  expect(await states()).toEqual(before[0]);
  mustBeGood(await pods(context));
});

test('account, hub and inventory of profiles in use go in that order alone, and leave nothing', async () => {
  const context = await contextOfC0();
  expect(await stage.lanyard(['account', 'remove', 'fleet', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/serves these inventories: fleet\n.*lanyard inventory remove/),
  });
  expect(await stage.lanyard(['cluster', 'remove', 'hub'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no cluster hub'),
  });
  expect(await stage.lanyard(['cluster', 'remove', context])).toMatchObject({
    stderr: expect.stringContaining('lanyard inventory drop '),
  });
  mustBeGood(await pods(context));
  mustBeGood(await stage.lanyard(['inventory', 'remove', 'fleet']));
  expect(contexts()).not.toContain(context);
  mustBeGood(await stage.lanyard(['cluster', 'remove', 'hub']));
  mustBeGood(await stage.lanyard(['account', 'remove', 'fleet', '--yes']));
  expect(readFileSync(join(stage.home.path, 'profiles.json'), 'utf8')).not.toContain('team');
});
