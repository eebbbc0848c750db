import { randomBytes } from 'node:crypto';
import { Secret } from '../../../base/secret.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiSessionKey } from '../../../ports/vault.ts';
import { isProof, type ProofParts, prove } from './proof.ts';

/** A ticket opens one page, once, within this time. */
export const ticketMilliseconds = 60_000;
/** A session expires when the user hasn’t used it for this long. */
export const sessionMilliseconds = 12 * 60 * 60 * 1000;
const ticketLimit = 8;
const sessionLimit = 8;

/** A ticket. `done` resolves when it was used, has expired, was displaced by a newer one, or was cleared. */
export interface Ticket {
  id: string;
  secret: Secret;
  done: Promise<void>;
}

export interface LetIn {
  session: UiSessionKey;
  /** The broker’s proof, which the page verifies. */
  proof: string;
  /** True: a ticket has just become this session. */
  isNew: boolean;
}

export interface PageKeysDeps {
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
  /** The valid sessions from before the broker’s restart. */
  known?: readonly UiSessionKey[];
}

/**
 * Who is let in at one port: a ticket becomes a session, and a session may have several pages. Writes nothing: the
 * caller keeps sessions in the vault, and passes the `known` ones in after a restart.
 */
export class PageKeys {
  readonly #clock: PageKeysDeps['clock'];
  readonly #tickets = new Map<string, { secret: Secret; goodUntil: number; end(): void }>();
  /** Least recently used first. */
  readonly #sessions = new Map<string, UiSessionKey>();

  constructor({ clock, known = [] }: PageKeysDeps) {
    this.#clock = clock;
    for (const session of known) {
      this.#sessions.set(session.id, session);
    }
  }

  /** Makes a ticket; the oldest one expires where there are too many. */
  issue(): Ticket {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const [id, secret] = [newId(), new Secret(randomBytes(32).toString('base64url'))];
    const timer = this.#clock.after(ticketMilliseconds, () => end());
    const end = () => {
      timer.dispose();
      this.#tickets.delete(id);
      resolve();
    };
    const [oldest] = this.#tickets.values();
    if (oldest && this.#tickets.size >= ticketLimit) {
      oldest.end();
    }
    this.#tickets.set(id, { secret, goodUntil: this.#clock.boottime() + ticketMilliseconds, end });
    return { id, secret, done };
  }

  /** Null for an invalid proof: of a used ticket, an expired session, or a guess. */
  letIn({ id, proof }: { id: string; proof: string }, parts: ProofParts): LetIn | null {
    const ticket = this.#tickets.get(id);
    if (ticket) {
      // Also by the clock: timers stop while the machine sleeps.
      if (ticket.goodUntil <= this.#clock.boottime() || !isProof(proof, ticket.secret, parts)) {
        return null;
      }
      ticket.end();
      const session = this.#add({
        id: newId(),
        secret: new Secret(prove(ticket.secret, 'session', parts)),
        goodUntil: this.#clock.now() + sessionMilliseconds,
      });
      return { session, proof: prove(ticket.secret, 'broker', parts), isNew: true };
    }
    const session = this.#sessions.get(id);
    return session && this.isGood(session) && isProof(proof, session.secret, parts)
      ? { session, proof: prove(session.secret, 'broker', parts), isNew: false }
      : null;
  }

  /** Whether the session is valid by the wall clock. A clock that was set back extends no session. */
  isGood({ id }: Pick<UiSessionKey, 'id'>): boolean {
    const session = this.#sessions.get(id);
    return session !== undefined && isGoodAt(session, this.#clock.now());
  }

  /** Extends the session: the user has used it. */
  extend({ id }: Pick<UiSessionKey, 'id'>): void {
    const session = this.#sessions.get(id);
    if (session && this.isGood(session)) {
      this.#sessions.delete(id);
      this.#sessions.set(id, { ...session, goodUntil: this.#clock.now() + sessionMilliseconds });
    }
  }

  sessions(): readonly UiSessionKey[] {
    return [...this.#sessions.values()].filter((session) => this.isGood(session));
  }

  /** Ends all tickets and sessions. */
  clear(): void {
    for (const ticket of this.#tickets.values()) {
      ticket.end();
    }
    this.#sessions.clear();
  }

  #add(session: UiSessionKey): UiSessionKey {
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= sessionLimit) {
      this.#sessions.delete(oldest);
    }
    this.#sessions.set(session.id, session);
    return session;
  }
}

/** An expiry further away than any session lasts means that the wall clock was set back since. */
export function isGoodAt({ goodUntil }: Pick<UiSessionKey, 'goodUntil'>, now: number): boolean {
  return goodUntil > now && goodUntil <= now + sessionMilliseconds;
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}
