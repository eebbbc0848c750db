import { expect, test } from 'vitest';
import { pluginBench } from './testing/plugin-bench.ts';

test('is tried again in the background after 1 s at first, after 30 s at most', async () => {
  const account = await pluginBench().shaped();
  expect(account.backoff).toEqual({ first: 1_000, longest: 30_000 });
});

test('a missing helper of the broker is reported as that, and no one is asked to go on', async () => {
  const bench = pluginBench();
  const account = await bench.shaped();
  const renewed = account.renew(new AbortController().signal);
  await expect.poll(() => bench.broker.runs.length).toBe(1);
  bench.broker.last.end({ how: 'lost' });
  expect(await renewed).toMatchObject({
    ok: false,
    reason: 'internal',
    message: 'the process that ran the plugin ended before it',
  });
  expect(bench.broker.runs).toHaveLength(1);
});

test('a caller with ever new variables has 2,048 shapes remembered, the others longest', async () => {
  const bench = pluginBench({ environment: ['STAGE'] });
  const shaped = (STAGE: string) => bench.shaped({ variables: { STAGE } });
  const [kept, dropped] = [await shaped('kept'), await shaped('dropped')];
  for (let index = 0; index < 2_047; index++) {
    await shaped(String(index));
    await shaped('kept');
  }
  expect(await shaped('kept')).toBe(kept);
  expect(await shaped('dropped')).not.toBe(dropped);
});
