import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { arch, homedir, release, userInfo, version } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { handChecks } from './platforms/hand-checks.ts';
import { type Outcome, platformReport } from './platforms/report.ts';

/**
 * `npm run try`: goes through the promises of docs/platforms.md on this machine, in a home of its own in a temporary
 * folder, and prints a report for an issue. Takes some minutes. Exits with 0 when all that was tried held.
 */
const root = dirname(import.meta.dirname);
const folder = join(root, '.cache', 'try');
const file = join(folder, 'vitest.json');

const helper = join(root, 'dist', 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard');
if (!existsSync(helper)) {
  console.error('try: Lanyard is not built here. Run: npm ci && npm run build');
  process.exit(2);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
console.error('Trying Lanyard on this machine; nothing of yours is touched …');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const words = [
  'run',
  '--config',
  'test/platform/vitest.config.ts',
  '--reporter=json',
  `--outputFile=${file}`,
];
const { status } = spawnSync(process.execPath, [vitest, ...words], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (!existsSync(file)) {
  console.error('try: the tests could not be run; what they said is above');
  process.exit(1);
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}
const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
const outcomes: Outcome[] = testResults.flatMap(({ name, status, message, assertionResults }) => [
  ...assertionResults.map(
    ({ fullName, status, failureMessages }): Outcome => ({
      what: fullName,
      how: status === 'passed' ? 'held' : status === 'failed' ? 'failed' : 'skipped',
      why: failureMessages?.[0] ?? '',
    }),
  ),
  // What failed before its first test.
  ...(status === 'failed' && message !== ''
    ? [{ what: basename(name), how: 'failed' as const, why: message }]
    : []),
]);
const report = platformReport({
  system: [`${process.platform} ${release()}`, version(), arch(), `Node ${process.version}`],
  outcomes,
  byHand: handChecks(process.platform),
  // Whose machine it is, is nobody’s business.
  hidden: [homedir(), userInfo().username],
});
console.log(report);
process.exit(status === 0 && outcomes.length > 0 ? 0 : 1);
