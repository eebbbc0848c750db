import { expect, it } from 'vitest';
import type { ProgramFacts } from '../../domain/program/program.ts';
import { cachedInspector } from './cached-inspector.ts';

it('looks once for what is asked in the same moment, and anew after that', async () => {
  let now = 0;
  const looked: string[] = [];
  const facts: ProgramFacts = { kind: 'missing', path: null };
  const look = cachedInspector(
    async ({ command }) => {
      looked.push(command);
      return facts;
    },
    { boottime: () => now },
  );
  for (const command of ['aws', 'gke', 'aws', 'gke']) {
    expect(await look({ command })).toBe(facts);
  }
  expect(looked).toEqual(['aws', 'gke']);
  await look({ command: 'aws', searchPath: '/other' });
  expect(looked).toHaveLength(3);
  now = 250;
  await look({ command: 'aws' });
  expect(looked).toHaveLength(4);
});
