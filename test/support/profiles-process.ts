/**
 * A process that has profiles of a folder in use, for tests: `profiles-process.ts HOME begin|use|drop|select|approve|look [AT]`.
 * `use` and `drop` are the user’s, of the profile `eu`; `select` follows what the inventory selects, and `approve` approves `eu` as it was selected. Killed just before
 * its AT'th operation on files, else prints how many there were. `look` starts as a broker does, and prints what is in
 * use and what is approved, as JSON.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Bindings } from '../../main/access/bindings.ts';
import { Disposables } from '../../main/base/disposables.ts';
import { Secret } from '../../main/base/secret.ts';
import { createConfigStore } from '../../main/config/store.ts';
import { openInventoryParts } from '../../main/inventory/open-parts.ts';
import { createSelecting } from '../../main/inventory/select-profiles.ts';
import { findProfile } from '../../main/operations/inventories/find-profiles.ts';
import { profileRows } from '../../main/operations/inventories/profile-rows.ts';
import { dropProfiles, prepareUse, useProfiles } from '../../main/operations/inventories/use-profiles.ts';
import { createKeychain } from '../../main/platform/keychain/create-keychain.ts';
import { silentLog } from '../../main/ports/log.ts';
import { openVault } from '../../main/vault/index.ts';
import { killAt } from './kill-at.ts';
import { processClock as clock } from './process-clock.ts';
import { cheapScrypt } from './vault-parts.ts';

const [home = '', what = '', at = '0'] = process.argv.slice(2);
const log = silentLog;
const vault = await openVault({
  home,
  keychain: createKeychain({ limitMilliseconds: 1, clock }),
  passphrase: new Secret('a test’s own passphrase'),
  clock,
  log,
  kdf: cheapScrypt,
});
const file = await createConfigStore({ file: join(home, 'config.yaml'), log });
const paths = { usedProfiles: join(home, 'profiles.json'), inventories: join(home, 'inventories') };
const { config, inventories: parts } = await openInventoryParts(
  { config: file, vault, paths: paths as never, clock, log },
  new Disposables(),
);
const bindings = new Bindings({ config, vault });
const { inventories, used, resolutions } = parts;
if (what === 'begin') {
  await bindings.approve({ changes: bindings.changes() });
  process.exit(0);
}
inventories.begin({
  active: () => bindings.activeConfig(),
  isServed: () => true,
  obtain: () => Promise.reject(new Error('it has no hub')),
  saw: async () => undefined,
  reach: {},
});
await inventories.sync('fleet');
const selecting = createSelecting({
  ...parts,
  active: () => bindings.activeConfig(),
  isServed: () => true,
  approvals: {
    current: () => vault.read().confirmed,
    forget: (names) => bindings.forget(names.map((name) => ({ what: 'cluster', name }))),
  },
  log,
});
const deps = {
  ...{ config, bindings, vault, used, inventories, resolutions },
  recorder: { record: () => undefined },
  writeContexts: async () => [],
};
const count = await killAt(Number(at));
if (what === 'use') {
  const row = findProfile(await profileRows(deps), 'eu');
  await useProfiles(prepareUse([row], deps), deps, { confirms: true });
} else if (what === 'drop') {
  await dropProfiles(['eu'], deps);
} else if (what === 'approve') {
  while (!config.current().clusters.has('eu')) {
    await delay(20);
  }
  await bindings.approve({ changes: bindings.changes() });
} else {
  selecting.follow();
  await selecting.dispose();
}
if (what === 'look') {
  // The list of what the folder has may be told after the first choice.
  selecting.follow();
  await selecting.dispose();
  const inUse = used.current().flatMap(({ chosen, contextName }) => (chosen === 'no' ? [] : [contextName]));
  const approved = Object.keys(vault.read().confirmed.clusters);
  process.stdout.write(JSON.stringify({ inUse, approved }));
} else {
  process.stdout.write(`${count()}\n`);
}
process.exit(0);
