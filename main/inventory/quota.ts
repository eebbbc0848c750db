import type { Profile } from '../domain/inventory/profile.ts';

/** What an inventory, and one namespace of it, may take of memory (rule: bounded-input). */
export const profileQuota = {
  inventory: { profiles: 30_000, bytes: 96 * 1024 * 1024 },
  /** Who can write to one namespace must not be able to crowd out all others. */
  namespace: { profiles: 12_000, bytes: 48 * 1024 * 1024 },
} as const;

interface Usage {
  profiles: number;
  bytes: number;
}

/** Counts profiles and their bytes: those of their JSON, and what that takes more in memory. */
export class Quota {
  readonly #all: Usage = { profiles: 0, bytes: 0 };
  readonly #namespaces = new Map<string, Usage>();

  /** Counts a profile with `bytes` in place of one with `before`, or a further one (null). False: it is too much. */
  take(namespace: string, bytes: number, before: number | null): boolean {
    const more: Usage = { profiles: before === null ? 1 : 0, bytes: bytes - (before ?? 0) };
    const own = this.#namespaces.get(namespace) ?? { profiles: 0, bytes: 0 };
    // What shrinks is always taken.
    if (
      more.bytes > 0 &&
      !(fits(this.#all, more, profileQuota.inventory) && fits(own, more, profileQuota.namespace))
    ) {
      return false;
    }
    add(this.#all, more);
    add(own, more);
    this.#namespaces.set(namespace, own);
    return true;
  }

  release(namespace: string, bytes: number): void {
    const less: Usage = { profiles: -1, bytes: -bytes };
    add(this.#all, less);
    const own = this.#namespaces.get(namespace);
    if (own) {
      add(own, less);
      if (own.profiles === 0) {
        this.#namespaces.delete(namespace);
      }
    }
  }
}

/** About what V8 takes for each, in bytes. */
const bytesOf = { objectOrList: 96, key: 64, item: 16 } as const;

/**
 * What the parts of a profile that have no fixed form take in memory, in bytes, beside their text: of empty lists and
 * objects twenty times that. A value has no cycle, as it has a text.
 */
export function memoryOf({ providers }: Profile): number {
  let bytes = 0;
  const left: unknown[] = providers.map(({ execConfig }) => execConfig);
  while (left.length > 0) {
    const next = left.pop();
    if (next !== null && typeof next === 'object') {
      const values = Object.values(next);
      bytes +=
        bytesOf.objectOrList +
        values.length * (Array.isArray(next) ? bytesOf.item : bytesOf.key + bytesOf.item);
      // Not by a spread: a list may have more items than a call takes arguments.
      for (const each of values) {
        left.push(each);
      }
    }
  }
  return bytes;
}

function fits(used: Usage, more: Usage, limit: Usage): boolean {
  return used.profiles + more.profiles <= limit.profiles && used.bytes + more.bytes <= limit.bytes;
}

function add(usage: Usage, more: Usage): void {
  usage.profiles += more.profiles;
  usage.bytes += more.bytes;
}
