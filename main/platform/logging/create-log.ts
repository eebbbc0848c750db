import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { Secret } from '../../base/secret.ts';
import type { Log } from '../../ports/log.ts';

/** Field names whose values never belong in a log, at any depth. */
const secretNames =
  /^(token|id_?token|access_?token|refresh_?token|client_?secret|device_?code|user_?code|password|passphrase|secret|key|key_?pem|authorization|code_verifier|value)$/i;

const depthLimit = 6;

/**
 * A log of JSON lines. Secrets are taken out by type, by name, and by what they look like in text
 * (rule: no-secret-in-text). Where nothing can be written (a full disk, a reader that has gone) work goes on, for an
 * answer of a provider may still be in memory alone.
 * `write` takes a line; unless told otherwise it goes to stderr at once.
 */
export function createLog(options: { level?: string; write?(line: string): void } = {}): Log {
  const write = options.write ?? ((line: string) => void writeSync(2, line));
  const logger = pino(
    { level: options.level ?? 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write },
  );
  const attempt = (log: () => void) => {
    try {
      log();
    } catch {
      // There is no other place to say so.
    }
  };
  return {
    debug: (event, fields) => attempt(() => logger.debug(clean(fields), event)),
    info: (event, fields) => attempt(() => logger.info(clean(fields), event)),
    warn: (event, fields) => attempt(() => logger.warn(clean(fields), event)),
    error: (event, fields) => attempt(() => logger.error(clean(fields), event)),
  };
}

function clean(fields: Record<string, unknown> | undefined): Record<string, unknown> {
  return (redact(fields ?? {}, 0) as Record<string, unknown>) ?? {};
}

/** A copy that is safe to print: no `Secret`, nothing under a telling name, no JWT or PEM key inside a text. */
function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return redactText(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (value instanceof Secret || Buffer.isBuffer(value)) {
    return '[secret]';
  }
  if (depth >= depthLimit) {
    return '[…]';
  }
  if (value instanceof Error) {
    return redactError(value, depth);
  }
  if (Array.isArray(value)) {
    return value.map((item) => redact(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretNames.test(name) ? '[secret]' : redact(item, depth + 1),
    ]),
  );
}

/** An error by its name, code, message and where it was thrown: its other fields may hold a provider's answer. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return {
    name: error.name,
    ...code,
    message: redactText(error.message),
    ...(error.stack !== undefined && { stack: redactText(error.stack.split('\n').slice(1, 8).join('\n')) }),
    ...(error.cause instanceof Error && { cause: redact(error.cause, depth + 1) }),
  };
}

// Each look ahead is bounded: a text made of beginnings must not cost its length squared.
const jwt = /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]+\.?[A-Za-z0-9_-]*/g;
const pemKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const query = /(\bhttps?:\/\/[^\s?#"']{1,2000})[?#][^\s"']*/g;

/** Tokens and keys that got into a text, and the query strings of addresses. */
function redactText(text: string): string {
  return text.replace(jwt, '[secret]').replace(pemKey, '[secret]').replace(query, '$1?[…]');
}
