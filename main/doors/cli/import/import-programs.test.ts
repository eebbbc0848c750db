import { expect, test } from 'vitest';
import { quoted } from '../../../../test/support/system.ts';
import type { ImportPlan, PlannedProgram } from '../../../domain/import/import-plan.ts';
import { programsText } from './import-programs.ts';

function text(program: Partial<PlannedProgram>): string {
  const whole: PlannedProgram = {
    ...{ command: 'aws', path: '/usr/bin/aws', target: '/usr/bin/aws', owner: 'root', sha256: 'ab' },
    ...{ interpreter: null, args: [], env: [], interactiveMode: 'Never', provideClusterInfo: false },
    ...{ searchPathFolders: 1 },
    ...program,
  };
  const becomes = { account: 'eks', exists: false, program: whole };
  return programsText({ users: [{ becomes }] } as unknown as ImportPlan) ?? '';
}

test('what a plugin’s variables are set to is shown: they may choose what runs, and what is read', () => {
  const env = [
    { name: 'PATH', inVault: false, value: '/tmp/x y:/usr/bin' },
    { name: 'TOKEN', inVault: true, value: null },
  ];
  expect(text({ env })).toContain(`variables PATH=${quoted('/tmp/x y:/usr/bin')}, TOKEN (in the vault)`);
});

test.each([
  ['a line', 'x\n    PATH of 1 folder', `A=${quoted('x\\u{a}    PATH of 1 folder')}`],
  ['what goes on', 'x; it is told the cluster', `A=${quoted('x; it is told the cluster')}`],
  ['an escape', '\u001b[2K\u202e', `A=${quoted('\\u{1b}[2K\\u{202e}')}`],
])('a value can’t forge %s', (_name, value, shown) => {
  expect(text({ env: [{ name: 'A', inVault: false, value }] })).toContain(`variables ${shown}`);
  expect(text({ env: [{ name: 'A', inVault: false, value }] }).split('\n')).toHaveLength(4);
});

test('a command line is shown whole, however long: its end may be what counts', () => {
  const args = ['-c', `: ${'x'.repeat(5_000)}; the end`];
  expect(text({ command: 'sh', args })).toContain('x; the end');
});
