import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigPaths } from '../../main/kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../../main/kubeconfig/read/read-kubeconfigs.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { laxerThanKubectl, oddKubeconfigs, stricterThanKubectl } from '../support/odd-kubeconfigs.ts';
import { run } from '../support/processes.ts';
import { oddNames, randomKubeconfigs } from '../support/random-kubeconfigs.ts';
import { asShown, shownByKubectl } from '../support/shown-kubeconfig.ts';
import { seededRandom } from '../support/storm-random.ts';

/** What is read here is what real kubectls read: random files, merged. */
const seed = Number(process.env['LANYARD_SEED']);
/** Each batch is one merge of many sets of files whose names differ: kubectl's start costs more than its reading. */
const batches = isLong ? 200 : 10;
const namesOfSet = 8;

const { oldest, newest } = findKubectls();
const kubectls = [...new Map([oldest, newest].map((each) => [each.version, each])).values()];
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'ly-merge-'));
  mkdirSync(join(root, 'home'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Batch {
  cwd: string;
  list: string;
  complete: boolean;
  sets: number;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Files under a folder of their own, and the KUBECONFIG that names them, in one of its many ways. */
function writeBatch(index: number): Batch {
  const random = seededRandom(seed + index);
  const cwd = join(root, String(index), 'cwd');
  mkdirSync(cwd, { recursive: true });
  const complete = index % 2 === 0;
  const shuffled = oddNames
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
  const parts: string[] = [];
  const sets = index % 10 === 0 ? 1 : 10;
  for (let set = 0; set < sets; set++) {
    const names = shuffled.slice(set * namesOfSet, (set + 1) * namesOfSet);
    const folder = `set-${set}`;
    const { files, named } = randomKubeconfigs({ random, folder, root: cwd, names, complete });
    for (const { path, text } of files) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      if (text !== null) {
        write(join(cwd, path), text);
      }
      parts.push(random() < 0.5 ? path : join(cwd, path));
      parts.push(...(random() < 0.1 ? [''] : []), ...(random() < 0.1 ? [path] : []));
    }
    for (const [path, text] of named) {
      write(join(cwd, path), text);
    }
  }
  return { cwd, list: parts.join(':'), complete, sets };
}

function runView({ path }: Kubectl, { list, cwd }: Pick<Batch, 'list' | 'cwd'>, ...args: string[]) {
  const env = { HOME: join(root, 'home'), KUBECONFIG: list };
  return run(path, ['config', 'view', '--raw', ...args, '-o', 'json'], { env, cwd });
}

async function view(kubectl: Kubectl, batch: Pick<Batch, 'list' | 'cwd'>, ...args: string[]) {
  const ended = await runView(kubectl, batch, ...args);
  if (ended.code !== 0) {
    throw new Error(ended.stderr.slice(0, 2000));
  }
  return JSON.parse(ended.stdout);
}

test(`${batches} batches of random kubeconfigs are read as kubectl ${kubectls.map(({ version }) => version)} does (LANYARD_SEED=${seed})`, async () => {
  let entries = 0;
  let hidden = 0;
  for (let index = 0; index < batches; index++) {
    const batch = writeBatch(index);
    const flat = batch.complete ? ['--flatten'] : [];
    const paths = kubeconfigPaths({ KUBECONFIG: batch.list }, process.platform, batch.cwd);
    const [merged, ...shown] = await Promise.all([
      readKubeconfigs(paths),
      ...kubectls.map((each) => view(each, batch, ...flat)),
    ]);
    const errors = merged.problems.filter(({ severity }) => severity === 'error');
    expect(errors, `batch ${index}`).toEqual([]);
    for (const [at, each] of shown.entries()) {
      const where = `batch ${index}, kubectl ${kubectls[at]?.version}`;
      expect(asShown(merged, batch.complete), where).toEqual(shownByKubectl(each, merged));
    }
    entries += merged.clusters.size + merged.users.size + merged.contexts.size;
    hidden += merged.hidden.length;
    rmSync(join(root, String(index)), { recursive: true });
  }
  // The generator has clashes to show.
  expect(entries).toBeGreaterThan(batches * 20);
  expect(hidden).toBeGreaterThan(batches * 10);
}, 900_000);

/** Files that kubectl refuses of a list; it names each one. */
async function refusedBy(kubectl: Kubectl, files: readonly string[]): Promise<Set<string>> {
  const { stderr } = await runView(kubectl, { list: files.join(':'), cwd: root });
  return new Set([...stderr.matchAll(/error loading config file "([^"]+)"/g)].map(([, file]) => file ?? ''));
}

test.each(kubectls)('kubectl $version reads and rejects odd texts as the tables say', async (kubectl) => {
  const tables = [oddKubeconfigs, stricterThanKubectl, laxerThanKubectl];
  const titles = new Map<string, string>();
  const [same, stricter, laxer] = tables.map((table, kind) =>
    table.map(([title, text], index) => {
      const file = join(root, `odd-${kind}-${index}`);
      writeFileSync(file, text.replaceAll('NAME', `n-${kind}-${index}`));
      titles.set(file, title);
      return file;
    }),
  ) as [string[], string[], string[]];
  const titled = (files: Iterable<string>) => [...files].map((file) => titles.get(file)).sort();
  const refused = await refusedBy(kubectl, [...same, ...stricter, ...laxer]);
  const { problems } = await readKubeconfigs([...same, ...stricter, ...laxer]);
  const errors = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  const both = same.filter((file) => !refused.has(file));
  expect(titled(same.filter((file) => errors.has(file)))).toEqual(
    titled(same.filter((file) => refused.has(file))),
  );
  expect(titled(stricter.filter((file) => errors.has(file) && !refused.has(file)))).toEqual(titled(stricter));
  expect(titled(laxer.filter((file) => !errors.has(file) && refused.has(file)))).toEqual(titled(laxer));
  const merged = await readKubeconfigs(both);
  const shown = await view(kubectl, { list: both.join(':'), cwd: root });
  expect(asShown(merged, false)).toEqual(shownByKubectl(shown, merged));
});
