import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../main/base/parse-json.ts';
import { writeOwnFile } from '../../main/config/own-file.ts';
import { readBounded } from '../../main/config/read-bounded.ts';
import { versionPattern } from './compare-versions.ts';

const fields = z.object({
  /** The highest version that the feed has offered. */
  highest: z.string().max(128).regex(versionPattern).nullable(),
  /** When the feed last answered, in milliseconds since 1970. */
  checkedAt: z.number().int().min(0).nullable(),
});

/** What the app remembers about the feed from one start to the next. */
export type Memory = z.infer<typeof fields>;

/** Treats an unreadable file as missing. The file is only a second guard; the first is the signature. */
export async function readMemory(file: string): Promise<Memory> {
  const read = await readBounded(file, 4096);
  const parsed = fields.safeParse(read?.ok ? parseJson(read.text) : undefined);
  return parsed.success ? parsed.data : { highest: null, checkedAt: null };
}

export async function writeMemory(file: string, memory: Memory): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeOwnFile(file, `${JSON.stringify(memory)}\n`, { mode: 0o600 });
}
