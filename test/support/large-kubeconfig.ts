import { manyAuthorities } from './many-authorities.ts';
import { seededRandom } from './storm-random.ts';

export type LargeUserKind = 'token' | 'clientCertificate' | 'execPlugin' | 'kubelogin';

export interface LargeKubeconfigOptions {
  /** How many contexts (2000), each with a cluster and a user of its own. */
  contexts?: number;
  /** In turn: the first context's user is of the first kind, and so on (all `token`). */
  kinds?: readonly LargeUserKind[];
  /** About how long the text is (5 MB): tokens are made longer to reach it. */
  bytes?: number;
  seed?: number;
}

export interface LargeKubeconfig {
  text: string;
  contexts: readonly {
    name: string;
    cluster: string;
    user: string;
    server: string;
    certificateAuthorityPem: string;
    /** Null: the user shows something else. */
    token: string | null;
  }[];
}

/** A kubeconfig as kubectl writes it, with real certificates; the same for the same options, byte for byte. */
export async function largeKubeconfig(options: LargeKubeconfigOptions = {}): Promise<LargeKubeconfig> {
  const { contexts: count = 2000, kinds = ['token'], bytes = 5_000_000, seed = 1 } = options;
  const { certificates, keyPem } = await manyAuthorities(count, seed);
  const random = seededRandom(seed);
  const kindOf = (index: number): LargeUserKind => kinds[index % kinds.length] ?? 'token';
  const write = (tokenLength: number) => {
    const contexts = certificates.map((certificateAuthorityPem, index) => {
      const name = `team-${index % 40}-cluster-${index}`;
      const token = kindOf(index) === 'token' ? makeToken(tokenLength, random) : null;
      const server = `https://10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:6443`;
      return { name, cluster: name, user: `${name}-admin`, server, certificateAuthorityPem, token };
    });
    const lines = [
      'apiVersion: v1',
      'clusters:',
      ...contexts.flatMap(({ cluster, server, certificateAuthorityPem }) => [
        '- cluster:',
        `    certificate-authority-data: ${base64(certificateAuthorityPem)}`,
        `    server: ${server}`,
        `  name: ${cluster}`,
      ]),
      'contexts:',
      ...contexts.flatMap(({ name, cluster, user }, index) => [
        '- context:',
        `    cluster: ${cluster}`,
        ...(index % 3 === 0 ? [`    namespace: space-${index % 7}`] : []),
        `    user: ${user}`,
        `  name: ${name}`,
      ]),
      `current-context: ${contexts[0]?.name ?? '""'}`,
      'kind: Config',
      'preferences: {}',
      'users:',
      ...contexts.flatMap(({ user, token, certificateAuthorityPem }, index) => [
        `- name: ${user}`,
        '  user:',
        ...userLines(kindOf(index), { token, index, certificatePem: certificateAuthorityPem, keyPem }),
      ]),
    ];
    return { text: `${lines.join('\n')}\n`, contexts };
  };
  const shortest = write(0);
  const tokens = shortest.contexts.filter(({ token }) => token !== null).length;
  return tokens === 0 ? shortest : write(Math.max(40, Math.floor((bytes - shortest.text.length) / tokens)));
}

function userLines(
  kind: LargeUserKind,
  user: { token: string | null; index: number; certificatePem: string; keyPem: string },
): string[] {
  switch (kind) {
    case 'token':
      return [`    token: ${user.token}`];
    case 'clientCertificate':
      return [
        `    client-certificate-data: ${base64(user.certificatePem)}`,
        `    client-key-data: ${base64(user.keyPem)}`,
      ];
    case 'execPlugin':
      return execLines('aws', ['eks', 'get-token', '--cluster-name', `cluster-${user.index}`]);
    case 'kubelogin':
      return execLines('kubectl', [
        'oidc-login',
        'get-token',
        '--oidc-issuer-url=https://id.example.com',
        `--oidc-client-id=kubernetes-${user.index}`,
      ]);
  }
}

function execLines(command: string, words: readonly string[]): string[] {
  return [
    '    exec:',
    '      apiVersion: client.authentication.k8s.io/v1',
    '      args:',
    ...words.map((word) => `      - ${word}`),
    `      command: ${command}`,
    '      env: null',
    '      interactiveMode: IfAvailable',
    '      provideClusterInfo: false',
  ];
}

/** Three parts of base64url, as a service account's token has them; nobody signed it. */
function makeToken(length: number, random: () => number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const part = (size: number) =>
    Array.from({ length: size }, () => letters[Math.floor(random() * letters.length)]).join('');
  const rest = Math.max(0, length - 60);
  return length === 0 ? '' : `eyJ${part(17)}.eyJ${part(rest)}.${part(length - rest - 25)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
