import { randomBytes } from 'node:crypto';
import { Secret } from '../../../base/secret.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiSessionKey } from '../../../ports/vault.ts';
import { isProof, type ProofParts, prove } from './proof.ts';

/** A ticket opens one page, once, within this time. */
export const ticketMilliseconds = 60_000;
/** A session of which no person made use for this long is none any more. */
export const sessionMilliseconds = 12 * 60 * 60 * 1000;
const ticketLimit = 8;
const sessionLimit = 8;

/** A ticket that was made: `done` resolves when it was used, or can't be any more. */
export interface Ticket {
  id: string;
  secret: Secret;
  done: Promise<void>;
}

export interface LetIn {
  session: UiSessionKey;
  /** The broker's proof, that the page looks for. */
  proof: string;
  /** A ticket has just become this session. */
  isNew: boolean;
}

export interface PageKeysDeps {
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
  /** These sessions count again, from before the broker's end. */
  known?: readonly UiSessionKey[];
}

/** Who is let in at one port: tickets become sessions, and sessions may have several pages. In memory alone. */
export class PageKeys {
  readonly #clock: PageKeysDeps['clock'];
  readonly #tickets = new Map<string, { secret: Secret; goodUntil: number; end(): void }>();
  /** The one whose use is longest ago first. */
  readonly #sessions = new Map<string, UiSessionKey>();

  constructor({ clock, known = [] }: PageKeysDeps) {
    this.#clock = clock;
    for (const session of known) {
      this.#sessions.set(session.id, session);
    }
  }

  /** The oldest gives way where there are too many. */
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

  /** Null where the proof proves nothing: of a ticket that was used, a session that has ended, by a guess. */
  letIn({ id, proof }: { id: string; proof: string }, parts: ProofParts): LetIn | null {
    const ticket = this.#tickets.get(id);
    if (ticket) {
      // By the clock, too: timers stand still while the machine sleeps.
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

  /** The session is one still, as far as the wall clock tells; set back, it makes none longer. */
  isGood({ id }: Pick<UiSessionKey, 'id'>): boolean {
    const session = this.#sessions.get(id);
    return session !== undefined && isGoodAt(session, this.#clock.now());
  }

  /** A person made use of it. */
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

  /** Nobody is let in any more. */
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

/** Good for longer than any session is: the wall clock was set back since. */
export function isGoodAt({ goodUntil }: Pick<UiSessionKey, 'goodUntil'>, now: number): boolean {
  return goodUntil > now && goodUntil <= now + sessionMilliseconds;
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}
