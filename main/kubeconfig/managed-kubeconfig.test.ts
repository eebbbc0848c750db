import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createCa } from '../../test/support/certificates.ts';
import { cluster } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { execInfoBytes } from './exec-info-size.ts';
import { managedKubeconfig, userName } from './managed-kubeconfig.ts';
import { readPreviousKubeconfig } from './previous-kubeconfig.ts';
import { printYaml } from './print-yaml.ts';
import { withoutOwnEntries } from './without-own.ts';

let ca: string;

beforeAll(async () => {
  ca = (await createCa('cluster')).certificatePem;
});

function aCluster(name: string, fields: object = {}, pem: string | null = null): LoadedCluster {
  const config = cluster.parse({ server: 'https://10.0.0.1:6443', account: 'corp', ...fields });
  return { name, config, certificateAuthorityPem: pem };
}

function written(clusters: LoadedCluster[], options: Partial<Parameters<typeof managedKubeconfig>[0]> = {}) {
  const { text, warnings } = managedKubeconfig({
    clusters,
    helperPath: '/h/bin/lanyard',
    home: null,
    apiVersion: 'v1',
    platform: 'linux',
    ...options,
  });
  return { text, warnings, value: parse(text, { version: '1.1' }) };
}

test('a cluster becomes a cluster, a user and a context', () => {
  const fields = { tlsServerName: 'api.example', proxyUrl: 'http://proxy:3128', disableCompression: true };
  const { value, warnings } = written([aCluster('prod', fields, ca)]);
  expect(warnings).toEqual([]);
  expect(value).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [
      {
        name: 'prod',
        cluster: {
          server: 'https://10.0.0.1:6443',
          'tls-server-name': 'api.example',
          'proxy-url': 'http://proxy:3128',
          'disable-compression': true,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
          extensions: [
            { name: 'client.authentication.k8s.io/exec', extension: { lanyard: { cluster: 'prod' } } },
          ],
        },
      },
    ],
    users: [
      {
        name: 'lanyard:corp@prod',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/h/bin/lanyard',
            args: ['kube-credential', '--account', 'corp', '--cluster', 'prod'],
            installHint: expect.stringContaining('/h/bin/lanyard'),
            interactiveMode: 'IfAvailable',
            provideClusterInfo: true,
          },
        },
      },
    ],
    contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'lanyard:corp@prod' } }],
    'current-context': 'prod',
  });
});

test('fields that a cluster doesn’t have are left out, the insecure flag is there when it is set', () => {
  const { value } = written([aCluster('a'), aCluster('b', { insecureSkipTlsVerify: true })]);
  expect(Object.keys(value.clusters[0].cluster)).toEqual(['server', 'extensions']);
  expect(value.clusters[1].cluster['insecure-skip-tls-verify']).toBe(true);
});

test('a home that isn’t the platform’s own is told, and v1beta1 is written where asked', () => {
  const { value } = written([aCluster('a')], { home: '/tmp/h', apiVersion: 'v1beta1' });
  expect(value.users[0].user.exec).toMatchObject({
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    env: [{ name: 'LANYARD_HOME', value: '/tmp/h' }],
  });
  expect(written([aCluster('a')]).text).not.toContain('LANYARD_HOME');
});

test('names that YAML 1.1 takes for other things stay names', () => {
  const names = [
    'on',
    'no',
    'null',
    '1_0',
    '0x1f',
    '1e3',
    '190:20:30',
    '2026-01-01',
    'arn:aws:eks:eu:1:cluster/p',
  ];
  const { value } = written(names.map((name) => aCluster(name, { account: 'yes' })));
  expect(value.contexts.map((each: { name: unknown }) => each.name)).toEqual(names);
  expect(value.users[0].user.exec.args).toEqual(['kube-credential', '--account', 'yes', '--cluster', 'on']);
});

test('two users never share a name', () => {
  expect(userName(aCluster('c', { account: 'a@b' }))).not.toBe(userName(aCluster('b@c', { account: 'a' })));
});

describe('cluster info is asked for only where it fits into one variable of the environment', () => {
  /** A PEM text of so many bytes that the variable has `bytes` in all, or up to 3 less. */
  function pemFor(bytes: number): string {
    const rest = execInfoBytes(aCluster('big', {}, 'x'), 'v1') - 4;
    return 'x'.repeat(Math.floor((bytes - rest) / 4) * 3);
  }

  test('a CA of 92,160 bytes fits', () => {
    const { value, warnings } = written([aCluster('big', {}, 'x'.repeat(92_160))]);
    expect(value.users[0].user.exec.provideClusterInfo).toBe(true);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['linux', 131_072],
    ['darwin', 131_072],
    ['win32', 32_767],
  ])('on %s up to %i bytes', (platform, limit) => {
    const [fits, tooLarge] = [aCluster('big', {}, pemFor(limit)), aCluster('big', {}, pemFor(limit + 4))];
    expect(execInfoBytes(fits, 'v1')).toBeLessThanOrEqual(limit);
    expect(execInfoBytes(tooLarge, 'v1')).toBeGreaterThan(limit);
    const provided = ([each]: LoadedCluster[]) =>
      written(each ? [each] : [], { platform }).value.users[0].user.exec.provideClusterInfo;
    expect([provided([fits]), provided([tooLarge])]).toEqual([true, false]);
  });

  test('where it doesn’t, a warning names the key that lets the cluster do without', () => {
    const tooLarge = pemFor(140_000);
    const { warnings } = written([aCluster('big', {}, tooLarge)]);
    expect(warnings).toEqual([expect.stringMatching(/CA of big .*withoutInfo: allow/)]);
    const allowed = written([aCluster('big', { withoutInfo: 'allow' }, tooLarge)]);
    expect(allowed.warnings).toEqual([]);
    expect(allowed.value.users[0].user.exec.provideClusterInfo).toBe(false);
  });
});

describe('of the file as it was', () => {
  const first = () => written([aCluster('a'), aCluster('b')]).text;
  const again = (previous: string, clusters = [aCluster('a'), aCluster('b')]) =>
    written(clusters, { previous });

  test('the current context is kept while there is one of that name', () => {
    const previous = first().replace('current-context: "a"', 'current-context: "b"');
    expect(again(previous).value['current-context']).toBe('b');
    expect(again(previous, [aCluster('c')]).value['current-context']).toBe('c');
    expect(again(previous, []).value['current-context']).toBe('');
  });

  test('none stays none, as kubectl config unset leaves it', () => {
    const previous = first().replace('current-context: "a"', 'current-context: ""');
    expect(again(previous).value['current-context']).toBe('');
  });

  test.each([
    ['its current context', 'b', undefined, 'b'],
    ['none, where that is not Lanyard’s', null, undefined, ''],
    ['none, where there is no such cluster', 'z', undefined, ''],
    ['what the file as it was says', 'b', 'a', 'a'],
    ['its current context where the file was empty', 'b', '', 'b'],
  ])('an import brings %s', (_, current, before, expected) => {
    const previous = before === undefined ? undefined : before === '' ? written([]).text : first();
    const clusters = [aCluster('a'), aCluster('b')];
    const { value } = written(clusters, { previous, first: { namespaces: new Map(), current } });
    expect(value['current-context']).toBe(expected);
  });

  test('preferences and a context’s namespace are kept', () => {
    const value = parse(first());
    value.preferences = { colors: true };
    value.contexts[1].context.namespace = 'team';
    const next = again(JSON.stringify(value)).value;
    expect(next.preferences).toEqual({ colors: true });
    expect(next.contexts[1].context).toEqual({ cluster: 'b', user: 'lanyard:corp@b', namespace: 'team' });
  });

  test('a first namespace counts where the context has none yet', () => {
    const namespaces = new Map([
      ['a', 'first'],
      ['c', 'first'],
    ]);
    const value = parse(first());
    value.contexts[0].context.namespace = 'mine';
    const clusters = ['a', 'b', 'c'].map((name) => aCluster(name));
    const next = written(clusters, {
      previous: JSON.stringify(value),
      first: { namespaces, current: null },
    }).value;
    expect(next.contexts.map((each: { context: { namespace?: string } }) => each.context.namespace)).toEqual([
      'mine',
      undefined,
      'first',
    ]);
  });

  test('what another program wrote into it is kept, what Lanyard wrote is replaced', () => {
    const value = parse(first());
    value.clusters.push({ name: 'gke', cluster: { server: 'https://gke' } });
    value.users.push({ name: 'gke', user: { token: 'theirs' } });
    value.contexts.push({ name: 'gke', context: { cluster: 'gke', user: 'gke' } });
    value['current-context'] = 'gke';
    const next = again(JSON.stringify(value), [aCluster('a')]).value;
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    expect([names(next.clusters), names(next.users), names(next.contexts)]).toEqual([
      ['a', 'gke'],
      ['lanyard:corp@a', 'gke'],
      ['a', 'gke'],
    ]);
    expect(next['current-context']).toBe('gke');
    expect(next.users[1].user.token).toBe('theirs');
    const clash = again(JSON.stringify(value), [aCluster('gke')]);
    expect(names(clash.value.contexts)).toEqual(['gke']);
    expect(clash.warnings).toEqual([
      expect.stringContaining('context gke'),
      expect.stringContaining('cluster gke'),
    ]);
  });

  describe('of thousands of own entries only what is kept is parsed', () => {
    const data = Buffer.from('x'.repeat(300)).toString('base64');
    const fields = { tlsServerName: 'api.example', proxyUrl: 'http://proxy:3128' };
    const clusters = () => [
      aCluster('a', fields, ca),
      aCluster('on', { insecureSkipTlsVerify: true }),
      aCluster('lanyard:b'),
    ];
    const first = { namespaces: new Map([['lanyard:b', 'team']]), current: 'a' };
    const options = { first, home: '/tmp/h' };
    /** With what another program wrote, between them and like them. */
    const mixed = () => {
      const value = parse(written(clusters(), options).text);
      const cluster = { server: 'https://kind', 'certificate-authority-data': data };
      const exec = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'theirs' } };
      value.clusters.splice(1, 0, { name: 'kind', cluster: { ...cluster, extensions: [exec] } });
      value.users.splice(1, 0, { name: 'lanyard', user: { token: 'theirs', note: 'name: lanyard:x\n' } });
      value.contexts.splice(1, 0, { name: 'kind', context: { cluster: 'kind', user: 'lanyard' } });
      return value;
    };

    test.each([
      ['as Lanyard writes it', (value: object) => `# Written\n${printYaml(value)}`],
      [
        'as kubectl writes it',
        (value: object) => stringify(value, { sortMapEntries: true, indentSeq: false, version: '1.1' }),
      ],
    ])('%s', (_name, print) => {
      const text = print(mixed());
      const previous = readPreviousKubeconfig(text);
      const value = parse(withoutOwnEntries(text));
      const names = (list: { name: string }[]) => list.map(({ name }) => name);
      expect([names(value.clusters), names(value.users), names(value.contexts)]).toEqual([
        ['kind'],
        ['lanyard'],
        ['kind', 'lanyard:b'],
      ]);
      const whole = parse(text);
      expect(value.clusters[0]).toEqual(whole.clusters[1]);
      expect(value.users[0]).toEqual(whole.users[1]);
      expect(previous?.namespaces).toEqual(new Map([['lanyard:b', 'team']]));
      expect(previous?.currentContext).toBe('a');
    });

    test('and an entry that another one refers to is parsed with it', () => {
      const text = stringify(mixed(), { sortMapEntries: true, indentSeq: false });
      const anchored = text
        .replace('    server: https://10.0.0.1:6443', '    server: &own https://10.0.0.1:6443')
        .replace('server: https://kind', 'server: *own');
      expect(readPreviousKubeconfig(anchored)?.foreign.clusters).toMatchObject([
        { cluster: { server: 'https://10.0.0.1:6443' } },
      ]);
    });
  });

  test('nothing is kept of what can’t be read, and it is said', () => {
    for (const previous of ['{', '- 1', 'contexts: x', 'a: *b']) {
      const { warnings, value } = again(previous);
      expect(warnings).toEqual([expect.stringContaining('could not be read')]);
      expect(value['current-context']).toBe('a');
    }
    expect(again('').warnings).toEqual([]);
  });

  test('written again, nothing changes', () => {
    expect(again(first()).text).toBe(first());
  });
});
