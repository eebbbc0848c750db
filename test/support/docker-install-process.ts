/**
 * A process that installs Lanyard in docker's config.json, or undoes that, for tests: `docker-install-process.ts HOME
 * FILE install|undo [AT]`. Killed just before its AT'th operation on files, else prints how many there were; with
 * `logins` in place of them it prints the vault's stored entries.
 */
import { join } from 'node:path';
import { Secret } from '../../main/base/secret.ts';
import { createDockerConfigs } from '../../main/installed/docker/docker-configs.ts';
import { createLedger } from '../../main/installed/ledger.ts';
import { createKeychain } from '../../main/platform/keychain/create-keychain.ts';
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
const docker = createDockerConfigs({
  vault,
  ledger: createLedger({ file: join(home, 'installed.json'), alone: (work) => work() }),
  now: () => Date.now(),
  recorder: { record: () => undefined },
  configured: () => null,
  fallback: () => 'pass',
});

if (what === 'logins') {
  const entries = Object.values(vault.read().registryLogins);
  process.stdout.write(
    JSON.stringify(entries.map(({ userName, secret }) => `${userName}:${secret.reveal()}`)),
  );
} else {
  const count = await killAt(Number(at));
  await (what === 'install' ? docker.install(file, []) : docker.undo(file));
  process.stdout.write(`${count()}\n`);
}
process.exit(0);
