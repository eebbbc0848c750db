import { awsKeysParts } from '../domain/credential/aws-keys.ts';
import type { Credential } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import {
  assess,
  expirationForClient,
  type Freshness,
  type Life,
  remainingLife,
  renewalMargin,
} from './rules/expiry.ts';

type Clocks = Pick<Clock, 'now' | 'boottime'>;

/** The credential cached for one account and audience, and when this broker first had it. */
export class Grant {
  readonly credential: Credential;
  /** Counts the credentials of the same account and audience in this broker, from 1; never reused. 0: it isn’t cached. */
  readonly generation: number;
  readonly #life: Life;
  readonly #firstSeen: { wall: number; boottime: number };

  constructor(credential: Credential, generation: number, clock: Clocks) {
    this.credential = credential;
    this.generation = generation;
    this.#life = {
      issuedAt: credential.issuedAt,
      expiresAt: credential.expiresAt,
      kind: credential.certificate ? 'certificate' : 'token',
    };
    this.#firstSeen = readClocks(clock);
  }

  freshness(clock: Clocks): Freshness {
    return assess(this.#life, this.#firstSeen, readClocks(clock));
  }

  /** Expiry in milliseconds since 1970; null: it never expires, or the expiry is no promise. */
  expirationForClient(clock: Clocks): number | null {
    if (this.credential.noExpiry) {
      return null;
    }
    return expirationForClient(this.#life, this.#firstSeen, readClocks(clock));
  }

  /** Milliseconds of life left; Infinity: it never expires. */
  remaining(clock: Clocks): number {
    return remainingLife(this.#life, this.#firstSeen, readClocks(clock));
  }

  /** How long before its expiry a request renews it, in milliseconds (rule: issued-while-good). */
  get margin(): number {
    return renewalMargin(this.#life, this.#firstSeen);
  }

  /** Milliseconds since it was issued, or since it was first seen where that isn't stated. */
  age(clock: Clocks): number {
    return Math.max(0, clock.now() - (this.credential.issuedAt ?? this.#firstSeen.wall));
  }

  /** From its issue to its expiry, in milliseconds; Infinity: it never expires. */
  get wholeLife(): number {
    const { issuedAt, expiresAt } = this.credential;
    return expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - (issuedAt ?? this.#firstSeen.wall);
  }

  /** The same credential, read again: its clocks and its generation stay. */
  holds(other: Credential): boolean {
    const mine = this.credential;
    return (
      mine === other ||
      (mine.expiresAt === other.expiresAt &&
        mine.token?.reveal() === other.token?.reveal() &&
        mine.password?.userName === other.password?.userName &&
        mine.password?.password.reveal() === other.password?.password.reveal() &&
        mine.certificate?.chainPem === other.certificate?.chainPem &&
        hasSameKeys(mine.awsKeys, other.awsKeys))
    );
  }
}

function hasSameKeys(mine: Credential['awsKeys'], other: Credential['awsKeys']): boolean {
  const [left, right] = [mine, other].map((keys) => keys && awsKeysParts(keys));
  return JSON.stringify(left) === JSON.stringify(right);
}

function readClocks(clock: Clocks) {
  return { wall: clock.now(), boottime: clock.boottime() };
}
