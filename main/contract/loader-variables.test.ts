import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayReachPlugin } from './loader-variables.ts';

/** Read by the helper's tests, too: it decides by the same rule what of its own goes along. */
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
