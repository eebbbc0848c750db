import type { HttpFailure, HttpFailureKind } from './http-failure.ts';

/** `*` becomes the proxy, `#` the status. */
const texts: Readonly<Record<HttpFailureKind, string>> = {
  unknownHost: 'can’t be resolved (DNS)',
  unreachable: 'can’t be reached',
  connectionRefused: 'refuses the connection: nothing listens there',
  timeout: 'did not answer in time',
  cancelled: 'was not waited for',
  broken: 'closed the connection unexpectedly',
  tooLarge: 'sent more than it should',
  insecureAddress: 'has an address that is not https',
  closedAddress: 'has an address of this machine or its network, or of a cloud’s metadata service',
  status: 'answered with HTTP status #',
  notJson: 'answered with something that is not JSON',
  unknownAuthority: 'presents a certificate of an unknown authority',
  wrongHostName: 'presents a certificate for another host',
  certificateDates: 'presents a certificate that is not valid now',
  tls: 'speaks no TLS that can be used',
  clientCertificate: 'does not accept the client certificate, or wants one',
  clientKey: 'can’t be shown the client certificate: its key does not sign',
  proxyUnreachable: 'can’t be reached: the proxy * can’t be, either',
  proxyTimeout: 'can’t be reached: the proxy * did not answer in time',
  proxyLogin: 'can’t be reached: the proxy * wants another login (407)',
  proxyRefused: 'can’t be reached: the proxy * answered with HTTP status #',
  proxyUnusable: 'was not asked: the broker can’t speak to the proxy *',
};

/** Why a host gave no usable answer, in words that follow its name. */
export function failureText({ kind, proxy, status }: HttpFailure): string {
  return texts[kind].replace('*', () => proxy ?? 'unknown').replace('#', () => String(status ?? 'unknown'));
}
