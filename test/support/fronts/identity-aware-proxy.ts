import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { type Front, startFront } from './front.ts';

/**
 * A stand-in for Google’s Identity-Aware Proxy in front of a server whose own credential is in `Authorization`: reads an
 * ID token from `Proxy-Authorization`, checks its signature, issuer, audience and end, takes it away, and passes
 * `Authorization` on untouched.
 *
 * Its limits: it has one caller’s e-mail and no access policy; the key is its own, not one that is fetched from an issuer; it
 * reads no ID token from `Authorization`, which IAP does as a second choice; it answers 401 where IAP may redirect a
 * browser to a login; it adds `X-Goog-Authenticated-User-Email`, but no signed assertion; the load balancer that IAP is
 * part of, its time limits and its headers are not there.
 */
export interface IdentityAwareProxy extends Front {
  /** An ID token that it takes for so many seconds; fewer than 0: one that is over. */
  idToken(seconds: number): Promise<string>;
}

const issuer = 'https://accounts.google.com';
const audience = 'front.apps.googleusercontent.com';
const email = 'robot@project.iam.gserviceaccount.com';

export async function startIdentityAwareProxy(behind: {
  server: string;
  caPem: string;
}): Promise<IdentityAwareProxy> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: '1' }] });
  const front = await startFront(behind, async ({ 'proxy-authorization': stated, ...others }) => {
    try {
      const token = /^Bearer (.+)$/.exec(stated ?? '')?.[1] ?? '';
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'] });
      return {
        passes: { ...others, 'x-goog-authenticated-user-email': `accounts.google.com:${payload['email']}` },
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : '';
      return { status: 401, headers: {}, text: `Invalid IAP credentials: ${why}` };
    }
  });
  return {
    ...front,
    idToken: (seconds) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('robot')
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(privateKey),
  };
}
