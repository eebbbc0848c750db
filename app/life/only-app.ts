import { z } from 'zod';
import type { Disposable } from '../../main/base/disposables.ts';
import type { Act } from '../actions.ts';
import { type DesktopStart, readRoute } from '../arguments.ts';
import type { ElectronModule } from '../electron.ts';

type Words = Omit<DesktopStart, 'kind'>;

/** What a later start passes on. Any program of the same user could send it, so it isn't trusted. */
const handedOver = z.object({
  hidden: z.boolean(),
  route: z.string().transform(readRoute).nullable(),
  lock: z.boolean(),
});

/** The only app of a home, which carries out what later starts ask for. */
export interface OnlyApp extends Disposable {
  /** Carries out what was asked until now, and from now on. */
  onStart(act: Act): void;
}

export interface OnlyAppDeps {
  app: Pick<ElectronModule['app'], 'on' | 'removeListener' | 'requestSingleInstanceLock'>;
  start: Words;
}

/**
 * Makes this the only app of its home. Null if another one runs; that one gets what this one was started for. Call it
 * before the app is ready. Electron allows one app for each `userData` (app/life/own-folder.ts).
 */
export function beOnlyApp({ app, start }: OnlyAppDeps): OnlyApp | null {
  // Passes short values, not the arguments themselves: with a long list, Electron takes the other app for hung, and
  // kills it (electron/electron#52020).
  const { hidden, route, lock } = start;
  if (!app.requestSingleInstanceLock({ hidden, route, lock } satisfies Words)) {
    return null;
  }
  const early: Words[] = [];
  let take = (wanted: Words): void => {
    early.push(wanted);
  };
  const heard = (_event: unknown, _words: unknown, _folder: unknown, data: unknown) => {
    const parsed = handedOver.safeParse(data);
    take(parsed.success ? parsed.data : { hidden: false, route: null, lock: false });
  };
  app.on('second-instance', heard);
  return {
    onStart(act) {
      take = (wanted) => carryOut(wanted, act);
      early.splice(0).forEach(take);
    },
    dispose: () => void app.removeListener('second-instance', heard),
  };
}

/**
 * Used while the app ends: starts another app as soon as this one has ended. `own`: the command line that this app is
 * started with.
 */
export function startAgain(
  app: Pick<ElectronModule['app'], 'relaunch'>,
  [execPath, ...words]: readonly [program: string, ...words: string[]],
): Act {
  let isToStart = false;
  return (action) => {
    // Electron starts one app for each call.
    if (!isToStart && (action.kind === 'show' || action.kind === 'lock')) {
      isToStart = true;
      const wanted =
        action.kind === 'lock' ? ['--lock'] : action.route === null ? [] : [`--show=${action.route}`];
      app.relaunch({ execPath, args: [...words, ...wanted] });
    }
  };
}

/** Carries out what a start asks for. The system or a helper started a hidden one, so no one waits for a window. */
function carryOut({ hidden, route, lock }: Words, act: Act): void {
  if (lock) {
    act({ kind: 'lock' });
  } else if (!hidden) {
    act({ kind: 'show', route });
  }
}
