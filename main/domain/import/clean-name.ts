import { configName, displayName } from '../../contract/config/names.ts';
import { replaceInvisible } from '../../contract/invisible.ts';
import { latinOf } from './latin.ts';

/** Leaves room for a number after it within config.yaml's 128 characters. */
const maxCharacters = 120;

/** True where a kubeconfig's name is valid in config.yaml unchanged. */
export function isGoodName(name: string): boolean {
  return configName.safeParse(name).success;
}

/**
 * A kubeconfig's name as config.yaml accepts it: letters without their marks, other scripts in Latin where there is a
 * usual way, the rest as dashes. `fallback` where nothing is left.
 */
export function cleanName(name: string, fallback: string): string {
  if (isGoodName(name)) {
    return name;
  }
  const cleaned = latinOf(name)
    .replace(/[^A-Za-z0-9._@:/-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, maxCharacters)
    .replace(/-+$/, '');
  return cleaned === '' ? fallback : cleaned;
}

/** What of a kubeconfig's name is worth keeping as a display name, where config.yaml takes another one; else undefined. */
export function lostName(name: string): string | undefined {
  const line = name.replace(/[\p{Zl}\p{Zp}\s]+/gu, ' ');
  const plain = replaceInvisible(line, (each) => (/[\u200c\u200d]/.test(each) ? each : '')).trim();
  // Names of plain letters lose only what separates them.
  return /[^\p{ASCII}]/u.test(plain) && displayName.safeParse(plain).success ? plain : undefined;
}

/** Gives out unused names: the wanted one, then with -2, -3 and so on. */
export class FreeNames {
  readonly #isTaken: (name: string) => boolean;
  readonly #given = new Set<string>();
  readonly #next = new Map<string, number>();

  constructor(isTaken: (name: string) => boolean) {
    this.#isTaken = isTaken;
  }

  isFree(name: string, isKept: (name: string) => boolean = () => false): boolean {
    return !this.#given.has(name) && (isKept(name) || !this.#isTaken(name));
  }

  /** Reserves `name`. */
  claim(name: string): void {
    this.#given.add(name);
  }

  /** `isKept`: it is taken, but for whom it is wanted for now. */
  take(base: string, isKept?: (name: string) => boolean): string {
    let name = base;
    let number = this.#next.get(base) ?? 2;
    if (!this.isFree(base, isKept)) {
      for (; !this.isFree(`${base}-${number}`, isKept); number++) {
        // the next one
      }
      name = `${base}-${number}`;
    }
    this.#next.set(base, number);
    this.claim(name);
    return name;
  }
}
