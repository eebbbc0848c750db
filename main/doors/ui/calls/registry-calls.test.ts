import { expect, test } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import type { Account, Obtained } from '../../../ports/account.ts';
import { createRegistryCalls, type RegistryCallsDeps } from './registry-calls.ts';

/** A page that was taken over tries a credential again and again (rule: bounded-input). */
test('a page’s tests of registries: four at once, forty a minute', async () => {
  let now = 0;
  let asked = 0;
  const ends: ((obtained: Obtained) => void)[] = [];
  const registry = { name: 'r', config: { account: 'bot', matchImages: ['ghcr.io'] } };
  const calls = createRegistryCalls({
    gate: () => null,
    directory: {
      registry: () => ({ ok: true, registry }),
      account: () => ({ ok: true, account: { name: 'bot' } as Account }),
    },
    peek: () => {
      asked += 1;
      return new Promise((resolve) => ends.push(resolve));
    },
    clock: { boottime: () => now },
  } as unknown as RegistryCallsDeps);
  const run = () =>
    calls['registry.test'](
      { registry: 'r', image: null },
      { signal: new AbortController().signal, progress: () => undefined },
    );
  const end = () => ends.splice(0).map((each) => each(refuse('loginNeeded', 'x', 'log in')));
  for (let round = 0; round < 10; round += 1) {
    const four = Array.from({ length: 4 }, run);
    await expect(run()).rejects.toMatchObject({ code: 'test.busy', reason: 'timedOut' });
    end();
    await Promise.all(four);
  }
  await expect(run()).rejects.toMatchObject({ code: 'test.busy' });
  expect(asked).toBe(40);
  now = 60_000;
  const later = run();
  end();
  expect(await later).toMatchObject({ nothing: { message: 'log in' } });
});
