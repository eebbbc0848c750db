/** What Windows answers while another program has the file open, or an antivirus looks at it. */
const heldCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

const firstPauseMilliseconds = 10;
const longestPauseMilliseconds = 500;
const limitMilliseconds = 10_000;

export interface HeldOptions {
  platform?: string;
  /** How long in all; by default 10 s. */
  limitMilliseconds?: number;
  pause?(milliseconds: number): Promise<unknown>;
}

/** Whether the system refused because the file is open elsewhere. On Windows alone: elsewhere open files are no hindrance. */
export function isHeld(error: unknown, platform: string = process.platform): boolean {
  return platform === 'win32' && heldCodes.has((error as NodeJS.ErrnoException | null)?.code);
}

/**
 * Renames or removes a file by `step`, which changes all or nothing. Windows refuses while another program has the file
 * open without sharing that, which mostly is over in an instant: the step is tried again, at growing intervals. Throws
 * what the last try threw. A read-only file gives the same errors, and ends in the same way.
 *
 * Not graceful-fs: it tries again only where the new name is still free, and here the file mostly exists; and it mends
 * the functions with callbacks alone.
 */
export async function untilFree<T>(step: () => Promise<T>, options: HeldOptions = {}): Promise<T> {
  const { platform, pause = wait } = options;
  let left = options.limitMilliseconds ?? limitMilliseconds;
  for (let next = firstPauseMilliseconds; ; next = Math.min(2 * next, longestPauseMilliseconds)) {
    try {
      return await step();
    } catch (error) {
      if (!isHeld(error, platform) || left <= 0) {
        throw error;
      }
    }
    await pause(Math.min(next, left));
    left -= next;
  }
}

/** Keeps the process alive, unlike the clock’s timers: a write that has begun is finished. */
function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
