/** What a scalar of YAML is to kubectl. */
export type ScalarValue = string | number | boolean | null;

const words: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(
    (word) => [word, Number.POSITIVE_INFINITY] as const,
  ),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const octal = /^[-+]?0[oO]?[0-7]+$/;
const hexadecimal = /^[-+]?0[xX][0-9a-fA-F]+$/;
const binary = /^[-+]?0[bB][01]+$/;

/**
 * What an unquoted scalar is to kubectl: go-yaml v2's resolve(), YAML 1.1 with its own additions (`y`, `0o17`) and
 * without sexagesimal numbers. Dates stay text.
 */
export function resolvePlainScalar(source: string): ScalarValue {
  const word = words.get(source);
  if (word !== undefined) {
    return word;
  }
  // Most scalars end here: nothing else is a number.
  if (!/^[-+.0-9]/.test(source)) {
    return source;
  }
  const digits = source.startsWith('.') ? source : source.replaceAll('_', '');
  if (octal.test(digits)) {
    return wholeNumber(digits.replace(/^([-+]?)0[oO]?/, '$10o'));
  }
  if (hexadecimal.test(digits) || binary.test(digits)) {
    return wholeNumber(digits);
  }
  return decimal.test(digits) ? Number(digits) : source;
}

/** A sign before 0x is none of JavaScript's. */
function wholeNumber(text: string): number {
  return text.startsWith('-') ? -Number(text.slice(1)) : Number(text.replace(/^\+/, ''));
}
