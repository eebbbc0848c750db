import { expect, test } from 'vitest';
import { handChecks } from '../scripts/platforms/hand-checks.ts';
import { platformReport } from '../scripts/platforms/report.ts';

const report = platformReport({
  system: ['win32 10.0', 'x64'],
  outcomes: [
    { what: 'one', how: 'held', why: '' },
    { what: 'two', how: 'failed', why: `at C:\\Users\\ann\\x ${'y'.repeat(3_000)}` },
    { what: 'three', how: 'skipped', why: '' },
  ],
  byHand: ['look'],
  hidden: ['C:\\Users\\ann', 'ann', ''],
});

test('a report counts, names each promise, and shows why one failed', () => {
  expect(report).toContain('1 held, 1 failed, 1 skipped');
  expect(report).toContain('- ✓ one\n- ✗ two\n- – three\n');
  expect(report).toContain('<details><summary>two</summary>');
  expect(report).toContain('- [ ] look');
  expect(report).not.toContain('y'.repeat(2_000));
});

test('it names no folder and no name of the user’s', () => {
  expect(report).not.toMatch(/ann/);
});

test('there is something to look at by hand where no test has run yet', () => {
  expect(handChecks('darwin').length).toBeGreaterThan(0);
  expect(handChecks('win32').length).toBeGreaterThan(0);
  expect(handChecks('linux')).toEqual([]);
});
