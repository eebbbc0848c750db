import { readFileSync } from 'node:fs';

/** Prints `PASSED FAILED SKIPPED` of a report by vitest's JSON reporter: node scripts/count-tests.ts FILE */

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report;
// A file that couldn't even be loaded has no failed test to show for it.
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
);
const failed = report.numFailedTests + broken.length;
console.log(`${report.numPassedTests} ${failed} ${report.numPendingTests + report.numTodoTests}`);
