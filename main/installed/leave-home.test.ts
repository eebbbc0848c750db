import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolvePaths } from '../domain/paths.ts';
import { leaveHome } from './leave-home.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ly-leave-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test.each([true, false])(
  'what inventories listed, and lists of what is used, go with the vault: %s',
  async (vault) => {
    const paths = resolvePaths({ LANYARD_HOME: home }, process.platform);
    mkdirSync(paths.inventories);
    writeFileSync(join(paths.inventories, 'fleet.json'), '{}');
    writeFileSync(join(paths.inventories, '.fleet.json.tmp'), '{');
    const lists = [paths.kubeconfigs, paths.usedProfiles, paths.proxyClients];
    for (const list of lists) {
      writeFileSync(list, '{}');
    }
    await leaveHome(paths, { helper: false, vault, config: false, list: false });
    expect(existsSync(paths.inventories)).toBe(!vault);
    expect(lists.map(existsSync)).toEqual(lists.map(() => !vault));
  },
);
