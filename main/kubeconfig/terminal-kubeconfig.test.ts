import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { modeOf } from '../../test/support/system.ts';
import { writeTerminalKubeconfig } from './terminal-kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'ly-terminals-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('each terminal has its own, for its owner alone; those of 30 days ago go with the next', async () => {
  const now = Date.now();
  const deps = { folder: join(folder, 'terminals'), clock: { now: () => now } };
  const first = await writeTerminalKubeconfig('a', deps);
  const second = await writeTerminalKubeconfig('b', deps);
  expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual(['a', 'b']);
  expect([modeOf(first), modeOf(deps.folder)]).toEqual([0o600, 0o700]);
  const days = (count: number) => new Date(now - count * 86_400_000);
  utimesSync(first, days(31), days(31));
  utimesSync(second, days(29), days(29));
  const third = await writeTerminalKubeconfig('c', deps);
  expect(readdirSync(deps.folder).sort()).toEqual([second, third].map((each) => basename(each)).sort());
});
