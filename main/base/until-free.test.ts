import { expect, test } from 'vitest';
import { type HeldOptions, untilFree } from './until-free.ts';

const failing = (code: string) => Object.assign(new Error(code), { code });

/** A step that the system refuses so often, and the pauses in between. */
async function tried(times: number, code: string, options: HeldOptions = {}) {
  const pauses: number[] = [];
  let left = times;
  const result = await untilFree(
    async () => {
      if (left > 0) {
        left -= 1;
        throw failing(code);
      }
      return 'done';
    },
    { platform: 'win32', pause: async (milliseconds) => void pauses.push(milliseconds), ...options },
  ).catch((error: NodeJS.ErrnoException) => error.code);
  return { result, pauses };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  '%s on Windows: the file is tried again until it is free',
  async (code) => {
    expect(await tried(4, code)).toEqual({ result: 'done', pauses: [10, 20, 40, 80] });
  },
);

test('another error is final', async () => {
  expect(await tried(1, 'ENOSPC')).toEqual({ result: 'ENOSPC', pauses: [] });
});

test.each(['linux', 'darwin'])(
  'on %s an open file is no hindrance, and a refusal is final',
  async (platform) => {
    expect(await tried(1, 'EPERM', { platform })).toEqual({ result: 'EPERM', pauses: [] });
  },
);

test('a file that stays held is given up after ten seconds, with the system’s error', async () => {
  const { result, pauses } = await tried(Number.POSITIVE_INFINITY, 'EBUSY');
  expect(result).toBe('EBUSY');
  expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(10_000);
  expect(Math.max(...pauses)).toBe(500);
});

test('or sooner', async () => {
  const { result, pauses } = await tried(Number.POSITIVE_INFINITY, 'EBUSY', { limitMilliseconds: 25 });
  expect([result, pauses]).toEqual(['EBUSY', [10, 15]]);
});
