import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { chainTargets } from '../domain/proxy/chain-targets.ts';
import { nameOf, type Target } from '../domain/target/target.ts';
import type { Grants } from '../grants/grants.ts';
import { ownRequest } from '../grants/own-request.ts';
import { statusVerdict } from '../grants/status-verdict.ts';
import type { Credential } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { Caller } from '../ports/caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Verdict } from '../ports/target-probe.ts';
import { type WorkedOutStep, workOut } from './worked-out-chain.ts';

export interface ChainsDeps {
  gate: Gate;
  directory: Pick<Directory, 'account' | 'cluster'>;
  grants: Pick<Grants, 'obtain' | 'renewNow' | 'saw' | 'rejectingSince'>;
  recorder: Recorder;
  clock: Clock;
  /** The process whose request it is, for the record. */
  callerOf(pid: number): Caller;
  /** The certificate with which the data plane connects to the cluster from now on; null: none. */
  useCertificate(cluster: LoadedCluster, certificate: Credential['certificate']): void;
}

/** What a request of a cluster gets. */
export interface GivenChain {
  steps: WorkedOutStep[];
  generation: number;
  /** How long it is good, in milliseconds. */
  livesMilliseconds: number;
}

/** The broker is asked again after this time at the latest, in milliseconds: a token’s file may have changed. */
const longest = 60_000;
/** A request under way should not outlive its credential, in milliseconds. */
const margin = 2_000;
/** A cluster that rejects what was renewed for it is left alone for this time, in milliseconds. */
const rest = 60_000;
/** Less than the data plane waits (native-helper/proxy/src/shared.rs). */
const patience = 55_000;

/** A request that takes longer is a stream: its status is of its beginning, in milliseconds. */
const longAnswer = 10_000;
/** A 401 so soon after a success says nothing of the credential, in milliseconds. */
const mixed = 5_000;
/** The API server passes on what a pod, a service or a node answers. */
const behindCluster = /\/proxy(\/|$)/;

/** What is looked at of a request that was answered. */
export interface AnsweredRequest {
  status: number;
  path: string;
  /** How long it took. */
  milliseconds: number;
}

type ObtainedGrant = { ok: true; credential: Credential; generation: number; how: string } | Refusal;

/** What was given last. */
interface Given {
  generation: number;
  signsForAws: boolean;
  /** The cluster’s own account’s. Null: a program signs. */
  own: { target: Target; credential: Credential; generation: number } | null;
  /** When the cluster last accepted it; boottime clock. */
  acceptedAt: number;
  /** What was told last of the cluster's answers. */
  told: Verdict | null;
  /** Those of its steps, too. */
  credentials: readonly { target: Target; credential: Credential }[];
}

/** Works out the chain of a cluster: the data plane asks when it has none, or the cluster answered 401. */
export class Chains {
  readonly #deps: ChainsDeps;
  readonly #last = new Map<string, Given>();
  /** By cluster: when its credentials were last renewed because it rejected them; boottime clock. */
  readonly #renewed = new Map<string, number>();
  /** By target and account: the generation of the grant on record. */
  readonly #recorded = new Map<string, number>();
  #generation = 0;

  constructor(deps: ChainsDeps) {
    this.#deps = deps;
  }

  /** `rejected`: the generation of the chain that the cluster answered with 401. Never asks the user. */
  async give(
    name: string,
    pid: number,
    rejected: number | null,
  ): Promise<({ ok: true } & GivenChain) | Refusal> {
    const found = this.#find(name);
    if (!found.ok) {
      return found;
    }
    const { cluster } = found;
    const { directory } = this.#deps;
    const signal = AbortSignal.timeout(patience);
    const failed = rejected === null ? null : await this.#renew(name, rejected, signal);
    if (failed) {
      return failed;
    }
    const targets = chainTargets(cluster);
    const kinds = targets.all.map(({ account }) => directory.account(account));
    const unknown = kinds.find((each) => !each.ok);
    if (unknown && !unknown.ok) {
      return unknown;
    }
    // A program that signs is asked for each request.
    const obtainable = targets.all.filter((_, at) => {
      const found = kinds[at];
      return found?.ok && found.account.kind !== 'requestSigner';
    });
    const obtained = await Promise.all(
      obtainable.map((target) => this.#obtain(target, signal).then((grant) => [target, grant] as const)),
    );
    const credentials = new Map<Target, Credential>();
    for (const [target, grant] of obtained) {
      if (!grant.ok) {
        return grant;
      }
      credentials.set(target, grant.credential);
    }
    // That took time: Lanyard may be locked now, or the cluster may be another.
    const again = this.#find(name);
    if (!again.ok) {
      return again;
    }
    if (again.cluster !== cluster) {
      return this.give(name, pid, null);
    }
    const of = (target: Target | null) => (target && credentials.get(target)) ?? null;
    const own = of(targets.own);
    const worked = workOut(
      own,
      [...targets.steps.keys()],
      (step) => of(targets.steps.get(step) ?? null),
      this.#deps.clock.now(),
    );
    if (!worked.ok) {
      return worked;
    }
    this.#record(pid, obtained);
    this.#deps.useCertificate(cluster, own?.certificate ?? null);
    this.#generation += 1;
    this.#last.set(name, {
      generation: this.#generation,
      signsForAws: worked.steps.some(({ step }) => step === 'signAws'),
      ...this.#judged(
        name,
        obtained.find(([target]) => target === targets.own),
      ),
      credentials: [...credentials].map(([target, credential]) => ({ target, credential })),
    });
    return {
      ok: true,
      steps: worked.steps,
      generation: this.#generation,
      livesMilliseconds: this.#lives(credentials.values()),
    };
  }

  /**
   * The cluster answered a request with this status (rule: inferred-401): what its credential is worth now. Not a stream
   * that began long ago, whose credential was good then; nor a 401 of what is behind the cluster, or right after a
   * success: one path alone refuses it, or it is of a request with the credential before.
   */
  answered(name: string, { status, path, milliseconds }: AnsweredRequest): void {
    const { grants, clock } = this.#deps;
    const given = this.#last.get(name);
    const now = clock.boottime();
    // AWS refuses keys and signatures with a 403, too.
    const verdict = status === 403 && given?.signsForAws !== false ? 'unknown' : statusVerdict(status);
    if (!given?.own || verdict === 'unknown') {
      return;
    }
    const isOfNothing =
      verdict === 'accepted'
        ? milliseconds > longAnswer
        : now - given.acceptedAt < mixed || behindCluster.test(path);
    if (isOfNothing) {
      return;
    }
    const { target, credential } = given.own;
    const isKnown = (grants.rejectingSince(target) !== null) === (verdict === 'rejected');
    if (verdict === 'accepted') {
      given.acceptedAt = now;
    }
    // What was told last may not have arrived there yet.
    if (!isKnown || (given.told !== null && given.told !== verdict)) {
      given.told = verdict;
      void grants.saw(target, credential, verdict);
    }
  }

  /**
   * The cluster’s TLS refused the certificate that it was shown: its account reads its files or its token again, once a
   * minute. False: it was not. Never rejects.
   */
  async certificateRefused(name: string): Promise<boolean> {
    const { directory, grants } = this.#deps;
    const own = this.#last.get(name)?.own;
    const found =
      own?.credential.certificate && !this.#rests(name) ? directory.account(own.target.account) : null;
    if (!own || !found?.ok) {
      return false;
    }
    await grants.renewNow(found.account, own.target, AbortSignal.timeout(patience)).catch(toRefusal);
    return true;
  }

  /** What is known of the credential that the cluster’s own account gives now. */
  #judged(
    name: string,
    obtained: readonly [Target, ObtainedGrant] | undefined,
  ): Pick<Given, 'own' | 'acceptedAt' | 'told'> {
    const [target, grant] = obtained ?? [];
    const own = target && grant?.ok ? { target, ...grant } : null;
    const last = this.#last.get(name);
    if (last && last.own?.generation === own?.generation) {
      const { acceptedAt, told } = last;
      return { own, acceptedAt, told };
    }
    return { own, acceptedAt: Number.NEGATIVE_INFINITY, told: null };
  }

  /** Nothing that was given counts any more: Lanyard is locked. */
  forgetAll(): void {
    this.#last.clear();
    this.#recorded.clear();
  }

  #find(name: string): { ok: true; cluster: LoadedCluster } | Refusal {
    const { gate, directory } = this.#deps;
    const found = gate() ?? directory.cluster(name);
    if (!found.ok) {
      return found;
    }
    return found.cluster.config.proxy === undefined
      ? refuse(
          'notPermitted',
          'proxy.none',
          `${name} doesn’t go through the request proxy any more`,
          'run: lanyard kubeconfig write',
        )
      : found;
  }

  async #obtain(target: Target, signal: AbortSignal): Promise<ObtainedGrant> {
    const { directory, grants } = this.#deps;
    const found = directory.account(target.account);
    if (!found.ok) {
      return found;
    }
    const granted = await grants.obtain(found.account, ownRequest(target, signal));
    return granted.ok
      ? {
          ok: true,
          credential: granted.grant.credential,
          generation: granted.grant.generation,
          how: granted.how,
        }
      : granted;
  }

  /** The cluster rejected what it was given: all of it is renewed, once. Null: go on with what there is. */
  async #renew(name: string, rejected: number, signal: AbortSignal): Promise<Refusal | null> {
    const { directory, grants } = this.#deps;
    const given = this.#last.get(name);
    if (given?.generation !== rejected || this.#rests(name)) {
      return null;
    }
    for (const { target, credential } of given.credentials) {
      await grants.saw(target, credential, 'rejected');
      const found = directory.account(target.account);
      const renewed = found.ok ? await grants.renewNow(found.account, target, signal) : found;
      // One that can’t be renewed, such as a fixed token, may not be what the cluster rejected.
      if (!renewed.ok && renewed.reason === 'loginNeeded') {
        return renewed;
      }
    }
    return null;
  }

  /** Its credentials were renewed just now, as it rejected them. Else they are from now on. */
  #rests(name: string): boolean {
    const now = this.#deps.clock.boottime();
    if (now - (this.#renewed.get(name) ?? Number.NEGATIVE_INFINITY) < rest) {
      return true;
    }
    this.#renewed.set(name, now);
    return false;
  }

  #lives(credentials: Iterable<Credential>): number {
    const now = this.#deps.clock.now();
    const left = [...credentials].map(({ expiresAt }) =>
      expiresAt === null ? longest : expiresAt - now - margin,
    );
    return Math.max(0, Math.min(longest, ...left));
  }

  /** On record before it leaves (rule: everything-recorded): each credential once. */
  #record(pid: number, obtained: readonly (readonly [Target, ObtainedGrant])[]): void {
    for (const [target, grant] of obtained) {
      const key = JSON.stringify([target.name, target.account, target.audience]);
      if (!grant.ok || this.#recorded.get(key) === grant.generation) {
        continue;
      }
      this.#deps.recorder.record({
        kind: 'call',
        door: 'proxy',
        caller: this.#deps.callerOf(pid),
        account: target.account,
        target: nameOf(target),
        audience: target.audience,
        outcome: 'handedOut',
        reason: grant.how,
        generation: grant.generation,
        microseconds: 0,
      });
      this.#recorded.set(key, grant.generation);
    }
  }
}
