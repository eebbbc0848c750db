import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa, type IssuedCertificate, issueClientCertificate } from '../support/certificates.ts';
import { buildGo, findGo } from '../support/go.ts';
import { whyNotLong } from '../support/long.ts';
import { run } from '../support/processes.ts';
import { Stage } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** The same Secrets, read by the community’s plugins and by Lanyard. KEP-5339/secret-plugins */
const module = join(import.meta.dirname, '..', 'support', 'secret-plugins');
const go = findGo();
const why = go.ok ? whyNotLong : go.why;

let stage: Stage;
let certificate: IssuedCertificate;
let hubKubeconfig: string;

const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Row {
  kind: 'secretreader' | 'kubeconfig-secretreader';
  /** spec.cluster.config. */
  config: Record<string, unknown>;
  /** By key; null: there is no such Secret. */
  data: () => Record<string, string> | null;
  /** Where Lanyard refuses what the plugin takes, or takes it in another form: why. */
  differs?: string;
}

function kubeconfig(user: object, more: { cluster?: object; context?: object; root?: object } = {}): string {
  const { cluster, context, root } = more;
  const ca = { 'certificate-authority-data': base64(stage.api.caPem) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: stage.api.server, ...ca, ...cluster } }],
    users: [
      { name: 'u', user },
      { name: 'second', user: { token: 'of-the-second' } },
    ],
    contexts: [
      { name: 'x', context: { cluster: 'c', user: 'u', ...context } },
      { name: 'y', context: { cluster: 'c', user: 'second' } },
    ],
    'current-context': 'x',
    ...root,
  });
}

const pair = () => ({
  'client-certificate-data': base64(certificate.chainPem),
  'client-key-data': base64(certificate.keyPem),
});
const stored = (name: string, user: () => object, more?: Parameters<typeof kubeconfig>[1]) => ({
  kind: 'kubeconfig-secretreader' as const,
  config: { name, key: 'value' },
  data: () => ({ value: kubeconfig(user(), more) }),
});
const plain = (clusterName: string, data: Record<string, string> | null) => ({
  kind: 'secretreader' as const,
  config: { clusterName },
  data: () => data,
});

const rows: Readonly<Record<string, Row>> = {
  token: plain('token', { token: 'a-token', other: 'b' }),
  missing: plain('missing', null),
  'no-key': plain('no-key', { value: 'a-token' }),
  empty: plain('empty', { token: '' }),
  'no-name': { kind: 'secretreader', config: { name: 'token' }, data: () => null },
  path: {
    ...plain('../configmaps/token', null),
  },
  newline: {
    ...plain('newline', { token: 'a-token\n' }),
    differs: 'no HTTP header can have the line end that the plugin passes on',
  },
  'kc-token': stored('kc-token', () => ({ token: 'a-token' })),
  'kc-pair': stored('kc-pair', pair),
  'kc-both': stored('kc-both', () => ({ ...pair(), token: 'a-token' })),
  'kc-second': {
    ...stored('kc-second', () => ({ token: 'a-token' })),
    config: { name: 'kc-second', key: 'value', context: 'y' },
  },
  'kc-no-context': {
    ...stored('kc-no-context', () => ({ token: 'a-token' })),
    config: { name: 'kc-no-context', key: 'value', context: 'z' },
  },
  'kc-no-current': stored('kc-no-current', () => ({ token: 't' }), { root: { 'current-context': '' } }),
  'kc-no-user': stored('kc-no-user', () => ({ token: 't' }), { context: { user: 'none' } }),
  'kc-no-key': { ...stored('kc-no-key', () => ({ token: 't' })), config: { name: 'kc-no-key' } },
  'kc-half': stored('kc-half', () => ({ 'client-certificate-data': pair()['client-certificate-data'] })),
  'kc-file': stored('kc-file', () => ({ 'client-certificate': '/a', 'client-key': '/b' })),
  'kc-exec': stored('kc-exec', () => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'a' },
  })),
  'kc-password': stored('kc-password', () => ({ username: 'a', password: 'b' })),
  'kc-extensions': stored('kc-extensions', () => ({ token: 't' }), {
    root: { extensions: [{ name: 'a', extension: {} }] },
  }),
  'kc-no-yaml': {
    kind: 'kubeconfig-secretreader',
    config: { name: 'kc-no-yaml', key: 'value' },
    data: () => ({ value: 'users: [' }),
  },
  'kc-token-and-exec': {
    ...stored('kc-token-and-exec', () => ({ token: 't', exec: { apiVersion: 'v1', command: 'a' } })),
    differs: 'what else a user has is dropped in silence',
  },
  'kc-token-file': {
    ...stored('kc-token-file', () => ({ token: 't', tokenFile: '/a' })),
    differs: 'what else a user has is dropped in silence',
  },
  'kc-impersonation': {
    ...stored('kc-impersonation', () => ({ token: 't', as: 'admin' })),
    differs: 'the credential would act as another user than the kubeconfig says',
  },
  'kc-user-extensions': {
    ...stored('kc-user-extensions', () => ({ token: 't', extensions: [{ name: 'a', extension: {} }] })),
    differs: 'the plugin looks for extensions of the whole file alone',
  },
  'kc-elsewhere': {
    ...stored('kc-elsewhere', () => ({ token: 't' }), { cluster: { server: 'https://elsewhere.example' } }),
    differs: 'the plugin hands out the credential of another cluster',
  },
  'kc-other-pair': {
    ...stored('kc-other-pair', () => ({ ...pair(), 'client-key-data': base64('none') })),
    differs: 'the plugin passes on a key that its client then refuses',
  },
};

interface Given {
  token: string | null;
  certificate: string | null;
  key: string | null;
}

/** Null: refused. */
function given({ code, stdout }: { code: number | null; stdout: string }): Given | null {
  if (code !== 0) {
    return null;
  }
  const { token, clientCertificateData, clientKeyData } = JSON.parse(stdout).status;
  return { token: token ?? null, certificate: clientCertificateData ?? null, key: clientKeyData ?? null };
}

describe('a Secret gives what it gives the community’s plugins', unless(why), () => {
  const taken: string[] = [];
  const refused: string[] = [];
  const programs = new Map<Row['kind'], string>();

  beforeAll(async () => {
    for (const kind of ['secretreader', 'kubeconfig-secretreader'] as const) {
      const program = `sigs.k8s.io/cluster-inventory-api/plugins/${kind}/cmd/plugin`;
      programs.set(kind, await buildGo(go.ok ? go.path : '', kind, { module, program }));
    }
    certificate = await issueClientCertificate(await createCa('clients'), { commonName: 'a-user' });
    stage = await Stage.open({
      extend: ({ accounts, clusters }, { api }) => {
        clusters['hub'] = { ...clusters['prod-bot'] };
        accounts['secretreader'] = { secretReader: { cluster: 'hub', namespace: 'fleet' } };
        accounts['kubeconfig-secretreader'] = {
          kubeconfigSecretReader: { cluster: 'hub', namespace: 'fleet' },
        };
        for (const [name, { kind, config }] of Object.entries(rows)) {
          // config.yaml takes no such cluster (main/config/secret-readers.test.ts).
          if (!['no-name', 'path', 'kc-no-key'].includes(name)) {
            clusters[name] = {
              ...clusters['prod-bot'],
              server: api.server,
              account: kind,
              execConfig: config,
            };
          }
        }
      },
    });
    await stage.setSecrets();
    for (const [name, { data }] of Object.entries(rows)) {
      const values = data();
      stage.api.serve(
        `GET /api/v1/namespaces/fleet/secrets/${name}`,
        values && {
          status: 200,
          body: {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { name, namespace: 'fleet' },
            data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
          },
        },
      );
    }
    const ca = { 'certificate-authority-data': base64(stage.api.caPem) };
    hubKubeconfig = stage.home.write(
      'hub.kubeconfig',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'hub', cluster: { server: stage.api.server, ...ca } }],
        users: [{ name: 'bot', user: { token: stage.botToken } }],
        contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'bot', namespace: 'fleet' } }],
        'current-context': 'hub',
      }),
    );
  }, 900_000);
  afterAll(() => stage?.dispose());

  test.each(Object.entries(rows))('%s', async (name, { kind, config, differs }) => {
    const info = stage.execInfo({ cluster: { config } });
    const theirs = given(
      await run(programs.get(kind) ?? '', [], {
        env: { ...stage.home.env, KUBECONFIG: hubKubeconfig, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      }),
    );
    const ours = given(await stage.ask(kind, info, { args: ['--cluster', name] }));
    if (differs === undefined) {
      (ours === null ? refused : taken).push(name);
      expect(ours).toEqual(theirs);
    } else {
      expect(theirs).not.toBeNull();
      expect(ours).not.toEqual(theirs);
    }
  });

  test('of which some are taken, and some are refused', () => {
    expect([taken.length, refused.length]).toEqual([5, 15]);
  });
});
