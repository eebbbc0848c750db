import { keepsDigits, lostDigits } from '../../contract/json-value.ts';
import type { ReadJson } from '../../domain/import/kubeconfig.ts';
import type { YamlValue } from './yaml-value.ts';

/** No real configuration is deeper. */
const deepest = 64;

/** A value as JSON, which is what kubectl makes of it; a fault where that is larger than `limitBytes`, or where digits would be lost. */
export function jsonOf(value: YamlValue, limitBytes: number): ReadJson {
  let left = limitBytes;
  let fault: string | null = null;
  const give = (bytes: number) => {
    left -= bytes;
    if (left < 0) {
      fault ??= `is larger than ${limitBytes / 1024} KiB`;
    }
  };
  const convert = (each: YamlValue, depth: number): unknown => {
    if (depth > deepest) {
      fault ??= `is nested more than ${deepest} deep`;
    }
    // Aliases make much of little: what is too large is left at once.
    if (fault !== null) {
      return null;
    }
    if (each.kind === 'scalar') {
      give(typeof each.value === 'string' ? Buffer.byteLength(each.value) + 2 : 1);
      if (typeof each.value === 'number' && !keepsDigits(each.value)) {
        fault ??= lostDigits;
      }
      return each.value;
    }
    if (each.kind === 'list') {
      give(2);
      return each.items().map((item) => convert(item, depth + 1));
    }
    give(2);
    return Object.fromEntries(
      [...each.entries()].map(([key, entry]) => {
        give(Buffer.byteLength(key) + 3);
        return [key, convert(entry.value, depth + 1)];
      }),
    );
  };
  const converted = convert(value, 0);
  return fault === null ? { ok: true, value: converted } : { ok: false, fault };
}
