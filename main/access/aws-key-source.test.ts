import { describe, expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Account } from '../ports/account.ts';
import { createAwsKeySource } from './aws-key-source.ts';

const noSignal = new AbortController().signal;
const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: new Secret('canary'), sessionToken: null };

function setUp(kind: Account['kind'] = 'aws') {
  const state: { gate: Refusal | null; account: Account; meanwhile: () => void } = {
    gate: null,
    account: { name: 'work', kind } as Account,
    meanwhile: () => undefined,
  };
  const asked: string[] = [];
  const credential = { token: null, certificate: null, awsKeys: keys, issuedAt: null, expiresAt: 7 };
  const source = createAwsKeySource({
    gate: () => state.gate,
    directory: {
      account: (name) =>
        name === 'work'
          ? { ok: true, account: state.account }
          : refuse('notFound', 'account.unknown', `there is no account ${name}`),
    },
    grants: {
      obtain: async (account, { target, asking, prompter }) => {
        asked.push(`obtain ${account.name} for ${target.kind} ${target.name}`);
        expect([prompter, asking?.caller.hasTerminal]).toEqual([null, false]);
        state.meanwhile();
        return { ok: true, how: 'held', grant: { credential } } as never;
      },
      renewNow: async (account) => {
        asked.push(`renew ${account.name}`);
        return { ok: true, credential };
      },
    },
  });
  return { source, state, asked };
}
const by = { asker: 'eks', rejected: false };

describe('the AWS keys of an account, for another', () => {
  test('come by its grant, and anew where AWS rejects them', async () => {
    const { source, asked } = setUp('awsProcess');
    expect(source.fault('work')).toBeNull();
    expect(await source.keys('work', by, noSignal)).toEqual({ ok: true, keys, expiresAt: 7 });
    await source.keys('work', { ...by, rejected: true }, noSignal);
    expect(asked).toEqual(['obtain work for account eks', 'renew work', 'obtain work for account eks']);
  });

  test.each<Account['kind']>(['awsEks', 'requestSigner', 'staticToken'])('not those of %s', async (kind) => {
    const { source, asked } = setUp(kind);
    expect(source.fault('work')).toMatchObject({ code: 'aws.noKeys' });
    expect(await source.keys('work', by, noSignal)).toMatchObject({ code: 'aws.noKeys' });
    expect(asked).toEqual([]);
  });

  test('not of an unknown one, not while locked, also where that comes meanwhile', async () => {
    const { source, state, asked } = setUp();
    expect(await source.keys('other', by, noSignal)).toMatchObject({ reason: 'notFound' });
    const locked = refuse('locked', 'vault.locked', 'lanyard is locked');
    state.meanwhile = () => {
      state.gate = locked;
    };
    expect(await source.keys('work', by, noSignal)).toEqual(locked);
    expect(source.fault('work')).toEqual(locked);
    expect(await source.keys('work', by, noSignal)).toEqual(locked);
    expect(asked).toHaveLength(1);
  });

  test('not of one that was changed meanwhile', async () => {
    const { source, state } = setUp();
    state.meanwhile = () => {
      state.account = { ...state.account };
    };
    expect(await source.keys('work', by, noSignal)).toMatchObject({ code: 'aws.changed' });
  });
});
