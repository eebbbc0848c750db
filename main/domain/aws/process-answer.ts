import { z } from 'zod';
import { Secret } from '../../base/secret.ts';
import { type AwsKeys, accessKeyIdText } from '../credential/aws-keys.ts';

/** AWS SDKs and Tools Reference Guide, "Process credential provider". Other keys, such as AccountId, don’t matter here. */
const schema = z.object({
  Version: z.literal(1),
  AccessKeyId: z.string().regex(accessKeyIdText),
  SecretAccessKey: z.string().regex(/^[\x21-\x7e]{1,1024}$/),
  SessionToken: z
    .string()
    .regex(/^[\x21-\x7e]{0,16384}$/)
    .nullish(),
  Expiration: z.iso.datetime({ offset: true }).nullish(),
});

/** `fault`: the end of a sentence about the program; nothing of the answer is in it. */
export type ProcessAnswer =
  | {
      ok: true;
      keys: AwsKeys /** Milliseconds since 1970; null: the program names no end. */;
      expiresAt: number | null;
    }
  | { ok: false; fault: string };

/** What a `credential_process` printed. */
export function readProcessAnswer(stdout: Secret): ProcessAnswer {
  let value: unknown;
  try {
    value = JSON.parse(stdout.reveal());
  } catch {
    return { ok: false, fault: 'returned no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path[0];
    return {
      ok: false,
      fault:
        key === undefined
          ? 'returned JSON that is no object'
          : key === 'Version'
            ? 'returned another Version than 1'
            : `returned no usable ${String(key)}`,
    };
  }
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = parsed.data;
  return {
    ok: true,
    keys: {
      accessKeyId: AccessKeyId,
      secretAccessKey: new Secret(SecretAccessKey),
      sessionToken: SessionToken ? new Secret(SessionToken) : null,
    },
    expiresAt: Expiration ? Date.parse(Expiration) : null,
  };
}
