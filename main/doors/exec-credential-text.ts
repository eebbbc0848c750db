import { type Refusal, refuse } from '../contract/refusal.ts';
import { type ExecApiVersion, formatExecCredential } from '../domain/server/exec-credential.ts';
import type { Grant } from '../grants/grant.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * A grant as a complete ExecCredential (KEP-541). Denied for a user name with a password, for which an ExecCredential
 * has no field.
 */
export function execCredentialText(
  apiVersion: ExecApiVersion,
  grant: Grant,
  account: string,
  clock: Clock,
): { ok: true; text: string } | Refusal {
  const { token, certificate, proxyConfig } = grant.credential;
  if (certificate?.keyPem === null) {
    return refuse(
      'notPermitted',
      'execCredential.heldKey',
      `the key of ${account} stays on its token, and Kubernetes clients take a certificate with its key`,
      'have the cluster’s requests go through the request proxy: proxy in config.yaml',
    );
  }
  if (token === null && certificate === null && !proxyConfig) {
    return refuse(
      'notPermitted',
      'execCredential.password',
      `the credential of ${account} is a user name with a password, and Kubernetes clients take a token or a certificate`,
    );
  }
  const text = formatExecCredential(apiVersion, {
    token: token?.reveal() ?? null,
    clientCertificateData: certificate?.chainPem ?? null,
    clientKeyData: certificate?.keyPem.reveal() ?? null,
    expiresAt: grant.expirationForClient(clock),
    proxyConfig,
  });
  return { ok: true, text };
}
