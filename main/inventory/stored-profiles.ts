import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { untilFree } from '../base/until-free.ts';
import { readOwnFile, writeOwnFile } from '../config/own-file.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import { parseProfileText, profileText } from './profile-text.ts';

/** The last state of an inventory, as it is on disk. */
export interface StoredProfiles {
  /** When it was last in step; wall clock, milliseconds since 1970. */
  lastSyncAt: number | null;
  profiles: Iterable<Profile>;
}

/** Of `Paths.inventories`. */
export interface StoredPlace {
  /** `inventories` of the home. */
  folder: string;
  inventory: string;
  /** Says which source the profiles are of: those of another one are not read. */
  origin: string;
}

const head = z.object({
  version: z.literal(1),
  inventory: z.string(),
  origin: z.string(),
  lastSyncAt: z.number().nullable(),
});

const end = ']}\n';

/** Others have calls waiting: so many profiles are written or read in one turn. */
const batch = 250;

/** Replaces what is on disk, atomically and durably. Throws BrokerError `file.write`; then nothing has changed. */
export async function writeStored(
  { folder, inventory, origin }: StoredPlace,
  { lastSyncAt, profiles }: StoredProfiles,
): Promise<void> {
  // One profile a line, so that neither writing nor reading keeps other callers waiting.
  const first = JSON.stringify({ version: 1, inventory, origin, lastSyncAt } satisfies z.infer<typeof head>);
  const pieces = [Buffer.from(`${first.slice(0, -1)},"profiles":[\n`)];
  let lines: string[] = [];
  let isFirst = true;
  for (const profile of [...profiles]) {
    lines.push(`${isFirst ? '' : ',\n'}${profileText(profile)}`);
    isFirst = false;
    if (lines.length === batch) {
      pieces.push(Buffer.from(lines.join('')));
      lines = [];
      await turn();
    }
  }
  pieces.push(Buffer.from(`${lines.join('')}${isFirst ? '' : '\n'}${end}`));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = fileName(inventory);
  // One fixed name, since only one broker runs: the next write removes what a killed broker left.
  const options = { mode: 0o600, temporaryName: `.${name}.tmp` };
  await writeOwnFile(join(folder, name), Buffer.concat(pieces), options);
}

/**
 * What is on disk of this inventory and this source; null: nothing. `damaged`: a file that is none of Lanyard's, or of
 * a newer one; the next write replaces it.
 */
export async function readStored({
  folder,
  inventory,
  origin,
}: StoredPlace): Promise<{ lastSyncAt: number | null; profiles: Profile[] } | 'damaged' | null> {
  const bytes = await readOwnFile(join(folder, fileName(inventory)));
  if (bytes === null) {
    return null;
  }
  const text = bytes.toString('utf8');
  const firstEnd = text.indexOf('\n');
  const read = head.safeParse(parseJson(`${text.slice(0, firstEnd + 1)}${end}`));
  if (!read.success || !text.endsWith(`\n${end}`) || read.data.inventory !== inventory) {
    return 'damaged';
  }
  if (read.data.origin !== origin) {
    return null;
  }
  const profiles: Profile[] = [];
  const last = text.length - end.length;
  let count = 0;
  for (let start = firstEnd + 1; start < last; ) {
    const stop = text.indexOf('\n', start);
    const line = text.slice(start, text[stop - 1] === ',' ? stop - 1 : stop);
    const profile = parseProfileText(line);
    if (profile?.inventory !== inventory) {
      return 'damaged';
    }
    profiles.push(profile);
    start = stop + 1;
    count++;
    if (count % batch === 0) {
      await turn();
    }
  }
  return { lastSyncAt: read.data.lastSyncAt, profiles };
}

/** Removes what is on disk of an inventory that config.yaml no longer has. */
export async function removeStored(folder: string, inventory: string): Promise<void> {
  const file = join(folder, fileName(inventory));
  await untilFree(() => unlink(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
}

/**
 * A name of config.yaml as a file's: it may have slashes and colons, and names that differ by case alone are two also
 * where a file system takes them for one.
 */
export function fileName(inventory: string): string {
  const safe = inventory.replace(/[^a-z0-9._-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    return `%${code}`;
  });
  // File systems take names of 255 bytes.
  return safe.length <= 200
    ? `${safe}.json`
    : `${safe.slice(0, 100)}-${createHash('sha256').update(inventory).digest('hex')}.json`;
}
