/**
 * Standard input as docker-credential-helpers reads it: without its line breaks, wherever they are. Null: it is not
 * UTF-8. Go would replace such bytes, and so change a secret.
 */
export function inputText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(bytes)
      .replaceAll(/\r?\n|\r$/g, '');
  } catch {
    return null;
  }
}
