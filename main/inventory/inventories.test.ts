import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { inventory } from '../contract/config/inventory.ts';
import { profileObject } from '../domain/inventory/testing/a-profile.ts';
import { type LoadedConfig, loadedEntries } from '../domain/loaded-config.ts';
import { silentLog } from '../ports/log.ts';
import { openInventories } from './inventories.ts';

test('an inventory that isn’t read is not live, whatever was known before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ly-inventories-'));
  const file = join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify(profileObject({})));
  const config = {
    ...loadedEntries(() => new Map()),
    inventories: new Map([
      [
        'fleet',
        {
          name: 'fleet',
          config: inventory.parse({ files: [file], providers: [{ name: 'google', account: 'corp' }] }),
        },
      ],
    ]),
  } as unknown as LoadedConfig;
  const inventories = await openInventories({
    folder: join(folder, 'inventories'),
    config: { current: () => config, onChange: () => ({ dispose: () => undefined }) },
    clock: new ManualClock(),
    random: () => 0.5,
    log: silentLog,
  });
  try {
    let isServed = true;
    inventories.begin({
      active: () => config,
      isServed: () => isServed,
      obtain: () => expect.unreachable(),
      saw: async () => undefined,
      reach: {},
    });
    expect(await inventories.sync('fleet')).toBeNull();
    expect(inventories.state('fleet')).toMatchObject({ kind: 'live', trouble: null });
    // Lanyard is locked, or the inventory was changed.
    isServed = false;
    inventories.follow();
    expect(await inventories.sync('fleet')).toMatch(/^it isn’t read/);
    expect(inventories.state('fleet')).toMatchObject({ kind: 'stale', trouble: null, retryAt: null });
    expect([...inventories.profilesOf('fleet')]).toHaveLength(1);
  } finally {
    await inventories.dispose();
    rmSync(folder, { recursive: true });
  }
});
