import { z } from 'zod';
import { exitCodes } from '../exit-codes.ts';

/**
 * The most bytes of a page’s message. Once the carrier has let the page in, page and broker exchange one JSON text per
 * message, over a WebSocket or Electron’s IPC. A message that doesn’t parse ends the connection.
 */
export const pageMessageLimitBytes = 1024 * 1024;

/** The most calls of one page at a time; further ones are refused. */
export const callLimit = 64;

const callId = z.int().min(1);
const reasons = Object.keys(exitCodes).filter((name) => name !== 'good') as Exclude<
  keyof typeof exitCodes,
  'good'
>[];

/** A refusal as the page gets it (contract/refusal.ts): what is wrong, and what to do. Contains no secret. */
export const uiFailure = z.object({
  reason: z.enum(reasons),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});
export type UiFailure = z.infer<typeof uiFailure>;

/** Messages from the page. */
export const pageMessage = z.discriminatedUnion('kind', [
  /** The call’s own schema parses `input`. */
  z.object({ kind: z.literal('call'), id: callId, name: z.string().max(64), input: z.unknown() }),
  /** The page no longer waits for the call: what runs for the page alone is ended. */
  z.object({ kind: z.literal('cancel'), id: callId }),
  /** The page missed a delta, and needs a whole snapshot. */
  z.object({ kind: z.literal('resync') }),
  /** Sent each minute while the page is visible. `input`: the user has used it since the last one. */
  z.object({ kind: z.literal('present'), input: z.boolean() }),
]);
export type PageMessage = z.infer<typeof pageMessage>;

/** One entry of the state: section, key, value. The section’s schema parses the value (state.ts); null: removed. */
export type StateEntry = [section: string, key: string, value: unknown];

/** One check for all: a snapshot has thousands, and a schema of each would cost the page’s start tens of milliseconds. */
const stateEntries = z.custom<StateEntry[]>((value) => Array.isArray(value) && value.every(isEntry));

/** Messages to the page. */
export const brokerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), id: callId, output: z.unknown() }),
  z.object({ kind: z.literal('failed'), id: callId, failure: uiFailure }),
  z.object({ kind: z.literal('progress'), id: callId, value: z.unknown() }),
  /**
   * The whole state: the first message of each connection, and the answer to `resync`. `now`: the broker’s wall clock,
   * in milliseconds since 1970; the page’s clock may differ.
   */
  z.object({
    kind: z.literal('snapshot'),
    version: z.int(),
    now: z.number(),
    entries: stateEntries,
  }),
  /** What changed between two versions. Applies to a page that has version `from`. */
  z.object({ kind: z.literal('delta'), from: z.int(), version: z.int(), entries: stateEntries }),
]);

function isEntry(value: unknown): value is StateEntry {
  return (
    Array.isArray(value) && value.length === 3 && typeof value[0] === 'string' && typeof value[1] === 'string'
  );
}

export type BrokerMessage = z.infer<typeof brokerMessage>;
