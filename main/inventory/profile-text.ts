import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import type { Profile } from '../domain/inventory/profile.ts';

const text = z.string();
const textOrNull = text.nullable();
const pairs = z.array(z.tuple([text, text])).transform((entries) => new Map(entries));

/** A profile in Lanyard's own file: maps as pairs, nothing else changed. */
const schema = z.object({
  inventory: text,
  namespace: text,
  name: text,
  uid: textOrNull,
  displayName: textOrNull,
  manager: textOrNull,
  version: textOrNull,
  clusterset: textOrNull,
  location: textOrNull,
  memberId: textOrNull,
  labels: pairs,
  conditions: z.array(
    z.object({ type: text, status: z.enum(['True', 'False', 'Unknown']), reason: text, message: text }),
  ),
  hasStatus: z.boolean(),
  providers: z.array(
    z
      .object({
        name: text,
        server: textOrNull,
        tlsServerName: textOrNull,
        insecureSkipTlsVerify: z.boolean(),
        certificateAuthorityPem: textOrNull,
        proxyUrl: textOrNull,
        disableCompression: z.boolean(),
        execConfig: z.unknown().optional(),
        args: z.array(text).nullable(),
        argsFault: textOrNull,
        env: pairs.nullable(),
        envFault: textOrNull,
        fault: textOrNull,
      })
      .transform((provider) => ({ ...provider, execConfig: provider.execConfig })),
  ),
  problems: z.array(text),
});

/** One line of JSON. Equal for equal profiles. */
export function profileText(profile: Profile): string {
  return JSON.stringify(profile, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Null: it is none. */
export function parseProfileText(line: string): Profile | null {
  const read = schema.safeParse(parseJson(line));
  return read.success ? read.data : null;
}
