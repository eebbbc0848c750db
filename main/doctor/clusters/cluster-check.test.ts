import { expect, test } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import { clusterCheck } from './cluster-check.ts';

const pending = (isProfile: boolean) =>
  clusterCheck('eu', {
    isProfile,
    gate: () => null,
    cluster: () => refuse('notPermitted', 'binding.held', 'eu is pending', 'lanyard confirm eu'),
    account: () => expect.unreachable(),
    credential: () => expect.unreachable(),
    reach: () => expect.unreachable(),
    whoAmI: () => expect.unreachable(),
  }).run(new AbortController().signal);

test('a cluster that is pending is shown, and asked nothing', async () => {
  expect(await pending(false)).toMatchObject([{ level: 'warning', message: 'eu is pending' }]);
});

test('hundreds of profiles that are pending are one finding, of their inventory', async () => {
  expect(await pending(true)).toEqual([]);
});
