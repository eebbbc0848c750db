import { expect, test } from 'vitest';
import { callEvent, certificateRotation, requestEvent } from '../history/testing/sample-events.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { activityEventOf } from './activity-event.ts';

const stored = { kind: 'registry-login', name: 'ghcr.io' };
const of = (event: HistoryEvent) => activityEventOf({ id: 1, at: 0, event });
const docker = { door: 'docker', account: null, generation: null } as const;

test('what docker gets and stores is told with its registry, without a cluster or an account', () => {
  expect(of(callEvent({ ...docker, target: stored }))).toMatchObject({
    program: 'kubectl',
    target: 'stored entry ghcr.io',
    result: 'Issued',
    tone: 'good',
    cluster: null,
    account: null,
  });
  const refused = { outcome: 'refused', reason: 'vault.locked' } as const;
  expect(of(callEvent({ ...docker, ...refused, target: null }))).toMatchObject({
    target: null,
    result: 'Denied: Lanyard is locked',
    tone: 'refused',
  });
  expect(of({ kind: 'change', what: 'registry-login.store', name: 'ghcr.io' }).result).toBe(
    'Entry ghcr.io stored',
  );
});

test('a registry is named for its link; an answer without a credential is neither issued nor denied', () => {
  const target = { kind: 'registry', name: 'work' };
  expect(of(callEvent({ door: 'image', target }))).toMatchObject({
    target: 'registry work',
    result: 'Issued',
    tone: 'good',
    cluster: null,
    registry: 'work',
    details: expect.arrayContaining([['Source', 'kubelet']]),
  });
  expect(of(callEvent({ door: 'docker', target, outcome: 'noCredential', reason: 'renewed' }))).toMatchObject(
    {
      result: 'No credential',
      tone: 'plain',
      details: expect.arrayContaining([['Source', 'credential helper']]),
    },
  );
});

test('inventories: faults and recoveries, what is pending and gone in one event, profiles in use', () => {
  const event = { kind: 'inventory', inventory: 'fleet', code: null, profiles: 0, context: null } as const;
  expect(of({ ...event, what: 'failing', code: 'unauthorized' })).toMatchObject({
    result: 'Inventory fleet has a problem: its hub rejects the credential (401)',
    tone: 'failed',
    inventory: 'fleet',
    cluster: null,
  });
  expect(of({ ...event, what: 'failing', code: 'of a newer Lanyard' }).result).toContain('of a newer');
  expect(of({ ...event, what: 'recovered' })).toMatchObject({
    result: 'Inventory fleet is in sync again',
    tone: 'good',
  });
  expect(of({ ...event, what: 'pending', profiles: 1, context: 'eu' }).result).toBe(
    'Profile eu of inventory fleet is pending approval',
  );
  expect(of({ ...event, what: 'pending', profiles: 1_000 }).result).toBe(
    '1,000 profiles of inventory fleet are pending approval',
  );
  expect(of({ ...event, what: 'gone', profiles: 3 }).result).toBe(
    '3 profiles in use are no longer in inventory fleet',
  );
  expect(of({ kind: 'change', what: 'inventory.use', name: 'eu' }).result).toBe('Profile eu came into use');
  expect(of({ kind: 'change', what: 'inventory.add', name: 'fleet' }).result).toBe('Inventory fleet added');
});

test('calls fold only where program, way in and reason are the same', () => {
  const kubectl = callEvent().caller;
  const keyOf = (fields: Parameters<typeof callEvent>[0] = {}) => of(callEvent(fields)).foldKey;
  const same = keyOf();
  expect(keyOf({ microseconds: 1, caller: { ...kubectl, pid: 1, session: null } })).toBe(same);
  const others = [
    keyOf({ caller: { ...kubectl, executable: '/tmp/x/kubectl' } }),
    keyOf({ caller: { ...kubectl, origin: 'ssh' } }),
    keyOf({ caller: { ...kubectl, origin: 'container' } }),
    keyOf({ caller: { ...kubectl, uid: 0 } }),
    keyOf({ caller: { ...kubectl, sure: false } }),
    keyOf({ door: 'cli' }),
    keyOf({ reason: 'renewed' }),
    keyOf({ audience: 'sts.example' }),
  ];
  expect(new Set([same, ...others]).size).toBe(others.length + 1);
});

test('what a person reads of a credential and of a request: no number, no codes', () => {
  expect(of(certificateRotation()).result).not.toMatch(/generation/i);
  expect(of(requestEvent())).toMatchObject({
    program: 'kubectl',
    target: 'prod',
    result: 'GET /api/v1/namespaces/default/pods: 200, ended after 12 ms',
  });
  expect(of(callEvent({})).details).toContainEqual(['Reason', 'cached']);
});
