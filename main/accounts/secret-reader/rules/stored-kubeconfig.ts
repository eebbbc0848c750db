import { Secret } from '../../../base/secret.ts';
import { type ReadPair, readPair } from '../../../domain/credential/read-pair.ts';
import { decodeStruct } from '../../../domain/decode/go-struct.ts';
import type { GoStruct, GoValue } from '../../../domain/decode/go-type.ts';
import { readTree } from '../../../domain/decode/read-tree.ts';
import { typeMeta } from '../../../domain/decode/type-meta.ts';
import type { ExecCluster } from '../../../domain/server/exec-cluster.ts';

/** What a stored kubeconfig says of one context. */
export interface StoredContext {
  /** The cluster that the credential is for. */
  cluster: ExecCluster;
  token: Secret | null;
  certificate: Extract<ReadPair, { ok: true }> | null;
}

type Read = { ok: true; context: StoredContext } | { ok: false; fault: string };

const mostCharacters = 256 * 1024;

/** One cluster takes some 60 marks. */
const yamlLimits = { what: 'a stored kubeconfig', characters: mostCharacters, marks: 4096, lines: 16_384 };

/**
 * A context of a kubeconfig that a Secret has (null: its current one), decoded as client-go does. Only a token and a
 * client certificate in itself are taken: all that reads a file, runs a program or acts as another user is refused.
 * `fault`: the end of a sentence about the kubeconfig. No word of the kubeconfig is in it.
 */
export function readStoredKubeconfig(text: Secret, contextName: string | null): Read {
  const config = decode(text.reveal());
  if ('fault' in config) {
    return config;
  }
  const named = contextName ?? (config['current-context'] || null);
  if (named === null) {
    return fail('has no current-context, and the cluster’s execConfig names no context');
  }
  const context = only(config.contexts, named);
  const cluster = only(config.clusters, context?.context?.cluster ?? '');
  const user = only(config.users, context?.context?.user ?? '');
  if (!context || !cluster || !user) {
    const what = context ? (cluster ? 'user' : 'cluster') : 'context';
    return fail(`has not exactly one ${what} of the name that is asked for`);
  }
  const isExtended = [config, cluster.cluster, context.context, user.user].some(
    (each) => (each?.extensions?.length ?? 0) > 0,
  );
  if (isExtended) {
    return fail('has extensions, which are not supported');
  }
  const place = readCluster(cluster.cluster ?? {});
  if ('fault' in place) {
    return place;
  }
  const credential = readUser(user.user ?? {});
  return 'fault' in credential ? credential : { ok: true, context: { cluster: place, ...credential } };
}

type Fault = Extract<Read, { ok: false }>;

function decode(text: string): GoValue<typeof kubeconfig> | Fault {
  if (text.length > mostCharacters) {
    return fail('is larger than 256 KiB');
  }
  const read = readTree(text, yamlLimits);
  if (!read.ok) {
    return fail(`can’t be read: ${read.message}`);
  }
  // An empty text is an empty kubeconfig.
  const tree = read.tree.kind === 'null' ? ({ kind: 'object', members: [] } as const) : read.tree;
  const meta = typeMeta(tree);
  const decoded = meta.ok ? decodeStruct(tree, kubeconfig) : meta;
  if (!meta.ok || !decoded.ok) {
    return fail('can’t be read: a value in it is of another type');
  }
  const { apiVersion, kind } = meta.meta;
  return ['', 'v1'].includes(apiVersion) && ['', 'Config'].includes(kind)
    ? decoded.value
    : fail('is none: expected apiVersion v1 and kind Config');
}

/** client-go refuses a file with two entries of one name. */
function only<Entry extends { readonly name?: string | null | undefined }>(
  entries: readonly Entry[] | null | undefined,
  name: string,
): Entry | null {
  const [found, ...more] = (entries ?? []).filter((each) => (each.name ?? '') === name);
  return found && more.length === 0 ? found : null;
}

type Cluster = NonNullable<NonNullable<NonNullable<Decoded['clusters']>[number]['cluster']>>;
type User = NonNullable<NonNullable<NonNullable<Decoded['users']>[number]['user']>>;
type Decoded = GoValue<typeof kubeconfig>;

function readCluster(cluster: Cluster): ExecCluster | Fault {
  if (cluster['certificate-authority']) {
    return fail('names a file with the CA (certificate-authority): only certificate-authority-data is read');
  }
  const data = cluster['certificate-authority-data'] ?? '';
  const authority = fromBase64(data);
  return authority === null
    ? fail('has certificate-authority-data that is not base64')
    : {
        server: cluster.server ?? '',
        tlsServerName: cluster['tls-server-name'] || null,
        insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] ?? false,
        certificateAuthorityPem: authority || null,
        proxyUrl: cluster['proxy-url'] || null,
      };
}

/** What a user of a kubeconfig can have that is not taken, each with its sentence. */
const refusals: readonly (readonly [has: (user: User) => unknown, fault: string])[] = [
  [(user) => user.exec, 'has a program to run (exec): a stored kubeconfig’s programs are never run'],
  [(user) => user['auth-provider'], 'has an auth-provider, which is not supported'],
  [(user) => user.tokenFile, 'names a file with the token (tokenFile): only token is read'],
  [
    (user) => user['client-certificate'] || user['client-key'],
    'names a file with the certificate or its key: only client-certificate-data and client-key-data are read',
  ],
  [
    (user) => user.username || user.password,
    'has a user name or password, which no exec credential can carry',
  ],
  [
    (user) =>
      user.as || user['as-uid'] || user['as-groups']?.length || (user['as-user-extra']?.size ?? 0) > 0,
    'acts as another user (impersonation), which no exec credential can carry',
  ],
];

function readUser(user: User): Omit<StoredContext, 'cluster'> | Fault {
  const refusal = refusals.find(([has]) => has(user));
  if (refusal) {
    return fail(refusal[1]);
  }
  const certificate = fromBase64(user['client-certificate-data'] ?? '');
  const key = fromBase64(user['client-key-data'] ?? '');
  if (certificate === null || key === null) {
    return fail(
      `has ${certificate === null ? 'client-certificate-data' : 'client-key-data'} that is not base64`,
    );
  }
  if ((certificate === '') !== (key === '')) {
    return fail('has only one of client-certificate-data and client-key-data');
  }
  const token = user.token ? new Secret(user.token) : null;
  if (token === null && certificate === '') {
    return fail('has neither a token nor a client certificate');
  }
  if (certificate === '') {
    return { token, certificate: null };
  }
  const pair = readPair(
    { text: new Secret(certificate), called: 'client-certificate-data' },
    { text: new Secret(key), called: 'client-key-data' },
  );
  return pair.ok ? { token, certificate: pair } : fail(pairFaults[pair.code]);
}

/** `readPair`’s own messages name the certificate’s subject. */
const pairFaults: Readonly<Record<Extract<ReadPair, { ok: false }>['code'], string>> = {
  noCertificate: 'has client-certificate-data without a certificate: expected PEM',
  badCertificate: 'has a client certificate that can’t be read',
  keyMissing: 'has client-key-data without a private key: expected PEM',
  keyEncrypted: 'has a private key that is encrypted with a passphrase',
  badKey: 'has a private key that can’t be read',
  mismatch: 'has a private key that is not its client certificate’s',
};

/** As Go’s base64.StdEncoding; null: it is none. */
function fromBase64(text: string): string | null {
  const plain = text.replace(/[\r\n]/g, '');
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
    ? Buffer.from(plain, 'base64').toString('utf8')
    : null;
}

function fail(fault: string): Fault {
  return { ok: false, fault };
}

const extensions = {
  go: '[]v1.NamedExtension',
  list: { go: 'v1.NamedExtension', fields: { name: 'string', extension: 'any' } },
} as const;

/** k8s.io/client-go/tools/clientcmd/api/v1: Config. Its bytes are read as the text that they are in. */
const kubeconfig = {
  go: 'v1.Config',
  fields: {
    kind: 'string',
    apiVersion: 'string',
    'current-context': 'string',
    extensions,
    clusters: {
      go: '[]v1.NamedCluster',
      list: {
        go: 'v1.NamedCluster',
        fields: {
          name: 'string',
          cluster: {
            go: 'v1.Cluster',
            fields: {
              server: 'string',
              'tls-server-name': 'string',
              'insecure-skip-tls-verify': 'bool',
              'certificate-authority': 'string',
              'certificate-authority-data': 'string',
              'proxy-url': 'string',
              'disable-compression': 'bool',
              extensions,
            },
          },
        },
      },
    },
    users: {
      go: '[]v1.NamedAuthInfo',
      list: {
        go: 'v1.NamedAuthInfo',
        fields: {
          name: 'string',
          user: {
            go: 'v1.AuthInfo',
            fields: {
              'client-certificate': 'string',
              'client-certificate-data': 'string',
              'client-key': 'string',
              'client-key-data': 'string',
              token: 'string',
              tokenFile: 'string',
              as: 'string',
              'as-uid': 'string',
              'as-groups': { go: '[]string', list: 'string' },
              'as-user-extra': {
                go: 'map[string][]string',
                map: { go: '[]string', list: 'string' },
              },
              username: 'string',
              password: 'string',
              'auth-provider': { go: 'v1.AuthProviderConfig', isPointer: true, fields: {} },
              exec: { go: 'v1.ExecConfig', isPointer: true, fields: {} },
              extensions,
            },
          },
        },
      },
    },
    contexts: {
      go: '[]v1.NamedContext',
      list: {
        go: 'v1.NamedContext',
        fields: {
          name: 'string',
          context: {
            go: 'v1.Context',
            fields: { cluster: 'string', user: 'string', namespace: 'string', extensions },
          },
        },
      },
    },
  },
} as const satisfies GoStruct;
