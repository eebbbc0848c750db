import { describe, expect, it, test } from 'vitest';
import type { Profile, ProfileProvider } from './profile.ts';
import { readProfile } from './read-profile.ts';
import {
  execExtension,
  extension,
  profileObject,
  profileOfCluster,
  seedsArgs,
  seedsEnv,
  todaysArgs,
  todaysEnv,
} from './testing/a-profile.ts';

function profileOf(value: unknown): Profile {
  const read = readProfile(value, 'corp');
  if (!read.ok) {
    throw new Error(read.fault);
  }
  return read.profile;
}

function providerOf(cluster: unknown, version?: string): ProfileProvider {
  const [provider] = profileOf(profileOfCluster(cluster, version)).providers;
  if (!provider) {
    throw new Error('there is no provider');
  }
  return provider;
}

const server = 'https://api.example.com';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** KEP-5339/profile */
describe.each(['v1alpha1', 'v1alpha2'])('a profile of %s', (version) => {
  it('is read with all that is used of it', () => {
    const value = profileObject({
      version,
      metadata: { labels: { env: 'prod', 'multicluster.x-k8s.io/inventory-member-id': 'm1' } },
      status: {
        version: { kubernetes: '1.37.2' },
        properties: [
          { name: 'clusterset.k8s.io', value: 'blue' },
          { name: 'location', value: 'eu-west1' },
        ],
        conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Up', message: 'It is up' }],
        accessProviders: [
          {
            name: 'google',
            cluster: {
              server,
              'tls-server-name': 'kubernetes',
              'insecure-skip-tls-verify': true,
              'certificate-authority-data': base64('a CA'),
              'proxy-url': 'http://proxy:3128',
              'disable-compression': true,
              extensions: [
                extension(execExtension, { region: 'x', list: [1, null] }),
                extension(todaysArgs, ['--audience', 'a b']),
                extension(todaysEnv, { ZONE: 'z', AUDIENCE: '' }),
                extension('other', { any: 'thing' }),
              ],
            },
          },
          { name: 'eks', cluster: { server: 'https://eks' } },
        ],
      },
    });
    expect(profileOf(value)).toEqual({
      inventory: 'corp',
      namespace: 'fleet',
      name: 'prod',
      uid: '6f0d',
      displayName: 'Prod',
      manager: 'manager',
      version: '1.37.2',
      clusterset: 'blue',
      location: 'eu-west1',
      memberId: 'm1',
      labels: new Map([
        ['env', 'prod'],
        ['multicluster.x-k8s.io/inventory-member-id', 'm1'],
      ]),
      conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Up', message: 'It is up' }],
      hasStatus: true,
      providers: [
        {
          name: 'google',
          server,
          tlsServerName: 'kubernetes',
          insecureSkipTlsVerify: true,
          certificateAuthorityPem: 'a CA',
          proxyUrl: 'http://proxy:3128',
          disableCompression: true,
          execConfig: { region: 'x', list: [1, null] },
          args: ['--audience', 'a b'],
          argsFault: null,
          env: new Map([
            ['AUDIENCE', ''],
            ['ZONE', 'z'],
          ]),
          envFault: null,
          fault: null,
        },
        {
          name: 'eks',
          server: 'https://eks',
          tlsServerName: null,
          insecureSkipTlsVerify: false,
          certificateAuthorityPem: null,
          proxyUrl: null,
          disableCompression: false,
          execConfig: undefined,
          args: null,
          argsFault: null,
          env: null,
          envFault: null,
          fault: null,
        },
      ],
      problems: [],
    });
  });

  it('without a status has no providers, and says so', () => {
    expect(profileOf(profileObject({ version }))).toMatchObject({
      hasStatus: false,
      providers: [],
      problems: [],
    });
    expect(profileOf(profileObject({ version, status: {} }))).toMatchObject({
      hasStatus: true,
      providers: [],
    });
    expect(profileOf(profileObject({ version, status: 'ready' }))).toMatchObject({
      hasStatus: false,
      problems: ['its status is no object'],
    });
  });

  it('credentialProviders count in v1alpha1 alone, and behind accessProviders', () => {
    const status = {
      credentialProviders: [
        { name: 'google', cluster: { server: 'https://old' } },
        { name: 'eks', cluster: { server: 'https://eks' } },
      ],
      accessProviders: [{ name: 'google', cluster: { server: 'https://new' } }],
    };
    const { providers } = profileOf(profileObject({ version, status }));
    expect(providers.map((each) => [each.name, each.server])).toEqual(
      version === 'v1alpha1'
        ? [
            ['google', 'https://new'],
            ['eks', 'https://eks'],
          ]
        : [['google', 'https://new']],
    );
  });
});

describe('what is no profile', () => {
  const named = (metadata: object) => profileObject({ metadata });
  const otherKind = 'is no ClusterProfile of multicluster.x-k8s.io';
  const noName = 'has no name that Kubernetes accepts';
  const noNamespace = 'has no namespace that Kubernetes accepts';
  const newer =
    'has the apiVersion "multicluster.x-k8s.io/v1\\u{202e}"; supported are multicluster.x-k8s.io/v1alpha1 and multicluster.x-k8s.io/v1alpha2';
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'is undefined, not an object'],
    ['null', null, 'is null, not an object'],
    ['a list', [], 'is a list, not an object'],
    ['another kind', { ...profileObject({}), kind: 'Secret' }, otherKind],
    ['another group', { ...profileObject({}), apiVersion: 'v1' }, otherKind],
    ['a newer version', profileObject({ version: 'v1\u202e' }), newer],
    ['no name', named({ name: undefined }), noName],
    ['a path as a name', named({ name: '../x' }), noName],
    ['a long name', named({ name: 'x'.repeat(254) }), noName],
    ['a number as a namespace', named({ namespace: 7 }), noNamespace],
    ['a domain as a namespace', named({ namespace: 'a.b' }), noNamespace],
  ])('%s', (_, value, fault) => {
    expect(readProfile(value, 'corp')).toMatchObject({ ok: false, fault });
  });

  it('is one with nothing but inherited members', () => {
    expect(readProfile(Object.create(profileObject({})), 'corp').ok).toBe(false);
  });

  it('is told by its names, where they can be read', () => {
    const value = { ...profileObject({}), kind: 'Secret' };
    expect(readProfile(value, 'corp')).toMatchObject({ namespace: 'fleet', name: 'prod' });
    const odd = profileObject({ metadata: { name: 'a\u001b[2J' } });
    expect(readProfile(odd, 'corp')).toMatchObject({ namespace: 'fleet', name: null });
  });

  it('a file’s object without a namespace has the one that is given', () => {
    const value = profileObject({ metadata: { namespace: undefined } });
    expect(readProfile(value, 'corp').ok).toBe(false);
    expect(readProfile(value, 'corp', 'default')).toMatchObject({ profile: { namespace: 'default' } });
  });
});

describe('a fault of a provider', () => {
  const extensions = (...all: unknown[]) => ({ server, extensions: all });
  const execOf = (value: unknown) => extensions(extension(execExtension, value));
  const ca = (data: string) => ({ server, 'certificate-authority-data': data });
  const exec = 'its extension client.authentication.k8s.io/exec';
  test.each<[string, unknown]>([
    ['its cluster is string', 'x'],
    ['its server is number, not text', { server: 7 }],
    ['its server has 2056 characters; at most 2048 are read', { server: `https://${'x'.repeat(2048)}` }],
    ['its server has control or direction characters', { server: 'https://a\nb' }],
    [
      'its tls-server-name has 254 characters; at most 253 are read',
      { server, 'tls-server-name': 'x'.repeat(254) },
    ],
    [
      'its insecure-skip-tls-verify is string, not true or false',
      { server, 'insecure-skip-tls-verify': 'true' },
    ],
    ['its disable-compression is number, not true or false', { server, 'disable-compression': 1 }],
    ['its certificate-authority-data is not in base64', ca('a CA')],
    ['its certificate-authority-data is no PEM', ca(base64('\u0000'))],
    [
      'its certificate-authority-data has 87388 characters: more than 64 KiB of PEM',
      ca(base64('x'.repeat(64 * 1024 + 3))),
    ],
    ['its extensions are object, not a list', { server, extensions: { [execExtension]: {} } }],
    ['its extension 1 has no name', extensions({ extension: {} })],
    ['its extension 1 has no name', extensions('x')],
    ['its extension x is there twice', extensions(extension('x', 1), extension('x', 1))],
    [
      'it has 65 extensions; at most 64 are read',
      extensions(...Array.from({ length: 65 }, (_, index) => extension(`e${index}`, 1))),
    ],
    [`${exec} has 1048576 bytes; at most 65536 are read`, execOf({ x: 'x'.repeat(1024 * 1024 - 8) })],
    [`${exec} has more than 4096 values`, execOf(Array(4096).fill([]))],
    [
      `${exec} holds a number that would lose digits: put it in quotes`,
      execOf(JSON.parse('{"project":12345678901234567890}')),
    ],
  ])('%s, and its config isn’t kept', (fault, cluster) => {
    expect(providerOf(cluster)).toMatchObject({ fault, execConfig: undefined });
  });

  it('4096 values of a config are none', () => {
    expect(providerOf(execOf(Array(4095).fill([])))).toMatchObject({
      fault: null,
      execConfig: expect.arrayContaining([[]]),
    });
  });

  it('is no other provider’s', () => {
    const { providers } = profileOf(
      profileObject({
        status: {
          accessProviders: [
            { name: 'a', cluster: 7 },
            { name: 'b', cluster: { server } },
          ],
        },
      }),
    );
    expect(providers.map(({ fault }) => fault)).toEqual(['its cluster is number', null]);
  });

  it('a cycle through YAML’s aliases is one, and a config that is too deep', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const deep = (levels: number) => {
      let value: unknown = 1;
      for (let depth = 0; depth < levels; depth++) {
        value = { a: value };
      }
      return value;
    };
    expect(providerOf(execOf(deep(64))).fault).toBeNull();
    // JSON.stringify takes some thousand levels, and what copies and compares later fewer.
    for (const value of [cycle, deep(65), deep(2_000), deep(100_000)]) {
      expect(providerOf(execOf(value)).fault).toMatch(
        /^its extension client.authentication.k8s.io\/exec (is no JSON|has more than 4096 values)$/,
      );
    }
  });

  it('no cluster, and null, are no fault here: there is no server', () => {
    for (const cluster of [undefined, null, {}, { server: null, extensions: null }]) {
      expect(providerOf(cluster)).toMatchObject({ server: null, fault: null });
    }
  });
});

describe('additional arguments and variables', () => {
  const cluster = (...extensions: unknown[]) => ({ server, extensions });

  it('are read under the name of KEP-5339’s first text, too; today’s counts first', () => {
    const old = providerOf(cluster(extension(seedsArgs, ['old']), extension(seedsEnv, { A: 'old' })));
    expect([old.args, old.env]).toEqual([['old'], new Map([['A', 'old']])]);
    const both = providerOf(
      cluster(
        extension(seedsArgs, ['old']),
        extension(todaysArgs, ['new']),
        extension(seedsEnv, { A: 'old' }),
        extension(todaysEnv, { B: 'new' }),
      ),
    );
    expect([both.args, both.env]).toEqual([['new'], new Map([['B', 'new']])]);
  });

  const unprintable = 'which has control or direction characters';
  test.each<[string, unknown]>([
    ['is string, not a list of text', '- a'],
    ['is object, not a list of text', { a: 'b' }],
    ['has argument 2, which is object, not text', ['a', {}]],
    ['has argument 1, which is null, not text', [null]],
    ['has 65 arguments; at most 64 are read', Array(65).fill('a')],
    [`has argument 1, ${unprintable}`, ['a\0b']],
    [`has argument 1, ${unprintable}`, ['\u202ea']],
    ['has argument 1, which has 4097 characters; at most 4096 are read', ['x'.repeat(4097)]],
    ['has 1048576 bytes; at most 65536 are read', ['x'.repeat(1024 * 1024 - 4)]],
  ])('additional-args %s', (fault, value) => {
    const read = providerOf(cluster(extension(todaysArgs, value)));
    expect(read).toMatchObject({ args: null, argsFault: `additional-args ${fault}`, fault: null });
  });

  test.each<[string, unknown]>([
    ['is a list, not texts by name', ['A=b']],
    ['has A, which is a list, not text', { A: [] }],
    ['has A=B, which is no variable’s name', { 'A=B': 'c' }],
    ['has "A\\u{0}", which is no variable’s name', { 'A\0': 'c' }],
    ['has "", which is no variable’s name', { '': 'c' }],
    [`has A, ${unprintable}`, { A: '\0' }],
    [
      'has 65 variables; at most 64 are read',
      Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`A${index}`, ''])),
    ],
    ['has 1048576 bytes; at most 65536 are read', { A: 'x'.repeat(1024 * 1024 - 8) }],
  ])('additional-envs %s', (fault, value) => {
    const read = providerOf(cluster(extension(todaysEnv, value)));
    expect(read).toMatchObject({ env: null, envFault: `additional-envs ${fault}`, fault: null });
  });

  it('null is none', () => {
    expect(providerOf(cluster(extension(todaysArgs, null), extension(execExtension, null)))).toMatchObject({
      args: null,
      argsFault: null,
      execConfig: undefined,
      fault: null,
    });
  });

  it('__proto__ is a name like others', () => {
    const value = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    expect(providerOf(cluster(extension(todaysEnv, value))).env).toEqual(
      new Map([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
  });
});

describe('a problem leaves the rest', () => {
  const provider = { name: 'google', cluster: { server } };
  const having = (...accessProviders: unknown[]) => ({ status: { accessProviders } });
  const labelled = (labels: object) => ({ metadata: { labels } });
  const withCaPath = { name: 'google', cluster: { server, 'certificate-authority': '/etc/ca' } };
  test.each<[string, object]>([
    ['its accessProviders are object, not a list', { status: { accessProviders: {} } }],
    ['entry 1 of its accessProviders is string', having('x', provider)],
    ['one of its providers has no name that can be read', having({}, provider)],
    ['one of its providers has no name that can be read', having({ name: 'a\u200b' })],
    ['its provider google is there twice; the first counts', having(provider, { ...provider, cluster: {} })],
    ['its labels are a list', labelled([])],
    ['its label "a b" is none that Kubernetes accepts', labelled({ 'a b': 'c' })],
    ['its label a is none that Kubernetes accepts', labelled({ a: 'b c' })],
    ['its conditions are string, not a list', { status: { conditions: 'x' } }],
    [
      'one of its conditions has no type, or no status',
      { status: { conditions: [{ type: 'A', status: 'true' }] } },
    ],
    ['its UID can’t be read', { metadata: { uid: 'a\u202e' } }],
    ['its UID can’t be read', { metadata: { uid: 'x'.repeat(129) } }],
    ['its UID can’t be read', { metadata: { uid: {} } }],
    ['certificate-authority of its provider google is a path, and isn’t read', having(withCaPath)],
  ])('%s', (problem, parts) => {
    expect(profileOf(profileObject(parts)).problems).toEqual([problem]);
  });

  it('of two providers of one name the first counts', () => {
    const two = having(provider, { name: 'google', cluster: { server: 'https://evil' } });
    expect(profileOf(profileObject(two)).providers.map((each) => each.server)).toEqual([server]);
  });

  it('65 providers: the first 64', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `p${index}`, cluster: { server } }));
    const { providers, problems } = profileOf(profileObject(having(...many)));
    expect([providers.length, problems]).toEqual([64, ['it has 65 accessProviders; the first 64 are read']]);
  });

  it('129 labels: the first 128', () => {
    const labels = Object.fromEntries(Array.from({ length: 129 }, (_, index) => [`l${index}`, '']));
    const read = profileOf(profileObject({ metadata: { labels } }));
    expect([read.labels.size, read.problems]).toEqual([128, ['it has more than 128 labels']]);
  });

  it('of two properties of one name the first counts', () => {
    const properties = ['first', 'second'].map((value) => ({ name: 'location', value }));
    expect(profileOf(profileObject({ status: { properties } })).location).toBe('first');
  });

  it('thousands of problems are a few', () => {
    const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a b${index}`, 'c']));
    expect(profileOf(profileObject({ metadata: { labels } })).problems).toHaveLength(16);
  });

  it('a path to a CA isn’t read', () => {
    expect(providerOf(withCaPath.cluster)).toMatchObject({ certificateAuthorityPem: null, fault: null });
  });
});

describe('text for display', () => {
  const odd = `a\u001b[2J\u202eb\n${'x'.repeat(5000)}`;

  it('has no control and direction characters, and an end', () => {
    const profile = profileOf(
      profileObject({
        spec: { displayName: odd, clusterManager: { name: odd } },
        status: {
          version: { kubernetes: odd },
          properties: [
            { name: 'location', value: odd },
            { name: 'clusterset.k8s.io', value: odd },
          ],
          conditions: [{ type: odd, status: 'True', reason: odd, message: odd }],
          accessProviders: [
            { name: 'google', cluster: { server: odd, 'tls-server-name': odd, 'proxy-url': odd } },
          ],
        },
      }),
    );
    const texts: string[] = [];
    JSON.stringify(profile, (_, value: unknown) => {
      if (typeof value === 'string') {
        texts.push(value);
      }
      return value;
    });
    expect(texts.filter((text) => /[\p{C}\p{Zl}\p{Zp}]/u.test(text) || text.length > 2100)).toEqual([]);
    expect(texts.filter((text) => text.startsWith('a\\u{1b}[2J\\u{202e}b')).length).toBe(11);
  });

  it('clusterset: a property before a label', () => {
    const metadata = { labels: { 'multicluster.x-k8s.io/clusterset': 'label' } };
    const properties = [{ name: 'clusterset.k8s.io', value: 'property' }];
    expect(profileOf(profileObject({ metadata, status: { properties } })).clusterset).toBe('property');
  });

  test.each(['clusterset.multicluster.x-k8s.io', 'multicluster.x-k8s.io/clusterset'])(
    'clusterset by the label or property %s',
    (name) => {
      const properties = [{ name, value: 'set' }];
      expect(profileOf(profileObject({ metadata: { labels: { [name]: 'set' } } })).clusterset).toBe('set');
      expect(profileOf(profileObject({ status: { properties } })).clusterset).toBe('set');
    },
  );

  it('location by its region', () => {
    const properties = [{ name: 'topology.kubernetes.io/region', value: 'eu' }];
    expect(profileOf(profileObject({ status: { properties } })).location).toBe('eu');
    const labels = { 'topology.kubernetes.io/region': 'eu' };
    expect(profileOf(profileObject({ metadata: { labels } })).location).toBe('eu');
  });
});
