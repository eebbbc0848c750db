import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Where a moment is written for programs, or in a column of a table; everywhere else it is in a sentence. */
const stamps = new Set([
  'main/doors/cli/activity/audit-cells.ts',
  'main/doors/cli/activity/history-command.ts',
  'main/doors/cli/activity/request-cells.ts',
  'main/doors/cli/accounts/plugin-text.ts',
  'main/doors/cli/import/undo-command.ts',
  'main/doors/ui/calls/settings-calls.ts',
  'main/domain/aws/sign-request.ts',
  'main/domain/server/authority-text.ts',
  'main/domain/server/exec-credential.ts',
  'main/domain/text/local-time.ts',
  'main/domain/text/time-in-name.ts',
  'main/operations/activity-event.ts',
  'main/operations/event-text.ts',
  'main/operations/support-bundle.ts',
  'main/proxy/rules/signing-keys.ts',
  'renderer/features/activity/event-row.tsx',
]);

test('a moment in a sentence is local time, never an ISO stamp', () => {
  const files = execFileSync('git', ['ls-files', '--', 'main', 'app', 'renderer'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\/|^renderer\/sample\//.test(file));
  const found = files.filter((file) => /toISOString\(\)|localTime\(/.test(readFileSync(file, 'utf8')));
  expect(found.filter((file) => !stamps.has(file))).toEqual([]);
});
