import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../main/base/parse-json.ts';
import { isLoopbackHost } from '../../main/contract/config/url-rules.ts';
import { parseUrl } from '../../main/contract/parse-url.ts';

/**
 * What a build knows about its updates: `release.json` beside the main bundle, written by rolldown.app.config.ts. In
 * an installed app it is in the archive whose integrity Electron checks. A build without it never checks for updates.
 */
export const releaseFields = z.strictObject({
  /** The folder of manifests and packages, as an address that ends in a slash. */
  feed: z
    .string()
    .refine(isFeed, { error: 'expected an https address that ends in a slash, and nothing behind it' }),
  /** Public Ed25519 keys as base64 SPKI, the body of a PEM. Two while one replaces the other. */
  keys: z
    .array(z.string().refine(isKey, { error: 'expected an Ed25519 key: the base64 of a public PEM' }))
    .min(1)
    .max(2),
});

export interface Release {
  feed: URL;
  keys: readonly KeyObject[];
}

/** Null if this build has none. Throws if the file can't be used. */
export function readRelease(file: string): Release | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
  const { feed, keys } = releaseFields.parse(parseJson(text));
  return { feed: new URL(feed), keys: keys.map(keyOf) };
}

/** Plain http is only for a feed on this machine, in tests. */
function isFeed(text: string): boolean {
  const url = parseUrl(text);
  if (url === null) {
    return false;
  }
  const { href, protocol, hostname, pathname, username, password, search, hash } = url;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isSafe && pathname.endsWith('/') && href === text && username + password + search + hash === '';
}

function isKey(text: string): boolean {
  try {
    return keyOf(text).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function keyOf(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}
