import { z } from 'zod';
import { exitCodes } from '../exit-codes.ts';

/**
 * What page and broker say to each other once the carrier has let the page in: one JSON text per message, over a
 * WebSocket or Electron's IPC. A message that doesn't parse ends the connection.
 */
export const pageMessageLimitBytes = 1024 * 1024;

/** Calls of one page that may be under way at once; more are refused. */
export const callLimit = 64;

const callId = z.int().min(1);
const reasons = Object.keys(exitCodes).filter((name) => name !== 'good') as Exclude<
  keyof typeof exitCodes,
  'good'
>[];

/** A refusal as it crosses to the page (contract/refusal.ts): what is wrong, and what can be done. Holds no secret. */
export const uiFailure = z.object({
  reason: z.enum(reasons),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});
export type UiFailure = z.infer<typeof uiFailure>;

/** From the page. */
export const pageMessage = z.discriminatedUnion('kind', [
  /** Input is parsed by the call's own schema. */
  z.object({ kind: z.literal('call'), id: callId, name: z.string().max(64), input: z.unknown() }),
  /** The page wants the call's end no more: what it began for the page alone is ended. */
  z.object({ kind: z.literal('cancel'), id: callId }),
  /** The page missed a delta: it wants a whole snapshot. */
  z.object({ kind: z.literal('resync') }),
  /** Each minute while the page is in sight. `input`: a person's hand was at it since the last. */
  z.object({ kind: z.literal('present'), input: z.boolean() }),
]);
export type PageMessage = z.infer<typeof pageMessage>;

/** One entry of the state: parsed by its section's schema (state.ts); null: it is gone. */
export const stateEntry = z.tuple([z.string(), z.string(), z.unknown()]);

/** To the page. */
export const brokerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), id: callId, output: z.unknown() }),
  z.object({ kind: z.literal('failed'), id: callId, failure: uiFailure }),
  z.object({ kind: z.literal('progress'), id: callId, value: z.unknown() }),
  /**
   * The whole state. The first message of each connection, and the answer to `resync`. `now`: the broker's wall clock, in
   * milliseconds since 1970; a page on another machine may have another.
   */
  z.object({
    kind: z.literal('snapshot'),
    version: z.int(),
    now: z.number(),
    entries: z.array(stateEntry),
  }),
  /** What has changed between two versions: applies to a page that has `from`. */
  z.object({ kind: z.literal('delta'), from: z.int(), version: z.int(), entries: z.array(stateEntry) }),
]);
export type BrokerMessage = z.infer<typeof brokerMessage>;
