import { beforeAll, describe, expect, it } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { createDestinationMatcher } from '../server/destination.ts';
import type { RequestedCluster } from '../server/exec-credential.ts';
import { profilesAt, type WantedProfile } from './profiles-at.ts';

let ca: string;
let otherCa: string;

beforeAll(async () => {
  const made = await Promise.all([createCa('cluster'), createCa('other')]);
  [ca, otherCa] = [made[0].certificatePem, made[1].certificatePem];
});

const server = 'https://hub.example.com:6443/clusters/eu';
const at = { destination: createDestinationMatcher(), serverRewrites: () => [] };

/** A profile in use: `team/eu` of the inventory fleet, by the provider eks. */
function inUse(
  config: object = {},
  origin: Partial<NonNullable<LoadedCluster['origin']>> = {},
  pem: string | null = ca,
): LoadedCluster {
  const whole = {
    inventory: 'fleet',
    namespace: 'team',
    name: 'eu',
    uid: 'u',
    provider: 'eks',
    ...origin,
  };
  return {
    name: whole.name,
    config: clusterSchema.parse({ server, account: 'aws', ...config }),
    certificateAuthorityPem: pem,
    origin: whole,
  };
}

function asked(cluster: Partial<RequestedCluster> = {}, more: Partial<WantedProfile> = {}): WantedProfile {
  const requested = {
    server,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    certificateAuthorityPem: ca,
    proxyUrl: null,
    disableCompression: false,
    config: undefined,
    ...cluster,
  };
  return { provider: 'eks', profile: null, requested, ...more };
}

const namesOf = (wanted: WantedProfile, ...clusters: LoadedCluster[]) =>
  profilesAt(wanted, clusters, at).matches.map(({ name }) => name);

/** KEP-5339/controllers */
describe('the profile that a controller means', () => {
  const proxyUrl = 'http://proxy:3128';
  const execConfig = { clusterName: 'eu' };
  const otherSpelling = 'HTTPS://HUB.example.com:6443/clusters/eu/';
  const withUser = 'https://u@hub.example.com:6443/clusters/eu';
  it.each<[string, () => [WantedProfile, LoadedCluster]]>([
    ['as it is stated', () => [asked(), inUse()]],
    ['the server in another spelling', () => [asked({ server: otherSpelling }), inUse()]],
    ['the CA with other text', () => [asked({ certificateAuthorityPem: `# eu\n${ca}\n` }), inUse()]],
    ['the proxy', () => [asked({ proxyUrl: `${proxyUrl}/` }), inUse({ proxyUrl })]],
    [
      'the config, keys in another order',
      () => [asked({ config: { b: [1], a: null } }), inUse({ execConfig: { a: null, b: [1] } })],
    ],
    ['a config of null, which Go writes for none', () => [asked({ config: null }), inUse()]],
    ['a TLS server name that was dropped', () => [asked(), inUse({ tlsServerName: 'api' })]],
    ['an empty TLS server name', () => [asked({ tlsServerName: '' }), inUse({ tlsServerName: 'api' })]],
    ['a TLS server name', () => [asked({ tlsServerName: 'api' }), inUse({ tlsServerName: 'api' })]],
    [
      'an insecure flag that was dropped',
      () => [asked({ certificateAuthorityPem: null }), inUse({ insecureSkipTlsVerify: true }, {}, null)],
    ],
    ['compression that was dropped', () => [asked(), inUse({ disableCompression: true })]],
    ['compression', () => [asked({ disableCompression: true }), inUse({ disableCompression: true })]],
    ['by its name, too', () => [asked({}, { profile: 'team/eu' }), inUse()]],
    ['by its whole name, too', () => [asked({}, { profile: 'fleet:team/eu' }), inUse()]],
  ])('is found: %s', (_, make) => {
    const [wanted, known] = make();
    expect(namesOf(wanted, known)).toEqual(['eu']);
  });

  it.each<[string, () => [WantedProfile, LoadedCluster]]>([
    ['another provider', () => [asked({}, { provider: 'gke' }), inUse()]],
    ['a cluster of config.yaml', () => [asked(), { ...inUse(), origin: undefined }]],
    ['another server', () => [asked({ server: 'https://evil.example.com/clusters/eu' }), inUse()]],
    ['another path', () => [asked({ server: 'https://hub.example.com:6443/clusters/us' }), inUse()]],
    ['no path', () => [asked({ server: 'https://hub.example.com:6443' }), inUse()]],
    ['a server that is no plain address', () => [asked({ server: withUser }), inUse()]],
    ['another profile’s name', () => [asked({}, { profile: 'team/us' }), inUse()]],
    ['another namespace', () => [asked({}, { profile: 'other/eu' }), inUse()]],
    ['another inventory', () => [asked({}, { profile: 'other:team/eu' }), inUse()]],
  ])('is not: %s', (_, make) => {
    const [wanted, known] = make();
    expect(profilesAt(wanted, [known], at)).toEqual({ matches: [], nearest: null });
  });

  it.each<[string, RegExp, () => [WantedProfile, LoadedCluster]]>([
    ['another CA', /certificate authority/, () => [asked({ certificateAuthorityPem: otherCa }), inUse()]],
    ['no CA', /no certificate authority is told/, () => [asked({ certificateAuthorityPem: null }), inUse()]],
    ['a CA where none is known', /the system’s are known/, () => [asked(), inUse({}, {}, null)]],
    ['a proxy', /proxy-url/, () => [asked({ proxyUrl: 'http://evil:1' }), inUse()]],
    ['no proxy', /proxy-url/, () => [asked(), inUse({ proxyUrl })]],
    ['another config', /the config/, () => [asked({ config: { clusterName: 'us' } }), inUse({ execConfig })]],
    ['no config', /the config/, () => [asked(), inUse({ execConfig })]],
    ['a TLS server name', /tls-server-name/, () => [asked({ tlsServerName: 'evil' }), inUse()]],
    ['another', /tls-server-name/, () => [asked({ tlsServerName: 'evil' }), inUse({ tlsServerName: 'api' })]],
    ['insecure', /insecure-skip-tls-verify/, () => [asked({ insecureSkipTlsVerify: true }), inUse()]],
    ['no compression', /disable-compression/, () => [asked({ disableCompression: true }), inUse()]],
  ])('is at that server, but reached otherwise: %s', (_, difference, make) => {
    const [wanted, known] = make();
    const { matches, nearest } = profilesAt(wanted, [known], at);
    expect(matches).toEqual([]);
    expect(nearest?.cluster).toBe(known);
    expect(nearest?.differences).toEqual([expect.stringMatching(difference)]);
  });

  it('is one of several: all are told', () => {
    const us = inUse({}, { name: 'us' });
    const west = inUse({}, { name: 'us', inventory: 'west' });
    expect(namesOf(asked(), inUse(), us, west)).toEqual(['eu', 'us', 'us']);
    expect(namesOf(asked({}, { profile: 'team/us' }), inUse(), us, west)).toEqual(['us', 'us']);
    expect(namesOf(asked({}, { profile: 'west:team/us' }), inUse(), us, west)).toEqual(['us']);
  });

  it('is told apart by its config where a proxy serves many clusters at one address', () => {
    const known = ['eu', 'us'].map((clusterName) =>
      inUse({ execConfig: { clusterName } }, { name: clusterName }),
    );
    expect(namesOf(asked({ config: { clusterName: 'us' } }), ...known)).toEqual(['us']);
  });
});

describe('a server that the inventory rewrites', () => {
  const stated = 'https://proxy.svc/clusters/eu';
  const rewrites = [{ from: 'https://proxy.svc/clusters', to: 'https://hub.example.com:6443/clusters' }];
  const rewriting = { ...at, serverRewrites: (name: string) => (name === 'fleet' ? rewrites : []) };
  const found = (server: string, ...clusters: LoadedCluster[]) =>
    profilesAt(asked({ server }), clusters, rewriting).matches.map(({ name }) => name);

  it('is the profile’s, before the rewrite as well as after', () => {
    expect(found(stated, inUse())).toEqual(['eu']);
    expect(found(server, inUse())).toEqual(['eu']);
    expect(found('https://proxy.svc:443/clusters/eu/', inUse())).toEqual(['eu']);
  });

  it('is none of another path, of another inventory, or without the rewrite', () => {
    expect(found('https://proxy.svc/clusters/us', inUse())).toEqual([]);
    expect(found('https://proxy.svc/clusters-eu', inUse())).toEqual([]);
    expect(found('https://evil.svc/clusters/eu', inUse())).toEqual([]);
    expect(found(stated, inUse({}, { inventory: 'other' }))).toEqual([]);
    expect(profilesAt(asked({ server: stated }), [inUse()], at).matches).toEqual([]);
  });

  it('needs the profile’s CA, as any other', () => {
    expect(found(stated, inUse({}, {}, otherCa))).toEqual([]);
  });
});
