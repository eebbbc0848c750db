import { z } from 'zod';

/** One digest of SHA-256, in hex. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const common = {
  /** Absolute, where it is a file's. */
  path: z.string().min(1),
  /** When it was first listed; milliseconds since 1970. */
  at: z.int().min(0),
};

/**
 * One thing that Lanyard put outside its home. `made` is what of Lanyard's may be at the path, the newest last: two
 * while one takes the other's place, so that a kill in between leaves nothing that can't be told.
 */
export const installedEntry = z.discriminatedUnion('kind', [
  /** A symbolic link; `made` are targets. */
  z.object({ kind: z.literal('link'), ...common, made: z.array(z.string()).min(1) }),
  /** A file of its own, such as a completion script; `made` are SHA-256 digests. */
  z.object({
    kind: z.literal('file'),
    ...common,
    made: z.array(digest).min(1),
    temporary: z.string().optional(),
  }),
  /** A file by which the system starts the broker. */
  z.object({
    kind: z.literal('unit'),
    ...common,
    made: z.array(digest).min(1),
    temporary: z.string().optional(),
  }),
  /**
   * The keychain's entry of a vault that is being removed: without the vault's file nothing else would know it. `path`
   * only tells entries apart.
   */
  z.object({ kind: z.literal('key'), ...common, vaultId: z.uuid() }),
  /** A folder that wasn't there: it goes when nothing is left in it. */
  z.object({ kind: z.literal('folder'), ...common }),
]);
export type InstalledEntry = z.infer<typeof installedEntry>;
export type InstalledFile = Extract<InstalledEntry, { kind: 'file' | 'unit' }>;
export type InstalledLink = Extract<InstalledEntry, { kind: 'link' }>;

export const ledgerFile = z.object({ version: z.literal(1), entries: z.array(installedEntry) });
