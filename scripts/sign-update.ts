import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readManifest } from '../app/updates/manifest.ts';
import { isSigned, signManifest } from '../app/updates/signature.ts';

/**
 * Signs manifests of a release: node scripts/sign-update.ts MANIFEST…
 *
 * Writes MANIFEST.sig beside each `latest*.yml`, reads it again and checks it, and prints the public key. The private
 * key is in the file that LANYARD_UPDATE_KEY_FILE names, in PEM: `openssl genpkey -algorithm ed25519 -out KEY` makes one,
 * `openssl pkey -in KEY -pubout -outform DER | base64` prints what goes into the app (LANYARD_UPDATE_KEYS). docs/updates.md has the whole.
 */

function fail(text: string): never {
  console.error(`sign-update: ${text}`);
  process.exit(1);
}

function readKey(): KeyObject {
  const file = process.env['LANYARD_UPDATE_KEY_FILE'];
  if (!file) {
    fail('LANYARD_UPDATE_KEY_FILE must name the file with the private key');
  }
  try {
    const key = createPrivateKey(readFileSync(file));
    return key.asymmetricKeyType === 'ed25519' ? key : fail('the private key is not an Ed25519 key');
  } catch {
    // What Node says of a key that it can't read may quote it.
    fail(`${file} holds no private key in PEM`);
  }
}

const manifests = process.argv.slice(2);
if (manifests.length === 0) {
  fail('expected manifests: latest.yml, latest-mac.yml, latest-linux.yml, …');
}
const key = readKey();
const publicKey = createPublicKey(key);
for (const file of manifests) {
  const name = basename(file);
  if (!/^latest(-mac|-linux(-[a-z0-9]+)?)?\.yml$/.test(name)) {
    fail(`${name} is not the name of a manifest: the app asks for it by name, and the name is signed`);
  }
  const bytes = readFileSync(file);
  // What the app couldn't read is not signed.
  const { version, files } = readManifest(bytes);
  writeFileSync(`${file}.sig`, signManifest(name, bytes, key));
  if (!isSigned(name, readFileSync(file), readFileSync(`${file}.sig`), [publicKey])) {
    fail(`what was written to ${file}.sig is not a good signature`);
  }
  console.log(`${file}.sig: version ${version}, ${files.map(({ url }) => url).join(', ')}`);
}
console.log(`signed with ${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`);
