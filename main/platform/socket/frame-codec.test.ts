import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokerFrame } from '../../contract/frames.ts';
import { encodeFrame, FrameReader, parseHelperFrame } from './frame-codec.ts';

/** Golden frames, read by the helper's tests too (test/wire/README.md). */
interface Golden {
  description: string;
  direction: 'helper' | 'broker';
  bytesBase64: string;
  expect: Record<string, unknown>;
}

const folder = join(import.meta.dirname, '../../../test/wire');
const golden: [string, Golden][] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]);

function isGood(frame: Golden): boolean {
  return !('error' in frame.expect);
}

/** What the broker makes of bytes after which the connection ends. */
function decodeAsBroker(bytes: Buffer, chunkSize: number): unknown {
  const reader = new FrameReader();
  for (let at = 0; at < bytes.length; at += chunkSize) {
    const [read] = reader.push(bytes.subarray(at, at + chunkSize));
    if (read) {
      const parsed = read.ok ? parseHelperFrame(read.json) : read;
      return parsed.ok ? parsed.frame : { error: parsed.fault };
    }
  }
  return { error: reader.heldBytes > 0 ? 'truncated' : 'nothing' };
}

const fromHelper = golden.filter(([, { direction }]) => direction === 'helper');
const goodFromBroker = golden.filter(([, frame]) => frame.direction === 'broker' && isGood(frame));
const badShapesFromBroker = golden.filter(
  ([, frame]) => frame.direction === 'broker' && frame.expect.error === 'shape',
);

describe('golden frames', () => {
  it('are there for both directions', () => {
    expect(fromHelper.length).toBeGreaterThan(10);
    expect(goodFromBroker.length).toBeGreaterThan(5);
  });

  it.each(fromHelper)('%s of the helper’s is read in one piece and byte by byte', (_, frame) => {
    const bytes = Buffer.from(frame.bytesBase64, 'base64');
    expect(decodeAsBroker(bytes, Math.max(1, bytes.length))).toEqual(frame.expect);
    expect(decodeAsBroker(bytes, bytes.length > 4096 ? 1000 : 1)).toEqual(frame.expect);
  });

  it.each(goodFromBroker)('%s of the broker’s comes out as the same JSON', (_, frame) => {
    const bytes = Buffer.from(frame.bytesBase64, 'base64');
    const encoded = encodeFrame(brokerFrame.parse(frame.expect));
    expect(encoded.readUInt32BE(0)).toBe(encoded.length - 4);
    const known = brokerFrame.parse(JSON.parse(bytes.subarray(4).toString('utf8')));
    expect(JSON.parse(encoded.subarray(4).toString('utf8'))).toEqual(known);
  });

  it.each(badShapesFromBroker)('%s is none for the contract either', (_, frame) => {
    const body = Buffer.from(frame.bytesBase64, 'base64').subarray(4);
    expect(brokerFrame.safeParse(JSON.parse(body.toString('utf8'))).success).toBe(false);
  });
});

describe('FrameReader', () => {
  it('cuts several frames out of one piece', () => {
    const two = Buffer.concat([encodeFrame({ a: 1 }), encodeFrame({ b: 2 })]);
    expect(new FrameReader().push(two)).toEqual([
      { ok: true, json: Buffer.from('{"a":1}') },
      { ok: true, json: Buffer.from('{"b":2}') },
    ]);
  });

  it('says that a frame is too large from its length alone, before its body is buffered', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(8 * 1024 * 1024 + 1);
    expect(new FrameReader().push(length)).toEqual([{ ok: false, fault: 'oversized' }]);
  });

  it('takes a frame of just 8 MiB', () => {
    const body = Buffer.from(`{"a":"${'x'.repeat(8 * 1024 * 1024 - 8)}"}`);
    const bytes = Buffer.concat([Buffer.alloc(4), body]);
    bytes.writeUInt32BE(body.length);
    expect(body.length).toBe(8 * 1024 * 1024);
    expect(new FrameReader().push(bytes)[0]?.ok).toBe(true);
  });
});

describe('encodeFrame', () => {
  it('makes no frame that the other side would refuse', () => {
    expect(() => encodeFrame({ a: 'x'.repeat(8 * 1024 * 1024) })).toThrow(RangeError);
  });
});
