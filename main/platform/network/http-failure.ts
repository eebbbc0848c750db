import connectionFaults from '../../contract/connection-faults.json' with { type: 'json' };
import type { Refusal } from '../../contract/refusal.ts';

/** Why a request to the provider had no usable answer. */
export type HttpFailureKind =
  | 'unreachable'
  /** The machine answers, and nothing listens at the port. */
  | 'connectionRefused'
  | 'unknownHost'
  | 'timeout'
  | 'cancelled'
  | 'unknownAuthority'
  | 'wrongHostName'
  | 'certificateDates'
  /** The server's certificate breaks another rule: its purpose, its name constraints, its key, its signature. */
  | 'certificate'
  | 'tls'
  /** The other side wants a client's certificate (RFC 8446, 4.4.2.4), or doesn't accept the one it was shown. */
  | 'clientCertificate'
  /** The client certificate’s key, which is elsewhere, doesn’t sign, or not for that server: `refusal` says why. */
  | 'clientKey'
  | 'broken'
  | 'tooLarge'
  | 'insecureAddress'
  /** Its name resolves to an IP address that the request may not go to. */
  | 'closedAddress'
  /** Of a cluster: a gateway before its API server answered. */
  | 'status'
  | 'notJson'
  /** The proxy accepts no connection, or breaks it off before the tunnel is open. */
  | 'proxyUnreachable'
  | 'proxyTimeout'
  /** 407. */
  | 'proxyLogin'
  /** The proxy answers with another status than one of success, such as 502. */
  | 'proxyRefused'
  /** No proxy that can be used: SOCKS, or no address. */
  | 'proxyUnusable'
  /** Lanyard's own request proxy answered, and not the cluster: `refusal` says why. */
  | 'requestProxy';

/** Carries no cause: a client's errors may hold requests and answers, which hold tokens. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  /** False where surely nothing of the request reached the provider. */
  readonly sent: boolean;
  /** The HTTP status, for the kinds `status`, `proxyLogin` and `proxyRefused`. */
  readonly status: number | null;
  /** Host and port of the proxy, for the `proxy…` kinds. */
  readonly proxy: string | null;
  readonly retryAfterSeconds: number | undefined;
  /** For the kinds `clientKey` and `requestProxy`. */
  readonly refusal: Refusal | undefined;

  constructor(
    kind: HttpFailureKind,
    sent: boolean,
    status: number | null = null,
    more: { proxy?: string; retryAfterSeconds?: number | undefined; refusal?: Refusal } = {},
  ) {
    super(`request to the provider failed: ${kind}`);
    this.name = 'HttpFailure';
    this.kind = kind;
    this.sent = sent;
    this.status = status;
    this.proxy = more.proxy ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.refusal = more.refusal;
  }
}

/** The kind that the request proxy calls so (native-helper/proxy/src/fault.rs); null: none. */
export function httpFailureKind(name: string): keyof typeof connectionFaults | null {
  return Object.hasOwn(connectionFaults, name) ? (name as keyof typeof connectionFaults) : null;
}

const kindsByCode: Readonly<Record<string, HttpFailureKind>> = {
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'connectionRefused',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknownAuthority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  CERT_SIGNATURE_FAILURE: 'unknownAuthority',
  CERT_UNTRUSTED: 'unknownAuthority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongHostName',
  HOSTNAME_MISMATCH: 'wrongHostName',
  CERT_HAS_EXPIRED: 'certificateDates',
  CERT_NOT_YET_VALID: 'certificateDates',
  CERT_REVOKED: 'certificate',
  CERT_REJECTED: 'certificate',
  INVALID_CA: 'certificate',
  INVALID_PURPOSE: 'certificate',
  PATH_LENGTH_EXCEEDED: 'certificate',
  // What Node has no name for: name constraints, a weak key or signature.
  UNSPECIFIED: 'certificate',
  EPROTO: 'tls',
};

/** What a server says of a client's certificate (RFC 8446, 6.2). Before the last word, OpenSSL's versions differ. */
const certificateAlert =
  /_ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA)$/;

/** What an error of http, net or tls means. `connected`: the TLS handshake was through. */
export function httpFailureOf(error: unknown, connected: boolean): HttpFailure {
  if (error instanceof HttpFailure) {
    return error;
  }
  const code = errorCode(error);
  const byAlert = certificateAlert.test(code) ? 'clientCertificate' : 'tls';
  const kind = kindsByCode[code] ?? (code.startsWith('ERR_SSL_') ? byAlert : null);
  return new HttpFailure(kind ?? (connected ? 'broken' : 'unreachable'), connected);
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return errorCode(error.errors[0]);
  }
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
