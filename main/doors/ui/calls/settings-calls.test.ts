import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../../test/support/temporary-folder.ts';
import { createConfigStore } from '../../../config/store.ts';
import { settingsCalls } from '../../../contract/ui/calls/settings.ts';
import { silentLog } from '../../../ports/log.ts';
import { createSettingsCalls, type SettingsCallsDeps } from './settings-calls.ts';

let folder: string;
let config: Awaited<ReturnType<typeof createConfigStore>>;
const context = {} as never;

beforeEach(async () => {
  folder = folderForTest();
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    `version: 1
accounts: { a: { staticToken: {} } }
clusters:
  prod: { server: "https://p", account: a }
  lab: { server: "https://l", account: a }
appearance:
  colors: [{ match: prod, color: red }]
  favorites: [gone, fleet-1]
`,
  );
  config = await createConfigStore({ file, log: silentLog });
});
afterEach(() => config.dispose());

const calls = () =>
  createSettingsCalls({
    config,
    recorder: { record: () => undefined },
    inventories: { used: { current: () => [{ contextName: 'fleet-1' }] } },
  } as unknown as SettingsCallsDeps);

test('favorites and theme that are set at the same time are all kept; a cluster that is gone is not', async () => {
  const { 'cluster.favorite': favorite, 'settings.set': set } = calls();
  await Promise.all([
    favorite({ cluster: 'prod', favorite: true }, context),
    set({ name: 'appearance', value: { theme: 'dark' } }, { isOwn: false } as never),
    favorite({ cluster: 'lab', favorite: true }, context),
    favorite({ cluster: 'nobody', favorite: true }, context),
  ]);
  expect(config.current().settings.appearance).toEqual({
    theme: 'dark',
    colors: [{ match: 'prod', color: 'red' }],
    favorites: ['fleet-1', 'prod', 'lab'],
  });
  expect(readFileSync(config.file, 'utf8')).not.toContain('gone');
});

test('a warning is dismissed by its text, until the text is another; what is no warning isn’t kept', async () => {
  writeFileSync(config.file, `${readFileSync(config.file, 'utf8')}oddly: 1\n`);
  await config.reload();
  const [warning] = config.problems();
  const { 'settings.dismissWarning': dismiss } = calls();
  await dismiss({ message: warning?.message ?? '', dismissed: true }, context);
  await dismiss({ message: 'made up', dismissed: true }, context);
  const kept = () => config.current().settings.appearance.dismissedWarnings;
  expect(kept()).toEqual([expect.stringContaining('oddly: unknown key is ignored')]);
  expect(config.current().settings.appearance.favorites).toEqual(['gone', 'fleet-1']);
  await dismiss({ message: warning?.message ?? '', dismissed: false }, context);
  expect(kept()).toBe(undefined);
});

test('a page sets no colours: they mark clusters in questions', () => {
  const { input } = settingsCalls['settings.set'];
  const value = { theme: 'dark', colors: [{ match: 'evil', color: 'green' }] };
  expect(input.safeParse({ name: 'appearance', value }).success).toBe(false);
  expect(input.safeParse({ name: 'appearance', value: { theme: 'dark' } }).success).toBe(true);
});
