import { createHash, X509Certificate } from 'node:crypto';
import { refuse } from '../../../contract/refusal.ts';
import { HttpFailure } from '../../../platform/network/http-failure.ts';
import type { HeldCertificate, HeldKeys } from '../../../ports/held-keys.ts';
import { jwsAlgorithms, jwsSignature, schemeOf } from './rules/jws-signature.ts';

/** A client’s key that stays on a token: whoever signs by it asks for each signature. */
export interface HeldClientKey {
  /** `kid`; null: the provider finds the key without it. */
  keyId: string | null;
  algorithms: readonly string[];
  /** The certificate’s thumbprints (RFC 7515, 4.1.7 and 4.1.8): some providers know the key by them. */
  thumbprints: Readonly<Record<'x5t' | 'x5t#S256', string>>;
  /** A JWS signature of `input`. Throws HttpFailure (clientKey) where there is none: nothing was sent then. */
  sign(algorithm: string, input: string): Promise<Uint8Array>;
}

/** Someone may touch the token, in milliseconds. */
const patienceMilliseconds = 60_000;

export function heldClientKey(
  { account, chainPem, schemes }: HeldCertificate,
  keyId: string | null,
  heldKeys: Pick<HeldKeys, 'sign'>,
): HeldClientKey {
  const { raw } = new X509Certificate(chainPem);
  const thumbprint = (hash: string) => createHash(hash).update(raw).digest('base64url');
  return {
    keyId,
    algorithms: jwsAlgorithms(schemes),
    thumbprints: { x5t: thumbprint('sha1'), 'x5t#S256': thumbprint('sha256') },
    async sign(algorithm, input) {
      const scheme = schemeOf(algorithm);
      const signed =
        scheme === null
          ? noSignature(account)
          : await heldKeys.sign(
              account,
              { scheme, message: Buffer.from(input) },
              AbortSignal.timeout(patienceMilliseconds),
            );
      const signature = signed.ok ? jwsSignature(algorithm, signed.signature) : null;
      if (signature === null) {
        const refusal = signed.ok ? noSignature(account) : signed;
        throw new HttpFailure('clientKey', false, null, { refusal });
      }
      return signature;
    },
  };
}

function noSignature(account: string) {
  return refuse(
    'provider',
    'oidc.client.noSignature',
    `the key of ${account} makes no signature that an assertion can have`,
    'use another key',
  );
}
