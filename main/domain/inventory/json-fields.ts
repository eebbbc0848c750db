import { jsonText } from '../../contract/json-value.ts';
import { visibleText } from '../text/visible-text.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; null: it is none. */
export function asObject(value: unknown): JsonObject | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** An object’s own member, never one of its prototype; null counts as absent, as in Go’s decoder. */
export function field(object: JsonObject | null, name: string): unknown {
  const value = object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
  return value === null ? undefined : value;
}

/** Text for display, without control and direction characters (rule: stripped-text); null: empty, or no text. */
export function displayText(value: unknown, maxCharacters: number): string | null {
  const text = typeof value === 'string' ? visibleText(value.trim(), maxCharacters) : '';
  return text === '' ? null : text;
}

/** What a value is, in a sentence. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
}

/** The bytes of a value’s JSON, or why it has none that can be passed on: more than 64 levels are none, either. */
export function jsonBytes(value: unknown): { ok: true; bytes: number } | { ok: false; fault: string } {
  const read = jsonText(value);
  if (!read.ok) {
    return read;
  }
  // Only now: it has no cycle.
  return isDeeper(value, deepest)
    ? { ok: false, fault: 'is no JSON' }
    : { ok: true, bytes: Buffer.byteLength(read.text) };
}

/** Whether a value has more parts than that, itself among them. Of a cycle, too. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const left = [value];
  for (let count = 0; left.length > 0; count++) {
    if (count + left.length > most) {
      return true;
    }
    const next = left.pop();
    if (next !== null && typeof next === 'object') {
      // Not by a spread: a list may have more items than a call takes arguments.
      for (const each of Object.values(next)) {
        left.push(each);
      }
    }
  }
  return false;
}

/** Far more than any plugin reads: what is copied and compared later must not run out of stack. */
const deepest = 64;

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
