import { describe, expect, it } from 'vitest';
import { brokerMessage } from '../../main/contract/ui/messages.ts';
import { stateSections } from '../../main/contract/ui/state.ts';
import type { Connection } from '../api/carrier.ts';
import { createContractClient } from '../api/contract-client.ts';
import { createBrokerStore } from '../stores/broker-store.ts';
import { createSampleCarrier, type SampleState, sampleStates } from './index.ts';
import { testTime } from './testing/test-time.ts';

function open(state: SampleState = 'usual') {
  const { time, pass } = testTime();
  const client = createContractClient(createSampleCarrier(state, time), '0.1.0');
  const store = createBrokerStore(client);
  return { client, store, pass, state: () => store.getState().sections };
}

describe('the invented world', () => {
  it.each(sampleStates)('says only what the contract knows: %s', async (name) => {
    const { time, pass } = testTime();
    let connection: Connection | null = null;
    createSampleCarrier(name, time).start({
      onConnection: (next) => {
        connection = next;
      },
      onMessage(value) {
        const message = brokerMessage.parse(value);
        if (message.kind === 'snapshot' || message.kind === 'delta') {
          for (const [section, , value] of message.entries) {
            const schema = stateSections[section as keyof typeof stateSections];
            expect(value === null ? null : schema.parse(value)).toEqual(value);
          }
        }
      },
    });
    await pass(60_000);
    expect(connection).not.toBeNull();
  });

  it('completes a login automatically, so that its clusters are good', async () => {
    const { client, pass, state } = open();
    expect(state().clusters['staging-us']?.state).toBe('loginNeeded');
    const shown: string[] = [];
    const done = client.call(
      'account.login',
      { account: 'corp-staging', flow: null },
      { onProgress: ({ shows }) => shown.push(shows) },
    );
    await pass(1000);
    expect(state().accounts['corp-staging']?.login).not.toBeNull();
    await pass(10_000);
    await expect(done).resolves.toMatchObject({ displayName: 'dev@corp.example' });
    expect(shown).toEqual(['browserPage']);
    expect(state().accounts['corp-staging']).toMatchObject({ state: 'ready', login: null });
    expect(state().clusters['staging-us']?.credential?.kind).toBe('token');
  });

  it('gives up a login that the page cancels', async () => {
    const { client, pass, state } = open();
    const stop = new AbortController();
    const done = client.call(
      'account.login',
      { account: 'corp-staging', flow: 'device' },
      { signal: stop.signal },
    );
    await pass(1000);
    stop.abort(new Error('left'));
    await expect(done).rejects.toThrow('left');
    await pass(30_000);
    expect(state().accounts['corp-staging']).toMatchObject({ state: 'loginNeeded', login: null });
  });

  it('renews what is due, and puts a question', async () => {
    const { pass, state } = open();
    const before = state().clusters['gke-data']?.credential?.generation ?? 0;
    await pass(30_000);
    expect(state().clusters['gke-data']?.credential?.generation).toBe(before + 1);
    expect(Object.values(state().questions)).toHaveLength(1);
    await pass(5 * 60_000 - 40_000);
    expect(state().clusters['prod-us']?.credential?.generation).toBe(32);
    expect(Object.values(state().questions)).toHaveLength(0);
  });

  it('denies all where everything fails, and says so', async () => {
    const { client, pass } = open('failing');
    const done = client.call('lock.close', {});
    const outcome = expect(done).rejects.toMatchObject({ failure: { code: 'demo.refused' } });
    await pass(1000);
    await outcome;
  });
});
