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

test.each([true, false])(
  'what is pending is asked nothing, and named once, by the check of config.yaml: profile %s',
  async (isProfile) => {
    expect(await pending(isProfile)).toEqual([]);
  },
);
