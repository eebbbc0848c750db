import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';
import { secretsInArguments, secretVariables } from './exec-secrets.ts';
import { isFile } from './given-text.ts';
import type { PlainSecret } from './import-plan.ts';
import type { KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { isPlaceholder } from './placeholder.ts';

/** The secrets that `user` has in plain text on this disk: what and where. Separate files have no line. */
export function plainSecretsOf(user: KubeUser): PlainSecret[] {
  return secretsOf(user).filter(({ file }) => isFile(file));
}

/** The passwords in the addresses of clusters, of hidden ones as well: no import takes them out. */
export function plainSecretsOfClusters(merged: Pick<MergedKubeconfig, 'clusters' | 'hidden'>): PlainSecret[] {
  return secretsOfClusters(merged).filter(({ file }) => isFile(file));
}

/** How many secrets given texts themselves have. Whether a file on this disk has them too isn’t known. */
export function countGivenSecrets(merged: Pick<MergedKubeconfig, 'users' | 'clusters' | 'hidden'>): number {
  const hidden = merged.hidden.flatMap((entry) => (entry.what === 'user' ? [entry.user] : []));
  const all = [...[...merged.users.values(), ...hidden].flatMap(secretsOf), ...secretsOfClusters(merged)];
  return all.filter(({ file }) => !isFile(file)).length;
}

function secretsOfClusters({
  clusters,
  hidden,
}: Pick<MergedKubeconfig, 'clusters' | 'hidden'>): PlainSecret[] {
  const all = [
    ...clusters.values(),
    ...hidden.flatMap((entry) =>
      entry.what === 'cluster' ? [{ ...entry.cluster, origin: entry.origin }] : [],
    ),
  ];
  return all.flatMap(({ server, proxyUrl, origin: { file, line } }) => [
    // A proxy's address has an @ nowhere else; a server's path may have one.
    ...(isPassword(/\/\/[^@:]*:(.*)@/.exec(proxyUrl ?? ''))
      ? [{ what: 'password of a proxy', file, line }]
      : []),
    ...(isPassword(/\/\/[^/?#@:]*:([^/?#]*)@/.exec(server))
      ? [{ what: 'password in a server’s address', file, line }]
      : []),
  ]);
}

function isPassword(found: RegExpExecArray | null): boolean {
  const [, text = ''] = found ?? [];
  return text !== '' && !isPlaceholder(text);
}

function secretsOf(user: KubeUser): PlainSecret[] {
  const { file, line } = user.origin;
  const found: PlainSecret[] = [];
  const inline = (what: string) => {
    found.push({ what, file, line });
  };
  const isThere = (secret: Secret | null | undefined) =>
    secret !== null && secret !== undefined && !secret.isEmpty && !isPlaceholder(secret.reveal());
  if (isThere(user.token)) {
    inline('token');
  }
  if (user.tokenFile?.ok) {
    found.push({ what: 'token', file: user.tokenFile.path, line: null });
  }
  const { clientKey: key } = user;
  if (key?.path !== null && key?.path !== undefined) {
    if (key.ok) {
      found.push({ what: 'client key', file: key.path, line: null });
    }
  } else if (key && (key.ok || !key.isPlaceholder)) {
    inline('client key');
  }
  if (isThere(user.password)) {
    inline('password');
  }
  for (const [name, value] of Object.entries(user.authProvider?.config ?? {})) {
    if (Object.hasOwn(providerSecrets, name) && isThere(value)) {
      inline(providerSecrets[name] ?? 'secret');
    }
  }
  for (const what of execSecrets(user)) {
    inline(what);
  }
  return found;
}

/** By the keys of an auth-provider's config. */
const providerSecrets: Readonly<Record<string, string>> = {
  'id-token': 'id token',
  'refresh-token': 'refresh token',
  'access-token': 'access token',
  'client-secret': 'client secret',
};

/** The secrets in a plugin's flags and variables, judged by their names and values. */
function execSecrets({ exec }: KubeUser): Set<string> {
  const inArguments = secretsInArguments(exec?.args.map((arg) => arg.reveal()) ?? []);
  const variables = secretVariables(exec?.env ?? []);
  return new Set([
    ...inArguments.map((flag) => knownFlags.get(flag) ?? 'secret in the plugin’s arguments'),
    ...variables.map((name) => `secret in the plugin’s variable ${visibleText(name, 80)}`),
  ]);
}

const knownFlags: ReadonlyMap<string, string> = new Map([
  ['--oidc-client-secret', 'client secret'],
  ['--password', 'password'],
]);

/** A plugin's arguments contain one: an import leaves such a user unchanged. */
export function holdsSecretArguments({ exec }: KubeUser): boolean {
  return exec !== null && secretsInArguments(exec.args.map((arg) => arg.reveal())).length > 0;
}
