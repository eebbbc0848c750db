import { type KeyObject, sign, verify } from 'node:crypto';

const purpose = 'lanyard update manifest, version 1';

/**
 * What is signed of a manifest. Its name is part of it, and with it the channel, the platform and the architecture: a
 * good manifest under another's name isn't one. The first line keeps a signature of something else from being one.
 */
function signedBytes(name: string, manifest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${purpose}\n${name}\n`), manifest]);
}

/** What lies beside the manifest as `NAME.sig`: an Ed25519 signature (RFC 8032) in base64, and a newline. */
export function signManifest(name: string, manifest: Uint8Array, privateKey: KeyObject): string {
  return `${sign(null, signedBytes(name, manifest), privateKey).toString('base64')}\n`;
}

/** Whether one of `keys` signed exactly these bytes under this name (rule: signed-updates). */
export function isSigned(
  name: string,
  manifest: Uint8Array,
  signature: Uint8Array,
  keys: readonly KeyObject[],
): boolean {
  const text = Buffer.from(signature).toString('latin1');
  if (!/^[A-Za-z0-9+/]{86}==\n?$/.test(text)) {
    return false;
  }
  const bytes = Buffer.from(text, 'base64');
  return keys.some((key) => verify(null, signedBytes(name, manifest), key, bytes));
}
