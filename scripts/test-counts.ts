/** What vitest’s JSON reporter writes, as far as it counts here. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numTotalTests: number;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The counts of a run of vitest that ended with this code. One that failed without a failed test counts as one. */
export function countReport({ numPassedTests, numFailedTests, numTotalTests }: Report, code: number): Counts {
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed, skipped: numTotalTests - numPassedTests - numFailedTests };
}

/** The counts in what a program of Rust’s tests printed. One that failed without a failed test counts as one. */
export function countLibtest(output: string, code: number): Counts {
  const lines = [...output.matchAll(/^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;/gm)];
  const sum = (part: number) => lines.reduce((total, line) => total + Number(line[part]), 0);
  const failed = sum(2);
  return { passed: sum(1), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: sum(3) };
}
