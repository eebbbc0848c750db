import type { KubeUser } from './kubeconfig.ts';
import { isSecretName, isSecretVariable } from './secret-names.ts';

/** What to do about one. */
export const placeholderHint = 'write the file with kubectl config view --raw, then import again';

/**
 * Whether a value stands for a secret that was left out: `kubectl config view` prints REDACTED, and DATA+OMITTED for
 * data, which happens to be base64 (client-go, tools/clientcmd/api/helpers.go). Other tools print asterisks or brackets
 * around such a word.
 */
export function isPlaceholder(text: string): boolean {
  return /^[<[({*_-]*\s*(redacted|data\+omitted|omitted|hidden|masked)\s*[>\])}*_-]*$|^\*{3,}$/i.test(
    text.trim(),
  );
}

/** The keys of a user that have a placeholder in place of a secret. */
export function placeholdersOf(user: KubeUser): string[] {
  const { token, tokenFile, password, clientCertificate, clientKey, authProvider, exec } = user;
  const isOne = (secret: { reveal(): string } | null | undefined) =>
    secret != null && isPlaceholder(secret.reveal());
  const args = exec?.args.map((arg) => arg.reveal()) ?? [];
  return [
    // The file counts where it can be read.
    ...(isOne(token) && !tokenFile?.ok ? ['token'] : []),
    ...(isOne(password) ? ['password'] : []),
    ...(clientCertificate?.ok === false && clientCertificate.isPlaceholder
      ? ['client-certificate-data']
      : []),
    ...(clientKey?.ok === false && clientKey.isPlaceholder ? ['client-key-data'] : []),
    ...Object.entries(authProvider?.config ?? {}).flatMap(([key, value]) => (isOne(value) ? [key] : [])),
    ...(exec?.env ?? []).flatMap(({ name, value }) => (isSecretVariable(name) && isOne(value) ? [name] : [])),
    ...args.flatMap((arg, index) => {
      const [, flag = '', given = args[index + 1] ?? ''] =
        /^(--?[A-Za-z][^=\s]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
      return isSecretName(flag) && isPlaceholder(given) ? [flag] : [];
    }),
  ];
}
