import { Secret } from '../../../base/secret.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { jwtLife } from '../../../domain/credential/jwt-life.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { SecretFileReader } from '../../secret-file.ts';

/** Compact JWS, or JWE (RFC 7519, section 3). */
const jwt = /^[\w-]+(\.[\w-]*){2}(\.[\w-]+\.[\w-]+)?$/;

export interface ReadAssertion {
  ok: true;
  assertion: Secret;
  /** Milliseconds since 1970; null where it doesn't say. */
  expiresAt: number | null;
  readByOthers: boolean;
}

/**
 * The client's assertion from the file that another system renews: a projected token of a pod, a CI job's. One that has
 * expired isn't sent: the provider could only say that the client is unknown.
 */
export async function readAssertion(
  file: string,
  { name, files, clock }: { name: string; files: SecretFileReader; clock: Pick<Clock, 'now'> },
): Promise<ReadAssertion | Refusal> {
  const refused = (message: string) =>
    refuse(
      'notFound',
      'oidc.client.assertion',
      message,
      `${name} proves itself by the token in this file (clientAssertionFile): check what writes it`,
    );
  const content = await files.read(file);
  if (!content.ok) {
    return refused(`${file} ${content.message}`);
  }
  const text = content.text.reveal().trim();
  if (!jwt.test(text)) {
    return refused(`${file} holds no signed token (JWT)`);
  }
  const expiresAt = jwtLife(text)?.expiresAt ?? null;
  return expiresAt !== null && expiresAt <= clock.now()
    ? refused(`the token in ${file} expired at ${clockText(expiresAt, clock.now())}`)
    : { ok: true, assertion: new Secret(text), expiresAt, readByOthers: content.readByOthers };
}
