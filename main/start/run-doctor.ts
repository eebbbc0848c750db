import { writeSync } from 'node:fs';
import { toRefusal } from '../contract/broker-error.ts';
import { exitCodes } from '../contract/exit-codes.ts';
import { offlineDoctor, parseDoctorWords } from '../doctor/offline.ts';
import { resolvePaths } from '../domain/paths.ts';
import { createKeychain } from '../platform/keychain/create-keychain.ts';
import { createAccessLists, loadAddon } from '../platform/native/addon.ts';
import type { AccessLists } from '../ports/access-lists.ts';
import type { Clock } from '../ports/clock.ts';

/** Less than a check may take, so that it can say what it met. */
const keychainMilliseconds = 4_000;

/** `agent doctor`: what the helper runs in its own place where no broker answers. Nothing is started or changed. */
export async function runDoctor(options: {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The addon’s file; it may be what is missing. */
  addon: string;
}): Promise<never> {
  try {
    const words = parseDoctorWords(options.args);
    const { code, stdout } = await offlineDoctor(
      {
        paths: resolvePaths(options.env, process.platform),
        clock: plainClock,
        keychain: createKeychain({ limitMilliseconds: keychainMilliseconds, clock: plainClock }),
        env: options.env,
        platform: process.platform,
        cwd: process.cwd(),
        access: accessLists(options.addon),
      },
      words,
    );
    writeSync(1, stdout);
    // Exit now: a keychain that waits for the user must not delay the answer.
    process.exit(code);
  } catch (error) {
    const { reason, message, hint } = toRefusal(error);
    process.stderr.write(`lanyard: ${message}\n${hint === undefined ? '' : `hint: ${hint}\n`}`);
    process.exit(exitCodes[reason]);
  }
}

/** Null where modes count, or without the addon. */
function accessLists(addon: string): AccessLists | null {
  try {
    return process.platform === 'win32' ? createAccessLists(loadAddon(addon)) : null;
  } catch {
    return null;
  }
}

/** Without the addon, which may be what is missing. Its timers keep the process until they have run. */
const plainClock: Clock = {
  now: () => Date.now(),
  boottime: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
