import { goQuote } from '../decode/go-quote.ts';

// The errors of k8s.io/apimachinery/pkg/util/validation/field, as texts.

export function required(field: string, detail = ''): string {
  return `${field}: Required value${detail === '' ? '' : `: ${detail}`}`;
}

export function forbidden(field: string, detail: string): string {
  return `${field}: Forbidden: ${detail}`;
}

/** `shown`: the value, as `goQuote` or `jsonText` writes it. */
export function invalid(field: string, shown: string, detail: string): string {
  return `${field}: Invalid value: ${shown}: ${detail}`;
}

export function duplicate(field: string, value: string): string {
  return `${field}: Duplicate value: ${goQuote(value)}`;
}

export function notSupported(field: string, shown: string, values: readonly string[]): string {
  return `${field}: Unsupported value: ${shown}: supported values: ${values.map(goQuote).join(', ')}`;
}

/** JSON as Go writes it: fit for HTML. */
export function jsonText(value: string | readonly string[]): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** All of them, each once. */
export function summary(errors: readonly string[]): string {
  const unlike = [...new Set(errors)];
  return unlike.length === 1 ? (unlike[0] ?? '') : `[${unlike.join(', ')}]`;
}
