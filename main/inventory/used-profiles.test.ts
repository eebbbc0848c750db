import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modeOf } from '../../test/support/system.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import { silentLog } from '../ports/log.ts';
import { openUsedProfiles } from './used-profiles.ts';

const home = temporaryFolder();

const open = () =>
  openUsedProfiles({ file: join(home(), 'profiles.json'), clock: { now: () => 0 }, log: silentLog });

const eu: ChosenProfile = {
  inventory: 'fleet',
  namespace: 'team',
  name: 'eu',
  uid: null,
  contextName: 'prod-eu',
  chosen: 'selector',
};

test('what is in use is there after a restart, for its owner alone', async () => {
  const used = await open();
  expect(used.current()).toEqual([]);
  let told = 0;
  used.onChange(() => {
    told += 1;
  });
  await used.update((profiles) => [...profiles, eu]);
  await used.update((profiles) => profiles);
  expect(told).toBe(1);
  expect((await open()).current()).toEqual([eu]);
  expect(modeOf(join(home(), 'profiles.json'))).toBe(0o600);
});

test('a damaged file is set aside, whole', async () => {
  writeFileSync(join(home(), 'profiles.json'), '{"version":1,"profiles":[{}]}');
  expect((await open()).current()).toEqual([]);
  const [aside = ''] = readdirSync(home());
  expect(aside).toBe('profiles.damaged-1970-01-01T00-00-00-000Z.json');
  expect(readFileSync(join(home(), aside), 'utf8')).toBe('{"version":1,"profiles":[{}]}');
});

test('where it can’t be written, nothing has changed', async () => {
  const used = await open();
  await used.update(() => [eu]);
  rmSync(home(), { recursive: true });
  await expect(used.update(() => [])).rejects.toMatchObject({ code: 'file.write' });
  expect(used.current()).toEqual([eu]);
});
