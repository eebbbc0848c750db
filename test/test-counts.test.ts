import { describe, expect, test } from 'vitest';
import { countLibtest, countRuns, type Report } from '../scripts/test-counts.ts';

/** A report with these files: p, f and s for a test that passed, failed or was skipped; `!`: the file itself failed. */
function report(files: Record<string, string>): Report {
  const words: Record<string, string> = { p: 'passed', f: 'failed', s: 'skipped' };
  return {
    testResults: Object.entries(files).map(([name, tests]) => ({
      name,
      status: /[f!]/.test(tests) ? 'failed' : 'passed',
      assertionResults: [...tests.replace('!', '')].map((each) => ({ status: words[each] ?? '' })),
    })),
  };
}

const count = (first: Record<string, string>, again?: Record<string, string>) => {
  const { passed, failed, skipped, flaky } = countRuns(report(first), again ? report(again) : null);
  return [`${passed} ${failed} ${skipped}`, ...flaky];
};

describe('one run', () => {
  test('is added up; a test that is to be written counts as skipped', () => {
    expect(count({ a: 'ppf', b: 'ps' })).toEqual(['3 1 1']);
    const todo = {
      name: 'c',
      status: 'passed',
      assertionResults: [{ status: 'todo' }, { status: 'pending' }],
    };
    expect(countRuns({ testResults: [todo] }, null)).toMatchObject({ passed: 0, failed: 0, skipped: 2 });
  });

  test('a file that failed without a failed test counts as one that failed', () => {
    expect(count({ a: '!', b: 'p' })).toEqual(['1 1 0']);
    expect(count({ a: '!ss' })).toEqual(['0 1 2']);
  });

  test('a file that two projects run is one file', () => {
    const twice = [...report({ a: 'pf' }).testResults, ...report({ a: 'pp' }).testResults];
    expect(countRuns({ testResults: twice }, report({ a: 'pppp' }))).toMatchObject({
      passed: 4,
      failed: 0,
      flaky: ['a'],
    });
  });
});

describe('a second run of the files that failed', () => {
  test.each<[string, string, string, string[]]>([
    ['passes all: flaky', 'ppfs', 'ppps', ['4 0 1', 'a']],
    ['passes also what was skipped: flaky', 'pfs', 'ppp', ['4 0 0', 'a']],
    ['fails again', 'ppf', 'ppf', ['3 1 0']],
    ['skips the test that failed', 'ppf', 'pps', ['3 1 0']],
    ['doesn’t have the test that failed', 'ppf', 'pp', ['3 1 0']],
    ['skips another', 'ppf', 'ppps', ['3 1 0']],
    ['doesn’t load', 'ppf', '!', ['3 1 0']],
    ['of a file that didn’t load passes, with its own numbers: flaky', '!', 'ppp', ['4 0 0', 'a']],
    ['of a file that didn’t load has no tests', '!', '', ['1 1 0']],
    ['of a file that didn’t load skips', '!', 'ps', ['1 1 0']],
    ['of a file whose hook failed passes what was skipped: flaky', '!ss', 'pp', ['3 0 0', 'a']],
    ['of a file whose hook failed skips again', '!ss', 'ss', ['1 1 2']],
  ])('%s', (_, first, again, expected) => {
    expect(count({ a: first, b: 'p' }, { a: again })).toEqual(expected);
  });

  test('counts each file alone, and those that it doesn’t have as in the first', () => {
    expect(count({ a: 'pf', b: 'ff', c: 'f', d: 'p' }, { a: 'pp', b: 'pf' })).toEqual(['3 3 0', 'a']);
    expect(count({ a: 'f' }, { b: 'p' })).toEqual(['0 1 0']);
  });
});

describe('a program of Rust’s tests', () => {
  const line = (passed: number, failed: number, ignored: number) =>
    `test result: ${failed ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; ${ignored} ignored; 0 measured; 0 filtered out; finished in 0.01s\n`;

  test.each([
    ['all pass', `\nrunning 3 tests\n${line(2, 0, 1)}\n`, 0, [2, 0, 1]],
    ['one fails', line(2, 1, 0), 101, [2, 1, 0]],
    ['two results', `${line(2, 0, 1)}${line(3, 1, 0)}`, 101, [5, 1, 1]],
    ['it ends without a result', 'running 3 tests\n', 5, [0, 1, 0]],
    ['it fails after its tests', line(3, 0, 0), 5, [3, 1, 0]],
  ])('%s', (_, output, code, [passed, failed, skipped]) => {
    expect(countLibtest(output, code)).toEqual({ passed, failed, skipped });
  });
});
