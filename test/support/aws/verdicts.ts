import { createHash, randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import {
  authorizationOf,
  type ReceivedRequest,
  type SigningKeys,
  signedAt,
  valuesOf,
} from './signed-request.ts';
import { signWithSmithy } from './smithy.ts';

/** What a service knows when it verifies signatures. */
export interface SignatureRules {
  region: string;
  keys: readonly KnownKeys[];
  now(): Date;
}

export interface KnownKeys extends SigningKeys {
  /** Of the session token. */
  expires?: Date;
}

export interface Refusal {
  status: number;
  headers: OutgoingHttpHeaders;
  text: string;
}

/** Why a request doesn’t pass; null: it passes. `body`: null where it was not read. */
export type Verify = (
  received: ReceivedRequest,
  body: Buffer | null,
  rules: SignatureRules,
) => Promise<Refusal | null>;

const skewMinutes = 5;

/**
 * As API Gateway verifies a request to an API whose methods have IAM authorization, in its words: 403, JSON with
 * `message`, the kind in `x-amzn-errortype`, a `Date` (AWS’s article on 403 errors of API Gateway; texts of instants and
 * scopes as users of many services quote them).
 *
 * Its limits: nobody documents in which order the real one looks; for keys it doesn’t know AWS’s article has the kind
 * `AccessDeniedException`, other services of AWS’s send the one here; it reads no signature from the query and none of
 * Signature Version 4A; it wants the body’s hash in `x-amz-content-sha256`, which the real one works out by itself; every
 * known key may call everything.
 */
export const verifyAsApiGateway: Verify = async (received, body, { region, keys, now }) => {
  const refuse = (kind: string, message: string): Refusal => ({
    status: 403,
    headers: {
      'content-type': 'application/json',
      date: now().toUTCString(),
      'x-amzn-requestid': randomUUID(),
      'x-amzn-errortype': kind,
    },
    text: JSON.stringify({ message }),
  });
  if (valuesOf(received, 'authorization').length === 0) {
    return refuse('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  const stated = authorizationOf(received);
  const instant = signedAt(received);
  if (stated === null || Number.isNaN(instant)) {
    const [value = ''] = valuesOf(received, 'authorization');
    return refuse('IncompleteSignatureException', `'${value}' not a valid key=value pair`);
  }
  const scope = [
    stated.region === region ? '' : `Credential should be scoped to a valid region, not '${stated.region}'. `,
    stated.service === 'execute-api' ? '' : "Credential should be scoped to correct service: 'execute-api'. ",
  ].join('');
  if (scope !== '') {
    return refuse('InvalidSignatureException', scope);
  }
  const late = instantText(received, instant, now());
  if (late !== null) {
    return refuse('InvalidSignatureException', late);
  }
  const known = keys.find(({ accessKeyId }) => accessKeyId === stated.accessKeyId);
  const [token] = valuesOf(received, 'x-amz-security-token');
  if (known === undefined || token !== known.sessionToken) {
    return refuse('UnrecognizedClientException', 'The security token included in the request is invalid.');
  }
  if (known.expires !== undefined && known.expires <= now()) {
    return refuse('ExpiredTokenException', 'The security token included in the request is expired');
  }
  const again = await signWithSmithy(received, stated, known);
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const isBodySigned = valuesOf(received, 'x-amz-content-sha256').join() === hash;
  if (!isBodySigned || again.authorization !== valuesOf(received, 'authorization')[0]) {
    const canonical = again.canonicalRequest.replace(/[^\n]*$/, hash);
    return refuse(
      'InvalidSignatureException',
      `The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\nThe Canonical String for this request should have been\n'${canonical}'\n`,
    );
  }
  return null;
};

/**
 * As VPC Lattice verifies a request to a service with an auth policy that wants an authenticated principal: 403, and text
 * with the kind in it. It takes `UNSIGNED-PAYLOAD` alone (its user guide, SIGv4 authenticated requests).
 *
 * Its limits: whatever is wrong with a signature, the caller is anonymous, as one without any is; there are no policies.
 */
export const verifyAsLattice: Verify = async (received, _, { region, keys, now }) => {
  const stated = authorizationOf(received);
  const known = keys.find(({ accessKeyId }) => accessKeyId === stated?.accessKeyId);
  const isKnown =
    stated !== null &&
    known !== undefined &&
    stated.region === region &&
    stated.service === 'vpc-lattice-svcs' &&
    instantText(received, signedAt(received), now()) === null &&
    valuesOf(received, 'x-amz-security-token')[0] === known.sessionToken &&
    (known.expires === undefined || known.expires > now()) &&
    valuesOf(received, 'x-amz-content-sha256').join() === 'UNSIGNED-PAYLOAD' &&
    (await signWithSmithy(received, stated, known)).authorization === valuesOf(received, 'authorization')[0];
  if (isKnown) {
    return null;
  }
  const [path = ''] = received.target.split('?');
  const service = `arn:aws:vpc-lattice:${region}:123456789012:service/svc-0123456789abcdef0${path}`;
  return {
    status: 403,
    headers: { 'content-type': 'text/plain', date: now().toUTCString() },
    text: `AccessDeniedException: User: anonymous is not authorized to perform: vpc-lattice-svcs:Invoke on resource: ${service} because no service-based policy allows the vpc-lattice-svcs:Invoke action`,
  };
};

/** Null where the instant is near enough. */
function instantText(received: ReceivedRequest, instant: number, now: Date): string | null {
  const [stated = ''] = valuesOf(received, 'x-amz-date');
  const text = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');
  const skew = skewMinutes * 60_000;
  const [server, earliest, latest] = [now.getTime(), now.getTime() - skew, now.getTime() + skew];
  if (instant < earliest) {
    return `Signature expired: ${stated} is now earlier than ${text(earliest)} (${text(server)} - ${skewMinutes} min.)`;
  }
  return instant > latest
    ? `Signature not yet current: ${stated} is still later than ${text(latest)} (${text(server)} + ${skewMinutes} min.)`
    : null;
}
