import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';
import { commandCall } from './testing/command-call.ts';

function print(entries: readonly object[], passes = true) {
  const pieces: string[] = [];
  const call = commandCall([]);
  const answer = jsonLines(
    {
      ...call,
      terminal: { ...call.terminal, writeStdout: (text) => pieces.push(text) > 0 && passes },
    },
    { head: '{"all":[', entries, tail: ']}', narrower: 'name one' },
  );
  return { pieces, text: pieces.join('') + (answer.stdout ?? '') };
}

const entry = (at: number) => ({ at, text: 'x'.repeat(200_000) });

test('what is small is one answer, with an entry a line', () => {
  const { pieces, text } = print([{ a: 1 }, { b: '\u001b' }]);
  expect(pieces).toEqual([]);
  expect(text.trimEnd()).toBe('{"all":[{"a":1},\n{"b":"\\u001b"}]}');
  expect(JSON.parse(print([]).text)).toEqual({ all: [] });
});

test('what is large comes in pieces, each entry once, and none near a frame’s limit', () => {
  const entries = Array.from({ length: 60 }, (_, at) => entry(at));
  const { pieces, text } = print(entries);
  expect(JSON.parse(text)).toEqual({ all: entries });
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * 1024 * 1024);
});

test('a helper that passes no pieces on: said, with how to ask for less', () => {
  const entries = Array.from({ length: 20 }, (_, at) => entry(at));
  expect(() => print(entries, false)).toThrow(
    expect.objectContaining({ code: 'cli.oldHelper', hint: 'name one' }),
  );
});
