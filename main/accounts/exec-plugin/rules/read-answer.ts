import { Secret } from '../../../base/secret.ts';
import type { ExecPluginConfig } from '../../../contract/config/accounts/exec-plugin.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { jwtLife } from '../../../domain/credential/jwt-life.ts';
import { parseToken } from '../../../domain/credential/parse-token.ts';
import { readTree } from '../../../domain/decode/read-tree.ts';
import type { Tree } from '../../../domain/decode/tree.ts';
import type { ToldProxy } from '../../../domain/server/exec-credential.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { type CredentialStatus, toExecCredential } from './decode/exec-credential.ts';
import { readPluginPair } from './decode/plugin-pair.ts';
import { toProxyConfig } from './decode/proxy-config.ts';
import { readToldProxy } from './told-proxy.ts';

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
  /** Where the client sends its requests (KEP-2718/proxy-config); null: to the cluster itself. */
  proxy: ToldProxy | null;
}

export interface Reading {
  /** What the plugin must answer with. */
  apiVersion: ExecPluginConfig['apiVersion'];
  /** It was told a client’s lock file, and may answer with a proxy for that client. Absent: a proxy is dropped. */
  passesProxy?: boolean;
}

/** A credential in YAML is shorter, and has few special characters: PEM and base64url have none. */
const yamlLimits = { what: 'a credential', characters: 64 * 1024, marks: 512, lines: 4096 };

/**
 * What a plugin printed, checked as client-go checks it, in its words (k8s.io/client-go/plugin/pkg/client/auth/exec).
 * A `proxyConfig` counts only where the client knows it: for all others it is an unknown field, as for client-go. No
 * word of what was printed is in a message: it may hold a secret.
 */
export function readAnswer(
  stdout: Secret,
  { apiVersion, passesProxy = false }: Reading,
): { ok: true; answer: PluginAnswer } | Refusal {
  const text = stdout.reveal();
  const read = readTree(text, yamlLimits);
  if (!read.ok) {
    return undecoded(read.message);
  }
  const decoded = toExecCredential(read.tree);
  if (!decoded.ok) {
    return undecoded(decoded.message);
  }
  const { apiVersion: returned, status } = decoded.credential;
  if (returned !== apiVersion) {
    return wrong(
      'version',
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${visibleText(returned, 80)}`,
      text.trim() === '' ? 'the plugin printed nothing' : undefined,
    );
  }
  if (!status) {
    return wrong('noStatus', "exec plugin didn't return a status field");
  }
  const proxy = passesProxy ? readProxy(read.tree) : ({ ok: true, proxy: null } as const);
  if (!proxy.ok) {
    return proxy;
  }
  const answer = readStatus(status, proxy.proxy);
  return answer === null ? noCredential(read.tree) : answer;
}

function readProxy(tree: Tree): { ok: true; proxy: ToldProxy | null } | Refusal {
  const decoded = toProxyConfig(tree);
  if (!decoded.ok) {
    return undecoded(decoded.message);
  }
  if (decoded.proxyConfig === null) {
    return { ok: true, proxy: null };
  }
  const read = readToldProxy(decoded.proxyConfig);
  return read.ok ? read : wrong(read.code, `exec plugin returned a proxyConfig ${read.wrong}`, read.hint);
}

/** A plugin that knows KEP-2718 may not know that its client doesn’t. */
function noCredential(tree: Tree): Refusal {
  const decoded = toProxyConfig(tree);
  const isProxy = decoded.ok && decoded.proxyConfig !== null;
  return wrong(
    'noCredential',
    `exec plugin didn't return a token or cert/key pair${isProxy ? ', but a proxy (proxyConfig)' : ''}`,
    isProxy
      ? 'a proxy is for clients that know KEP-2718: they name a lock file, and the account has passProxyConfig: true'
      : undefined,
  );
}

/** Null: there is nothing in it. */
function readStatus(
  {
    token: given,
    clientCertificateData: certificate,
    clientKeyData: key,
    expirationTimestamp,
  }: CredentialStatus,
  proxy: ToldProxy | null,
): { ok: true; answer: PluginAnswer } | Refusal | null {
  if (given === '' && certificate === '' && key === '' && proxy === null) {
    return null;
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
      proxy,
    },
  };
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function undecoded(message: string): Refusal {
  return wrong('decoding', `decoding stdout: ${message}`);
}

function wrong(code: string, message: string, hint?: string): Refusal {
  return refuse('provider', `execPlugin.${code}`, message, hint);
}
