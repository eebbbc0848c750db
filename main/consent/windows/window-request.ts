import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Secret } from '../../base/secret.ts';
import type { Fields } from './window-kind.ts';

/** A certificate with its key and chain fits, written as a form. */
export const bodyLimitBytes = 256 * 1024;
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

/** The form's fields, each a Secret from here on; null: broken off, or none of our forms. */
export async function readFields(
  request: AsyncIterable<Uint8Array> | null,
): Promise<Fields | 'tooLarge' | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request ?? []) {
      bytes += chunk.length;
      if (bytes > bodyLimitBytes) {
        return 'tooLarge';
      }
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  const body = Buffer.concat(chunks);
  const entries = [...new URLSearchParams(body.toString('latin1'))];
  for (const each of [...chunks, body]) {
    each.fill(0);
  }
  const names = new Set(entries.map(([name]) => name));
  return entries.length > fieldLimit || names.size !== entries.length
    ? null
    : Object.fromEntries(entries.map(([name, value]) => [name, new Secret(value)]));
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
