import { z } from 'zod';
import { parseJson } from '../../main/base/parse-json.ts';
import { SerialQueue } from '../../main/base/serial-queue.ts';
import { writeOwnFile } from '../../main/config/own-file.ts';
import { readBounded } from '../../main/config/read-bounded.ts';
import type { Log } from '../../main/ports/log.ts';
import { memoryLimit } from './memory.ts';

/** Keys are names, and names may be long; there are `memoryLimit` of them at most. */
const limitBytes = 4 * 1024 * 1024;

const schema = z.object({
  version: z.literal(1),
  /** Nothing is told until then, milliseconds since 1970; null: it is. */
  pausedUntil: z.number().nullable(),
  /** The user knows that Lanyard goes on when its window is closed. */
  toldOfClosing: z.boolean().default(false),
  /** What notifications were about, by key; times are milliseconds since 1970. */
  things: z
    .record(z.string(), z.object({ since: z.number(), isTold: z.boolean(), goneAt: z.number().nullable() }))
    .refine((things) => Object.keys(things).length <= memoryLimit),
});

/** What the desktop app remembers of itself over its restarts: names of accounts, clusters and files, nothing secret. */
export type DesktopMemory = Readonly<z.infer<typeof schema>>;

/** `desktop.json` of the home. */
export interface DesktopFile {
  /** As it was last read or written. */
  current(): DesktopMemory;
  /** Effective immediately, and written soon, one at a time; where it can't be written the log says so. */
  update(change: Partial<Omit<DesktopMemory, 'version'>>): void;
  /** Resolves when all is written. */
  settled(): Promise<void>;
}

/** Reads it once; an unusable file is started anew, with a line in the log: at worst something is told twice. */
export async function openDesktopFile({ file, log }: { file: string; log: Log }): Promise<DesktopFile> {
  const queue = new SerialQueue();
  let memory = await read(file, log);
  let written = memory;
  const write = async () => {
    // Many changes in a row are one write.
    if (written === memory) {
      return;
    }
    written = memory;
    try {
      await writeOwnFile(file, `${JSON.stringify(memory)}\n`, { mode: 0o600 });
    } catch (error) {
      log.warn('desktop.write', { error: String(error) });
    }
  };
  return {
    current: () => memory,
    update(change) {
      memory = { ...memory, ...change };
      void queue.run(write);
    },
    settled: () => queue.run(write),
  };
}

async function read(file: string, log: Log): Promise<DesktopMemory> {
  const empty: DesktopMemory = { version: 1, pausedUntil: null, toldOfClosing: false, things: {} };
  const content = await readBounded(file, limitBytes).catch(
    (error: unknown) => ({ ok: false, fault: String(error) }) as const,
  );
  if (content === null) {
    return empty;
  }
  const parsed = content.ok ? schema.safeParse(parseJson(content.text)) : null;
  if (!parsed?.success) {
    log.warn('desktop.anew', { file, fault: content.ok ? 'it is damaged' : content.fault });
    return empty;
  }
  return parsed.data;
}
