import { z } from 'zod';
import { parseJson } from '../../main/base/parse-json.ts';
import { SerialQueue } from '../../main/base/serial-queue.ts';
import { writeOwnFile } from '../../main/config/own-file.ts';
import { readBounded } from '../../main/config/read-bounded.ts';
import type { Log } from '../../main/ports/log.ts';
import { memoryLimit } from './memory.ts';

/** Keys contain names, which may be long. The file has at most `memoryLimit` of them. */
const limitBytes = 4 * 1024 * 1024;

const schema = z.object({
  version: z.literal(1),
  /** Until when notifications are paused, in milliseconds since 1970. Null: not paused. */
  pausedUntil: z.number().nullable(),
  /** The user was told that Lanyard keeps running when its window is closed. */
  toldOfClosing: z.boolean().default(false),
  /** The alerts that are remembered, by key. Times are milliseconds since 1970. */
  things: z
    .record(z.string(), z.object({ since: z.number(), isTold: z.boolean(), goneAt: z.number().nullable() }))
    .refine((things) => Object.keys(things).length <= memoryLimit),
});

/** What the desktop app remembers across restarts: names of accounts, clusters and files. No secrets. */
export type DesktopMemory = Readonly<z.infer<typeof schema>>;

/** `desktop.json` of the home. */
export interface DesktopFile {
  /** As last read or written. */
  current(): DesktopMemory;
  /** Takes effect immediately. Writes the file soon after, one write at a time. Logs a failed write. */
  update(change: Partial<Omit<DesktopMemory, 'version'>>): void;
  /** Resolves when all is written. */
  settled(): Promise<void>;
}

/** Reads the file once. Starts with an empty one if it is unusable, and logs that: at worst the user is told twice. */
export async function openDesktopFile({ file, log }: { file: string; log: Log }): Promise<DesktopFile> {
  const queue = new SerialQueue();
  let memory = await read(file, log);
  let written = memory;
  const write = async () => {
    // Writes once for many changes in a row.
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
