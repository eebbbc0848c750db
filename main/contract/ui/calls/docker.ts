import { z } from 'zod';
import { defineCalls } from '../call.ts';

/** docker’s config.json of Lanyard’s own environment: a page can’t name another file. */
export const dockerCalls = defineCalls({
  /** What `docker.install` would do. Changes nothing; no secret and no user name is in it. */
  'docker.plan': {
    input: z.object({}),
    output: z.object({
      /** Null: docker has no config.json. */
      docker: z
        .object({
          file: z.string(),
          /** Servers whose logins are in plain text. */
          plaintext: z.array(z.string()),
          /** Those that would move into the vault. */
          moves: z.array(z.string()),
          left: z.array(z.object({ server: z.string(), why: z.string() })),
          others: z.array(z.object({ server: z.string(), helper: z.string() })),
          /** What stops working, or works differently. */
          warnings: z.array(z.string()),
          changes: z.boolean(),
          /** Why it can’t be done; null: it can. */
          fault: z.object({ message: z.string(), hint: z.string().nullable() }).nullable(),
        })
        .nullable(),
    }),
    background: true,
  },
  /** Does what `lanyard docker install` does. `undo`: for `docker.undo`; null: Lanyard was set up there before. */
  'docker.install': {
    input: z.object({}),
    output: z.object({
      file: z.string(),
      moved: z.array(z.string()),
      left: z.array(z.object({ server: z.string(), why: z.string() })),
      undo: z.string().max(64).nullable(),
    }),
  },
  /** Undoes an installation that a page has just made. Later, `lanyard docker undo` does. */
  'docker.undo': {
    input: z.object({ undo: z.string().max(64) }),
    output: z.object({
      file: z.string(),
      how: z.enum(['restored', 'removed', 'takenBack', 'gone', 'asBefore']),
    }),
  },
});
