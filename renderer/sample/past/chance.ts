/** A number from 0 to 1 that depends only on the words: invented data must stay the same. */
export function chance(...of: readonly (string | number)[]): number {
  let hash = 2166136261;
  for (const letter of of.join(' ')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** One of several, by chance. */
export function oneOf<Value>(
  values: readonly [Value, ...Value[]],
  ...of: readonly (string | number)[]
): Value {
  return values[Math.floor(chance(...of) * values.length)] ?? values[0];
}
