import type { Disposable } from '../base/disposables.ts';
import { BrokerError, toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { adviceText } from '../domain/text/advice.ts';
import type { Account, LoggedIn } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import { LoginFlight, type LoginFlow, type LoginViewer } from './login-flight.ts';
import { WantedLogins } from './wanted-logins.ts';

export interface LoginsDeps {
  log: Log;
  recorder: Recorder;
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
  /** Tells the user now that a program waits for a login; absent: the user isn't told. */
  isTold?(): boolean;
  /** The user has logged in: called before the waiting requests go on. */
  onDone(account: string): void;
}

/**
 * Logins by account: one at a time each (rule: single-flight), and none again unasked after one that failed
 * (rule: no-storms).
 */
export class Logins {
  /** Logins that programs wait for, and that have not begun. */
  readonly wanted: WantedLogins;
  readonly #running = new Map<string, LoginFlight>();
  /** Accounts whose last login failed, and how it ended, until the user asks again. */
  readonly #resting = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #clock: LoginsDeps['clock'];
  readonly #log: Log;
  readonly #recorder: Recorder;
  readonly #onDone: LoginsDeps['onDone'];

  constructor({ clock, log, recorder, onDone, isTold }: LoginsDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#recorder = recorder;
    this.#onDone = onDone;
    this.wanted = new WantedLogins({
      clock,
      isTold: isTold ?? (() => false),
      onChange: () => this.#tell(),
    });
  }

  /** The login under way; null: none. */
  running(account: string): Promise<LoggedIn> | null {
    return this.#running.get(account)?.done ?? null;
  }

  /** The same, without what only its requester may see. */
  underWay(account: string): { startedAt: number; flow: LoginFlow | null } | null {
    const flight = this.#running.get(account);
    return flight ? { startedAt: flight.startedAt, flow: flight.flow } : null;
  }

  /** Called when a login is wanted, begins, shows something, or ends. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Why no login starts automatically, as a clause; null: one may. */
  restingBecause(account: string): string | null {
    return this.#resting.get(account) ?? null;
  }

  /** The user asks, or a program with the user at its terminal: joins the login under way, or starts one. */
  login(account: Account, viewer: LoginViewer): Promise<LoggedIn> {
    const running = this.#running.get(account.name);
    if (running?.isCancelled) {
      // A new requester wants a new login, not the end of that one.
      const next = () => this.login(account, viewer);
      return running.done.then(next, next);
    }
    if (running) {
      return running.watch(viewer);
    }
    const start = account.login?.bind(account);
    if (!start) {
      return Promise.resolve(notALogin(account));
    }
    this.#resting.delete(account.name);
    const flight = new LoginFlight((prompter, signal) => start(prompter, viewer.wish, signal), viewer, {
      startedAt: this.#clock.now(),
      onShown: () => this.#tell(),
    });
    this.#running.set(account.name, flight);
    this.wanted.begun(account.name, flight.done);
    this.#tell();
    flight.done
      .then(
        (outcome) => this.#ended(account.name, flight, outcome),
        (error: unknown) => this.#failed(account.name, flight, error),
      )
      .finally(() => {
        this.#running.delete(account.name);
        this.#tell();
      });
    return flight.watch(viewer);
  }

  /** Ends the account's login under way, and the waits for one: it was logged out, or its configuration changed. */
  cancel(account: string, why: string): void {
    this.wanted.cancel(account, why);
    this.#running.get(account)?.cancel(new BrokerError('login.cancelled', why, { reason: 'denied' }));
  }

  /** The account was logged out: the result of its last login says nothing about the next. */
  forget(account: string): void {
    this.#resting.delete(account);
  }

  /** Ends all logins under way, when the broker ends or locks. */
  cancelAll(why: string): void {
    this.wanted.cancelAll(why);
    for (const account of this.#running.keys()) {
      this.cancel(account, why);
    }
  }

  #ended(account: string, { flow, isCancelled }: LoginFlight, outcome: LoggedIn): void {
    if (outcome.ok) {
      this.#onDone(account);
      const { issuer, subject, displayName } = outcome;
      this.#record({
        account,
        flow: outcome.flow,
        outcome: 'done',
        code: null,
        issuer,
        subject,
        displayName,
      });
      this.#log.info('login.done', { account, issuer });
    } else {
      this.#resting.set(
        account,
        isCancelled ? wasCancelled : `the last login ended with: ${outcome.message}`,
      );
      const how = isCancelled ? 'cancelled' : 'refused';
      this.#record({ ...nobody, account, flow, outcome: how, code: outcome.code });
      this.#log.info('login.refused', { account, code: outcome.code });
    }
  }

  #failed(account: string, { flow }: LoginFlight, error: unknown): void {
    this.#resting.set(account, wasCancelled);
    this.#record({ ...nobody, account, flow, outcome: 'cancelled', code: toRefusal(error).code });
    this.#log.info('login.failed', { account, error });
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }

  #record(event: Omit<Extract<HistoryEvent, { kind: 'login' }>, 'kind'>): void {
    this.#recorder.record({ kind: 'login', ...event });
  }
}

const wasCancelled = 'the last login was cancelled';

const nobody = { issuer: null, subject: null, displayName: null } as const;

function notALogin(account: Account): Refusal {
  if (account.kind === 'execPlugin') {
    const hint = `to see how it does: lanyard plugin show ${account.name}`;
    const message = `${account.name} has nothing to log in to: its plugin runs when a credential is asked for`;
    return refuse('usage', 'login.none', message, hint);
  }
  const { name, replacedBy } = account;
  const hint = replacedBy && `to give it another credential: ${adviceText(replacedBy)}`;
  return refuse('usage', 'login.none', `${name} has nothing to log in to`, hint);
}
