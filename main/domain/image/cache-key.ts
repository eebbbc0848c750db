import { toBytes } from '../decode/go-quote.ts';

/** A key of a cache: bytes, to be compared alone. */
export type CacheKey = { ok: true; key: string } | { ok: false; message: string };

/**
 * A key of several parts, each with its length before it, so that no two lists of parts have one key; as the kubelet
 * builds it (cacheKeyBuilder), with its error. A part is bytes (`toBytes`), or annotations.
 */
export function buildKey(parts: readonly (string | ReadonlyMap<string, string>)[]): CacheKey {
  const pieces = parts.flatMap((part) =>
    typeof part === 'string' ? [withLength(part)] : [...annotations(part)],
  );
  const fault = pieces.find((piece) => !piece.ok);
  return fault ?? { ok: true, key: pieces.map((piece) => (piece.ok ? piece.key : '')).join('') };
}

const mostBytes = 0xffff;

function withLength(bytes: string): CacheKey {
  return bytes.length > mostBytes
    ? { ok: false, message: `cryptobyte: pending child length ${bytes.length} exceeds 2-byte length prefix` }
    : { ok: true, key: number(bytes.length, 2) + bytes };
}

function* annotations(map: ReadonlyMap<string, string>): Generator<CacheKey> {
  yield { ok: true, key: number(map.size, 4) };
  const pairs = [...map].map(([name, value]) => [toBytes(name), toBytes(value)] as const);
  for (const [name, value] of pairs.sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield withLength(name);
    yield withLength(value);
  }
}

function number(value: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer.toString('latin1');
}
