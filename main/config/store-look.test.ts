import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { silentLog } from '../ports/log.ts';
import { createConfigStore } from './store.ts';

let folder: string;
let file: string;
let store: Awaited<ReturnType<typeof createConfigStore>>;

const text = `version: 1
accounts: { a: { staticToken: {} } }
clusters:
  prod: { server: "https://h", account: a } # ours
`;

beforeEach(async () => {
  folder = folderForTest();
  file = join(folder, 'config.yaml');
  writeFileSync(file, text);
  store = await createConfigStore({ file, log: silentLog });
});
afterEach(() => store.dispose());

it('gives an entry as it is written, without what counts by default', async () => {
  expect(await store.entry('clusters', 'prod')).toEqual({ server: 'https://h', account: 'a' });
  expect(await store.entry('clusters', 'constructor')).toBeNull();
  expect(await store.entry('accounts', 'prod')).toBeNull();
});

it('says what an edit would break, and writes nothing', async () => {
  const edit = (value: unknown) => [{ kind: 'set', what: 'cluster', name: 'new', value } as const];
  expect(await store.check(edit({ server: 'https://n', account: 'a' }))).toEqual([]);
  const problems = await store.check(
    edit({ server: 'https://n', account: 'nobody', certificateAuthority: './no.pem' }),
  );
  expect(problems.map(({ message }) => message).join('\n')).toMatch(/nobody[\s\S]*no\.pem/);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect([...store.current().clusters.keys()]).toEqual(['prod']);
});
