import { expect, test } from 'vitest';
import { readPieces } from '../kubernetes/open-answer.ts';
import { readLines } from './read-lines.ts';

/** Each byte alone, in the same buffer: what is kept of a piece is wrong by the next one. */
async function* oneByOne(text: string): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(1);
  for (const byte of Buffer.from(text)) {
    piece[0] = byte;
    yield piece;
  }
}

// Kept pieces of one byte take a hundred times what the hub sent, and its bound would be none.
test('lines keep no pieces', async () => {
  const lines: string[] = [];
  for await (const line of readLines(oneByOne('one\n\nthree of them\nhalf'), 20)) {
    lines.push(line);
  }
  expect(lines).toEqual(['one', '', 'three of them']);
  await expect(readLines(oneByOne('x'.repeat(21)), 20).next()).rejects.toMatchObject({ code: 'tooLarge' });
});

test('a whole answer keeps no pieces', async () => {
  expect((await readPieces(oneByOne('an answer'), 9)).toString()).toBe('an answer');
  await expect(readPieces(oneByOne('an answer'), 8)).rejects.toMatchObject({ kind: 'tooLarge' });
});
