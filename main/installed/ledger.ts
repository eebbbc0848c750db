import { parseJson } from '../base/parse-json.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { writeOwnFile } from '../config/own-file.ts';
import { readBounded } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { type InstalledEntry, ledgerFile } from './entry.ts';

/** The list of what Lanyard made outside its home (rule: reversible-edits). No secrets. */
export interface Ledger {
  readonly file: string;
  /** Oldest first. Throws BrokerError `installed.unreadable` (reason usage) for a file that can’t be read. */
  entries(): Promise<readonly InstalledEntry[]>;
  /** Adds the entry, or replaces the one of its path. On disk when it resolves. */
  list(entry: InstalledEntry): Promise<void>;
  /** Removes the path from the list. On disk when it resolves. */
  drop(path: string): Promise<void>;
}

export interface LedgerDeps {
  file: string;
  /** Runs `work` under the lock against other processes. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Each change is durable before it returns. List an entry before you make it, drop it after you removed it. */
export function createLedger({ file, alone }: LedgerDeps): Ledger {
  const queue = new SerialQueue();
  const change = (next: (entries: readonly InstalledEntry[]) => readonly InstalledEntry[]) =>
    queue.run(() =>
      alone(async () => {
        const text = `${JSON.stringify({ version: 1, entries: next(await read(file)) }, null, 2)}\n`;
        await writeOwnFile(file, text, { mode: 0o600 });
      }),
    );
  return {
    file,
    entries: () => read(file),
    list: (entry) =>
      change((entries) =>
        entries.some(({ path }) => path === entry.path)
          ? entries.map((each) => (each.path === entry.path ? entry : each))
          : [...entries, entry],
      ),
    drop: (path) => change((entries) => entries.filter((each) => each.path !== path)),
  };
}

async function read(file: string): Promise<readonly InstalledEntry[]> {
  const found = await readBounded(file);
  if (found === null) {
    return [];
  }
  const parsed = found.ok ? ledgerFile.safeParse(parseJson(found.text)) : undefined;
  if (!parsed?.success) {
    const why = found.ok ? 'it isn’t a list of this Lanyard’s' : found.fault;
    throw new BrokerError('installed.unreadable', `what was installed can’t be told from ${file}: ${why}`, {
      reason: 'usage',
      hint: 'nothing was changed; put it right, or move it away and look after those files yourself',
    });
  }
  return parsed.data.entries;
}
