import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import { writeManagedKubeconfig } from '../kubeconfig/write-managed-kubeconfig.ts';
import { silentLog } from '../ports/log.ts';
import { awayNamespaces } from './away-namespaces.ts';
import { openUsedProfiles, type UsedProfiles } from './used-profiles.ts';

let home: string;
let used: UsedProfiles;
const path = () => join(home, 'kubeconfig');
const open = () =>
  openUsedProfiles({ file: join(home, 'profiles.json'), clock: { now: () => 0 }, log: silentLog });

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'ly-away-'));
  used = await open();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const profile = (name: string, uid = 'first'): ChosenProfile => ({
  inventory: 'fleet',
  namespace: 'team',
  name,
  uid,
  contextName: name,
  chosen: 'selector',
});

const write = (...names: string[]) =>
  writeManagedKubeconfig({
    path: path(),
    clusters: names.map((name) => ({
      name,
      config: clusterSchema.parse({ server: `https://${name}`, account: 'corp' }),
      certificateAuthorityPem: null,
    })),
    first: 'asItWas',
    away: awayNamespaces(used),
    helperPath: '/h',
    home: null,
    apiVersion: 'v1',
  });

type Contexts = { contexts: { name: string; context: { namespace?: string } }[] };
const contexts = () => (parse(readFileSync(path(), 'utf8')) as Contexts).contexts;
const namespaceOf = (wanted: string) => contexts().find(({ name }) => name === wanted)?.context.namespace;

/** As `kubectl config set-context --namespace` does; undefined: it takes it out. */
function setNamespace(wanted: string, namespace: string | undefined): void {
  const whole = parse(readFileSync(path(), 'utf8')) as Contexts;
  for (const { name, context } of whole.contexts) {
    if (name === wanted) {
      context.namespace = namespace as string;
    }
  }
  writeFileSync(path(), stringify(whole));
}

test('a context that goes and comes again has the namespace that the user set, after a restart, too', async () => {
  await used.update(() => [profile('eu'), profile('us')]);
  await write('eu', 'us');
  setNamespace('eu', 'payments');
  await write('us');
  await write('us');
  used = await open();
  await write('eu', 'us');
  expect([namespaceOf('eu'), namespaceOf('us')]).toEqual(['payments', undefined]);
});

test('one that the user took out while the context was there stays out', async () => {
  await used.update(() => [profile('eu')]);
  await write('eu');
  setNamespace('eu', 'payments');
  await write();
  await write('eu');
  setNamespace('eu', undefined);
  await write();
  await write('eu');
  expect(namespaceOf('eu')).toBeUndefined();
});

test('the name’s next profile has none of it, and neither has a cluster of config.yaml', async () => {
  await used.update(() => [profile('eu')]);
  await write('eu', 'own');
  setNamespace('eu', 'payments');
  setNamespace('own', 'mine');
  await write();
  await used.update(() => [profile('eu', 'second')]);
  await write('eu', 'own');
  expect([namespaceOf('eu'), namespaceOf('own')]).toEqual([undefined, undefined]);
});

test('no text that is no namespace’s is kept', async () => {
  await used.update(() => [profile('eu')]);
  await write('eu');
  setNamespace('eu', 'x'.repeat(100_000));
  await write();
  expect(readFileSync(join(home, 'profiles.json'), 'utf8')).not.toContain('xx');
});
