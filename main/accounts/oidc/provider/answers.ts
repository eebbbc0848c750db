import { z } from 'zod';
import { AnswerFault } from './answer-fault.ts';

/**
 * A provider's answers, as the standards mean them, before the library reads them. Some providers write an optional
 * field that they leave out as null or "", and numbers as texts; other clients take that.
 */

const text = z.string();
/** parseFloat, as the library reads the numbers that it takes as texts. */
const seconds = z
  .union([z.number(), text.transform((value) => Number.parseFloat(value))])
  .pipe(z.number().nonnegative());

/** RFC 6749, 5.1, and RFC 8693, 2.2.1: the fields that are used. Scopes aren't: some providers send them as a list. */
const tokenFields = z.object({
  access_token: text,
  token_type: text,
  expires_in: seconds.optional(),
  refresh_token: text.optional(),
  id_token: text.optional(),
  issued_token_type: z.unknown().optional(),
});
export type TokenFields = z.infer<typeof tokenFields>;

/** RFC 8628, 3.2. */
const deviceFields = z.object({
  device_code: text,
  user_code: text,
  verification_uri: text,
  verification_uri_complete: text.optional(),
  expires_in: seconds,
  // 0 is no interval to poll by: the default counts.
  interval: seconds.optional().transform((value) => value || undefined),
});

/** RFC 6749, 5.2, RFC 8628, 3.5, and OpenID Connect Core 3.1.2.6. Some providers send one as a word alone or as a form. */
export const knownErrors: readonly string[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'interaction_required',
  'login_required',
  'consent_required',
];

/** The fields that say something. */
export function presentIn(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

/** `fields` by `schema`; throws AnswerFault, which names the first field that is missing or wrong. */
export function parseFields<T>(schema: z.ZodType<T>, fields: object, within = ''): T {
  const present = presentIn(fields);
  const result = schema.safeParse(present);
  if (result.success) {
    return result.data;
  }
  const field = String(result.error.issues[0]?.path[0] ?? '');
  throw new AnswerFault('malformed', `${within}${field}`, present[field] === undefined);
}

/** The fields of a token answer; null: it isn't JSON, or no object. Throws AnswerFault. */
export function tokenFieldsIn(answer: string): TokenFields | null {
  const fields = objectIn(answer);
  return fields && parseFields(tokenFields, fields);
}

/**
 * A device authorization answer as RFC 8628, 3.2, wants it. Google's and Entra ID's first endpoints have
 * `verification_url`, the word of the draft that they were built on. Throws AnswerFault.
 */
export async function withDeviceFields(answer: Response): Promise<Response> {
  const fields = answer.status === 200 ? objectIn(await answer.clone().text()) : null;
  if (!fields) {
    return answer;
  }
  const { verification_url: page, ...rest } = fields;
  return withBody(answer, parseFields(deviceFields, { verification_uri: page, ...presentIn(rest) }));
}

/** A discovery document without the endpoints that it only says are none. Throws AnswerFault. */
export async function withPresentFields(answer: Response): Promise<Response> {
  const fields = answer.status === 200 ? objectIn(await answer.clone().text()) : null;
  return fields ? withBody(answer, parseFields(z.looseObject({ issuer: text }), fields)) : answer;
}

/** An error as RFC 6749, 5.2, wants it: in JSON that says so. Other answers stay as they are. */
export async function withOAuthError(answer: Response): Promise<Response> {
  if (answer.status < 400 || answer.status > 499) {
    return answer;
  }
  const error = oauthErrorIn(await answer.clone().text(), [400, 401].includes(answer.status));
  return error ? withBody(answer, error) : answer;
}

export function oauthErrorIn(
  answer: string,
  mayBePlain = false,
): { error: string; error_description?: string } | null {
  const fields = objectIn(answer);
  if (fields) {
    const { error, error_description: said } = fields;
    return typeof error === 'string' && error !== ''
      ? { error, ...(typeof said === 'string' && { error_description: said }) }
      : null;
  }
  if (!mayBePlain || answer.length > 4096) {
    return null;
  }
  const word = answer.trim();
  // A link in a page's text may have such a field, too.
  const form = new URLSearchParams(word.includes('<') ? '' : word);
  const error = form.get('error') ?? word.replace(/^"|"$/g, '');
  const said = form.get('error_description');
  return knownErrors.includes(error) ? { error, ...(said !== null && { error_description: said }) } : null;
}

function objectIn(answer: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The same answer with another body, in JSON. A challenge goes with the old body: the error in the new one says more. */
export function withBody({ status, headers }: Response, body: object): Response {
  const kept = new Headers(headers);
  kept.set('content-type', 'application/json');
  kept.delete('www-authenticate');
  return new Response(JSON.stringify(body), { status, headers: kept });
}
