import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { writeOwnFile } from '../../config/own-file.ts';
import { readBounded } from '../../config/read-bounded.ts';
import type { Log } from '../../ports/log.ts';

const limitBytes = 16 * 1024 * 1024;

const path = z.string();

/** By entry of one list: the cluster that it is for, and the digests of what Lanyard wrote, or is about to. */
const entries = z.record(z.string(), z.object({ of: z.string(), digests: z.array(z.string()).readonly() }));
const written = z.object({ clusters: entries, contexts: entries, users: entries });

/** How the user’s kubectl finds Lanyard’s clusters. */
const way = z.discriminatedUnion('kind', [
  /** Contexts in one of the user’s kubeconfigs. `list`: all that their kubectl reads, in order. */
  z.object({ kind: z.literal('file'), file: path, list: z.array(path).readonly() }),
  /** The managed kubeconfig, which the user adds to KUBECONFIG. `list`: the others that their kubectl reads. */
  z.object({ kind: z.literal('own'), list: z.array(path).readonly() }),
  /** The user was asked, and wants neither. */
  z.object({ kind: z.literal('none') }),
]);

const schema = z.object({
  version: z.literal(1),
  /** Null: never asked. */
  way: way.nullable(),
  /** The KUBECONFIG of the last terminal that was seen names the managed kubeconfig. */
  seesManaged: z.boolean(),
  /** By file. One that is no longer wanted stays until Lanyard’s entries are out of it. */
  written: z.record(path, written),
  /** By cluster: the namespace that its context had when it went, as while a change was pending. */
  namespaces: z.record(z.string(), z.string()).default({}),
});

export type KubectlWay = Readonly<z.infer<typeof way>>;
export type WrittenEntries = Readonly<z.infer<typeof written>>;
export type UserContextsState = Readonly<z.infer<typeof schema>>;

/** `contexts.json` of the home: what the user agreed to, and which entries of their files are Lanyard’s. Nothing secret. */
export interface ConsentFile {
  current(): UserContextsState;
  /** Durable when it resolves. Throws BrokerError `file.write` where the system refuses; then nothing has changed. */
  update(next: (state: UserContextsState) => UserContextsState): Promise<void>;
}

/** Reads `file` once. An unusable one counts as no consent, with a line in the log: nothing is written into any file. */
export async function openConsent({ file, log }: { file: string; log: Log }): Promise<ConsentFile> {
  const queue = new SerialQueue();
  let state = await readState(file, log);
  return {
    current: () => state,
    update: (next) =>
      queue.run(async () => {
        const wanted = next(state);
        if (JSON.stringify(wanted) !== JSON.stringify(state)) {
          await writeOwnFile(file, `${JSON.stringify(wanted, null, 1)}\n`, {
            mode: 0o600,
            temporaryName: '.contexts.json.lanyard.tmp',
          });
          state = wanted;
        }
      }),
  };
}

async function readState(file: string, log: Log): Promise<UserContextsState> {
  const empty: UserContextsState = { version: 1, way: null, seesManaged: false, written: {}, namespaces: {} };
  const content = await readBounded(file, limitBytes);
  if (content === null) {
    return empty;
  }
  const parsed = content.ok ? schema.safeParse(parseJson(content.text)) : null;
  if (!parsed?.success) {
    log.warn('contexts.anew', { file, fault: content.ok ? 'it is damaged' : content.fault });
    return empty;
  }
  return parsed.data;
}

export function nothingWritten(): WrittenEntries {
  return { clusters: {}, contexts: {}, users: {} };
}
