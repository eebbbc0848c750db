import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { writeOwnFile } from '../../config/own-file.ts';
import { readBounded } from '../../config/read-bounded.ts';
import type { Log } from '../../ports/log.ts';

/** Names alone: a kubeconfig's users may be many, their secrets are never here. */
const limitBytes = 16 * 1024 * 1024;

const name = z.string();
const pairs = z.array(z.tuple([name, name]).readonly()).readonly();

const schema = z.object({
  version: z.literal(1),
  /** Files that were imported, absolute: they are watched. */
  files: z.array(name),
  /** By file: each user, with its kind when it was imported. */
  seen: z.record(name, z.array(z.tuple([name, name]))),
  /** By file: users that the user has dismissed. */
  dismissed: z.record(name, z.array(name)),
  /** By file: what its users and contexts became in config.yaml. */
  imported: z
    .record(name, z.object({ users: pairs, contexts: pairs, apart: pairs.exactOptional() }))
    .default({}),
  /** By file: its contexts that ran Lanyard when it was last read, or did until another program changed them. */
  lanyardContexts: z.record(name, z.array(name)).default({}),
  /** By file that holds a current-context: the one before `lanyard context NAME`. */
  previousContexts: z.record(name, name),
});

/** What is remembered of the user's kubeconfigs: names of files, users and contexts, nothing secret. */
export type KubeconfigState = Readonly<z.infer<typeof schema>>;

/** `kubeconfigs.json` of the home. */
export interface KubeconfigStateFile {
  /** As it was last read or written. */
  current(): KubeconfigState;
  /**
   * Computes the next state from the current one and writes it, one at a time, in order. False: it can't be written:
   * it lasts until the broker ends, and the log says so.
   */
  update(next: (state: KubeconfigState) => KubeconfigState): Promise<boolean>;
}

/** Reads `file` once. An unusable one is replaced by an empty state, with a line in the log: only offers come again. */
export async function openKubeconfigState(options: { file: string; log: Log }): Promise<KubeconfigStateFile> {
  const { file, log } = options;
  const queue = new SerialQueue();
  let state = await readState(file, log);
  return {
    current: () => state,
    update: (next) =>
      queue.run(async () => {
        const wanted = next(state);
        if (wanted === state) {
          return true;
        }
        state = wanted;
        try {
          await writeOwnFile(file, `${JSON.stringify(wanted, null, 1)}\n`, { mode: 0o600 });
          return true;
        } catch (error) {
          log.warn('kubeconfigs.write', { error: String(error) });
          return false;
        }
      }),
  };
}

async function readState(file: string, log: Log): Promise<KubeconfigState> {
  const content = await readBounded(file, limitBytes);
  if (content === null) {
    return emptyState();
  }
  const parsed = content.ok ? schema.safeParse(parseJson(content.text)) : null;
  if (!parsed?.success) {
    log.warn('kubeconfigs.anew', { file, fault: content.ok ? 'it is damaged' : content.fault });
    return emptyState();
  }
  return parsed.data;
}

function emptyState(): KubeconfigState {
  return {
    version: 1,
    files: [],
    seen: {},
    dismissed: {},
    imported: {},
    lanyardContexts: {},
    previousContexts: {},
  };
}
