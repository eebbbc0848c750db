import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is rejected. */
export interface Refused {
  status: number;
  text: string;
}

/** Null: the request is allowed (rule: guarded-loopback). `path` as in the request line. */
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

/** The same-origin policy doesn’t stop WebSockets: any page may open one, so its Origin decides. */
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

/** A web page that points its own name here (DNS rebinding) sends that name. */
function judgeHost({ host: said }: IncomingHttpHeaders, host: string): Refused | null {
  return said === host ? null : { status: 421, text: 'not the host that is served here' };
}

/** Browsers send it with each request. A client without it is no browser, so no other site’s page is behind it. */
function isOwnSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * A top-level navigation to the page: from the redirect file (an opaque origin), and from any site’s link. Without a
 * ticket the page shows nothing.
 */
function isOpening(path: string, headers: IncomingHttpHeaders): boolean {
  return path === '/' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
