import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Front, startFront } from './front.ts';

/**
 * A stand-in for Cloudflare Access in front of a server, with one service token: the pair of `CF-Access-Client-Id` and
 * `CF-Access-Client-Secret` passes, and is taken away; any other request is redirected to a login page.
 *
 * Its limits: it has no identity provider and no login, no policies and no cookie `CF_Authorization`; the origin gets no
 * `Cf-Access-Jwt-Assertion`; where an application takes service tokens alone, the real one answers 403; Cloudflare’s own
 * time limits, body limits and headers are not there.
 */
export interface CloudflareAccess extends Front {
  readonly id: string;
  readonly secret: string;
}

export const loginPage = 'https://team.cloudflareaccess.com/cdn-cgi/access/login/prod.example.com';

export async function startCloudflareAccess(behind: {
  server: string;
  caPem: string;
}): Promise<CloudflareAccess> {
  const [id, secret] = [`${randomBytes(16).toString('hex')}.access`, randomBytes(32).toString('hex')];
  const front = await startFront(behind, async (headers) => {
    const { 'cf-access-client-id': statedId, 'cf-access-client-secret': statedSecret, ...others } = headers;
    return isSame(statedId, id) && isSame(statedSecret, secret)
      ? { passes: others }
      : { status: 302, headers: { location: loginPage }, text: '' };
  });
  return { ...front, id, secret };
}

function isSame(stated: string | string[] | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(String(stated)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
