import type { MessageBoxOptions } from 'electron';
import type { Disposable } from '../../main/base/disposables.ts';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { visibleText } from '../../main/domain/text/visible-text.ts';
import type { OwnLog } from '../../main/platform/logging/open-log.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';

/** Ends the app: once, in order, and never without asking about unfinished work. */
export interface Ending extends Disposable {
  /** The user wants to quit: asks first if there is unfinished work. */
  ask(): void;
  /** Ends everything without asking, then the process. */
  now(code?: number): void;
  /** Ends everything without asking. Then `last` ends the process, as the installer of an update does. */
  handOver(last: () => void): Promise<void>;
  hasBegun(): boolean;
}

export interface EndingDeps {
  electron: Pick<ElectronModule, 'app' | 'dialog'>;
  log: Log & Pick<OwnLog, 'flush'>;
  /** What quitting would break off now, in clauses. */
  waits(): readonly string[];
  /** Stops everything that runs. */
  end(): Promise<void>;
  wait(milliseconds: number): Promise<unknown>;
}

/** Breaks off what takes longer. All that must not be lost was on disk before (rule: nothing-lost). */
const limitMilliseconds = 12_000;

type Phase = 'running' | 'asking' | 'ending' | 'gone';

export function createEnding({ electron, log, waits, end, wait }: EndingDeps): Ending {
  const { app, dialog } = electron;
  let phase: Phase = 'running';
  const hasBegun = () => phase === 'ending' || phase === 'gone';

  const endAll = async () => {
    phase = 'ending';
    const ended = end().then(
      () => 'ended',
      (error: unknown) => {
        log.error('app.end', { error });
        return 'failed';
      },
    );
    const how = await Promise.race([ended, wait(limitMilliseconds).then(() => 'limit')]);
    log.info('app.ended', { how });
    log.flush();
    phase = 'gone';
  };
  const now = (code: number = exitCodes.good) => {
    if (!hasBegun()) {
      void endAll().then(() => app.exit(code));
    }
  };
  const ask = async () => {
    const before = waits();
    if (before.length === 0) {
      now();
      return;
    }
    phase = 'asking';
    const { response } = await dialog.showMessageBox(quitQuestion(before)).catch(() => ({ response: quits }));
    // The system may have ended the app while the dialog was open.
    if (phase === 'asking') {
      phase = 'running';
      if (response === quits) {
        now();
      }
    }
  };
  const beforeQuit = (event: { preventDefault(): void }) => {
    if (phase !== 'gone') {
      event.preventDefault();
      begin();
    }
  };
  const begin = () => {
    if (phase === 'running') {
      void ask();
    }
  };
  app.on('before-quit', beforeQuit);
  return {
    ask: begin,
    now,
    async handOver(last) {
      if (hasBegun()) {
        return;
      }
      await endAll();
      try {
        last();
      } catch (error) {
        // Everything has ended, so nothing can go on.
        log.error('app.handOver', { error });
        app.exit(exitCodes.internal);
      }
    },
    hasBegun,
    dispose: () => void app.removeListener('before-quit', beforeQuit),
  };
}

const quits = 1;

/** More lines could push the buttons off the screen: any program can make requests, and many can at a time. */
const shownWaits = 6;

/** The question for a user who quits with unfinished work. The default is to keep running. */
export function quitQuestion(waits: readonly string[]): MessageBoxOptions {
  const more = waits.length - shownWaits;
  const lines = [
    ...waits.slice(0, shownWaits).map((each) => visibleText(each, 160)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return {
    type: 'question',
    message: 'Quit Lanyard?',
    detail: `Quitting will interrupt:\n${lines.map((each) => `• ${each}`).join('\n')}`,
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
