import { expect, it } from 'vitest';
import { createHelloMemory } from './hello-memory.ts';

const hello = (request: unknown, { padding = 0, door = 'kube' } = {}) =>
  Buffer.from(
    JSON.stringify({
      kind: 'hello',
      protocol: { min: 1, max: 1 },
      helper: '0.1.0',
      door,
      features: [],
      terminal: { stdin: false, stdout: false, stderr: false, controlling: false },
      request,
      padding: 'x'.repeat(padding),
    }),
  );

it('gives the same object for the same bytes, and another for each other word', () => {
  const read = createHelloMemory();
  const first = read(hello({ args: ['é'] }));
  expect(first).toMatchObject({ ok: true, frame: { request: { args: ['é'] } } });
  expect(read(hello({ args: ['é'] }))).toBe(first);
  expect(read(hello({ args: ['e'] }))).toMatchObject({ ok: true, frame: { request: { args: ['e'] } } });
});

it.each([
  ['what is no hello', Buffer.from('{"kind":"answer","id":1,"value":"c2VjcmV0"}')],
  ['what can’t be read', Buffer.from('{')],
  ['what is large', hello({}, { padding: 1024 * 1024 })],
  ['a command line', hello({ args: ['login'] }, { door: 'cli' })],
])('does not remember %s', (_, json) => {
  const read = createHelloMemory();
  const first = read(json);
  expect(read(json)).toEqual(first);
  expect(read(json)).not.toBe(first);
});

it('remembers so many, and begins anew', () => {
  const read = createHelloMemory();
  const first = read(hello({}));
  for (let count = 1; count <= 64; count++) {
    read(hello({ count }));
  }
  expect(read(hello({}))).not.toBe(first);
  expect(read(hello({}))).toEqual(first);
});

it('remembers a megabyte of them', () => {
  const read = createHelloMemory();
  const first = read(hello({}));
  read(hello({ count: 1 }, { padding: 900_000 }));
  expect(read(hello({}))).toBe(first);
  read(hello({ count: 2 }, { padding: 900_000 }));
  expect(read(hello({}))).not.toBe(first);
});
