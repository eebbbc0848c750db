import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { withoutLinks } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { classifyUser } from '../../domain/import/index.ts';
import { silentLog } from '../../ports/log.ts';
import { readKubeconfigs } from '../read/read-kubeconfigs.ts';
import { createKubeconfigWatch, type KubeconfigWatch } from './kubeconfig-watch.ts';
import { openKubeconfigState } from './state-file.ts';

/** A plan that made nothing. */
const nothing = { users: [], clusters: [] };

let folder: string;
let usual: string;
let managed: string;
let stateFile: string;
let clock: ManualClock;
let reads: number;
let watch: KubeconfigWatch;

beforeEach(async () => {
  folder = folderForTest();
  usual = join(folder, '.kube', 'config');
  managed = join(folder, 'kubeconfig');
  stateFile = join(folder, 'kubeconfigs.json');
  clock = new ManualClock();
  reads = 0;
  watch = await begin();
});
afterEach(() => watch.dispose());

async function begin(): Promise<KubeconfigWatch> {
  return createKubeconfigWatch({
    files: [usual, managed],
    state: await openKubeconfigState({ file: stateFile, log: silentLog }),
    read: (files) => {
      reads += 1;
      return readKubeconfigs(files);
    },
    classify: classifyUser,
    clock,
    log: silentLog,
  });
}

/** The broker ends and another begins. */
async function restart(): Promise<void> {
  await watch.dispose();
  watch = await begin();
  await watch.look();
}

const exec = (command: string, ...args: string[]) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'IfAvailable' },
});
const users = {
  token: { token: 'planted-secret' },
  certificate: {
    'client-certificate-data': Buffer.from('x').toString('base64'),
    'client-key-data': Buffer.from('planted-secret').toString('base64'),
  },
  aws: exec('aws', 'eks', 'get-token'),
  lanyard: exec('/h/bin/lanyard', 'kube-credential', '--account', 'a', '--cluster', 'c'),
  gcp: { 'auth-provider': { name: 'gcp' } },
  basic: { username: 'u', password: 'planted-secret' },
  nothing: {},
};

/** A kubeconfig in which each of these users has a context. */
function text(given: Record<string, keyof typeof users>, contexts = Object.keys(given)): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
    users: Object.entries(given).map(([name, kind]) => ({ name, user: users[kind] })),
    contexts: contexts.map((name) => ({ name, context: { cluster: 'c', user: name } })),
  });
}

async function write(file: string, content: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  await watch.look();
}

const offered = () => watch.offers().map(({ file, importable }) => [file, importable.join()]);

/**
 * What these programs write over entries of the same names, by the place in their source that makes them. Lanyard had
 * given the context, or its user, its own entry (rule: reversible-edits).
 */
const v1beta1 = 'client.authentication.k8s.io/v1beta1';
test.each<[program: string, context: string, user: string, credential: object]>([
  [
    // awscli/customizations/eks/update_kubeconfig.py, EKSClient.get_user_entry
    'aws eks update-kubeconfig',
    'arn:aws:eks:eu-west-1:111122223333:cluster/prod',
    'arn:aws:eks:eu-west-1:111122223333:cluster/prod',
    {
      exec: {
        apiVersion: v1beta1,
        args: ['--region', 'eu-west-1', 'eks', 'get-token', '--cluster-name', 'prod', '--output', 'json'],
        command: 'aws',
      },
    },
  ],
  [
    // googlecloudsdk/api_lib/container/kubeconfig.py, _ExecAuthPlugin
    'gcloud container clusters get-credentials',
    'gke_shop_europe-west1_prod',
    'gke_shop_europe-west1_prod',
    {
      exec: {
        apiVersion: v1beta1,
        command: 'gke-gcloud-auth-plugin',
        installHint: 'x',
        provideClusterInfo: true,
      },
    },
  ],
  [
    // The service writes it; az aks get-credentials --overwrite-existing merges it (aks/custom.py, _handle_merge).
    'az aks get-credentials',
    'prod',
    'clusterUser_shop_prod',
    { ...users.certificate, ...users.token },
  ],
  [
    // openshift/oc, pkg/helpers/kubeconfig: CreateConfig
    'oc login',
    'shop/api-prod-example-com:6443/dev',
    'dev/api-prod-example-com:6443',
    { token: 'sha256~planted-secret' },
  ],
  [
    // gravitational/teleport, lib/kube/kubeconfig: Update
    'tsh kube login',
    'teleport.example.com-prod',
    'teleport.example.com-prod',
    {
      exec: {
        apiVersion: v1beta1,
        command: '/usr/local/bin/tsh',
        args: ['kube', 'credentials', '--kube-cluster=prod', '--teleport-cluster=teleport.example.com'],
      },
    },
  ],
])('%s over an entry of Lanyard’s is said', async (_, context, user, credential) => {
  const config = (own: object, entry: object, contextUser: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: user, cluster: { server: 'https://c' } }],
      users: [
        { name: user, user: entry },
        { name: `${user}@${context}`, user: own },
      ],
      contexts: [{ name: context, context: { cluster: user, user: contextUser } }],
    });
  const ours = users.lanyard;
  // In the place of Lanyard’s entry, and beside it.
  for (const [before, after] of [
    [config(ours, ours, user), config(ours, credential, user)],
    [config(ours, credential, `${user}@${context}`), config(ours, credential, user)],
  ] as [string, string][]) {
    await write(usual, before);
    await watch.markSeen(await readKubeconfigs([usual]), nothing);
    await write(usual, before);
    expect(watch.undone()).toEqual([]);
    await write(usual, after);
    expect([offered(), watch.undone()]).toMatchObject([[], [{ file: usual }]]);
    expect(watch.undone()[0]?.command).toContain(context);
    expect(JSON.stringify(watch.undone())).not.toContain('planted-secret');
  }
});

test('a user counts by its kind; what authenticates no one, and Lanyard’s own, is no offer', async () => {
  await write(
    usual,
    text({ t: 'token', c: 'certificate', a: 'aws', l: 'lanyard', g: 'gcp', b: 'basic', n: 'nothing' }),
  );
  expect(offered()).toEqual([[usual, 't,c,a']]);
});

test('a user that no context names is no offer, one that a context of another file names is', async () => {
  await write(usual, text({ t: 'token', unused: 'token' }, ['t']));
  expect(offered()).toEqual([[usual, 't']]);
  await write(managed, text({}, ['unused']));
  expect(offered()).toEqual([[usual, 't,unused']]);
});

test('foreign entries of the managed kubeconfig are offered, Lanyard’s own are not', async () => {
  await write(managed, text({ 'lanyard:a@c': 'lanyard', 'kind-kind': 'certificate' }));
  expect(offered()).toEqual([[managed, 'kind-kind']]);
});

test('KEP-541/kubeconfig-unchanged: files are read, never written; only names are remembered', async () => {
  const content = text({ t: 'token', c: 'certificate', b: 'basic' });
  await write(usual, content);
  await watch.markSeen(await readKubeconfigs([usual]), nothing);
  await watch.dismiss();
  expect(readFileSync(usual, 'utf8')).toBe(content);
  const remembered = readFileSync(stateFile, 'utf8');
  expect(remembered).toContain('"t"');
  expect(remembered).not.toMatch(/planted-secret|cGxhbnRlZ/);
});

describe('after an import', () => {
  beforeEach(async () => {
    await write(usual, text({ t: 'token', a: 'aws' }));
    await watch.markSeen(await readKubeconfigs([usual]), nothing);
  });

  test('nothing of what was there is offered, also after a restart; what comes later is', async () => {
    expect(offered()).toEqual([]);
    await restart();
    expect(offered()).toEqual([]);
    await write(usual, text({ t: 'token', a: 'aws', later: 'token', eks: 'aws' }));
    expect(offered()).toEqual([[usual, 'later,eks']]);
  });

  test('a user that another program makes something else of is news', async () => {
    await write(usual, text({ t: 'certificate', a: 'aws' }));
    expect(offered()).toEqual([[usual, 't']]);
  });

  test('edited in place, and then written over as it was before, is undone, until it runs Lanyard again', async () => {
    await write(usual, text({ t: 'lanyard', a: 'lanyard' }));
    expect([offered(), watch.undone()]).toEqual([[], []]);
    await restart();
    await write(usual, text({ t: 'token', a: 'aws', new: 'token' }));
    expect(offered()).toEqual([[usual, 'new']]);
    const undone = {
      what: 'kubeconfig',
      file: usual,
      text: 'the contexts t, a no longer use Lanyard: another program wrote the entries again',
      command: `lanyard kubeconfig import --in-place --context t --context a ${usual}`,
    };
    expect(watch.undone()).toEqual([undone]);
    await restart();
    expect(watch.undone()).toEqual([undone]);
    await write(usual, text({ t: 'lanyard', a: 'lanyard' }));
    expect(watch.undone()).toEqual([]);
  });

  test('a context that the user leaves as it is, that is gone, or whose import is undone is no longer said', async () => {
    const lanyard = text({ t: 'lanyard' });
    const other = text({ t: 'aws' });
    await write(usual, lanyard);
    await write(usual, other);
    expect(await watch.dismiss([usual])).toMatchObject({ leaving: [{ file: usual }], kept: true });
    expect([offered(), watch.undone()]).toEqual([[[usual, 't']], []]);
    await write(usual, lanyard);
    await write(usual, text({}));
    await write(usual, other);
    expect(watch.undone()).toEqual([]);
    await write(usual, lanyard);
    await write(usual, other);
    await watch.markRestored(usual);
    expect([offered(), watch.undone()]).toEqual([[], []]);
  });

  test('removed and made again (kind delete cluster, kind create cluster) is news', async () => {
    await write(usual, text({ a: 'aws' }));
    await write(usual, text({ t: 'token', a: 'aws' }));
    expect(offered()).toEqual([[usual, 't']]);
  });

  test.each([
    ['half of it', '{"users": [{"name": "t"'],
    ['nothing yet', ''],
  ])('a file with %s is no reason to forget', async (_, half) => {
    await write(usual, half);
    await write(usual, text({ t: 'token', a: 'aws' }));
    expect(offered()).toEqual([]);
  });

  test('hidden users of a second file are seen, too, and the file is watched after a restart', async () => {
    const second = join(folder, 'second');
    await write(second, text({ t: 'certificate', other: 'token' }));
    await watch.markSeen(await readKubeconfigs([usual, second]), nothing);
    await restart();
    expect(offered()).toEqual([]);
    await write(second, text({ t: 'certificate', other: 'token', third: 'token' }));
    expect(offered()).toEqual([[second, 'third']]);
  });

  test('what an undo restores is nothing new; what comes later is', async () => {
    await write(usual, text({ t: 'lanyard', a: 'lanyard' }));
    writeFileSync(usual, text({ t: 'token', a: 'aws' }));
    await watch.markRestored(usual);
    await watch.look();
    expect(offered()).toEqual([]);
    await restart();
    await write(usual, text({ t: 'token', a: 'aws', later: 'token' }));
    expect(offered()).toEqual([[usual, 'later']]);
  });
});

describe('what is dismissed', () => {
  test('is no longer offered, whatever becomes of it, also after a restart', async () => {
    await write(usual, text({ t: 'token', a: 'aws' }));
    expect((await watch.dismiss()).dismissed).toEqual([{ file: usual, importable: ['t', 'a'] }]);
    expect(offered()).toEqual([]);
    await restart();
    await write(usual, text({}));
    await write(usual, text({ t: 'certificate', a: 'aws', later: 'token' }));
    expect(offered()).toEqual([[usual, 'later']]);
  });

  test('is of the named files alone', async () => {
    await write(usual, text({ t: 'token' }));
    await write(managed, text({ k: 'token' }));
    await watch.dismiss([managed]);
    expect(offered()).toEqual([[usual, 't']]);
    expect((await watch.dismiss(['/elsewhere'])).dismissed).toEqual([]);
  });
});

describe('files as they come and go', () => {
  test('what a reading finds broken leaves the offers as they were, until it is whole', async () => {
    await write(usual, text({ t: 'token' }));
    await write(usual, text({ t: 'token', u: 'token' }).slice(0, -20));
    expect(offered()).toEqual([[usual, 't']]);
    await write(usual, text({ t: 'token', u: 'token' }));
    expect(offered()).toEqual([[usual, 't,u']]);
  });

  test('a file that goes takes its offers along', async () => {
    await write(usual, text({ t: 'token' }));
    rmSync(usual);
    await watch.look();
    expect(offered()).toEqual([]);
  });

  test.skipIf(withoutLinks)('a replaced file and a link that is led elsewhere are read again', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    writeFileSync(one, text({ t: 'token' }));
    writeFileSync(two, text({ u: 'token' }));
    mkdirSync(dirname(usual));
    symlinkSync(one, usual);
    await watch.look();
    expect(offered()).toEqual([[usual, 't']]);
    symlinkSync(two, `${usual}.new`);
    renameSync(`${usual}.new`, usual);
    await watch.look();
    expect(offered()).toEqual([[usual, 'u']]);
    await write(two, text({ u: 'token', v: 'token' }));
    expect(offered()).toEqual([[usual, 'u,v']]);
  });

  test('a file that changes while it is read is read again', async () => {
    await watch.dispose();
    const state = await openKubeconfigState({ file: stateFile, log: silentLog });
    mkdirSync(dirname(usual));
    writeFileSync(usual, text({ t: 'token' }));
    let meanwhile: string | null = text({ t: 'token', u: 'token' });
    watch = createKubeconfigWatch({
      files: [usual],
      state,
      read: async (files) => {
        const merged = await readKubeconfigs(files);
        if (meanwhile !== null) {
          writeFileSync(usual, meanwhile);
          meanwhile = null;
        }
        return merged;
      },
      classify: classifyUser,
      clock,
      log: silentLog,
    });
    await watch.look();
    clock.advance(300);
    await vi.waitFor(() => expect(offered()).toEqual([[usual, 't,u']]));
  });

  test('as long as nothing changes nothing is read', async () => {
    await write(usual, text({ t: 'token' }));
    const before = reads;
    await watch.look();
    await watch.look();
    expect(reads).toBe(before);
  });

  test('a poll finds what no event told of, and who listens is told once', async () => {
    await watch.look();
    let told = 0;
    watch.onChange(() => {
      told += 1;
    });
    // Its folder wasn't there: nothing could be watched.
    mkdirSync(dirname(usual));
    writeFileSync(usual, text({ t: 'token' }));
    clock.advance(3000);
    await vi.waitFor(() => expect(offered()).toEqual([[usual, 't']]));
    await watch.look();
    expect(told).toBe(1);
  });

  test('an event is enough', async () => {
    await write(usual, text({ t: 'token' }));
    clock.advance(300);
    await watch.look();
    const pending = clock.pending;
    writeFileSync(usual, text({ t: 'token', u: 'token' }));
    await vi.waitFor(() => expect(clock.pending).toBe(pending + 1));
    clock.advance(300);
    await vi.waitFor(() => expect(offered()).toEqual([[usual, 't,u']]));
  });

  test('once disposed nothing waits', async () => {
    await write(usual, text({ t: 'token' }));
    await watch.dispose();
    expect(clock.pending).toBe(0);
  });
});
