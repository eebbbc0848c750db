import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { countRuns, type Report } from './test-counts.ts';

/**
 * Counts a report by vitest’s JSON reporter, and one of a second run of its failed files: node scripts/count-tests.ts
 * FILE [AGAIN]. Prints `PASSED FAILED SKIPPED`, and each flaky file in a line of its own.
 */

const [first = '', again] = process.argv.slice(2);
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Report;
const { passed, failed, skipped, flaky } = countRuns(read(first), again === undefined ? null : read(again));
console.log([`${passed} ${failed} ${skipped}`, ...flaky.map((file) => relative('', file))].join('\n'));
