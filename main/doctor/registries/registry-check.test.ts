import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { providerFile } from '../../contract/program-names.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { loadedRegistry } from '../../domain/testing/loaded.ts';
import { placeProvider } from '../../installed/provider-links.ts';
import { providerLinkCheck } from './provider-link-check.ts';
import { registryCheck } from './registry-check.ts';

const good = { ok: true, account: {}, registry: {} } as const;
const signal = new AbortController().signal;

async function found(
  of: { registry?: Refusal; account?: Refusal; locked?: Refusal; matchImages?: string[] } = {},
): Promise<string[]> {
  const { matchImages = ['ghcr.io'] } = of;
  const loaded = loadedRegistry('work', { matchImages, account: 'hub' });
  const directory = { registry: () => of.registry ?? good, account: () => of.account ?? good };
  const check = registryCheck(loaded, { gate: () => of.locked ?? null, directory: directory as never });
  return (await check.run(signal)).map(({ level, message, hint }) => `${level}: ${message} (${hint})`);
}

test('says which account answers for which images', async () => {
  expect(await found()).toEqual(['ok: the account hub answers for ghcr.io (null)']);
});

test.each([
  [
    'the account is missing',
    { account: refuse('notFound', 'x', 'there is no account hub', 'add it') },
    'problem: it gets no credential: there is no account hub (add it)',
  ],
  [
    'Lanyard is locked',
    { locked: refuse('locked', 'x', 'locked', 'lanyard unlock') },
    'note: not checked: locked (lanyard unlock)',
  ],
])('%s', async (_, of, line) => {
  expect(await found(of)).toEqual([line]);
});

test.each(['registry', 'account'] as const)(
  '%s: what is pending is named once, by the check of config.yaml',
  async (what) => {
    const pending = refuse('notPermitted', 'binding.held', 'it is pending', 'lanyard confirm');
    expect(await found({ [what]: pending })).toEqual([]);
  },
);

test('a pattern over names that anyone can register is a warning', async () => {
  const [warning, ok] = await found({ matchImages: ['ghcr.io', '*.azurecr.io'] });
  expect(warning).toMatch(/^warning: anyone can register a name that \*\.azurecr\.io covers/);
  expect(ok).toMatch(/^ok: /);
});

test('the helper under a kubelet’s name', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ly-link-'));
  try {
    mkdirSync(join(home, 'bin'));
    const helper = join(home, 'bin', 'lanyard');
    writeFileSync(helper, 'helper');
    const levels = async () => (await providerLinkCheck(helper).run(signal)).map(({ level }) => level);
    expect(await levels()).toEqual(['problem']);
    const link = join(home, 'bin', providerFile('lanyard-credential-provider', process.platform));
    writeFileSync(link, 'other');
    expect(await levels()).toEqual(['problem']);
    rmSync(link);
    await placeProvider(helper, 'lanyard-credential-provider');
    expect(await levels()).toEqual(['ok']);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
