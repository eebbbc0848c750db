import { expect, test } from 'vitest';
import type { Caller } from '../../ports/caller.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { approvalAbout, approvalText } from './approval-text.ts';

const caller = aCaller({ uid: 1000, pid: 7, session: { leaderPid: 5, startTime: '1' } });

function request(of: Partial<Caller> = {}): ApprovalRequest {
  return {
    target: {
      kind: 'cluster',
      name: 'prod',
      account: 'corp',
      address: 'https://prod.example.com',
      approval: 'always',
    },
    caller: { ...caller, ...of },
    lineage: () => ['kubectl', 'zsh'],
  } as unknown as ApprovalRequest;
}

const rows = (of: Partial<Caller> = {}) => approvalAbout(request(of), { kind: 'always' }).rows;

test('a page and a window show plain values, a terminal shows them in quotes', () => {
  expect(rows()).toEqual([
    ['cluster', 'prod'],
    ['account', 'corp'],
    ['server', 'https://prod.example.com'],
    ['program', '/usr/bin/kubectl'],
    ['process', '7'],
    ['run by', 'kubectl ← zsh'],
    ['from', 'this machine'],
  ]);
  const text = approvalText(request(), { kind: 'always' }, false);
  expect(text).toContain('\n  program     "/usr/bin/kubectl"\n  process     7\n');
});

test('what makes an answer mean less is said: no terminal, an unknown one, a program that changed', () => {
  expect(rows({ hasTerminal: false }).at(-1)).toEqual(['terminal', 'none']);
  expect(rows({ session: null }).at(-1)).toEqual(['terminal', 'unknown']);
  expect(rows({ sure: false })).toContainEqual(['process', '7, which ended or changed meanwhile']);
});

test('a program’s path stays in its cell: no line break, no hidden character, both of its ends', () => {
  const executable = `/tmp/x\nprocess 1\u202e${'y'.repeat(500)}/kubectl`;
  const [, value = ''] = rows({ executable }).find(([label]) => label === 'program') ?? [];
  expect(value).not.toMatch(/[\n\u202e]/);
  expect(value).toMatch(/^\/tmp\/x.*…y+\/kubectl$/);
  expect(value.length).toBeLessThan(300);
});
