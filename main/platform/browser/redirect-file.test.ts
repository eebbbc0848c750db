import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { modeOf, withoutLinks } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createRedirectFile } from './redirect-file.ts';

const address = 'http://127.0.0.1:4711/#ticket=ID.SECRET';
const never = new Promise<void>(() => undefined);

const folder = temporaryFolder();
let file: string;
let clock: ManualClock;
/** What the opener found in the file. */
let opened: { text: string; mode: number }[];
let opens: boolean;
const create = () =>
  createRedirectFile({
    file,
    clock,
    browser: {
      openFile: async (path) => {
        opened.push({ text: readFileSync(path, 'utf8'), mode: modeOf(path) });
        return opens;
      },
    },
  });

beforeEach(() => {
  file = join(folder(), 'redirect.html');
  [clock, opened, opens] = [new ManualClock(), [], true];
});

test('the address is in a file of the owner’s alone, which goes when it was used', async () => {
  const { promise: done, resolve: use } = Promise.withResolvers<void>();
  expect(await create().open(address, done)).toBe(true);
  expect(opened).toEqual([{ text: expect.stringContaining(`content="0; url=${address}"`), mode: 0o600 }]);
  expect(existsSync(file)).toBe(true);
  use();
  await expect.poll(() => existsSync(file)).toBe(false);
});

test('it goes after a minute, at the end, where nothing could be opened, and with the next start', async () => {
  const redirect = create();
  await redirect.open(address, never);
  clock.advance(60_000);
  await expect.poll(() => existsSync(file)).toBe(false);
  await redirect.open(address, never);
  await redirect.dispose();
  expect(existsSync(file)).toBe(false);
  opens = false;
  expect(await redirect.open(address, never)).toBe(false);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'left');
  await create().remove();
  expect(existsSync(file)).toBe(false);
});

test('the next one takes its place, and stays when the first was used', async () => {
  const { promise: done, resolve: use } = Promise.withResolvers<void>();
  const redirect = create();
  await redirect.open(address, done);
  await redirect.open(`${address}2`, never);
  use();
  clock.advance(59_999);
  await new Promise(setImmediate);
  expect(readFileSync(file, 'utf8')).toContain(`${address}2`);
});

test('two at once come one after the other', async () => {
  const redirect = create();
  await Promise.all([redirect.open(`${address}1`, never), redirect.open(`${address}2`, never)]);
  expect(opened.map(({ text }) => /SECRET(\d)/.exec(text)?.[1])).toEqual(['1', '2']);
});

test.skipIf(withoutLinks)('never through a link that lies in its place', async () => {
  const other = join(folder(), 'other');
  writeFileSync(other, 'mine');
  symlinkSync(other, file);
  await create().open(address, never);
  expect([readFileSync(other, 'utf8'), lstatSync(file).isSymbolicLink()]).toEqual(['mine', false]);
});

test.each(['https://id.example/', 'http://localhost:1/', 'file:///etc/passwd', 'javascript:alert(1)'])(
  '%s is no page of the broker’s: not opened, and no file stays',
  async (bad) => {
    await expect(create().open(bad, never)).rejects.toMatchObject({ code: 'browser.redirect' });
    expect([opened, existsSync(file)]).toEqual([[], false]);
  },
);

test('an address can’t end the attribute that it stands in', async () => {
  await create().open('http://127.0.0.1:1/#a"><script>&x', never);
  expect(opened[0]?.text).toContain('url=http://127.0.0.1:1/#a%22%3E%3Cscript%3E&amp;x"');
});
