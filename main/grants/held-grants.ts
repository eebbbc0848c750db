import { hash } from 'node:crypto';
import type { Credential } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../ports/history.ts';
import { Grant } from './grant.ts';
import { replacedCertificateAge } from './replaced-certificate.ts';
import type { Source } from './source.ts';

/** How a credential was come by that is seen for the first time. */
export type ComeBy = Extract<HistoryEvent, { kind: 'generation' }>['why'];

interface OfAccount {
  readonly byAudience: Map<string | null, Grant>;
  /** Never goes back, whatever is forgotten: a number stands for one credential, known by its digest. */
  readonly latest: Map<string | null, { generation: number; digest: string }>;
  /** Counts the times that all of it was forgotten. */
  epoch: number;
  /** How what comes next was come by, where nobody says otherwise. */
  next: ComeBy;
}

/** The grants held in memory, by account and audience. */
export class HeldGrants {
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #accounts = new Map<string, OfAccount>();

  constructor({ clock, recorder }: { clock: Clock; recorder: Recorder }) {
    this.#clock = clock;
    this.#recorder = recorder;
  }

  get(source: Source): Grant | null {
    return this.find(source.account.name, source.audience);
  }

  find(accountName: string, audience: string | null): Grant | null {
    return this.#accounts.get(accountName)?.byAudience.get(audience) ?? null;
  }

  /** The grant of this credential: the one held where it is the same, else the next generation. */
  keep(source: Source, credential: Credential, why?: ComeBy): Grant {
    const { name } = source.account;
    const { audience } = source;
    const of = this.#of(name);
    const before = of.byAudience.get(audience) ?? null;
    if (before?.holds(credential)) {
      return before;
    }
    const latest = of.latest.get(audience) ?? { generation: 0, digest: '' };
    const digest = digestOf(credential);
    // Forgotten at a lock, and found again.
    const isKnown = latest.digest === digest;
    const generation = isKnown ? latest.generation : latest.generation + 1;
    const grant = new Grant(credential, generation, this.#clock);
    of.latest.set(audience, { generation, digest });
    of.byAudience.set(audience, grant);
    if (isKnown) {
      return grant;
    }
    const comeBy = why ?? of.next;
    of.next = 'found';
    this.#recorder.record({
      kind: 'generation',
      account: name,
      audience,
      generation,
      why: comeBy,
      credential: credential.certificate ? 'certificate' : 'token',
      issuedAt: credential.issuedAt,
      expiresAt: credential.expiresAt,
      replacedCertificateAge:
        before && replacedCertificateAge(before.credential, credential, comeBy, this.#clock.now()),
      previousAge: before?.age(this.#clock) ?? null,
      previousLife: before && Number.isFinite(before.wholeLife) ? before.wholeLife : null,
      cluster: source.account.shape?.cluster ?? null,
    });
    return grant;
  }

  /** Changes with each `forget`: work that began before brings what belongs to nobody any more. */
  epoch(accountName: string): number {
    return this.#of(accountName).epoch;
  }

  /** `next`: how what is seen next was come by. */
  forget(accountName: string, next: ComeBy = 'found'): void {
    const of = this.#of(accountName);
    of.next = next;
    of.byAudience.clear();
    of.epoch += 1;
  }

  forgetAll(): void {
    for (const name of this.#accounts.keys()) {
      this.forget(name);
    }
  }

  #of(accountName: string): OfAccount {
    const known = this.#accounts.get(accountName);
    if (known) {
      return known;
    }
    const fresh: OfAccount = { byAudience: new Map(), latest: new Map(), epoch: 0, next: 'found' };
    this.#accounts.set(accountName, fresh);
    return fresh;
  }
}

function digestOf({ token, certificate, expiresAt }: Credential): string {
  const parts = [token?.reveal() ?? null, certificate?.chainPem ?? null, expiresAt];
  return hash('sha256', JSON.stringify(parts), 'base64');
}
