import { createAllowance } from '../../main/base/allowance.ts';
import type { Disposable } from '../../main/base/disposables.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';
import type { Alert } from './alert.ts';
import { alertsIn } from './alerts.ts';
import type { DesktopFile } from './desktop-file.ts';
import { isInSight } from './in-sight.ts';
import { dueOf, isOfThisRun, type Memory, nextDue, remember, told } from './memory.ts';
import { type Notice, noticesOf } from './notice.ts';
import type { Quiet } from './quiet.ts';
import { createShownNotices } from './shown-notices.ts';

export interface NotifierDeps {
  electron: Pick<ElectronModule, 'Notification'>;
  clock: Clock;
  log: Log;
  page: Pick<LocalPage, 'state' | 'onChange'>;
  quiet: Quiet;
  file: Pick<DesktopFile, 'current' | 'update'>;
  act: Act;
  /** The view of the window in front. Null: no window is in front. */
  inFrontAt(): string | null;
}

/** Some alerts change with time alone, and the desktop doesn't report when it may be disturbed again. */
const lookMilliseconds = 30_000;
/** Limits notifications about a program that makes requests in a loop, or a file that is written in one. */
const mayTell = { atOnce: 10, perSecond: 1 / 30 };

/** Shows each new alert once, with a click that leads to it. Closes the notifications of alerts that are over. */
export function createNotifier({
  electron,
  clock,
  log,
  page,
  quiet,
  file,
  act,
  inFrontAt,
}: NotifierDeps): Disposable {
  const notices = createShownNotices(electron);
  const allowance = createAllowance(mayTell, clock);
  let memory: Memory = new Map(Object.entries(file.current().things));
  let before = page.state();
  let alerts: Alert[] = [];
  let timer: Disposable | null = null;
  let isTelling = false;
  let wasHeldBack = false;
  let ended = false;

  /** Takes the present alerts from the state and the clock. */
  function take(): void {
    const now = page.state();
    const at = clock.now();
    alerts = alertsIn(now, { before, at, isKnown: (key) => memory.has(key) }).filter((alert) =>
      isWanted(now, alert),
    );
    before = now;
    keep(remember(memory, alerts, now, at));
    notices.keep((key) => memory.get(key)?.goneAt === null);
  }

  function keep(next: Memory): void {
    const entries = [...next].filter(([key]) => !isOfThisRun(key));
    const isSame = JSON.stringify(entries) === JSON.stringify(Object.entries(file.current().things));
    memory = next;
    if (!isSame) {
      file.update({ things: Object.fromEntries(entries) });
    }
  }

  async function tell(): Promise<void> {
    if (isTelling || ended || dueOf(memory, alerts, clock.now()).length === 0) {
      return;
    }
    isTelling = true;
    try {
      const isQuiet = await quiet.look();
      // Some alerts may be over after the wait.
      const due = dueOf(memory, alerts, clock.now());
      if (ended || due.length === 0) {
        return;
      }
      if (isQuiet) {
        wasHeldBack = true;
        return;
      }
      // What the user sees in the window counts as told, so that no notification follows when they leave it.
      const route = inFrontAt();
      const news = noticesOf(
        due.filter((alert) => !isInSight(alert, route)),
        wasHeldBack,
      );
      if (!allowance.take(news.length)) {
        return;
      }
      for (const notice of news) {
        notices.show(notice, () => clicked(notice));
      }
      wasHeldBack = false;
      keep(
        told(
          memory,
          due.map(({ key }) => key),
        ),
      );
    } catch (error) {
      log.warn('app.notification', { error });
    } finally {
      isTelling = false;
    }
  }

  function clicked({ keys, action }: Notice): void {
    const present = alerts.filter(({ key }) => keys.includes(key));
    const [only] = present;
    // If its alerts are over, a click opens only the window.
    act(
      present.length === 0 ? { kind: 'show', route: null } : only && keys.length === 1 ? only.action : action,
    );
  }

  function look(): void {
    take();
    timer?.dispose();
    const next = Math.min(lookMilliseconds, nextDue(memory, alerts, clock.now()) ?? lookMilliseconds);
    timer = clock.after(next, look);
    void tell();
  }

  if (!quiet.areSupported) {
    return { dispose: () => undefined };
  }
  const listening = [page.onChange(look), quiet.onChange(look)];
  look();
  return {
    dispose() {
      ended = true;
      timer?.dispose();
      listening.forEach((each) => void each.dispose());
      notices.closeAll();
    },
  };
}

/** config.yaml `notifications`. */
function isWanted({ appearance }: UiState, alert: Alert): boolean {
  return appearance['']?.notifications[alert.switch] ?? false;
}
