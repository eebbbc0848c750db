/** Words by which flags, variables and keys are named that hold a secret. */
const secretWords = /secret|password|passwd|passphrase|token|api-?_?key|private-?_?key|credential/i;

/** Names with these words that say where a secret is, what kind it is, or how long it lives. */
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

/** Whether a flag, or a key of JSON, of this name holds a secret. Dashes before it don't matter. */
export function isSecretName(name: string): boolean {
  return secretWords.test(name) && !harmlessName.test(name.replace(/^-+/, ''));
}

/** Whether a variable of this name holds one: such names are shorter, and a vault hurts no harmless value. */
export function isSecretVariable(name: string): boolean {
  return isSecretName(name) || ((/_KEY$/.test(name) || /PRIVATE/i.test(name)) && !harmlessName.test(name));
}

/** The name says what the value is, and that it is public, however random it looks. */
export function isPublicName(name: string): boolean {
  return /(^|[-_])(id|arn|ca|certs?|certificate|public|fingerprint|thumbprint|hash|digest|sha\d*|checksum|pin|url|uri|path|dir|file|server|host|endpoint|cluster|name|audience|scopes?)([-_]|$|data$)/i.test(
    name.replace(/^-+/, ''),
  );
}
