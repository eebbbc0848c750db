import { expect, test } from 'vitest';
import type { ProfileCondition } from './profile.ts';
import { profileHealthOf } from './profile-health.ts';

test.each([
  ['none', [], 'unknown'],
  ['healthy and joined', ['ControlPlaneHealthy=True', 'Joined=True'], 'good'],
  ['healthy alone', ['ControlPlaneHealthy=True'], 'good'],
  ['one of them is not', ['Joined=True', 'ControlPlaneHealthy=False'], 'bad'],
  ['one is unknown', ['Joined=True', 'ControlPlaneHealthy=Unknown'], 'unknown'],
  ['unknown beside a bad one', ['Joined=Unknown', 'ControlPlaneHealthy=False'], 'bad'],
  ['others don’t count', ['Deleting=False', 'ControlPlaneHealthy=True'], 'good'],
  ['only others', ['Deleting=True'], 'unknown'],
])('%s', (_, conditions, health) => {
  const read = conditions.map((each) => {
    const [type = '', status] = each.split('=');
    return { type, status: status as ProfileCondition['status'], reason: '', message: '' };
  });
  expect(profileHealthOf(read)).toBe(health);
});
