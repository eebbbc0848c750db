import { Secret } from '../../../base/secret.ts';
import type { ExecPluginConfig } from '../../../contract/config/config.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { jwtLife } from '../../../domain/credential/jwt-life.ts';
import { parseToken } from '../../../domain/credential/parse-token.ts';
import { readTree } from '../../../domain/decode/read-tree.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { type CredentialStatus, toExecCredential } from './decode/exec-credential.ts';
import { readPluginPair } from './decode/plugin-pair.ts';

/** A credential as the plugin gave it. */
export interface PluginAnswer {
  token: Secret | null;
  certificate: { chainPem: string; keyPem: Secret } | null;
  /** Milliseconds since 1970; null where it doesn't say. */
  issuedAt: number | null;
  /** What the plugin promised: its expirationTimestamp; null: none. */
  expirationTimestamp: number | null;
  /** The end that token or certificate themselves tell. */
  ownExpiry: number | null;
}

/** A credential in YAML is shorter, and has few special characters: PEM and base64url have none. */
const yamlLimits = { what: 'a credential', characters: 64 * 1024, marks: 512, lines: 4096 };

/**
 * What a plugin printed, checked as client-go checks it, in its words (k8s.io/client-go/plugin/pkg/client/auth/exec).
 * No word of what was printed is in a message: it may hold a secret.
 */
export function readAnswer(
  stdout: Secret,
  { apiVersion }: Pick<ExecPluginConfig, 'apiVersion'>,
): { ok: true; answer: PluginAnswer } | Refusal {
  const text = stdout.reveal();
  const read = readTree(text, yamlLimits);
  const decoded = read.ok ? toExecCredential(read.tree) : read;
  if (!decoded.ok) {
    return wrong('decoding', `decoding stdout: ${decoded.message}`);
  }
  const { apiVersion: returned, status } = decoded.credential;
  if (returned !== apiVersion) {
    return wrong(
      'version',
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${visibleText(returned, 80)}`,
      text.trim() === '' ? 'the plugin printed nothing' : undefined,
    );
  }
  return status ? readStatus(status) : wrong('noStatus', "exec plugin didn't return a status field");
}

function readStatus({
  token: given,
  clientCertificateData: certificate,
  clientKeyData: key,
  expirationTimestamp,
}: CredentialStatus): { ok: true; answer: PluginAnswer } | Refusal {
  if (given === '' && certificate === '' && key === '') {
    return wrong('noCredential', "exec plugin didn't return a token or cert/key pair");
  }
  if ((certificate === '') !== (key === '')) {
    return wrong('halfPair', 'exec plugin returned only certificate or key, not both');
  }
  const token = given === '' ? null : parseToken(new Secret(given));
  if (token && !token.ok) {
    return wrong('token', `the token that the exec plugin returned ${token.message}`);
  }
  const pair = certificate === '' ? null : readPluginPair(certificate, key);
  if (pair && !pair.ok) {
    return wrong('pair', `failed parsing client key/certificate: ${pair.message}`);
  }
  const life = token ? jwtLife(token.token.reveal()) : null;
  return {
    ok: true,
    answer: {
      token: token?.token ?? null,
      certificate: pair && { chainPem: pair.chainPem, keyPem: pair.keyPem },
      issuedAt: pair?.life.issuedAt ?? life?.issuedAt ?? null,
      expirationTimestamp,
      ownExpiry: earliest(pair?.life.expiresAt ?? null, life?.expiresAt ?? null),
    },
  };
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function wrong(code: string, message: string, hint?: string): Refusal {
  return refuse('provider', `execPlugin.${code}`, message, hint);
}
