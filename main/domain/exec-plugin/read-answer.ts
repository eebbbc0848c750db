import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { Secret } from '../../base/secret.ts';
import type { ExecPluginConfig } from '../../contract/config.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { jwtLife } from '../jwt-life.ts';
import { parseToken } from '../parse-token.ts';
import { readPair } from '../read-pair.ts';
import { visibleText } from '../visible-text.ts';

/** A credential as the plugin gave it. */
export interface PluginAnswer {
  token: Secret | null;
  certificate: { chainPem: string; keyPem: Secret } | null;
  /** Milliseconds since 1970; null where it doesn't say. */
  issuedAt: number | null;
  /** What the plugin promised: its expirationTimestamp; null: none. */
  expirationTimestamp: number | null;
  /** The end that token or certificate themselves tell. */
  readEnd: number | null;
}

const text = z.string().nullish();

/** Fields that nobody knows are ignored: plugins are newer than their clients now and then. */
const envelope = z.object({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  status: z
    .object({
      expirationTimestamp: text,
      token: text,
      clientCertificateData: text,
      clientKeyData: text,
    })
    .nullish(),
});

/** RFC 3339, as Go's metav1.Time takes it. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * What a plugin printed, checked as client-go checks it, in its words (k8s.io/client-go/plugin/pkg/client/auth/exec).
 * No word of what was printed is in a message: it may hold a secret.
 */
export function readAnswer(
  stdout: Secret,
  { apiVersion }: Pick<ExecPluginConfig, 'apiVersion'>,
): { ok: true; answer: PluginAnswer } | Refusal {
  const value = decode(stdout.reveal());
  if (value === undefined) {
    return wrong('decoding', 'decoding stdout: it is neither JSON nor YAML');
  }
  const parsed = envelope.safeParse(value);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') || 'the whole';
    return wrong(
      'decoding',
      `decoding stdout: ${visibleText(path, 80)} is not what an ExecCredential has there`,
    );
  }
  const { kind, status } = parsed.data;
  if (kind !== 'ExecCredential' || !parsed.data.apiVersion) {
    return wrong('decoding', 'decoding stdout: it is no ExecCredential');
  }
  if (parsed.data.apiVersion !== apiVersion) {
    return wrong(
      'version',
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${visibleText(parsed.data.apiVersion, 80)}`,
    );
  }
  return status ? readStatus(status) : wrong('noStatus', 'exec plugin didn’t return a status field');
}

function readStatus(status: {
  expirationTimestamp?: string | null | undefined;
  token?: string | null | undefined;
  clientCertificateData?: string | null | undefined;
  clientKeyData?: string | null | undefined;
}): { ok: true; answer: PluginAnswer } | Refusal {
  const [certificate, key] = [status.clientCertificateData || null, status.clientKeyData || null];
  if (!status.token && certificate === null && key === null) {
    return wrong('noCredential', 'exec plugin didn’t return a token or cert/key pair');
  }
  if ((certificate === null) !== (key === null)) {
    return wrong('halfPair', 'exec plugin returned only certificate or key, not both');
  }
  const token = status.token ? parseToken(new Secret(status.token)) : null;
  if (token && !token.ok) {
    return wrong('token', `the token that the exec plugin returned ${token.message}`);
  }
  const said = status.expirationTimestamp || null;
  const expirationTimestamp = said === null || !timestamp.test(said) ? null : Date.parse(said);
  if (said !== null && (expirationTimestamp === null || Number.isNaN(expirationTimestamp))) {
    return wrong('decoding', 'decoding stdout: expirationTimestamp is no time of RFC 3339');
  }
  const pair =
    certificate === null || key === null
      ? null
      : readPair(
          { text: new Secret(certificate), called: 'clientCertificateData' },
          { text: new Secret(key), called: 'clientKeyData' },
        );
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
      readEnd: earliest(pair?.life.expiresAt ?? null, life?.expiresAt ?? null),
    },
  };
}

/**
 * A credential in YAML is shorter, and has few marks that mean something; what has more isn't looked at any further:
 * the parser's time grows with the square of them, and nobody else is served meanwhile.
 */
const yamlLimits = { characters: 64 * 1024, marks: 512, lines: 4096 };

/** client-go's decoder takes YAML as well. Undefined: it is neither. */
function decode(printed: string): unknown {
  const json = parseJson(printed);
  if (json !== undefined && json !== null) {
    return json;
  }
  if (!isSmallYaml(printed)) {
    return undefined;
  }
  try {
    return parseYaml(printed, { maxAliasCount: 10, logLevel: 'silent', schema: 'core' }) ?? undefined;
  } catch {
    return undefined; // its errors quote the text
  }
}

function isSmallYaml(text: string): boolean {
  const count = (what: RegExp) => text.match(what)?.length ?? 0;
  return (
    text.length <= yamlLimits.characters &&
    text.includes('ExecCredential') &&
    // Not a dash within a word: PEM and base64url have them. No text of a credential has many of the others.
    count(/[?:,[\]{}&*!%@`|>'"\\]|(?<!\S)-(?!\S)/g) <= yamlLimits.marks &&
    count(/\n/g) <= yamlLimits.lines
  );
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function wrong(code: string, message: string): Refusal {
  return refuse('provider', `execPlugin.${code}`, message);
}
