/** The program of an invented wrapped plugin. */
export interface SamplePlugin {
  command: string;
  args: readonly string[];
  path: string;
  variables: readonly string[];
}

const plugins: ReadonlyMap<string, SamplePlugin> = new Map([
  [
    'eks-us',
    {
      command: 'aws',
      args: ['eks', 'get-token', '--cluster-name', 'prod-us'],
      path: '/usr/local/bin/aws',
      variables: ['AWS_PROFILE', 'AWS_REGION'],
    },
  ],
  [
    'ecr',
    {
      command: 'ecr-credential-provider',
      args: ['get-credentials'],
      path: '/usr/local/bin/ecr-credential-provider',
      variables: [],
    },
  ],
  [
    'gcloud',
    { command: 'gke-gcloud-auth-plugin', args: [], path: '/usr/bin/gke-gcloud-auth-plugin', variables: [] },
  ],
  [
    'aws-prod',
    {
      command: 'aws',
      args: ['configure', 'export-credentials', '--profile', 'prod', '--format', 'process'],
      path: '/usr/local/bin/aws',
      variables: [],
    },
  ],
  [
    'lab-sso',
    {
      command: 'lab-sso',
      args: ['token', '--realm', 'gpu'],
      path: '/opt/lab/bin/lab-sso',
      variables: ['LAB_REALM'],
    },
  ],
]);

/** The plugin of an account. One that was added in the demo has a program that doesn't exist. */
export function pluginOf(account: string): SamplePlugin {
  return (
    plugins.get(account) ?? { command: account, args: [], path: `/usr/local/bin/${account}`, variables: [] }
  );
}
