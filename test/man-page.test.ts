import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import commands from '../main/contract/commands.json' with { type: 'json' };
import paths from '../main/contract/paths.json' with { type: 'json' };
import { fileTexts, manPage } from '../scripts/man-page.ts';

const file = join(import.meta.dirname, '..', 'docs', 'lanyard.1');
const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', MANWIDTH: '200', MANROFFOPT: '' };

test('the manual page is made from the current tables; if not: npm run generate', () => {
  expect(readFileSync(file, 'utf8')).toBe(manPage());
});

test('it says what each file of the home is; if not: scripts/man-page.ts', () => {
  expect(Object.keys(fileTexts).sort()).toEqual(Object.keys(paths.files).sort());
});

describe('what formats it finds nothing to warn about', () => {
  test.runIf(existsSync('/usr/bin/man'))('man', () => {
    const shown = spawnSync('man', ['-l', '--warnings', file], { env, encoding: 'utf8' });
    expect([shown.status, shown.stderr]).toEqual([0, '']);
    const words = shown.stdout.replace(/\s+/g, ' ');
    for (const { name, usage, options } of commands.commands) {
      expect(words).toContain(name);
      expect(words).toContain(usage.replace(/\s+/g, ' '));
      for (const { option } of options) {
        expect(words).toContain(option);
      }
    }
    for (const name of Object.values(paths.files)) {
      expect(words).toContain(name);
    }
    for (const [code, meaning] of commands.exitCodes) {
      expect(words).toContain(`${code} ${meaning}`);
    }
  });

  test.runIf(existsSync('/usr/bin/groff'))('groff', () => {
    const shown = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z', file], { env, encoding: 'utf8' });
    expect([shown.status, shown.stderr]).toEqual([0, '']);
  });

  test.runIf(existsSync('/usr/bin/mandoc'))('mandoc', () => {
    const shown = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', file], { env, encoding: 'utf8' });
    expect(shown.stdout).toBe('');
  });
});
