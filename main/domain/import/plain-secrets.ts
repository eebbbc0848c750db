import { visibleText } from '../text/visible-text.ts';
import { secretsInArguments, secretVariables } from './exec-secrets.ts';
import { isFile } from './given-text.ts';
import type { PlainSecret } from './import-plan.ts';
import type { KubeUser, MergedKubeconfig } from './kubeconfig.ts';

/** The secrets that `user` has in plain text on this disk: what and where. Separate files have no line. */
export function plainSecretsOf(user: KubeUser): PlainSecret[] {
  return secretsOf(user).filter(({ file }) => isFile(file));
}

/** How many secrets given texts themselves have. Whether a file on this disk has them too isn’t known. */
export function countGivenSecrets({ users, hidden }: Pick<MergedKubeconfig, 'users' | 'hidden'>): number {
  const all = [...users.values(), ...hidden.flatMap((entry) => (entry.what === 'user' ? [entry.user] : []))];
  return all.flatMap(secretsOf).filter(({ file }) => !isFile(file)).length;
}

function secretsOf(user: KubeUser): PlainSecret[] {
  const { file, line } = user.origin;
  const found: PlainSecret[] = [];
  const inline = (what: string) => {
    found.push({ what, file, line });
  };
  const isThere = (secret: { isEmpty: boolean } | null | undefined) =>
    secret !== null && secret !== undefined && !secret.isEmpty;
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
  } else if (key) {
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
