/**
 * For tests: `keep-forms-process.ts HOME PASSPHRASE [AT]` opens the vault there, keeps the forms of what was approved of
 * its config.yaml, and prints how many operations on files that took. AT: it is killed just before that one.
 */
import { join } from 'node:path';
import { Bindings } from '../../main/access/bindings.ts';
import { Secret } from '../../main/base/secret.ts';
import { createConfigStore } from '../../main/config/store.ts';
import { silentLog } from '../../main/ports/log.ts';
import { openVault } from '../../main/vault/index.ts';
import { killAt } from './kill-at.ts';
import { dependencies } from './vault-parts.ts';

const [home = '', passphrase = '', at = '0'] = process.argv.slice(2);
const config = await createConfigStore({ file: join(home, 'config.yaml'), log: silentLog });
const vault = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
const count = await killAt(Number(at));
await new Bindings({ config, vault }).keepForms();
process.stdout.write(String(count()));
await vault.dispose();
await config.dispose();
