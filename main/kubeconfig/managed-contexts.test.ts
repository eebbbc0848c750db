import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { createManagedContexts } from './managed-contexts.ts';
import { writeManagedKubeconfig } from './write-managed-kubeconfig.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = folderForTest();
  path = join(folder, 'kubeconfig');
});

function aCluster(name: string, isProfile = false): LoadedCluster {
  const config = clusterSchema.parse({ server: `https://${name}`, account: 'corp' });
  const origin = { inventory: 'fleet', namespace: 'n', name, uid: 'u' } as LoadedCluster['origin'];
  return { name, config, certificateAuthorityPem: null, ...(isProfile && { origin }) };
}

const writeFor = (clusters: readonly LoadedCluster[], first?: 'asItWas') =>
  writeManagedKubeconfig({
    path,
    clusters,
    first,
    helperPath: '/h',
    home: null,
    apiVersion: 'v1',
    platform: 'linux',
  });

type Given = Parameters<typeof createManagedContexts>[0];

/** The contexts of a file that has none of every cluster, and the run that `follow` waits for. */
function managed(given: Pick<Given, 'clusters'> & Partial<Given>) {
  let run = () => undefined as unknown;
  const contexts = createManagedContexts({
    path,
    write: () => expect.unreachable(),
    isOfProfile: (name) => ['east', 'west'].includes(name),
    isUsable: () => true,
    hasAll: () => false,
    clock: {
      after: (_, then) => {
        run = then;
        return { dispose: () => undefined };
      },
    },
    log: { warn: (_: string, what: object) => expect.unreachable(JSON.stringify(what)) } as never,
    ...given,
  });
  onTestFinished(() => contexts.dispose());
  return { contexts, run: () => run() };
}

/** Follows once with these clusters, of which `pending` are issued nothing. */
async function follow(clusters: LoadedCluster[], pending: string[] = []) {
  let wrote = () => undefined as unknown;
  const written = new Promise((resolve) => {
    wrote = () => resolve(undefined);
  });
  const { contexts, run } = managed({
    write: async (all, _, first) => {
      const warnings = await writeFor(all, first as 'asItWas' | undefined);
      wrote();
      return warnings;
    },
    clusters: () => clusters,
    isUsable: ({ name }) => !pending.includes(name),
  });
  contexts.follow();
  run();
  await written;
  await contexts.dispose();
  return namesIn(readFileSync(path, 'utf8'));
}

const namesIn = (text: string) => parse(text).contexts.map(({ name }: { name: string }) => name);

test('a profile’s context comes, and config.yaml’s stay as they were: a pending one, and none that wasn’t there', async () => {
  await writeFor([aCluster('prod'), aCluster('imported')]);
  const clusters = [aCluster('prod'), aCluster('imported'), aCluster('new'), aCluster('east', true)];
  expect(await follow(clusters, ['imported'])).toEqual(['prod', 'imported', 'east']);
});

test('as kubectl wrote the file, too', async () => {
  await writeFor([aCluster('prod'), aCluster('imported')]);
  const { clusters: own, ...rest } = parse(readFileSync(path, 'utf8'));
  const byKubectl = stringify(
    { apiVersion: 'v1', clusters: own.map(({ name, cluster }: never) => ({ cluster, name })), ...rest },
    { indentSeq: false },
  );
  writeFileSync(path, byKubectl);
  const clusters = [aCluster('prod'), aCluster('imported'), aCluster('east', true)];
  expect(await follow(clusters, ['imported'])).toEqual(['prod', 'imported', 'east']);
});

test('a profile that is gone or pending has no context', async () => {
  await writeFor([aCluster('prod'), aCluster('east', true), aCluster('west', true)]);
  expect(await follow([aCluster('prod'), aCluster('west', true)], ['west'])).toEqual(['prod']);
});

test('the current context that is gone is no other cluster’s, and is there again when it returns', async () => {
  await writeFor([aCluster('east', true), aCluster('prod')]);
  const current = () => parse(readFileSync(path, 'utf8'))['current-context'];
  expect(current()).toBe('east');
  expect(await follow([aCluster('prod')])).toEqual(['prod']);
  expect(current()).toBe('east');
  expect(await follow([aCluster('prod'), aCluster('east', true)])).toEqual(['prod', 'east']);
  expect(current()).toBe('east');
});

test('a first profile is no current context in a file that had none', async () => {
  await writeFor([]);
  expect(await follow([aCluster('east', true)])).toEqual(['east']);
  expect(parse(readFileSync(path, 'utf8'))['current-context']).toBe('');
});

test('nothing is written while it can’t be told which there are', async () => {
  await writeFor([aCluster('prod'), aCluster('east', true)]);
  expect(await managed({ clusters: () => null }).contexts.write()).toEqual([]);
});

test('nothing is written where no profile is in use, and none was', async () => {
  await writeFor([aCluster('prod')]);
  const { contexts, run } = managed({ clusters: () => [aCluster('prod'), aCluster('new')] });
  contexts.follow();
  run();
});

test('what another one writes meanwhile is not lost', async () => {
  await writeFor([aCluster('prod')]);
  const { contexts, run } = managed({
    write: (all, _, first) => writeFor(all, first as 'asItWas' | undefined),
    clusters: () => [aCluster('prod'), aCluster('added'), aCluster('east', true)],
  });
  const other = contexts.writeOnly([aCluster('prod'), aCluster('added')], 'v1');
  contexts.follow();
  run();
  await other;
  await expect.poll(() => namesIn(readFileSync(path, 'utf8'))).toEqual(['prod', 'added', 'east']);
});

test('a cluster whose proxy is turned off gets its own server, also where the user had it written since the last change', async () => {
  const proxied = { ...aCluster('prod'), config: { ...aCluster('prod').config, proxy: {} } } as LoadedCluster;
  const server = 'https://127.0.0.1:7/c/prod';
  let clusters: LoadedCluster[] = [];
  const { contexts, run } = managed({
    write: (all) =>
      writeFor(
        all.map((each) => (each.config.proxy ? { ...each, config: { ...each.config, server } } : each)),
      ),
    clusters: () => clusters,
  });
  await contexts.write();
  clusters = [proxied];
  await contexts.writeOnly(clusters, 'v1');
  clusters = [aCluster('prod')];
  contexts.follow();
  run();
  const written = () => parse(readFileSync(path, 'utf8')).clusters[0].cluster.server;
  await expect.poll(written).toBe('https://prod');
});
