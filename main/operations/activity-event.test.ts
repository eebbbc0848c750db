import { expect, test } from 'vitest';
import { callEvent } from '../history/testing/sample-events.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { activityEventOf } from './activity-event.ts';

const stored = { kind: 'registry-login', name: 'ghcr.io' };
const of = (event: HistoryEvent) => activityEventOf({ id: 1, at: 0, event });
const docker = { door: 'docker', account: null, generation: null } as const;

test('what docker gets and stores is told with its registry, without a cluster or an account', () => {
  expect(of(callEvent({ ...docker, target: stored }))).toMatchObject({
    sentence: 'kubectl got the credential of stored entry ghcr.io',
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
    'entry ghcr.io stored',
  );
});

test('a registry is named for its link; an answer without a credential is neither issued nor denied', () => {
  const target = { kind: 'registry', name: 'work' };
  expect(of(callEvent({ door: 'image', target }))).toMatchObject({
    sentence: 'kubectl got the credential of registry work',
    tone: 'good',
    cluster: null,
    registry: 'work',
    details: expect.arrayContaining([['Source', 'kubelet']]),
  });
  expect(of(callEvent({ door: 'docker', target, outcome: 'noCredential', reason: 'renewed' }))).toMatchObject(
    {
      sentence: 'kubectl asked for the credential of registry work: there is none',
      tone: 'plain',
      details: expect.arrayContaining([['Source', 'credential helper']]),
    },
  );
});

test('inventories: faults and recoveries, what is pending and gone in one event, profiles in use', () => {
  const event = { kind: 'inventory', inventory: 'fleet', code: null, profiles: 0, context: null } as const;
  expect(of({ ...event, what: 'failing', code: 'unauthorized' })).toMatchObject({
    sentence: 'inventory fleet has a problem: its hub rejects the credential (401)',
    tone: 'failed',
    inventory: 'fleet',
    cluster: null,
  });
  expect(of({ ...event, what: 'failing', code: 'of a newer Lanyard' }).sentence).toContain('of a newer');
  expect(of({ ...event, what: 'recovered' })).toMatchObject({
    sentence: 'inventory fleet is in sync again',
    tone: 'good',
  });
  expect(of({ ...event, what: 'pending', profiles: 1, context: 'eu' }).sentence).toBe(
    'profile eu of inventory fleet is pending approval',
  );
  expect(of({ ...event, what: 'pending', profiles: 1_000 }).sentence).toBe(
    '1000 profiles of inventory fleet are pending approval',
  );
  expect(of({ ...event, what: 'gone', profiles: 3 }).sentence).toBe(
    '3 profiles in use are no longer in inventory fleet',
  );
  expect(of({ kind: 'change', what: 'inventory.use', name: 'eu' }).sentence).toBe('profile eu came into use');
  expect(of({ kind: 'change', what: 'inventory.add', name: 'fleet' }).sentence).toBe('inventory fleet added');
});
