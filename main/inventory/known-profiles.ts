import { createHash } from 'node:crypto';
import type { Profile } from '../domain/inventory/profile.ts';
import type { ReadProfile } from '../domain/inventory/read-profile.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { ProfileProblem } from './inventory-state.ts';
import { profileText } from './profile-text.ts';
import { memoryOf, Quota } from './quota.ts';

interface Known {
  profile: Profile;
  /** As the quota counts them. */
  bytes: number;
  /** Of its text: a profile that came again unchanged is no change. */
  digest: string;
}

/** More tell nothing new. */
const mostProblems = 1_000;

/** What is known of an inventory's profiles, within its quota. */
export class KnownProfiles {
  readonly #profiles = new Map<string, Profile>();
  readonly #known = new Map<string, Known>();
  readonly #problems = new Map<string, ProfileProblem>();
  readonly #leftOut = new Set<string>();
  readonly #quota = new Quota();

  /** By `NAMESPACE/NAME`. A profile that didn't change is the same object. */
  get profiles(): ReadonlyMap<string, Profile> {
    return this.#profiles;
  }

  get problems(): readonly ProfileProblem[] {
    return [...this.#problems.values()];
  }

  get isOverQuota(): boolean {
    return this.#leftOut.size > 0;
  }

  /**
   * True: something is different. What can't be read leaves an earlier form of it: it may be a slip, and the form that
   * the user approved goes on serving.
   */
  put(read: ReadProfile): boolean {
    if (!read.ok) {
      return this.#setProblem(problemKey(read), {
        namespace: read.namespace,
        name: read.name,
        text: visibleText(read.fault, 300),
      });
    }
    const { profile } = read;
    const { namespace, name } = profile;
    const key = keyOf(namespace, name);
    const text = profileText(profile);
    const digest = createHash('sha256').update(text).digest('base64');
    const before = this.#known.get(key);
    if (before?.digest === digest) {
      return this.#clear(key);
    }
    const bytes = Buffer.byteLength(text) + memoryOf(profile);
    if (!this.#quota.take(namespace, bytes, before?.bytes ?? null)) {
      this.#leave(key);
      return this.#setProblem(key, {
        namespace,
        name,
        text: 'is left out: there are too many profiles, or too large ones',
      });
    }
    this.#known.set(key, { profile, bytes, digest });
    this.#profiles.set(key, profile);
    this.#clear(key);
    return true;
  }

  /** True: it was known. */
  remove(key: string): boolean {
    const hadProblem = this.#clear(key);
    const known = this.#known.get(key);
    if (!known) {
      return hadProblem;
    }
    this.#quota.release(known.profile.namespace, known.bytes);
    this.#known.delete(key);
    this.#profiles.delete(key);
    return true;
  }

  /** Removes what `isGone` names: its problems, too. True: there was such. */
  removeWhere(isGone: (key: string) => boolean): boolean {
    const gone = [...new Set([...this.#known.keys(), ...this.#problems.keys()])].filter(isGone);
    for (const key of gone) {
      this.remove(key);
    }
    return gone.length > 0;
  }

  #leave(key: string): void {
    if (this.#leftOut.size < mostProblems) {
      this.#leftOut.add(key);
    }
  }

  #clear(key: string): boolean {
    const hadLeft = this.#leftOut.delete(key);
    return this.#problems.delete(key) || hadLeft;
  }

  #setProblem(key: string, problem: ProfileProblem): boolean {
    const before = this.#problems.get(key);
    if (before?.text === problem.text || (!before && this.#problems.size >= mostProblems)) {
      return false;
    }
    this.#problems.set(key, problem);
    return true;
  }
}

/** Neither part has a slash. */
export function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** Of several without a name each counts, if they differ. */
export function problemKey(read: { namespace: string | null; name: string | null; fault: string }): string {
  return keyOf(read.namespace ?? '', read.name ?? ` ${read.fault}`);
}

/** Of `keyOf`. */
export function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
