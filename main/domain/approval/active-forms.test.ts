import { expect, test } from 'vitest';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { byGroup } from '../../contract/config/config.ts';
import { defaultSettings } from '../../contract/config/settings.ts';
import type { LoadedCluster, ProfileOrigin } from '../loaded-config.ts';
import { noEntries } from '../testing/no-entries.ts';
import { activeForms } from './active-forms.ts';
import { formText } from './approved-form.ts';
import { clusterShape } from './cluster-shape.ts';
import { shapeOfKind } from './kind-rules.ts';

const eu = (server: string, origin: ProfileOrigin | undefined): LoadedCluster => ({
  name: 'eu',
  config: clusterSchema.parse({ server, account: 'corp' }),
  certificateAuthorityPem: null,
  ...(origin && { origin }),
});
const origin: ProfileOrigin = {
  inventory: 'fleet',
  namespace: 'team',
  name: 'eu',
  uid: 'first',
  provider: 'google',
};
const before = eu('https://eu.example.com', origin);

/** What is served of `now` where `before` is approved; null: nothing. */
function served(now: LoadedCluster): string | null {
  const approved = {
    ...byGroup(() => ({})),
    clusters: { eu: clusterShape(before) },
    forms: { ...byGroup(() => ({})), clusters: { eu: formText(before) } },
  };
  const file = { ...noEntries, settings: defaultSettings, clusters: new Map([['eu', now]]) };
  const { config, unserved } = activeForms(file, approved, shapeOfKind);
  return unserved.has('cluster eu') ? null : (config.clusters.get('eu')?.config.server ?? null);
}

test('a profile that changed is served as it was approved, with another provider, too', () => {
  expect(served(eu('https://evil.example.com', origin))).toBe('https://eu.example.com');
  expect(served(eu('https://evil.example.com', { ...origin, provider: 'eks' }))).toBe(
    'https://eu.example.com',
  );
});

test.each<[string, ProfileOrigin | undefined]>([
  ['made again', { ...origin, uid: 'second' }],
  ['of another namespace', { ...origin, namespace: 'evil' }],
  ['of another inventory', { ...origin, inventory: 'other' }],
  ['no profile', undefined],
])('nothing is served under its name to one that is %s', (_, now) => {
  expect(served(eu('https://eu.example.com', now))).toBeNull();
});
