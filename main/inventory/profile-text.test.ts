import { expect, test } from 'vitest';
import { readProfile } from '../domain/inventory/read-profile.ts';
import { parseProfileText, profileText } from './profile-text.ts';

const read = (cluster: object) => {
  const found = readProfile(
    {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ClusterProfile',
      metadata: { namespace: 'team', name: 'eu', uid: 'of-eu', labels: { env: 'prod' } },
      spec: {},
      status: {
        accessProviders: [{ name: 'robots', cluster: { server: 'https://eu.example.com', ...cluster } }],
      },
    },
    'fleet',
  );
  return found.ok ? found.profile : null;
};

const withExtensions = {
  extensions: [
    { name: 'client.authentication.k8s.io/exec', extension: { region: 'eu' } },
    { name: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args', extension: ['--verbose'] },
    { name: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs', extension: { A: 'b' } },
  ],
};

test.each([
  ['without extensions', {}],
  ['with all of them', withExtensions],
])('a profile %s is read as it was written', (_, cluster) => {
  const profile = read(cluster);
  expect(profile).not.toBeNull();
  expect(profile && parseProfileText(profileText(profile))).toEqual(profile);
});

test('another text is none', () => {
  for (const text of ['', '{}', '[]', 'null', '{"inventory":"fleet"}']) {
    expect(parseProfileText(text)).toBeNull();
  }
});
