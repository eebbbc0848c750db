import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createListModule, longestListSeconds } from './list-module.ts';
import { aSlot } from './testing/a-slot.ts';

/** A script stands in for lanyard-keys; its limits come when the test says so. */
const folder = temporaryFolder();

const order = { module: '/lib/p11.so', sha256: 'one', environment: { A: 'b' } };
const loaded = {
  tell: 'loaded',
  id: 1,
  library: { manufacturer: 'Maker', description: 'Keys', version: '1' },
};
const failed = {
  tell: 'failed',
  code: 'moduleBroken',
  text: 'it is\u0007 none',
  token: null,
  serial: null,
  tries: null,
};

async function isRunning() {
  const pid = Number(await readFile(join(folder(), 'pid'), 'utf8'));
  return existsSync(`/proc/${pid}`);
}

async function bench(script: string) {
  const program = join(folder(), 'keys');
  await writeFile(program, `#!/bin/sh\necho $$ > ${folder()}/pid\n${script}`, { mode: 0o755 });
  const limits: { milliseconds: number; run: () => void }[] = [];
  const caller = new AbortController();
  const list = createListModule({
    keysProgram: program,
    clock: {
      after: (milliseconds, run) => {
        limits.push({ milliseconds, run });
        return { dispose: () => undefined };
      },
    },
  });
  return {
    listed: list(order, caller.signal),
    limits,
    abort: () => caller.abort(),
    isRunning,
    /** It was killed, and its end is waited for: without the kill this never resolves. */
    async ended() {
      while (await isRunning()) {
        await new Promise(setImmediate);
      }
    },
    /** The script has read its first order. */
    async asked() {
      while (!existsSync(join(folder(), 'asked'))) {
        await new Promise(setImmediate);
      }
    },
  };
}

const say = (told: object) => `echo '${JSON.stringify(told)}'`;
const hang = (...before: string[]) =>
  [...before, 'touch "$(dirname "$0")/asked"', 'exec cat > /dev/null'].join('\n');

describe.skipIf(process.platform !== 'linux')('a list of a module’s slots', () => {
  test('is what it tells', async () => {
    const tokens = { tell: 'tokens', id: 2, slots: [aSlot()] };
    const { listed } = await bench(['read load', say(loaded), 'read list', say(tokens)].join('\n'));
    const { library } = loaded;
    expect(await listed).toEqual({ ok: true, library, slots: [aSlot()] });
  });

  test('orders that file with that digest, in that environment alone', async () => {
    const { listed } = await bench(
      `read load\nprintf '%s' "$load" > ${folder()}/load\nenv > ${folder()}/env`,
    );
    await listed;
    expect(JSON.parse(await readFile(join(folder(), 'load'), 'utf8'))).toEqual({
      ...{ do: 'load', id: 1, module: '/lib/p11.so', sha256: 'one' },
    });
    const own = (await readFile(join(folder(), 'env'), 'utf8')).split('\n').map((line) => line.split('=')[0]);
    expect(
      own.filter((name) => name !== '' && !['A', 'PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? '')),
    ).toEqual([]);
  });

  test.each<[what: string, script: string]>([
    ['loading', say({ ...failed, id: 1 })],
    ['listing', `${say(loaded)}\nread list\n${say({ ...failed, id: 2 })}`],
  ])('says why %s failed, without what steers a terminal', async (_, script) => {
    const { listed } = await bench(`read load\n${script}`);
    expect(await listed).toMatchObject({
      ok: false,
      reason: 'provider',
      code: 'pkcs11.moduleBroken',
      message: 'it is\\u{7} none',
    });
  });

  test.each<[what: string, script: string]>([
    ['loaded', 'read load\nkill -SEGV $$'],
    ['listed', `read load\n${say(loaded)}\nread list\nkill -SEGV $$`],
    ['asked, and talks', 'read load\necho nonsense'],
  ])('says that it crashed as it was %s', async (_, script) => {
    const { listed } = await bench(script);
    expect(await listed).toMatchObject({ code: 'pkcs11.crashed', message: 'the module /lib/p11.so crashed' });
  });

  test.each<[what: string, script: string, seconds: number]>([
    ['loading', hang('read load'), 20],
    ['listing', hang('read load', say(loaded), 'read list'), 40],
  ])('ends one that hangs in %s', async (_, script, seconds) => {
    const { listed, limits, asked, ended } = await bench(script);
    await asked();
    expect(await isRunning()).toBe(true);
    expect(limits.at(-1)?.milliseconds).toBe(seconds * 1_000);
    limits.at(-1)?.run();
    expect(await listed).toMatchObject({
      reason: 'timedOut',
      code: 'pkcs11.late',
      message: `the module /lib/p11.so did not answer within ${seconds} s, and was ended`,
    });
    await ended();
    expect(longestListSeconds).toBe(60);
  });

  test('ends one that nobody waits for any more', async () => {
    const { listed, abort, asked, ended } = await bench(hang('read load'));
    await asked();
    abort();
    expect(await listed).toMatchObject({ ok: false });
    await ended();
  });

  test('says where lanyard-keys is missing', async () => {
    const list = createListModule({
      keysProgram: join(folder(), 'none'),
      clock: { after: () => ({ dispose: () => undefined }) },
    });
    expect(await list(order, new AbortController().signal)).toMatchObject({ code: 'pkcs11.start' });
  });
});
