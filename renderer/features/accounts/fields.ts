import { accountKinds } from '../../../main/contract/config/accounts/account.ts';
import { awsKeyKinds } from '../../../main/contract/config/signer-kinds.ts';
import type { Kind } from './account-words.ts';

/** How the user enters a key of config.yaml. */
export type FieldShape =
  | 'text'
  | 'number'
  | 'flag'
  /** One item on each line. */
  | 'lines'
  | 'numbers'
  /** `NAME=value`, one on each line. */
  | 'pairs'
  /** `NAME=value`, or only `NAME` if the value is in the vault. */
  | 'variables'
  /** The name of an account of these kinds. */
  | { accounts: readonly Kind[] }
  | { options: readonly { value: string; label: string }[] };

export interface FieldSpec {
  /** Of config.yaml; one of a part is `PART.KEY`. */
  key: string;
  label: string;
  hint: string;
  shape: FieldShape;
  /** Under “More settings”. */
  more?: true;
  mono?: true;
  placeholder?: string;
  required?: true;
}

/** The default of a key that config.yaml doesn't set. An empty field means the default. */
export function defaultOf(kind: Kind, key: string): unknown {
  const shape = accountKinds[kind].shape as Record<
    string,
    { safeParse(value: unknown): { success: boolean; data?: unknown } }
  >;
  const parsed = Object.hasOwn(shape, key) ? shape[key]?.safeParse(undefined) : undefined;
  return parsed?.success ? parsed.data : undefined;
}

const file = 'Path on the computer running Lanyard.';

const oidc: readonly FieldSpec[] = [
  {
    key: 'issuer',
    label: 'Issuer',
    hint: 'Must match “issuer” in the provider’s discovery document.',
    shape: 'text',
    mono: true,
    placeholder: 'https://id.example.com',
    required: true,
  },
  {
    key: 'clientId',
    label: 'Client ID',
    hint: 'OAuth client ID for Kubernetes access.',
    shape: 'text',
    mono: true,
    required: true,
  },
  {
    key: 'flow',
    label: 'How to log in',
    hint: 'Automatic uses your browser if there is one, otherwise a device code.',
    shape: {
      options: [
        { value: 'auto', label: 'Automatic' },
        { value: 'browser', label: 'In a browser' },
        { value: 'device', label: 'With a code on any device' },
        { value: 'clientCredentials', label: 'As the client itself, without a user' },
        {
          value: 'serviceAccountToken',
          label: 'With the service account token of a pod, without a user (for registries)',
        },
      ],
    },
  },
  {
    key: 'scopes',
    label: 'Scopes',
    hint: 'One on each line. offline_access lets it be renewed without a login.',
    shape: 'lines',
    mono: true,
    placeholder: 'openid\noffline_access',
  },
  {
    key: 'token',
    label: 'Token for the clusters',
    hint: 'Kubernetes expects the ID token, unless its operator says otherwise.',
    shape: {
      options: [
        { value: 'id', label: 'ID token' },
        { value: 'access', label: 'Access token' },
      ],
    },
  },
  {
    key: 'certificateAuthority',
    label: 'Provider’s CA',
    hint: `${file} PEM. Leave empty to use system CAs.`,
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'redirectUri',
    label: 'Redirect URI',
    hint: 'Only if your provider requires a specific redirect URI.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'redirectPorts',
    label: 'Redirect ports',
    hint: 'One on each line, tried in order; empty: any free one.',
    shape: 'numbers',
    mono: true,
    more: true,
  },
  {
    key: 'loginHint',
    label: 'Login hint',
    hint: 'Pre-fills the user name, e.g. an email address.',
    shape: 'text',
    more: true,
  },
  {
    key: 'browser',
    label: 'Browser',
    hint: 'The program that opens the login page, then its arguments, one on each line. Empty: the system’s browser.',
    shape: 'lines',
    mono: true,
    more: true,
    placeholder: 'google-chrome\n--profile-directory=Profile 1',
  },
  {
    key: 'serviceAccountTokenAudience',
    label: 'Audience of service account tokens',
    hint: 'A kubelet requests its tokens for it. Empty: the issuer.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'clientAssertionFile',
    label: 'Client assertion file',
    hint: `${file} A signed token that authenticates the client (workload identity). Read again for each request.`,
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'clientKeyAccount',
    label: 'Client key',
    hint: 'An account with a key on a token: it signs the client’s assertions.',
    shape: { accounts: ['pkcs11'] },
    more: true,
  },
  {
    key: 'clientKeyId',
    label: 'Client key’s ID',
    hint: 'At the provider (kid).',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'clientCertificateAccount',
    label: 'Client certificate',
    hint: 'An account with a key on a token: its certificate is shown in TLS.',
    shape: { accounts: ['pkcs11'] },
    more: true,
  },
  {
    key: 'extraParams',
    label: 'More parameters',
    hint: 'Extra authorization parameters, NAME=value, one per line.',
    shape: 'pairs',
    mono: true,
    more: true,
    placeholder: 'prompt=select_account',
  },
  {
    key: 'extraHeaders',
    label: 'More headers',
    hint: 'Sent with each request to the provider. NAME=value, one per line. No secrets.',
    shape: 'pairs',
    mono: true,
    more: true,
  },
  {
    key: 'proxyUrl',
    label: 'Proxy',
    hint: 'Leave empty to use HTTPS_PROXY and NO_PROXY.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'loginWithoutTerminal',
    label: 'Open the login page for background programs',
    hint: 'For example editors. If off, they wait and you get a notification.',
    shape: 'flag',
    more: true,
  },
];

const staticToken: readonly FieldSpec[] = [
  {
    key: 'file',
    label: 'Token file',
    hint: `${file} It is read again when it changes. Empty: the token is in the vault.`,
    shape: 'text',
    mono: true,
    placeholder: '/run/secrets/token',
  },
];

const clientCertificate: readonly FieldSpec[] = [
  {
    key: 'certificateFile',
    label: 'Certificate file',
    hint: `${file} PEM, with its intermediates. Empty: it is in the vault.`,
    shape: 'text',
    mono: true,
  },
  {
    key: 'keyFile',
    label: 'Key file',
    hint: `${file} PEM, without a passphrase. Empty: it is in the vault, or in the certificate’s file.`,
    shape: 'text',
    mono: true,
  },
];

const registry: readonly FieldSpec[] = [
  {
    key: 'userName',
    label: 'User name',
    hint: 'At the registry. Empty: the vault has an identity token instead of a password.',
    shape: 'text',
    mono: true,
  },
];

const version = (name: string, group = 'client.authentication.k8s.io') => ({
  value: `${group}/${name}`,
  label: name,
});

const execPlugin: readonly FieldSpec[] = [
  {
    key: 'command',
    label: 'Command',
    hint: 'Command name (looked up in the search path) or absolute path.',
    shape: 'text',
    mono: true,
    placeholder: 'aws',
    required: true,
  },
  {
    key: 'args',
    label: 'Arguments',
    hint: 'One on each line. No secrets: others can see them while it runs.',
    shape: 'lines',
    mono: true,
    placeholder: 'eks\nget-token',
  },
  {
    key: 'env',
    label: 'Variables',
    hint: 'NAME=value, one on each line; NAME alone: the value is a secret in the vault.',
    shape: 'variables',
    mono: true,
  },
  {
    key: 'apiVersion',
    label: 'API version',
    hint: 'Version of the ExecCredential it returns.',
    shape: { options: [version('v1'), version('v1beta1'), version('v1alpha1')] },
  },
  {
    key: 'interactiveMode',
    label: 'May it ask the user?',
    hint: 'Prompts appear in the terminal that ran the command.',
    shape: {
      options: [
        { value: 'IfAvailable', label: 'Where there is a terminal' },
        { value: 'Never', label: 'Never' },
        { value: 'Always', label: 'Always: it needs a terminal' },
      ],
    },
  },
  {
    key: 'environment',
    label: 'Environment variables it depends on',
    hint: 'Such as AWS_PROFILE or AWS_*, one on each line. Leave empty for the defaults of known plugins.',
    shape: 'lines',
    mono: true,
    more: true,
  },
  {
    key: 'searchPath',
    label: 'Search path',
    hint: 'Colon-separated absolute folders. Leave empty for the system default.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'timeoutSeconds',
    label: 'Timeout',
    hint: 'Seconds. Empty: 60, or 180 where the user can be asked.',
    shape: 'number',
    more: true,
  },
  {
    key: 'cacheSeconds',
    label: 'Cache time if no expiry',
    hint: 'Seconds. Empty: for the calling process alone.',
    shape: 'number',
    more: true,
  },
  {
    key: 'installHint',
    label: 'Install hint',
    hint: 'Shown if the command isn’t found.',
    shape: 'text',
    more: true,
  },
  {
    key: 'provideClusterInfo',
    label: 'Provide cluster info',
    hint: 'Each cluster then has its own credential.',
    shape: 'flag',
    more: true,
  },
  {
    key: 'share',
    label: 'Share between terminals',
    hint: 'If off, it gets the caller’s whole environment, and its credential stays in that terminal.',
    shape: 'flag',
    more: true,
  },
  {
    key: 'passProxyConfig',
    label: 'Pass on the proxy that it starts',
    hint: 'For clients that know KEP-2718: each has its own run, and its own proxy.',
    shape: 'flag',
    more: true,
  },
  {
    key: 'pin',
    label: 'Require approval when the program changes',
    hint: 'Pauses the account until you approve the new version.',
    shape: 'flag',
    more: true,
  },
];

const providerVersion = (name: string) => version(name, 'credentialprovider.kubelet.k8s.io');

/** They have the same fields for the program as an exec plugin. */
const programField = (key: string) => execPlugin.filter((field) => field.key === key);

const credentialProvider: readonly FieldSpec[] = [
  ...programField('command').map((field) => ({ ...field, placeholder: 'ecr-credential-provider' })),
  ...programField('args').map((field) => ({ ...field, placeholder: 'get-credentials' })),
  ...programField('env'),
  {
    key: 'apiVersion',
    label: 'API version',
    hint: 'Of the request and of its answer.',
    shape: { options: [providerVersion('v1'), providerVersion('v1beta1'), providerVersion('v1alpha1')] },
  },
  {
    key: 'defaultCacheDuration',
    label: 'Cache time if no duration',
    hint: 'Such as 12h. Empty: it isn’t cached.',
    shape: 'text',
    mono: true,
    more: true,
  },
  ...programField('searchPath'),
  ...programField('pin'),
];

const credentialHelper: readonly FieldSpec[] = [
  {
    key: 'helper',
    label: 'Helper',
    hint: 'NAME of the program docker-credential-NAME.',
    shape: 'text',
    mono: true,
    placeholder: 'pass',
  },
  ...programField('env'),
  {
    key: 'fallback',
    label: 'Ask it where nothing else matches',
    hint: 'For docker’s requests without a registry and without a stored entry.',
    shape: 'flag',
    more: true,
  },
  ...programField('searchPath'),
  ...programField('pin'),
];

const readerCache: FieldSpec = {
  key: 'cacheSeconds',
  label: 'Cache for',
  hint: 'In seconds. Empty: only for the calling process.',
  shape: 'number',
  more: true,
};

const kubeconfigSecretReader: readonly FieldSpec[] = [
  {
    key: 'cluster',
    label: 'Hub',
    hint: 'The cluster whose Secrets are read, with its own account’s credential.',
    shape: 'text',
    mono: true,
    required: true,
  },
  {
    key: 'namespace',
    label: 'Namespace',
    hint: 'Of the Secrets. Which Secret is a cluster’s own, that cluster’s execConfig says.',
    shape: 'text',
    mono: true,
    required: true,
  },
  readerCache,
];

const secretReader: readonly FieldSpec[] = [
  ...kubeconfigSecretReader.filter((field) => field !== readerCache),
  {
    key: 'key',
    label: 'Key of the token',
    hint: 'In the Secret’s data. Empty: token.',
    shape: 'text',
    mono: true,
    placeholder: 'token',
    more: true,
  },
  readerCache,
];

const aws: readonly FieldSpec[] = [
  {
    key: 'accessKeyId',
    label: 'Access key id',
    hint: 'Of a static access key. Its secret goes into the vault.',
    shape: 'text',
    mono: true,
    placeholder: 'AKIA…',
  },
  {
    key: 'profile',
    label: 'Profile',
    hint: 'Or: the static keys of this profile of the AWS tools.',
    shape: 'text',
    mono: true,
    placeholder: 'default',
  },
  {
    key: 'credentialsFile',
    label: 'The profile’s file',
    hint: 'Empty: ~/.aws/credentials.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'webIdentity.tokenFile',
    label: 'Token file',
    hint: `Or: keys of a role, for a token of an identity provider. ${file} Read again for each exchange.`,
    shape: 'text',
    mono: true,
    placeholder: '/run/secrets/token',
  },
  {
    key: 'webIdentity.role',
    label: 'Role for the token',
    hint: 'Its ARN.',
    shape: 'text',
    mono: true,
    placeholder: 'arn:aws:iam::123456789012:role/NAME',
  },
  {
    key: 'webIdentity.region',
    label: 'Region for the token',
    hint: 'Whose STS exchanges it.',
    shape: 'text',
    mono: true,
    placeholder: 'eu-west-1',
  },
  {
    key: 'webIdentity.sessionName',
    label: 'Session name for the token',
    hint: 'In CloudTrail. Empty: lanyard.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'webIdentity.stsEndpoint',
    label: 'STS address for the token',
    hint: 'Such as a VPC endpoint. Empty: the region’s own.',
    shape: 'text',
    mono: true,
    more: true,
  },
];

const awsProcess: readonly FieldSpec[] = [
  ...programField('command').map((field) => ({ ...field, placeholder: 'aws' })),
  ...programField('args').map((field) => ({
    ...field,
    hint: 'One on each line; it prints keys as a credential_process. No secrets: others can see them while it runs.',
    placeholder: 'configure\nexport-credentials\n--format\nprocess\n--profile\nwork',
  })),
  ...programField('env'),
  {
    key: 'timeoutSeconds',
    label: 'Timeout',
    hint: 'In seconds. Empty: 60.',
    shape: 'number',
    more: true,
  },
  ...programField('searchPath'),
  ...programField('pin'),
];

const awsEks: readonly FieldSpec[] = [
  {
    key: 'account',
    label: 'AWS keys',
    hint: 'The account that has them. Add that one first.',
    shape: { accounts: awsKeyKinds },
    required: true,
  },
  {
    key: 'cluster',
    label: 'Cluster',
    hint: 'Its name at EKS.',
    shape: 'text',
    mono: true,
    required: true,
  },
  {
    key: 'region',
    label: 'Region',
    hint: 'The cluster’s own.',
    shape: 'text',
    mono: true,
    required: true,
    placeholder: 'eu-west-1',
  },
  {
    key: 'role',
    label: 'Role',
    hint: 'Its ARN. It is taken first, with the keys.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'sessionName',
    label: 'Session name',
    hint: 'In CloudTrail. Empty: lanyard.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'stsEndpoint',
    label: 'STS address',
    hint: 'Such as a VPC endpoint. Empty: the region’s own.',
    shape: 'text',
    mono: true,
    more: true,
  },
];

const requestSigner: readonly FieldSpec[] = [
  ...programField('command').map((field) => ({ ...field, placeholder: '/usr/local/bin/my-signer' })),
  ...programField('args').map((field) => ({ ...field, placeholder: '--key\nci' })),
  ...programField('env'),
  {
    key: 'timeoutSeconds',
    label: 'Timeout for one request',
    hint: 'In seconds. Empty: 5.',
    shape: 'number',
    more: true,
  },
  ...programField('searchPath'),
  ...programField('pin'),
];

const pkcs11: readonly FieldSpec[] = [
  {
    key: 'module',
    label: 'Module',
    hint: `${file} The PKCS#11 library of the token’s maker, or OpenSC’s. What you approve is what is loaded.`,
    shape: 'text',
    mono: true,
    placeholder: '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
    required: true,
  },
  {
    key: 'token',
    label: 'Token',
    hint: 'Its label, as “lanyard pkcs11 list” shows it. Empty: the only one there is.',
    shape: 'text',
  },
  {
    key: 'label',
    label: 'Key',
    hint: 'Its label. Empty: the only key with a certificate.',
    shape: 'text',
  },
  {
    key: 'id',
    label: 'Key id',
    hint: 'In hex, such as 01, where keys have the same label.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'serial',
    label: 'Serial number',
    hint: 'Of the token, where several have the same label.',
    shape: 'text',
    mono: true,
    more: true,
  },
  {
    key: 'slot',
    label: 'Slot',
    hint: 'Its number, which can change. Empty: any.',
    shape: 'number',
    more: true,
  },
  {
    key: 'uri',
    label: 'PKCS#11 URI',
    hint: 'In place of all above but the module (RFC 7512). Without a PIN.',
    shape: 'text',
    mono: true,
    more: true,
    placeholder: 'pkcs11:token=work;object=me',
  },
  {
    key: 'certificate',
    label: 'Certificate file',
    hint: `${file} PEM, where the certificate isn’t on the token.`,
    shape: 'text',
    mono: true,
    more: true,
  },
  ...programField('env').map((field) => ({
    ...field,
    hint: 'That the module reads, such as SOFTHSM2_CONF: NAME=value, one on each line. No secrets.',
    more: true as const,
  })),
];

/** The fields of each kind of account, in order. */
export const fieldsOf: Readonly<Record<Kind, readonly FieldSpec[]>> = {
  oidc,
  staticToken,
  clientCertificate,
  execPlugin,
  registry,
  credentialProvider,
  credentialHelper,
  secretReader,
  kubeconfigSecretReader,
  aws,
  awsProcess,
  awsEks,
  requestSigner,
  pkcs11,
};
