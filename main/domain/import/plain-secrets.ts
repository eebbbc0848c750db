import type { PlainSecret } from '../import-plan.ts';
import type { KubeUser } from '../kubeconfig.ts';

/** Secrets that a flag or variable is named after. */
const secretName = /secret|password|passwd|token|api-?_?key|private-?_?key|credential/i;

/** Names that look so and hold none. */
const harmlessName =
  /^(.*[-_])?(token[-_]cache([-_].*)?|use-access-token|google_application_credentials|.+[-_](file|path|dir|url|uri|ttl|format|name))$/i;

/** The secrets that `user` has in plain text, by what and where. Files of their own have no line. */
export function plainSecretsOf(user: KubeUser): PlainSecret[] {
  const { file, line } = user.origin;
  const found: PlainSecret[] = [];
  const inline = (what: string) => found.push({ what, file, line });
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

/** What a plugin's flags and variables hold, as far as their names tell. */
function execSecrets({ exec }: KubeUser): Set<string> {
  const found = new Set<string>();
  const args = exec?.args.map((arg) => arg.reveal()) ?? [];
  for (const [index, arg] of args.entries()) {
    const [, flag = '', value] = /^(--?[^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const next = args[index + 1];
    const has =
      value === undefined ? next !== undefined && next !== '' && !next.startsWith('-') : value !== '';
    if (has && isSecretName(flag)) {
      found.add(
        flag === '--oidc-client-secret'
          ? 'client secret'
          : flag === '--password'
            ? 'password'
            : 'secret in the plugin’s arguments',
      );
    }
  }
  if (exec?.env.some(({ name, value }) => !value.isEmpty && (isSecretName(name) || /_KEY$/.test(name)))) {
    found.add('secret in the plugin’s variables');
  }
  return found;
}

function isSecretName(name: string): boolean {
  return secretName.test(name) && !harmlessName.test(name);
}
