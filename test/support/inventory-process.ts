/**
 * A process that follows a hub, for tests: `inventory-process.ts FOLDER SERVER [AT]`. Syncs once, writes what it knows
 * below FOLDER, and prints how many operations on files that took. Killed just before the AT'th of them.
 */
import { cluster as clusterSchema } from '../../main/contract/config/cluster.ts';
import { inventory as inventorySchema } from '../../main/contract/config/inventory.ts';
import { startHubSource } from '../../main/inventory/hub-source.ts';
import { openProfileStore } from '../../main/inventory/profile-store.ts';
import { silentLog } from '../../main/ports/log.ts';
import { killAt } from './kill-at.ts';
import { processClock } from './process-clock.ts';

const [folder = '', server = '', at = '0'] = process.argv.slice(2);
const store = await openProfileStore({
  folder,
  inventory: 'fleet',
  origin: 'hub',
  clock: processClock,
  log: silentLog,
});
const credential = { token: null, certificate: null, issuedAt: null, expiresAt: null };
const source = startHubSource(
  {
    name: 'fleet',
    config: inventorySchema.parse({ cluster: 'hub', providers: [{ name: 'google', account: 'corp' }] }),
  },
  {
    cluster: {
      name: 'hub',
      config: clusterSchema.parse({ server, account: 'corp' }),
      certificateAuthorityPem: null,
    },
    reach: {},
    obtain: async () => ({ ok: true, credential }),
    saw: async () => undefined,
  },
  { store, clock: processClock, random: Math.random, log: silentLog },
);
const operations = await killAt(Number(at));
const outcome = await source.sync();
await store.save();
console.log(operations());
await source.dispose();
await store.dispose();
process.exitCode = outcome.ok ? 0 : 1;
