import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import commands from '../main/contract/commands.json' with { type: 'json' };
import schema from '../main/contract/config/config.schema.json' with { type: 'json' };
import { cliReference } from '../scripts/cli-reference.ts';
import { configReference } from '../scripts/config-reference.ts';

const guide = join(import.meta.dirname, '..', 'docs', 'guide');

test.each([
  ['cli.md', cliReference],
  ['config-reference.md', configReference],
])('docs/guide/%s is current; if not: npm run generate', (file, made) => {
  expect(readFileSync(join(guide, file), 'utf8')).toBe(made());
});

test('the CLI reference has every command, option and exit code', () => {
  const text = cliReference().replaceAll('\\|', '|');
  for (const { name, options } of commands.commands) {
    expect(text).toContain(`\n## lanyard ${name}\n`);
    for (const { option } of options) {
      expect(text).toContain(`\n| \`${option}\` | `);
    }
  }
  for (const [code] of commands.exitCodes) {
    expect(text).toContain(`\n| ${code} | `);
  }
});

test('the configuration reference has every key of the schema', () => {
  const text = configReference();
  const keys = keysOf(schema);
  expect(keys.length).toBeGreaterThan(60);
  expect(keys.filter((key) => !text.includes(`\`${key}\``) && !text.includes(`# ${key}\n`))).toEqual([]);
});

/** All keys that a config.yaml may have, at any depth. */
function keysOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) {
    return [];
  }
  const own = 'properties' in part ? Object.keys(part.properties as object) : [];
  return [...own, ...Object.values(part).flatMap(keysOf)];
}
