import type { IncomingHttpHeaders } from 'node:http';

/** Why a request isn't answered. */
export interface Refused {
  status: number;
  text: string;
}

/** Null: it may be answered (rule: guarded-loopback). `path` is as it stands in the request. */
export function judgeRequest(
  { method, path, headers }: { method: string | undefined; path: string; headers: IncomingHttpHeaders },
  host: string,
): Refused | null {
  return (
    judgeHost(headers, host) ??
    (method === 'GET' || method === 'HEAD' ? null : { status: 405, text: 'only GET' }) ??
    (headers.origin === undefined || headers.origin === `http://${host}` ? null : notForOthers) ??
    (isOwnSite(headers) || isOpening(path, headers) ? null : notForOthers)
  );
}

/** A WebSocket asks for no leave of the same-origin policy: any page may try one, so its Origin is what counts. */
export function judgeUpgrade(
  { method, path, headers }: { method: string | undefined; path: string; headers: IncomingHttpHeaders },
  host: string,
): Refused | null {
  return (
    judgeHost(headers, host) ??
    (method === 'GET' && path === '/' ? null : { status: 404, text: 'nothing is here' }) ??
    (headers.origin === `http://${host}` && isOwnSite(headers) ? null : notForOthers)
  );
}

const notForOthers: Refused = { status: 403, text: 'not for other pages' };

/** A web page that made its own name point here (DNS rebinding) calls us by that name. */
function judgeHost({ host: said }: IncomingHttpHeaders, host: string): Refused | null {
  return said === host ? null : { status: 421, text: 'not the host that is served here' };
}

/** Browsers say it of each request; what says nothing is no browser, and has no page of another's to answer for. */
function isOwnSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * The page itself, whole and in a tab of its own: the redirect file's (of an opaque origin) and any other page's link
 * lead here. Without a ticket it shows nothing.
 */
function isOpening(path: string, headers: IncomingHttpHeaders): boolean {
  return path === '/' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
