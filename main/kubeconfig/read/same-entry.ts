import { isDeepStrictEqual } from 'node:util';
import { Secret } from '../../base/secret.ts';

/** Whether two entries say the same, wherever they stand and whatever they are called. */
export function isSameEntry(one: object, other: object): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** Without its place and its name, secrets by what they are. Never shown. */
function comparable(value: unknown, depth = 0): unknown {
  if (value instanceof Secret) {
    return value.reveal();
  }
  if (Array.isArray(value)) {
    return value.map((each) => comparable(each, depth + 1));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).filter(([key]) => depth > 0 || (key !== 'origin' && key !== 'name'));
  return Object.fromEntries(entries.map(([key, each]) => [key, comparable(each, depth + 1)]));
}
