import { frameLimitBytes, type HelperFrame, helperFrame } from '../../contract/frames.ts';

/** Why bytes are not a frame. The connection that sent them ends. */
export type FrameFault = 'oversized' | 'utf8' | 'json' | 'kind' | 'shape';

/** The bytes of one frame's JSON. */
export type FrameRead = { ok: true; json: Buffer } | { ok: false; fault: FrameFault };

export type ParsedFrame = { ok: true; frame: HelperFrame } | { ok: false; fault: FrameFault };

const lengthBytes = 4;

/** One frame: a 32-bit big-endian length, then UTF-8 JSON. Throws RangeError above the limit of 8 MiB. */
export function encodeFrame(frame: object): Buffer {
  const json = Buffer.from(JSON.stringify(frame), 'utf8');
  if (json.length > frameLimitBytes) {
    throw new RangeError('frame exceeds the limit');
  }
  const bytes = Buffer.allocUnsafe(lengthBytes + json.length);
  bytes.writeUInt32BE(json.length, 0);
  json.copy(bytes, lengthBytes);
  return bytes;
}

/**
 * Cuts a stream of bytes into frames. Keeps at most one frame's worth; reports `oversized` before it buffers. The
 * first frame may have its own limit.
 */
export class FrameReader {
  readonly #limitBytes: number;
  /** Of the frame that comes next. */
  #nextLimitBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;

  constructor(limitBytes: number = frameLimitBytes, firstLimitBytes: number = limitBytes) {
    this.#limitBytes = limitBytes;
    this.#nextLimitBytes = firstLimitBytes;
  }

  /** Bytes of an unfinished frame: if the stream ends now, it was cut off. */
  get heldBytes(): number {
    return this.#buffered;
  }

  /** Lets go of them. It must not be used again. */
  clear(): void {
    this.#chunks = [];
    this.#buffered = 0;
  }

  /** Takes the received bytes and returns the frames that are complete now. After a fault it must not be used again. */
  push(chunk: Buffer): FrameRead[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const frames: FrameRead[] = [];
    for (;;) {
      if (this.#buffered < lengthBytes) {
        return frames;
      }
      const length = this.#peekLength();
      if (length > this.#nextLimitBytes) {
        frames.push({ ok: false, fault: 'oversized' });
        return frames;
      }
      if (this.#buffered < lengthBytes + length) {
        return frames;
      }
      this.#nextLimitBytes = this.#limitBytes;
      frames.push({ ok: true, json: this.#take(lengthBytes + length).subarray(lengthBytes) });
    }
  }

  #peekLength(): number {
    const first = this.#chunks[0];
    if (first && first.length >= lengthBytes) {
      return first.readUInt32BE(0);
    }
    return this.#join().readUInt32BE(0);
  }

  #join(): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #take(count: number): Buffer {
    const all = this.#join();
    this.#chunks = all.length > count ? [all.subarray(count)] : [];
    this.#buffered -= count;
    return all.subarray(0, count);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const helperKinds = new Set(helperFrame.options.map((option) => option.shape.kind.value as string));

/** What a helper sent, checked; a kind that it may not send is told apart from one that is ill-formed. */
export function parseHelperFrame(json: Buffer): ParsedFrame {
  let text: string;
  try {
    text = utf8.decode(json);
  } catch {
    return { ok: false, fault: 'utf8' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: 'json' };
  }
  const parsed = helperFrame.safeParse(value);
  if (parsed.success) {
    return { ok: true, frame: parsed.data };
  }
  const kind: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
  return { ok: false, fault: typeof kind === 'string' && !helperKinds.has(kind) ? 'kind' : 'shape' };
}
