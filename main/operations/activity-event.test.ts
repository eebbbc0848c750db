import { expect, test } from 'vitest';
import { callEvent } from '../history/testing/sample-events.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { activityEventOf } from './activity-event.ts';

const stored = { kind: 'registry-login', name: 'ghcr.io' };
const of = (event: HistoryEvent) => activityEventOf({ id: 1, at: 0, event });
const docker = { door: 'docker', account: null, generation: null } as const;

test('what docker gets and stores is told with its registry, without a cluster or an account', () => {
  expect(of(callEvent({ ...docker, target: stored }))).toMatchObject({
    sentence: 'kubectl got the credential of registry-login ghcr.io',
    tone: 'good',
    cluster: null,
    account: null,
  });
  const refused = { outcome: 'refused', reason: 'vault.locked' } as const;
  expect(of(callEvent({ ...docker, ...refused, target: null }))).toMatchObject({
    sentence: 'kubectl asked for a credential and was refused',
    tone: 'refused',
  });
  expect(of({ kind: 'change', what: 'registry-login.store', name: 'ghcr.io' }).sentence).toBe(
    'registry-login ghcr.io stored',
  );
});
