import { rename } from 'node:fs/promises';
import { z } from 'zod';
import type { Disposable } from '../base/disposables.ts';
import { createListeners } from '../base/listeners.ts';
import { parseJson } from '../base/parse-json.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { untilFree } from '../base/until-free.ts';
import { writeOwnFile } from '../config/own-file.ts';
import { readBounded } from '../config/read-bounded.ts';
import { configName } from '../contract/config/names.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import { timeInName } from '../domain/text/time-in-name.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

const limitBytes = 16 * 1024 * 1024;

const chosenProfile = z.object({
  inventory: configName,
  namespace: z.string(),
  name: z.string(),
  uid: z.string().nullable(),
  contextName: configName,
  chosen: z.enum(['user', 'selector', 'no']),
  contextNamespace: z.string().optional(),
});

const schema = z.object({ version: z.literal(1), profiles: z.array(chosenProfile) });

/** `profiles.json` of the home: which profiles are in use, and the names that they have. Nothing secret. */
export interface UsedProfiles {
  /** In the order in which they got their names. The same object until it changes. */
  current(): readonly ChosenProfile[];
  onChange(listener: () => void): Disposable;
  /**
   * Computes the next state from the current one and writes it, one at a time, in order. Throws BrokerError
   * `file.write` where the system refuses; then nothing has changed.
   */
  update(next: (profiles: readonly ChosenProfile[]) => readonly ChosenProfile[]): Promise<void>;
}

export interface UsedProfilesOptions {
  file: string;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** Reads `file` once. A damaged one is set aside, with a line in the log. */
export async function openUsedProfiles(options: UsedProfilesOptions): Promise<UsedProfiles> {
  const { file } = options;
  const queue = new SerialQueue();
  const listeners = createListeners();
  let profiles = await readChosen(options);
  return {
    current: () => profiles,
    onChange: (listener) => listeners.add(listener),
    update: (next) =>
      queue.run(async () => {
        const wanted = next(profiles);
        if (wanted === profiles) {
          return;
        }
        await writeOwnFile(file, `${JSON.stringify({ version: 1, profiles: wanted }, null, 1)}\n`, {
          mode: 0o600,
          temporaryName: '.profiles.lanyard.tmp',
        });
        profiles = wanted;
        listeners.tell();
      }),
  };
}

async function readChosen({ file, clock, log }: UsedProfilesOptions): Promise<readonly ChosenProfile[]> {
  const content = await readBounded(file, limitBytes);
  if (content === null) {
    return [];
  }
  const parsed = content.ok ? schema.safeParse(parseJson(content.text)) : null;
  if (!parsed?.success) {
    const aside = file.replace(/(\.json)?$/, `.damaged-${timeInName(clock.now())}$1`);
    await untilFree(() => rename(file, aside)).catch(() => undefined);
    log.warn('profiles.anew', { file, aside, fault: content.ok ? 'it is damaged' : content.fault });
    return [];
  }
  return parsed.data.profiles;
}
