import { hash } from 'node:crypto';
import { awsKeysParts } from '../domain/credential/aws-keys.ts';
import { isSameTarget, type TargetName } from '../domain/target/target.ts';
import type { Credential, Shape } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../ports/history.ts';
import { Grant } from './grant.ts';
import { replacedCertificateAge } from './replaced-certificate.ts';
import { inUseMilliseconds } from './rules/expiry.ts';
import { grantKey, keyOf, type Source } from './source.ts';

type CredentialGeneration = Extract<HistoryEvent, { kind: 'generation' }>;

/** Why a new credential appeared. */
export type GenerationReason = CredentialGeneration['why'];

/** Limit of the cached grants of one account: a program may ask with ever new variables. */
const grantLimit = 2_048;

interface CachedGrant {
  audience: string | null;
  /** The target that shaped it. */
  target: TargetName | null;
  grant: Grant;
  /** The variables of its last caller that its plugin got: as long as the grant is kept. */
  variables: NonNullable<Shape['variables']>;
  /** When it was last issued; boottime clock. Null: not yet. */
  usedAt: number | null;
}

interface OfAccount {
  /** By `grantKey`; the most recent one is last. */
  readonly grants: Map<string, CachedGrant>;
  /** Never decreases, whatever is forgotten: a generation stands for one credential, identified by its digest. */
  readonly latest: Map<string, { generation: number; digest: string }>;
  /** Counts how often everything was forgotten. */
  epoch: number;
  /** The reason to record for the next credential, unless the caller names another. */
  next: GenerationReason;
}

/** The grants cached in memory, by account, audience and shape. */
export class CachedGrants {
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #onNew: (account: string) => void;
  readonly #accounts = new Map<string, OfAccount>();

  /** `onNew`: the account has a new credential. */
  constructor({
    clock,
    recorder,
    onNew,
  }: {
    clock: Clock;
    recorder: Recorder;
    onNew(account: string): void;
  }) {
    this.#clock = clock;
    this.#recorder = recorder;
    this.#onNew = onNew;
  }

  get(source: Source): Grant | null {
    return this.#accounts.get(source.account.name)?.grants.get(grantKey(source))?.grant ?? null;
  }

  /** The grant for an audience, without a shape. */
  find(accountName: string, audience: string | null): Grant | null {
    return this.#accounts.get(accountName)?.grants.get(keyOf(audience, null))?.grant ?? null;
  }

  all(accountName: string): readonly CachedGrant[] {
    return [...(this.#accounts.get(accountName)?.grants.values() ?? [])];
  }

  /** Of every account. */
  *everything(): Iterable<CachedGrant & { account: string; key: string }> {
    for (const [account, { grants }] of this.#accounts) {
      for (const [key, held] of grants) {
        yield { ...held, account, key };
      }
    }
  }

  /** The newest that is valid, is for all clients, and fits the target. */
  findFor(accountName: string, target: TargetName, clock: Pick<Clock, 'now' | 'boottime'>): Grant | null {
    const serving = this.#serving(accountName, target);
    return serving.findLast(({ grant }) => grant.freshness(clock) !== 'expired')?.grant ?? null;
  }

  /** Those that callers use for a target now, the one that was issued last first; if none is in use, that one alone. */
  inUseFor(accountName: string, target: TargetName): readonly CachedGrant[] {
    const now = this.#clock.boottime();
    const issued = this.#serving(accountName, target)
      .filter(({ usedAt }) => usedAt !== null)
      .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0));
    const inUse = issued.filter(
      ({ usedAt, grant }) => now - (usedAt ?? 0) < inUseMilliseconds(grant.wholeLife),
    );
    return inUse.length > 0 ? inUse : issued.slice(0, 1);
  }

  /** The source's grant was issued. */
  used(source: Source): void {
    const held = this.#accounts.get(source.account.name)?.grants.get(grantKey(source));
    if (held) {
      held.usedAt = this.#clock.boottime();
    }
  }

  /** For all clients, and for the target. */
  #serving(accountName: string, target: TargetName): CachedGrant[] {
    return this.all(accountName).filter(
      (held) =>
        (held.target === null || isSameTarget(held.target, target)) &&
        (held.grant.credential.noExpiry?.onlyFor ?? null) === null,
    );
  }

  /** The grant of this credential: the cached one if it is the same, else the next generation. */
  keep(source: Source, credential: Credential, why?: GenerationReason): Grant {
    const { name } = source.account;
    const { audience } = source;
    const of = this.#of(name);
    const key = grantKey(source);
    const before = of.grants.get(key)?.grant ?? null;
    if (before?.holds(credential)) {
      return before;
    }
    const latest = of.latest.get(key) ?? { generation: 0, digest: '' };
    const digest = digestOf(credential);
    // Forgotten at a lock, and found again.
    const isKnown = latest.digest === digest;
    const generation = isKnown ? latest.generation : latest.generation + 1;
    const grant = new Grant(credential, generation, this.#clock);
    const { target = null, variables = [] } = source.account.shape ?? {};
    const usedAt = of.grants.get(key)?.usedAt ?? null;
    of.latest.set(key, { generation, digest });
    of.grants.delete(key);
    of.grants.set(key, { audience, target, grant, variables, usedAt });
    this.#dropOldest(of);
    if (isKnown || isEmpty(credential)) {
      return grant;
    }
    const reason = why ?? of.next;
    of.next = 'found';
    this.#recorder.record({
      kind: 'generation',
      account: name,
      audience,
      generation,
      why: reason,
      credential: kindOf(credential),
      issuedAt: credential.issuedAt,
      expiresAt: credential.expiresAt,
      replacedCertificateAge:
        before && replacedCertificateAge(before.credential, credential, reason, this.#clock.now()),
      previousAge: before?.age(this.#clock) ?? null,
      previousLife: before && Number.isFinite(before.wholeLife) ? before.wholeLife : null,
      target,
    });
    this.#onNew(name);
    return grant;
  }

  /** Changes with each `forget`: the result of work that began before is not used. */
  epoch(accountName: string): number {
    return this.#of(accountName).epoch;
  }

  /** `next`: the reason recorded for the next credential. */
  forget(accountName: string, next: GenerationReason = 'found'): void {
    const of = this.#of(accountName);
    of.next = next;
    of.grants.clear();
    of.epoch += 1;
  }

  forgetAll(): void {
    for (const name of this.#accounts.keys()) {
      this.forget(name);
    }
  }

  #dropOldest(of: OfAccount): void {
    const [oldest] = of.grants.keys();
    if (of.grants.size > grantLimit && oldest !== undefined) {
      of.grants.delete(oldest);
      of.latest.delete(oldest);
    }
  }

  #of(accountName: string): OfAccount {
    const known = this.#accounts.get(accountName);
    if (known) {
      return known;
    }
    const fresh: OfAccount = { grants: new Map(), latest: new Map(), epoch: 0, next: 'found' };
    this.#accounts.set(accountName, fresh);
    return fresh;
  }
}

/** A provider plugin has none for the image. */
function isEmpty({ token, certificate, password, awsKeys }: Credential): boolean {
  return token === null && certificate === null && !password && !awsKeys;
}

function kindOf({ certificate, password, awsKeys }: Credential): CredentialGeneration['credential'] {
  if (certificate) {
    return 'certificate';
  }
  return password ? 'password' : awsKeys ? 'awsKeys' : 'token';
}

function digestOf({ token, certificate, password, awsKeys, expiresAt }: Credential): string {
  const parts = [
    token?.reveal() ?? null,
    certificate?.chainPem ?? null,
    expiresAt,
    ...(password ? [password.userName, password.password.reveal()] : []),
    ...(awsKeys ? ['awsKeys', ...awsKeysParts(awsKeys)] : []),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64');
}
