import { z } from 'zod';

/** A SHA-256 digest in hex. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const common = {
  /** An absolute path, except for a key. */
  path: z.string().min(1),
  /** When it was first listed; milliseconds since 1970. */
  at: z.int().min(0),
};

/**
 * One file, link, folder or key that Lanyard made outside its home. `made` lists what Lanyard may have put at the path,
 * the newest last: two while one replaces the other, so that a kill in between leaves nothing unknown.
 */
export const installedEntry = z.discriminatedUnion('kind', [
  /** A symbolic link; `made` are targets. */
  z.object({ kind: z.literal('link'), ...common, made: z.array(z.string()).min(1) }),
  /** A separate file, such as a completion script; `made` are SHA-256 digests. */
  z.object({
    kind: z.literal('file'),
    ...common,
    made: z.array(digest).min(1),
    temporary: z.string().optional(),
  }),
  /** A file that makes the system start the broker. */
  z.object({
    kind: z.literal('unit'),
    ...common,
    made: z.array(digest).min(1),
    temporary: z.string().optional(),
  }),
  /**
   * The keychain’s entry of a vault that is being removed: after the vault’s file, only this list knows it. `path` only
   * distinguishes entries.
   */
  z.object({ kind: z.literal('key'), ...common, vaultId: z.uuid() }),
  /** A folder that Lanyard made. It is removed when it is empty. */
  z.object({ kind: z.literal('folder'), ...common }),
]);
export type InstalledEntry = z.infer<typeof installedEntry>;
export type InstalledFile = Extract<InstalledEntry, { kind: 'file' | 'unit' }>;
export type InstalledLink = Extract<InstalledEntry, { kind: 'link' }>;

export const ledgerFile = z.object({ version: z.literal(1), entries: z.array(installedEntry) });
