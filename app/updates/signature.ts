import { type KeyObject, sign, verify } from 'node:crypto';

const purpose = 'lanyard update manifest, version 1';

/**
 * The bytes that are signed. They contain the name of the manifest, and so its channel, platform and architecture: a
 * good manifest under another name isn't valid. The first line keeps signatures made for other purposes from being
 * valid.
 */
function signedBytes(name: string, manifest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${purpose}\n${name}\n`), manifest]);
}

/** The file `NAME.sig` beside the manifest: an Ed25519 signature (RFC 8032) in base64, and a newline. */
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
