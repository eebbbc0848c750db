/** v1beta1 is what kubectl before 1.22 knows. */
export type KubeconfigApiVersion = 'v1' | 'v1beta1';

export interface HelperExecOptions {
  /** Absolute: a bare name would use the PATH of whatever starts kubectl. */
  helperPath: string;
  /** LANYARD_HOME, where the home isn't the platform's own. */
  home: string | null;
  apiVersion: KubeconfigApiVersion;
  /** Names in config.yaml. */
  account: string;
  cluster: string;
  /** Whether the client can pass on the cluster's complete info (`execInfoFits`). */
  fits: boolean;
}

/** The `exec` of a kubeconfig's user that gets its credential from Lanyard; the cluster is always named. */
export function helperExec({ helperPath, home, apiVersion, account, cluster, fits }: HelperExecOptions) {
  return {
    apiVersion: `client.authentication.k8s.io/${apiVersion}`,
    command: helperPath,
    args: ['kube-credential', '--account', account, '--cluster', cluster],
    ...(home === null ? {} : { env: [{ name: 'LANYARD_HOME', value: home }] }),
    installHint: `Lanyard’s helper is not at ${helperPath}. Start Lanyard once: it puts it there.`,
    interactiveMode: 'IfAvailable',
    provideClusterInfo: fits,
  };
}
