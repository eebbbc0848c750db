/** Words in the names of flags, variables and keys that contain a secret. */
const secretWords = /secret|password|passwd|passphrase|token|api-?_?key|private-?_?key|credential/i;

/** Names with these words that say where a secret is, its kind, or its life. */
const harmlessName = new RegExp(
  [
    '^(.*[-_])?(token[-_]cache([-_].*)?|use-access-token|google_application_credentials|get-token',
    '.+[-_](files?|paths?|dir|folder|url|uri|ttl|format|name|type|kind|mode|audience|scopes?|endpoint|region)',
    '.+[-_](duration|lifetime|expiry|expiration|timeout|version|provider|process|source|store|helper|cache)',
    '.+[-_](only|stdin|prompt|arn|namespace)',
    '(.*[-_])?(token|password|key|credential)[-_]id)$',
  ].join('|'),
  'i',
);

/** Whether a flag, or a JSON key, of this name contains a secret. Leading dashes don't matter. */
export function isSecretName(name: string): boolean {
  return secretWords.test(name) && !harmlessName.test(name.replace(/^-+/, ''));
}

/**
 * Whether a variable of this name contains one: such names are shorter, and a harmless value does no harm in the
 * vault.
 */
export function isSecretVariable(name: string): boolean {
  return isSecretName(name) || ((/_KEY$/.test(name) || /PRIVATE/i.test(name)) && !harmlessName.test(name));
}

/** The name says that the value is public, however random it seems. */
export function isPublicName(name: string): boolean {
  return /(^|[-_])(id|arn|ca|certs?|certificate|public|fingerprint|thumbprint|hash|digest|sha\d*|checksum|pin|url|uri|path|dir|file|server|host|endpoint|cluster|name|audience|scopes?)([-_]|$|data$)/i.test(
    name.replace(/^-+/, ''),
  );
}
