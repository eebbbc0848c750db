import { readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { onWindows } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { firstProviderName, providerName } from '../contract/program-names.ts';
import { placeProvider, removeProviders } from './provider-links.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = folderForTest();
});

it.skipIf(onWindows)('a provider’s name leads to the helper beside it, whatever was there', async () => {
  writeFileSync(at('lanyard'), 'the helper');
  const link = at('lanyard-credential-provider');
  for (const before of [
    () => undefined,
    () => undefined,
    () => {
      rmSync(link);
      symlinkSync(at('theirs'), link);
    },
    () => {
      rmSync(link);
      writeFileSync(link, 'another program');
    },
  ]) {
    before();
    await placeProvider(at('lanyard'), firstProviderName);
    expect(readlinkSync(link)).toBe('lanyard');
    expect(readFileSync(link, 'utf8')).toBe('the helper');
  }
});

it.skipIf(onWindows)('all of its names are removed with the helper, and nothing else is', async () => {
  writeFileSync(at('lanyard'), 'the helper');
  writeFileSync(at('lanyard-credential-providers'), 'another program');
  for (const index of [0, 1, 2]) {
    await placeProvider(at('lanyard'), providerName(index));
  }
  expect(readdirSync(folder).sort()).toEqual([
    'lanyard',
    'lanyard-credential-provider',
    'lanyard-credential-provider-2',
    'lanyard-credential-provider-3',
    'lanyard-credential-providers',
  ]);
  await removeProviders(at('lanyard'));
  expect(readdirSync(folder).sort()).toEqual(['lanyard', 'lanyard-credential-providers']);
});

it('on Windows they are copies that end in .exe', async () => {
  writeFileSync(at('lanyard.exe'), 'the helper');
  writeFileSync(at('lanyard-credential-provider'), 'another program');
  const options = { platform: 'win32' };
  for (const index of [0, 1]) {
    await placeProvider(at('lanyard.exe'), providerName(index), options);
  }
  expect(readFileSync(at('lanyard-credential-provider-2.exe'), 'utf8')).toBe('the helper');
  await removeProviders(at('lanyard.exe'), 'win32');
  expect(readdirSync(folder).sort()).toEqual(['lanyard-credential-provider', 'lanyard.exe']);
});
