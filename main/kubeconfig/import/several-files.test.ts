import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { type ImportedFiles, importedBefore, withImported } from '../../domain/import/imported-before.ts';
import type { LoadedAccount, LoadedCluster, LoadedConfig } from '../../domain/loaded-config.ts';
import { loadedCluster } from '../../domain/testing/loaded.ts';
import { noEntries } from '../../domain/testing/no-entries.ts';
import { hiddenLines } from '../../operations/import/hidden-entries.ts';
import { type PreparedImport, prepareImport } from './prepare.ts';
import { readSource } from './read-source.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** As each kubeadm makes it: all call their entries the same. */
const kubeadm = (
  number: number,
  context = 'admin@k',
) => `clusters: [{name: k, cluster: {server: "https://10.${number}.0.1:6443"}}]
contexts: [{name: ${context}, context: {cluster: k, user: admin}}]
users: [{name: admin, user: {token: token-of-cluster-${number}}}]
current-context: ${context}
`;

interface Past {
  config: Pick<LoadedConfig, 'accounts' | 'clusters'>;
  imported: ImportedFiles;
  secrets: PreparedImport['secrets'];
}

const nothing: Past = { config: noEntries, imported: {}, secrets: {} };

async function prepare(
  files: string[],
  { apart = true, inPlace = false, past = nothing }: { apart?: boolean; inPlace?: boolean; past?: Past } = {},
) {
  const source = await readSource(files, { homeDirectory: folder, searchPath: '/usr/bin', apart });
  const prepared = await prepareImport(
    source,
    { contexts: null, inPlace, apiVersion: 'v1' },
    {
      config: { ...noEntries, ...past.config } as LoadedConfig,
      content: { secrets: past.secrets, sessions: {} },
      before: importedBefore(past.imported),
      pending: new Set(),
      now: 0,
      helperPath: '/bin/lanyard',
      home: null,
      platform: 'linux',
    },
  );
  return { ...prepared, merged: source.merged };
}

/** What is there after this import. */
function after({ edits, secrets, plan }: PreparedImport): Past {
  const of = <Entry>(what: string, load: (name: string, value: object) => Entry) =>
    new Map(
      edits
        .filter((edit) => edit.what === what)
        .map(({ name, value }) => [name, load(name, value as object)]),
    );
  return {
    config: {
      accounts: of('account', (name, config) => ({ name, config }) as LoadedAccount),
      clusters: of('cluster', (name, value) => loadedCluster(name, value) as LoadedCluster),
    },
    imported: withImported({}, plan),
    secrets,
  };
}

const places = ({ plan }: PreparedImport) =>
  plan.clusters.map(({ context, server, becomes }) => [
    context,
    server,
    ...('cluster' in becomes ? [becomes.cluster, becomes.account] : [becomes.left]),
  ]);

describe('files that are named one by one', () => {
  test('all their clusters are imported, though they have the same names', async () => {
    const files = [await write('1', kubeadm(1)), await write('2', kubeadm(2)), await write('3', kubeadm(3))];
    const prepared = await prepare(files);
    expect(places(prepared)).toEqual([
      ['admin@k', 'https://10.1.0.1:6443', 'admin@k', 'admin'],
      ['admin@k-2', 'https://10.2.0.1:6443', 'admin@k-2', 'admin-2'],
      ['admin@k-3', 'https://10.3.0.1:6443', 'admin@k-3', 'admin-3'],
    ]);
    expect(Object.values(prepared.secrets).map(({ token }) => token?.reveal())).toEqual([
      'token-of-cluster-1',
      'token-of-cluster-2',
      'token-of-cluster-3',
    ]);
    expect(prepared.plan.clusters[1]?.notes).toContain(`it is admin@k of ${files[1]}`);
    expect(prepared.first.current).toBe('admin@k');
  });

  test('a later import knows each again: of all of them, and of one alone', async () => {
    const files = [await write('1', kubeadm(1)), await write('2', kubeadm(2))];
    const past = after(await prepare(files));
    expect((await prepare(files, { past })).edits).toEqual([]);
    const alone = await prepare([files[1] ?? ''], { past });
    expect([alone.edits, places(alone)]).toEqual([
      [],
      [['admin@k', 'https://10.2.0.1:6443', 'admin@k-2', 'admin-2']],
    ]);
  });

  test('a context has the cluster and the user of its own file, whatever it is called', async () => {
    const files = [await write('1', kubeadm(1)), await write('renamed', kubeadm(2, 'second'))];
    const prepared = await prepare(files);
    expect(places(prepared)[1]).toEqual(['second', 'https://10.2.0.1:6443', 'second', 'admin-2']);
    expect(prepared.plan.questions.filter(({ kind }) => kind === 'mixedFiles')).toEqual([]);
  });

  test('in place each file gets its own entries, under its own names', async () => {
    const files = [await write('1', kubeadm(1)), await write('2', kubeadm(2))];
    const edited = (await prepare(files, { inPlace: true })).files;
    expect(edited.map(({ path }) => path)).toEqual(files);
    for (const [index, { text }] of edited.entries()) {
      const { users, contexts } = parse(text);
      expect(contexts).toEqual([{ name: 'admin@k', context: { cluster: 'k', user: 'admin' } }]);
      expect(users.map(({ name }: { name: string }) => name)).toEqual(['admin']);
      expect(users[0].user.exec.args).toContain(index === 0 ? 'admin@k' : 'admin@k-2');
      expect(text).not.toContain('token-of-cluster');
    }
  });

  test('what is the same in two files is one cluster and one account; in place both are edited', async () => {
    const files = [await write('1', kubeadm(1)), await write('copy/1', kubeadm(1))];
    const prepared = await prepare(files, { inPlace: true });
    expect(prepared.edits.map(({ what, name }) => [what, name])).toEqual([
      ['account', 'admin'],
      ['cluster', 'admin@k'],
    ]);
    expect(prepared.files.map(({ path }) => path)).toEqual(files);
    expect((await prepare(files)).edits).toHaveLength(2);
  });

  test('relative paths are those of each file', async () => {
    const text = kubeadm(1).replace('token: token-of-cluster-1', 'tokenFile: token');
    const files = [await write('a/config', text), await write('b/config', text)];
    await write('a/token', 'token-of-a');
    await write('b/token', 'token-of-b');
    const { plan } = await prepare(files);
    expect(plan.users.map(({ becomes }) => 'account' in becomes && becomes.value)).toEqual([
      { staticToken: { file: join(folder, 'a/token') } },
      { staticToken: { file: join(folder, 'b/token') } },
    ]);
  });

  test('entries that are spread over files are found, and the plan says where', async () => {
    const files = [
      await write('contexts', 'contexts: [{name: x, context: {cluster: k, user: admin}}]\n'),
      await write('rest', kubeadm(1)),
    ];
    const { plan } = await prepare(files);
    expect(plan.clusters[0]?.notes).toContain(`its cluster and user come from ${files[1]}`);
    expect(plan.questions.filter(({ kind }) => kind === 'mixedFiles')).toEqual([]);
  });

  test('a name that no file has leads nowhere, and never to an entry that got a number', async () => {
    const contexts = 'contexts: [{name: x, context: {cluster: k, user: admin-2}}]\n';
    const files = [
      await write('1', kubeadm(1)),
      await write('2', kubeadm(2)),
      await write('contexts', contexts),
    ];
    const { plan } = await prepare(files);
    expect(plan.clusters.at(-1)?.becomes).toEqual({ left: 'there is no user admin-2' });
    expect(plan.users.map(({ user }) => user)).toEqual(['admin', 'admin-3']);
  });

  test('a name that its file lacks and several others have is asked about', async () => {
    const files = [
      await write('contexts', 'contexts: [{name: x, context: {cluster: k, user: admin}}]\n'),
      await write('1', kubeadm(1)),
      await write('2', kubeadm(2)),
    ];
    const asked = (await prepare(files)).plan.questions.find(({ kind }) => kind === 'mixedFiles');
    expect(asked).toMatchObject({ contexts: ['x'], isUsual: false });
    expect(asked?.lines[0]).toBe(
      `x of ${files[0]} uses the cluster k of ${files[1]} (https://10.1.0.1:6443); ${files[2]} has another one of that name`,
    );
  });
});

describe('the files of KUBECONFIG', () => {
  test('are merged as kubectl does, and each hidden entry is named with the one that hides it', async () => {
    const files = [await write('1', kubeadm(1)), await write('2', kubeadm(2)), await write('3', kubeadm(1))];
    const { merged, plan } = await prepare(files, { apart: false });
    expect(plan.clusters.map(({ server }) => server)).toEqual(['https://10.1.0.1:6443']);
    const at = (what: string, name: string, line: number, file = 1, more = '') =>
      `${what} ${name} of ${files[file]}:${line}: hidden by ${files[0]}:${line}${more}`;
    const same = ', which says the same';
    expect(hiddenLines(merged.hidden, '/managed')).toEqual([
      at('cluster', 'k', 1),
      at('context', 'admin@k', 2, 1, same),
      at('user', 'admin', 3),
      at('cluster', 'k', 1, 2, same),
      at('context', 'admin@k', 2, 2, same),
      at('user', 'admin', 3, 2, same),
    ]);
    expect(hiddenLines(merged.hidden, files[0] ?? '')).toEqual([
      `6 entries hidden by Lanyard’s own kubeconfig, ${files[0]}`,
    ]);
  });

  test('a context that gets the first file’s server and user is asked about', async () => {
    const files = [await write('1', kubeadm(1)), await write('renamed', kubeadm(2, 'second'))];
    const { plan } = await prepare(files, { apart: false });
    const uses = (what: string) => `second of ${files[1]} uses the ${what} of ${files[0]}`;
    expect(plan.questions.filter(({ kind }) => kind === 'mixedFiles')).toEqual([
      {
        kind: 'mixedFiles',
        contexts: ['second'],
        lines: [
          `${uses('cluster k')} (https://10.1.0.1:6443); its own file has another one of that name`,
          `${uses('user admin')}; its own file has another one of that name`,
        ],
        isUsual: false,
      },
    ]);
  });
});
