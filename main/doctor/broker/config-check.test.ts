import { expect, test } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import { accountCheck } from '../accounts/account-check.ts';
import { configCheck } from './config-check.ts';

const signal = new AbortController().signal;
const none = { accounts: new Map(), clusters: new Map(), registries: new Map(), inventories: new Map() };

function check(config: object, held: readonly { what: string; name: string }[] = []) {
  const read = async () => ({ problems: [], config: { ...none, ...config } as never });
  return configCheck({ file: '/h/config.yaml', read, held: () => held }).run(signal);
}

test.each([
  [1, '/h/config.yaml: 1 account, 0 clusters, 0 registries, 0 inventories'],
  [10, '/h/config.yaml: 10 accounts, 0 clusters, 0 registries, 0 inventories'],
])('what config.yaml has is counted in words: %i', async (count, message) => {
  const accounts = new Map(Array.from({ length: count }, (_, at) => [`a${at}`, {}]));
  expect(await check({ accounts })).toMatchObject([{ level: 'ok', message }]);
});

test('a pending account is one finding, with its name and one command', async () => {
  const held = [{ what: 'account', name: 'ci' }];
  const ofAccount = accountCheck('ci', {
    gate: () => null,
    account: () => refuse('notPermitted', 'binding.held', 'ci is pending', 'lanyard confirm ci'),
  });
  expect([...(await check({}, held)), ...(await ofAccount.run(signal))]).toEqual([
    expect.objectContaining({
      level: 'warning',
      message: 'pending approval in config.yaml: account ci',
      hint: 'lanyard confirm',
    }),
  ]);
});
