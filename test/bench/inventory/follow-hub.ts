/**
 * Follows a hub as the broker does, in a process of its own: `follow-hub SERVER FOLDER`. Prints a line of JSON when the
 * hub's profiles are known and on disk, and goes on with the watch until its standard input ends.
 */
import { readFileSync } from 'node:fs';
import { cluster as clusterSchema } from '../../../main/contract/config/cluster.ts';
import { inventory as inventorySchema } from '../../../main/contract/config/inventory.ts';
import { startHubSource } from '../../../main/inventory/hub-source.ts';
import { openProfileStore } from '../../../main/inventory/profile-store.ts';
import { silentLog } from '../../../main/ports/log.ts';
import { processClock } from '../../support/process-clock.ts';

const [server = '', folder = ''] = process.argv.slice(2);
const options = { folder, inventory: 'fleet', origin: 'hub', clock: processClock, log: silentLog };
const store = await openProfileStore(options);
const start = performance.now();
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
    obtain: async () => ({
      ok: true,
      credential: { token: null, certificate: null, issuedAt: null, expiresAt: null },
    }),
    saw: async () => undefined,
  },
  { store, clock: processClock, random: Math.random, log: silentLog },
);
await new Promise<void>((resolve) => {
  const listening = store.onChange(() => {
    if (store.state().kind === 'live') {
      listening.dispose();
      resolve();
    }
  });
});
const milliseconds = performance.now() - start;
await store.save();
const peakKibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
console.log(
  JSON.stringify({ milliseconds, profiles: store.profiles().size, peakBytes: Number(peakKibibytes) * 1024 }),
);
process.stdin.resume().once('end', async () => {
  await source.dispose();
  await store.dispose();
});
