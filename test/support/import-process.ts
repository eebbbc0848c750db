/**
 * A process that imports a kubeconfig in place, or undoes that, or imports a kubelet’s providers, for tests:
 * `import-process.ts HOME FILE import|undo|providers [AT]`; plugins are in the file’s folder. Killed just before its AT'th operation on files, else prints how many there were.
 */
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Bindings } from '../../main/access/bindings.ts';
import { Secret } from '../../main/base/secret.ts';
import { createConfigStore } from '../../main/config/store.ts';
import { importedBefore } from '../../main/domain/import/imported-before.ts';
import { freeStaleLocks } from '../../main/kubeconfig/edit/index.ts';
import { applyImport } from '../../main/kubeconfig/import/apply.ts';
import { prepareImport } from '../../main/kubeconfig/import/prepare.ts';
import { createProgramInspections } from '../../main/kubeconfig/import/program-inspections.ts';
import { createCheckFile, createReplaceFile, readText } from '../../main/kubeconfig/import/replace-file.ts';
import { examine, newestBackups, putBack } from '../../main/kubeconfig/import/undo.ts';
import { readKubeconfigs } from '../../main/kubeconfig/read/read-kubeconfigs.ts';
import { prepareProviders } from '../../main/operations/import-providers/prepare.ts';
import { createKeychain } from '../../main/platform/keychain/create-keychain.ts';
import { createPeerIdentity, loadAddon } from '../../main/platform/native/addon.ts';
import { createPathInspector } from '../../main/platform/programs/inspect-plugin.ts';
import { silentLog } from '../../main/ports/log.ts';
import { openVault } from '../../main/vault/index.ts';
import { killAt } from './kill-at.ts';
import { cheapScrypt } from './vault-parts.ts';

const [home = '', file = '', what = '', at = '0'] = process.argv.slice(2);
const clock = {
  now: () => Date.now(),
  boottime: () => performance.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
const vault = await openVault({
  home,
  keychain: createKeychain({ limitMilliseconds: 1, clock }),
  passphrase: new Secret('a test’s own passphrase'),
  clock,
  log: silentLog,
  kdf: cheapScrypt,
});
const config = await createConfigStore({ file: join(home, 'config.yaml'), log: silentLog });
const bindings = new Bindings({ config, vault });
const addon = loadAddon(join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node'));
const processes = createPeerIdentity(addon, process.pid);
const waiting = { signal: new AbortController().signal, say: () => undefined };
const recorder = { record: () => undefined };
// As the broker does at its start.
await freeStaleLocks(
  newestBackups(vault).map((backup) => backup.file),
  { processes, host: hostname() },
);
const locking = { clock, processes, host: hostname() };
const [replace, check] = [createReplaceFile(locking), createCheckFile(locking)];

const apply = { vault, config, bindings, recorder, clock, replace, check, onSecrets: () => undefined };

if (what === 'providers') {
  const source = { path: file, binFolder: dirname(file) };
  const prepared = await prepareProviders(source, { config, vault, inspect: createPathInspector() });
  const count = await killAt(Number(at));
  await applyImport(prepared, { confirms: true, ...waiting }, apply);
  process.stdout.write(`${count()}\n`);
} else if (what === 'import') {
  const merged = await readKubeconfigs([file]);
  const prepared = await prepareImport(
    {
      merged,
      authorityFiles: new Map(),
      homeDirectory: home,
      searchPath: null,
      programs: createProgramInspections(),
    },
    { contexts: null, inPlace: true, apiVersion: 'v1' },
    {
      config: config.current(),
      content: vault.read(),
      before: importedBefore({}),
      pending: new Set(),
      now: Date.now(),
      helperPath: join(home, 'bin', 'lanyard'),
      home,
      platform: 'linux',
    },
  );
  const count = await killAt(Number(at));
  await applyImport(prepared, { confirms: true, ...waiting }, apply);
  process.stdout.write(`${count()}\n`);
} else {
  const [backup] = newestBackups(vault);
  if (!backup) {
    throw new Error('no backup');
  }
  const found = await examine(backup, readText);
  const count = await killAt(Number(at));
  const onRestored = async () => undefined;
  const kept = await putBack(found, waiting, { vault, recorder, read: readText, replace, onRestored });
  if (kept !== null) {
    throw new Error(kept);
  }
  process.stdout.write(`${count()}\n`);
}
process.exit(0);
