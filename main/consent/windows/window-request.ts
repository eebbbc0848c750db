import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Secret } from '../../base/secret.ts';
import type { Fields } from './window-kind.ts';

/** A certificate with its key and chain fits, written as a form. */
export const bodyLimitBytes = 256 * 1024;
/** What is typed is read to its end, so that the answer is: a browser gets none while it still sends. */
const readLimitBytes = 10 * bodyLimitBytes;
/** A box for each of thousands of changes. */
const fieldLimit = 4_096;

export type Judged = { kind: 'show' } | { kind: 'answer' } | { kind: 'refused'; status: number };

/**
 * The kind of a request to a window; `address` is the window's own. Anything but the two that it serves is rejected
 * (rule: guarded-loopback).
 */
export function judgeWindowRequest(
  { method, target, headers }: { method: string | undefined; target: string; headers: IncomingHttpHeaders },
  { host, path }: { host: string; path: Secret },
): Judged {
  // A page whose own name points here (DNS rebinding) sends that name.
  if (headers.host !== host) {
    return { kind: 'refused', status: 421 };
  }
  if (!isSame(target, path.reveal())) {
    return { kind: 'refused', status: 404 };
  }
  const site = headers['sec-fetch-site'];
  const isWhole =
    isOrMissing(headers['sec-fetch-mode'], 'navigate') && isOrMissing(headers['sec-fetch-dest'], 'document');
  if (method === 'GET') {
    // From the redirect file, of an opaque origin: cross-site. What a page's script asks for has an Origin.
    return isWhole && headers.origin === undefined ? { kind: 'show' } : { kind: 'refused', status: 403 };
  }
  if (method !== 'POST') {
    return { kind: 'refused', status: 405 };
  }
  const isOwn = headers.origin === `http://${host}` && isOrMissing(site, 'same-origin') && isWhole;
  if (!isOwn) {
    return { kind: 'refused', status: 403 };
  }
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? { kind: 'answer' } : { kind: 'refused', status: 415 };
}

/** More than a form may send. */
export class TooLarge {
  /** Its first field, by which it is one of our forms; empty: it has none. */
  readonly token: Secret;

  constructor(token: Secret) {
    this.token = token;
  }
}

/** The form's fields, each a Secret from here on; null: broken off, or none of our forms. */
export async function readFields(
  request: AsyncIterable<Uint8Array> | null,
): Promise<Fields | TooLarge | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request ?? []) {
      bytes += chunk.length;
      // The first one has the token, whatever follows.
      if (bytes <= bodyLimitBytes || chunks.length === 0) {
        chunks.push(chunk);
      } else {
        chunk.fill(0);
      }
      if (bytes > readLimitBytes) {
        break;
      }
    }
  } catch {
    return null;
  }
  const body = Buffer.concat(chunks);
  if (bytes > bodyLimitBytes) {
    const [, token = ''] = /^token=([\w-]{1,64})&/.exec(body.toString('latin1', 0, 80)) ?? [];
    wipe([...chunks, body]);
    return new TooLarge(new Secret(token));
  }
  const entries = [...new URLSearchParams(body.toString('latin1'))];
  wipe([...chunks, body]);
  const names = new Set(entries.map(([name]) => name));
  return entries.length > fieldLimit || names.size !== entries.length
    ? null
    : Object.fromEntries(entries.map(([name, value]) => [name, new Secret(value)]));
}

function wipe(chunks: readonly Uint8Array[]): void {
  for (const each of chunks) {
    each.fill(0);
  }
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** All current browsers send it; a client without it is none, and shows no other site's page. */
function isOrMissing(said: string | string[] | undefined, wanted: string): boolean {
  return said === undefined || said === wanted;
}
