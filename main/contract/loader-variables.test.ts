import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayReachPlugin } from './loader-variables.ts';

/** The helper’s tests read it, too: it chooses the variables that it passes on by the same rule. */
const table: { pass: string[]; never: string[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/wire/tables/loader-variables.json'), 'utf8'),
);

describe('mayReachPlugin', () => {
  it.each(table.pass)('lets %j through', (name) => {
    expect(mayReachPlugin(name)).toBe(true);
  });

  it.each(table.never)('keeps %j from a plugin', (name) => {
    expect(mayReachPlugin(name)).toBe(false);
  });
});
