/** How a kubeconfig's user shows who they are. */
export type KubeconfigUser =
  | { token: string }
  | { certificatePem: string; keyPem: string }
  | {
      exec: {
        apiVersion: string;
        command: string;
        args?: readonly string[];
        env?: Readonly<Record<string, string>>;
        interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
        provideClusterInfo?: boolean;
      };
    }
  | Record<string, never>;

export interface KubeconfigCluster {
  server: string;
  caPem?: string;
  tlsServerName?: string;
  proxyUrl?: string;
  insecureSkipTlsVerify?: boolean;
  /** `spec.cluster.config` of the exec protocol. */
  execConfig?: unknown;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function userFields(user: KubeconfigUser): object {
  if ('certificatePem' in user && 'keyPem' in user) {
    return {
      'client-certificate-data': base64(String(user.certificatePem)),
      'client-key-data': base64(String(user.keyPem)),
    };
  }
  if ('exec' in user && user.exec !== undefined) {
    const { env = {}, interactiveMode = 'IfAvailable', ...exec } = user.exec;
    return {
      exec: { ...exec, interactiveMode, env: Object.entries(env).map(([name, value]) => ({ name, value })) },
    };
  }
  return user;
}

/** The text of a kubeconfig with one context, `test`. JSON, which is YAML too. */
export function kubeconfigText(cluster: KubeconfigCluster, user: KubeconfigUser): string {
  const extension = { name: 'client.authentication.k8s.io/exec', extension: cluster.execConfig };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [
      {
        name: 'test',
        cluster: {
          server: cluster.server,
          'certificate-authority-data': cluster.caPem === undefined ? undefined : base64(cluster.caPem),
          'tls-server-name': cluster.tlsServerName,
          'proxy-url': cluster.proxyUrl,
          'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
          extensions: cluster.execConfig === undefined ? undefined : [extension],
        },
      },
    ],
    users: [{ name: 'test', user: userFields(user) }],
  });
}
