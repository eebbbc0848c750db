import connectionFaults from '../../contract/connection-faults.json' with { type: 'json' };
import type { HttpFailure, HttpFailureKind } from './http-failure.ts';

/** `*` becomes the proxy, `#` what was answered. */
const texts: Readonly<Record<HttpFailureKind, string>> = {
  ...connectionFaults,
  cancelled: 'was not waited for',
  tooLarge: 'sent more than it should',
  insecureAddress: 'has an address that is not https',
  closedAddress: 'has an address of this machine or its network, or of a cloud’s metadata service',
  status: 'answered with #',
  notJson: 'answered with something that is not JSON',
  clientKey: 'can’t be shown the client certificate: its key does not sign',
  proxyUnusable: 'was not asked: Lanyard can’t use the proxy *',
  requestProxy: 'was not asked',
};

/** Why a host gave no usable answer, in words that follow its name. */
export function failureText({ kind, proxy, status, refusal }: HttpFailure): string {
  const answered = status === null ? 'a refusal' : `HTTP status ${status}`;
  const text = texts[kind].replace('*', () => proxy ?? 'unknown').replace('#', answered);
  return kind === 'requestProxy' && refusal ? `${text}: ${refusal.message}` : text;
}
