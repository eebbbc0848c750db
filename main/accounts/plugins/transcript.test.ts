import { expect, test } from 'vitest';
import { Transcript } from './transcript.ts';

function heard() {
  const told: string[] = [];
  return { told, transcript: new Transcript((text) => told.push(text)) };
}

test('tells whole lines as they come, across pieces and characters', () => {
  const { told, transcript } = heard();
  const bytes = Buffer.from('näher\nzwei');
  transcript.add(bytes.subarray(0, 2));
  expect(told).toEqual([]);
  transcript.add(bytes.subarray(2));
  expect(told).toEqual(['näher\n']);
  transcript.end({ isPrompt: false });
  expect(told).toEqual(['näher\n', 'zwei\n']);
});

test('tells no more than 64 KiB of one run, and remembers its last lines all the same', () => {
  const { told, transcript } = heard();
  for (let line = 0; line < 200; line++) {
    transcript.add(Buffer.from(`${line} ${'x'.repeat(1000)}\n`));
  }
  transcript.add(Buffer.from('the end\n'));
  expect(told.join('').length).toBeLessThanOrEqual(64 * 1024);
  expect(transcript.told).toBe(told.join(''));
  expect(transcript.lastLines).toHaveLength(20);
  expect(transcript.lastLines.at(-1)).toBe('the end');
  expect(Math.max(...transcript.lastLines.map((line) => line.length))).toBe(300);
});

test('a line that was written over is told as it stood last', () => {
  const { told, transcript } = heard();
  transcript.add(Buffer.from('10%\r50%\r100%\r\n'));
  expect(told).toEqual(['100%\n']);
});
