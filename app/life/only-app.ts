import { z } from 'zod';
import type { Disposable } from '../../main/base/disposables.ts';
import type { Act } from '../actions.ts';
import { type DesktopStart, readRoute } from '../arguments.ts';
import type { ElectronModule } from '../electron.ts';

type Words = Omit<DesktopStart, 'kind'>;

/** What a later start hands over. It comes from another program of the same user: nothing in it is trusted. */
const handedOver = z.object({
  hidden: z.boolean(),
  route: z.string().transform(readRoute).nullable(),
  lock: z.boolean(),
});

/** The one app of a home, and what later starts of it want. */
export interface OnlyApp extends Disposable {
  /** Takes what was wanted until now, and from now on. */
  onStart(act: Act): void;
}

export interface OnlyAppDeps {
  app: Pick<ElectronModule['app'], 'on' | 'removeListener' | 'requestSingleInstanceLock'>;
  start: Words;
}

/**
 * Makes this the one app of its home; null: there is another, which was told what this one was started for. To be
 * called before the app is ready. Electron has one app for each `userData` (app/life/own-folder.ts).
 */
export function beOnlyApp({ app, start }: OnlyAppDeps): OnlyApp | null {
  // Few and short values rather than the words themselves: with a long list Electron takes the other app for hung, and
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
 * For the time in which the app ends: who starts it then gets another, as soon as this one has ended. `own`: the words
 * that it is started with.
 */
export function startAgain(
  app: Pick<ElectronModule['app'], 'relaunch'>,
  [execPath, ...words]: readonly [program: string, ...words: string[]],
): Act {
  let isToStart = false;
  return (action) => {
    // Electron starts as many as it is told to.
    if (!isToStart && (action.kind === 'show' || action.kind === 'lock')) {
      isToStart = true;
      const wanted =
        action.kind === 'lock' ? ['--lock'] : action.route === null ? [] : [`--show=${action.route}`];
      app.relaunch({ execPath, args: [...words, ...wanted] });
    }
  };
}

/** What a start wants from a running app. A hidden one is the system's or a helper's: no one waits for a window. */
function carryOut({ hidden, route, lock }: Words, act: Act): void {
  if (lock) {
    act({ kind: 'lock' });
  } else if (!hidden) {
    act({ kind: 'show', route });
  }
}
