import { assess, expirationForClient, type FirstSeen, type Freshness, type Life } from '../domain/expiry.ts';
import type { Credential } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';

/** The credential held for one account, and when this broker first had it in hands. */
export class Grant {
  readonly credential: Credential;
  readonly generation: number;
  readonly #life: Life;
  readonly #firstSeen: FirstSeen;

  constructor(credential: Credential, generation: number, clock: Clock) {
    this.credential = credential;
    this.generation = generation;
    this.#life = {
      issuedAt: credential.issuedAt,
      expiresAt: credential.expiresAt,
      kind: credential.certificate ? 'certificate' : 'token',
    };
    this.#firstSeen = readClocks(clock);
  }

  freshness(clock: Clock): Freshness {
    return assess(this.#life, this.#firstSeen, readClocks(clock));
  }

  /** Milliseconds since 1970, or null for no end. */
  expirationForClient(clock: Clock): number | null {
    return expirationForClient(this.#life, this.#firstSeen, readClocks(clock));
  }

  /** The same credential, though read anew: its clocks and its generation go on. */
  holds(other: Credential): boolean {
    const mine = this.credential;
    return (
      mine === other ||
      (mine.expiresAt === other.expiresAt &&
        mine.token?.reveal() === other.token?.reveal() &&
        mine.certificate?.chainPem === other.certificate?.chainPem)
    );
  }
}

function readClocks(clock: Clock): FirstSeen {
  return { wall: clock.now(), boottime: clock.boottime() };
}
