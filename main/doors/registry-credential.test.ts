import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { loadedRegistry } from '../domain/testing/loaded.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { commandCall } from './cli/testing/command-call.ts';
import { type RegistryCredentialDeps, registryCredential } from './registry-credential.ts';

const registry = loadedRegistry('ghcr', { matchImages: ['ghcr.io'], account: 'hub' });

/** (rule: everything-recorded, distinct-refusals) */
test('a client that waits no longer is told so before, and it is on record', async () => {
  const recorded: HistoryEvent[] = [];
  const deps = {
    gate: () => null,
    directory: {
      account: () => ({ ok: true, account: { name: 'hub' } }),
      registry: () => ({ ok: true, registry }),
    },
    approvals: { approve: async () => ({ ok: true, waited: false }) },
    grants: {
      obtain: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
    recorder: { record: (event: HistoryEvent) => void recorded.push(event) },
    clock: new ManualClock(),
  } as unknown as RegistryCredentialDeps;
  const call = {
    door: 'image',
    client: 'kubelet',
    image: 'ghcr.io/app',
    registry,
    interactive: false,
    format: () => expect.unreachable(),
  } as const;
  const context = commandCall([]);
  expect(await registryCredential({ ...call, context, patienceMilliseconds: 1 }, deps)).toMatchObject({
    ok: false,
    reason: 'timedOut',
    code: 'registry.timedOut',
  });
  expect(recorded).toMatchObject([
    { kind: 'call', door: 'image', outcome: 'refused', reason: 'registry.timedOut' },
  ]);
  // A client that has gone is none that waited too long.
  const gone = { ...context, signal: AbortSignal.abort(new Error('gone')) };
  const ended = registryCredential({ ...call, context: gone, patienceMilliseconds: 60_000 }, {
    ...deps,
    grants: { obtain: async () => Promise.reject(gone.signal.reason) },
  } as unknown as RegistryCredentialDeps);
  await expect(ended).rejects.toThrow('gone');
});
